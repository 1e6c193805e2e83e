"""What was on time, late or overdue: by a flag, a kind or the date it was due."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer

from .conftest import Make
from .test_arbiter import decide

TABLES = {
    "trams": """
        select i as trip_id, ['L1', 'L2', 'L3'][1 + i % 3] as line,
        (i * 7 % 5 < 2)::int as was_late from range(1, 121) t(i)""",
    "parcels": """
        select i as parcel_id, ['Ina', 'Omar'][1 + i % 2] as courier,
        ['yes', 'no', 'yes'][1 + i * i % 3] as on_time from range(1, 121) t(i)""",
    "loans": """
        select i as loan_id, ['Main', 'North'][1 + i % 2] as branch,
        date '2026-06-01' + (i * 3 % 170)::int as due_date,
        case when i % 4 = 0 then null else date '2026-06-05' + (i * 7 % 150)::int end as return_date
        from range(1, 121) t(i)""",
}


@pytest.mark.parametrize(
    ("table", "question", "where"),
    [
        ("trams", "how many trips were on time", "was_late = 0"),
        ("trams", "how many trips were not on time", "was_late = 1"),
        ("trams", "how many trips were late", "was_late = 1"),
        ("parcels", "how many parcels were not on time", "on_time = 'no'"),
        ("parcels", "how many parcels were late", "on_time = 'no'"),
        ("loans", "how many loans were returned on time", "return_date <= due_date"),
        ("loans", "how many loans are overdue",
         "return_date is null and due_date < date '2026-11-20'"),
    ],
)  # fmt: skip
def test_rows_are_told_apart(make: Make, table: str, question: str, where: str) -> None:
    data = make({table: TABLES[table]})
    decision = decide(data, question)
    assert isinstance(decision, Answer)
    wanted = data.run(f"select count(*) from {table} where {where}").rows
    assert data.run(decision.reading.best.sql).rows == wanted


@pytest.mark.parametrize("question", ["loans not returned on time", "how many are not overdue"])
def test_what_leaves_open_those_that_are_out_is_no_answer(make: Make, question: str) -> None:
    assert not isinstance(decide(make({"loans": TABLES["loans"]}), question), Answer)
