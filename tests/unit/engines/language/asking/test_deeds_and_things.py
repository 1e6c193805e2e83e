"""Questions in nouns of what was done, of things with a key, and of what rows are worth.

The tables are those of a brewery, of its appeals for money and of complaints about it.
"""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Arbiter, Choices, Decision
from modelwright.engines.language.arbiter.results import same_result
from modelwright.engines.language.catalog.meaning import Role

from .conftest import Data, Make

TABLES = {
    "brews": """
        select i as brew_id, ['Ale', 'Stout', 'Product 7'][1 + i % 3] as product,
        ['mon', 'tue'][1 + i % 2] as crew, (300 + i * 7 % 90)::int as planned_qty,
        (280 + i * 11 % 60)::int as produced_qty, (5 + i * 3 % 50)::double as malt_kg,
        (i * 37 % 9000)::int as boil_sec, (1 + i * 13 % 80)::double as waste_pct,
        case when i % 4 = 0 then 'yes' else 'no' end as escalated,
        ['yes', 'no', 'unknown'][1 + i // 2 % 3] as tasted,
        ['pass', 'fail', 'pass', 'open'][1 + i % 4] as result,
        date '2024-01-01' + (i * 2)::int as brewed_on,
        case when i % 3 = 0 then null else date '2024-03-01' + (i * 2)::int end as sold_on
        from range(240) t(i)""",
    "pledges": """
        select i as pledge_id, 1 + i * i // 3 % 60 as donor_id, ['club', 'person'][1 + i % 2]
        as donor_type, ['web', 'post', 'fair'][1 + i % 3] as channel,
        (10 + i * 17 % 400)::double as amount, (i % 9)::double as card_fee,
        ['Japan', 'Germany', 'Kenya'][1 + i // 2 % 3] as country,
        ['en', 'de', 'fr'][1 + i // 3 % 3] as language from range(300) t(i)""",
    "tanks": """
        select i as tank_id, 'M' || (i % 8) as maker, (2 + i * 7 % 60)::int as depth_m,
        (100 + i * 37 % 9000)::int as refill_ms, i % 3 = 0 as paid,
        ['DE', 'JP', 'US'][1 + i % 3] as country, ['none', 'steel', 'tin'][1 + i // 3 % 3] as cover,
        ['malt', 'hops'][1 + i % 2] as stuff, (1 + i * 13 % 70)::double as stored_kg,
        (20 + i * 11 % 60)::double as limit_kg, ['A+', 'A-', 'B'][1 + i // 2 % 3] as grade,
        (5 + i % 9)::double as price, [30, 45][1 + i % 2] as minutes,
        date '2024-01-01' + i::int as filled_on,
        case when i % 5 = 0 then null else date '2024-02-01' + i::int end as emptied_on
        from range(200) t(i)""",
    "complaints": """
        select i as complaint_id, ['late', 'flat', 'warm'][1 + i % 3] as complaint_reason,
        date '2024-01-01' + i::int as complaint_date, 'B' || (i % 9) as bar
        from range(120) t(i)""",
    "runs": """
        select 'R' || i as run_id, ['north', 'south'][1 + i % 2] as depot, i % 7 = 0 as late,
        (1 + i * 13 % 90)::double as toll_eur, (2 + i * 5 % 17)::int as stops
        from range(160) t(i)""",
}
TABLES["donations"] = TABLES["pledges"]


def decided(data: Data, question: str) -> Decision:
    """Decides between both built-in readers, as the product does without a model."""
    request = data.request(question)
    outcomes = [*data.rules().read(request), *data.grammar().read(request)]
    return Arbiter().decide(request, outcomes, data.run)


@pytest.mark.parametrize(
    ("table", "question", "right"),
    [
        ("brews", "escalation rate by crew",
         "select crew, 100.0 * avg((escalated = 'yes')::int) from brews group by 1"),
        ("brews", "failure rate",
         "select 100.0 * avg((result = 'fail')::int) from brews"),
        ("brews", "which crew had the most failures?",
         "select crew from brews where result = 'fail' group by 1 order by count(*) desc limit 1"),
        ("brews", "total production by crew",
         "select crew, sum(produced_qty) from brews group by 1"),
        ("brews", "which product has the highest production",
         "select product from brews group by 1 order by sum(produced_qty) desc limit 1"),
        ("brews", "how much malt was used in March 2024?",
         "select sum(malt_kg) from brews where month(brewed_on) = 3 and year(brewed_on) = 2024"),
        ("brews", "average boil time in minutes by crew",
         "select crew, avg(boil_sec / 60.0) from brews group by 1"),
        ("brews", "total boil time in hours", "select sum(boil_sec) / 3600.0 from brews"),
        ("brews", "how many brews were tasted?",
         "select count(*) from brews where tasted = 'yes'"),
        ("brews", "number of brews in 2024",
         "select count(*) from brews where year(brewed_on) = 2024"),
        ("pledges", "number of donors by channel",
         "select channel, count(distinct donor_id) from pledges group by 1"),
        ("pledges", "how many donors gave more than once?",
         "select count(*) from (select donor_id from pledges group by 1 having count(*) > 1)"),
        ("pledges", "donors with at least 6 pledges",
         "select donor_id from pledges group by 1 having count(*) >= 6"),
        ("pledges", "donors who gave more than 1,000 in total",
         "select donor_id from pledges group by 1 having sum(amount) > 1000"),
        ("pledges", "pledges over 350 €", "select * from pledges where amount > 350"),
        ("donations", "average donation by channel",
         "select channel, avg(amount) from donations group by 1"),
        ("donations", "largest single donation",
         "select * from donations order by amount desc, pledge_id limit 1"),
        ("donations", "donations over 350", "select * from donations where amount > 350"),
        ("pledges", "average amount of Kenyans",
         "select avg(amount) from pledges where country = 'Kenya'"),
        ("pledges", "how many pledges were in German or French?",
         "select count(*) from pledges where language in ('de', 'fr')"),
        ("pledges", "Japanese pledges with an amount above 300",
         "select * from pledges where country = 'Japan' and amount > 300"),
        ("tanks", "share of A- among all tanks",
         "select 100.0 * avg((grade = 'A-')::int) from tanks"),
        ("tanks", "price per minute by maker",
         "select maker, sum(price) / sum(minutes) from tanks group by 1"),
        ("complaints", "what are the reasons for complaints?",
         "select distinct complaint_reason from complaints"),
        ("runs", "how many runs were on time?", "select count(*) from runs where not late"),
        ("runs", "percentage of punctual runs", "select 100.0 * avg((not late)::int) from runs"),
        ("runs", "how many runs were delayed?", "select count(*) from runs where late"),
        ("runs", "toll per run by depot", "select depot, avg(toll_eur) from runs group by 1"),
    ],
)  # fmt: skip
def test_is_answered(make: Make, table: str, question: str, right: str) -> None:
    names = ["pledges", table] if table == "donations" else [table]
    make({one: TABLES[one] for one in names})
    data = make({table: TABLES[table]})
    told = decided(data, question)
    assert isinstance(told, Answer), told
    assert same_result(told.reading.result, data.run(right)), told.reading.best.sql


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("tanks deeper than 40 metres", "select * from tanks where depth_m > 40"),
        ("makers with an average depth over 30 metres",
         "select maker from tanks group by 1 having avg(depth_m) > 30"),
        ("how many tanks are unpaid?", "select count(*) from tanks where not paid"),
        ("tanks with a refill slower than 5 seconds", "select * from tanks where refill_ms > 5000"),
        ("how many tanks are from Germany or Japan?",
         "select count(*) from tanks where country in ('DE', 'JP')"),
        ("how many tanks without a cover?", "select count(*) from tanks where cover = 'none'"),
        ("how much malt was stored?", "select sum(stored_kg) from tanks where stuff = 'malt'"),
        ("how many tanks were filled in March 2024?",
         "select count(*) from tanks where month(filled_on) = 3 and year(filled_on) = 2024"),
    ],
)  # fmt: skip
def test_what_is_used_is_not_told_as_left_out(make: Make, question: str, right: str) -> None:
    data = make({"tanks": TABLES["tanks"]})
    told = decided(data, question)
    assert isinstance(told, Answer), told
    assert same_result(told.reading.result, data.run(right)), told.reading.best.sql
    assert told.warnings == ()


@pytest.mark.parametrize("question", ["average toll per stop", "average toll per stop by depot"])
def test_rows_of_so_many_each_are_not_told_as_a_rate(make: Make, question: str) -> None:
    told = decided(make({"runs": TABLES["runs"]}), question)
    assert not isinstance(told, Answer) or "“per stop” asks for a rate." in told.warnings


def test_what_was_not_on_time_was_late(make: Make) -> None:
    told = decided(make({"runs": TABLES["runs"]}), "how many runs were not on time?")
    assert not isinstance(told, Answer) or told.reading.result.rows == [[23]]


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("tanks", "how much by maker"),
        ("tanks", "price per person by maker"),
        ("tanks", "refill rate by maker"),
        ("tanks", "tanks over the limit"),
        ("brews", "which crew overboiled the most?"),
        ("brews", "how much waste and malt was there?"),
        ("brews", "how many brews were called off?"),
        ("brews", "how many brews were sold out?"),
        ("brews", "total waste by crew"),
        ("brews", "adoption rate by crew"),
    ],
)
def test_is_not_answered(make: Make, table: str, question: str) -> None:
    told = decided(make({table: TABLES[table]}), question)
    assert not isinstance(told, Answer), told.reading.best.sql


@pytest.mark.parametrize(
    "question", ["how many brews were sold in June 2024?", "sales per month of tasted brews"]
)
def test_what_was_done_later_is_of_no_usual_date(make: Make, question: str) -> None:
    told = decided(make({"brews": TABLES["brews"]}), question)
    shown = told.readings if isinstance(told, Choices) else ()
    shown = (told.reading,) if isinstance(told, Answer) else shown
    assert any("sold_on" in one.best.sql for one in shown) or not shown


def test_a_date_that_some_rows_lack_is_not_the_usual_one(make: Make) -> None:
    table = make({"brews": TABLES["brews"]}).catalog.tables[0]
    assert table.default_date == "brewed_on"


def test_a_flag_may_be_unknown(make: Make) -> None:
    column = make({"brews": TABLES["brews"]}).catalog.column("brews", "tasted")
    assert column is not None
    assert column.role is Role.FLAG
