"""Deals, shipments, leave and meters: what stages, rates, units and comparisons mean."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from tests.unit.engines.language.tables import asking

TODAY = date(2026, 11, 24)
STAGES = ("New", "Won", "Lost", "Qualified", "Proposal", "Won", "Lost")
ROWS = 420
Ask = Any


def leads() -> dict[str, Any]:
    places = range(ROWS)
    return {
        "lead_id": list(places),
        "source": [("Web", "Referral", "Trade show", "Web")[place % 4] for place in places],
        "owner": [("Anna Beck", "Tom Ray")[place * 7 // 4 % 2] for place in places],
        "stage": [STAGES[place * place % 7] for place in places],
        "deal_value": [500.0 + place * 37 % 9000 for place in places],
        "created_on": [date(2025, 1, 3) + timedelta(place) for place in places],
        "touches": [place * 11 % 30 for place in places],
        "lost_reason": [("Price", None, "Timing", None)[place % 4] for place in places],
        "score": [place * 13 % 101 for place in places],
    }


def shipments() -> dict[str, Any]:
    places = range(ROWS)
    shipped = [date(2025, 11, 2) + timedelta(place % 300) for place in places]
    return {
        "shipment_no": [f"SH{1000 + place}" for place in places],
        "origin_port": [("Hamburg", "Genoa", "Antwerp")[place % 3] for place in places],
        "destination": [("Oslo", "Hamburg", "Genoa", "Lisbon")[place % 4] for place in places],
        "carrier": [("DHL", "Maersk", "FedEx")[place * 5 // 3 % 3] for place in places],
        "weight_kg": [5.5 + place * 31 % 2000 for place in places],
        "freight_cost": [20.0 + place * 17 % 900 for place in places],
        "shipped_on": shipped,
        "outcome": [
            ("on time", "late", "on time", "lost", "damaged")[place % 5] for place in places
        ],
        "packages": [1 + place * 3 % 12 for place in places],
        "delivered_on": [
            day + timedelta(2 + place * 7 % 40) for place, day in zip(places, shipped, strict=True)
        ],
    }


def meters() -> dict[str, Any]:
    places = range(ROWS)
    return {
        "read_at": [
            datetime.fromisoformat("2026-03-01") + timedelta(hours=place) for place in places
        ],
        "meter": [place % 3 for place in places],
        "kwh": [(place * 29 % 500) / 100 for place in places],
        "outdoor_temp": [5 + place * 7 % 20 for place in places],
        "building_type": [("office", "shop", "home")[place % 3] for place in places],
    }


def exams() -> dict[str, Any]:
    places = range(ROWS)
    return {
        "student": [f"Student {place // 3}" for place in places],
        "subject": [("Math", "Physics", "History")[place % 3] for place in places],
        "mark": [place * 37 % 101 for place in places],
        "result": ["pass" if place * 37 % 101 > 30 else "fail" for place in places],
        "exam_date": [date(2026, 6, 1) + timedelta(place % 20) for place in places],
    }


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    tables = {
        "leads": leads(),
        "shipments": shipments(),
        "meters": meters(),
        "exam_results": exams(),
    }
    return asking(tmp_path_factory.mktemp("tables"), tables, TODAY)


WON = "100.0 * count_if(stage = 'Won') / count(*)"
ASKED = [
    # A value that also begins a column's name: Lost, and Lost Reason.
    ("leads", "average score of leads that are not lost",
     "select avg(score) from leads where stage <> 'Lost'"),
    ("leads", "average number of touches for won and lost deals",
     "select stage, avg(touches) from leads where stage in ('Won', 'Lost') group by 1"),
    ("leads", "what share of leads is lost",
     "select 100.0 * count_if(stage = 'Lost') / count(*) from leads"),
    # Values in another tense.
    ("leads", "win rate by source", f"select source, {WON} from leads group by 1"),
    ("leads", "which owner has the highest win rate",
     f"select owner from leads group by 1 order by {WON} desc limit 1"),
    # Deals are rows where a column tells their value.
    ("leads", "which source brings the most won deals",
     "select source from leads where stage = 'Won' group by 1 order by count(*) desc limit 1"),
    ("leads", "top 5 deals by value", "select * from leads order by deal_value desc limit 5"),
    ("leads", "pipeline value by stage", "select stage, avg(deal_value) from leads group by 1"),
    ("leads", "total deal value by source in 2025 compared to 2026",
     "select source, year(created_on), sum(deal_value) from leads group by 1, 2"),
    ("shipments", "average delivery time by carrier",
     "select carrier, avg(delivered_on - shipped_on) from shipments group by 1"),
    ("shipments", "freight cost per kg by carrier",
     "select carrier, sum(freight_cost) / sum(weight_kg) from shipments group by 1"),
    ("shipments", "shipments where origin and destination are the same",
     "select * from shipments where origin_port = destination"),
    ("shipments", "shipments where the origin and the destination are different",
     "select * from shipments where origin_port <> destination"),
    ("shipments", "freight cost of late shipments",
     "select sum(freight_cost) from shipments where outcome = 'late'"),
    ("shipments", "freight cost of shipment SH1003",
     "select freight_cost from shipments where shipment_no = 'SH1003'"),
    ("shipments", "which destination gets the most packages",
     "select destination from shipments group by 1 order by sum(packages) desc limit 1"),
    ("shipments", "how many packages were shipped to Oslo",
     "select sum(packages) from shipments where destination = 'Oslo'"),
    ("shipments", "how many shipments have more than 5 packages",
     "select count(*) from shipments where packages > 5"),
    ("meters", "consumption when it is colder than 12 degrees",
     "select sum(kwh) from meters where outdoor_temp < 12"),
    ("meters", "kwh when it is warmer than 12 degrees",
     "select sum(kwh) from meters where outdoor_temp > 12"),
    ("meters", "how does temperature relate to consumption",
     "select corr(outdoor_temp, kwh) from meters"),
    ("meters", "energy used by shops", "select sum(kwh) from meters where building_type = 'shop'"),
    ("meters", "kwh on weekends vs weekdays by building type",
     "select isodow(read_at) > 5, building_type, sum(kwh) from meters group by 1, 2"),
    ("exam_results", "how many exams were written on the 5th of June",
     "select count(*) from exam_results where exam_date = '2026-06-05'"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "question", "sql"), ASKED, ids=[one[1] for one in ASKED])
def test_means(ask: Ask, table: str, question: str, sql: str):
    found, wanted = ask(table, question), ask(table, sql)
    assert isinstance(found, list), found
    assert len(found) == len(wanted)
    assert sorted(map(_told, found)) == sorted(map(_told, _like(wanted, found)))


def _like(wanted: list[Any], found: list[Any]) -> list[Any]:
    """Takes from rows that are shown whole or by more columns those that are asked for."""
    return wanted if len(wanted[0]) == len(found[0]) else [(row[0],) for row in wanted]


def _told(row: tuple[Any, ...]) -> list[Any]:
    kept = ["weekend" if one is True else "weekday" if one is False else one for one in row]
    return sorted(str(round(one, 6)) if isinstance(one, float) else str(one) for one in kept)


@pytest.mark.parametrize(
    ("table", "question", "said"),
    [
        ("shipments", "freight cost last month vs the month before", "vs the month before"),
        ("shipments", "which carrier is cheapest per kg", "cheapest per"),
    ],
)
def test_is_refused(ask: Ask, table: str, question: str, said: str):
    assert said in ask(table, question)


def test_one_day_is_asked_for_where_a_day_was(ask: Ask):
    found = ask("meters", "on which day was the consumption highest")
    wanted = ask(
        "meters",
        "select date_trunc('day', read_at) from meters group by 1 order by sum(kwh) desc limit 1",
    )
    assert found[0][0] == wanted[0][0]
