"""Tickets, flights, applicants, projects: times by their nouns, the best of what is unwanted."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from tests.unit.engines.language.tables import asking, means

TODAY = date(2026, 11, 27)
ROWS = 600
Ask = Any


def tickets() -> dict[str, Any]:
    places = range(ROWS)
    begun = datetime.fromisoformat("2025-01-01")
    created = [begun + timedelta(minutes=1499 * place) for place in places]
    return {
        "ticket_id": list(places),
        "created_at": created,
        "resolved_at": [
            moment + timedelta(minutes=place * 97 % 20000) if place % 7 else None
            for place, moment in zip(places, created, strict=True)
        ],
        "priority": [("Low", "High", "Urgent")[place * 5 % 7 % 3] for place in places],
        "channel": [("email", "chat", "phone")[place % 3] for place in places],
        "category": [("Billing", "Login", "Bug")[place * 5 // 3 % 3] for place in places],
        "satisfaction": [1 + place * 7 % 11 % 5 for place in places],
    }


def flights() -> dict[str, Any]:
    places = range(ROWS)
    return {
        "flight_number": [f"LH{100 + place * 7 % 250}" for place in places],
        "airline": [("Condor", "Swiss", "KLM")[place * 5 % 7 % 3] for place in places],
        "origin": [("FRA", "CDG", "LHR")[place % 3] for place in places],
        "destination": [("JFK", "DXB", "GRU")[place * 5 // 3 % 3] for place in places],
        "departure_date": [date(2025, 1, 1) + timedelta(place) for place in places],
        "arrival_delay_min": [place * 13 % 140 for place in places],
        "boarding_minutes": [15 + place * 17 % 50 for place in places],
        "cancelled": [place % 30 == 0 for place in places],
        "ticket_revenue": [5000 + place * 1777 % 300000 for place in places],
    }


def applicants() -> dict[str, Any]:
    places = range(ROWS)
    applied = [date(2025, 1, 1) + timedelta(place) for place in places]
    return {
        "applicant_id": list(places),
        "position": [("Engineer", "Designer", "Analyst")[place % 3] for place in places],
        "source": [("Referral", "Website", "Fair")[place * 5 % 7 % 3] for place in places],
        "applied_on": applied,
        "interviewed_on": [
            day + timedelta(2 + place * 5 % 24) if place % 2 else None
            for place, day in zip(places, applied, strict=True)
        ],
        "hired": [("Yes", "No")[place % 4 > 0] for place in places],
        "test_score": [place * 7 % 101 + place / 1000 for place in places],
    }


def projects() -> dict[str, Any]:
    places = range(ROWS)
    planned = [date(2025, 1, 1) + timedelta(place) for place in places]
    return {
        "project_id": list(places),
        "client": [f"Client {place * 7 % 40}" for place in places],
        "industry": [("Retail", "Energy", "Health")[place * 5 % 7 % 3] for place in places],
        "planned_end": planned,
        "actual_end": [
            day + timedelta(place * 11 % 50 - 20) if place % 5 else None
            for place, day in zip(places, planned, strict=True)
        ],
        "planned_hours": [40 + place * 37 % 860 for place in places],
        "actual_hours": [40 + place * 53 % 1100 for place in places],
        "hourly_rate": [80 + place * 3 % 7 * 10 for place in places],
        "budget": [5000 + place * 797 % 200000 for place in places],
        "cost": [4000 + place * 911 % 240000 for place in places],
    }


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    tables = {
        "tickets": tickets(),
        "flights": flights(),
        "applicants": applicants(),
        "projects": projects(),
    }
    return asking(tmp_path_factory.mktemp("tables"), tables, TODAY)


SOLVED = "date_diff('second', created_at, resolved_at) / 86400"
ASKED = [
    # The noun of what was done names its date.
    ("tickets", "average resolution time by priority",
     f"select priority, avg({SOLVED}) from tickets group by 1"),
    ("tickets", "median resolution time of billing tickets",
     f"select median({SOLVED}) from tickets where category = 'Billing'"),
    ("applicants", "average time from application to interview",
     "select avg(date_diff('day', applied_on, interviewed_on)) from applicants"),
    ("applicants", "days between application and interview by source",
     ("select source, avg(date_diff('day', applied_on, interviewed_on)) from applicants "
      "group by 1")),
    # What two are compared by is a number of theirs.
    ("tickets", "compare email and chat by average satisfaction",
     ("select channel, avg(satisfaction) from tickets where channel in ('email', 'chat') "
      "group by 1")),
    # A row is no column, a place is left, and the worst has the most of what nobody wants.
    ("flights", "revenue per flight by destination",
     "select destination, avg(ticket_revenue) from flights group by 1"),
    ("flights", "how many flights left FRA in March 2026",
     ("select count(*) from flights where origin = 'FRA' and year(departure_date) = 2026 "
      "and month(departure_date) = 3")),
    ("flights", "worst airline by arrival delay",
     ("select airline, avg(arrival_delay_min) from flights group by 1 "
      "order by 2 desc limit 1")),
    ("flights", "best airline by arrival delay",
     "select airline, avg(arrival_delay_min) from flights group by 1 order by 2 limit 1"),
    ("applicants", "top 10 test scores for engineers",
     ("select test_score from applicants where position = 'Engineer' "
      "order by 1 desc limit 10")),
    # What is beside a plan, a budget or the date that something was due.
    ("projects", "how many projects went over budget",
     "select count(*) from projects where cost > budget"),
    ("projects", "projects that took more hours than planned",
     "select * from projects where actual_hours > planned_hours"),
    ("projects", "share of projects finished after the planned end by industry",
     ("select industry, 100.0 * count(*) filter (where actual_end > planned_end) / count(*) "
      "from projects group by 1")),
    # Times that are told, not taken.
    ("flights", "median boarding times by airline",
     "select airline, median(boarding_minutes) from flights group by 1"),
    ("projects", "total cost versus budget by client",
     "select client, sum(cost), sum(budget) from projects group by 1"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "question", "wanted"), ASKED, ids=[one[1] for one in ASKED])
def test_is_answered(ask: Ask, table: str, question: str, wanted: str):
    means(ask, table, question, wanted)


@pytest.mark.parametrize(
    ("table", "question", "unread"),
    [
        # Who was rejected is said by no column, nor what is hours of two kinds, nor a margin.
        ("applicants", "average test score of hired vs rejected applicants", "rejected"),
        ("projects", "hours times rate by client", "times"),
        ("tickets", "margin by category", "margin"),
    ],
)
def test_is_refused(ask: Ask, table: str, question: str, unread: str):
    found = ask(table, question)
    assert isinstance(found, str)
    assert unread in found
