"""Times and values that are left out: of all rows, or of the things that other rows tell of."""

import pytest

from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Severity

from .conftest import Data, Make
from .test_ends_of_times import answered, values

DELIVERIES = """
    select i as delivery_id, ['Mill Lane', 'Quay', 'Station', 'Upper Town', 'Abbey'][1 + i * 7 % 5]
    as shop, ['rye', 'spelt', 'bagel'][1 + (i * i + i * 7 % 5) % 3] as bread,
    ['Ada', 'Ben', 'Cleo', 'Dov'][case when i < 160 or i > 175 then 1 + i % 4 else 1 + i % 2 end]
    as driver,
    date '2023-01-02' + (i * 3)::int as delivered_on, (4 + i * 5 % 31)::int as crates
    from range(1, 301) t(i)"""
IN_2023 = "delivered_on >= '2023-01-01' and delivered_on < '2024-01-01'"
IN_2024 = "delivered_on >= '2024-01-01' and delivered_on < '2025-01-01'"
IN_MAY = "delivered_on >= '2024-05-01' and delivered_on < '2024-06-01'"


@pytest.fixture(scope="module")
def deliveries(make: Make) -> Data:
    return make({"deliveries": DELIVERIES})


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how many deliveries were not in 2024", f"count(*) from deliveries where not ({IN_2024})"),
        ("number of deliveries excluding 2024", f"count(*) from deliveries where not ({IN_2024})"),
        ("deliveries per shop outside 2024",
         f"shop, count(*) from deliveries where not ({IN_2024}) group by 1"),
        ("total crates other than in May 2024",
         f"sum(crates) from deliveries where not ({IN_MAY})"),
        ("total crates by driver in 2024 but not in May 2024",
         f"driver, sum(crates) from deliveries where {IN_2024} and not ({IN_MAY}) group by 1"),
    ],
)  # fmt: skip
def test_rows_of_a_time_are_left_out(deliveries: Data, question: str, sql: str) -> None:
    assert answered(deliveries, question) == values(deliveries, f"select {sql}")


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("which drivers were sent in 2024 but not in 2025",
         f"""distinct driver from deliveries where {IN_2024} and driver not in
         (select driver from deliveries where delivered_on >= '2025-01-01')"""),
        ("which drivers delivered in 2023 but not in July 2025",
         f"""distinct driver from deliveries where {IN_2023} and driver not in (select driver from
         deliveries where delivered_on >= '2025-07-01' and delivered_on < '2025-08-01')"""),
        ("how many drivers delivered rye in 2024 but not in 2025",
         f"""count(distinct driver) from deliveries where {IN_2024} and bread = 'rye' and driver
         not in (select driver from deliveries where delivered_on >= '2025-01-01' and
         bread = 'rye')"""),
        ("which drivers delivered in 2024 but not in May 2024",
         f"""distinct driver from deliveries where {IN_2024} and driver not in
         (select driver from deliveries where {IN_MAY})"""),
        ("which shops got bagel but no rye",
         """distinct shop from deliveries where bread = 'bagel' and shop not in
         (select shop from deliveries where bread = 'rye')"""),
    ],
)  # fmt: skip
def test_things_are_left_out_by_their_other_rows(deliveries: Data, question: str, sql: str) -> None:
    request = deliveries.request(question)
    sql_read = str(getattr(deliveries.rules().read(request)[0], "sql", ""))
    told, right = deliveries.run(sql_read).rows, deliveries.run(f"select {sql}").rows
    assert sorted(map(list, told)) == sorted(map(list, right))
    assert not [one for one in check(sql_read, request) if one.severity is Severity.FAULT]


def test_what_is_of_no_row_is_not_taken_for_a_day(deliveries: Data) -> None:
    request = deliveries.request("which drivers delivered in 2023 but not in 2024")
    sql = f"select driver from deliveries where {IN_2023} and delivered_on <> date '2025-01-01'"
    messages = [one.message for one in check(sql, request) if one.severity is Severity.FAULT]
    assert "2025-01-01 is no day of “but not in 2024”." in messages
    assert "“but not in 2024” leaves no row of “in 2023” out." in messages
