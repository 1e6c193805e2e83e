"""Any question of any table is answered with SQL that binds, or refused; none fails."""

import random
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest
from tests.questions import question_sets
from tests.questions.synthetic.more_offices import write_offices_more
from tests.questions.synthetic.office import write_offices
from tests.unit.engines.language.tables import reader_of, store_of

from modelwright.engines.facts import column_facts
from modelwright.engines.language.rules.answering.questions import Answerable, Reader
from modelwright.engines.language.rules.columns.schema import TableFacts

TODAY = date(2026, 11, 24)
SETS = ("business", "offices", "offices_more", "charts")
ENDS = (
    "by", "per day", "in each", "top 5", "and", "more than", "the most", "?!", '"', "'x",
    "over many times the", "times x", "* 2", "in their 30s", "vs", "the 90s by",
)  # fmt: skip
TABLES = (("sales",), ("staff",), ("tickets",), ("bookings",), ("sales", "staff", "tickets"))
ODD: dict[str, Any] = {
    "Ünïcode №": "integer", "a b c": "string", "nothing": "string", "flag": "boolean",
    "date": "date", "select": "string", "Sales (€)": "float", "one": "integer",
}  # fmt: skip
EACH = 150


def odd() -> list[tuple[Any, ...]]:
    return [
        (at, "x" if at % 2 else None, None, at % 2 == 0, date(2024, 1, 1) + timedelta(at),
         f"v{at % 3}", at * 1.5, 1)
        for at in range(220)
    ]  # fmt: skip


def questions(seed: int) -> list[str]:
    """Labelled questions, and what is left of some with words lost, swapped or those of others."""
    chance = random.Random(seed)
    sets = [question_sets.jsonl(question_sets.SETS / f"{name}.jsonl") for name in SETS]
    known = [one["question"] for each in sets for one in each]
    found = []
    for question in chance.sample(known, EACH):
        words, others = question.split(), chance.choice(known).split()
        way = chance.randrange(6)
        if way == 0:
            del words[chance.randrange(len(words))]
        elif way == 1:
            words = words[: len(words) // 2] + others[len(others) // 2 :]
        elif way == 2:
            chance.shuffle(words)
        elif way == 3:
            words += [chance.choice(ENDS), *others[-2:]]
        found.append(" ".join(words))
    return found


def fails(store: duckdb.DuckDBPyConnection, reader: Reader, seed: int) -> list[tuple[str, str]]:
    found = []
    for question in questions(seed):
        answer = reader.read(question, TODAY)
        if isinstance(answer, Answerable):
            try:
                store.execute(f"explain {answer.sql}")
            except duckdb.Error as error:
                found.append((question, str(error)))
    return found


@pytest.fixture(scope="module")
def offices(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder, store = tmp_path_factory.mktemp("offices"), duckdb.connect(config={"threads": 1})
    write_offices(store, folder)
    write_offices_more(store, folder)
    return {path.stem: path for path in folder.glob("*.parquet")}


@pytest.mark.parametrize("names", TABLES, ids="-".join)
def test_office_tables_never_fail(offices: dict[str, Path], names: tuple[str, ...]) -> None:
    store = duckdb.connect(config={"threads": 1})
    for name in names:
        store.execute(f"create view {name} as from '{offices[name]}'")
    facts = [TableFacts(name, tuple(column_facts([offices[name]]))) for name in names]
    assert fails(store, Reader(facts), len(names)) == []


def test_a_table_of_odd_names_never_fails() -> None:
    assert fails(store_of("odd", ODD, odd()), reader_of("odd", ODD, odd()), 7) == []


def test_a_table_of_no_rows_never_fails() -> None:
    assert fails(store_of("odd", ODD, odd()), reader_of("odd", ODD, []), 8) == []


def test_many_digits_that_something_follows_are_read_in_one_way() -> None:
    code = "A" + "1" * 60
    answer = reader_of("odd", ODD, odd()).read(f"how many rows are {code}_2", TODAY)
    assert not isinstance(answer, Answerable)
