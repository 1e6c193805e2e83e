"""What belongs to an account: another one sees none of it, an admin acts in it when asked to."""

from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient
from tests.contract.ids import Ids, url_of
from tests.contract.walking import BODIES, operations, told_of
from tests.contract.world import World

from modelwright.core.http.context import Level

NAMED_BY_THE_CALLER = {"builds.create", "builds.plan"}
NAMING = {
    "uploads.confirm": "upload_id",
    "sessions.create": "upload_id",
    "sessions.use": "upload_id",
    "exports.create": "upload_id",
    "analysis.create": "upload_id",
    "ingestions.create": "connection_id",
    "queries.ask": "session_id",
    "builds.create": "dataset_id",
    "builds.plan": "dataset_id",
}
"""Operations whose body names something, and the member that does."""


class TestStrangers:
    def test_what_a_path_names_is_404_to_another_account(self, world: World, mine: Ids):
        for one in operations(world.anonymous_client.app):
            if "{" in one.path and not one.is_public and one.name not in NAMED_BY_THE_CALLER:
                body = BODIES.get(one.name) if one.takes_body else None
                answer = world.stranger.request(one.verb, url_of(one.path, mine), json=body)
                error = answer.json()["error"]
                assert (error["code"], error["status"]) == ("not_found", 404), one.name

    def test_the_owner_finds_what_it_names(self, world: World, mine: Ids):
        for one in operations(world.anonymous_client.app):
            if "{" in one.path and one.verb == "get" and not one.is_public:
                answer = world.api.get(url_of(one.path, mine))
                assert answer.status_code == 200, (one.name, answer.text)

    @pytest.mark.parametrize(("operation", "member"), NAMING.items())
    def test_what_a_body_names_is_404_to_another_account(
        self, world: World, mine: Ids, operation: str, member: str
    ):
        [one] = [each for each in operations(world.anonymous_client.app) if each.name == operation]
        value = mine["upload_id"] if member == "dataset_id" else mine[member]
        body = {**BODIES[operation], member: value}
        answer = world.stranger.request(one.verb, url_of(one.path, mine), json=body)
        error = answer.json()["error"]
        assert (error["code"], error["status"]) == ("not_found", 404)
        assert member in error["message"]

    @pytest.mark.parametrize(
        ("path", "member"), [("/models/build-logs", "job_id"), ("/data/upload", "upload_id")]
    )
    def test_what_a_query_names_is_404_to_another_account(
        self, world: World, mine: Ids, path: str, member: str
    ):
        answer = world.stranger.get(f"{path}?{member}={mine[member]}")
        error = answer.json()["error"]
        assert (error["code"], error["status"]) == ("not_found", 404)
        assert member in error["message"]

    def test_a_dataset_s_name_is_of_its_account(self, world: World):
        body = {**BODIES["builds.create"], "dataset_id": "churn"}
        assert world.stranger.post("/models/mine", json=body).status_code == 404

    def test_every_list_of_another_account_is_empty(self, world: World):
        paths = told_of(world.anonymous_client.app)["paths"]
        for one in operations(world.anonymous_client.app):
            told = paths[one.path][one.verb].get("parameters", [])
            is_list = one.verb == "get" and "limit" in {each["name"] for each in told}
            if (
                is_list
                and "{" not in one.path
                and one.name not in {"keys.list", "audit.list", "machines.list", "users.list"}
            ):
                answer = world.stranger.get(one.path).json()
                assert answer["pagination"]["total"] == 0, one.name


LISTS = ("/uploads", "/models", "/jobs", "/data/sessions", "/database/connections")


class TestActingInAnother:
    def test_an_admin_reads_every_list_of_that_account(self, world: World):
        account = world.answers["users.me"][0].json()["user_id"]
        strange = world.stranger.get("/auth/user").json()["user_id"]
        for path in LISTS:
            own = world.api.get(path).json()
            assert world.admin.get(path, headers={"X-Account": account}).json() == own, path
            other = world.admin.get(path, headers={"X-Account": strange}).json()
            assert other == world.stranger.get(path).json(), path

    @pytest.mark.parametrize("level", [Level.READ_ONLY, Level.READ_WRITE])
    def test_other_levels_may_not_on_any_path(
        self,
        as_key: Callable[[str], TestClient],
        make_key: Callable[..., str],
        other_account_client: TestClient,
        level: Level,
    ):
        account = {"X-Account": other_account_client.get("/auth/user").json()["user_id"]}
        client = as_key(make_key(level=level))
        for one in operations(client.app):
            if not one.is_public:
                answer = client.request(one.verb, one.url, headers=account)
                code = answer.json()["error"]["code"]
                assert (answer.status_code, code) == (403, "insufficient_permissions"), one.name

    @pytest.mark.parametrize("level", Level)
    def test_every_level_may_name_its_own(
        self, as_key: Callable[[str], TestClient], make_key: Callable[..., str], level: Level
    ):
        client = as_key(make_key(level=level))
        user = client.get("/auth/user").json()
        own = {"X-Account": user["user_id"]}
        assert client.get("/auth/user", headers=own).json() == user
        assert user["permission_level"] == level.word

    @pytest.mark.parametrize("named", ["user_nobody", "ben@example.org", "*", "user_"])
    def test_an_account_there_is_not_is_404(
        self, as_key: Callable[[str], TestClient], make_key: Callable[..., str], named: str
    ):
        admin = as_key(make_key(level=Level.ADMIN))
        answer = admin.get("/models", headers={"X-Account": named})
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
        assert "X-Account" in answer.json()["error"]["message"]


class TestTheHeaderOfTheGateway:
    def test_a_client_s_user_id_is_dropped(self, world: World):
        strange = {"X-User-Id": world.stranger.get("/auth/user").json()["user_id"]}
        for path in ("/auth/user", *LISTS):
            claimed = world.api.get(path, headers=strange).json()
            assert claimed == world.api.get(path).json(), path
        assert world.anonymous_client.get("/models", headers=strange).status_code == 401
