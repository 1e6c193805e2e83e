"""When two questions are the same."""

import pytest

from modelwright.queries.domain import normalised


class TestNormalised:
    @pytest.mark.parametrize(
        "question",
        [
            "how many rows are there",
            "How many rows are there?",
            "  how   many\nrows are there ?! ",
            "HOW MANY ROWS ARE THERE.",
            "\uff48ow many rows are there",
        ],
    )
    def test_case_spacing_and_the_end_do_not_count(self, question: str):
        assert normalised(question) == "how many rows are there"

    def test_words_do(self):
        assert normalised("rows in 2024") != normalised("rows in 2023")
