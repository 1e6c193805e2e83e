"""Visits to garages: how long, not yet, neither of two, groups with many of a kind."""

import random
from datetime import datetime, timedelta
from typing import Any

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, reader_of, store_of

from modelwright.engines.language.rules.answering.questions import Reader

TODAY = datetime(2026, 11, 25).date()  # noqa: DTZ001
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


def visits() -> list[Any]:
    chance, found = random.Random(4), []
    for at in range(300):
        entry = datetime(2026, 1, 1) + timedelta(minutes=chance.randrange(400_000))  # noqa: DTZ001
        left = entry + timedelta(minutes=chance.randint(5, 900))
        found.append((
            at, f"B{chance.randint(100, 130)}", chance.choice(["Opera", "Airport"]), entry,
            left if chance.random() > 0.05 else None, round(chance.uniform(1, 38), 1),
            chance.choice(["card", "app", "cash"]), chance.choice(["car", "van"]),
            chance.choice(["Released", "Disputed"]),
        ))  # fmt: skip
    return found


@pytest.fixture(scope="module")
def asked() -> Asked:
    columns = {
        "visit_id": "integer", "plate": "string", "garage": "string", "entry_time": "time",
        "exit_time": "time", "fee": "float", "payment": "string", "vehicle": "string",
        "state": "string",
    }  # fmt: skip
    return store_of("visits", columns, visits()), reader_of("visits", columns, visits())


HOURS = "date_diff('second', entry_time, exit_time) / 3600.0"


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("visits longer than 10 hours", f"select * from visits where {HOURS} > 10"),
        ("how many visits were shorter than 90 minutes?",
         f"select count(*) from visits where {HOURS} < 1.5"),
        ("cars that have not left yet",
         "select * from visits where vehicle = 'car' and exit_time is null"),
        ("visits not paid by card or app",
         "select * from visits where payment not in ('card', 'app')"),
        ("how many visits were paid by card or app?",
         "select count(*) from visits where payment in ('card', 'app')"),
        ("plates with more than 4 disputed visits",
         "select plate from visits where state = 'Disputed' group by 1 having count(*) > 4"),
    ],
)  # fmt: skip
def test_visits(asked: Asked, question: str, right: str) -> None:
    answers_as(asked, question, right, TODAY)
