"""Questions of businesses that nothing was made with: `python -m benchmarks.asking.own.businesses`.

--only NAME...     only these sets
--misses           prints what goes wrong
--readers, --confidence, --seconds, --sample and --questions as `python -m benchmarks.asking`

Eleven sets of tables are made here, the same each time. What is asked of them
(`businesses.toml`) was written, with the SQL that answers it, before anything was held against it.
"""

import random
import tempfile
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.asking import sets
from benchmarks.asking.__main__ import Run, arguments
from benchmarks.asking.own.__main__ import read

TODAY = date(2025, 6, 15)
Rows = list[dict[str, Any]]
Made = dict[str, Rows]


def _day(of: random.Random, first: date, last: date = TODAY) -> date:
    return first + timedelta(days=of.randrange((last - first).days + 1))


def _moment(of: random.Random, first: date, last: date = TODAY) -> datetime:
    day = _day(of, first, last)
    return datetime.combine(day, time(of.randrange(24), of.randrange(60)))


def _retail(of: random.Random) -> Made:
    cities = {
        "Leeds": "North",
        "York": "North",
        "Bristol": "South",
        "Brighton": "South",
        "Bath": "West",
    }
    stores = [
        {
            "store_id": at,
            "store_name": f"{city} {place}",
            "city": city,
            "region": region,
            "opened_on": _day(of, date(2008, 1, 1), date(2022, 1, 1)),
            "floor_area_m2": of.randrange(200, 2400),
        }
        for at, (place, (city, region)) in enumerate(
            [(place, one) for place in ("High Street", "Station") for one in cities.items()], 1
        )
    ]
    products = [
        {
            "product_id": at,
            "product": f"{kind} {at}",
            "brand": of.choice(["Acme", "Nordia", "Zephyr"]),
            "category": kind,
            "list_price": round(of.uniform(4, 260), 2),
        }
        for at, kind in enumerate(["Lamp", "Chair", "Rug", "Clock", "Mirror"] * 9, 1)
    ]

    def line(at: int) -> dict[str, Any]:
        units, price = of.randrange(1, 7), round(of.uniform(4, 260), 2)
        return {
            "sale_id": at,
            "store_id": of.randrange(1, 10),
            "product_id": of.randrange(1, 42),
            "sold_on": _day(of, date(2023, 1, 1)),
            "units": units,
            "unit_price": price,
            "amount": round(units * price, 2),
            "payment": of.choice(["card", "card", "cash", "voucher"]),
        }

    def back(at: int) -> dict[str, Any]:
        return {
            "return_id": at,
            "store_id": of.randrange(1, 8),
            "product_id": of.randrange(1, 38),
            "returned_on": _day(of, date(2023, 2, 1)),
            "units": of.randrange(1, 3),
            "refund": round(of.uniform(4, 260), 2),
            "reason": of.choice(["damaged", "wrong size", "unwanted"]),
        }

    return {
        "stores": stores,
        "products": products,
        "sales": [line(at) for at in range(1, 1301)],
        "returns": [back(at) for at in range(1, 181)],
    }


def _hospital(of: random.Random) -> Made:
    names = ["Cardiology", "Oncology", "Maternity", "Orthopaedics", "Paediatrics", "Geriatrics"]
    wards = [
        {"ward_id": at, "ward": one, "floor": at // 2 + 1, "beds": of.randrange(10, 40)}
        for at, one in enumerate(names, 1)
    ]
    doctors = [
        {"doctor_id": at, "surname": one, "specialty": names[at % 5]}
        for at, one in enumerate(
            ["Adeyemi", "Brandt", "Cohen", "Duarte", "Eriksen", "Fontaine", "Gupta", "Haas"], 1
        )
    ]
    patients = [
        {
            "patient_id": at,
            "sex": of.choice("FM"),
            "born_on": _day(of, date(1935, 1, 1), date(2023, 1, 1)),
            "blood_group": of.choice(["0", "A", "B", "AB"]),
            "insurer": of.choice(["Helvia", "Sanitas", "Concord"]),
        }
        for at in range(1, 301)
    ]

    def stay(at: int) -> dict[str, Any]:
        came = _day(of, date(2023, 1, 1))
        left = came + timedelta(days=of.randrange(1, 20))
        return {
            "admission_id": at,
            "patient_id": of.randrange(1, 281),
            "ward_id": of.randrange(1, 6),
            "doctor_id": of.randrange(1, 9),
            "admitted_on": came,
            "discharged_on": left if left <= TODAY else None,
            "diagnosis": of.choice(["fracture", "pneumonia", "stroke", "asthma", "birth"]),
            "cost": of.randrange(300, 18000),
            "outcome": of.choice(["recovered", "recovered", "transferred", "died"]),
        }

    return {
        "wards": wards,
        "doctors": doctors,
        "patients": patients,
        "admissions": [stay(at) for at in range(1, 621)],
    }


def _school(of: random.Random) -> Made:
    students = [
        {
            "student_id": at,
            "first_name": of.choice(["Ana", "Ben", "Cleo", "Dan", "Eva", "Finn"]),
            "last_name": of.choice(["Moss", "Park", "Quinn", "Reed", "Stone", "Tate"]),
            "form": of.choice(["7A", "7B", "8A", "8B"]),
            "house": of.choice(["Falcon", "Heron", "Osprey"]),
            "enrolled_on": _day(of, date(2021, 8, 1), date(2024, 9, 1)),
        }
        for at in range(1, 181)
    ]

    def exam(at: int) -> dict[str, Any]:
        score = of.randrange(15, 101)
        return {
            "exam_id": at,
            "student_id": of.randrange(1, 171),
            "subject": of.choice(["Maths", "French", "Physics", "History"]),
            "taken_on": _day(of, date(2023, 9, 1)),
            "score": score,
            "passed": score >= 50,
        }

    def attendance(at: int) -> dict[str, Any]:
        status = of.choice(["present", "present", "present", "late", "absent"])
        late = of.randrange(1, 45) if status == "late" else 0
        return {
            "mark_id": at,
            "student_id": of.randrange(1, 181),
            "day": _day(of, date(2024, 1, 1)),
            "status": status,
            "minutes_late": late,
        }

    return {
        "students": students,
        "exams": [exam(at) for at in range(1, 701)],
        "attendance": [attendance(at) for at in range(1, 1201)],
    }


def _fleet(of: random.Random) -> Made:
    vehicles = [
        {
            "vehicle_id": at,
            "plate": f"{of.choice('KLM')}{at:03}X",
            "make": of.choice(["Volvo", "MAN", "Scania", "Iveco"]),
            "model_year": of.randrange(2014, 2025),
            "fuel": of.choice(["diesel", "diesel", "electric"]),
            "depot": of.choice(["Gdansk", "Poznan", "Lublin"]),
        }
        for at in range(1, 41)
    ]
    drivers = [
        {
            "driver_id": at,
            "driver": f"{of.choice(['Adam', 'Beata', 'Celina', 'Dariusz', 'Ewa'])} {chr(64 + at)}.",
            "licence": of.choice(["C", "CE"]),
            "hired_on": _day(of, date(2012, 1, 1), date(2024, 1, 1)),
        }
        for at in range(1, 25)
    ]

    def trip(at: int) -> dict[str, Any]:
        began, km = _moment(of, date(2024, 1, 1)), round(of.uniform(8, 740), 1)
        return {
            "trip_id": at,
            "vehicle_id": of.randrange(1, 38),
            "driver_id": of.randrange(1, 23),
            "started_at": began,
            "ended_at": began + timedelta(minutes=int(km * 1.1)),
            "km": km,
            "fuel_l": round(km * of.uniform(0.2, 0.4), 1),
            "top_speed_kmh": of.randrange(60, 112),
        }

    def incident(at: int) -> dict[str, Any]:
        return {
            "incident_id": at,
            "vehicle_id": of.randrange(1, 33),
            "happened_at": _moment(of, date(2024, 1, 1)),
            "kind": of.choice(["puncture", "collision", "breakdown"]),
            "repair_cost": of.randrange(40, 5200),
        }

    return {
        "vehicles": vehicles,
        "drivers": drivers,
        "trips": [trip(at) for at in range(1, 901)],
        "incidents": [incident(at) for at in range(1, 121)],
    }


def _energy(of: random.Random) -> Made:
    meters = [
        {
            "meter_id": f"E{at:03}",
            "street": of.choice(["Mill Lane", "Dock Road", "Park Avenue"]),
            "postcode": of.choice(["1010", "1020", "1030", "1040"]),
            "tariff": of.choice(["day", "night", "flat"]),
            "installed_on": _day(of, date(2016, 1, 1), date(2024, 1, 1)),
            "is_smart": of.random() < 0.6,
        }
        for at in range(1, 31)
    ]
    readings = [
        {
            "meter_id": f"E{meter:03}",
            "read_at": datetime.combine(date(2025, 6, 1), time()) + timedelta(hours=6 * at),
            "kwh": round(of.uniform(0.1, 6.5), 3),
            "voltage": round(of.uniform(221, 239), 1),
        }
        for meter in range(1, 28)
        for at in range(52)
    ]
    return {"meters": meters, "readings": readings}


def _library(of: random.Random) -> Made:
    members = [
        {
            "member_id": at,
            "name": f"Member {at:03}",
            "member_type": of.choice(["adult", "adult", "child", "senior"]),
            "branch": of.choice(["Central", "Eastside", "Hillview"]),
            "joined": _day(of, date(2015, 1, 1), date(2025, 1, 1)),
        }
        for at in range(1, 141)
    ]
    books = [
        {
            "book_id": at,
            "title": f"Title {at:03}",
            "author": of.choice(["Okri", "Lagerlof", "Tokarczuk", "Baldwin", "Allende"]),
            "genre": of.choice(["crime", "poetry", "history", "fantasy"]),
            "published": of.randrange(1950, 2024),
            "copies": of.randrange(1, 9),
        }
        for at in range(1, 91)
    ]

    def loan(at: int) -> dict[str, Any]:
        began = _day(of, date(2023, 6, 1))
        back = began + timedelta(days=of.randrange(2, 50))
        return {
            "loan_id": at,
            "member_id": of.randrange(1, 131),
            "book_id": of.randrange(1, 83),
            "loaned_on": began,
            "due_on": began + timedelta(days=28),
            "returned_on": back if back <= TODAY else None,
            "fine": round(max(0, (back - began).days - 28) * 0.25, 2),
        }

    return {"members": members, "books": books, "loans": [loan(at) for at in range(1, 801)]}


def _staff(of: random.Random) -> Made:
    def person(at: int) -> dict[str, Any]:
        hired = _day(of, date(2008, 1, 1), date(2025, 5, 1))
        gone = _day(of, hired) if of.random() < 0.25 else None
        return {
            "EmpNo": at,
            "FullName": f"Person {at:03}",
            "Dept": of.choice(["Finance", "Legal", "Operations", "Sales", "IT"]),
            "JobTitle": of.choice(["Analyst", "Manager", "Assistant", "Engineer"]),
            "Office": of.choice(["Porto", "Ghent", "Turku"]),
            "HireDate": hired,
            "LeaveDate": gone,
            "Salary": of.randrange(24000, 98000),
            "Gender": of.choice(["F", "M"]),
            "FTE": of.choice([1.0, 1.0, 0.5, 0.8]),
            "AbsenceDays": of.randrange(0, 24),
        }

    return {"staff": [person(at) for at in range(1, 321)]}


def _sensors(of: random.Random) -> Made:
    rows = [
        {
            "sensor": f"S{sensor}",
            "site": ["roof", "cellar", "yard", "yard"][sensor % 4],
            "measured_at": datetime(2025, 5, 20, 0, 30, tzinfo=UTC) + timedelta(hours=at),
            "temp_c": round(of.uniform(-3, 34), 1),
            "humidity_pct": of.randrange(18, 99),
            "battery_v": round(of.uniform(2.7, 3.6), 2),
            "status": of.choice(["ok", "ok", "ok", "ok", "fault", "low battery"]),
        }
        for sensor in range(1, 9)
        for at in range(0, 620, 3)
    ]
    return {"measurements": rows}


def _support(of: random.Random) -> Made:
    def ticket(at: int) -> dict[str, Any]:
        opened = _moment(of, date(2024, 1, 1))
        done = of.random() < 0.85
        return {
            "ticket_no": at,
            "opened": opened,
            "closed": opened + timedelta(hours=of.randrange(1, 200)) if done else None,
            "agent": of.choice(["Aiko", "Bram", "Chloe", "Dina", "Emeka"]),
            "team": of.choice(["billing", "technical", "accounts"]),
            "priority": of.choice(["low", "medium", "high", "urgent"]),
            "channel": of.choice(["email", "phone", "chat"]),
            "first_reply_min": of.randrange(1, 480),
            "reopened": of.random() < 0.1,
            "rating": of.choice([None, 1, 2, 3, 4, 5, 5]),
        }

    return {"tickets": [ticket(at) for at in range(1, 801)]}


def _hotel(of: random.Random) -> Made:
    def booking(at: int) -> dict[str, Any]:
        nights, price, booked = (
            of.randrange(1, 12),
            of.randrange(45, 390),
            _day(of, date(2023, 1, 1)),
        )
        return {
            "booking_ref": f"B{at:05}",
            "hotel": of.choice(["Astoria", "Bellevue", "Cosmos"]),
            "room_type": of.choice(["single", "double", "suite"]),
            "booked_on": booked,
            "check_in": booked + timedelta(days=of.randrange(0, 120)),
            "nights": nights,
            "guests": of.randrange(1, 5),
            "price_per_night": price,
            "total": nights * price,
            "cancelled": of.choice(["Y", "N", "N", "N", "N"]),
            "country": of.choice(["Austria", "Belgium", "Canada", "Denmark", "Estonia"]),
            "agency": of.choice([None, "Globe", "Sunway"]),
        }

    return {"bookings": [booking(at) for at in range(1, 751)]}


def _inspections(of: random.Random) -> Made:
    def visit(at: int) -> dict[str, Any]:
        found = of.choice([0, 0, 1, 2, 3, 5, 8])
        return {
            "inspection_id": at,
            "facility": f"Facility {of.randrange(1, 61):02}",
            "place": of.choice(["Bergen", "Oslo", "Molde", "Narvik"]),
            "facility_type": of.choice(["bakery", "restaurant", "canteen"]),
            "inspection_date": _day(of, date(2021, 1, 1)),
            "inspector": of.choice(["Berg", "Dahl", "Holm"]),
            "violations": found,
            "result": "fail" if found > 4 else "pass with conditions" if found > 1 else "pass",
            "score": 100 - 6 * found - of.randrange(5),
        }

    return {"inspections": [visit(at) for at in range(1, 541)]}


BUSINESSES: dict[str, Callable[[random.Random], Made]] = {
    "retail": _retail,
    "hospital": _hospital,
    "school": _school,
    "fleet": _fleet,
    "energy": _energy,
    "library": _library,
    "staff": _staff,
    "sensors": _sensors,
    "support": _support,
    "hotel": _hotel,
    "inspections": _inspections,
}


def made(name: str, folder: Path) -> sets.Data:
    """Writes the tables of a business to a folder, the same each time."""
    tables = {}
    for table, rows in BUSINESSES[name](random.Random(name)).items():
        tables[table] = folder / f"{name}.{table}.parquet"
        pq.write_table(pa.Table.from_pylist(rows), tables[table])
    return sets.Data(name, tables, TODAY)


def main() -> None:
    given = arguments("How questions of businesses are answered.").parse_args()
    run = Run("development", given)
    with tempfile.TemporaryDirectory() as folder:
        for name, told in read("businesses").items():
            if not given.only or name in given.only:
                run.ask(sets.parsed(name, told), made(name, Path(folder)))
    run.report()


if __name__ == "__main__":
    main()
