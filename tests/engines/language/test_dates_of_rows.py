"""Over several tables a time is of the rows that are added up, and words name their columns."""

import random
from datetime import date, timedelta

import duckdb
import pytest
from tests.engines.language.made import tables_of

from modelwright.engines.language.questions import Answerable, Reader

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
        (at, f"T{chance.randrange(20)}", date(2025, 6, 1) + timedelta(chance.randrange(540)),
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
        ("how many turbines were commissioned before 5 January 2015?",
         "select count(*) from turbines where commissioned < '2015-01-05'"),
    ],
)  # fmt: skip
def test_times_and_columns_are_of_the_rows_meant(wind: Asked, question: str, right: str) -> None:
    read = wind[1].read(question, TODAY)
    assert isinstance(read, Answerable), read
    rows, wanted = (sorted(wind[0].sql(sql).fetchall()) for sql in (read.sql, right))
    assert [tuple(map(str, row)) for row in rows] == [tuple(map(str, row)) for row in wanted]
