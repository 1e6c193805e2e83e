"""What work is worth: hours times the rate of one, which no rate alone tells."""

from dataclasses import replace

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer
from modelwright.engines.language.catalog.inference import infer_catalog
from modelwright.engines.language.catalog.readings import CatalogReadings, as_readers_see
from modelwright.engines.language.linking.linking import Linker

from .conftest import Data, Make
from .test_arbiter import decide

STUDIO = {
    "designers": """
        select i as designer_id, ['Ada Holt', 'Ben Iles', 'Cy Moor', 'Di Nash'][i] as designer_name,
        ['Leeds', 'Derby'][1 + i % 2] as studio from range(1, 5) t(i)""",
    "timesheets": """
        select i as sheet_id, 1 + i * 7 % 4 as designer_id, (1 + i % 9)::double / 2 as hours_worked,
        (40 + i * 13 % 55)::double as hourly_rate, date '2024-01-01' + i::int as worked_on
        from range(1, 301) t(i)""",
}
WORTH = "sum(hours_worked * hourly_rate)"
JOINED = "timesheets join designers using (designer_id)"


@pytest.fixture(scope="module")
def studio(make: Make) -> Data:
    data = make(STUDIO)
    catalog = infer_catalog(data.tables)
    seen, shown, _ = as_readers_see(data.tables, catalog, {})
    readings = CatalogReadings(catalog)
    return replace(
        data, tables=list(seen), catalog=shown, linker=Linker(seen, shown), readings=readings
    )


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("value of work per studio", f"select studio, {WORTH} from {JOINED} group by 1"),
        (
            "total value of work per studio in 2024",
            f"select studio, {WORTH} from {JOINED} where year(worked_on) = 2024 group by 1",
        ),
        (
            "average hourly rate per studio",
            f"select studio, avg(hourly_rate) from {JOINED} group by 1",
        ),
        (
            "total hours worked per studio",
            f"select studio, sum(hours_worked) from {JOINED} group by 1",
        ),
    ],
)
def test_hours_times_their_rate(studio: Data, question: str, sql: str) -> None:
    decision = decide(studio, question)
    assert isinstance(decision, Answer), decision
    found, wanted = decision.reading.result.rows, studio.run(sql).rows
    assert sorted(map(tuple, found), key=str) == sorted(map(tuple, wanted), key=str)


@pytest.mark.parametrize(
    ("columns", "metric"),
    [
        ("hours, rate", ["sum(hours * rate)"]),
        ("hours, rate, amount", []),
        ("hours, rate, hours_planned", []),
        ("hours, rate_pct", []),
        ("hours", []),
    ],
)
def test_is_a_metric_where_no_column_tells_it(make: Make, columns: str, metric: list[str]) -> None:
    shown = ", ".join(f"(3 + i * 7 % 41)::double as {one}" for one in columns.split(", "))
    data = make({"shifts": f"select i as shift_id, {shown} from range(1, 121) t(i)"})
    assert [one.expression for one in infer_catalog(data.tables).metrics if one.table] == metric


def test_a_rate_alone_never_tells_it(make: Make) -> None:
    data = make(
        {
            "gigs": """
        select i as gig_id, ['north', 'south'][1 + i % 2] as region, (2 + i % 7)::double as hours,
        (1 + i % 4)::double as travel_hours, (30 + i * 7 % 45)::double as hourly_rate
        from range(1, 121) t(i)"""
        }
    )
    decision = decide(data, "value of gigs per region")
    assert not isinstance(decision, Answer), decision.reading.best.sql
