"""The OpenAPI document is public, has every route, and its page needs no network."""

import re
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient
from tests.contract.walking import told_of

from modelwright.server import app


@pytest.fixture
def anonymous_client(anonymous_client: TestClient) -> TestClient:
    """Serves the document that all applications of the process share, for making one takes long."""
    told_of(anonymous_client.app)
    return anonymous_client


class TestDocument:
    def test_is_public_and_of_version_3_1(self, anonymous_client: TestClient):
        document = anonymous_client.get("/openapi.json").json()
        assert document["openapi"].startswith("3.1")
        assert set(document["components"]["securitySchemes"]) == {"key", "bearer", "cookie", "csrf"}

    def test_has_every_route_of_the_application(self, anonymous_client: TestClient):
        paths = anonymous_client.get("/openapi.json").json()["paths"]
        served = {
            re.sub(r":\w+", "", route.path)
            for route in cast("Any", anonymous_client.app).routes
            if not route.path.startswith(("/console", "/docs", "/openapi.json"))
        } - {"/"}
        assert served <= set(paths)

    def test_refusals_are_told_in_the_areas_words_and_on_the_gateways_line(
        self, anonymous_client: TestClient
    ):
        document = anonymous_client.get("/openapi.json").json()
        paths = document["paths"]
        where = paths["/models/{model_name}"]["post"]["responses"]["422"]["$ref"]
        told = document["components"]["responses"][where.rpartition("/")[2]]["description"]
        assert "validation_error" in told
        mapped = paths["/auth/api-keys"]["post"]["responses"]
        assert not {"404", "409", "413", "422"} & set(mapped)
        assert "validation_failed" in mapped["400"]["description"]

    def test_every_operation_has_a_name_of_its_own(self, anonymous_client: TestClient):
        names = [
            operation["operationId"]
            for verbs in anonymous_client.get("/openapi.json").json()["paths"].values()
            for operation in verbs.values()
        ]
        assert len(names) == len(set(names))


class TestOften:
    @pytest.mark.parametrize(("path", "making"), [("/docs", "page"), ("/openapi.json", "document")])
    def test_it_is_made_once_since_anybody_may_ask(
        self, anonymous_client: TestClient, monkeypatch: pytest.MonkeyPatch, path: str, making: str
    ):
        anonymous_client.app.openapi_schema = None  # type: ignore[attr-defined]
        first = anonymous_client.get(path)
        monkeypatch.setattr(app, making, None)
        monkeypatch.setattr(app, "JSONResponse", None)
        again = anonymous_client.get(path)
        assert (again.status_code, again.content) == (200, first.content)
        assert again.headers["content-type"] == first.headers["content-type"]


class TestPage:
    def test_shows_every_operation_without_script_or_network(self, anonymous_client: TestClient):
        answer = anonymous_client.get("/docs")
        assert answer.status_code == 200
        assert "<script" not in answer.text
        assert not re.search(r"(src|href)=.https?://", answer.text)
        for path in anonymous_client.get("/openapi.json").json()["paths"]:
            assert path in answer.text

    def test_tells_of_each_group_in_the_order_of_work(self, anonymous_client: TestClient):
        text = anonymous_client.get("/docs").text
        tags = anonymous_client.get("/openapi.json").json()["tags"]
        told = re.findall(r"<h2>(\w+)</h2><p>(.+?)</p>", text)
        assert [name for name, _ in told] == [tag["name"] for tag in tags]
        plain = [re.sub("<.?code>", "`", words) for _, words in told]
        assert plain == [tag["description"] for tag in tags]
        assert text.index("<h2>uploads") < text.index("<h2>models") < text.index("<h2>predictions")

    def test_shows_examples_and_refusals(self, anonymous_client: TestClient):
        text = anonymous_client.get("/docs").text
        assert "Predict whether a customer will churn" in text
        assert "<code>rate_limit_exceeded</code>: Too many requests." in text
