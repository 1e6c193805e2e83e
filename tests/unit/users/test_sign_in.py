"""Signing in to the console: the password, the cookie with its CSRF token, the end of a session."""

from collections.abc import Callable, Sized
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import BoundedSemaphore
from time import monotonic, sleep

import pytest
from fastapi.testclient import TestClient
from structlog.testing import capture_logs

from modelwright.audit.domain import AuditFilter
from modelwright.audit.service import Audit
from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.errors import ValidationFailed
from modelwright.core.http.context import Tier
from modelwright.core.http.cookies import COOKIE_NAME
from modelwright.core.http.paging import Page
from modelwright.core.limits.contract import LIMITS
from modelwright.core.limits.rate_limiter import CONSOLE_REQUESTS_PER_MINUTE
from modelwright.users.console_sessions import MAX_CONCURRENT_HASHES, SignIn
from modelwright.users.repository import get_or_404
from modelwright.users.routes import SIGN_IN_THREADS
from modelwright.users.service import Users

PATH = "/console/session"
PASSWORD = "correct horse battery"
ANA = {"email": "ana@example.org", "password": PASSWORD}
WRONG = {**ANA, "password": "something else"}
NEW = "battery horse correct"
CHANGE = {"current_password": PASSWORD, "password": NEW}


@pytest.fixture
def account(container: Container) -> str:
    with container.database.transaction(ALL_ACCOUNTS) as db:
        user = container.service(Users).create(db, ANA["email"])
        db.flush()
        container.service(SignIn).set_password(db, user.user_id, PASSWORD)
    return user.user_id


@pytest.fixture
def csrf(anonymous_client: TestClient, account: str) -> dict[str, str]:
    """Signs the client in and returns the header that its calls need."""
    return {"X-CSRF-Token": anonymous_client.post(PATH, json=ANA).json()["csrf_token"]}


def wait_until(true: Callable[[], bool]) -> None:
    end = monotonic() + 30
    while not true():
        assert monotonic() < end
        sleep(0.005)


def waiters(gate: BoundedSemaphore) -> Sized:
    """Those who wait for a semaphore, which has no public way to tell."""
    waiting: Sized = vars(gate)["_cond"]._waiters
    return waiting


def has_length(things: Sized, length: int) -> bool:
    return len(things) == length


class TestSignIn:
    def test_answers_with_a_cookie_that_scripts_and_other_sites_never_see(
        self, anonymous_client: TestClient, account: str
    ):
        answer = anonymous_client.post(PATH, json={**ANA, "email": " Ana@Example.org "})
        assert answer.status_code == 200
        cookie = answer.headers["set-cookie"].lower()
        assert cookie.startswith(COOKIE_NAME)
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert "secure" not in cookie.split("; ")
        body = answer.json()
        assert (body["user_id"], body["level"]) == (account, "read_write")
        assert body["expires_at"] == "2026-03-02T12:30:00Z"

    def test_is_secure_over_tls(self, anonymous_client: TestClient, account: str):
        anonymous_client.base_url = "https://testserver"
        cookie = anonymous_client.post(PATH, json=ANA).headers["set-cookie"].lower()
        assert "secure" in cookie.split("; ")

    @pytest.mark.parametrize(
        "body", [WRONG, {**ANA, "email": "nobody@example.org"}, {**ANA, "email": "-"}]
    )
    def test_tells_not_what_is_wrong(
        self, anonymous_client: TestClient, account: str, body: dict[str, str]
    ):
        answer = anonymous_client.post(PATH, json=body)
        assert answer.status_code == 401
        assert answer.json()["error"]["message"] == "The e-mail or the password is wrong."
        assert "set-cookie" not in answer.headers

    def test_an_account_without_a_password_stays_shut(
        self, anonymous_client: TestClient, container: Container
    ):
        with container.database.transaction(ALL_ACCOUNTS) as db:
            container.service(Users).create(db, ANA["email"])
        assert anonymous_client.post(PATH, json=ANA).status_code == 401

    def test_names_a_missing_field(self, anonymous_client: TestClient):
        answer = anonymous_client.post(PATH, json={"email": "ana@example.org"})
        assert answer.status_code == 400
        assert "password" in answer.json()["error"]["message"]

    def test_the_right_password_is_refused_too_after_ten_wrong_ones(
        self, anonymous_client: TestClient, account: str, clock: FrozenClock
    ):
        for _ in range(LIMITS.failed_authentications):
            assert anonymous_client.post(PATH, json=WRONG).status_code == 401
        answer = anonymous_client.post(PATH, json=ANA)
        assert answer.status_code == 429
        assert answer.json()["error"]["code"] == "rate_limit_exceeded"
        assert int(answer.headers["retry-after"]) <= 15 * 60 + 1
        clock.advance(minutes=15, seconds=1)
        assert anonymous_client.post(PATH, json=ANA).status_code == 200

    def test_a_wrong_one_is_logged_with_where_it_came_from(
        self, anonymous_client: TestClient, account: str
    ):
        with capture_logs() as lines:
            anonymous_client.post(PATH, json=WRONG)
            anonymous_client.get("/auth/user", headers={"X-Api-Key": "mw_wrong"})
        told = [line for line in lines if line["event"] == "access.failed"]
        assert [(line["address"], line["path"]) for line in told] == [
            ("testclient", PATH),
            ("testclient", "/auth/user"),
        ]
        assert WRONG["password"] not in str(lines)

    def test_many_tries_at_once_are_no_more_than_ten(
        self, anonymous_client: TestClient, container: Container, account: str
    ):
        hashing = container.service(SignIn)._hashing
        waiting = waiters(hashing)
        for _ in range(MAX_CONCURRENT_HASHES):
            hashing.acquire()
        with ThreadPoolExecutor(13) as others:
            tries = []
            for number, body in enumerate([*[WRONG] * 12, ANA], 1):
                tries.append(others.submit(anonymous_client.post, PATH, json=body))
                wait_until(partial(has_length, waiting, number))
            for _ in range(MAX_CONCURRENT_HASHES):
                hashing.release()
            statuses = [one.result().status_code for one in tries]
        assert statuses.count(401) == 10
        assert statuses.count(429) == 3
        assert statuses[-1] == 429

    def test_many_who_wait_hold_up_nobody_else(
        self,
        anonymous_client: TestClient,
        make_key: Callable[..., str],
        container: Container,
        account: str,
    ):
        hashing = container.service(SignIn)._hashing
        waiting = waiters(hashing)
        for _ in range(MAX_CONCURRENT_HASHES):
            hashing.acquire()
        with ThreadPoolExecutor(50) as others:
            tries = [others.submit(anonymous_client.post, PATH, json=WRONG) for _ in range(45)]
            wait_until(partial(has_length, waiting, int(SIGN_IN_THREADS.total_tokens)))
            answer = others.submit(
                anonymous_client.get, "/auth/user", headers={"x-api-key": make_key()}
            )
            try:
                assert answer.result(timeout=10).status_code == 200
            finally:
                for _ in range(MAX_CONCURRENT_HASHES):
                    hashing.release()
        assert {one.result().status_code for one in tries} == {401, 429}

    @pytest.mark.parametrize("site", ["cross-site", "same-site"])
    def test_no_other_site_signs_a_browser_in_or_locks_it_out(
        self, anonymous_client: TestClient, account: str, site: str
    ):
        for body in [WRONG] * 11 + [ANA]:
            answer = anonymous_client.post(PATH, json=body, headers={"Sec-Fetch-Site": site})
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")
            assert "set-cookie" not in answer.headers
        own = anonymous_client.post(PATH, json=ANA, headers={"Sec-Fetch-Site": "same-origin"})
        assert own.status_code == 200

    def test_right_ones_do_not_count(self, anonymous_client: TestClient, account: str):
        for _ in range(LIMITS.failed_authentications + 2):
            assert anonymous_client.post(PATH, json=ANA).status_code == 200

    def test_a_deactivated_account_is_told_so(
        self, anonymous_client: TestClient, container: Container, account: str
    ):
        with container.database.transaction(ALL_ACCOUNTS) as db:
            container.service(Users).deactivate(db, account)
        answer = anonymous_client.post(PATH, json=ANA)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")

    def test_the_operator_is_admin_and_it_is_audited(
        self, anonymous_client: TestClient, container: Container
    ):
        with container.database.transaction(ALL_ACCOUNTS) as db:
            operator = container.service(Users).operator(db, "boss@example.org")
            db.flush()
            container.service(SignIn).set_password(db, operator.user_id, PASSWORD)
        session = anonymous_client.post(
            PATH, json={"email": "boss@example.org", "password": PASSWORD}
        ).json()
        assert session["level"] == "admin"
        told = anonymous_client.get("/audit", headers={"X-CSRF-Token": session["csrf_token"]})
        assert told.status_code == 200
        with container.database.transaction(ALL_ACCOUNTS) as db:
            entries, _ = container.service(Audit).list_(db, AuditFilter(), Page(10, 0))
        assert [entry.operation for entry in entries] == ["users.sign_in"]
        for _ in range(2):
            anonymous_client.delete(PATH, headers={"X-CSRF-Token": session["csrf_token"]})
        with container.database.transaction(ALL_ACCOUNTS) as db:
            entries, _ = container.service(Audit).list_(db, AuditFilter(), Page(10, 0))
        assert [entry.operation for entry in entries] == ["users.sign_out", "users.sign_in"]
        assert {entry.resource for entry in entries} == {operator.user_id}


class TestCall:
    def test_the_cookie_with_its_token_does_what_a_key_does(
        self, anonymous_client: TestClient, csrf: dict[str, str]
    ):
        assert anonymous_client.get("/auth/user", headers=csrf).json()["email"] == ANA["email"]
        made = anonymous_client.post(
            "/auth/api-keys", json={"name": "x", "permission_level": "read_write"}, headers=csrf
        )
        assert made.status_code == 200

    @pytest.mark.parametrize("headers", [{}, {"X-CSRF-Token": "guess"}, {"X-CSRF-Token": "é"}])
    def test_the_cookie_alone_opens_nothing(
        self, anonymous_client: TestClient, csrf: dict[str, str], headers: dict[str, str]
    ):
        sent = {name.encode(): value.encode("latin-1") for name, value in headers.items()}
        for answer in (
            anonymous_client.get("/models", headers=sent),
            anonymous_client.delete(PATH, headers=sent),
        ):
            assert answer.status_code == 401
            assert "X-CSRF-Token" in answer.json()["error"]["message"]

    def test_the_token_is_no_api_key(self, anonymous_client: TestClient, csrf: dict[str, str]):
        token = anonymous_client.cookies[COOKIE_NAME]
        anonymous_client.cookies.clear()
        answer = anonymous_client.get("/auth/user", headers={"x-api-key": token})
        assert answer.json()["error"]["code"] == "invalid_key"

    def test_a_key_sent_beside_the_cookie_counts(
        self, anonymous_client: TestClient, csrf: dict[str, str], make_key: Callable[..., str]
    ):
        key = make_key("ben@example.org")
        assert (
            anonymous_client.get("/auth/user", headers={"x-api-key": key}).json()["email"]
            == "ben@example.org"
        )

    def test_is_counted_apart_from_the_api(
        self,
        anonymous_client: TestClient,
        csrf: dict[str, str],
        make_key: Callable[..., str],
        as_key: Callable[[str], TestClient],
    ):
        by_key = as_key(make_key(tier=Tier.BASIC)).get("/auth/user")
        by_cookie = anonymous_client.get("/auth/user", headers=csrf)
        assert by_key.headers["x-ratelimit-limit"] == str(LIMITS.requests_per_minute_basic)
        assert by_cookie.headers["x-ratelimit-limit"] == str(CONSOLE_REQUESTS_PER_MINUTE)
        assert by_cookie.headers["x-ratelimit-remaining"] == str(CONSOLE_REQUESTS_PER_MINUTE - 1)


class TestRateOfALargerTier:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"requests_per_minute_enterprise": 601})

    def test_is_the_console_s_too(
        self, anonymous_client: TestClient, csrf: dict[str, str], make_key: Callable[..., str]
    ):
        make_key(tier=Tier.ENTERPRISE)
        answer = anonymous_client.get("/auth/user", headers=csrf)
        assert answer.headers["x-ratelimit-limit"] == "601"


class TestEnd:
    def test_after_half_an_hour_of_doing_nothing(
        self, anonymous_client: TestClient, csrf: dict[str, str], clock: FrozenClock
    ):
        for _ in range(3):
            clock.advance(minutes=29)
            assert anonymous_client.get("/auth/user", headers=csrf).status_code == 200
        clock.advance(minutes=30)
        answer = anonymous_client.get("/auth/user", headers=csrf)
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthorized")
        assert anonymous_client.get(PATH).status_code == 401

    def test_at_once_when_signed_out(self, anonymous_client: TestClient, csrf: dict[str, str]):
        token = anonymous_client.cookies[COOKIE_NAME]
        assert anonymous_client.delete(PATH, headers=csrf).json() == {"signed_out": True}
        assert COOKIE_NAME not in anonymous_client.cookies
        anonymous_client.cookies.set(COOKIE_NAME, token)
        assert anonymous_client.get("/auth/user", headers=csrf).status_code == 401

    def test_when_the_password_is_changed(
        self, anonymous_client: TestClient, csrf: dict[str, str], container: Container, account: str
    ):
        with container.database.transaction(ALL_ACCOUNTS) as db:
            container.service(SignIn).set_password(db, account, PASSWORD + "!")
        assert anonymous_client.get("/auth/user", headers=csrf).status_code == 401

    def test_when_the_account_is_deactivated(
        self, anonymous_client: TestClient, csrf: dict[str, str], container: Container, account: str
    ):
        with container.database.transaction(ALL_ACCOUNTS) as db:
            container.service(Users).deactivate(db, account)
        assert anonymous_client.get("/auth/user", headers=csrf).status_code == 401

    def test_what_has_ended_is_forgotten(
        self,
        anonymous_client: TestClient,
        csrf: dict[str, str],
        container: Container,
        clock: FrozenClock,
    ):
        duty = next(duty for duty in container.duties if duty.name == "users.sweep")
        clock.advance(minutes=31)
        with container.database.transaction(ALL_ACCOUNTS) as db:
            duty.carry_out(db)
        clock.advance(minutes=-31)
        assert anonymous_client.get(PATH).status_code == 401


class TestWho:
    def test_a_page_loaded_anew_learns_its_token(
        self, anonymous_client: TestClient, csrf: dict[str, str]
    ):
        assert anonymous_client.get(PATH).json()["csrf_token"] == csrf["X-CSRF-Token"]

    def test_nobody_is_told_so(self, anonymous_client: TestClient):
        assert anonymous_client.get(PATH).status_code == 401


class TestChangePassword:
    def test_the_new_one_signs_in_and_the_old_one_does_not(
        self, anonymous_client: TestClient, csrf: dict[str, str]
    ):
        assert anonymous_client.patch(PATH, json=CHANGE, headers=csrf).status_code == 200
        assert anonymous_client.post(PATH, json=ANA).status_code == 401
        assert anonymous_client.post(PATH, json={**ANA, "password": NEW}).status_code == 200

    def test_this_browser_goes_on_and_the_others_are_signed_out(
        self, anonymous_client: TestClient, csrf: dict[str, str]
    ):
        before = anonymous_client.cookies[COOKIE_NAME]
        changed = anonymous_client.patch(PATH, json=CHANGE, headers=csrf).json()
        here = {"X-CSRF-Token": changed["csrf_token"]}
        assert anonymous_client.get("/auth/user", headers=here).json()["email"] == ANA["email"]
        anonymous_client.cookies.set(COOKIE_NAME, before)
        assert anonymous_client.get("/auth/user", headers=csrf).status_code == 401

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({**CHANGE, "current_password": "guess"}, "current_password"),
            ({**CHANGE, "password": "short"}, "password"),
        ],
    )
    def test_names_the_field_at_fault_and_changes_nothing(
        self, anonymous_client: TestClient, csrf: dict[str, str], body: dict[str, str], field: str
    ):
        answer = anonymous_client.patch(PATH, json=body, headers=csrf)
        assert answer.status_code == 422
        assert [one["field"] for one in answer.json()["error"]["details"]] == [field]
        assert anonymous_client.get("/auth/user", headers=csrf).status_code == 200
        assert anonymous_client.post(PATH, json=ANA).status_code == 200

    def test_guesses_at_the_old_one_count_as_tries(
        self, anonymous_client: TestClient, csrf: dict[str, str]
    ):
        guess = {**CHANGE, "current_password": "guess"}
        for _ in range(LIMITS.failed_authentications):
            assert anonymous_client.patch(PATH, json=guess, headers=csrf).status_code == 422
        assert anonymous_client.patch(PATH, json=CHANGE, headers=csrf).status_code == 429

    def test_nobody_and_another_sites_page_change_nothing(
        self, anonymous_client: TestClient, csrf: dict[str, str]
    ):
        assert anonymous_client.patch(PATH, json=CHANGE).status_code == 401
        anonymous_client.cookies.clear()
        assert anonymous_client.patch(PATH, json=CHANGE, headers=csrf).status_code == 401
        assert anonymous_client.post(PATH, json=ANA).status_code == 200

    def test_an_account_that_signs_in_elsewhere_is_told_who_gives_it_one(
        self, anonymous_client: TestClient, csrf: dict[str, str], container: Container, account: str
    ):
        with container.database.transaction(ALL_ACCOUNTS) as db:
            get_or_404(db, account).password_hash = None
        answer = anonymous_client.patch(PATH, json=CHANGE, headers=csrf)
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "resource_exists")
        assert "set-password" in answer.json()["error"]["message"]


class TestPassword:
    @pytest.mark.parametrize("password", ["short", "x" * 1001])
    def test_refuses_one_too_short_or_too_long(
        self, container: Container, account: str, password: str
    ):
        with (
            pytest.raises(ValidationFailed, match="password: must have at"),
            container.database.transaction(ALL_ACCOUNTS) as db,
        ):
            container.service(SignIn).set_password(db, account, password)

    def test_is_kept_as_a_hash_that_costs_memory(self, container: Container, account: str):
        with container.database.transaction(ALL_ACCOUNTS, write=False) as db:
            candidate = container.service(SignIn).candidate(db, ANA["email"])
        assert candidate is not None
        assert str(candidate.password_hash).startswith("$argon2id$v=19$m=19456,t=2,p=1$")
