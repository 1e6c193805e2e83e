"""Plain questions about leads, coffees, houses, staff and sales."""

import random
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

import duckdb
import pytest
from tests.questions.question_sets import same
from tests.unit.engines.language.tables import reader_of, store_of

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader

TODAY = date(2026, 11, 25)
COLUMNS: dict[str, dict[str, str]] = {
    "leads": {
        "Lead Source": "string", "Do Not Email": "string", "Converted": "integer",
        "TotalVisits": "integer", "Page Views Per Visit": "float", "City": "string",
    },
    "coffee_quality": {
        "Farm Name": "string", "Country of Origin": "string", "Number of Bags": "integer",
        "Harvest Year": "integer", "Variety": "string", "Processing Method": "string",
        "Aroma": "float", "Total Cup Points": "float",
    },
    "house_sales": {
        "id": "integer", "date": "date", "price": "float", "bedrooms": "integer",
        "floors": "integer", "grade": "integer", "sqft_lot": "integer", "yr_built": "integer",
        "zipcode": "integer",
    },
    "listings": {
        "id": "integer", "price": "float", "minimum_nights": "integer",
        "number_of_reviews": "integer", "last_review": "date", "room_type": "string",
    },
    "staff": {"team": "string", "sex": "string", "salary": "float", "hwy": "integer"},
    "passengers": {
        "Survived": "integer", "Pclass": "integer", "Sex": "string", "Age": "float",
        "Parch": "integer", "Fare": "float", "Cabin": "string",
    },
    "bookings": {
        "booking_id": "integer", "island": "string", "children": "integer", "region": "string",
        "sex": "string", "bathrms": "integer", "ram": "integer", "rate": "string",
    },
    "bike_days": {
        "dteday": "date", "workingday": "integer", "temp": "float", "casual": "integer",
        "registered": "integer", "cnt": "integer",
    },
    "games": {
        "Name": "string", "Publisher": "string", "Platform": "string", "Year": "integer",
        "District": "integer", "mpaa": "string", "rating": "float", "votes": "integer",
        "NA_Sales": "float", "EU_Sales": "float", "Global_Sales": "float",
    },
    "shop_sales": {
        "Invoice ID": "string", "Branch": "string", "Product line": "string",
        "Unit price": "float", "Quantity": "integer", "Total": "float", "Date": "date",
    },
}  # fmt: skip
Rows = list[tuple[Any, ...]]
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


def leads(chance: random.Random) -> Rows:
    return [
        (chance.choice(["Google", "Facebook", "Reference"]), chance.choice(["Yes", "No", "No"]),
         chance.randrange(2), chance.randrange(20), round(chance.uniform(0, 8), 2),
         chance.choice(["Mumbai", "Thane"]))
        for _ in range(300)
    ]  # fmt: skip


def coffees(chance: random.Random) -> Rows:
    made: Rows = []
    for at in range(320):
        variety = chance.choice(["Caturra", "Bourbon", "Typica"])
        country = "Taiwan" if variety == "Typica" else chance.choice(["Mexico", "Kenya", "Taiwan"])
        way = chance.choice(["Washed / Wet", "Natural / Dry", "Semi-washed / Semi-pulped"])
        points = 80 + (at % 9) * 0.7 + 3 * (country == "Kenya")
        made.append(
            (f"finca {at % 7}", country, chance.randrange(1, 400), 2012 + at % 6, variety, way,
             round(chance.uniform(6, 9), 2), points)
        )  # fmt: skip
    return [*made, *(one for one in made if one[1] == "Mexico")]


def houses(chance: random.Random) -> Rows:
    return [
        (7_000_000 + at, date(2014, 5, 1) + timedelta(at * at % 390),
         float(chance.randrange(150, 2200) * 1000), chance.randrange(1, 7), chance.randrange(1, 4),
         chance.randrange(4, 13), chance.randrange(900, 60_000), 1900 + at % 115,
         chance.choice([98001, 98103, 98115]))
        for at in range(400)
    ]  # fmt: skip


def listings(chance: random.Random) -> Rows:
    made: Rows = []
    for at in range(300):
        seen = None if at % 5 == 0 else date(2025, 1, 1) + timedelta(at)
        reviews = 0 if seen is None else (at * 37) % 401
        nights, kind = chance.choice([1, 2, 7, 30]), chance.choice(["Private room", "Shared room"])
        made.append((2000 + at, float(chance.randrange(30, 400)), nights, reviews, seen, kind))
    return made


def staff(chance: random.Random) -> Rows:
    return [
        (chance.choice(["Sales", "Design"]), sex, 30_000.0 + chance.randrange(40_000), 20 + at % 17)
        for at in range(240)
        for sex in [chance.choice(["Male", "Female"])]
    ]


def passengers(chance: random.Random) -> Rows:
    return [
        (chance.randrange(2), chance.randrange(1, 4), chance.choice(["male", "female"]),
         float(chance.randrange(1, 75)), chance.randrange(4), round(chance.uniform(5, 90), 2),
         chance.choice([None, None, f"C{at}"]))
        for at in range(400)
    ]  # fmt: skip


def bookings(chance: random.Random) -> Rows:
    return [
        (at, chance.choice(["Biscoe", "Biscoe", "BISCOE", "dream ", "Dream", "Dream"]),
         chance.choice([0, 0, 0, 1, 2, 3]), chance.choice(["M", "N"]), chance.choice(["M", "F"]),
         chance.randrange(1, 6), chance.choice([4, 8, 16]),
         chance.choice(["99,5", "120", "1.250,75", "87,25"]))
        for at in range(1, 401)
    ]  # fmt: skip


def bike_days(chance: random.Random) -> Rows:
    made: Rows = []
    for at in range(400):
        casual, known = chance.randrange(900), chance.randrange(4000)
        temp = round(chance.uniform(-9, 33), 1)
        day = date(2025, 1, 1) + timedelta(at)
        made.append((day, chance.randrange(2), temp, casual, known, casual + known))
    return made


def games(chance: random.Random) -> Rows:
    made: Rows = []
    for at in range(400):
        parts = [round(chance.uniform(0, 3), 2) for _ in range(2)]
        publisher = chance.choice(["Sega", "Capcom", "Ubisoft"])
        platform = chance.choice(["Wii", "PC"] if publisher == "Sega" else ["Wii", "PC", "DS"])
        told = publisher, platform, chance.randrange(1995, 2005), min(at % 23, at % 29) + 1
        rated = chance.choice(["R", "PG"]), round(chance.uniform(4, 10), 1), at * 31 % 4001
        made.append((f"Quest {at}", *told, *rated, *parts, round(sum(parts) + at % 3, 2)))
    return made


def sales(chance: random.Random) -> Rows:
    made: Rows = []
    for at in range(300):
        price, units = round(chance.uniform(10, 100), 2), chance.randrange(1, 11)
        line = chance.choice(["Sports and travel", "Food and beverages"])
        day = date(2025, 1, 1) + timedelta(at % 90)
        made.append(
            (f"{at:03d}-{at % 91}", "ABC"[at % 3], line, price, units, price * units * 1.05, day)
        )
    return made


@pytest.fixture(scope="module")
def asked() -> Mapping[str, Asked]:
    chance = random.Random(5)
    rows = {
        "leads": leads(chance), "coffee_quality": coffees(chance), "house_sales": houses(chance),
        "listings": listings(chance), "staff": staff(chance), "shop_sales": sales(chance),
        "passengers": passengers(chance), "games": games(chance), "bookings": bookings(chance),
        "bike_days": bike_days(chance),
    }  # fmt: skip
    told = {name: (name, COLUMNS[name], made) for name, made in rows.items()}
    return {name: (store_of(*one), reader_of(*one)) for name, one in told.items()}


ISLAND = "case lower(trim(island)) when 'biscoe' then 'Biscoe' else 'Dream' end"
RATE = "replace(replace(rate, '.', ''), ',', '.')::double"
RIGHT = [
    # A column's own name holds a word that means something elsewhere.
    ("leads", "average Page Views Per Visit", 'avg("Page Views Per Visit") from leads'),
    ("leads", "maximum page views per visit of leads from Mumbai",
     """max("Page Views Per Visit") from leads where "City" = 'Mumbai'"""),
    ("leads", "How many leads do not want emails?",
     """count(*) from leads where "Do Not Email" = 'Yes'"""),
    ("leads", "How many leads want emails?", """count(*) from leads where "Do Not Email" = 'No'"""),
    ("coffee_quality", "average total cup points by processing method",
     '"Processing Method", avg("Total Cup Points") from coffee_quality group by 1'),
    ("listings", "How many listings require a minimum stay of at least 7 nights?",
     "count(*) from listings where minimum_nights >= 7"),
    # What is counted is held by a column.
    ("coffee_quality", "number of bags from Mexico",
     """sum("Number of Bags") from coffee_quality where "Country of Origin" = 'Mexico'"""),
    ("coffee_quality", "How many bags did Kenya send in 2014?",
     """sum("Number of Bags") from coffee_quality where "Country of Origin" = 'Kenya'
     and "Harvest Year" = 2014"""),
    ("coffee_quality", "number of bags by variety",
     '"Variety", sum("Number of Bags") from coffee_quality group by 1'),
    ("coffee_quality", "average aroma of coffees with number of bags above 100",
     'avg("Aroma") from coffee_quality where "Number of Bags" > 100'),
    ("shop_sales", "How many items were sold in February 2025?",
     """sum("Quantity") from shop_sales where month("Date") = 2"""),
    # What is counted are the rows.
    ("coffee_quality", "How many coffees scored more than 85 points?",
     'count(*) from coffee_quality where "Total Cup Points" > 85'),
    ("house_sales", "How many houses were sold per month?",
     "date_trunc('month', date), count(*) from house_sales group by 1"),
    ("house_sales", "In which month were the most houses sold?",
     "date_trunc('month', date), count(*) from house_sales group by 1 order by 2 desc limit 1"),
    ("house_sales", "Which zipcode had the most houses sold?",
     "zipcode from house_sales group by 1 order by count(*) desc limit 1"),
    # What groups are told by.
    ("coffee_quality", "Which variety is grown by only a single country?", "'Typica'"),
    ("coffee_quality", "Which varieties are grown in more than 2 countries?",
     '"Variety" from coffee_quality group by 1 having count(distinct "Country of Origin") > 2'),
    ("staff", "number of men and women in each team",
     "team, sex, count(*) from staff group by 1, 2"),
    ("staff", "Who earns more on average, men or women?",
     "sex, avg(salary) from staff group by 1"),
    ("house_sales", "most expensive zip code on average",
     "zipcode, avg(price) from house_sales group by 1 order by 2 desc limit 1"),
    # Marks are no amounts, a total is the revenue.
    ("coffee_quality", "Which country produces the best coffee?", "'Kenya'"),
    ("shop_sales", "What was the total revenue per branch?",
     '"Branch", sum("Total") from shop_sales group by 1'),
    ("shop_sales", "sales of sports and travel in March by branch",
     """"Branch", sum("Total") from shop_sales where "Product line" = 'Sports and travel'
     and month("Date") = 3 group by 1"""),
    # Which rows are meant.
    ("leads", "What share of leads from Facebook converted?",
     """100.0 * avg("Converted") from leads where "Lead Source" = 'Facebook'"""),
    ("leads", "average visits by converted leads",
     'avg("TotalVisits") from leads where "Converted" = 1'),
    ("coffee_quality", "average aroma of washed coffees",
     """avg("Aroma") from coffee_quality where "Processing Method" = 'Washed / Wet'"""),
    ("house_sales", "How many houses sold for more than a million?",
     "count(*) from house_sales where price > 1000000"),
    ("house_sales", "How many houses cost less than half a million?",
     "count(*) from house_sales where price < 500000"),
    ("house_sales", "average price of houses built in the 1990s",
     "avg(price) from house_sales where yr_built between 1990 and 1999"),
    ("house_sales", "largest lot in 98103", "max(sqft_lot) from house_sales where zipcode = 98103"),
    ("staff", "average highway of men", "avg(hwy) from staff where sex = 'Male'"),
    ("passengers", "How many women travelled in first class?",
     """count(*) from passengers where "Sex" = 'female' and "Pclass" = 1"""),
    ("passengers", "How many men without a cabin survived?",
     """count(*) from passengers where "Sex" = 'male' and "Cabin" is null and "Survived" = 1"""),
    ("passengers", "How many passengers were under 18?",
     'count(*) from passengers where "Age" < 18'),
    ("passengers", "average fare of women younger than 30",
     """avg("Fare") from passengers where "Age" < 30 and "Sex" = 'female'"""),
    ("games", "games from 1999 with more than 2000 votes, how many?",
     'count(*) from games where "Year" = 1999 and votes > 2000'),
    ("games", "How many games from 2000 on are there?", 'count(*) from games where "Year" >= 2000'),
    ("games", "How many R rated games got a rating above 8?",
     "count(*) from games where mpaa = 'R' and rating > 8"),
    ("games", "districts with fewer than 10 games",
     '"District" from games group by 1 having count(*) < 10'),
    ("games", "In which year were the most games made?",
     '"Year", count(*) from games group by 1 order by 2 desc, 1 limit 1'),
    ("games", "Which publishers have games on more than 2 platforms?",
     '"Publisher" from games group by 1 having count(distinct "Platform") > 2'),
    ("bookings", "How many bookings include children?",
     "count(*) from bookings where children > 0"),
    ("bookings", "number of men and women by island",
     f"{ISLAND}, sex, count(*) from bookings group by 1, 2"),
    ("bookings", "bookings with 3 bathrooms or more, how many?",
     "count(*) from bookings where bathrms >= 3"),
    ("bookings", "How many bookings have at least 16 ram?",
     "count(*) from bookings where ram >= 16"),
    # Values that are spelt in several ways, decimals after a comma.
    ("bookings", "number of bookings per island", f"{ISLAND}, count(*) from bookings group by 1"),
    ("bookings", "How many bookings are on Biscoe?",
     "count(*) from bookings where lower(island) = 'biscoe'"),
    ("bookings", "how many different islands are there?", "2"),
    ("bookings", "average rate", f"avg({RATE}) from bookings"),
    ("bookings", "How many bookings have a rate above 1,000?",
     f"count(*) from bookings where {RATE} > 1000"),
    ("bike_days", "How many days were colder than 0 degrees?",
     "count(*) from bike_days where temp < 0"),
    ("bike_days", "days with a temperature above 30, how many?",
     "count(*) from bike_days where temp > 30"),
    # Of numbers that are called alike the one that holds all.
    ("bike_days", "total rentals per month",
     "date_trunc('month', dteday), sum(cnt) from bike_days group by 1"),
    ("games", "best selling game of Sega",
     """* from games where "Publisher" = 'Sega' order by "Global_Sales" desc limit 1"""),
    ("listings", "What are the ten most reviewed listings?",
     "* from listings order by number_of_reviews desc, id limit 10"),
]  # fmt: skip
REFUSED = [
    ("house_sales", "median price of two-story houses", "two"),
    ("games", "top 5 games by European sales", "European"),
]


class TestPlainQuestions:
    @pytest.mark.parametrize(("name", "question", "gold"), RIGHT, ids=[one[1] for one in RIGHT])
    def test_the_answer_is_that_of_the_question(
        self, asked: Mapping[str, Asked], name: str, question: str, gold: str
    ) -> None:
        store, reader = asked[name]
        told = reader.read(question, TODAY)
        assert isinstance(told, Answerable), told
        found = store.sql(told.sql).fetchall()
        assert same(store.sql(f"select {gold}").fetchall(), found), told.sql

    @pytest.mark.parametrize(("name", "question", "word"), REFUSED)
    def test_what_nothing_settles_is_asked_back(
        self, asked: Mapping[str, Asked], name: str, question: str, word: str
    ) -> None:
        told = asked[name][1].read(question, TODAY)
        assert isinstance(told, NotUnderstood)
        assert f'"{word}"' in told.sentence
