"""Two amounts told as one number: ratios and differences of rows, of groups, and of what is ranked.

Each is asked of three tables that have nothing in common, and so are questions beside them that use
the same words for something else.
"""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices

from .conftest import Data, Make
from .test_arbiter import decide, likeliest

TABLES = {
    "gadgets": """
        select 'Model ' || i as model, ['Acme', 'Bolt', 'Corex'][1 + i % 3] as brand,
        1500 + i * 37 % 4500 as battery, 120 + i * 11 % 140 as weight, 90 + i * 53 % 1300 as price,
        ['yes', 'no'][1 + i % 2] as nfc, (1 + i * 7 % 79 + 0.5)::double as distance
        from range(1, 121) t(i)""",
    "vital": """
        select 1899 + i as year, 100000 + i * 977 % 9000 as births,
        80000 + i * 577 % 9000 as deaths,
        70000000 + i * 500000 as population
        from range(1, 112) t(i)""",
    "fares": """
        select 2015 + i % 8 as year, ['North', 'South'][1 + i % 2] as zone, 2 + i * 7 % 13 as fare,
        (i * 5 % 11 - 4)::int as price_change
        from range(1, 121) t(i)""",
    "visits": """
        select date '2024-01-01' + (i * 4)::int as day, ['A', 'B', 'C'][1 + i % 3] as clinic,
        5 + i * 7 % 40 as minutes
        from range(200) t(i)""",
    "flats": """
        select i as home_id, ['Old', 'New', 'Port'][1 + i % 3] as district,
        400 + i * 37 % 900 as price,
        i % 2 = 0 as balcony, i % 5 < 2 as lift
        from range(1, 121) t(i)""",
    "snacks": """
        select 'Snack ' || i as snack, ['Crunch', 'Nibble', 'Bite'][1 + i % 3] as maker,
        (i * 7 % 5)::int as sugar, (i * 3 % 4)::int as fat
        from range(1, 81) t(i)""",
    "metals": """
        select ['Iron', 'Gold', 'Tin', 'Zinc', 'Lead', 'Silver'][i] as metal,
        ['base', 'noble'][1 + i % 2] as family,
        [1811, 1337, 505, 693, 601, 1235][i] as melting_point,
        [3134, 3129, 2875, 1180, 2022, 2435][i] as boiling_point,
        [7.87, 19.3, 7.26, 7.14, 11.34, 10.5][i] as density, [4, 2, 1, 3, 1, 2][i] as hardness
        from range(1, 7) t(i)""",
}


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("gadgets", "battery to weight ratio, top 5",
         "select model, battery / weight from gadgets order by 2 desc limit 5"),
        ("gadgets", "ratio of price to weight, best three",
         "select model, price / weight from gadgets order by 2 desc limit 3"),
        ("gadgets", "price to weight ratio, worst 3",
         "select model, price / weight from gadgets order by 2 limit 3"),
        ("gadgets", "top 5 models by price to weight ratio",
         "select model, price / weight from gadgets order by 2 desc limit 5"),
        ("gadgets", "which model has the highest price to weight ratio",
         "select model from gadgets order by price / weight desc limit 1"),
        ("gadgets", "total price over total weight by brand",
         "select brand, sum(price) / sum(weight) from gadgets group by 1"),
        ("gadgets", "price to weight ratio of Model 5",
         "select price / weight from gadgets where model = 'Model 5'"),
        ("vital", "deaths as a share of births in 1980",
         "select 100.0 * deaths / births from vital where year = 1980"),
        ("vital", "births to deaths ratio in 1990",
         "select births / deaths from vital where year = 1990"),
        ("vital", "difference between births and deaths in 1950",
         "select births - deaths from vital where year = 1950"),
        ("metals", "difference between boiling and melting point of Iron",
         "select boiling_point - melting_point from metals where metal = 'Iron'"),
        ("metals", "mean difference between boiling and melting point by family",
         "select family, avg(boiling_point - melting_point) from metals group by 1"),
        ("vital", "how did the population change between 1950 and 2000",
         ("select max(population) filter (year = 2000) - max(population) filter (year = 1950)"
         " from vital")),
        ("fares", "change in mean fare from 2016 to 2020",
         "select avg(fare) filter (year = 2020) - avg(fare) filter (year = 2016) from fares"),
        ("visits", "change in mean minutes between January 2024 and March 2025",
         ("select avg(minutes) filter (day >= '2025-03-01' and day < '2025-04-01')"
         " - avg(minutes) filter (day >= '2024-01-01' and day < '2024-02-01') from visits")),
        ("metals", "which metal has the largest difference between boiling and melting point",
         "select metal from metals order by boiling_point - melting_point desc limit 1"),
    ],
)  # fmt: skip
def test_two_amounts_are_one_number(make: Make, table: str, question: str, sql: str) -> None:
    data = make({table: TABLES[table]})
    decision = decide(data, question)
    assert told(data, likeliest(decision).best.sql) == told(data, sql)


@pytest.mark.parametrize(
    ("question", "sums", "means"),
    [
        ("price to weight ratio by brand", "brand, sum(price) / sum(weight)",
         "brand, avg(price / weight)"),
        ("price over weight by brand", "brand, sum(price) / sum(weight)",
         "brand, avg(price / weight)"),
        ("price per gram of weight by brand", "brand, sum(price) / sum(weight)",
         "brand, avg(price / weight)"),
        ("price per mile by brand", "brand, sum(price) / sum(distance)",
         "brand, avg(price / distance)"),
    ],
)  # fmt: skip
def test_sums_and_the_mean_of_rows_are_both_offered(
    make: Make, question: str, sums: str, means: str
) -> None:
    data = make({"gadgets": TABLES["gadgets"]})
    decision = decide(data, question)
    assert isinstance(decision, Choices)
    offered = [told(data, one.best.sql) for one in decision.readings]
    for one in (sums, means):
        assert told(data, f"select {one} from gadgets group by 1") in offered


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("gadgets", "how many gadgets have a price over weight",
         "select count(*) from gadgets where price > weight"),
        ("gadgets", "how many gadgets with price over 500",
         "select count(*) from gadgets where price > 500"),
        ("gadgets", "average price per brand", "select brand, avg(price) from gadgets group by 1"),
        ("gadgets", "share of gadgets that are Acme",
         "select 100.0 * count(*) filter (brand = 'Acme') / count(*) from gadgets"),
        ("gadgets", "how many gadgets have a weight between 150 and 160",
         "select count(*) from gadgets where weight between 150 and 160"),
        ("gadgets", "how many gadgets are there over 150 weight",
         "select count(*) from gadgets where weight > 150"),
        ("gadgets", "what share of gadgets were Acme",
         "select 100.0 * count(*) filter (brand = 'Acme') / count(*) from gadgets"),
        ("fares", "mean price change from 2019 to 2021",
         "select avg(price_change) from fares where year between 2019 and 2021"),
        ("metals", "average boiling point by family",
         "select family, avg(boiling_point) from metals group by 1"),
    ],
)  # fmt: skip
def test_the_same_words_elsewhere_divide_nothing(
    make: Make, table: str, question: str, sql: str
) -> None:
    assert is_answered(make, table, question, sql)


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("gadgets", "how much more do gadgets with nfc cost on average",
         "select avg(price) filter (nfc = 'yes') - avg(price) filter (nfc = 'no') from gadgets"),
        ("flats", "how much less do flats without a balcony cost on average",
         "select avg(price) filter (balcony) - avg(price) filter (not balcony) from flats"),
        ("flats", "how many flats have neither a balcony nor a lift",
         "select count(*) from flats where not balcony and not lift"),
        ("snacks", "how many snacks have neither sugar nor fat",
         "select count(*) from snacks where sugar = 0 and fat = 0"),
        ("snacks", "how many snacks are neither Crunch nor Nibble",
         "select count(*) from snacks where maker not in ('Crunch', 'Nibble')"),
    ],
)  # fmt: skip
def test_two_sides_of_a_flag_and_neither_of_two(
    make: Make, table: str, question: str, sql: str
) -> None:
    assert is_answered(make, table, question, sql)


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("gadgets", "gadgets with a price to weight ratio above 5"),
        ("gadgets", "how many gadgets have a difference between price and weight over 100"),
        ("fares", "average fare of zones that grew from 2016 to 2020"),
        ("fares", "how many zones did the fare rise in from 2016 to 2020"),
    ],
)
def test_what_tests_rows_is_not_told_of_all(make: Make, table: str, question: str) -> None:
    decision = decide(make({table: TABLES[table]}), question)
    assert not isinstance(decision, Answer), decision


def test_an_amount_over_the_years_is_not_divided(make: Make) -> None:
    decision = decide(make({"vital": TABLES["vital"]}), "births over the years")
    answered = [decision.reading] if isinstance(decision, Answer) else []
    offered = decision.readings if isinstance(decision, Choices) else answered
    assert not any(" / " in one.best.sql for one in offered)


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("gadgets", "which brand has more weight, Acme or Bolt"),
        ("snacks", "which maker has less fat, Crunch or Nibble"),
        ("flats", "which district has more price, Old or New"),
    ],
)
def test_who_has_more_is_never_all_rows_of_both(make: Make, table: str, question: str) -> None:
    decision = decide(make({table: TABLES[table]}), question)
    answered = [decision.reading] if isinstance(decision, Answer) else []
    offered = decision.readings if isinstance(decision, Choices) else answered
    assert not any("SELECT *" in one.best.sql for one in offered)


def test_more_of_something_beside_an_or_is_no_rank(make: Make) -> None:
    data = make({"snacks": TABLES["snacks"]})
    decision = decide(data, "snacks of Crunch with more fat than sugar")
    assert not (isinstance(decision, Answer) and "LIMIT" in decision.reading.best.sql)


def told(data: Data, sql: str) -> list[tuple[object, ...]]:
    return sorted(
        tuple(round(one, 6) if isinstance(one, float) else one for one in row)
        for row in data.run(sql).rows
    )


def is_answered(make: Make, table: str, question: str, sql: str) -> bool:
    data = make({table: TABLES[table]})
    decision = decide(data, question)
    assert isinstance(decision, Answer), decision
    return told(data, decision.reading.best.sql) == told(data, sql)
