"""Figures a period, shares of others, reasons, and months of which there are several."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices

from .conftest import Make
from .test_arbiter import decide
from .test_two_figures import told

TABLES = {
    "bakery": """
        select i as sale_no, date '2023-01-02' + (i * 2)::int as sold_on,
        ['Nord', 'Süd'][1 + i % 2] as shop, (2 + i * 7 % 23)::int as units,
        (10 + i * 11 % 70)::double as revenue, (1 + i % 5)::double as oven_temp
        from range(1, 401) t(i)""",
    "claims": """
        select i as claim_id, date '2024-01-01' + i::int as filed_on,
        ['open', 'settled', 'rejected', 'on hold'][1 + i % 4] as state,
        case when i % 4 = 2 then ['moved', 'too late', 'paid elsewhere'][1 + i // 4 % 3] end
        as rejection_reason, (100 + i * 7 % 900)::double as asked_usd, (50 + i * 13 % 1200)::double
        as paid_amount, case when i % 4 = 2 then date '2024-02-01' + i::int end as rejected_on,
        ['hail', 'fire'][1 + i % 2] as peril from range(1, 241) t(i)""",
}


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("bakery", "average monthly revenue",
         "select sum(revenue) / count(distinct date_trunc('month', sold_on)) from bakery"),
        ("bakery", "what is our average weekly turnover by shop",
         ("select shop, sum(revenue) / count(distinct date_trunc('week', sold_on)) from bakery"
         " group by 1")),
        ("bakery", "average daily units",
         "select sum(units) / count(distinct sold_on) from bakery"),
        ("bakery", "average oven temp per month",
         "select date_trunc('month', sold_on), avg(oven_temp) from bakery group by 1"),
        ("bakery", "mean units per week",
         "select sum(units) / count(distinct date_trunc('week', sold_on)) from bakery"),
        ("claims", "average claims per week",
         "select count(*) / count(distinct date_trunc('week', filed_on)) from claims"),
        ("claims", "claims excluding rejected and on hold by peril",
         "select peril, count(*) from claims where state in ('open', 'settled') group by 1"),
        ("claims", "why were claims rejected",
         "select rejection_reason, count(*) from claims where state = 'rejected' group by 1"),
        ("claims", "how much was paid for hail",
         "select sum(paid_amount) from claims where peril = 'hail'"),
        ("claims", "claims where the paid amount is more than 20% above the asked usd",
         "select * from claims where paid_amount > 1.2 * asked_usd"),
        ("claims", "how many claims have a paid amount of at least twice the asked usd",
         "select count(*) from claims where paid_amount >= 2 * asked_usd"),
        ("claims", "claims whose paid amount is more than 30 percent below the asked usd",
         "select * from claims where paid_amount < 0.7 * asked_usd"),
        ("claims", "number of claims excluding rejected by peril",
         "select peril, count(*) from claims where rejected_on is null group by 1"),
    ],
)  # fmt: skip
def test_is_answered(make: Make, table: str, question: str, sql: str) -> None:
    data = make({table: TABLES[table]})
    decision = decide(data, question)
    assert isinstance(decision, Answer), decision
    assert told(data, decision.reading.best.sql) == told(data, sql)
    assert not decision.warnings


@pytest.mark.parametrize(
    ("question", "ways"),
    [
        ("revenue in march by shop",
         ["select shop, sum(revenue) from bakery where month(sold_on) = 3 group by 1",
          ("select shop, sum(revenue) from bakery where sold_on between date '2025-03-01' "
          "and date '2025-03-31' group by 1")]),
    ],
)  # fmt: skip
def test_what_may_be_meant_in_two_ways_is_asked_back(
    make: Make, question: str, ways: list[str]
) -> None:
    data = make({"bakery": TABLES["bakery"]})
    decision = decide(data, question)
    assert isinstance(decision, Choices), decision
    offered = [told(data, one.best.sql) for one in decision.readings]
    assert all(told(data, sql) in offered for sql in ways)


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("bakery", "revenue by season ticket"),
        ("bakery", "sales per cashier"),
        ("bakery", "average review score by shop"),
        ("bakery", "average monthly sale value"),
        ("bakery", "why is the revenue so low"),
    ],
)
def test_what_is_not_held_or_left_out_is_not_answered(
    make: Make, table: str, question: str
) -> None:
    assert not isinstance(decide(make({table: TABLES[table]}), question), Answer)


LOGS = {
    "tickets": """
        select i as ticket_id,
        timestamp '2024-03-01 08:00:00' + interval (i * 37) minute as opened_at,
        timestamp '2024-03-01 08:00:00' + interval (i * 37 + 20 + i % 90) minute as answered_at,
        ['web', 'phone'][1 + i % 2] as channel, ['low', 'high'][1 + i % 3 % 2] as urgency,
        (1 + i % 40)::double as price from range(1, 301) t(i)""",
    "donations": """
        select i as donation_id, date '2024-01-01' + i::int as given_on,
        ['spring', 'autumn'][1 + i % 2] as appeal, (5 + i * 7 % 90)::double as amount_gbp
        from range(1, 201) t(i)""",
    "menu_sales": """
        select i as line_no, ['soup', 'pie', 'tea'][1 + i % 3] as dish,
        ['Food', 'Drink'][1 + i % 2] as sales_category, (2 + i % 60)::double as gross_price,
        date '2025-01-01' + i::int as sold_on from range(1, 301) t(i)""",
}


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("donations", "how much did we spend on each appeal"),
        ("donations", "our costs by appeal"),
        ("menu_sales", "which dishes sold fewer than 20"),
        ("menu_sales", "what is our food cost percentage"),
        ("menu_sales", "which dishes get refunded most often"),
        ("tickets", "how many tickets are on the hold list per channel"),
    ],
)
def test_a_word_that_nothing_tells_is_not_left_out_of_an_answer(
    make: Make, table: str, question: str
) -> None:
    assert not isinstance(decide(make({table: LOGS[table]}), question), Answer)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("median time to answer in minutes for phone",
         ("select median(date_diff('second', opened_at, answered_at)) / 60 from tickets"
         " where channel = 'phone'")),
        ("average time to answer in hours for high urgency",
         ("select avg(date_diff('second', opened_at, answered_at)) / 3600 from tickets"
         " where urgency = 'high'")),
    ],
)  # fmt: skip
def test_a_time_is_told_in_the_unit_that_is_asked_for(make: Make, question: str, sql: str) -> None:
    data = make({"tickets": LOGS["tickets"]})
    decision = decide(data, question)
    assert isinstance(decision, Answer), decision
    assert told(data, decision.reading.best.sql) == told(data, sql)


@pytest.mark.parametrize(
    "question", ["at what time of day do most tickets come in", "busiest time of day"]
)
def test_a_time_of_day_is_an_hour(make: Make, question: str) -> None:
    decision = decide(make({"tickets": LOGS["tickets"]}), question)
    assert isinstance(decision, Answer | Choices)
    best = decision.reading if isinstance(decision, Answer) else decision.readings[0]
    assert "hour" in best.best.sql.lower()


@pytest.mark.parametrize(
    "question",
    ["how long does it usually take to answer a ticket", "which channel was the most popular"],
)
def test_a_word_that_is_computed_is_not_left_out(make: Make, question: str) -> None:
    assert isinstance(decide(make({"tickets": LOGS["tickets"]}), question), Answer)


BOOKINGS = """
    select i as booking_id, ['web', 'phone', 'agent'][1 + i % 3] as channel,
    ['single', 'double'][1 + i % 2] as room_type, (1 + i % 9)::int as nights,
    case when i % 3 = 0 then 9.0 when i % 3 = 1 then 90.0 + i % 7 else 700.0 + i end as total_eur,
    date '2025-01-01' + i::int as booked_on from range(1, 302) t(i) where i % 3 > 0 or i % 6 = 0
    or i < 200"""


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("top 2 channels by total revenue",
         "select channel, sum(total_eur) from bookings group by 1 order by 2 desc limit 2"),
        ("top 2 channels by total",
         "select channel, sum(total_eur) from bookings group by 1 order by 2 desc limit 2"),
        ("channels by total revenue", "select channel, sum(total_eur) from bookings group by 1"),
        ("room types by average nights", "select room_type, avg(nights) from bookings group by 1"),
    ],
)  # fmt: skip
def test_what_is_told_by_a_total_is_ranked_by_it(make: Make, question: str, sql: str) -> None:
    data = make({"bookings": BOOKINGS})
    decision = decide(data, question)
    assert isinstance(decision, Answer), decision
    assert told(data, decision.reading.best.sql) == told(data, sql)


@pytest.mark.parametrize("question", ["who has the largest loan", "how many loans are there"])
def test_rows_that_have_a_name_are_no_other_things(make: Make, question: str) -> None:
    assert not isinstance(decide(make({"bookings": BOOKINGS}), question), Answer)
