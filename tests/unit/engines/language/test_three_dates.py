"""Applications with three dates: the two that a verb and a noun tell are the ends of a time."""

import random
from datetime import date, datetime, timedelta

import duckdb
import pytest
from tests.unit.engines.language.tables import reader_of, store_of

from modelwright.engines.language.rules.answering.questions import Answerable, Reader

TODAY = date(2026, 11, 25)
COLUMNS = {
    "ref": "string", "kind": "string", "fee": "float", "submitted_at": "time",
    "reviewed_at": "time", "granted_at": "time",
}  # fmt: skip
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


@pytest.fixture(scope="module")
def asked() -> Asked:
    chance, rows = random.Random(5), []
    for at in range(200):
        first = datetime(2026, 2, 1) + timedelta(minutes=chance.randrange(300_000))  # noqa: DTZ001
        second = first + timedelta(minutes=chance.randint(60, 9000))
        third = second + timedelta(minutes=chance.randint(60, 20_000))
        kind = chance.choice(["fence", "garage", "roof"])
        rows.append((f"A{at}", kind, round(chance.uniform(5, 90), 2), first, second, third))
    return store_of("applications", COLUMNS, rows), reader_of("applications", COLUMNS, rows)


def hours(since: str, until: str) -> str:
    return f"date_diff('second', {since}_at, {until}_at) / 3600.0"


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("how many applications were reviewed within 48 hours of submission",
         f"select count(*) from applications where {hours('submitted', 'reviewed')} <= 48"),
        ("how many applications were granted more than 5 days after they were reviewed",
         f"select count(*) from applications where {hours('reviewed', 'granted')} > 120"),
        ("how many roof applications were submitted at least 4 days before review",
         f"from applications select count_if(kind='roof' and {hours('submitted','reviewed')}>=96)"),
        ("average hours from submission to review",
         f"select avg({hours('submitted', 'reviewed')}) from applications"),
    ],
)  # fmt: skip
def test_ends_are_told(asked: Asked, question: str, right: str) -> None:
    read = asked[1].read(question, TODAY)
    assert isinstance(read, Answerable), read
    (told,), (wanted,) = asked[0].sql(read.sql).fetchall(), asked[0].sql(right).fetchall()
    assert told == pytest.approx(wanted), read.sql


def test_a_time_since_nothing_is_no_test_of_another_number(asked: Asked) -> None:
    read = asked[1].read("how many applications within 48 hours", TODAY)
    assert not isinstance(read, Answerable), read.interpretation
