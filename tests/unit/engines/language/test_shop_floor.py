"""Orders, hours, listings and loans: revenue of units, time, the last of them, shares that rank."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from tests.unit.engines.language.tables import asking

TODAY = date(2026, 11, 24)
ROWS = 600
Ask = Any


def food_orders() -> dict[str, Any]:
    places = range(ROWS)
    begun = datetime.fromisoformat("2026-01-03T08:00")
    return {
        "order_no": [5000 + place for place in places],
        "ordered_at": [begun + timedelta(minutes=97 * place) for place in places],
        "dish": [("Pizza", "Pasta", "Salad", "Soup")[place * 7 % 11 % 4] for place in places],
        "channel": [("delivery", "pickup", "dine in")[place % 3] for place in places],
        "qty": [1 + place * 5 % 6 for place in places],
        "unit_price": [5 + place * 37 % 200 / 10 for place in places],
        "prep_minutes": [15 + place * 13 % 50 for place in places],
        "refunded": [place % 13 == 0 for place in places],
        "customer": [f"Customer {place * 17 % 90}" for place in places],
    }


def timesheets() -> dict[str, Any]:
    places = range(ROWS)
    return {
        "entry_id": list(places),
        "consultant": [
            ("Lea Roth", "Max Stein", "Pia Lund")[place * 5 // 4 % 3] for place in places
        ],
        "client": [("Acme", "Globex", "Initech")[place * 7 // 5 % 3] for place in places],
        "project": [("Audit", "Training", "Support")[place * 11 // 7 % 3] for place in places],
        "work_date": [date(2026, 1, 5) + timedelta(place % 200) for place in places],
        "hours": [0.5 + place * 29 % 80 / 10 for place in places],
        "hourly_rate": [80 + place * 3 % 8 * 10 for place in places],
        "billable": [place * 7 % 10 < 7 for place in places],
    }


def listings() -> dict[str, Any]:
    places = range(ROWS)
    listed = [date(2026, 2, 1) + timedelta(place * 7 % 200) for place in places]
    rented = [
        day + timedelta(3 + place % 50) if place % 3 else None
        for place, day in zip(places, listed, strict=True)
    ]
    return {
        "listing_id": list(places),
        "district": [("Mitte", "Pankow", "Wedding")[place % 3] for place in places],
        "property_type": [("apartment", "house")[place // 3 % 2] for place in places],
        "rooms": [1 + place * 3 % 5 for place in places],
        "monthly_rent": [400 + place * 41 % 2500 for place in places],
        "built_year": [1900 + place * 7 % 124 for place in places],
        "furnished": [place % 4 == 0 for place in places],
        "listed_on": listed,
        "rented_on": rented,
    }


def loans() -> dict[str, Any]:
    places = range(ROWS)
    return {
        "loan_id": list(places),
        "member": [f"Member {place * 13 % 120}" for place in places],
        "genre": [("fiction", "classic", "drama")[place * 5 % 7 % 3] for place in places],
        "borrowed_on": [date(2025, 6, 1) + timedelta(place % 400) for place in places],
        "days": [place * 7 % 40 for place in places],
        "member_age": [12 + place * 11 % 70 for place in places],
    }


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    tables = {
        "food_orders": food_orders(),
        "timesheets": timesheets(),
        "listings": listings(),
        "book_loans": loans(),
    }
    return asking(tmp_path_factory.mktemp("tables"), tables, TODAY)


REVENUE = "sum(qty * unit_price)"
ASKED = [
    # Revenue that no column tells is what the units cost.
    ("food_orders", "revenue by channel", f"select channel, {REVENUE} from food_orders group by 1"),
    ("food_orders", "total sales by dish", f"select dish, {REVENUE} from food_orders group by 1"),
    ("food_orders", "what was our total revenue", f"select {REVENUE} from food_orders"),
    ("food_orders", "revenue in March",
     f"select {REVENUE} from food_orders where month(ordered_at) = 3"),
    ("food_orders", "which dish brings the most revenue",
     f"select dish from food_orders group by 1 order by {REVENUE} desc limit 1"),
    ("food_orders", "top 3 customers by revenue",
     f"select customer, {REVENUE} from food_orders group by 1 order by 2 desc limit 3"),
    ("food_orders", "how many sales per channel",
     "select channel, count(*) from food_orders group by 1"),
    # The last of the rows.
    ("food_orders", "last order", "select * from food_orders order by ordered_at desc limit 1"),
    ("food_orders", "last 5 orders", "select * from food_orders order by ordered_at desc limit 5"),
    ("food_orders", "first order of each customer",
     ("select * from food_orders qualify row_number() over (partition by customer "
      "order by ordered_at) = 1")),
    # A number of another unit, and one that is a word.
    ("food_orders", "orders that took longer than an hour",
     "select * from food_orders where prep_minutes > 60"),
    ("book_loans", "loans longer than a week", "select * from book_loans where days > 7"),
    ("food_orders", "average preparation time per dish",
     "select dish, avg(prep_minutes) from food_orders group by 1"),
    ("food_orders", "orders on Friday evenings",
     ("select * from food_orders where isodow(ordered_at) = 5 and hour(ordered_at) "
      "between 18 and 21")),
    ("food_orders", "top 3 dishes by number of orders",
     "select dish, count(*) from food_orders group by 1 order by 2 desc limit 3"),
    ("timesheets", "billable hours by client",
     "select client, sum(hours) from timesheets where billable group by 1"),
    ("timesheets", "who worked the most hours in March",
     ("select consultant from timesheets where month(work_date) = 3 group by 1 order "
      "by sum(hours) desc limit 1")),
    ("timesheets", "hours worked on weekends",
     "select sum(hours) from timesheets where isodow(work_date) > 5"),
    ("timesheets", "average hourly rate per client",
     "select client, avg(hourly_rate) from timesheets group by 1"),
    ("timesheets", "consultants who worked on Audit",
     "select distinct consultant from timesheets where project = 'Audit'"),
    ("timesheets", "which project has the highest share of non billable entries",
     "select project from timesheets group by 1 order by avg(billable::int), 1 limit 1"),
    ("listings", "how long does it take to rent out a listing",
     "select avg(rented_on - listed_on) from listings"),
    ("listings", "rooms and rent of houses in Pankow",
     ("select rooms, monthly_rent from listings where property_type = 'house' and "
      "district = 'Pankow'")),
    ("listings", "rent of furnished and unfurnished apartments",
     ("select furnished, avg(monthly_rent) from listings where property_type = "
      "'apartment' group by 1")),
    ("listings", "buildings built before 1950", "select * from listings where built_year < 1950"),
    ("listings", "5 most expensive listings",
     "select * from listings order by monthly_rent desc limit 5"),
    ("book_loans", "average days of members under 18",
     "select avg(days) from book_loans where member_age < 18"),
    ("book_loans", "most borrowed genre",
     "select genre, count(*) from book_loans group by 1 order by 2 desc limit 1"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "question", "sql"), ASKED, ids=[one[1] for one in ASKED])
def test_means(ask: Ask, table: str, question: str, sql: str):
    found, wanted = ask(table, question), ask(table, sql)
    assert isinstance(found, list), found
    assert sorted(map(_told, found)) == sorted(map(_told, wanted))


def _told(row: tuple[Any, ...]) -> list[str]:
    return sorted(str(round(one, 6)) if isinstance(one, float) else str(one) for one in row)


@pytest.mark.parametrize(
    ("table", "question", "said"),
    [
        ("food_orders", "average revenue per customer", "revenue"),
        ("timesheets", "how much did we bill Globex", "how much"),
        ("food_orders", "average order size", "size"),
    ],
)
def test_is_refused(ask: Ask, table: str, question: str, said: str):
    assert said in ask(table, question)
