"""Sixty carts, more than a list to look things up in: what is counted, told apart, refused."""

from datetime import date

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, reader_of, store_of

from modelwright.engines.language.rules.answering.questions import NotUnderstood, Reader

TODAY = date(2026, 11, 26)
COLUMNS = {
    "cart": "string", "kind": "string", "country": "string", "region": "string",
    "county": "string", "weight": "float", "price": "float", "guests": "integer",
    "company_country": "string", "origin": "string",
}  # fmt: skip
KINDS = ("Ice cart", "Ice carts", "Soup van", "Tea stall")
PLACES = (("Oland", "North Oland"), ("Oland", "South Oland"), ("Uland", "Oland"), ("Uland", "East"))
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


@pytest.fixture(scope="module")
def carts() -> Asked:
    rows = [
        (f"Cart {at}", KINDS[at % 4], *PLACES[at // 2 % 4], f"{'MFH'[at % 3]}shire",
         80.0 + at * 17 % 59, 900.0 + at * 23 % 61, at * 7 % 40,
         ("Oland", "Uland", "Eland")[at % 3], ("Eland", "Ysland")[at // 4 % 2])
        for at in range(60)
    ]  # fmt: skip
    return store_of("carts", COLUMNS, rows), reader_of("carts", COLUMNS, rows)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("how many kinds", "select count(distinct kind) from carts"),
        ("how many regions does Oland have",
         "select count(distinct region) from carts where country = 'Oland'"),
        ("how many ice carts are there",
         "select count(*) from carts where kind in ('Ice cart', 'Ice carts')"),
        ("how many carts are not ice carts",
         "select count(*) from carts where kind not in ('Ice cart', 'Ice carts')"),
        ("heaviest soup van",
         "select * from carts where kind = 'Soup van' order by weight desc limit 1"),
        ("5 most expensive vehicles made in Ysland",
         "select * from carts where origin = 'Ysland' order by price desc limit 5"),
    ],
)  # fmt: skip
def test_the_rows_meant_are_answered(carts: Asked, question: str, right: str) -> None:
    answers_as(carts, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("how many people live in a different country than their company", "company"),
        ("how many people in Ysland have a cart", "people"),
        ("owners with more than 5 carts", "owners"),
        ("number of different towns", "different"),
        ("average weight in the first 2 years", "2"),
        ("how many towns have fewer than 10 carts", "towns"),
    ],
)
def test_a_second_thing_spoken_of_is_not_the_rows(carts: Asked, question: str, named: str) -> None:
    answer = carts[1].read(question, TODAY)
    assert isinstance(answer, NotUnderstood), answer
    assert f'"{named}"' in answer.sentence


def test_the_rows_name_is_no_value_like_it() -> None:
    columns = {"school": "string", "title": "string", "seconds": "integer"}
    rows = [
        (f"School {at}", "The Play Song" if at == 7 else f"Song {at}", 30 + at * 7 % 60)
        for at in range(60)
    ]
    songs = store_of("play_songs", columns, rows), reader_of("play_songs", columns, rows)
    right = "select * from play_songs order by seconds desc limit 1"
    answers_as(songs, "play song with the most seconds", right, TODAY)


def test_a_county_is_no_state() -> None:
    known = reader_of(
        "carts", {"county": "string"}, [(f"{'MFH'[at % 3]}shire",) for at in range(60)]
    )
    answer = known.read("number of carts per state", TODAY)
    assert isinstance(answer, NotUnderstood), answer


def test_no_group_is_of_more_rows_than_there_are(carts: Asked) -> None:
    answer = carts[1].read("counties with fewer than 1 million people", TODAY)
    assert isinstance(answer, NotUnderstood), answer
