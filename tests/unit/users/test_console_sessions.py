"""Sessions of the console: they end, are shown and ended by their owner, and cannot be planted."""

from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient
from tests.api_helpers import error_of

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.errors import ValidationFailed
from modelwright.core.http.cookies import COOKIE_NAME, HOST_PREFIX
from modelwright.users.console_sessions import SignIn
from modelwright.users.service import Users

PATH = "/console/session"
SESSIONS = "/auth/sessions"
LOG = "/auth/security-log"
PASSWORD = "correct horse battery"
ANA = {"email": "ana@example.org", "password": PASSWORD}
HOST_COOKIE = HOST_PREFIX + COOKIE_NAME


@pytest.fixture
def account(container: Container, api: TestClient) -> str:
    with container.database.transaction(ALL_ACCOUNTS) as db:
        user = container.service(Users).find(db, ANA["email"])
        container.service(SignIn).set_password(db, user.user_id, PASSWORD)
    return user.user_id


@pytest.fixture
def browser(anonymous_client: TestClient, account: str) -> Callable[..., TestClient]:
    """Opens a browser in which Ana is signed in."""

    def make(base_url: str = "http://testserver", **headers: str) -> TestClient:
        client = TestClient(anonymous_client.app, base_url=base_url, headers=headers)
        client.portal = anonymous_client.portal
        answer = client.post(PATH, json=ANA)
        assert answer.status_code == 200, answer.text
        client.headers["X-CSRF-Token"] = answer.json()["csrf_token"]
        return client

    return make


class TestAbsoluteLife:
    def test_ends_however_busy_somebody_is(
        self, browser: Callable[..., TestClient], clock: FrozenClock
    ):
        ana = browser()
        for _ in range(35):
            clock.advance(minutes=20)
            assert ana.get("/auth/user").status_code == 200
        assert ana.get(PATH).json()["expires_at"] == "2026-03-03T00:00:00Z"
        clock.advance(minutes=20)
        assert ana.get("/auth/user").status_code == 401


class TestFixation:
    def test_a_planted_session_is_left_and_ends(self, browser: Callable[..., TestClient]):
        """Somebody who put a session into Ana's browser does not get hers."""
        planted = browser()
        token = planted.cookies[COOKIE_NAME]
        victim = browser()
        victim.cookies.set(COOKIE_NAME, token, domain="testserver.local", path="/")
        answer = victim.post(PATH, json=ANA)
        assert f"{COOKIE_NAME}={token}" not in answer.headers["set-cookie"]
        assert planted.get("/auth/user").status_code == 401

    def test_each_sign_in_has_a_token_of_its_own(self, browser: Callable[..., TestClient]):
        ana = browser()
        before = ana.cookies[COOKIE_NAME]
        ana.headers["X-CSRF-Token"] = ana.post(PATH, json=ANA).json()["csrf_token"]
        assert ana.cookies[COOKIE_NAME] != before
        assert len(ana.get(SESSIONS).json()["sessions"]) == 1


class TestCookie:
    def test_belongs_to_this_host_alone_over_tls(self, browser: Callable[..., TestClient]):
        ana = browser("https://testserver")
        [cookie] = ana.post(PATH, json=ANA).headers.get_list("set-cookie")
        assert cookie.startswith(f"{HOST_COOKIE}=mwsh_")
        attributes = {part.strip().lower() for part in cookie.split(";")[1:]}
        assert attributes == {"httponly", "path=/", "samesite=strict", "secure"}

    def test_over_tls_one_that_another_host_could_have_set_opens_nothing(
        self, browser: Callable[..., TestClient], anonymous_client: TestClient
    ):
        ana = browser("https://testserver")
        headers = {
            "cookie": f"{COOKIE_NAME}={ana.cookies[HOST_COOKIE]}",
            "X-CSRF-Token": ana.headers["X-CSRF-Token"],
        }
        assert anonymous_client.get("/auth/user", headers=headers).status_code == 401
        headers["cookie"] = f"{HOST_PREFIX}{headers['cookie']}"
        assert anonymous_client.get("/auth/user", headers=headers).status_code == 200

    def test_is_taken_away_when_somebody_signs_out(self, browser: Callable[..., TestClient]):
        ana = browser("https://testserver")
        gone = ana.delete(PATH).headers["set-cookie"]
        assert gone.startswith(f'{HOST_COOKIE}=""')
        assert "Secure" in gone
        assert HOST_COOKIE not in ana.cookies


class TestOwnSessions:
    def test_are_shown_with_where_they_came_from(
        self, browser: Callable[..., TestClient], api: TestClient
    ):
        browser(**{"User-Agent": "Phone/1"})
        ana = browser(**{"User-Agent": "Laptop/2"})
        shown = ana.get(SESSIONS).json()["sessions"]
        assert {(one["user_agent"], one["is_current"]) for one in shown} == {
            ("Phone/1", False),
            ("Laptop/2", True),
        }
        assert {one["address"] for one in shown} == {"testclient"}
        assert not any(one["is_current"] for one in api.get(SESSIONS).json()["sessions"])

    def test_are_ended_by_their_owner(self, browser: Callable[..., TestClient]):
        phone, laptop = browser(), browser()
        [other] = [one for one in laptop.get(SESSIONS).json()["sessions"] if not one["is_current"]]
        ended = laptop.delete(f"{SESSIONS}/{other['console_session_id']}")
        assert ended.status_code == 200
        assert phone.get("/auth/user").status_code == 401
        assert laptop.get("/auth/user").status_code == 200
        again = laptop.delete(f"{SESSIONS}/{other['console_session_id']}")
        assert error_of(again)["status"] == 404

    def test_are_nobody_else_s(
        self,
        browser: Callable[..., TestClient],
        as_key: Callable[[str], TestClient],
        make_key: Callable[..., str],
    ):
        ana, ben = browser(), as_key(make_key("ben@example.org"))
        [session] = ana.get(SESSIONS).json()["sessions"]
        assert ben.get(SESSIONS).json()["sessions"] == []
        stolen = ben.delete(f"{SESSIONS}/{session['console_session_id']}")
        assert error_of(stolen)["status"] == 404
        assert ana.get("/auth/user").status_code == 200


class TestSecurityLog:
    def test_tells_the_owner_of_what_became_of_the_account(
        self,
        browser: Callable[..., TestClient],
        anonymous_client: TestClient,
        api: TestClient,
        as_key: Callable[[str], TestClient],
        make_key: Callable[..., str],
    ):
        ana = browser()
        anonymous_client.post(PATH, json=ANA | {"password": "something else"})
        made = api.post("/auth/api-keys", json={"name": "a", "permission_level": "read_only"})
        api.post(f"/auth/api-keys/{made.json()['key_id']}/rotate", json={})
        api.delete(f"/auth/api-keys/{made.json()['key_id']}")
        phone = browser()
        [session] = [one for one in ana.get(SESSIONS).json()["sessions"] if not one["is_current"]]
        ana.delete(f"{SESSIONS}/{session['console_session_id']}")
        assert phone.get("/auth/user").status_code == 401
        api.post("/data/upload", json={"files": [{"filename": "a.csv", "content_type": "a/b"}]})
        entries = api.get(LOG).json()["entries"]
        assert [(one["operation"], one["actor"]) for one in entries] == [
            ("users.end_session", ANA["email"]),
            ("users.sign_in", ANA["email"]),
            ("keys.revoke", ANA["email"]),
            ("keys.rotate", ANA["email"]),
            ("keys.create", ANA["email"]),
            ("users.sign_in_failed", "unknown"),
            ("users.sign_in", ANA["email"]),
        ]
        assert as_key(make_key("ben@example.org")).get(LOG).json()["entries"] == []

    def test_of_nobody_s_account_nothing_is_kept(
        self, anonymous_client: TestClient, container: Container
    ):
        answer = anonymous_client.post(PATH, json=ANA | {"email": "nobody@example.org"})
        assert answer.status_code == 401


class TestSpelling:
    @pytest.mark.parametrize(
        "email",
        [
            "\u212a@example.org",
            "straße@example.org",
            "ﬁn@example.org",
            "ana@\uff45xample.org",
            "É@example.org",
        ],
    )
    def test_of_an_e_mail_that_could_be_another_s_is_refused(
        self, container: Container, email: str
    ):
        with (
            pytest.raises(ValidationFailed, match="plain letters"),
            container.database.transaction(ALL_ACCOUNTS) as db,
        ):
            container.service(Users).create(db, email)

    @pytest.mark.parametrize("email", ["Ana.B+c@Example.ORG", "josé@example.org", "名@example.jp"])
    def test_of_others_is_taken(self, container: Container, email: str):
        with container.database.transaction(ALL_ACCOUNTS) as db:
            assert container.service(Users).create(db, email).email == email.lower()
