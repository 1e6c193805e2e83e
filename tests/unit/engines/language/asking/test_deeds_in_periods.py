"""A verb with a period tells what was done in it: the rows are asked for, not the day."""

import pytest

from modelwright.engines.language.readers import Candidate

from .conftest import Data, Make
from .test_ends_of_times import answered, values

CREW = """
    select i as crew_no, 'Sailor ' || i as full_name, ['deck', 'engine'][1 + i % 2] as section,
    date '2020-01-01' + (i * 11)::int as "Sign Up Date", date '2020-02-01' + (i * 11)::int as
    "Hire Date", case when i % 3 = 0 then date '2025-12-01' + (i * 2)::int end as "Term Date",
    (i % 60)::int as "Leave Balance (hrs)" from range(1, 181) t(i)"""
PERMITS = """
    select i as permit_no, ['roof', 'fence'][1 + i % 2] as kind, date '2025-01-03' + i::int as
    lodged_on, case when i % 4 > 0 then date '2025-02-01' + i::int end as approved_on,
    (50 + i)::double as fee from range(1, 401) t(i)"""


@pytest.fixture(scope="module")
def crew(make: Make) -> Data:
    return make({"crew": CREW})


@pytest.fixture(scope="module")
def permits(make: Make) -> Data:
    return make({"permits": PERMITS})


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("who left the company in the last 60 days", "\"Term Date\" >= '2026-09-22'"),
        ("who joined in 2024", 'year("Hire Date") = 2024'),
    ],
)
def test_who_came_and_went(crew: Data, question: str, where: str) -> None:
    until = "\"Term Date\" <= '2026-11-20' and" if "Term" in where else ""
    assert answered(crew, question) == values(crew, f"select * from crew where {until} {where}")


def test_what_is_left_of_an_amount_is_nobody_who_left(crew: Data) -> None:
    read = crew.rules().read(crew.request("crew with over 50 hours of leave left"))
    assert all("Term Date" not in getattr(one, "sql", "") for one in read)


@pytest.mark.parametrize(
    "question", ["approved permits since March 2025", "permits approved since March 2025"]
)
def test_rows_are_told_whole(permits: Data, question: str) -> None:
    wanted = "select * from permits where approved_on >= '2025-03-01'"
    assert answered(permits, question) == values(permits, wanted)


def test_a_noun_of_a_verb_counts_the_rows_it_was_done_to(make: Make) -> None:
    hires = make(
        {
            "bikes": """
        select i as bike_id, ['city', 'cargo'][1 + i % 2] as kind from range(1, 21) t(i)""",
            "hires": """
        select i as hire_id, 1 + i % 20 as bike_id, timestamp '2024-06-01 08:00' +
        to_hours((i * 31)::int) as reserved_at, date '2024-06-09' + (i * 31 // 24)::int as
        collected_on, (5 + i % 20)::double as fee from range(1, 501) t(i)""",
        }
    )
    (read,) = hires.grammar().read(
        hires.request("number of reservations by month since January 2025")
    )
    assert isinstance(read, Candidate), read
    wanted = """
        select date_trunc('month', reserved_at), count(*) from hires
        where reserved_at >= '2025-01-01' group by 1"""
    assert values(hires, read.sql) == values(hires, wanted)
