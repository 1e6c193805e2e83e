"""Over several tables a time is of the rows that are added up, and words name their columns."""

import random
from datetime import date, timedelta

import duckdb
import pytest
from tests.unit.engines.language.tables import tables_of

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader

TODAY = date(2026, 11, 25)
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


@pytest.fixture(scope="module")
def wind() -> Asked:
    chance = random.Random(8)
    columns: dict[str, dict[str, str]] = {
        "wind_farms": {"farm_id": "integer", "farm_name": "string", "country": "string",
                       "planned_turbines": "integer", "opened": "date"},
        "turbines": {"turbine_id": "string", "farm_id": "integer", "hub_height": "integer",
                     "commissioned": "date"},
        "daily_output": {"reading_id": "integer", "turbine_id": "string", "day": "date",
                         "energy_mwh": "float", "avg_wind_speed": "float"},
    }  # fmt: skip
    farms = [(at, name, land, 10 + at, date(2010 + at, 5, 1)) for at, (name, land) in enumerate(
        [("Bleakhill", "UK"), ("Nordstrand", "Norway"), ("Vale", "Portugal")], 1)]  # fmt: skip
    turbines = [
        (f"T{at}", chance.randint(1, 3), chance.randint(70, 140), date(2015, 1, 1 + at))
        for at in range(20)
    ]
    output = [
        (at, f"T{chance.randrange(18)}", date(2025, 6, 1) + timedelta(chance.randrange(540)),
         round(chance.uniform(0, 70), 1), round(chance.uniform(1, 22), 1))
        for at in range(600)
    ]  # fmt: skip
    return tables_of(columns, {"wind_farms": farms, "turbines": turbines, "daily_output": output})


JOINED = "daily_output join turbines using (turbine_id) join wind_farms using (farm_id)"


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("total energy per wind farm in 2026",
         f"select farm_name, sum(energy_mwh) from {JOINED} where year(day) = 2026 group by 1"),
        ("days with wind speed above 20 at Bleakhill",
         f"select day from {JOINED} where avg_wind_speed > 20 and farm_name = 'Bleakhill'"),
        ("energy per month in Norway",
         (f"select date_trunc('month', day), sum(energy_mwh) from {JOINED}"
         " where country = 'Norway' group by 1")),
        ("which country produced the most energy?",
         f"select country from {JOINED} group by 1 order by sum(energy_mwh) desc limit 1"),
        ("top 5 turbines by energy last quarter",
         ("select turbine_id from daily_output where day between '2026-07-01' and '2026-09-30'"
         " group by 1 order by sum(energy_mwh) desc limit 5")),
        ("turbines without any readings", ("select turbine_id from turbines"
         " where turbine_id not in (select turbine_id from daily_output)")),
        ("readings per turbine", "select turbine_id, count(*) from daily_output group by 1"),
        ("how many turbines were commissioned before 5 January 2015?",
         "select count(*) from turbines where commissioned < '2015-01-05'"),
    ],
)  # fmt: skip
def test_times_and_columns_are_of_the_rows_meant(wind: Asked, question: str, right: str) -> None:
    check(wind, question, right)


def check(asked: Asked, question: str, right: str) -> None:
    read = asked[1].read(question, TODAY)
    assert isinstance(read, Answerable), read
    rows, wanted = (sorted(asked[0].sql(sql).fetchall()) for sql in (read.sql, right))
    assert [tuple(map(str, row)) for row in rows] == [tuple(map(str, row)) for row in wanted]


@pytest.fixture(scope="module")
def shop() -> Asked:
    chance = random.Random(9)
    columns: dict[str, dict[str, str]] = {
        "orders": {"order_id": "integer", "size": "string", "channel": "string",
                   "order_value": "float", "ordered_on": "date"},
        "returns": {"return_id": "string", "order_id": "integer", "returned_on": "date",
                    "refund_amount": "float", "reason": "string"},
    }  # fmt: skip
    orders = [
        (at, chance.choice("SML"), chance.choice(["web", "app"]), round(chance.uniform(9, 90), 2),
         date(2025, 6, 1) + timedelta(chance.randrange(500)))
        for at in range(200)
    ]  # fmt: skip
    returns = [
        (f"R{at}", order[0], order[4] + timedelta(9), round(chance.uniform(5, 60), 2),
         chance.choice(["too small", "broken"]))
        for at, order in enumerate(chance.sample(orders, 60))
    ]  # fmt: skip
    return tables_of(columns, {"orders": orders, "returns": returns})


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("how many orders were returned?",
         "select count(*) from orders where order_id in (select order_id from returns)"),
        ("average order value of returned orders",
         "select avg(order_value) from orders where order_id in (select order_id from returns)"),
        ("which size is returned most often?",
         ("select size from returns join orders using (order_id)"
         " group by 1 order by count(*) desc limit 1")),
        ("refund amount per month since January 2026",
         ("select date_trunc('month', returned_on), sum(refund_amount) from returns"
         " where returned_on >= '2026-01-01' group by 1")),
    ],
)  # fmt: skip
def test_what_is_done_to_rows_has_a_table_of_its_own(
    shop: Asked, question: str, right: str
) -> None:
    check(shop, question, right)


def test_a_ratio_over_several_tables_is_refused(shop: Asked) -> None:
    read = shop[1].read("what is the ratio of refunds to order value by channel?", TODAY)
    assert isinstance(read, NotUnderstood)
