"""Kinds that say there is none of something, and values that are ranges themselves."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices
from modelwright.engines.language.arbiter.results import same_result

from .conftest import Open
from .test_arbiter import decide


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("how many members have no locker", "SELECT count(*) FROM members WHERE locker = 'No'"),
        ("members without parking", "SELECT * FROM members WHERE parking = 'none'"),
        (
            "how many members have a fee of more than 50",
            "SELECT count(*) FROM members WHERE fee_band = '>50'",
        ),
    ],
)
def test_what_is_told_is_right(shop: Open, question: str, right: str) -> None:
    data = shop("members")
    decision = decide(data, question)
    told = decision.readings if isinstance(decision, Choices) else ()
    told = (decision.reading,) if isinstance(decision, Answer) else told
    assert any(same_result(one.result, data.run(right)) for one in told), decision
