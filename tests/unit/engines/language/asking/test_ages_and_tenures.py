"""Ages from dates of birth, and how long people are there from dates of joining."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Refused
from modelwright.engines.language.checks.checking import check

from .conftest import TODAY, Data, Make
from .test_arbiter import decide
from .test_ends_of_times import answered, values

DRIVERS = """
    select i as driver_no, 'Driver ' || i as full_name, ['red', 'blue'][1 + i % 2] as depot,
    date '1960-01-01' + (i * 97 % 14000)::int as birth_date,
    date '2010-01-01' + (i * 53 % 5500)::int as hire_date,
    case when i % 3 = 0 then date '2026-01-01' + (i % 200)::int end as termination_date,
    case when i % 3 = 0 then 'Gone' else 'Active' end as state, (20 + i % 9)::double as wage
    from range(1, 201) t(i)"""
VISITS = """
    select i as visit_no, 'P' || (i % 50) as patient_name, ['eye', 'ear'][1 + i % 2] as ward,
    date '1940-01-01' + (i % 50 * 500)::int as dob,
    date '2026-01-02' + (i % 300)::int as visited_on,
    (5 + i % 30)::int as fee from range(1, 301) t(i)"""


def years(since: str, until: str = f"date '{TODAY}'") -> str:
    return f"date_diff('day', {since}, {until}) / 365.25"


TENURE = years("hire_date", f"coalesce(termination_date, date '{TODAY}')")


@pytest.fixture(scope="module")
def drivers(make: Make) -> Data:
    return make({"drivers": DRIVERS})


@pytest.fixture(scope="module")
def visits(make: Make) -> Data:
    return make({"clinic_visits": VISITS})


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("average age of drivers per depot",
         f"depot, avg({years('birth_date')}) from drivers group by 1"),
        ("how old are drivers on average", f"avg({years('birth_date')}) from drivers"),
        ("median age by depot", f"depot, median({years('birth_date')}) from drivers group by 1"),
        ("average tenure in years of active drivers by depot",
         f"depot, avg({TENURE}) from drivers where state = 'Active' group by 1"),
        ("average length of service of active drivers in months",
         f"12 * avg({TENURE}) from drivers where state = 'Active'"),
    ],
)  # fmt: skip
def test_are_told_in_years_until_today(drivers: Data, question: str, sql: str) -> None:
    assert answered(drivers, question) == values(drivers, f"select {sql}")


@pytest.mark.parametrize(
    ("question", "where", "order"),
    [
        ("who is the oldest driver", "true", "birth_date"),
        ("who is our youngest active driver", "state = 'Active'", "birth_date desc"),
        ("our longest-serving active driver", "state = 'Active'", "hire_date"),
        ("which active driver has the longest tenure", "state = 'Active'", "hire_date"),
    ],
)  # fmt: skip
def test_rank_people(drivers: Data, question: str, where: str, order: str) -> None:
    decision = decide(drivers, question)
    assert isinstance(decision, Answer), decision
    wanted = f"select full_name from drivers where {where} order by {order} limit 1"
    assert values(drivers, wanted)[0] in values(drivers, decision.reading.best.sql)


def test_the_tenure_of_all_who_ever_joined_is_asked_back(drivers: Data) -> None:
    assert not isinstance(decide(drivers, "average tenure by depot"), Answer)


def test_what_is_no_person_was_not_born(visits: Data) -> None:
    decision = decide(visits, "oldest visit")
    assert not (isinstance(decision, Answer) and "dob" in decision.reading.best.sql)


def test_people_with_several_rows_are_asked_back(visits: Data) -> None:
    assert not isinstance(decide(visits, "average age of patients"), Answer)


@pytest.mark.parametrize("question", ["average shoe size per depot", "median mood of drivers"])
def test_what_is_found_nowhere_is_blamed(drivers: Data, question: str) -> None:
    decision = decide(drivers, question)
    assert isinstance(decision, Refused)
    assert "average" not in decision.why
    assert "median" not in decision.why
    assert any(word in decision.why for word in ("shoe", "mood"))


@pytest.mark.parametrize("question", ["average age of visits", "average age of unpaid visits"])
def test_what_is_no_person_has_no_age(visits: Data, question: str) -> None:
    read = visits.rules().read(visits.request(question))
    assert all("dob" not in getattr(one, "sql", "") for one in read)


def test_what_is_told_by_age_is_no_age(drivers: Data) -> None:
    read = drivers.rules().read(drivers.request("average wage by age"))
    assert all("birth_date" not in getattr(one, "sql", "") for one in read)


def test_people_over_an_age_are_told_by_no_other_figure(drivers: Data) -> None:
    sql = "SELECT COUNT(*) FROM drivers WHERE wage > 25"
    found = check(sql, drivers.request("how many drivers are over 25"))
    assert any("may be an age" in one.message for one in found)
