"""Days of the week that a table holds as values: no date of another table tells them."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices

from .conftest import Data, Make
from .test_arbiter import decide

CLUBS = {
    "leaders": """
        select i as leader_id, 'Leader ' || i as leader_name,
        date '2020-01-01' + (i * 17)::int as appointed_on from range(1, 9) t(i)""",
    "clubs": """
        select i as club_id, 'Club ' || i as club_name, 1 + i * 3 % 8 as leader_id,
        ['Monday', 'Tuesday', 'Thursday'][1 + i % 3] as meeting_day from range(1, 25) t(i)""",
    "outings": """
        select i as outing_id, 1 + i * 5 % 24 as club_id, date '2024-01-01' + i::int as held_on
        from range(1, 201) t(i)""",
}


@pytest.fixture(scope="module")
def clubs(make: Make) -> Data:
    return make(CLUBS)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("which clubs meet on Tuesdays", "select club_name from clubs where meeting_day='Tuesday'"),
        (
            "number of clubs with meeting day Monday",
            "select count(*) from clubs where meeting_day = 'Monday'",
        ),
        (
            "how many outings were on Tuesdays",
            "select count(*) from outings where isodow(held_on) = 2",
        ),
    ],
)
def test_are_values_of_what_is_named(clubs: Data, question: str, sql: str) -> None:
    decision = decide(clubs, question)
    assert isinstance(decision, Answer | Choices), decision
    first = decision.reading if isinstance(decision, Answer) else decision.readings[0]
    wanted = sorted(map(tuple, clubs.run(sql).rows))
    assert sorted(map(tuple, first.result.rows)) == wanted
