"""Rows that are over, of those who left, where what is there now may be asked for."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer

from .conftest import Data, Make
from .test_arbiter import decide

MEMBERS = """
    select i as member_id, ['north', 'south'][1 + i % 2] as gym, date '2024-01-01' + i::int
    as joined_on, case when i % 4 = 0 then date '2025-06-01' + i::int end as cancelled_on
    from range(1, 121) t(i)"""


@pytest.fixture(scope="module")
def gym(make: Make) -> Data:
    return make({"members": MEMBERS})


@pytest.mark.parametrize(
    ("question", "is_told"),
    [
        ("how many members do we have", True),
        ("how many members do we have in the north gym", True),
        ("how many members joined in 2024", False),
        ("how many members cancelled", False),
        ("how many gyms do we have", False),
    ],
)
def test_are_told_where_they_are_counted(gym: Data, question: str, is_told: bool) -> None:
    decision = decide(gym, question)
    assert isinstance(decision, Answer)
    assert any("are counted as well" in one for one in decision.warnings) is is_told


def test_what_is_there_now_uses_its_word(gym: Data) -> None:
    decision = decide(gym, "how many current members")
    assert isinstance(decision, Answer)
    assert "IS NULL" in decision.reading.best.sql
    assert not decision.warnings
