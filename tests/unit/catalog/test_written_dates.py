"""Dates that an upload writes as texts are dates to whoever asks, and the catalog says how."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.processes.worker import Worker

FIRST = datetime(2023, 1, 3, tzinfo=UTC)
TABLE = "sold_on,shop,price\n" + "".join(
    f"{FIRST + timedelta(days=day):%d/%m/%Y},{'North' if day % 2 else 'South'},{1 + day % 7}\n"
    for day in range(500)
)
EITHER = "sold_on,shop,price\n" + "".join(
    f"{month:02}/{day:02}/2023,{'North' if day % 2 else 'South'},{day}\n"
    for month in range(1, 13)
    for day in range(1, 13)
)
Ask = Callable[..., Any]


@pytest.fixture
def opened(
    api: TestClient, anonymous_client: TestClient, container: Container, clock: FrozenClock
) -> Callable[[str], Ask]:
    """Uploads a table as a person does, and gives what asks it."""

    def open_table(text: str) -> Ask:
        file = {"filename": "table0.csv", "content_type": "text/csv"}
        made = api.post("/data/upload", json={"name": "sales", "files": [file]}).json()
        place = urlsplit(made["files"][0]["presigned_url"])
        anonymous_client.put(f"{place.path}?{place.query}", content=text.encode())
        upload_id = made["upload_id"]
        said = {"upload_id": upload_id, "status": "complete", "files": made["files"]}
        assert api.post("/uploads/status", json=said).status_code == 200
        Worker(container.database, container.handlers, clock, container.settings).drain()
        session = api.post("/data/use-upload", json={"upload_id": upload_id}).json()["session_id"]

        def ask(query: str, kind: str = "natural_language", **more: Any) -> Any:
            body = {"query_type": kind, "query": query, "session_id": session, **more}
            return api.post("/data/query", json=body)

        return ask

    return open_table


def told(answer: Any) -> list[list[Any]]:
    assert answer.status_code == 200, answer.text
    return list(answer.json()["rows"])


def sold_on(api: TestClient) -> dict[str, Any]:
    columns = api.get("/data/catalog/sales").json()["tables"][0]["columns"]
    return next(dict(one) for one in columns if one["name"] == "sold_on")


def correct(api: TestClient, **said: Any) -> Any:
    return api.patch(
        "/data/catalog/sales", json={"tables": {"table0": {"columns": {"sold_on": said}}}}
    )


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("total price in March 2023",
         "select sum(price) from table0 where sold_on like '%/03/2023'"),
        ("how many sales on 5/6/2023", "select count(*) from table0 where sold_on = '05/06/2023'"),
        ("total price per shop in 2023",
         "select shop, sum(price) from table0 where sold_on like '%2023' group by 1"),
        ("when was the last sale",
         "select sold_on, price from table0 where sold_on = '16/05/2024'"),
        ("average price by quarter in 2023",
         ("select avg(price) from table0 where sold_on like '%2023'"
          " group by quarter(strptime(sold_on, '%d/%m/%Y'))")),
    ],
)  # fmt: skip
def test_are_asked_as_dates(opened: Callable[[str], Ask], question: str, sql: str):
    ask = opened(TABLE)
    found, right = told(ask(question)), told(ask(sql, "sql"))
    assert sorted(row[-1] for row in found) == sorted(row[-1] for row in right)


def test_both_readers_agree_on_them(opened: Callable[[str], Ask]):
    answer = opened(TABLE)("total price in March 2023")
    assert {"rules", "grammar"} <= set(answer.json()["read_by"]), answer.text


def test_what_follows_stays_with_them(opened: Callable[[str], Ask]):
    ask = opened(TABLE)
    first = ask("total price in March 2023").json()["query_id"]
    found = told(ask("and in April 2023?", follows=first))
    assert found == told(ask("select sum(price) from table0 where sold_on like '%/04/2023'", "sql"))


def test_rows_are_shown_as_they_are_written(opened: Callable[[str], Ask]):
    found = told(opened(TABLE)("sold on and price of the sales on 5 June 2023"))
    assert found[0][0] == "05/06/2023"


def test_the_catalog_says_how_they_are_written(opened: Callable[[str], Ask], api: TestClient):
    opened(TABLE)("how many sales")
    column = sold_on(api)
    assert column["role"]["value"] == "date"
    assert column["format"]["value"] == "%d/%m/%Y"
    assert column["format"]["reason"] == "it holds texts that are dates"


class TestDayAndMonthThatMayBeEither:
    def test_are_texts_until_somebody_says_which(
        self, opened: Callable[[str], Ask], api: TestClient
    ):
        ask = opened(EITHER)
        assert ask("total price in March 2023").status_code == 422
        assert correct(api, role="date", format="%m/%d/%Y").status_code == 200
        assert told(ask("total price in March 2023")) == [[78]]
        assert correct(api, role="date", format="%d/%m/%Y").status_code == 200
        assert told(ask("total price in March 2023")) == [[36]]

    @pytest.mark.parametrize("form", ["%d/%q/%Y", "%d/%m", "%Y"])
    def test_a_format_that_is_none_is_refused(
        self, opened: Callable[[str], Ask], api: TestClient, form: str
    ):
        opened(EITHER)
        answer = correct(api, role="date", format=form)
        assert answer.status_code == 422
        assert answer.json()["error"]["details"][0]["field"].endswith("sold_on.format")

    def test_texts_of_another_format_are_no_dates(
        self, opened: Callable[[str], Ask], api: TestClient
    ):
        ask = opened(EITHER)
        correct(api, role="date", format="%Y-%m-%d")
        assert told(ask("how many sales have no sold on")) == [[144]]


def test_dates_may_be_texts_by_what_somebody_says(opened: Callable[[str], Ask], api: TestClient):
    ask = opened(TABLE)
    correct(api, role="dimension")
    assert "STRPTIME" not in ask("number of sales by sold on").text
