"""Two tables of an office, made by a fixed seed: orders of a shop and the people who work there."""

import random
from datetime import date, timedelta
from pathlib import Path

import duckdb
from tests.questions.rows import insert

SEED = 20261122
ORDERS = 1200
"""Rows of the table of orders."""
STAFF = 400
"""Rows of the table of people."""
FIRST_DAY = date(2025, 1, 1)
LAST_DAY = date(2026, 11, 19)
REGIONS = {
    "North": ("Leeds", "Glasgow"),
    "South": ("London", "Brighton"),
    "East": ("Norwich", "Cambridge"),
    "West": ("Bristol", "Cardiff"),
}
GOODS = {
    "Furniture": {"Desk": 320.0, "Office Chair": 145.0, "Bookcase": 210.0},
    "Technology": {"Laptop": 980.0, "Monitor": 240.0, "Headset": 65.0},
    "Office Supplies": {"Paper": 6.5, "Notebook": 3.2, "Stapler": 12.0},
}
REPS = ("Anna Becker", "Tom Hughes", "Priya Shah", "Luis Ortega", "Mei Chen", "Olu Adeyemi")
TITLES = {
    "Sales": ("Account Manager", "Sales Director"),
    "Engineering": ("Developer", "Team Lead"),
    "Finance": ("Accountant", "Controller"),
    "Human Resources": ("Recruiter", "HR Manager"),
    "Marketing": ("Copywriter", "Brand Manager"),
}
SALES_COLUMNS = """
 order_id INTEGER, order_date DATE, region VARCHAR, city VARCHAR,
 sales_rep VARCHAR, customer_segment VARCHAR, category VARCHAR, product VARCHAR, channel VARCHAR,
 quantity INTEGER, unit_price DOUBLE, discount_pct DOUBLE, revenue DOUBLE,
 profit DOUBLE, returned VARCHAR, delivery_days INTEGER"""
STAFF_COLUMNS = """employee_id INTEGER, full_name VARCHAR, department VARCHAR, job_title VARCHAR,
 gender VARCHAR, age INTEGER, hire_date DATE, office VARCHAR, salary INTEGER, bonus DOUBLE,
 performance_score INTEGER, remote VARCHAR, training_hours INTEGER, sick_days INTEGER,
 exit_date DATE, education VARCHAR"""


def _sale(rng: random.Random, number: int) -> tuple[object, ...]:
    region = rng.choices(list(REGIONS), (4, 3, 2, 1))[0]
    category = rng.choices(list(GOODS), (3, 4, 5))[0]
    product, price = rng.choice(list(GOODS[category].items()))
    quantity, discount = rng.randint(1, 12), rng.choice((0.0, 0.0, 5.0, 10.0, 20.0))
    revenue = round(quantity * price * (1 - discount / 100), 2)
    return (
        number + 10001,
        FIRST_DAY + timedelta(days=rng.randint(0, (LAST_DAY - FIRST_DAY).days)),
        region,
        rng.choice(REGIONS[region]),
        rng.choice(REPS),
        rng.choices(("Consumer", "Corporate", "Home Office"), (5, 3, 2))[0],
        category,
        product,
        rng.choices(("Online", "Store", "Phone"), (6, 3, 1))[0],
        quantity,
        price,
        discount,
        revenue,
        round(revenue * rng.uniform(-0.1, 0.4), 2),
        rng.choices(("No", "Yes"), (9, 1))[0],
        None if rng.random() < 0.04 else rng.randint(1, 14),
    )


def _worker(rng: random.Random, number: int) -> tuple[object, ...]:
    first = rng.choice(("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Ivy", "Jon"))
    last = rng.choice(("Park", "Stone", "Ward", "Lopez", "Khan", "Novak", "Reid", "Frost", "Bell"))
    department = rng.choices(list(TITLES), (5, 6, 2, 1, 3))[0]
    hired = date(2014, 1, 6) + timedelta(days=rng.randint(0, 4600))
    gone = rng.random() < 0.18 and hired < date(2026, 1, 1)
    salary = rng.randint(280, 1400) * 100
    return (
        number + 1,
        f"{first} {last}",
        department,
        rng.choices(TITLES[department], (4, 1))[0],
        rng.choice(("Female", "Male")),
        rng.randint(20, 64),
        hired,
        rng.choice(("London", "Berlin", "Madrid", "Dublin")),
        salary,
        None if rng.random() < 0.1 else round(salary * rng.uniform(0, 0.2), 2),
        rng.randint(1, 5),
        rng.choices(("Yes", "No"), (2, 3))[0],
        rng.randint(0, 60),
        rng.randint(0, 20),
        hired + timedelta(days=rng.randint(60, 300)) if gone else None,
        rng.choice(("Bachelor", "Master", "PhD", "High School")),
    )


def write_offices(store: duckdb.DuckDBPyConnection, folder: Path) -> list[Path]:
    """Writes `sales` and `staff` as Parquet files, the same on every machine."""
    rng = random.Random(SEED)
    rows = {
        "sales": (SALES_COLUMNS, [_sale(rng, at) for at in range(ORDERS)]),
        "staff": (STAFF_COLUMNS, [_worker(rng, at) for at in range(STAFF)]),
    }
    made = []
    for name, (columns, values) in rows.items():
        store.execute(f"create temp table made_{name} ({columns})")
        insert(store, f"made_{name}", values)
        made.append(folder / f"{name}.parquet")
        store.execute(f"copy made_{name} to '{made[-1]}' (format parquet)")
    return made
