"""Sales, stays, homes, traffic and marks: two columns against each other, products, decades."""

from datetime import date, timedelta
from typing import Any

import pytest
from tests.unit.engines.language.tables import asking, means

TODAY = date(2026, 11, 27)
ROWS = 600
Ask = Any


def orders() -> dict[str, Any]:
    places = range(ROWS)
    ordered = [date(2024, 1, 3) + timedelta(place * 7 % 900) for place in places]
    return {
        "order_id": [1001 + place for place in places],
        "customer_name": [f"Customer {place * 17 % 80}" for place in places],
        "product": [("Lamp", "Chair", "Desk", "Hub")[place * 7 % 11 % 4] for place in places],
        "country": [("Germany", "France", "Spain")[place * 5 % 7 % 3] for place in places],
        "order_date": ordered,
        "required_date": [
            day + timedelta(3 + place % 12) for place, day in zip(places, ordered, strict=True)
        ],
        "shipped_date": [
            day + timedelta(1 + place * 3 % 16) if place % 14 else None
            for place, day in zip(places, ordered, strict=True)
        ],
        "quantity": [1 + place * 5 % 40 for place in places],
        "unit_price": [5 + place * 37 % 4000 / 10 for place in places],
        "status": [("shipped", "pending", "returned")[place * 11 % 13 % 3] for place in places],
    }


def staff() -> dict[str, Any]:
    places = range(ROWS)
    return {
        "employee_id": list(places),
        "name": [f"Person {place}" for place in places],
        "department": [("Sales", "Engineering", "Finance")[place % 3] for place in places],
        "hire_date": [date(2010, 1, 4) + timedelta(place * 9) for place in places],
        "salary": [28000 + place * 211 % 90000 for place in places],
        "target_sales": [50000 + place * 977 % 150000 for place in places],
        "actual_sales": [30000 + place * 1409 % 200000 for place in places],
        "age": [20 + place * 7 % 45 + place / 10000 for place in places],
    }


def movies() -> dict[str, Any]:
    places = range(ROWS)
    return {
        "title": [f"Movie {place}" for place in places],
        "genre": [("Drama", "Comedy", "Horror")[place * 5 % 7 % 3] for place in places],
        "year": [1980 + place * 7 % 45 for place in places],
        "budget": [(1 + place * 31 % 250) * 1000 for place in places],
        "revenue": [place * 53 % 900 * 1000 for place in places],
    }


def patients() -> dict[str, Any]:
    places = range(ROWS)
    admitted = [date(2025, 1, 2) + timedelta(place % 600) for place in places]
    return {
        "patient_id": list(places),
        "patient_name": [f"Patient {place}" for place in places],
        "age": [1 + place * 7 % 95 for place in places],
        "sex": [("male", "female")[place * 5 % 3 % 2] for place in places],
        "ward": [("Cardiology", "Surgery", "Oncology")[place % 3] for place in places],
        "admitted": admitted,
        "discharged": [
            day + timedelta(place * 11 % 30) if place % 10 else None
            for place, day in zip(places, admitted, strict=True)
        ],
        "cost": [200 + place * 77 % 20000 for place in places],
        "bmi": [16 + place * 13 % 260 / 10 for place in places],
    }


def homes() -> dict[str, Any]:
    places = range(ROWS)
    return {
        "address": [f"{place} Elm St" for place in places],
        "city": [("Austin", "Dallas", "Houston")[place % 3] for place in places],
        "bedrooms": [1 + place * 5 % 7 for place in places],
        "property_type": [("House", "Condo", "Townhouse")[place * 5 % 7 % 3] for place in places],
        "list_price": [90000 + place * 1777 % 1100000 for place in places],
        "sale_price": [90001 + place * 1933 % 1100000 for place in places],
        "year_built": [1930 + place * 7 % 95 for place in places],
        "days_on_market": [1 + place * 11 % 240 for place in places],
        "sold_date": [date(2024, 1, 1) + timedelta(place * 3 % 1000) for place in places],
    }


def traffic() -> dict[str, Any]:
    places = range(ROWS)
    return {
        "day": [date(2025, 1, 1) + timedelta(place % 300) for place in places],
        "source": [("google", "direct", "newsletter")[place * 5 % 7 % 3] for place in places],
        "visitors": [10 + place * 37 % 3000 for place in places],
        "signups": [place * 7 % 190 for place in places],
        "revenue": [place * 53 % 4000 + 0.5 for place in places],
        "ad_spend": [place * 29 % 900 + 0.25 for place in places],
    }


def students() -> dict[str, Any]:
    places = range(ROWS)
    return {
        "student": [f"S {place}" for place in places],
        "school": [("North High", "South High", "East High")[place % 3] for place in places],
        "math_score": [20 + place * 7 % 81 for place in places],
        "reading_score": [20 + place * 11 % 81 for place in places],
        "science_score": [20 + place * 13 % 81 for place in places],
        "passed": [place * 5 % 7 < 4 for place in places],
        "study_hours": [place * 3 % 200 / 10 for place in places],
    }


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    tables = {
        "orders": orders(),
        "staff": staff(),
        "movies": movies(),
        "patients": patients(),
        "homes": homes(),
        "traffic": traffic(),
        "students": students(),
    }
    return asking(tmp_path_factory.mktemp("tables"), tables, TODAY)


REVENUE = "sum(quantity * unit_price)"
STAYED = "date_diff('day', admitted, discharged)"
ASKED = [
    # Two columns of a row, one of them told by its verb, by half of its name or by `made`.
    ("orders", "which orders were shipped after the required date?",
     "select * from orders where shipped_date > required_date"),
    ("orders", "what share of orders shipped after their required date by country",
     ("select country, 100.0 * count(*) filter (where shipped_date > required_date) / count(*) "
      "from orders group by 1")),
    ("orders", "how many orders were shipped late?",
     "select count(*) from orders where shipped_date > required_date"),
    ("orders", "late orders by country",
     "select country, count(*) from orders where shipped_date > required_date group by 1"),
    ("staff", "how many employees sold more than their target?",
     "select count(*) from staff where actual_sales > target_sales"),
    ("movies", "which movies made more than their budget",
     "select * from movies where revenue > budget"),
    # So many times the other.
    ("staff", "employees who sold less than half their target",
     "select * from staff where actual_sales < 0.5 * target_sales"),
    ("movies", "movies whose revenue exceeds three times the budget",
     "select * from movies where revenue > 3 * budget"),
    ("movies", "movies that earned at least twice their budget",
     "select * from movies where revenue >= 2 * budget"),
    ("movies", "movies with revenue over 2.5x budget",
     "select * from movies where revenue > 2.5 * budget"),
    # One number times another.
    ("orders", "quantity times unit price by country",
     f"select country, {REVENUE} from orders group by 1"),
    ("orders", "average of quantity * unit price per status",
     "select status, avg(quantity * unit_price) from orders group by 1"),
    ("orders", "total revenue (quantity times unit price) by product",
     f"select product, {REVENUE} from orders group by 1"),
    ("orders", "average order value", "select avg(quantity * unit_price) from orders"),
    ("orders", "average revenue by country",
     "select country, avg(quantity * unit_price) from orders group by 1"),
    ("orders", "average revenue per order", "select avg(quantity * unit_price) from orders"),
    ("orders", "share of total revenue by country",
     f"select country, 100.0 * {REVENUE} / (select {REVENUE} from orders) from orders group by 1"),
    ("orders", "what percentage of revenue comes from Germany",
     (f"select 100.0 * (select {REVENUE} from orders where country = 'Germany') / {REVENUE} "
      "from orders")),
    ("orders", "revenue growth by year",
     (f"select year(order_date), {REVENUE}, 100.0 * {REVENUE} / lag({REVENUE}) over "
      "(order by year(order_date)) - 100 from orders group by 1 order by 1")),
    ("orders", "how did revenue change month over month in 2025",
     (f"select date_trunc('month', order_date), {REVENUE}, 100.0 * {REVENUE} / lag({REVENUE}) over "
      "(order by date_trunc('month', order_date)) - 100 from orders "
      "where year(order_date) = 2025 group by 1 order by 1")),
    # A value where something is, though a column is called so too.
    ("staff", "oldest employee in sales",
     "select * from staff where department = 'Sales' order by age desc limit 1"),
    # Stays that two dates tell, and verbs that leave no row out.
    ("patients", "patients who stayed longer than 14 days",
     f"select patient_name from patients where {STAYED} > 14"),
    ("patients", "how many patients stayed longer than two weeks",
     f"select count(*) from patients where {STAYED} > 14"),
    ("patients", "how many women in their 60s were admitted",
     "select count(*) from patients where sex = 'female' and age between 60 and 69"),
    ("patients", "patients in their 30s", "select * from patients where age between 30 and 39"),
    # Decades by two digits, a number that says of what kind, rows by their table's name.
    ("homes", "homes built in the 90s",
     "select * from homes where year_built between 1990 and 1999"),
    ("homes", "average sale price of homes from the 80s",
     "select avg(sale_price) from homes where year_built between 1980 and 1989"),
    ("homes", "cheapest home with 3 bedrooms in Austin",
     ("select * from homes where bedrooms = 3 and city = 'Austin' order by sale_price limit 1")),
    ("homes", "most expensive home in Dallas",
     "select * from homes where city = 'Dallas' order by sale_price desc limit 1"),
    ("homes", "average list price vs sale price by city",
     "select city, avg(list_price), avg(sale_price) from homes group by 1"),
    ("homes", "average days on market by month sold",
     "select date_trunc('month', sold_date), avg(days_on_market) from homes group by 1"),
    ("homes", "homes on the market for more than 10 weeks",
     "select * from homes where days_on_market > 70"),
    # Rates and ratios of what is counted.
    ("traffic", "conversion rate by source",
     "select source, sum(signups) / sum(visitors) from traffic group by 1"),
    ("traffic", "cost per signup by source",
     "select source, sum(ad_spend) / sum(signups) from traffic group by 1"),
    ("traffic", "days with more than 1 visit",
     "select date_trunc('day', day) from traffic group by 1 having count(*) > 1"),
    # Scores are no pass, and each of a list is averaged.
    ("students", "range of science scores",
     "select min(science_score), max(science_score) from students"),
    ("students", "which school has the best reading scores",
     "select school from students group by 1 order by avg(reading_score) desc limit 1"),
    ("students", "what share of students scored below 50 in math",
     "select 100.0 * count(*) filter (where math_score < 50) / count(*) from students"),
    ("students", "students who failed", "select student from students where not passed"),
    ("students", "average of math, reading and science by school",
     ("select school, avg(math_score), avg(reading_score), avg(science_score) from students "
      "group by 1")),
]  # fmt: skip

REFUSED = [
    # How often is not said.
    ("movies", "movies whose revenue exceeds several times the budget", "several times"),
    # From which number on is nowhere said.
    ("patients", "obese patients", "obese"),
    ("patients", "how many obese patients are there", "obese"),
    ("patients", "average cost of old patients", "old"),
    ("homes", "expensive homes in Austin", "expensive"),
    # A number of no column, or of the groups themselves.
    ("students", "students absent more than 10 days", "10"),
    ("traffic", "how many days had more than 1 visit", "how many"),
    # Each customer has many orders, of which none is an average.
    ("orders", "average revenue per customer", "revenue"),
]


@pytest.mark.parametrize(("table", "question", "wanted"), ASKED, ids=[one[1] for one in ASKED])
def test_is_answered(ask: Ask, table: str, question: str, wanted: str):
    means(ask, table, question, wanted)


@pytest.mark.parametrize(("table", "question", "unread"), REFUSED, ids=[one[1] for one in REFUSED])
def test_is_refused(ask: Ask, table: str, question: str, unread: str):
    found = ask(table, question)
    assert isinstance(found, str)
    assert unread in found
