"""Units that a question names and a column does not hold: converted, else never told as another."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Refused
from modelwright.engines.language.arbiter.results import same_result
from modelwright.engines.language.catalog.inference import infer_catalog
from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.linking.linking import Linker

from .conftest import Data, Make
from .test_arbiter import decide

TABLES = {
    "homes": """
        select i as home_id, ['North', 'South'][1 + i % 2] as district,
        (20 + i * 7 % 120)::double as area_sqm,
        (90000 + i * 17)::double as price_eur, (5 + i % 40)::double as stove_kg
        from range(1, 121) t(i)""",
    "plots": """
        select i as plot_id, (300 + i * 11 % 900)::int as size_sq_ft, 'N' || i as name
        from range(1, 121) t(i)""",
    "fields": """
        select i as field_id, ['rye', 'oat'][1 + i % 2] as crop, (1 + i % 30)::double as area_ha,
        (3 + i * 7 % 90)::double as yield_t, (1 + i % 4)::double as rent_gbp
        from range(1, 121) t(i)""",
    "meadows": """
        select 'M' || i as meadow, ['hay', 'sheep'][1 + i % 2] as use,
        (1 + i * 7 % 61 / 10.0)::double as hectares, (12 + i % 30)::int as slope_percent,
        (15 + i % 20)::double as sward, (1 + i % 40)::double as fee_usd
        from range(1, 121) t(i)""",
    "beacons": """
        select 'Beacon ' || i as beacon, (9 + i * 7 % 50)::int as "Tower height (m)",
        (8 + i % 24)::int as "Range (nmi)", (20 + i % 90)::int as speed_mph,
        (i % 5)::int as keepers from range(1, 121) t(i)""",
    "arches": """
        select 'Arch ' || i as arch, ['stone', 'steel', 'brick'][1 + i % 3] as material,
        ['Esk', 'Wye'][1 + i // 3 % 2] as river, (60 + i * 7 % 300)::int as weight_tons,
        (20 + i % 90)::int as length_ft from range(1, 121) t(i)""",
    "shifts": """
        select i as shift_id, ['Ann', 'Bob', 'Cy'][1 + i % 3] as artist,
        (i * i % 400)::int as minutes from range(1, 121) t(i)""",
    "lambs": """
        select 'L' || i as lamb, ['Ray Pound', 'May Stone', 'Joe Ford'][1 + i % 3] as keeper,
        ['Texel', 'Suffolk'][1 + i // 3 % 2] as breed,
        (8 + i * 7 % 50)::double as weight_kg, (i % 9)::double as bonus from range(1, 121) t(i)""",
}


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("homes", "average area in square feet", "select avg(area_sqm) / 0.09290304 from homes"),
        ("homes", "average area in square meters", "select avg(area_sqm) from homes"),
        ("plots", "average size in square meters",
         "select avg(size_sq_ft) * 0.09290304 from plots"),
        ("homes", "average area in acres by district",
         "select district, avg(area_sqm) / 4046.8564224 from homes group by 1"),
        ("homes", "average stove in pounds", "select avg(stove_kg) / 0.45359237 from homes"),
        ("fields", "total yield in kilograms", "select sum(yield_t) * 1000 from fields"),
        ("fields", "total area in acres", "select sum(area_ha) * 1e4 / 4046.8564224 from fields"),
        ("fields", "total rent in pounds", "select sum(rent_gbp) from fields"),
        ("fields", "how many fields are over 20 acres",
         "select count(*) from fields where area_ha > 20 * 0.40468564224"),
        ("homes", "how many homes have an area over 1000 square feet",
         "select count(*) from homes where area_sqm > 92.90304"),
        ("shifts", "which artist worked the most hours",
         "select artist from shifts group by 1 order by sum(minutes) desc limit 1"),
        ("meadows", "how many meadows are larger than 10 acres",
         "select count(*) from meadows where hectares > 4.0468564224"),
        ("meadows", "meadows larger than 10acres",
         "select meadow from meadows where hectares > 4.0468564224"),
        ("meadows", "meadows larger than 10 acres",
         "select meadow from meadows where hectares > 4.0468564224"),
        ("meadows", "total hectares in acres",
         "select sum(hectares) * 1e4 / 4046.8564224 from meadows"),
        ("beacons", "average range in km", 'select avg("Range (nmi)") * 1.852 from beacons'),
        ("beacons", "average range in nautical miles",
         'select avg("Range (nmi)") from beacons'),
        ("beacons", "how many beacons have a range over 30 km",
         'select count(*) from beacons where "Range (nmi)" > 30 / 1.852'),
        ("beacons", "average speed in knots",
         "select avg(speed_mph) * 1.609344 / 1.852 from beacons"),
    ],
)  # fmt: skip
def test_what_is_measured_in_another_unit_is_converted(
    make: Make, table: str, question: str, sql: str
) -> None:
    data = make({table: TABLES[table]})
    decision = decide(data, question)
    assert isinstance(decision, Answer)
    assert same_result(decision.reading.result, data.run(sql)), decision.reading.best.sql


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("homes", "average price in dollars"),
        ("homes", "average price in pounds"),
        ("fields", "total rent in euros"),
    ],
)
def test_money_of_another_currency_is_refused(make: Make, table: str, question: str) -> None:
    assert isinstance(decide(make({table: TABLES[table]}), question), Refused)


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("meadows", "meadows heavier than 15 pounds"),
        ("meadows", "meadows taller than 15 feet"),
        ("meadows", "meadows over 15 kg"),
        ("meadows", "meadows over 15 miles"),
        ("meadows", "meadows over 15kg"),
        ("meadows", "meadows with a fee over 3 pounds"),
        ("meadows", "meadows with a fee over €3"),
        ("meadows", "how many meadows have a fee over 3 euros"),
        ("beacons", "beacons over 20 acres"),
        ("beacons", "beacons heavier than 20 tons"),
        ("beacons", "how many beacons have a speed over 40 km"),
        ("fields", "fields over 20 percent"),
        ("lambs", "lambs over 20 stone"),
    ],
)
def test_numbers_are_not_compared_with_what_is_measured_otherwise(
    make: Make, table: str, question: str
) -> None:
    assert isinstance(decide(make({table: TABLES[table]}), question), Refused)


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("meadows", "meadows with a fee over $3", "select meadow from meadows where fee_usd > 3"),
        ("meadows", "how many meadows have a sward over 20 cm",
         "select count(*) from meadows where sward > 20"),
        ("meadows", "how many meadows have a slope over 20 percent",
         "select count(*) from meadows where slope_percent > 20"),
    ],
)  # fmt: skip
def test_numbers_of_the_own_unit_or_of_an_untold_one_are_compared(
    make: Make, table: str, question: str, sql: str
) -> None:
    data = make({table: TABLES[table]})
    decision = decide(data, question)
    assert isinstance(decision, Answer)
    assert sorted(row[0] for row in decision.reading.result.rows) == sorted(
        row[0] for row in data.run(sql).rows
    )


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("arches", "average weight in stone arches",
         "select avg(weight_tons) from arches where material = 'stone'"),
        ("arches", "average length in stone by river",
         "select river, avg(length_ft) from arches where material = 'stone' group by 1"),
        ("arches", "how many arches are heavier than 20000 stone",
         "select count(*) from arches where weight_tons > 127.0058636"),
        ("lambs", "how many lambs are heavier than 50 pounds",
         "select count(*) from lambs where weight_kg > 22.6796185"),
        ("lambs", "how many lambs are heavier than fifty pounds",
         "select count(*) from lambs where weight_kg > 22.6796185"),
        ("lambs", "how many lambs weigh more than 5 stone",
         "select count(*) from lambs where weight_kg > 31.7514659"),
        ("lambs", "average weight in stone", "select avg(weight_kg) / 6.35029318 from lambs"),
        ("lambs", "bonus per pound by breed",
         "select breed, sum(bonus) / (sum(weight_kg) / 0.45359237) from lambs group by 1"),
        ("lambs", "how many lambs does Ray Pound have",
         "select count(*) from lambs where keeper = 'Ray Pound'"),
    ],
)  # fmt: skip
def test_a_value_is_no_unit_and_a_unit_no_value(
    make: Make, table: str, question: str, sql: str
) -> None:
    data = make({table: TABLES[table]})
    decision = decide(data, question)
    assert isinstance(decision, Answer)
    assert same_result(decision.reading.result, data.run(sql)), decision.reading.best.sql


SALES = {
    "sales": """
        select i as sale_id, ['North', 'South'][1 + i % 2] as shop,
        (300 + i * 7 % 500)::double as price, (i % 90)::double as deposit,
        (5 + i % 40)::double as weight from range(1, 121) t(i)""",
}


def priced(make: Make, unit: str) -> Data:
    """Sales whose prices a file wrote with a currency, beside weights in kilograms."""
    data = make(SALES)
    units = {("sales", "price"): unit, ("sales", "weight"): "kg"}
    catalog = infer_catalog(data.tables, units=units)
    return Data(data.store, data.tables, catalog, Linker(data.tables, catalog), data.readings)


@pytest.mark.parametrize("unit", ["USD", "$"])
@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how many sales have a price over $500", "select count(*) from sales where price > 500"),
        ("how many sales have a price over 500 dollars",
         "select count(*) from sales where price > 500"),
        ("average price in dollars", "select avg(price) from sales"),
        ("average price in $", "select avg(price) from sales"),
        ("average price in USD by shop", "select shop, avg(price) from sales group by 1"),
    ],
)  # fmt: skip
def test_the_currency_of_the_catalog_may_be_said(
    make: Make, unit: str, question: str, sql: str
) -> None:
    data = priced(make, unit)
    decision = decide(data, question)
    assert isinstance(decision, Answer)
    assert same_result(decision.reading.result, data.run(sql)), decision.reading.best.sql


@pytest.mark.parametrize(
    ("unit", "question"),
    [
        ("USD", "how many sales have a price over €500"),
        ("USD", "how many sales have a price over 500 euros"),
        ("€", "how many sales have a price over $500"),
        ("€", "how many sales have a price over 500 dollars"),
        ("USD", "total price in euros"),
        ("€", "average price in $"),
        ("USD", "average deposit in dollars"),
        ("USD", "average weight in pounds"),
        ("USD", "how many sales have a weight over 10 pounds"),
    ],
)
def test_another_unit_than_that_of_the_catalog_is_refused(
    make: Make, unit: str, question: str
) -> None:
    assert isinstance(decide(priced(make, unit), question), Refused)


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("fields", "how many tons of rye were harvested",
         "select sum(yield_t) from fields where crop = 'rye'"),
        ("fields", "how many kilograms of oat",
         "select 1000 * sum(yield_t) from fields where crop = 'oat'"),
        ("fields", "how many fields", "select count(*) from fields"),
    ],
)  # fmt: skip
def test_units_are_added_up_not_counted(make: Make, table: str, question: str, sql: str) -> None:
    data = make({table: TABLES[table]})
    decision = decide(data, question)
    assert isinstance(decision, Answer)
    assert same_result(decision.reading.result, data.run(sql)), decision.reading.best.sql


STAFF = """
    select i as emp_id, (i % 72)::int as tenure, (i % 40)::int as notice_days, (20 + i % 40)::int
    as age, (20 + i % 30)::int as hours_per_week from range(1, 101) t(i)"""


@pytest.mark.parametrize(
    ("question", "column", "is_told"),
    [
        ("employees with more than 5 years tenure", "tenure", True),
        ("employees with more than 5 tenure", "tenure", False),
        ("employees with more than 5 days notice", "notice_days", False),
        ("employees older than 5 years", "age", False),
        ("employees who work more than 5 hours", "hours_per_week", False),
    ],
)
def test_a_column_without_a_unit_is_told(
    make: Make, question: str, column: str, is_told: bool
) -> None:
    sql = f"SELECT * FROM employees WHERE {column} > 5"
    found = check(sql, make({"employees": STAFF}).request(question))
    assert any("tells no unit" in one.message for one in found) is is_told
