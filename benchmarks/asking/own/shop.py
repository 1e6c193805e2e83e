"""A made database of a shop: customers, products, orders and what was ordered."""

import random
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

TODAY = date(2025, 11, 20)
FIRST_DAY = date(2023, 1, 1)
CUSTOMERS = 160
WITHOUT_ORDERS = 12
"""Customers who never ordered anything."""
PRODUCTS = 60
UNSOLD = 3
"""Products that nobody ever ordered."""
ORDERS = 900
MOST_ITEMS = 5
"""Items of an order at most."""
CITIES = {
    "Germany": ["Berlin", "Hamburg", "Munich"],
    "France": ["Paris", "Lyon"],
    "Spain": ["Madrid", "Seville"],
    "Italy": ["Rome", "Milan"],
    "Poland": ["Warsaw"],
}
CATEGORIES = ["Garden", "Toys", "Books", "Kitchen", "Sports"]
STATUSES = ["completed", "completed", "completed", "completed", "cancelled", "refunded", "pending"]

Rows = list[dict[str, Any]]


def tables(folder: Path) -> dict[str, Path]:
    """Writes the tables to a folder, the same each time, and names their files."""
    of = random.Random("shop")
    customers = [_customer(at, of) for at in range(1, CUSTOMERS + 1)]
    products = [_product(at, of) for at in range(1, PRODUCTS + 1)]
    orders = [_order(at, of) for at in range(1, ORDERS + 1)]
    items = [one for order in orders for one in _items(order["order_id"], of)]
    items = [{"item_id": at, **one} for at, one in enumerate(items, start=1)]
    made = {"customers": customers, "products": products, "orders": orders, "order_items": items}
    return {name: _written(folder / f"{name}.parquet", rows) for name, rows in made.items()}


def _written(path: Path, rows: Rows) -> Path:
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


def _customer(at: int, of: random.Random) -> dict[str, Any]:
    country = of.choices(list(CITIES), weights=[5, 4, 3, 2, 1])[0]
    return {
        "customer_id": at,
        "name": f"Customer {at:03}",
        "city": of.choice(CITIES[country]),
        "country": country,
        "segment": of.choice(["business", "consumer", "consumer", "public"]),
        "signed_up_on": date(2021, 1, 1) + timedelta(days=of.randrange(1600)),
    }


def _product(at: int, of: random.Random) -> dict[str, Any]:
    return {
        "product_id": at,
        "product_name": f"Product {at:02}",
        "category": of.choice(CATEGORIES),
        "unit_price": round(of.uniform(3, 120), 2),
    }


def _order(at: int, of: random.Random) -> dict[str, Any]:
    return {
        "order_id": at,
        "customer_id": of.randrange(1, CUSTOMERS + 1 - WITHOUT_ORDERS),
        "ordered_on": FIRST_DAY + timedelta(days=of.randrange((TODAY - FIRST_DAY).days + 1)),
        "status": of.choice(STATUSES),
        "channel": of.choice(["web", "web", "app", "store"]),
    }


def _items(order: int, of: random.Random) -> Rows:
    sold = of.sample(range(1, PRODUCTS + 1 - UNSOLD), of.randrange(1, MOST_ITEMS + 1))
    return [
        {
            "order_id": order,
            "product_id": one,
            "quantity": of.randrange(1, 6),
            "discount": of.choice([0.0, 0.0, 0.0, 0.1, 0.2]),
        }
        for one in sold
    ]
