"""Questions of the members of a cooperative and of what they deliver."""

import random
from datetime import date, timedelta
from typing import Any

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, tables_of

from modelwright.engines.language.rules.answering.questions import NotUnderstood, Reader

TODAY = date(2026, 11, 25)
Asked = tuple[duckdb.DuckDBPyConnection, Reader]
JOINED = "deliveries join members using (member_id)"


@pytest.fixture(scope="module")
def coop() -> Asked:
    chance = random.Random(21)
    columns = {
        "members": {
            "member_id": "integer", "member_name": "string", "village": "string",
            "certified": "string", "joined_on": "date",
        },
        "deliveries": {
            "delivery_id": "integer", "member_id": "integer", "delivered_on": "date",
            "crop": "string", "weight_kg": "float", "price_per_kg": "float",
        },
    }  # fmt: skip
    rows: dict[str, Any] = {
        "members": [
            (at, f"Grower {chr(65 + at)}", chance.choice(["Kiboko", "Limuru", "Nanyuki"]),
             chance.choice(["organic", "none"]), date(2020, 1, 1) + timedelta(37 * at))
            for at in range(20)
        ],
        "deliveries": [
            (9000 + at, chance.randrange(18), date(2026, 1, 1) + timedelta(at % 300),
             chance.choice(["coffee", "tea", "beans"]), round(chance.uniform(40, 900), 1),
             round(chance.uniform(0.4, 3), 2)) for at in range(400)
        ],
    }  # fmt: skip
    return tables_of(columns, rows)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("members by village", "select village, count(*) from members group by 1"),
        ("members by village and certification",
         "select village, certified, count(*) from members group by 1, 2"),
        ("number of members by certified", "select certified, count(*) from members group by 1"),
        ("kg by crop", "select crop, sum(weight_kg) from deliveries group by 1"),
        ("kg by village", f"select village, sum(weight_kg) from {JOINED} group by 1"),
        ("top 5 members by weight delivered",
         f"select member_name from {JOINED} group by 1 order by sum(weight_kg) desc limit 5"),
        ("kg from organic members",
         f"select sum(weight_kg) from {JOINED} where certified = 'organic'"),
        ("oldest member", "select member_name from members order by joined_on limit 1"),
        ("who delivered beans most often?",
         (f"select member_name from {JOINED} where crop = 'beans' group by 1"
         " order by count(*) desc, 1 limit 1")),
    ],
)  # fmt: skip
def test_coop(coop: Asked, question: str, right: str) -> None:
    answers_as(coop, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "named"),
    [("revenue by village", "revenue"), ("total value of deliveries", "value")],
)
def test_prices_of_one_unit_are_no_revenue(coop: Asked, question: str, named: str) -> None:
    read = coop[1].read(question, TODAY)
    assert isinstance(read, NotUnderstood), read
    assert named in read.sentence
