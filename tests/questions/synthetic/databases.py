"""Ten databases of five or six tables, made by a fixed seed, for questions over several tables."""

import random
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
from tests.questions.rows import insert
from tests.questions.synthetic.columns import (
    FOODS,
    MOODS,
    MOTIFS,
    THINGS,
    TIMES,
    WAYS,
    Tables,
    later,
    listed,
    paired,
    person,
    ref,
    serial,
    via,
)
from tests.questions.synthetic.more_databases import MORE
from tests.questions.synthetic.more_offices import amount, day, one_of, whole

SEED = 20261124
KINDS = {int: "INTEGER", float: "DOUBLE", str: "VARCHAR", date: "DATE"}


def _dish(rng: random.Random, row: dict[str, Any]) -> int:
    place = via("Orders", "OrderID", "RestaurantID")(row)
    dishes = [dish for dish in row["made"]["Dishes"] if dish["RestaurantID"] == place]
    return int(rng.choice(dishes)["DishID"])


def _guest(rng: random.Random, row: dict[str, Any]) -> int:
    others = [one["id"] for one in row["made"]["team"] if one["id"] != row["home_team_id"]]
    return int(rng.choice(others))


def _booked(rng: random.Random, row: dict[str, Any]) -> int:
    played = [via("match", "match_id", side)(row) for side in ("home_team_id", "away_team_id")]
    squad = [one["id"] for one in row["made"]["player"] if one["team_id"] in played]
    return int(squad[int(len(squad) * rng.random() ** 1.5)])


DATABASES: dict[str, Tables] = {
    "clinic": {
        "departments": (7, {
            "department_id": serial(), "name": listed("Cardiology", "Neurology", "Orthopedics",
                "Pediatrics", "Oncology", "Dermatology", "Emergency"),
            "floor": listed(2, 3, 1, 4, 3, 2, 0), "beds": whole(8, 60)}),
        "doctors": (24, {
            "doctor_id": serial(101), "full_name": person(0), "department_id": lambda rng, row:
                row["at"] + 1 if row["at"] < 7 else rng.randint(1, 5),
            "hired_on": day(date(2008, 1, 1), date(2025, 6, 30)),
            "consultation_fee": whole(60, 240)}),
        "patients": (140, {
            "patient_id": serial(1), "full_name": person(30), "sex": one_of("F", "M"),
            "birth_date": day(date(1938, 1, 1), date(2020, 12, 31)),
            "city": one_of("Bristol", "Bath", "Exeter", "Taunton"),
            "insurer": one_of("Medicover", "Axona", "Nordic Health", None)}),
        "appointments": (380, {
            "appointment_id": serial(5001), "patient_id": ref("patients", used=0.9),
            "doctor_id": ref("doctors", used=0.9), "appointment_date": day(),
            "status": one_of("completed", "completed", "no-show", "cancelled"),
            "duration_min": one_of(20, 30, 15, 45)}),
        "medications": (14, {
            "medication_id": serial(), "name": listed("Amoxicillin", "Ibuprofen", "Metformin",
                "Atorvastatin", "Omeprazole", "Salbutamol", "Lisinopril", "Sertraline",
                "Paracetamol", "Warfarin", "Prednisone", "Cetirizine", "Insulin", "Codeine"),
            "form": one_of("tablet", "capsule", "inhaler", "injection"),
            "unit_price": amount(2, 60)}),
        "prescriptions": (300, {
            "prescription_id": serial(), "appointment_id": ref("appointments", used=0.8, skew=1.0),
            "medication_id": ref("medications", used=0.86), "quantity": whole(1, 6),
            "refills": one_of(0, 1, 2, None)}),
    },
    "delivery": {
        "Restaurants": (28, {
            "RestaurantID": serial(), "Name": paired(
                ["Golden", "Little", "Blue", "Old", "Happy"], ["Lantern", "Olive", "Tiger",
                "Kitchen", "Anchor", "Garden", "Spoon", "Pepper", "Oven", "Fig", "Lotus", "Barn"]),
            "Cuisine": one_of("Italian", "Indian", "Thai", "Mexican", "Lebanese"),
            "City": one_of("Manchester", "Leeds", "Sheffield"), "Rating": amount(2.4, 5, gaps=0.1),
            "OpenedYear": whole(1996, 2025)}),
        "Dishes": (165, {
            "DishID": serial(), "RestaurantID": lambda _, row: row["at"] % 28 + 1,
            "DishName": paired(WAYS, FOODS), "Price": amount(4, 28), "Calories": whole(180, 1300),
            "IsVegetarian": one_of("N", "Y")}),
        "Couriers": (22, {
            "CourierID": serial(), "CourierName": person(200),
            "Vehicle": one_of("Bike", "Scooter", "Car"), "HireDate": day(date(2021, 1, 1))}),
        "Customers": (120, {
            "CustID": serial(1001), "CustName": person(240),
            "City": one_of("Manchester", "Leeds", "Sheffield"),
            "SignupDate": day(date(2022, 1, 1), date(2025, 12, 31))}),
        "Orders": (380, {
            "OrderID": serial(), "CustID": ref("Customers", used=0.9),
            "RestaurantID": ref("Restaurants", used=0.9),
            "CourierID": ref("Couriers", used=0.9, gaps=0.1), "OrderDate": day(date(2025, 6, 1)),
            "Status": one_of("Delivered", "Delivered", "Cancelled"),
            "DeliveryMinutes": whole(12, 75, gaps=0.08), "Tip": amount(0, 9, gaps=0.3)}),
        "OrderDishes": (400, {
            "OrderID": ref("Orders", skew=1.0), "DishID": _dish, "Qty": one_of(1, 2, 3)}),
    },
    "league": {
        "stadium": (10, {
            "id": serial(), "name": listed("Riverside Park", "Castle Ground", "Union Arena",
                "North End", "Mill Road", "The Dell", "Harbour Stadium", "Queens Field",
                "Oval Park", "Meadow Lane"),
            "capacity": whole(4200, 52000), "opened": whole(1898, 2019)}),
        "team": (12, {
            "id": serial(), "name": paired(["Ashford", "Brackley", "Carlow", "Dunmore", "Elgin",
                "Fenwick", "Granton", "Hexham", "Kelso", "Larne", "Morpeth", "Newry"],
                ["United", "Rovers", "City", "Athletic", "Wanderers"]),
            "founded": whole(1880, 1995), "stadium_id": ref("stadium", used=0.9, skew=1.0),
            "budget": amount(1.5, 48)}),
        "coach": (15, {
            "id": serial(), "name": person(400), "team_id": lambda _, row: row["at"] % 12 + 1,
            "nationality": one_of("Scottish", "Irish", "Dutch", "Spanish"),
            "since": day(date(2018, 1, 1), date(2026, 6, 30))}),
        "player": (190, {
            "id": serial(), "name": person(420), "team_id": ref("team", gaps=0.05, skew=1.2),
            "position": one_of("Midfielder", "Defender", "Forward", "Goalkeeper"),
            "age": whole(17, 38), "nationality": one_of("Irish", "Scottish", "English", "Dutch",
                "Nigerian", "Brazilian"), "market_value": amount(0.1, 30), "goals": whole(0, 24)}),
        "match": (180, {
            "id": serial(), "home_team_id": ref("team", skew=1.1), "away_team_id": _guest,
            "match_date": day(date(2024, 8, 1)), "home_goals": one_of(1, 2, 0, 3, 4),
            "away_goals": one_of(0, 1, 2, 3), "attendance": whole(900, 24000, gaps=0.05)}),
        "card": (320, {
            "id": serial(), "match_id": ref("match", skew=1.0), "player_id": _booked,
            "colour": one_of("yellow", "yellow", "red"), "minute": whole(1, 94)}),
    },
    "library": {
        "authors": (40, {
            "author_id": serial(), "author_name": person(640),
            "country": one_of("Ireland", "India", "Canada", "Chile", "Japan"),
            "birth_year": whole(1902, 1991)}),
        "books": (180, {
            "book_id": serial(), "title": paired(MOODS, THINGS, 0, "The {} {}"),
            "author_id": ref("authors", used=0.92, skew=1.3),
            "genre": one_of("Novel", "Crime", "Science Fiction", "Biography", "Poetry"),
            "pages": whole(80, 920), "published_year": whole(1950, 2025),
            "language": one_of("English", "French", "Spanish"), "copies": whole(1, 9)}),
        "branches": (5, {
            "branch_id": serial(), "branch_name": listed("Central", "Eastgate", "Hillside",
                "Northfield", "Waterfront"), "opened_year": listed(1931, 1988, 2004, 1975, 2016)}),
        "members": (130, {
            "member_no": serial(3001), "member_name": person(690),
            "membership": one_of("Adult", "Student", "Senior"),
            "joined_on": day(date(2019, 1, 1), date(2025, 12, 31)),
            "email": lambda rng, row: None if rng.random() < 0.15 else
                row["member_name"].lower().replace(" ", ".") + "@mail.test"}),
        "loans": (390, {
            "loan_id": serial(), "book_id": ref("books", used=0.85, skew=1.4),
            "member_no": ref("members", used=0.9), "branch_id": ref("branches", skew=1.2),
            "loan_date": day(), "return_date": later("loan_date", 2, 60, gaps=0.1),
            "fine": amount(0.5, 14, gaps=0.75)}),
    },
    "museum": {
        "curator": (9, {
            "curator_id": serial(), "name": person(860), "hired": whole(1999, 2024),
            "salary": whole(31000, 68000)}),
        "artist": (36, {
            "artist_id": serial(), "name": person(880),
            "nationality": one_of("French", "Dutch", "Spanish", "Danish", "Mexican"),
            "birth_year": whole(1790, 1960),
            "movement": one_of("Impressionism", "Realism", "Cubism", "Surrealism")}),
        "artwork": (140, {
            "artwork_id": serial(), "title": paired(MOTIFS, TIMES),
            "artist_id": ref("artist", used=0.92, gaps=0.06),
            "year": whole(1820, 2010), "medium": one_of("oil", "watercolour", "bronze", "print"),
            "height_cm": whole(18, 290), "insured_value": whole(4000, 2900000)}),
        "exhibition": (16, {
            "exh_id": serial(), "exh_title": paired(["Light", "Bodies", "Silence", "Colour",
                "Machines", "Gardens", "Dreams"], ["and Water", "and Shadow", "and Power",
                "and Memory", "and Stone"]), "curator_id": ref("curator", used=0.8, skew=1.2),
            "start_date": day(date(2023, 1, 1), date(2026, 8, 1)),
            "end_date": later("start_date", 40, 160), "theme": one_of("Modern", "Historic", None)}),
        "exhibition_artwork": (190, {
            "exh_id": ref("exhibition", skew=1.2), "artwork_id": ref("artwork", used=0.8)}),
        "ticket": (400, {
            "ticket_id": serial(), "exh_id": ref("exhibition", used=0.95, skew=1.3),
            "sold_on": day(date(2025, 1, 1)), "kind": one_of("Adult", "Child", "Concession"),
            "price": lambda _, row: {"Adult": 14.0, "Child": 7.0}.get(
                row["kind"], 9.5), "online": one_of("yes", "no")}),
    },
    **MORE,
}  # fmt: skip
PAIRS = {"OrderDishes", "exhibition_artwork", "EmployeeSkill", "enrolment", "membership",
         "ticket_tags", "order_items"}  # fmt: skip
"""Tables whose first two columns are never the same in two rows."""
HELD_OUT = frozenset(sorted(DATABASES)[1::2])


def write_several(store: duckdb.DuckDBPyConnection, folder: Path, database: str) -> list[Path]:
    """Writes the tables of one database as Parquet files, the same on every machine."""
    rng = random.Random(f"{SEED} {database}")
    made: dict[str, list[dict[str, Any]]] = {}
    written = []
    for table, (count, makers) in DATABASES[database].items():
        rows = made[table] = _drawn(rng, made, count, makers, once=table in PAIRS)
        kinds = {
            column: KINDS[next(type(row[column]) for row in rows if row[column] is not None)]
            for column in makers
        }
        typed = ", ".join(f"{column} {kind}" for column, kind in kinds.items())
        store.execute(f"create table made_{table} ({typed})")
        insert(store, f"made_{table}", [list(row.values()) for row in rows])
        written.append(folder / f"{table}.parquet")
        store.execute(f"copy made_{table} to '{written[-1]}' (format parquet)")
        store.execute(f"drop table made_{table}")
    return written


def _drawn(
    rng: random.Random, made: dict[str, Any], count: int, makers: dict[str, Any], *, once: bool
) -> list[dict[str, Any]]:
    rows: dict[Any, dict[str, Any]] = {}
    for at in range(count):
        row: dict[str, Any] = {"at": at, "made": made}
        for column, make in makers.items():
            row[column] = make(rng, row)
        kept = {column: row[column] for column in makers}
        rows.setdefault(tuple(kept.values())[:2] if once else at, kept)
    return list(rows.values())
