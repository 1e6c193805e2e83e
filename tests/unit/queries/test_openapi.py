"""The document tells of every plain route of the features that answer questions."""

from fastapi.testclient import TestClient
from starlette.routing import Route

from modelwright.exports.openapi import PATHS as EXPORTS
from modelwright.exports.routes import router as exports
from modelwright.queries.openapi import PATHS as QUERIES
from modelwright.queries.routes import router as queries


class TestPaths:
    def test_every_plain_route_is_in_the_document(self, anonymous_client: TestClient):
        paths = anonymous_client.get("/openapi.json").json()["paths"]
        for router, told in ((exports, EXPORTS), (queries, QUERIES)):
            for route in router.routes:
                if type(route) is Route:
                    assert route.path in told
                    assert route.path in paths

    def test_the_query_is_told_with_its_members(self, anonymous_client: TestClient):
        operation = anonymous_client.get("/openapi.json").json()["paths"]["/data/query"]["post"]
        body = operation["requestBody"]["content"]["application/json"]["schema"]
        assert body["required"] == ["query_type", "query"]
        assert {"422", "429", "503"} <= set(operation["responses"])
