"""Who has not been there for some time, by the date of the last of several times."""

import pytest

from .conftest import Data, Make
from .test_ends_of_times import answered, values

PLAYERS = """
    select i as player_no, 'Player ' || i as full_name, ['junior', 'senior'][1 + i % 2] as squad,
    date '2020-01-01' + (i * 5)::int as joined_on, (i % 40)::int as goals,
    case when i % 10 > 0 then date '2026-08-15' + (i * 7 % 95)::int end as last_match
    from range(1, 201) t(i)"""


@pytest.fixture(scope="module")
def players(make: Make) -> Data:
    return make({"players": PLAYERS})


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how many players haven't played a match in the last 30 days",
         "count(*) from players where last_match < '2026-10-22' or last_match is null"),
        ("how many junior players have not had a match since September 2026",
         """count(*) from players where squad = 'junior'
         and (last_match < '2026-09-01' or last_match is null)"""),
        ("number of players with a match in the last 2 weeks",
         "count(*) from players where last_match >= '2026-11-07'"),
    ],
)  # fmt: skip
def test_was_last_there_before(players: Data, question: str, sql: str) -> None:
    assert answered(players, question) == values(players, f"select {sql}")


@pytest.mark.parametrize(
    "question", ["players who have not joined since 2024", "players who did not join in 2024"]
)
def test_what_happens_once_is_not_the_last_of_several(players: Data, question: str) -> None:
    for one in players.rules().read(players.request(question)):
        sql = getattr(one, "sql", "")
        assert "joined_on < " not in sql
        assert "last_match" not in sql
