"""The OpenAPI document is whole, and its page needs no network."""

import re

from fastapi.testclient import TestClient


class TestDocument:
    def test_is_public_and_of_version_3_1(self, web: TestClient):
        document = web.get("/openapi.json").json()
        assert document["openapi"].startswith("3.1")
        assert set(document["components"]["securitySchemes"]) == {"key", "bearer"}

    def test_has_every_route_of_the_application(self, web: TestClient):
        paths = web.get("/openapi.json").json()["paths"]
        served = {
            re.sub(r":\w+", "", route.path)
            for route in web.app.routes
            if not route.path.startswith(("/console", "/docs", "/openapi.json"))
        } - {"/"}
        assert served <= set(paths)

    def test_every_operation_tells_its_refusals_in_the_areas_words(self, web: TestClient):
        paths = web.get("/openapi.json").json()["paths"]
        for path, verbs in paths.items():
            for verb, operation in verbs.items():
                answers = operation["responses"]
                assert {"200", "400", "401", "403", "429", "500"} <= set(answers), (path, verb)
        assert (
            "validation_error"
            in paths["/models/{model_name}"]["post"]["responses"]["422"]["description"]
        )
        assert "422" not in paths["/auth/api-keys"]["post"]["responses"]

    def test_every_operation_has_a_name_of_its_own_and_a_sentence(self, web: TestClient):
        operations = [
            operation
            for verbs in web.get("/openapi.json").json()["paths"].values()
            for operation in verbs.values()
        ]
        names = [operation["operationId"] for operation in operations]
        assert len(names) == len(set(names))
        assert all(operation["summary"] for operation in operations)


class TestPage:
    def test_shows_every_operation_without_script_or_network(self, web: TestClient):
        answer = web.get("/docs")
        assert answer.status_code == 200
        assert "<script" not in answer.text
        assert not re.search(r"(src|href)=.https?://", answer.text)
        for path in web.get("/openapi.json").json()["paths"]:
            assert path in answer.text
