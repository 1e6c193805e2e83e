"""What stands in the SQL though no word means it: ages, people, parts of names, shares."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices

from .conftest import Make
from .test_arbiter import decide

TABLES = {
    "swimmers": """
        select i as swimmer_id, 'Swimmer ' || i as name, date '1960-01-01' + (i * 97)::int as
        birth_date, (i * 37 % 90)::int as lengths, ['A', 'B'][1 + i % 2] as pool
        from range(1, 201) t(i)""",
    "parcels": """
        select i as parcel_id, date '2025-01-01' + i::int as delivery_date,
        (1 + i * 7 % 5)::int as delivery_rating, ['van', 'bike'][1 + i % 2] as carrier,
        ['fragile', 'plain', 'heavy'][1 + i * 5 % 3] as kind, i % 7 = 0 as damaged
        from range(1, 301) t(i)""",
    "badges": """
        select i as badge_no, ['People', 'Works', 'Legal'][1 + i % 3] as team,
        ['lost', 'valid', 'expired'][1 + i // 3 % 3] as state, date '2025-01-01' + i::int as
        issued_on, (i * 37 % 97)::int as uses
        from range(1, 151) t(i)""",
    "leases": """
        select i as lease_no, ['kiosk', 'flat', 'barn'][1 + i % 3] as site,
        ['weekly', 'one-time', 'yearly'][1 + i * 5 // 2 % 3] as billing,
        ['terminated', 'running'][1 + i * 7 % 5 % 2] as state, (50 + i % 90)::int as daily_rate,
        date '2025-01-01' + i::int as begun_on, (i * 37 % 900)::double as paid
        from range(1, 301) t(i)""",
    "shelf_stock": """
        select i as sku, 'Item ' || i as item_name, (i * 7 % 30)::int as pieces
        from range(1, 101) t(i)""",
}
WEEKS = "select date_trunc('week', begun_on), sum(paid) from leases"


def answer(make: Make, table: str, question: str) -> list[tuple[object, ...]] | None:
    data = make({table: TABLES[table]})
    decision = decide(data, question)
    if not isinstance(decision, Answer):
        return None
    return sorted(map(tuple, data.run(decision.reading.best.sql).rows), key=str)


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("swimmers", "swimmers under 18"),
        ("swimmers", "how many swimmers over 60 in pool A"),
        ("parcels", "deliveries by carrier"),
        ("shelf_stock", "out of stock items"),
        ("leases", "termination rate by site"),
        ("leases", "weekly vs one-time paid"),
        ("leases", "total paid yearly vs one-time"),
    ],
)
def test_nothing_that_nobody_asked_for_is_told(make: Make, table: str, question: str) -> None:
    data = make({table: TABLES[table]})
    told = answer(make, table, question)
    wrong = [
        "select * from swimmers where lengths < 18",
        "select count(*) from swimmers where lengths > 60 and pool = 'A'",
        "select carrier, avg(delivery_rating) from parcels group by 1",
        "select item_name from shelf_stock",
        "select site, avg(daily_rate) from leases where state = 'terminated' group by 1",
        "select year(begun_on), sum(paid) from leases where billing = 'one-time' group by 1",
        f"{WEEKS} where billing = 'one-time' group by 1",
    ]
    of_table = [sql for sql in wrong if f"from {table}" in sql]
    assert told not in [sorted(map(tuple, data.run(sql).rows), key=str) for sql in of_table]


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("swimmers", "swimmers with over 60 lengths", "select * from swimmers where lengths > 60"),
        ("parcels", "average delivery rating by carrier",
         "select carrier, avg(delivery_rating) from parcels group by 1"),
        ("parcels", "share of fragile parcels that were damaged",
         "select 100.0 * count_if(damaged) / count(*) from parcels where kind = 'fragile'"),
        ("leases", "average daily rate by site",
         "select site, avg(daily_rate) from leases group by 1"),
        ("leases", "total paid terminated vs running",
         "select state, sum(paid) from leases group by 1"),
        ("badges", "how many lost badges in People",
         "select count(*) from badges where team = 'People' and state = 'lost'"),
        ("badges", "how many valid badges in the people team",
         "select count(*) from badges where team = 'People' and state = 'valid'"),
    ],
)  # fmt: skip
def test_what_is_asked_for_is(make: Make, table: str, question: str, sql: str) -> None:
    data = make({table: TABLES[table]})
    assert answer(make, table, question) == sorted(map(tuple, data.run(sql).rows), key=str)


def test_people_are_no_department(make: Make) -> None:
    decision = decide(make({"badges": TABLES["badges"]}), "how many people in 2025")
    found = decision.readings if isinstance(decision, Choices) else ()
    sqls = [one.best.sql for one in found]
    sqls += [decision.reading.best.sql] if isinstance(decision, Answer) else []
    assert not any("'People'" in sql for sql in sqls)
