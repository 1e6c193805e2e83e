"""Columns whose texts are lists: what is asked of a kind is of every list that has it."""

from datetime import date

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, reader_of, store_of

from modelwright.engines.language.rules.answering.questions import NotUnderstood, Reader

TODAY = date(2026, 11, 26)
COLUMNS = {"Dish": "string", "Styles": "string", "Town": "string", "Score": "float"}
STYLES = (
    "Roast", "Roast|Cold", "Stew|Hot", "Stew", "Hot|Roast|Stew", "Cold", "Cold|Raw", "Raw|Rawish",
    "Hot|Rawish", "Cold|Stew", "Raw", "Hot",
)  # fmt: skip
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


@pytest.fixture(scope="module")
def asked() -> Asked:
    rows = [
        (f"Dish {at}", STYLES[at % 12], f"Town {at}, Region {at % 7}", 20 + at * 7 % 50 / 2)
        for at in range(120)
    ]
    return store_of("dishes", COLUMNS, rows), reader_of("dishes", COLUMNS, rows)


def having(style: str) -> str:
    return f"list_contains(string_split(Styles, '|'), '{style}')"


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("how many stew dishes", f"select count(*) from dishes where {having('Stew')}"),
        ("how many raw dishes", f"select count(*) from dishes where {having('Raw')}"),
        ("average score of rawish dishes",
         f"select avg(Score) from dishes where {having('Rawish')}"),
        ("how many dishes are not hot", f"select count(*) from dishes where not {having('Hot')}"),
        ("how many hot or cold dishes",
         f"select count(*) from dishes where {having('Hot')} or {having('Cold')}"),
        ("share of roast dishes",
         f"select 100.0 * count(*) filter (where {having('Roast')}) / count(*) from dishes"),
        ("top rated dish",
         "select * from dishes order by Score desc, Dish limit 1"),
        ("how many dishes from Town 5, Region 5",
         "select count(*) from dishes where Town = 'Town 5, Region 5'"),
    ],
)  # fmt: skip
def test_a_kind_is_of_every_list_that_has_it(asked: Asked, question: str, right: str) -> None:
    answers_as(asked, question, right, TODAY)


def test_kinds_that_a_list_may_have_both_are_not_set_against_each_other(asked: Asked) -> None:
    read = asked[1].read("average score of hot vs cold dishes", TODAY)
    assert isinstance(read, NotUnderstood), read
