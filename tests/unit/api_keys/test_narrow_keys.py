"""Keys that may less: scopes, networks, ends, and secrets that are rotated."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient
from tests.api_helpers import error_of
from tests.built_models import GENTOO
from tests.contract.walking import BODIES, Operation, operations
from tests.factories import ModelSide
from typer.testing import CliRunner

from modelwright.bootstrap.container import Container
from modelwright.cli.keys import keys_app
from modelwright.core.clock import FrozenClock
from modelwright.core.http.context import Level

KEYS = "/auth/api-keys"
BODY = {"name": "narrow", "permission_level": "read_write"}
SCOPE_OF_FEATURE = {
    **dict.fromkeys(("builds", "models", "endpoints", "deployments", "monitoring"), "models"),
    **dict.fromkeys(("predictions", "scoring"), "predictions"),
    "trash": "everything",
    **dict.fromkeys(
        (
            "uploads",
            "datasets",
            "catalog",
            "connections",
            "ingestions",
            "analysis",
            "sessions",
            "queries",
            "exports",
        ),
        "datasets",
    ),
}
ELSEWHERE = dict.fromkeys(
    ("deployments.infer", "endpoints.infer", "endpoints.many", "monitoring.feedback"), "predictions"
)
ANY_SCOPE = {"keys", "users", "usage", "jobs", "audit", "signing"}


def scope_of(one: Operation) -> str | None:
    feature = one.name.partition(".")[0]
    return ELSEWHERE.get(one.name) or (None if feature in ANY_SCOPE else SCOPE_OF_FEATURE[feature])


@pytest.fixture
def made(api: TestClient, as_key: Callable[[str], TestClient]) -> Callable[..., TestClient]:
    """Makes a key and a client that shows it."""

    def make(**members: Any) -> TestClient:
        answer = api.post(KEYS, json=BODY | members)
        assert answer.status_code == 200, answer.text
        client = as_key(answer.json()["key"])
        client.headers["x-key-id"] = answer.json()["key_id"]
        return client

    return make


def refused(answer: httpx2.Response, field: str) -> str:
    """Tells what is said of a field that is refused."""
    error = error_of(answer)
    assert error["status"] == 422, error
    [detail] = [one for one in error["details"] if one["field"].startswith(field)]
    return str(detail["message"])


class TestScopes:
    @pytest.mark.parametrize("scope", ["models", "predictions", "datasets"])
    def test_open_their_part_and_no_other(
        self, made: Callable[..., TestClient], anonymous_client: TestClient, scope: str
    ):
        """On every operation there is."""
        client = made(scopes=[scope])
        for one in operations(anonymous_client.app):
            if one.is_public or one.needs is Level.ADMIN:
                continue
            body = BODIES.get(one.name) if one.takes_body else None
            answer = client.request(one.verb, one.url, json=body)
            assert (answer.status_code == 403) == (scope_of(one) not in {None, scope}), one.name

    def test_of_jobs_go_by_what_the_job_does(
        self, made: Callable[..., TestClient], api: TestClient, model_side: ModelSide
    ):
        model_side.draft("churn")
        [job] = api.get("/jobs?kind=build").json()["jobs"]
        stranger, owner = made(scopes=["predictions"]), made(scopes=["models"])
        assert stranger.get("/jobs").json()["jobs"] == []
        for verb, rest in (("GET", ""), ("GET", "/logs"), ("GET", "/events"), ("POST", "/cancel")):
            answer = stranger.request(verb, f"/jobs/{job['job_id']}{rest}")
            assert answer.status_code == 403, rest
        shown = [one["job_id"] for one in owner.get("/jobs").json()["jobs"]]
        assert shown == [job["job_id"]]
        assert owner.post(f"/jobs/{job['job_id']}/cancel").status_code == 200

    def test_hold_where_a_prediction_passes_the_framework(
        self, made: Callable[..., TestClient], penguins: str
    ):
        good, bad = made(scopes=["predictions"]), made(scopes=["models", "datasets"])
        for _ in range(3):
            assert good.post(f"{penguins}/infer", json=GENTOO).status_code == 200
            assert bad.post(f"{penguins}/infer", json=GENTOO).status_code == 403

    def test_are_shown_and_are_all_where_none_are_named(
        self, made: Callable[..., TestClient], api: TestClient
    ):
        made(scopes=["models", "datasets", "models"])
        made()
        shown = [key["scopes"] for key in api.get(KEYS).json()["keys"]]
        assert ["datasets", "models"] in shown
        assert None in shown

    @pytest.mark.parametrize("scopes", [[], ["everything"], "models"])
    def test_that_are_none_are_refused_by_the_field(self, api: TestClient, scopes: Any):
        refused(api.post(KEYS, json=BODY | {"scopes": scopes}), "scopes")


class TestNetworks:
    @pytest.fixture
    def at(self, anonymous_client: TestClient) -> Callable[..., TestClient]:
        """Makes a client at an address, with a key."""

        def make(address: str, key: str) -> TestClient:
            client = TestClient(
                anonymous_client.app, client=(address, 1), headers={"x-api-key": key}
            )
            client.portal = anonymous_client.portal
            return client

        return make

    def test_are_where_a_key_works(self, api: TestClient, at: Callable[..., TestClient]):
        body = BODY | {"allowed_networks": ["10.1.0.0/16", "2001:db8::7"]}
        key = api.post(KEYS, json=body).json()["key"]
        for inside in ("10.1.2.3", "2001:db8::7", "::ffff:10.1.2.3"):
            assert at(inside, key).get("/models").status_code == 200, inside
        for outside in ("10.2.0.1", "2001:db8::8", "unknown", ""):
            answer = at(outside, key).get("/models")
            assert (answer.status_code, "address" in error_of(answer)["message"]) == (403, True)

    def test_hold_where_a_prediction_passes_the_framework(
        self, api: TestClient, at: Callable[..., TestClient], penguins: str
    ):
        body = BODY | {"allowed_networks": ["10.1.0.0/16"]}
        key = api.post(KEYS, json=body).json()["key"]
        for _ in range(3):
            assert at("10.1.2.3", key).post(f"{penguins}/infer", json=GENTOO).status_code == 200
            assert at("10.2.2.3", key).post(f"{penguins}/infer", json=GENTOO).status_code == 403

    @pytest.mark.parametrize("network", ["10.1.2.3/16", "host.example.org", "10.0.0.0/33", ""])
    def test_that_are_none_are_refused_by_the_field(self, api: TestClient, network: str):
        answer = api.post(KEYS, json=BODY | {"allowed_networks": ["10.0.0.0/8", network]})
        assert "192.0.2.0/24" in refused(answer, "allowed_networks")


class TestAKeyMakesNoneThatCouldMore:
    def test_scopes(self, made: Callable[..., TestClient]):
        narrow = made(scopes=["models"])
        answer = narrow.post(KEYS, json=BODY | {"scopes": ["models", "datasets"]})
        assert "models" in refused(answer, "scopes")
        assert narrow.post(KEYS, json=BODY | {"scopes": ["models"]}).status_code == 200
        assert narrow.post(KEYS, json=BODY).json()["scopes"] == ["models"]

    def test_networks(self, made: Callable[..., TestClient], anonymous_client: TestClient):
        narrow = made(allowed_networks=["10.1.0.0/16"])
        client = TestClient(
            anonymous_client.app, client=("10.1.2.3", 1), headers=dict(narrow.headers)
        )
        client.portal = anonymous_client.portal
        for wider in (["10.0.0.0/8"], ["10.1.2.0/24", "::1"]):
            refused(client.post(KEYS, json=BODY | {"allowed_networks": wider}), "allowed_networks")
        inner = client.post(KEYS, json=BODY | {"allowed_networks": ["10.1.2.0/24"]})
        assert inner.json()["allowed_networks"] == ["10.1.2.0/24"]
        assert client.post(KEYS, json=BODY).json()["allowed_networks"] == ["10.1.0.0/16"]

    @pytest.mark.parametrize("days", [None, 11])
    def test_life(self, made: Callable[..., TestClient], days: int | None):
        short = made(expiration_days=10)
        refused(short.post(KEYS, json=BODY | {"expiration_days": days}), "expiration_days")
        assert short.post(KEYS, json=BODY | {"expiration_days": 10}).status_code == 200


class TestAKeyCannotLengthenItsOwnLife:
    @pytest.mark.parametrize("days", [None, 11, 3650])
    def test_nor_take_its_end_away(self, made: Callable[..., TestClient], days: int | None):
        short = made(expiration_days=10)
        where = f"{KEYS}/{short.headers['x-key-id']}"
        refused(short.patch(where, json={"expiration_days": days}), "expiration_days")
        assert short.patch(where, json={"expiration_days": 5}).status_code == 200
        refused(short.patch(where, json={"expiration_days": 6}), "expiration_days")

    def test_nor_another_s_beyond_its_own(
        self, made: Callable[..., TestClient], clock: FrozenClock
    ):
        short, other = made(expiration_days=10), made(expiration_days=20)
        where = f"{KEYS}/{other.headers['x-key-id']}"
        refused(short.patch(where, json={"expiration_days": None}), "expiration_days")
        assert short.patch(where, json={"expiration_days": 12}).status_code == 200

    def test_nor_that_of_one_of_a_higher_level(
        self, api: TestClient, as_key: Callable[[str], TestClient], make_key: Callable[..., str]
    ):
        admin = as_key(make_key(level=Level.ADMIN))
        [key] = [
            one for one in admin.get(KEYS).json()["keys"] if one["permission_level"] == "admin"
        ]
        where = f"{KEYS}/{key['key_id']}"
        assert api.patch(where, json={"expiration_days": 1}).status_code == 200
        for days in (None, 30):
            answer = api.patch(where, json={"expiration_days": days})
            assert error_of(answer)["status"] == 403
        shown = admin.get(where).json()
        assert shown["expires_at"].startswith("2026-03-03")

    def test_one_without_an_end_may(self, api: TestClient, made: Callable[..., TestClient]):
        short = made(expiration_days=10)
        where = f"{KEYS}/{short.headers['x-key-id']}"
        assert api.patch(where, json={"expiration_days": None}).json()["expires_at"] is None


class TestRotate:
    def rotate(self, api: TestClient, client: TestClient, **body: int) -> dict[str, Any]:
        answer = api.post(f"{KEYS}/{client.headers['x-key-id']}/rotate", json=body)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def test_both_secrets_work_until_the_overlap_ends(
        self,
        api: TestClient,
        made: Callable[..., TestClient],
        as_key: Callable[[str], TestClient],
        clock: FrozenClock,
    ):
        old = made()
        told = self.rotate(api, old, overlap_hours=2)
        new = as_key(told["key"])
        assert told["former_until"] == "2026-03-02T14:00:00Z"
        for _ in range(2):
            assert old.get("/models").status_code == 200
            assert new.get("/models").status_code == 200
        clock.advance(hours=2)
        late = old.get("/models")
        assert (late.status_code, error_of(late)["code"]) == (401, "expired_key")
        assert "new secret" in error_of(late)["message"]
        assert new.get("/models").status_code == 200

    @pytest.mark.parametrize("members", [{}, {"expiration_days": 30}])
    def test_the_old_one_makes_nothing_that_outlives_its_overlap(
        self, api: TestClient, made: Callable[..., TestClient], members: dict[str, int]
    ):
        """Whoever stole it would have the newest secret, or a key without an end."""
        old = made(**members)
        where = f"{KEYS}/{old.headers['x-key-id']}"
        self.rotate(api, old, overlap_hours=48)
        assert error_of(old.post(f"{where}/rotate", json={}))["status"] == 403
        for days in (None, 3):
            refused(old.post(KEYS, json=BODY | {"expiration_days": days}), "expiration_days")
        refused(
            old.patch(where, json={"expiration_days": 40}), "expiration_days"
        ) if members else None
        assert old.post(KEYS, json=BODY | {"expiration_days": 1}).status_code == 200

    def test_the_old_one_ends_at_once_without_overlap(
        self, api: TestClient, made: Callable[..., TestClient], as_key: Callable[[str], TestClient]
    ):
        old = made()
        new = as_key(self.rotate(api, old, overlap_hours=0)["key"])
        assert old.get("/models").status_code == 401
        assert new.get("/models").status_code == 200

    def test_a_second_rotation_ends_the_first_secret(
        self, api: TestClient, made: Callable[..., TestClient], as_key: Callable[[str], TestClient]
    ):
        first = made()
        second = as_key(self.rotate(api, first)["key"])
        self.rotate(api, first)
        assert first.get("/models").status_code == 401
        assert second.get("/models").status_code == 200

    def test_keeps_level_scopes_and_end(self, api: TestClient, made: Callable[..., TestClient]):
        told = self.rotate(api, made(scopes=["models"], expiration_days=3))
        assert (told["scopes"], told["expires_at"]) == (["models"], "2026-03-05T12:00:00Z")

    def test_revoking_ends_both(
        self, api: TestClient, made: Callable[..., TestClient], as_key: Callable[[str], TestClient]
    ):
        old = made()
        new = as_key(self.rotate(api, old)["key"])
        api.delete(f"{KEYS}/{old.headers['x-key-id']}")
        assert [one.get("/models").status_code for one in (old, new)] == [401, 401]
        again = api.post(f"{KEYS}/{old.headers['x-key-id']}/rotate", json={})
        assert error_of(again)["status"] == 409

    def test_gives_nobody_the_secret_of_a_key_that_could_more(
        self, api: TestClient, made: Callable[..., TestClient], make_key: Callable[..., str]
    ):
        broad, narrow, short = made(), made(scopes=["models"]), made(expiration_days=1)
        where = f"{KEYS}/{broad.headers['x-key-id']}"
        for client in (narrow, short):
            assert error_of(client.post(f"{where}/rotate", json={}))["status"] == 403
        assert error_of(narrow.delete(where))["status"] == 403
        assert error_of(narrow.patch(where, json={"name": "x"}))["status"] == 403

    @pytest.mark.usefixtures("command_line")
    def test_the_operator_can(
        self, made: Callable[..., TestClient], as_key: Callable[[str], TestClient]
    ):
        old = made()
        told = CliRunner().invoke(
            keys_app, ["rotate", old.headers["x-key-id"], "--overlap-hours", "0"]
        )
        assert told.exit_code == 0, told.output
        assert as_key(told.stdout.splitlines()[-1]).get("/models").status_code == 200


class TestOperatorsCommand:
    @pytest.mark.usefixtures("command_line")
    def test_makes_narrow_keys(self, container: Container, as_key: Callable[[str], TestClient]):
        words = ["create", "--name", "a", "--permission-level", "read_only"]
        more = ["--email", "ana@example.org", "--scope", "predictions", "--network", "10.0.0.0/8"]
        told = CliRunner().invoke(keys_app, [*words, *more])
        assert told.exit_code == 0, told.output
        client = as_key(told.stdout.splitlines()[-1])
        assert client.get("/models").status_code == 403
        wrong = CliRunner().invoke(keys_app, [*words, "--network", "10.0.0.1/8"])
        assert (wrong.exit_code, "192.0.2.0/24" in wrong.output) == (2, True)
