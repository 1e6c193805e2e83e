"""A list of earthquakes: comparisons that name their column, ages of years, and rows that tie."""

import random
from datetime import date
from typing import Any

import duckdb
import pytest
from tests.unit.engines.language.tables import reader_of, store_of

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader

TODAY = date(2026, 11, 25)
COLUMNS = {
    "place": "string", "magnitude": "float", "depth_km": "float", "year": "integer",
    "stations": "integer", "alert": "float",
}  # fmt: skip
TIED = [("Which place had the strongest earthquake?", "Atacama"),
        ("Which alert has the most earthquakes?", 1.0)]  # fmt: skip
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


def rows() -> list[tuple[Any, ...]]:
    chance = random.Random(3)
    places = [f"{name} {at}" for name in ("Kyushu", "Lima", "Nome", "Arica") for at in range(60)]
    made = [
        (place, round(chance.uniform(2, 8), 1), round(chance.uniform(1, 600), 1),
         chance.randint(1960, 2024), chance.randint(3, 90), float(at % 4 + 1))
        for at, place in enumerate(places)
    ]  # fmt: skip
    tied = [(place, 9.1, 30.5, 2001, 40, 5.0) for place in ("Sumatra", "Atacama", "Maule")]
    return [*made, *tied]


@pytest.fixture(scope="module")
def quakes() -> Asked:
    return store_of("earthquakes", COLUMNS, rows()), reader_of("earthquakes", COLUMNS, rows())


def answer(asked: Asked, question: str) -> Answerable:
    read = asked[1].read(question, TODAY)
    assert isinstance(read, Answerable), read
    return read


@pytest.mark.parametrize(
    ("said", "test"),
    [
        ("weaker than magnitude 5", "magnitude < 5"),
        ("stronger than a magnitude of 6", "magnitude > 6"),
        ("below magnitude 3", "magnitude < 3"),
        ("with at least a magnitude of 6", "magnitude >= 6"),
        ("deeper than depth 100", "depth_km > 100"),
        ("shallower than 20 km", "depth_km < 20"),
        ("since 2000", "year >= 2000"),
        ("newer than 2010", "year > 2010"),
        ("older than 1990", "year < 1990"),
        ("fainter than magnitude 5", "magnitude > 5"),
        ("brighter than magnitude 5", "magnitude < 5"),
    ],
)
def test_what_is_compared_is_named_between_the_words_and_the_number(
    quakes: Asked, said: str, test: str
) -> None:
    wanted = quakes[0].sql(f"select count(*) from earthquakes where {test}").fetchall()
    read = answer(quakes, f"How many earthquakes are there {said}?")
    assert quakes[0].sql(read.sql).fetchall() == wanted, read.sql


@pytest.mark.parametrize("said", ["tamer than magnitude 5", "with 2,34567 or more stations"])
def test_a_comparison_or_a_number_that_is_not_known_is_refused(quakes: Asked, said: str) -> None:
    assert isinstance(quakes[1].read(f"How many earthquakes are {said}?", TODAY), NotUnderstood)


@pytest.mark.parametrize(("question", "first"), TIED)
def test_of_those_that_tie_the_same_is_always_named_and_it_is_said_how(
    question: str, first: object
) -> None:
    found = set()
    for seed in range(8):
        made = rows()
        random.Random(seed).shuffle(made)
        asked = (store_of("earthquakes", COLUMNS, made), reader_of("earthquakes", COLUMNS, made))
        read = answer(asked, question)
        found.add(asked[0].sql(read.sql).fetchall()[0][0])
        assert "rising, the first only" in read.interpretation
    assert found == {first}


def test_a_number_of_few_kinds_makes_groups_of_the_highest(quakes: Asked) -> None:
    read = answer(quakes, "What is the maximum depth by alert?")
    wanted = quakes[0].sql("select alert, max(depth_km) from earthquakes group by all").fetchall()
    assert sorted(quakes[0].sql(read.sql).fetchall()) == sorted(wanted)


def test_which_row_is_asked_by_the_last_word() -> None:
    columns = {"species": "string", "awake": "float", "sleep_total": "float"}
    made: list[tuple[Any, ...]] = [("ox", 20.1, 3.9), ("bat", 4.1, 19.9), ("pig", 14.9, 9.1)]
    asked = store_of("mammals", columns, made), reader_of("mammals", columns, made)
    for question, first in (("Which animal is awake the longest?", "ox"),
                            ("Which animal sleeps the most?", "bat")):  # fmt: skip
        assert asked[0].sql(answer(asked, question).sql).fetchall()[0][0] == first


def test_the_row_itself_is_named_beside_what_is_its(quakes: Asked) -> None:
    read = answer(quakes, "The deepest earthquake and its magnitude")
    right = "select place, magnitude from earthquakes order by depth_km desc limit 1"
    assert quakes[0].sql(read.sql).fetchall() == quakes[0].sql(right).fetchall()


def test_both_apostrophes_say_whose(quakes: Asked) -> None:
    plain, curly = (
        answer(quakes, f"What is the earthquake{sign}s average depth?")
        for sign in "'\N{RIGHT SINGLE QUOTATION MARK}"
    )
    assert plain.sql == curly.sql
