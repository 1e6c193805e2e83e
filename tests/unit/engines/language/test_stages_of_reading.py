"""The rules' stages are data: their order holds, they change what they say, the docs show them."""

from collections.abc import Iterator
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.unit.engines.language.tables import reader_of, tables_of

from modelwright.engines.language.rules.answering.stages import (
    FIRST,
    ONE_TABLE,
    SEVERAL_TABLES,
    Stage,
    stages_of,
    table_of_stages,
)
from modelwright.engines.language.rules.columns.index import Index
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mentions import read_words

PAGE = Path(__file__).parents[4] / "docs" / "explanation" / "asking.md"
TODAY = date(2026, 11, 25)
SALES = {
    "region": "string", "product": "string", "amount": "float", "sold_on": "date",
    "refunded": "boolean", "units": "integer",
}  # fmt: skip
ROWS = [
    (("North", "South", "East")[at % 3], ("Tea", "Milk", "Rice", "Salt")[at % 4], 5.0 + at * 7 % 90,
     date(2025, 1 + at % 12, 1 + at % 28), at % 5 == 0, 1 + at % 9)
    for at in range(400)
]  # fmt: skip
QUESTIONS = (
    "how many sales were there",
    "average amount by region",
    "total amount per month in 2025",
    "top 3 products by total units",
    "which region sold the most units",
    "sales in the North with an amount above 50",
    "regions with more than 100 sales",
    "bar chart of units per product",
    "distribution of amount",
    "the second highest amount",
    "median amount of refunded sales",
    "products that were never sold in the East",
    "largest sale in each region",
    "list regions, largest first",
    "Milk or Tea sold in January",
)
ALWAYS = frozenset({"claimed", "spans", "filtered", "doubts", "unread"})
"""What any stage may change: which words are explained, and which it saw and could not read."""


def settled(draft: Draft) -> dict[str, Any]:
    held = {"question", "index", "today", "lower"} | ALWAYS
    return {
        one.name: _copied(getattr(draft, one.name)) for one in fields(Draft) if one.name not in held
    }


def _copied(held: Any) -> Any:
    return held.copy() if isinstance(held, list | dict) else held


def index_of_one() -> Index:
    index: Index = reader_of("sales", SALES, ROWS)._index
    return index


def index_of_two() -> Index:
    columns = {
        "singer": {"singer_id": "integer", "name": "string", "age": "integer"},
        "concert": {"concert_id": "integer", "singer_id": "integer", "year": "integer"},
    }
    rows: dict[str, list[tuple[Any, ...]]] = {
        "singer": [(at, f"Name{chr(65 + at)}", 20 + at * 3) for at in range(12)],
        "concert": [(at, at % 9, 2014 + at % 3) for at in range(40)],
    }
    index: Index = tables_of(columns, rows)[1]._index
    return index


@pytest.mark.parametrize("stages", [(*FIRST, *ONE_TABLE), (*FIRST, *SEVERAL_TABLES)])
def test_each_stage_comes_after_those_that_settle_what_it_requires(
    stages: tuple[Stage, ...],
) -> None:
    before: set[str] = set()
    for stage in stages:
        assert stage.requires <= before, stage.read
        before |= stage.assigns


def test_parts_of_a_draft_are_called_by_their_names() -> None:
    known = {one.name for one in fields(Draft)}
    for stage in (*FIRST, *ONE_TABLE, *SEVERAL_TABLES):
        assert stage.requires | stage.assigns <= known


def changes(index: Index, question: str) -> Iterator[tuple[Stage, set[str]]]:
    draft = Draft.of(read_words(question, index), index, TODAY)
    for stage in (*FIRST, *ONE_TABLE) if len(index.tables) == 1 else (*FIRST, *SEVERAL_TABLES):
        if stage not in FIRST and stage not in stages_of(draft):
            continue
        if stage.runs(draft):
            before = settled(draft)
            stage.read(draft)
            after = settled(draft)
            yield stage, {name for name in after if after[name] != before[name]}


def test_no_stage_changes_what_it_does_not_say() -> None:
    index = index_of_one()
    changed: set[str] = set()
    for question in QUESTIONS:
        for stage, found in changes(index, question):
            assert found <= stage.assigns, (question, stage.read.__name__, found - stage.assigns)
            changed |= found
    assert {"select", "where", "group", "order", "limit", "chart", "nth"} <= changed


@pytest.mark.parametrize(
    "question",
    [
        "names of singers older than 30",
        "how many concerts are there for each singer",
        "singers without concerts",
        "list singers in descending order of age",
    ],
)
def test_several_tables_are_read_by_their_own_stages(question: str) -> None:
    index = index_of_two()
    for stage, found in changes(index, question):
        assert found <= stage.assigns, (question, stage.read.__name__, found - stage.assigns)


def test_the_page_shows_the_stages_as_they_are() -> None:
    assert table_of_stages() in PAGE.read_text("utf-8")
