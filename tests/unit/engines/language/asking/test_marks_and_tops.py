"""Scores that are no money, and the top of kinds that nobody said how to rank."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices
from modelwright.engines.language.arbiter.results import same_result

from .conftest import Data, Make
from .test_arbiter import decide

STAYS = """
    select i as stay_id, ['Lodge', 'Cabin', 'Tent', 'Hut'][1 + i * i % 7 % 4] as lodging,
    ['NO', 'SE', 'DK'][1 + i * i % 5 % 3] as land, (50 + i * 31 % 97)::double as daily_rate_eur,
    (50 + i * 31 % 97)::double * (1 + i % 6) as total_eur, (1 + i % 6)::int as nights
    from range(1, 121) t(i)"""


@pytest.fixture(scope="module")
def stays(make: Make) -> Data:
    return make({"stays": STAYS})


@pytest.mark.parametrize("question", ["average score per lodging", "average rating by land"])
def test_a_rate_in_euros_is_no_score(stays: Data, question: str) -> None:
    assert not isinstance(decide(stays, question), Answer)


def test_a_rate_is_one(stays: Data) -> None:
    decision = decide(stays, "average daily rate by lodging")
    assert isinstance(decision, Answer)
    wanted = stays.run("select lodging, avg(daily_rate_eur) from stays group by 1")
    assert same_result(decision.reading.result, wanted)


def test_the_top_of_kinds_is_by_amount_or_by_rows(stays: Data) -> None:
    decision = decide(stays, "top 2 lands")
    assert isinstance(decision, Choices)
    told = [one.best.sql for one in decision.readings]
    assert any("SUM(" in sql for sql in told)
    assert any("COUNT(*)" in sql for sql in told)


def test_the_top_by_what_is_said_is_by_that(stays: Data) -> None:
    assert isinstance(decide(stays, "top 2 lands by total"), Answer)
