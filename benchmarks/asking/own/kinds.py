"""Questions of the kinds of the shared cases, over other tables and in other words.

Each kind has three in `kinds.toml`, written before they were asked. Their tables are small and made
here; what is right is SQL that is asked of the same tables.
"""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

Tables = dict[str, str]
"""CSV by the names of the files."""


def _csv(header: str, rows: Iterable[Sequence[object]]) -> str:
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"


def _day(first: date, at: int) -> date:
    return first + timedelta(days=at)


def _places(
    table: tuple[str, str, str], visits: tuple[str, str, str], names: Sequence[str], dangling: int
) -> Tables:
    """Places, and what happened at them: at the last ones nothing."""
    (place, name, area), (event, figure, day) = table, visits
    rows = ((at, one, f"{area} {at % 4}") for at, one in enumerate(names, 1))
    held = len(names) - 3
    events = (
        (at, at % held + 1 if at > dangling else 999, 3 + at % 2, _day(date(2023, 2, 1), at))
        for at in range(1, 601)
    )
    return {
        f"{place}s.csv": _csv(f"{place}_id,{name},{area}", rows),
        f"{event}s.csv": _csv(f"{event}_id,{place}_id,{figure},{day}", events),
    }


_TOWNS = [
    f"{one}{two}" for one in ("Lang", "Oster", "Vest", "Nord") for two in ("by", "vik", "dal")
]
_QUARTERS = [
    f"{one} {two}" for one in ("Upper", "Lower", "Old") for two in ("Mill", "Quay", "Hill")
]
_PORTS = [f"Port {one}" for one in ("Ada", "Bo", "Cy", "Dee", "Eli", "Fay", "Gus", "Hal")]


def _clinics(dangling: int = 0) -> Tables:
    told = ("clinic", "town", "county"), ("visit", "fee", "seen_on")
    return _places(*told, _TOWNS, dangling)


def _branches(dangling: int = 0) -> Tables:
    told = ("branch", "quarter", "borough"), ("loan", "fine", "lent_on")
    made = _places(*told, _QUARTERS, dangling)
    return {"branches.csv": made["branchs.csv"], "loans.csv": made["loans.csv"]}


def _harbours(dangling: int = 0) -> Tables:
    told = ("harbour", "port", "coast"), ("trip", "toll", "sailed_on")
    return _places(*told, _PORTS, dangling)


def _parts(
    whole: tuple[str, str, str], part: tuple[str, str, str], kinds: tuple[str, str]
) -> Tables:
    """Wholes with an amount each, and two parts of every one."""
    (name, who, amount), (of, kind, figure) = whole, part
    wholes = ((at, f"{who}{at % 3}", 50 + at % 5) for at in range(1, 61))
    parts = ((at, (at + 1) // 2, kinds[at % 3 == 0], at % 4 + 1) for at in range(1, 121))
    return {
        f"{name}s.csv": _csv(f"{name}_id,{who},{amount}", wholes),
        f"{of}s.csv": _csv(f"{of}_id,{name}_id,{kind},{figure}", parts),
    }


_FLIGHTS = {
    "flights.csv": "flight_id,origin_airport_id,destination_airport_id,seats\n"
    "1,1,2,90\n2,2,3,120\n3,3,2,80\n4,2,1,150\n5,1,3,75\n",
    "airports.csv": "airport_id,town\n1,Rome\n2,Oslo\n3,Riga\n",
}
_PARCELS = {
    "parcels.csv": "parcel_id,sender_office_id,receiver_office_id,weight\n"
    "1,1,2,4\n2,2,1,7\n3,3,2,2\n4,2,3,9\n5,2,1,5\n",
    "offices.csv": "office_id,town\n1,Bergen\n2,Tromso\n3,Bodo\n",
}
_MATCHES = {
    "matches.csv": "match_id,home_team_id,away_team_id,goals\n1,1,2,3\n2,2,1,1\n3,3,2,0\n4,2,3,4\n",
    "teams.csv": "team_id,team_name\n1,Lions\n2,Bears\n3,Hawks\n",
}
_CREW = {
    "crew.csv": "person_id,full_name,boss_id,wage\n1,Maria,,900\n2,Otto,1,700\n3,Pia,1,650\n"
    "4,Rolf,2,500\n5,Sina,2,480\n"
}
_PUPILS = {
    "pupils.csv": "pupil_id,name,mentor_id,grade\n1,Ida,,9\n2,Jan,1,7\n3,Kim,1,7\n4,Lea,3,5\n"
}
_SHELVES = {
    "categories.csv": "category_id,title,parent_id,items\n1,Garden,,40\n2,Pots,1,12\n3,Seeds,1,20\n"
    "4,Tools,,33\n5,Saws,4,9\n"
}


def _ranked(one: tuple[str, str], other: tuple[str, str], kinds: Sequence[str]) -> Tables:
    """Rows of kinds that are of different number, and a second table with a column of its own."""
    (rows, kind), (second, figure) = one, other
    shown = [kind_ for at, kind_ in enumerate(kinds) for _ in range(3 * (at * 7 % 5) + at + 1)]
    first = ((at, said, 10 * at % 70) for at, said in enumerate(shown, 1))
    told = ((at, at % len(shown) + 1, at % 9) for at in range(1, 41))
    return {
        f"{rows}s.csv": _csv(f"{rows}_id,{kind},size", first),
        f"{second}s.csv": _csv(f"{second}_id,{rows}_id,{figure}", told),
    }


def _worked(rows: str, who: str, days: tuple[str, str, str], towns: Sequence[str]) -> Tables:
    """What people did on some day, billed on another, in a place; and when they began."""
    day, billed, began = days
    done = (
        (
            at, at % 5 + 1, _day(date(2022, 11, 1), 9 * at), _day(date(2022, 12, 15), 9 * at),
            towns[at % len(towns)], 20 + at * 7 % 31,
        )
        for at in range(1, 91)
    )  # fmt: skip
    people = ((at, f"P{at}", f"{2010 + at}-05-01", towns[at % 2]) for at in range(1, 6))
    return {
        f"{rows}s.csv": _csv(f"{rows}_id,{who}_id,{day},{billed},place,fee", done),
        f"{who}s.csv": _csv(f"{who}_id,name,{began},town", people),
    }


def _people(who: str, name: str, born: str, began: str, surnames: Sequence[str]) -> Tables:
    """People with a year of birth and one in which something began."""
    rows = (
        (at, surnames[at % len(surnames)], f"{1890 + at}-03-02", f"{1925 + at}-06-01")
        for at in range(80)
    )
    return {f"{who}s.csv": _csv(f"{who}_id,{name},{born},{began}", rows)}


def _measured(day: str, low: str, mean: str, high: str) -> Tables:
    rows = (
        (_day(date(2025, 1, 1), at), at * 7 % 41, 50 + at * 5 % 23, 80 + at * 11 % 67)
        for at in range(200)
    )
    return {"readings.csv": _csv(f"{day},{low},{mean},{high}", rows)}


def _all() -> dict[str, Tables]:
    places = {
        "clinics": _clinics(),
        "branches": _branches(),
        "harbours": _harbours(),
        "clinics_dangling": _clinics(2),
        "branches_dangling": _branches(1),
        "harbours_dangling": _harbours(3),
    }
    parted = {
        "projects": _parts(
            ("project", "client", "budget"), ("task", "skill", "hours"), ("design", "testing")
        ),
        "invoices": _parts(
            ("invoice", "patient", "charge"), ("line", "drug", "packs"), ("aspirin", "zinc")
        ),
        "voyages": _parts(
            ("voyage", "vessel", "toll"), ("stop", "cargo", "crates"), ("apples", "salt")
        ),
    }
    keyed = {"flights": _FLIGHTS, "parcels": _PARCELS, "matches": _MATCHES}
    within = {"crew": _CREW, "pupils": _PUPILS, "categories": _SHELVES}
    ranked = {
        "orchards": _ranked(
            ("orchard", "valley"), ("harvest", "tonnes"), ["Adda", "Inn", "Lech", "Isar"]
        ),
        "patients": _ranked(
            ("patient", "ward"), ("dose", "mg"), ["north", "south", "east", "west"]
        ),
        "trucks": _ranked(
            ("truck", "depot"), ("load", "weight"), ["Turin", "Genoa", "Milan", "Parma"]
        ),
    }
    worked = {
        "repairs": _worked(
            "repair", "fitter", ("repair_date", "billed_date", "start_date"),
            ["Lund", "Ystad", "Malmo"],
        ),
        "lessons": _worked(
            "lesson", "tutor", ("lesson_date", "paid_date", "joined_on"), ["Bonn", "Trier", "Ulm"]
        ),
        "inspections": _worked(
            "inspection", "inspector", ("inspection_date", "report_date", "hire_date"),
            ["Nice", "Lille", "Metz"],
        ),
    }  # fmt: skip
    people = {
        f"{who}s": _people(who, name, born, began, surnames.split())
        for who, name, born, began, surnames in (
            ("poet", "surname", "born", "first_book", "Borne Keats Heine Lorca"),
            ("worker", "last_name", "birth_date", "hire_date", "Hirst Moss Hired Pike"),
            ("pilot", "family_name", "birthday", "licensed_on", "Sky License Wing Born"),
            ("player", "surname", "born", "signed_on", "Ek Lund Dahl"),
            ("nurse", "name", "birth_date", "hired_on", "Ek Lund Dahl"),
            ("monk", "name", "birthday", "entered_on", "Odo Bede Hugo"),
        )
    }
    measured = {
        "winds": _measured("day", "min_wind", "mean_wind", "max_wind"),
        "noises": _measured("night", "min_noise", "avg_noise", "max_noise"),
        "temperatures": _measured("day", "low_temp", "mean_temp", "high_temp"),
    }
    return places | parted | keyed | within | ranked | worked | people | measured


TABLES = _all()
