"""What is answered past the framework is answered as the route answers it, and no more."""

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.built_models import GENTOO

from modelwright.api_keys.service import Keys
from modelwright.bootstrap.container import Container
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.http.cookies import TOKEN_PREFIX
from modelwright.predictions import routes
from modelwright.predictions.fast_path import PredictFastPath
from modelwright.predictions.model_cache import PredictorCache
from modelwright.predictions.service import Predictions
from modelwright.storage.object_store import ObjectStore

BODIES = {
    "a whole row": GENTOO,
    "a field more": GENTOO | {"eggs": 2},
    "a number as float": GENTOO | {"year": 2007.0},
    "a gap": GENTOO | {"sex": None},
    "an unseen level": GENTOO | {"island": "Elephant"},
    "a large number": GENTOO | {"body_mass_g": 10**40},
    "a missing field": {"island": "Biscoe"},
    "a wrong type": GENTOO | {"body_mass_g": "much"},
    "a boolean for a number": GENTOO | {"body_mass_g": True},
    "no object": [GENTOO],
    "null": None,
}


@pytest.fixture
def routed(monkeypatch: pytest.MonkeyPatch, container: Container) -> list[bytes]:
    """The bodies that came to the route."""
    if container.database.stamp() is None:
        pytest.skip("only the embedded database says when something was committed")
    monkeypatch.setattr("modelwright.core.regular_flush.FLUSH_SECONDS", 3600.0)
    seen: list[bytes] = []
    answer = routes._answer

    def noting(request: Any, body: bytes, *more: Any) -> Any:
        seen.append(body)
        return answer(request, body, *more)

    monkeypatch.setattr(routes, "_answer", noting)
    return seen


def told(answer: Any) -> tuple[int, Any, set[str]]:
    """What must be alike: everything but the request's id."""
    body = answer.json()
    body.pop("request_id", None)
    if "error" in body:
        body["error"].pop("request_id")
    return answer.status_code, body, set(answer.headers)


class TestDirect:
    @pytest.mark.parametrize("body", BODIES.values(), ids=list(BODIES))
    def test_answers_and_refuses_as_the_route_does(
        self, api: TestClient, penguins: str, routed: list[bytes], body: Any
    ):
        api.post(f"{penguins}/infer", json=GENTOO)
        direct = api.post(f"{penguins}/infer", json=body)
        assert len(routed) == 1
        by_route = api.post(f"{penguins}/infer?include=", json=body)
        assert len(routed) == 2
        assert told(direct) == told(by_route)

    def test_refuses_what_is_no_json(self, api: TestClient, penguins: str, routed: list[bytes]):
        headers = {"content-type": "application/json"}
        api.post(f"{penguins}/infer", json=GENTOO)
        answer = api.post(f"{penguins}/infer", content=b"{", headers=headers)
        assert (answer.status_code, len(routed)) == (400, 1)
        assert answer.json()["error"]["request_id"] == answer.headers["x-request-id"]

    @pytest.mark.parametrize(
        ("name", "value", "status"),
        [
            ("api-version", "v2", 400),
            ("content-type", "text/plain", 400),
            ("content-type", "application/vnd.row+json", 200),
            ("authorization", "Basic eA==", 401),
            ("authorization", "Bearer another", 401),
            ("x-account", "user_nobody", 403),
        ],
    )
    def test_leaves_to_the_route_what_is_not_plain(
        self, api: TestClient, penguins: str, name: str, value: str, status: int
    ):
        for _ in range(2):
            assert api.post(f"{penguins}/infer", json=GENTOO).status_code == 200
        answer = api.post(f"{penguins}/infer", json=GENTOO, headers={name: value})
        assert answer.status_code == status

    def test_takes_a_bearer_token_for_a_key(
        self,
        anonymous_client: TestClient,
        penguins: str,
        make_key: Callable[..., str],
        routed: list[bytes],
    ):
        headers = {"authorization": f"Bearer {make_key()}"}
        for _ in range(3):
            assert (
                anonymous_client.post(f"{penguins}/infer", json=GENTOO, headers=headers).status_code
                == 200
            )
        assert len(routed) == 1

    def test_refuses_a_revoked_key_at_the_next_request(
        self, api: TestClient, container: Container, penguins: str, routed: list[bytes]
    ):
        for _ in range(2):
            assert api.post(f"{penguins}/infer", json=GENTOO).status_code == 200
        with container.database.transaction(ALL_ACCOUNTS) as db:
            keys = container.service(Keys)
            keys.revoke(db, keys.all_of(db, None)[0].key_id)
        answer = api.post(f"{penguins}/infer", json=GENTOO)
        assert answer.json()["error"]["code"] == "revoked_key"

    def test_answers_on_after_a_commit_that_changed_nothing_here(
        self, api: TestClient, penguins: str, routed: list[bytes]
    ):
        api.post(f"{penguins}/infer", json=GENTOO)
        api.post("/auth/api-keys", json={"name": "other", "permission_level": "read_only"})
        assert api.post(f"{penguins}/infer", json=GENTOO).status_code == 200
        assert len(routed) == 1

    def test_a_model_that_had_to_go_while_the_body_came_is_not_read_on_the_event_loop(
        self,
        api: TestClient,
        container: Container,
        penguins: str,
        routed: list[bytes],
        monkeypatch: pytest.MonkeyPatch,
    ):
        assert api.post(f"{penguins}/infer", json=GENTOO).status_code == 200
        body, key = json.dumps(GENTOO).encode(), api.headers["x-api-key"].encode()
        length = str(len(body)).encode()
        scope: dict[str, Any] = {
            "path": f"{penguins}/infer",
            "query_string": b"",
            "headers": [(b"x-api-key", key), (b"content-length", length)],
            "state": {"request_id": "req_1"},
        }
        readers: list[threading.Thread] = []
        load = PredictorCache._load

        def noting(predictors: PredictorCache, artifact: str) -> Any:
            readers.append(threading.current_thread())
            return load(predictors, artifact)

        async def receive() -> dict[str, Any]:
            objects = container.service(ObjectStore)  # type: ignore[type-abstract]
            container.service(Predictions)._predictors = PredictorCache(objects)
            return {"type": "http.request", "body": body}

        monkeypatch.setattr(PredictorCache, "_load", noting)
        answer = asyncio.run(PredictFastPath(container.pipeline)(scope, receive))
        assert json.loads(answer or b"")["result"] == {"species": "Gentoo"}
        assert readers
        assert threading.current_thread() not in readers

    def test_a_session_s_token_is_no_key(
        self, anonymous_client: TestClient, container: Container, penguins: str, routed: list[bytes]
    ):
        token = TOKEN_PREFIX + "x"
        name, version = penguins.split("/")[2:]
        stamp = container.database.stamp()
        container.pipeline._cache[(token, "", name, version)] = (stamp, None, None)  # type: ignore[assignment]
        answer = anonymous_client.post(
            f"{penguins}/infer", json=GENTOO, headers={"x-api-key": token}
        )
        assert answer.status_code == 401
