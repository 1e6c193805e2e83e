"""Since when rows are there is not when they did something; nothing is known of times to come."""

import pytest

from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code, Severity
from modelwright.engines.language.checks.outcome import check_outcome
from modelwright.engines.language.readers import Candidate

from .conftest import Data, Make

CHOIR = """
    select i as singer_no, date '2023-01-01' + (i * 4)::int as joined, ['alto', 'bass'][1 + i % 2]
    as voice, case when i % 5 = 0 then 'yes' else 'no' end as resigned,
    (i % 9)::int as rehearsals_last_month from range(1, 181) t(i)"""
DIVES = """
    select i as dive_no, date '2026-03-02' + i::int as dived_on,
    ['reef', 'wreck'][1 + i % 2] as site, ['vaccination', 'training', 'leisure'][1 + i % 3] as
    purpose,
    (10 + i % 30)::int as depth_m from range(1, 121) t(i)"""
STAYS = """
    select i as stay_no, date '2026-10-01' + i::int as arrival, (1 + i % 9)::int as nights
    from range(1, 121) t(i)"""
IN_2024 = "joined >= '2024-01-01' and joined < '2025-01-01'"


@pytest.fixture(scope="module")
def choir(make: Make) -> Data:
    return make({"singers": CHOIR})


@pytest.fixture(scope="module")
def dives(make: Make) -> Data:
    return make({"dives": DIVES})


def codes(data: Data, question: str, sql: str) -> set[Code]:
    return {one.code for one in check(sql, data.request(question)) if one.severity != "note"}


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("how many singers resigned in 2024", f"resigned = 'yes' and {IN_2024}"),
        ("how many singers fell ill in 2024", IN_2024),
        ("how many singers came on a Tuesday", "isodow(joined) = 2"),
        ("how many singers are here on Sundays", "isodow(joined) = 7"),
    ],
)
def test_what_was_done_is_not_told_by_the_day_of_joining(
    choir: Data, question: str, where: str
) -> None:
    assert Code.OTHER_DATE in codes(choir, question, f"select count(*) from singers where {where}")


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("how many singers joined in 2024", IN_2024),
        ("how many singers came in 2024", IN_2024),
        ("how many singers joined on a Tuesday", "isodow(joined) = 2"),
        ("how many basses of 2024", f"voice = 'bass' and {IN_2024}"),
        ("how many of those who joined in 2024 resigned", f"resigned = 'yes' and {IN_2024}"),
    ],
)
def test_the_day_of_joining_tells_who_came(choir: Data, question: str, where: str) -> None:
    sql = f"select count(*) from singers where {where}"
    assert Code.OTHER_DATE not in codes(choir, question, sql)


def test_rows_are_none_of_what_a_column_tells_of_them(choir: Data) -> None:
    question = "average number of rehearsals per month"
    wrong = "select count(*) / count(distinct date_trunc('month', joined)) from singers"
    right = "select avg(rehearsals_last_month) from singers"
    assert Code.OTHER_ROWS in codes(choir, question, wrong)
    assert Code.OTHER_ROWS not in codes(choir, question, right)
    members = "select count(*) from singers"
    assert Code.OTHER_ROWS not in codes(choir, "number of singers", members)


@pytest.mark.parametrize("question", ["how many dives will there be", "how deep will the dives be"])
def test_nothing_is_told_of_times_to_come(dives: Data, question: str) -> None:
    assert Code.OTHER_DATE in codes(dives, question, "select count(*) from dives")


def test_plans_are_of_times_to_come(make: Make) -> None:
    stays = make({"stays": STAYS})
    asked = "how many guests will arrive in December 2026"
    sql = "select count(*) from stays where arrival >= '2026-12-01' and arrival < '2027-01-01'"
    assert Code.OTHER_DATE not in codes(stays, asked, sql)


def test_a_month_that_the_data_do_not_reach_is_told(dives: Data) -> None:
    used = frozenset({("dives", "dived_on")})
    (found,) = check_outcome(dives.request("how many dives in January"), used, is_empty=False)
    assert (found.code, found.severity) == (Code.PERIOD_OUTSIDE, Severity.FAULT)
    assert "begin on 2026-03-03 and end on 2026-06-30, without “in January”" in found.message
    for question in ("how many dives in May", "how many dives that were not in January"):
        assert not list(check_outcome(dives.request(question), used, is_empty=False))


@pytest.mark.parametrize(
    ("question", "is_told"),
    [
        ("which vaccine did the wrecks get", False),
        ("which vaccinations did the wrecks get", True),
        ("which vaccination did the wreck get", True),
    ],
)
def test_a_value_is_what_is_asked_for_only_by_its_own_word(
    dives: Data, question: str, is_told: bool
) -> None:
    sql = "select * from dives where purpose = 'vaccination' and site = 'wreck'"
    assert (Code.OTHER_KIND not in codes(dives, question, sql)) is is_told


def test_to_rate_is_no_rate(dives: Data) -> None:
    read = dives.rules().read(dives.request("How did the divers rate the wrecks?"))
    told = [one.sql for one in read if isinstance(one, Candidate)]
    assert not any("COUNT_IF" in one for one in told)
