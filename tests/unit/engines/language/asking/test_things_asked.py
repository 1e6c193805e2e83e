"""What is asked for by `which`, `who` or `how long`, where no column tells it, or one beside it."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer

from .conftest import Make
from .test_arbiter import decide

TABLES = {
    "vines": """
        select 'V' || lpad(i::varchar, 3, '0') as vine, ['Pinot', 'Syrah'][1 + i % 2] as grape,
        ['Baden', 'Jura', 'Wachau'][1 + i % 3] as valley,
        ['Austria', 'France'][1 + i // 7 % 2] as country,
        ['low', 'medium', 'high'][1 + i * i % 3] as mildew_pressure,
        (i * 37 % 9)::int as sprays_per_month, (i * 53 % 41)::double as shoot_angle_deg,
        i % 4 = 0 as fertilised, (i * 7 % 90)::int as yield_kg,
        (i * 11 % 60)::int as days_to_ripen, (1950 + i * 3 % 70)::int as year_planted
        from range(1, 181) t(i)""",
    "wards": """
        select 'C' || (400 + i) as case_no, ['Ada', 'Bo', 'Cy'][1 + i % 3] as nurse,
        ['asthma', 'fracture'][1 + i % 2] as illness, (date '2021-01-04' + (i * 13 % 900)::int)
        as admitted, (i * 7 % 30)::int as doses_per_week, (i * 11 % 10)::int as pain_before,
        (i * 17 % 40)::int as stay_days, (900 + i * 37 % 700)::int as monthly_fee_eur,
        (i * 19 % 9)::int as children from range(1, 301) t(i)""",
    "crates": """
        select i as crate_id, ['Bolt', 'Swift', 'Zoom'][1 + i * i % 3] as shipper,
        ['Bern', 'Linz'][1 + i % 2] as city, (i * 37 % 101)::int as weight_kg,
        (i * 17 % 900)::int as purchase_price_eur, i % 5 = 0 as broken
        from range(1, 151) t(i)""",
    "rainfall": """
        select (date '2022-01-01' + i::int) as day, (i * 37 % 23)::double as rain_mm,
        ['sun', 'rain'][1 + i % 2] as weather from range(1, 400) t(i)""",
}


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("vines", "which mildew was the most common on the Pinot vines"),
        ("vines", "which sprays are given most often"),
        ("vines", "which region of Austria has the highest yield"),
        ("vines", "in which village was V012 planted"),
        ("vines", "which fertiliser did the Syrah vines get"),
        ("vines", "who owns the vines in Jura"),
        ("vines", "average number of shoots per vine"),
        ("vines", "what was the original yield of the Pinot vines"),
        ("wards", "how many years has Ada worked here"),
        ("wards", "how many months has Bo been a nurse"),
        ("wards", "how long had patients been in pain before they came"),
        ("wards", "what was the starting fee of the asthma cases"),
        ("wards", "what was the admission fee of the fracture cases"),
        ("wards", "what is in the doses of the asthma cases"),
        ("crates", "what was in the broken crates"),
        ("crates", "who sent the heaviest crate"),
        ("crates", "who packed the crates in Bern"),
        ("crates", "what was the final price of crate 17"),
    ],
)
def test_is_not_answered(make: Make, table: str, question: str) -> None:
    decision = decide(make({table: TABLES[table]}), question)
    assert not isinstance(decision, Answer), decision.reading.best.sql


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        (
            "vines",
            "which mildew pressure is the most common on the Pinot vines",
            "select mode(mildew_pressure) from vines where grape = 'Pinot'",
        ),
        (
            "vines",
            "which country has the highest average yield",
            "select country from vines group by 1 order by avg(yield_kg) desc limit 1",
        ),
        ("vines", "in which valley is V012", "select valley from vines where vine = 'V012'"),
        (
            "wards",
            "average number of children of the asthma cases",
            "select avg(children) from wards where illness = 'asthma'",
        ),
        (
            "rainfall",
            "how many days had more than 10 mm of rain",
            "select count(*) from rainfall where rain_mm > 10",
        ),
        (
            "crates",
            "average purchase price by shipper",
            "select shipper, avg(purchase_price_eur) from crates group by 1",
        ),
    ],
)
def test_is_answered_where_a_column_tells_it(
    make: Make, table: str, question: str, sql: str
) -> None:
    data = make({table: TABLES[table]})
    decision = decide(data, question)
    assert isinstance(decision, Answer), decision
    wanted = data.run(sql).rows
    shown = [list(row)[: len(wanted[0])] for row in decision.reading.result.rows]
    assert sorted(shown) == sorted(map(list, wanted))
