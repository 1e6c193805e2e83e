"""A refusal quotes little of a long question, and a short one whole."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Choices, Refused
from modelwright.engines.language.wording import LONGEST_QUOTED, quoting_little, written_out

from .conftest import Open
from .test_arbiter import decide

LONGEST_REFUSAL = 700


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Nothing was found.", "Nothing was found."),
        ("“north” was not used.", "“north” was not used."),
        ("What is “a”, “b” and “c”?", "What is “a”, “b” and “c”?"),
        (f"“{'x' * 61}” is long.", f"“{'x' * 59}…” is long."),
        (f'"{"y" * 5000}" is.', f'"{"y" * 59}…" is.'),
        (
            "Not known: " + ", ".join(f'"{one}"' for one in "abcdefghijk") + ".",
            'Not known: "a", "b", "c", "d", "e", "f", "g", "h" and 3 more.',
        ),
    ],
)
def test_quotations_are_shortened(sentence: str, told: str) -> None:
    assert quoting_little(sentence) == told


@pytest.mark.parametrize(
    "question",
    [
        f"total {'x' * 1900} by status",
        " ".join(f"zq{at}x" for at in range(300)),
        f"orders that {'z' * 1900}",
        f"how many orders with {'q' * 1900} and {'w' * 40}",
    ],
    ids=["long word", "many words", "long verb", "long thing"],
)
def test_refusals_of_long_questions_are_short(shop: Open, question: str) -> None:
    decision = decide(shop("orders"), question)
    assert isinstance(decision, Refused)
    assert len(decision.why) <= LONGEST_REFUSAL
    assert "x" * (LONGEST_QUOTED + 1) not in decision.why


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("flats w/o a lift", "flats without a lift"),
        ("flats w/ lift, w/o balcony", "flats with lift, without balcony"),
        ("flats w/lift", "flats with lift"),
        ("which flats are W/O", "which flats are without"),
        ("km/w per row/w/c", "km/w per row/w/c"),
        ("orders w/c 3 May", "orders w/c 3 May"),
    ],
)
def test_with_and_without_are_written_out(question: str, whole: str) -> None:
    assert written_out(question) == whole


def test_what_is_only_to_be_known_is_not_told_as_doubtful(shop: Open) -> None:
    decision = decide(shop("ledger"), "total costs of sandwiches in 2024")
    assert isinstance(decision, Choices)
    assert decision.why == "It is not sure that “sandwiches” was understood."
