"""Hours of a column of minutes, `value` as a name, parts of lists, numbers that are left out."""

from collections.abc import Iterable, Sequence

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer

from .conftest import Make
from .test_arbiter import decide

TABLES = {
    "dives": """
        select 'D' || (100 + i) as "Dive Code", ['Lars', 'Moana', 'Tove'][1 + i % 3] as "Leader",
        timestamp '2025-05-01 07:00:00' + to_hours(((i * 7) % 3000)::int) as "Begun",
        (20 + i * 7 % 90)::int as "Minutes", (5 + i % 30)::double as "Fee EUR",
        ['reef', 'wreck'][1 + i // 3 % 2] as "Site" from range(0, 120) t(i)""",
    "crates": """
        select date '2025-01-01' + i::int as "Packed On", ['figs', 'kale', 'plums'][1 + i % 3]
        as "Crop", (10 + i * 11 % 300)::double as "Value USD",
        case i % 8 when 0 then 'bruised; wet' when 1 then 'wet' when 2 then 'bruised' end
        as "Flaws",
        (10 + i * 3 % 70)::int as "Idle Minutes", (1 + i % 3)::int as "Shift"
        from range(0, 120) t(i)""",
}


def told(rows: Iterable[Sequence[object]]) -> list[list[str]]:
    """Rows as texts, figures with four digits, in any order."""
    return sorted(
        [f"{one:.4g}" if isinstance(one, float) else str(one) for one in row] for row in rows
    )


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("dives", "total hours by leader",
         'select "Leader", sum("Minutes") / 60 from dives group by 1'),
        ("dives", "average hours by site",
         'select "Site", avg("Minutes") / 60 from dives group by 1'),
        ("dives", "fee per hour", 'select sum("Fee EUR") / (sum("Minutes") / 60) from dives'),
        ("dives", "number of dives per hour of the day",
         'select hour("Begun"), count(*) from dives group by 1'),
        ("dives", "total minutes", 'select sum("Minutes") from dives'),
        ("crates", "how many crates are wet",
         "select count(*) from crates where \"Flaws\" like '%wet%'"),
        ("crates", "average value by crop",
         'select "Crop", avg("Value USD") from crates group by 1'),
        ("crates", "monthly value of plums",
         """select date_trunc('month', "Packed On"), sum("Value USD") from crates
         where "Crop" = 'plums' group by 1"""),
        ("crates", "average idle minutes by shift",
         'select "Shift", avg("Idle Minutes") from crates group by 1'),
    ],
)  # fmt: skip
def test_are_answered_rightly(make: Make, table: str, question: str, sql: str) -> None:
    data = make({table: TABLES[table]})
    decision = decide(data, question)
    assert isinstance(decision, Answer)
    assert told(decision.reading.result.rows) == told(data.run(sql).rows)


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("dives", "hours of wreck dives"),
        ("dives", "dive 17"),
        ("crates", "how many hours did we pack figs"),
        ("crates", "idle hours by crop"),
        ("crates", "hours of idle per crop"),
    ],
)
def test_are_never_answered_with_something_else(make: Make, table: str, question: str) -> None:
    decision = decide(make({table: TABLES[table]}), question)
    assert not isinstance(decision, Answer), decision.reading.best.sql


ORDERS = """
    select 70012 + i * 3 as "Permit Number", ['Rask', 'Vale', 'Tor'][1 + i % 3] as "Applicant",
    (2 + i * 7 % 30)::double as "Hours Needed", (40 + i % 60)::int as "Approval %",
    (1 + i % 5)::int as "Priority" from range(0, 120) t(i)"""


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("total minutes needed", 'select sum("Hours Needed") * 60 from permits'),
        ("total minutes needed by applicant",
         'select "Applicant", sum("Hours Needed") * 60 from permits group by 1'),
        ("how many permits", "select count(*) from permits"),
        ("average priority", 'select avg("Priority") from permits'),
    ],
)  # fmt: skip
def test_other_columns_are_told_in_the_unit_asked_for(make: Make, question: str, sql: str) -> None:
    data = make({"permits": ORDERS})
    decision = decide(data, question)
    assert isinstance(decision, Answer)
    assert told(decision.reading.result.rows) == told(data.run(sql).rows)


@pytest.mark.parametrize("question", ["total permit number", "approval per hour"])
def test_what_does_not_add_up_is_not_added_up(make: Make, question: str) -> None:
    decision = decide(make({"permits": ORDERS}), question)
    assert not isinstance(decision, Answer), decision.reading.best.sql
