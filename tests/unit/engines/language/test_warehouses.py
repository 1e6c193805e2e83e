"""Questions of warehouses and of what moves in and out of them, in names without their vowels."""

import random
from datetime import date, datetime, timedelta
from typing import Any

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, tables_of

from modelwright.engines.language.rules.answering.questions import NotUnderstood, Reader

TODAY = date(2026, 11, 25)
Asked = tuple[duckdb.DuckDBPyConnection, Reader]
JOINED = "movements join warehouses using (wh_id)"


@pytest.fixture(scope="module")
def freight() -> Asked:
    chance = random.Random(41)
    columns = {
        "warehouses": {"wh_id": "integer", "wh_nm": "string", "cty": "string", "opened": "date"},
        "movements": {
            "mvt_id": "integer", "wh_id": "integer", "mvt_ts": "time", "plt_cnt": "integer",
            "drv_nm": "string", "dmg_flg": "string", "wgt_kg": "float", "cost_eur": "float",
        },
    }  # fmt: skip
    rows: dict[str, Any] = {
        "warehouses": [
            (at, f"Depot {chr(65 + at)}", ("Lyon", "Graz")[at % 2], date(2019, 1, 1 + at))
            for at in range(12)
        ],
        "movements": [
            (7000 + at, chance.randrange(12), datetime(2026, 1, 1) + timedelta(hours=9 * at),  # noqa: DTZ001
             chance.randint(1, 40), chance.choice(["Ana", "Bob", "Cy"]), chance.choice("NNNY"),
             round(chance.uniform(50, 9000), 1), round(chance.uniform(5, 400), 2))
            for at in range(600)
        ],
    }  # fmt: skip
    return tables_of(columns, rows)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("pallets by warehouse", f"select wh_nm, sum(plt_cnt) from {JOINED} group by 1"),
        ("how many drivers", "select count(distinct drv_nm) from movements"),
        ("average weight by driver", "select drv_nm, avg(wgt_kg) from movements group by 1"),
        ("damaged movements", "select * from movements where dmg_flg = 'Y'"),
        ("how many movements were damaged",
         "select count(*) from movements where dmg_flg = 'Y'"),
        ("% damaged by city",
         f"select cty, 100.0 * count_if(dmg_flg = 'Y') / count(*) from {JOINED} group by 1"),
    ],
)  # fmt: skip
def test_freight(freight: Asked, question: str, right: str) -> None:
    answers_as(freight, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "named"),
    [("how many forklifts", "forklifts"), ("average weight by lorry", "by lorry")],
)
def test_what_no_table_holds_is_not_counted(freight: Asked, question: str, named: str) -> None:
    read = freight[1].read(question, TODAY)
    assert isinstance(read, NotUnderstood), read
    assert named in read.sentence
