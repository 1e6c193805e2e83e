"""Words that analysts use of any table.

Ages, bare amounts, what is missing, two sides, codes in the plural, how often something was done.
"""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices

from .conftest import Data, Make
from .test_arbiter import decide

TABLES = {
    "riders": """
        select i as rider_no, 'Rider ' || i as full_name, ['F', 'M'][1 + i % 2] as sex,
        date '1948-03-01' + (i * 151)::int as dob, date '2024-02-01' + (i * 5)::int as joined_on,
        case when i % 3 = 0 then date '2026-01-10' + (i * 2)::int end as left_on,
        ['north', 'south', 'west'][1 + i * i % 3] as stable, (20 + i % 3 * 10)::int as fee,
        (i * 7 % 90)::int as rides from range(1, 141) t(i)""",
    "boats": """
        select 'B' || i as boat_id, date '2025-01-02' + (i * 4)::int as listed_date,
        ['yacht', 'dinghy'][1 + i % 2] as boat_type, (1 + i % 5)::int as berths,
        (20000 + i * 911 % 60000)::int as asking_price,
        case when i % 4 > 0 then (19000 + i * 911 % 60000)::int end as paid_price,
        case when i % 4 > 0 then date '2025-02-02' + (i * 4)::int end as paid_date,
        ['Ana', 'Bob', 'Cy'][1 + i % 3] as broker from range(1, 121) t(i)""",
    "visits": """
        select i as visit_id, date '2025-01-01' + (i * 5)::int as visit_date,
        case when i % 6 > 0 then timestamp '2025-01-01 09:00' + interval (i * 5) day end
        as check_in, case when i % 6 > 0 then timestamp '2025-01-01 09:30' + interval (i * 5) day
        end as check_out, case when i % 6 > 0 then (30 + i % 40)::double end as total_paid,
        ['open', 'done', 'missed'][1 + i % 3] as status from range(1, 131) t(i)""",
    "parcels": """
        select i as parcel_id, date '2026-01-01' + i::int as booked_date, (1 + i % 9)::int as kg,
        case when i % 5 > 0 then date '2026-01-03' + i::int end as ship_date
        from range(1, 121) t(i)""",
    "faults": """
        select i as "Fault #", 1 + i % 60 as housenumber, 'S' || (1 + i % 4) as severity,
        ['Oslo', 'Rome'][1 + i % 2] as town, date '2026-01-01' + i::int as "Reported",
        (i % 4)::int as reopen_count
        from range(1, 121) t(i)""",
    "bills": """
        select 'B-' || i as bill_no, ['Ash', 'Elm', 'Oak'][1 + i % 3] as client,
        date '2026-06-01' + i::int as bill_date, date '2026-07-01' + (i * 2)::int as due_date,
        case when i % 4 > 0 then date '2026-06-20' + (i * 3 - i % 5 * 30)::int end as paid_date,
        (500 + i * 37 % 4000)::int as net_amount, (40 + i * 7 % 900)::int as vat,
        case when i % 4 > 0 then (500 + i * 37 % 4000)::int else 0 end as amount_paid,
        case when i % 4 > 0 then 'paid' when i % 8 = 0 then 'dropped' else 'open' end as state
        from range(1, 101) t(i)""",
    "parcel_lines": """
        select 'P' || (1000 + i // 2) as parcel_no, 'C' || (i // 3) as sender_id,
        date '2026-02-01' + (i // 2)::int as parcel_date, (1 + i % 4)::int as pieces,
        case when i % 5 > 0 then date '2026-02-03' + (i // 2)::int end as ship_date
        from range(240) t(i)""",
}
MONTHS_LEFT = """
    select date_trunc('month', left_on), count(*) from riders where month(left_on) in (3, 4)
    group by 1"""
AGE = "date_diff('second', dob::timestamp, timestamp '2026-11-20') / 31557600"


@pytest.fixture(scope="module")
def tables(make: Make) -> dict[str, Data]:
    return {name: make({name: rows}) for name, rows in TABLES.items()}


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("riders", "how many riders over 65", f"select count(*) from riders where {AGE} > 65"),
        ("riders", "how many riders aged 18 to 25",
         f"select count(*) from riders where {AGE} >= 18 and {AGE} < 26"),
        ("riders", "number of female riders older than 50",
         f"select count(*) from riders where sex = 'F' and {AGE} > 50"),
        ("riders", "riders with over 65 rides", "select * from riders where rides > 65"),
        ("riders", "how many riders left in March compared with April",
         MONTHS_LEFT),
        ("boats", "share of boats without a paid price",
         "select 100.0 * count(*) filter (where paid_price is null) / count(*) from boats"),
        ("boats", "what share of boats has no paid price",
         "select 100.0 * count(*) filter (where paid_price is null) / count(*) from boats"),
        ("boats", "average asking price vs average paid price by broker",
         "select broker, avg(asking_price), avg(paid_price) from boats group by broker"),
        ("parcels", "parcels that have not been shipped yet",
         "select * from parcels where ship_date is null"),
        ("faults", "how many S2s by town",
         "select town, count(*) from faults where severity = 'S2' group by town"),
        ("faults", "split between S1 and S3",
         "select severity, count(*) from faults where severity in ('S1', 'S3') group by severity"),
        ("faults", "faults reopened more than twice",
         "select * from faults where reopen_count > 2"),
        ("faults", "how many faults were reopened",
         "select count(*) from faults where reopen_count > 0"),
        ("faults", "how many faults were never reopened",
         "select count(*) from faults where reopen_count = 0"),
        ("faults", "faults older than 300 days by town",
         "select town, count(*) from faults where Reported < date '2026-11-20' - 300 group by 1"),
        ("visits", "visit volume by status",
         "select status, count(*) from visits group by status"),
        ("bills", "overdue bills",
         "select * from bills where paid_date is null and due_date < date '2026-11-20'"),
        ("bills", "how many bills were paid late",
         "select count(*) from bills where paid_date > due_date"),
        ("bills", "bills due in the next 3 weeks",
         "select * from bills where due_date between date '2026-11-21' and date '2026-12-11'"),
        ("visits", "which visits are open right now",
         "select * from visits where status = 'open'"),
    ],
)  # fmt: skip
def test_is_read(tables: dict[str, Data], table: str, question: str, sql: str) -> None:
    data = tables[table]
    decision = decide(data, question)
    assert isinstance(decision, Answer)
    told = data.run(decision.reading.best.sql).rows
    assert sorted(told, key=str) == sorted(data.run(sql).rows, key=str)


@pytest.mark.parametrize(
    ("table", "question", "one", "other"),
    [
        ("boats", "yachts under 40000", '"asking_price" < 40000', '"paid_price" < 40000'),
        ("bills", "bills over 2000", '"net_amount" > 2000', '"amount_paid" > 2000'),
        ("riders", "biggest stable", 'SUM("fee")', "COUNT(*)"),
    ],
)
def test_two_honest_readings_are_offered(
    tables: dict[str, Data], table: str, question: str, one: str, other: str
) -> None:
    decision = decide(tables[table], question)
    assert isinstance(decision, Choices)
    offered = [reading.best.sql for reading in decision.readings]
    assert any(one in sql for sql in offered)
    assert any(other in sql for sql in offered)


def test_one_side_alone_is_never_told(tables: dict[str, Data]) -> None:
    decision = decide(tables["boats"], "paid vs asking price by broker")
    told = [decision.reading] if isinstance(decision, Answer) else []
    assert all("paid_price" in one.best.sql and "asking_price" in one.best.sql for one in told)


def test_lines_of_parcels_are_no_parcels(tables: dict[str, Data]) -> None:
    decision = decide(tables["parcel_lines"], "how many senders shipped more than 2 parcels")
    told = [decision.reading] if isinstance(decision, Answer) else []
    assert all("HAVING COUNT(*)" not in one.best.sql for one in told)


@pytest.mark.parametrize("question", ["total faults by town", "average house by town"])
def test_numbers_of_things_are_never_added_up(tables: dict[str, Data], question: str) -> None:
    decision = decide(tables["faults"], question)
    told = [decision.reading] if isinstance(decision, Answer) else []
    told = list(decision.readings) if isinstance(decision, Choices) else told
    summed = ('SUM("Fault #")', 'AVG("Fault #")', 'SUM("housenumber")', 'AVG("housenumber")')
    assert not any(one in reading.best.sql for reading in told for one in summed)


def test_a_rate_is_no_sum(tables: dict[str, Data]) -> None:
    decision = decide(tables["bills"], "dropped rate by client")
    assert not (isinstance(decision, Answer) and "SUM(" in decision.reading.best.sql.upper())
