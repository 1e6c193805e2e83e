"""Inspections of restaurants: what is counted, and numbers of the row that is ranked first."""

import random
from datetime import date, timedelta
from typing import Any

import duckdb
import pytest
from tests.unit.engines.language.tables import reader_of, store_of, tables_of

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader

TODAY = date(2026, 11, 25)
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


def inspections(table: str, name: str) -> Asked:
    chance = random.Random(3)
    columns = {
        "inspection_id": "integer", name: "string", "cuisine": "string", "seats": "integer",
        "inspected_on": "date", "score": "float",
    }  # fmt: skip
    places = [
        (f"{first} {last}", chance.choice(["Thai", "Italian", "Indian"]), chance.randint(8, 90))
        for first in ("Golden", "Blue", "Old", "Happy") for last in ("Spoon", "Fig", "Lotus")
    ]  # fmt: skip
    rows: list[tuple[Any, ...]] = [
        (at, *chance.choice(places), date(2025, 1, 1) + timedelta(chance.randrange(500)), at / 7)
        for at in range(300)
    ]
    return store_of(table, columns, rows), reader_of(table, columns, rows)


@pytest.mark.parametrize(
    ("table", "name"),
    [("inspections", "restaurant"), ("inspections", "restaurant_name"),
     ("restaurant_inspections", "name")],
)  # fmt: skip
def test_what_repeats_is_counted_once_whatever_stands_before_it(table: str, name: str) -> None:
    store, reader = inspections(table, name)
    wanted = {
        "How many Thai restaurants are there?": f"count(distinct {name})",
        "How many Thai inspections are there?": "count(*)",
    }
    for question, told in wanted.items():
        read = reader.read(question, TODAY)
        assert isinstance(read, Answerable), read
        right = store.sql(f"select {told} from {table} where cuisine = 'Thai'").fetchall()
        assert store.sql(read.sql).fetchall() == right, read.sql


@pytest.fixture(scope="module")
def places() -> Asked:
    return inspections("inspections", "restaurant")


def test_a_number_of_the_first_row_is_no_sum_of_all(places: Asked) -> None:
    read = places[1].read("How many seats does the restaurant with the highest score have?", TODAY)
    assert isinstance(read, Answerable), read
    right = "select seats from inspections order by score desc limit 1"
    assert places[0].sql(read.sql).fetchall() == places[0].sql(right).fetchall(), read.sql


@pytest.mark.parametrize(
    "question",
    [
        "Inspections that do not have the highest score",
        "How many inspections don't have the lowest score?",
        "What is the average number of seats of the 5 inspections with the highest score?",
    ],
)
def test_the_first_rows_denied_or_averaged_are_refused(places: Asked, question: str) -> None:
    assert isinstance(places[1].read(question, TODAY), NotUnderstood)


def test_numbers_that_stand_for_rows_are_not_added_up() -> None:
    columns: dict[str, dict[str, str]] = {
        "ships": {"id": "integer", "ship_name": "string"},
        "losses": {"caused_by_ship_id": "integer", "injured": "integer", "noted": "date"},
    }
    day = date(2025, 1, 1)
    rows: dict[str, list[tuple[Any, ...]]] = {
        "ships": [(at, f"Ship {at}") for at in range(1, 9)],
        "losses": [(at % 8 + 1, at, day + timedelta(at)) for at in range(40)],
    }
    _, reader = tables_of(columns, rows)
    read = reader.read("What is the average number of injuries caused each time?", TODAY)
    assert isinstance(read, NotUnderstood), read


def test_the_most_of_what_a_year_is_told_of_counts_rows() -> None:
    columns: dict[str, dict[str, str]] = {
        "employees": {"employee_id": "integer", "full_name": "string"},
        "evaluations": {"employee_id": "integer", "year_awarded": "integer", "bonus": "float"},
    }
    rows: dict[str, list[tuple[Any, ...]]] = {
        "employees": [(1, "Ines Roth"), (2, "Aldo Sand"), (3, "Birk Lind")],
        "evaluations": [(1, 2024, 5.0), (2, 2011, 1.0), (2, 2012, 2.0), (2, 2013, 9.5)],
    }
    store, reader = tables_of(columns, rows)
    read = reader.read("Which employee received the most awards? Give the full name.", TODAY)
    assert isinstance(read, Answerable), read
    assert store.sql(read.sql).fetchall()[0][0] == "Aldo Sand", read.sql
