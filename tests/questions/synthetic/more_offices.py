"""Eight tables of other fields, made by a fixed seed: tickets, prices, a survey, logs and more."""

import random
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import duckdb
from tests.questions.rows import insert

SEED = 20261123
FIRST_DAY = date(2025, 1, 1)
LAST_DAY = date(2026, 11, 19)
Maker = Callable[[random.Random, dict[str, Any]], Any]


def one_of(*values: Any) -> Maker:
    """Draws the earlier values more often."""
    odds = [len(values) - 0.7 * at for at in range(len(values))]
    return lambda rng, _: rng.choices(values, odds)[0]


def whole(low: int, high: int, *, gaps: float = 0.0) -> Maker:
    return lambda rng, _: None if rng.random() < gaps else rng.randint(low, high)


def amount(low: float, high: float, *, gaps: float = 0.0) -> Maker:
    return lambda rng, _: None if rng.random() < gaps else round(rng.uniform(low, high), 2)


def day(low: date = FIRST_DAY, high: date = LAST_DAY, *, gaps: float = 0.0) -> Maker:
    def draw(rng: random.Random, _: dict[str, Any]) -> date | None:
        at = low + timedelta(days=rng.randint(0, (high - low).days))
        return None if rng.random() < gaps else at

    return draw


def moment(low: date = FIRST_DAY, high: date = LAST_DAY) -> Maker:
    start = datetime.combine(low, time())
    span = ((high - low).days + 1) * 86_400 - 1
    return lambda rng, _: start + timedelta(seconds=rng.randint(0, span))


def named(prefix: str) -> Maker:
    return lambda _, row: f"{prefix}{1000 + row['at']}"


def _closed(_: random.Random, row: dict[str, Any]) -> datetime | None:
    hours = row["resolution_hours"]
    return None if hours is None else row["opened_at"] + timedelta(hours=hours)


COMPANIES = {
    "NVX": ("Novax", "Technology", 80.0),
    "ORB": ("Orbit Energy", "Energy", 95.0),
    "ZEN": ("Zenith Foods", "Consumer", 41.0),
    "HLX": ("Helix Pharma", "Healthcare", 130.0),
    "QTM": ("Quantum Chips", "Technology", 210.0),
    "BRG": ("Bergen Oil", "Energy", 63.0),
}


def _company(part: int) -> Maker:
    return lambda _, row: COMPANIES[row["ticker"]][part]


def _trading_day(_: random.Random, row: dict[str, Any]) -> date:
    weeks, rest = divmod(row["at"] // len(COMPANIES), 5)
    return date(2025, 1, 6) + timedelta(days=7 * weeks + rest)


def _around(name: str, spread: float) -> Maker:
    return lambda rng, row: round(row[name] * rng.uniform(1 - spread, 1 + spread), 2)


def _full_name(rng: random.Random, _: dict[str, Any]) -> str:
    first = rng.choice(("Alma", "Boris", "Carla", "Dino", "Edith", "Felix", "Greta", "Henk"))
    return f"{first} {rng.choice(('Adler', 'Brandt', 'Costa', 'Dupont', 'Ekholm', 'Fischer'))}"


TABLES: dict[str, tuple[int, dict[str, tuple[str, Maker]]]] = {
    "tickets": (900, {
        "ticket_id": ("INTEGER", lambda _, row: 5000 + row["at"]),
        "opened_at": ("TIMESTAMP", moment()),
        "resolution_hours": ("DOUBLE", amount(0.5, 96, gaps=0.12)),
        "closed_at": ("TIMESTAMP", _closed),
        "agent": ("VARCHAR", one_of("Nadia", "Viktor", "Soren", "Camille", "Rashid")),
        "team": ("VARCHAR", one_of("Tier 1", "Tier 2", "Back Office")),
        "priority": ("VARCHAR", one_of("Medium", "Low", "High", "Urgent")),
        "topic": ("VARCHAR", one_of("Login", "Billing", "Shipping", "Bug", "Refund")),
        "contact_channel": ("VARCHAR", one_of("Email", "Chat", "Phone")),
        "first_reply_minutes": ("INTEGER", whole(1, 480)),
        "satisfaction": ("INTEGER", whole(1, 5, gaps=0.3)),
        "reopened": ("VARCHAR", one_of("No", "Yes")),
    }),
    "daily_prices": (2900, {
        "trade_date": ("DATE", _trading_day),
        "ticker": ("VARCHAR", lambda _, row: list(COMPANIES)[row["at"] % len(COMPANIES)]),
        "company": ("VARCHAR", _company(0)),
        "sector": ("VARCHAR", _company(1)),
        "base": ("", _company(2)),
        "open_price": ("DOUBLE", _around("base", 0.2)),
        "close_price": ("DOUBLE", _around("open_price", 0.03)),
        "volume": ("BIGINT", whole(10_000, 900_000)),
        "dividend": ("DOUBLE", amount(0.1, 1.2, gaps=0.97)),
    }),
    "survey": (700, {
        "respondent_id": ("INTEGER", lambda _, row: row["at"] + 1),
        "submitted_on": ("DATE", day(date(2026, 2, 1), date(2026, 9, 30))),
        "country": ("VARCHAR", one_of("Germany", "France", "Italy", "Poland", "Norway")),
        "age_group": ("VARCHAR", one_of("25-34", "35-44", "18-24", "45-54", "55+")),
        "gender": ("VARCHAR", one_of("Female", "Male", "Other")),
        "device": ("VARCHAR", one_of("Mobile", "Desktop", "Tablet")),
        "plan": ("VARCHAR", one_of("Free", "Basic", "Pro")),
        "nps": ("INTEGER", whole(0, 10)),
        "ease_of_use": ("INTEGER", whole(1, 5)),
        "would_recommend": ("VARCHAR", one_of("Yes", "No", "Not sure")),
        "hours_per_week": ("DOUBLE", amount(0, 30, gaps=0.05)),
    }),
    "requests": (3000, {
        "requested_at": ("TIMESTAMP", moment(date(2026, 8, 1))),
        "path": ("VARCHAR", one_of("/home", "/search", "/product", "/cart", "/checkout", "/help",
                                   "/account")),
        "method": ("VARCHAR", one_of("GET", "POST")),
        "status": ("INTEGER", one_of(200, 301, 404, 500)),
        "response_ms": ("INTEGER", whole(12, 2600)),
        "bytes_sent": ("INTEGER", whole(200, 90_000)),
        "browser": ("VARCHAR", one_of("Chrome", "Safari", "Firefox", "Edge")),
        "country": ("VARCHAR", one_of("US", "IN", "DE", "BR")),
        "referrer": ("VARCHAR", one_of(None, "google", "newsletter", "bing")),
        "is_bot": ("BOOLEAN", one_of(False, False, True)),
    }),
    "stock_items": (260, {
        "sku": ("VARCHAR", named("SKU-")),
        "item_name": ("VARCHAR", lambda rng, row: rng.choice(
            ("Hammer", "Drill", "Lamp", "Rope", "Paint", "Glue", "Shovel", "Tarp")
        ) + f" {row['at'] + 1}"),
        "category": ("VARCHAR", one_of("Tools", "Garden", "Lighting", "Chemicals")),
        "warehouse": ("VARCHAR", one_of("Bremen", "Lyon", "Porto")),
        "supplier": ("VARCHAR", one_of("Kessler AG", "Duval", "Ferro Ltd", "Nordhandel", "Amaro")),
        "qty_on_hand": ("INTEGER", whole(0, 120)),
        "reorder_level": ("INTEGER", whole(5, 40)),
        "unit_cost": ("DOUBLE", amount(1, 90)),
        "selling_price": ("DOUBLE", _around("unit_cost", 0.4)),
        "last_counted": ("DATE", day(date(2026, 1, 1))),
        "discontinued": ("VARCHAR", one_of("No", "No", "Yes")),
        "expiry_date": ("DATE", day(date(2026, 11, 1), date(2027, 12, 31), gaps=0.6)),
    }),
    "bookings": (1100, {
        "booking_ref": ("VARCHAR", named("BK")),
        "guest_name": ("VARCHAR", _full_name),
        "booked_on": ("DATE", day()),
        "check_in": ("DATE", lambda rng, row: row["booked_on"] + timedelta(rng.randint(0, 90))),
        "nights": ("INTEGER", whole(1, 14)),
        "room_type": ("VARCHAR", one_of("Double", "Single", "Suite")),
        "guests": ("INTEGER", whole(1, 4)),
        "rate_per_night": ("DOUBLE", amount(60, 340)),
        "total_price": ("DOUBLE", lambda _, row: round(row["nights"] * row["rate_per_night"], 2)),
        "booking_source": ("VARCHAR", one_of("Website", "Agency", "Phone", "Walk-in")),
        "cancelled": ("VARCHAR", one_of("No", "No", "Yes")),
        "review_score": ("DOUBLE", amount(3, 10, gaps=0.4)),
        "country_of_origin": ("VARCHAR", one_of("Spain", "UK", "Netherlands", "Sweden", "Japan",
                                                "Brazil", "Canada")),
    }),
    "visits": (1000, {
        "visit_id": ("INTEGER", lambda _, row: row["at"] + 1),
        "visit_date": ("DATE", day()),
        "doctor": ("VARCHAR", one_of("Dr Moreau", "Dr Ilves", "Dr Tanaka", "Dr Okafor")),
        "specialty": ("VARCHAR", one_of("General", "Cardiology", "Dermatology", "Pediatrics")),
        "patient_age": ("INTEGER", whole(0, 96)),
        "patient_sex": ("VARCHAR", one_of("F", "M")),
        "insurance": ("VARCHAR", one_of("Public", "Private", "Self-pay")),
        "wait_minutes": ("INTEGER", whole(0, 75)),
        "fee": ("DOUBLE", amount(30, 260)),
        "no_show": ("VARCHAR", one_of("No", "No", "Yes")),
        "follow_up": ("VARCHAR", one_of("No", "Yes")),
    }),
    "ad_stats": (1400, {
        "day": ("DATE", day()),
        "campaign": ("VARCHAR", one_of("Spring Sale", "Back to School", "Loyalty", "Launch",
                                       "Clearance")),
        "platform": ("VARCHAR", one_of("Facebook", "Google", "YouTube", "LinkedIn")),
        "country": ("VARCHAR", one_of("Germany", "France", "Spain")),
        "spend": ("DOUBLE", amount(20, 900)),
        "impressions": ("INTEGER", whole(1_000, 90_000)),
        "clicks": ("INTEGER", whole(5, 2_400)),
        "conversions": ("INTEGER", whole(0, 60)),
    }),
}  # fmt: skip


def write_offices_more(store: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Writes the tables as Parquet files, the same on every machine."""
    rng = random.Random(SEED)
    for name, (count, columns) in TABLES.items():
        rows: list[dict[str, Any]] = [{"at": at} for at in range(count)]
        for row in rows:
            for column, (_, make) in columns.items():
                row[column] = make(rng, row)
        kept = {column: kind for column, (kind, _) in columns.items() if kind}
        typed = ", ".join(f"{column} {kind}" for column, kind in kept.items())
        store.execute(f"create temp table made_{name} ({typed})")
        insert(store, f"made_{name}", [[row[column] for column in kept] for row in rows])
        store.execute(f"copy made_{name} to '{folder / name}.parquet' (format parquet)")
