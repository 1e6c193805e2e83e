"""The time zone that is said of a dataset decides the days and months of its moments."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import ModelSide

LATE = "2024-{month:02}-{day:02}T23:30:00-04:00"
ROWS = [LATE.format(month=3, day=day) for day in range(20, 32)]
ROWS += [LATE.format(month=4, day=day) for day in range(1, 9)]
"""Evenings in New York, where it is the next day in UTC."""


@pytest.fixture
def visits(model_side: ModelSide) -> str:
    lines = [f"{number},{moment}" for number, moment in enumerate(ROWS)]
    return model_side.upload("\n".join(["visit,seen", *lines]) + "\n", name="visits")


@pytest.fixture
def ask(api: TestClient, visits: str) -> Callable[..., Any]:
    def send(query: str, kind: str) -> Any:
        session = api.post("/data/sessions", json={"upload_id": visits}).json()["session_id"]
        body = {"session_id": session, "query_type": kind, "query": query}
        answer = api.post("/data/query", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()["rows"]

    return send


def test_days_and_months_are_those_of_the_time_zone(api: TestClient, ask: Callable[..., Any]):
    months = "SELECT month(seen) AS m, count(*) AS n FROM table0 GROUP BY 1 ORDER BY 1"
    moment = "SELECT seen FROM table0 WHERE visit = 0"
    assert ask(months, "sql") == [[3, 11], [4, 9]]
    assert ask(moment, "sql") == [["2024-03-21T03:30:00Z"]]
    told = api.patch("/data/catalog/visits", json={"time_zone": "America/New_York"})
    assert told.status_code == 200, told.text
    assert ask(months, "sql") == [[3, 12], [4, 8]]
    assert ask(moment, "sql") == [["2024-03-20T23:30:00-04:00"]]
    counted = ask("How many rows per month?", "natural_language")
    assert [row[-1] for row in counted] == [12, 8]


def test_previews_and_exports_say_that_they_show_moments_in_utc(
    api: TestClient, visits: str, worker: Callable[[], int]
):
    api.patch("/data/catalog/visits", json={"time_zone": "America/New_York"})
    shown = api.get(f"/data/uploads/{visits}/files/table0.csv/preview").json()
    assert shown["data"][0][1] == "2024-03-21T03:30:00Z"
    for form, first in (("csv", "2024-03-21 03:30:00+00"), ("json", "2024-03-21T03:30:00Z")):
        asked = api.post("/data/export", json={"upload_id": visits, "format": form}).json()
        worker()
        made = api.get(f"/data/export/{asked['export_id']}").json()
        (file,) = made["files"]
        text = api.get(file["download_url"]).text
        assert first in text, text[:200]


@pytest.mark.parametrize(("zone", "days"), [(None, [21, 9]), ("America/New_York", [20, 8])])
def test_the_profile_is_told_by_the_time_zone(
    api: TestClient, visits: str, worker: Callable[[], int], zone: str | None, days: list[int]
):
    if zone:
        api.patch("/data/catalog/visits", json={"time_zone": zone})
    asked = api.post("/data/analyze", json={"upload_id": visits}).json()
    worker()
    (file,) = api.get(f"/data/analysis/{asked['job_id']}").json()["files"]
    seen = file["stats"]["date_ranges"]["seen"]
    first, last = days
    assert seen["min"][:10] == f"2024-03-{first:02}"
    assert seen["max"][:10] == f"2024-04-{last:02}"
