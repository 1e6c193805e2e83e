"""Words that turn a reading round: `worst` of what nobody wants, the prefix of `unpaid`."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices
from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Severity

from .conftest import Make
from .test_arbiter import decide

TABLES = {
    "flights": """
        select i as flight_no, ['Sky', 'Jet', 'Air'][1 + i % 3] as airline,
        (i * 37 % 101 - 12)::int as delay_min, (90 + i % 3 * 5 + i % 7)::int as score
        from range(1, 121) t(i)""",
    "bakery_orders": """
        select i as order_no, ['phone', 'web', 'in store'][1 + i % 3] as channel,
        ['loaf', 'cake'][1 + i % 2] as item, i % 5 < 3 as is_paid, (3 + i * 7 % 20)::double as price
        from range(1, 121) t(i)""",
    "shows": """
        select i as show_id, ['Tosca', 'Carmen', 'Aida'][1 + i * i % 3] as title,
        ['opera', 'play'][1 + i % 2] as kind, (9 + i % 7)::double as gross_pay
        from range(1, 121) t(i)""",
    "stock": """
        select 'K' || i as sku, (i * 7 % 90)::int as qty_on_hand,
        (1 + i % 30)::double as unit_price, date '2026-09-01' + (i % 80)::int
        as restocked_on from range(1, 121) t(i)""",
    "rides": """
        select i as ride_id, timestamp '2026-05-01' + interval (i * 50) minute as start_time,
        timestamp '2026-05-01' + interval (i * 50 + 3 + i * 7 % 40) minute as end_time,
        (1 + i * 11 % 19)::double as distance_km from range(1, 121) t(i)""",
    "crops": """
        select i as plot_id, ['rye', 'oat', 'pea'][1 + i % 3] as crop, (1 + i * 7 % 30)::double
        as area_ha, (3 + i * 11 % 90)::double as yield_t from range(1, 121) t(i)""",
}


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("flights", "flight with the worst delay",
         "select flight_no from flights order by delay_min desc, 1 limit 1"),
        ("flights", "airline with the worst average delay",
         "select airline from flights group by 1 order by avg(delay_min) desc limit 1"),
        ("flights", "which airline has the best average delay",
         "select airline from flights group by 1 order by avg(delay_min) limit 1"),
        ("flights", "which airline has the best average score",
         "select airline from flights group by 1 order by avg(score) desc limit 1"),
        ("bakery_orders", "how many unpaid orders by phone",
         "select count(*) from bakery_orders where not is_paid and channel = 'phone'"),
        ("bakery_orders", "how many unpaid cake orders",
         "select count(*) from bakery_orders where not is_paid and item = 'cake'"),
        ("crops", "which crop has the highest yield per hectare",
         "select crop from crops group by 1 order by sum(yield_t) / sum(area_ha) desc limit 1"),
    ],
)  # fmt: skip
def test_what_is_meant_is_answered(make: Make, table: str, question: str, sql: str) -> None:
    data = make({table: TABLES[table]})
    decision = decide(data, question)
    assert isinstance(decision, Answer)
    assert data.run(decision.reading.best.sql).rows[0][0] == data.run(sql).rows[0][0]


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("bakery_orders", "unpaid orders by phone",
         "select * from bakery_orders where channel <> 'phone'"),
        ("bakery_orders", "most expensive item on average",
         "select max(price), avg(price) from bakery_orders"),
        ("stock", "how many units were sold last month",
         "select sum(qty_on_hand) from stock where restocked_on >= '2026-10-01'"),
        ("rides", "longest ride in miles",
         "select distance_km / 1.609344 from rides order by end_time - start_time desc limit 1"),
        ("shows", "net pay by kind", "select kind, sum(gross_pay) from shows group by 1"),
        ("shows", "which opera has the most shows",
         "select show_id, count(*) from shows where kind = 'opera' group by 1 order by 2 limit 1"),
        ("flights", "worst airline by delay",
         "select airline from flights group by 1 order by avg(delay_min) limit 1"),
    ],
)  # fmt: skip
def test_the_other_way_round_is_a_fault(make: Make, table: str, question: str, sql: str) -> None:
    found = check(sql, make({table: TABLES[table]}).request(question))
    assert any(one.severity is Severity.FAULT for one in found)


@pytest.mark.parametrize("question", ["who got the largest grant", "largest grant"])
def test_of_two_amounts_that_are_not_named_neither_is_taken(make: Make, question: str) -> None:
    select = """
        select i as grant_no, 'Dr ' || chr((65 + i % 26)::int) || i as lead_name,
        (900 + i * 37 % 1009)::int as amt_requested, (300 + i * 53 % 997)::int as amt_awarded
        from range(1, 121) t(i)"""
    decision = decide(make({"grants": select}), question)
    assert isinstance(decision, Choices)
    told = " ".join(one.best.sql for one in decision.readings)
    assert "amt_requested" in told
    assert "amt_awarded" in told


def test_a_total_is_meant_without_a_word(make: Make) -> None:
    select = """
        select 'Animal ' || i as name, (3 + i * 37 % 101)::double as sleep_total,
        (1 + i * 53 % 97)::double as sleep_rem from range(1, 121) t(i)"""
    decision = decide(make({"animals": select}), "which animal sleeps the most")
    assert isinstance(decision, Answer)
    assert "sleep_total" in decision.reading.best.sql


GIVEN = {
    "repairs": """
        select i as repair_id, case when i % 4 < 3 then (1 + i % 5)::int end as score,
        ['bike', 'scooter'][1 + i % 2] as kind from range(1, 121) t(i)""",
}


@pytest.mark.parametrize(
    "question",
    [
        "how many repairs where the score is not missing",
        "how many repairs where the score isn't blank",
        "number of repairs without a missing score",
    ],
)
def test_what_is_not_missing_is_given(make: Make, question: str) -> None:
    data = make(GIVEN)
    decision = decide(data, question)
    assert isinstance(decision, Answer), decision
    assert decision.reading.result.rows == data.run("select count(score) from repairs").rows


def test_taking_what_is_missing_for_what_is_not_is_a_fault(make: Make) -> None:
    data = make(GIVEN)
    request = data.request("how many repairs where the score is not missing")
    turned = check("select count(*) from repairs where score is null", request)
    right = check("select count(*) from repairs where score is not null", request)
    assert Severity.FAULT in {one.severity for one in turned}
    assert Severity.FAULT not in {one.severity for one in right}
