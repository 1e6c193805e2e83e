"""Jobs of workshops with a price and a cost: profits, rates of what was done, and what ranks."""

from datetime import date, timedelta
from typing import Any

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, reader_of, store_of

from modelwright.engines.language.rules.answering.questions import NotUnderstood, Reader

TODAY = date(2026, 11, 25)
COLUMNS = {
    "job_no": "integer", "booked_on": "date", "workshop": "string", "mechanic": "string",
    "turnover": "float", "cost": "float", "marks": "integer", "due_date": "date",
    "finished_on": "date",
}  # fmt: skip
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


def rows() -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for at in range(420):
        booked = date(2024, 1, 1) + timedelta(2 * at)
        done = None if at % 7 == 0 else booked + timedelta(at % 13)
        found.append(
            (7000 + at, booked, ("Dock", "Yard", "Gate")[at * at % 3], ("Ines", "Omar")[at % 2],
             100.0 + at * 7 % 90, 80.0 + at * 11 % 70, at % 5 + 1, booked + timedelta(6), done)
        )  # fmt: skip
    return found


@pytest.fixture(scope="module")
def jobs() -> Asked:
    return store_of("jobs", COLUMNS, rows()), reader_of("jobs", COLUMNS, rows())


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("total profit in 2025",
         "select sum(turnover) - sum(cost) from jobs where year(booked_on) = 2025"),
        ("turnover and profit by workshop",
         "select workshop, sum(turnover) - sum(cost), sum(turnover) from jobs group by 1"),
        ("profit per job by workshop",
         "select workshop, avg(turnover - cost) from jobs group by 1"),
        ("average profit per mechanic",
         "select mechanic, avg(turnover - cost) from jobs group by 1"),
        ("profit margin by workshop",
         ("select workshop, (sum(turnover) - sum(cost)) / sum(turnover) from jobs"
          " group by 1")),
        ("top 2 workshops by total profit",
         ("select workshop, sum(turnover) - sum(cost) from jobs group by 1"
          " order by 2 desc limit 2")),
        ("how many jobs made a loss?", "select count(*) from jobs where turnover < cost"),
    ],
)  # fmt: skip
def test_a_profit_is_what_the_costs_leave(jobs: Asked, question: str, right: str) -> None:
    answers_as(jobs, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("finished rate by mechanic",
         "select mechanic, 100.0 * count(finished_on) / count(*) from jobs group by 1"),
        ("on-time rate by workshop",
         ("select workshop, 100.0 * count_if(finished_on <= due_date) / count(*) from jobs"
          " group by 1")),
    ],
)  # fmt: skip
def test_a_rate_is_of_what_was_done(jobs: Asked, question: str, right: str) -> None:
    answers_as(jobs, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("mechanics by number of late jobs",
         ("select mechanic, count(*) from jobs where finished_on > due_date group by 1")),
        ("workshops ranked by late jobs",
         ("select workshop, count(*) from jobs where finished_on > due_date group by 1")),
        ("workshops with turnover over 5000 in 2025",
         ("select workshop from jobs where year(booked_on) = 2025 group by 1"
          " having sum(turnover) > 5000")),
        ("how did the average marks of Dock change by year?",
         ("select year(booked_on), avg(marks) from jobs where workshop = 'Dock'"
          " group by 1")),
    ],
)  # fmt: skip
def test_numbers_are_of_all_rows_of_a_group(jobs: Asked, question: str, right: str) -> None:
    answers_as(jobs, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("avrage turnover by workshop",
         "select workshop, avg(turnover) from jobs group by 1"),
        ("totl cost", "select sum(cost) from jobs"),
        ("nubmer of jobs by mechanic", "select mechanic, count(*) from jobs group by 1"),
        ("Avrage cost", "select avg(cost) from jobs"),
    ],
)  # fmt: skip
def test_a_slip_in_a_word_that_computes_is_mended(jobs: Asked, question: str, right: str) -> None:
    answers_as(jobs, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("which workshop has the highest turnover per job?",
         "select workshop from jobs group by 1 order by avg(turnover) desc limit 1"),
        ("which workshops finished fewer than 141 jobs?",
         "select workshop from jobs group by 1 having count(*) < 141"),
        ("jobs finished by Ines or Omar in May 2025",
         ("select * from jobs where finished_on >= '2025-05-01' and finished_on < '2025-06-01'"
          " and mechanic in ('Ines', 'Omar')")),
    ],
)  # fmt: skip
def test_verbs_belong_to_the_rows(jobs: Asked, question: str, right: str) -> None:
    answers_as(jobs, question, right, TODAY)


def test_a_name_is_no_slip(jobs: Asked) -> None:
    read = jobs[1].read("turnover in Medina", TODAY)
    assert "median" not in str(read).lower()


def test_how_much_adds_up_few_different_amounts() -> None:
    columns = {"donor": "string", "given_on": "date", "amount": "float"}
    lines = [
        (("Ada", "Bo")[at % 2], date(2026, 1 + at % 9, 3), (20.0, 40.0, 65.0)[at % 3])
        for at in range(240)
    ]
    asked = store_of("gifts", columns, lines), reader_of("gifts", columns, lines)
    right = "select sum(amount) from gifts where donor = 'Ada'"
    answers_as(asked, "how much money came in from Ada?", right, TODAY)


@pytest.mark.parametrize(
    "question",
    [
        "average job in 2025",
        "jobs with a loss of more than 10",
        "which workshops earned less in 2025 than in 2024?",
    ],
)
def test_what_no_plan_tells_is_refused(jobs: Asked, question: str) -> None:
    found = jobs[1].read(question, TODAY)
    assert isinstance(found, NotUnderstood), found.sql


def test_the_most_reviewed_is_that_of_the_most_reviews() -> None:
    columns = {"review_id": "integer", "inn": "string", "stars": "integer"}
    lines = [(at, ("Swan", "Bell", "Crown")[at * at % 3], at % 5 + 1) for at in range(240)]
    asked = store_of("reviews", columns, lines), reader_of("reviews", columns, lines)
    right = "select inn, count(*) from reviews group by 1 order by 2 desc limit 1"
    answers_as(asked, "most reviewed inn", right, TODAY)
