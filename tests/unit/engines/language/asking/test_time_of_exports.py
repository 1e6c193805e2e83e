"""Times of tables as they are exported: dates kept as text, two dates, amounts of a period."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices

from .conftest import Data, Make
from .test_arbiter import decide

TABLES = {
    "shop_days": """
        select strftime(date '2025-01-03' + (i // 4)::int, '%m/%d/%Y') as "Date",
        ['web', 'shop', 'phone', 'fair'][1 + i % 4] as channel, (i * 37 % 90)::int as "Baskets",
        (i * 53 % 700)::double as "Ad Cost USD", (i * 7 % 5)::int as refunds
        from range(800) t(i)""",
    "loans": """
        select i as loan_no, date '2025-01-01' + i::int as requested_on,
        date '2025-02-15' + (i // 2)::int as paid_out_on, (500 + i * 37 % 900)::double as amount,
        ['car', 'roof'][1 + i % 2] as purpose from range(300) t(i)""",
    "stays": """
        select i as stay_id, date '2024-01-01' + i::int as admission_date,
        date '2025-01-01' + i::int as discharge_date, (20 + i % 50)::int as age_at_discharge,
        (400 + i % 300)::int as monthly_fee from range(1, 301) t(i)""",
}
DAY = """strptime("Date", '%m/%d/%Y')"""


def opened(make: Make, table: str) -> Data:
    return make({table: TABLES[table]})


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("shop_days", "ad cost in march",
         f'select sum("Ad Cost USD") from shop_days where month({DAY}) = 3'),
        ("shop_days", "baskets on weekends",
         f'select sum("Baskets") from shop_days where isodow({DAY}) > 5'),
        ("shop_days", "baskets on weekends vs weekdays",
         f'select isodow({DAY}) > 5, sum("Baskets") from shop_days group by 1 order by 1 desc'),
        ("stays", "discharges by quarter",
         "select date_trunc('quarter', discharge_date), count(*) from stays group by 1"),
        ("stays", "admissions per month",
         "select date_trunc('month', admission_date), count(*) from stays group by 1 order by 1"),
    ],
)  # fmt: skip
def test_is_answered(make: Make, table: str, question: str, sql: str) -> None:
    data = opened(make, table)
    decision = decide(data, question)
    assert isinstance(decision, Answer)
    found = [row[-1] for row in data.run(decision.reading.best.sql).rows]
    assert sorted(found) == sorted(row[-1] for row in data.run(sql).rows)
    assert not decision.warnings


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("shop_days", "days without any refunds"),
        ("loans", "how many loans in june"),
        ("loans", "amount by purpose in march"),
    ],
)
def test_is_asked_back(make: Make, table: str, question: str) -> None:
    assert isinstance(decide(opened(make, table), question), Choices)


def test_a_deed_says_which_date(make: Make) -> None:
    decision = decide(opened(make, "loans"), "how many loans were requested in june")
    assert isinstance(decision, Answer)
    assert "requested_on" in decision.reading.best.sql
