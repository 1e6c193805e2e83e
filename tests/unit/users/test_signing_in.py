"""Signing in to the console: the password, the cookie with its CSRF token, the end of a session."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep

import pytest
from fastapi.testclient import TestClient
from structlog.testing import capture_logs

from modelwright.audit.domain import Sought
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
from modelwright.users.console_sessions import HASHINGS_AT_ONCE, SigningIn
from modelwright.users.repository import must_find
from modelwright.users.routes import AT_ONCE
from modelwright.users.service import Users

PATH = "/console/session"
PASSWORD = "correct horse battery"
ANA = {"email": "ana@example.org", "password": PASSWORD}
WRONG = {**ANA, "password": "something else"}
NEW = "battery horse correct"
CHANGE = {"current_password": PASSWORD, "password": NEW}


@pytest.fixture
def account(house: Container) -> str:
    with house.database.transaction(ALL_ACCOUNTS) as db:
        user = house.service(Users).create(db, ANA["email"])
        db.flush()
        house.service(SigningIn).set_password(db, user.user_id, PASSWORD)
    return user.user_id


@pytest.fixture
def csrf(web: TestClient, account: str) -> dict[str, str]:
    """Signs the client in and returns the header that its calls need."""
    return {"X-CSRF-Token": web.post(PATH, json=ANA).json()["csrf_token"]}


def wait_until(true: Callable[[], bool]) -> None:
    end = monotonic() + 30
    while not true():
        assert monotonic() < end
        sleep(0.005)


class TestSignIn:
    def test_answers_with_a_cookie_that_scripts_and_other_sites_never_see(
        self, web: TestClient, account: str
    ):
        answer = web.post(PATH, json={**ANA, "email": " Ana@Example.org "})
        assert answer.status_code == 200
        cookie = answer.headers["set-cookie"].lower()
        assert cookie.startswith(COOKIE_NAME)
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert "secure" not in cookie.split("; ")
        body = answer.json()
        assert (body["user_id"], body["level"]) == (account, "read_write")
        assert body["expires_at"] == "2026-03-02T12:30:00Z"

    def test_is_secure_over_tls(self, web: TestClient, account: str):
        web.base_url = "https://testserver"
        cookie = web.post(PATH, json=ANA).headers["set-cookie"].lower()
        assert "secure" in cookie.split("; ")

    @pytest.mark.parametrize(
        "body", [WRONG, {**ANA, "email": "nobody@example.org"}, {**ANA, "email": "-"}]
    )
    def test_tells_not_what_is_wrong(self, web: TestClient, account: str, body: dict[str, str]):
        answer = web.post(PATH, json=body)
        assert answer.status_code == 401
        assert answer.json()["error"]["message"] == "The e-mail or the password is wrong."
        assert "set-cookie" not in answer.headers

    def test_an_account_without_a_password_stays_shut(self, web: TestClient, house: Container):
        with house.database.transaction(ALL_ACCOUNTS) as db:
            house.service(Users).create(db, ANA["email"])
        assert web.post(PATH, json=ANA).status_code == 401

    def test_names_a_missing_field(self, web: TestClient):
        answer = web.post(PATH, json={"email": "ana@example.org"})
        assert answer.status_code == 400
        assert "password" in answer.json()["error"]["message"]

    def test_the_right_password_is_refused_too_after_ten_wrong_ones(
        self, web: TestClient, account: str, clock: FrozenClock
    ):
        for _ in range(LIMITS.failed_authentications):
            assert web.post(PATH, json=WRONG).status_code == 401
        answer = web.post(PATH, json=ANA)
        assert answer.status_code == 429
        assert answer.json()["error"]["code"] == "rate_limit_exceeded"
        assert int(answer.headers["retry-after"]) <= 15 * 60 + 1
        clock.advance(minutes=15, seconds=1)
        assert web.post(PATH, json=ANA).status_code == 200

    def test_a_wrong_one_is_logged_with_where_it_came_from(self, web: TestClient, account: str):
        with capture_logs() as lines:
            web.post(PATH, json=WRONG)
            web.get("/auth/user", headers={"X-Api-Key": "mw_wrong"})
        told = [line for line in lines if line["event"] == "access.failed"]
        assert [(line["address"], line["path"]) for line in told] == [
            ("testclient", PATH),
            ("testclient", "/auth/user"),
        ]
        assert WRONG["password"] not in str(lines)

    def test_many_tries_at_once_are_no_more_than_ten(
        self, web: TestClient, house: Container, account: str
    ):
        hashing = house.service(SigningIn)._hashing
        waiting = hashing._cond._waiters
        for _ in range(HASHINGS_AT_ONCE):
            hashing.acquire()
        with ThreadPoolExecutor(13) as others:
            tries = []
            for number, body in enumerate([*[WRONG] * 12, ANA], 1):
                tries.append(others.submit(web.post, PATH, json=body))
                wait_until(lambda number=number: len(waiting) == number)
            for _ in range(HASHINGS_AT_ONCE):
                hashing.release()
            statuses = [one.result().status_code for one in tries]
        assert statuses.count(401) == 10
        assert statuses.count(429) == 3
        assert statuses[-1] == 429

    def test_many_who_wait_hold_up_nobody_else(
        self, web: TestClient, make_key: Callable[..., str], house: Container, account: str
    ):
        hashing = house.service(SigningIn)._hashing
        waiting = hashing._cond._waiters
        for _ in range(HASHINGS_AT_ONCE):
            hashing.acquire()
        with ThreadPoolExecutor(50) as others:
            tries = [others.submit(web.post, PATH, json=WRONG) for _ in range(45)]
            wait_until(lambda: len(waiting) == AT_ONCE.total_tokens)
            answer = others.submit(web.get, "/auth/user", headers={"x-api-key": make_key()})
            try:
                assert answer.result(timeout=10).status_code == 200
            finally:
                for _ in range(HASHINGS_AT_ONCE):
                    hashing.release()
        assert {one.result().status_code for one in tries} == {401, 429}

    @pytest.mark.parametrize("site", ["cross-site", "same-site"])
    def test_no_other_site_signs_a_browser_in_or_locks_it_out(
        self, web: TestClient, account: str, site: str
    ):
        for body in [WRONG] * 11 + [ANA]:
            answer = web.post(PATH, json=body, headers={"Sec-Fetch-Site": site})
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")
            assert "set-cookie" not in answer.headers
        own = web.post(PATH, json=ANA, headers={"Sec-Fetch-Site": "same-origin"})
        assert own.status_code == 200

    def test_right_ones_do_not_count(self, web: TestClient, account: str):
        for _ in range(LIMITS.failed_authentications + 2):
            assert web.post(PATH, json=ANA).status_code == 200

    def test_a_deactivated_account_is_told_so(
        self, web: TestClient, house: Container, account: str
    ):
        with house.database.transaction(ALL_ACCOUNTS) as db:
            house.service(Users).amend(db, account, is_active=False)
        answer = web.post(PATH, json=ANA)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")

    def test_the_operator_is_admin_and_it_is_audited(self, web: TestClient, house: Container):
        with house.database.transaction(ALL_ACCOUNTS) as db:
            operator = house.service(Users).operator(db, "boss@example.org")
            db.flush()
            house.service(SigningIn).set_password(db, operator.user_id, PASSWORD)
        session = web.post(PATH, json={"email": "boss@example.org", "password": PASSWORD}).json()
        assert session["level"] == "admin"
        told = web.get("/audit", headers={"X-CSRF-Token": session["csrf_token"]})
        assert told.status_code == 200
        with house.database.transaction(ALL_ACCOUNTS) as db:
            entries, _ = house.service(Audit).list_(db, Sought(), Page(10, 0))
        assert [entry.operation for entry in entries] == ["users.sign_in"]
        for _ in range(2):
            web.delete(PATH, headers={"X-CSRF-Token": session["csrf_token"]})
        with house.database.transaction(ALL_ACCOUNTS) as db:
            entries, _ = house.service(Audit).list_(db, Sought(), Page(10, 0))
        assert [entry.operation for entry in entries] == ["users.sign_out", "users.sign_in"]
        assert {entry.resource for entry in entries} == {operator.user_id}


class TestCall:
    def test_the_cookie_with_its_token_does_what_a_key_does(
        self, web: TestClient, csrf: dict[str, str]
    ):
        assert web.get("/auth/user", headers=csrf).json()["email"] == ANA["email"]
        made = web.post(
            "/auth/api-keys", json={"name": "x", "permission_level": "read_write"}, headers=csrf
        )
        assert made.status_code == 200

    @pytest.mark.parametrize("headers", [{}, {"X-CSRF-Token": "guess"}, {"X-CSRF-Token": "é"}])
    def test_the_cookie_alone_opens_nothing(
        self, web: TestClient, csrf: dict[str, str], headers: dict[str, str]
    ):
        sent = {name: value.encode("latin-1") for name, value in headers.items()}
        for answer in (web.get("/models", headers=sent), web.delete(PATH, headers=sent)):
            assert answer.status_code == 401
            assert "X-CSRF-Token" in answer.json()["error"]["message"]

    def test_the_token_is_no_api_key(self, web: TestClient, csrf: dict[str, str]):
        token = web.cookies[COOKIE_NAME]
        web.cookies.clear()
        answer = web.get("/auth/user", headers={"x-api-key": token})
        assert answer.json()["error"]["code"] == "invalid_key"

    def test_a_key_sent_beside_the_cookie_counts(
        self, web: TestClient, csrf: dict[str, str], make_key: Callable[..., str]
    ):
        key = make_key("ben@example.org")
        assert (
            web.get("/auth/user", headers={"x-api-key": key}).json()["email"] == "ben@example.org"
        )

    def test_is_counted_apart_from_the_api(
        self,
        web: TestClient,
        csrf: dict[str, str],
        make_key: Callable[..., str],
        as_key: Callable[[str], TestClient],
    ):
        by_key = as_key(make_key(tier=Tier.BASIC)).get("/auth/user")
        by_cookie = web.get("/auth/user", headers=csrf)
        assert by_key.headers["x-ratelimit-limit"] == str(LIMITS.requests_per_minute_basic)
        assert by_cookie.headers["x-ratelimit-limit"] == str(CONSOLE_REQUESTS_PER_MINUTE)
        assert by_cookie.headers["x-ratelimit-remaining"] == str(CONSOLE_REQUESTS_PER_MINUTE - 1)


class TestRateOfALargerTier:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"requests_per_minute_enterprise": 601})

    def test_is_the_console_s_too(
        self, web: TestClient, csrf: dict[str, str], make_key: Callable[..., str]
    ):
        make_key(tier=Tier.ENTERPRISE)
        answer = web.get("/auth/user", headers=csrf)
        assert answer.headers["x-ratelimit-limit"] == "601"


class TestEnd:
    def test_after_half_an_hour_of_doing_nothing(
        self, web: TestClient, csrf: dict[str, str], clock: FrozenClock
    ):
        for _ in range(3):
            clock.advance(minutes=29)
            assert web.get("/auth/user", headers=csrf).status_code == 200
        clock.advance(minutes=30)
        answer = web.get("/auth/user", headers=csrf)
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthorized")
        assert web.get(PATH).status_code == 401

    def test_at_once_when_signed_out(self, web: TestClient, csrf: dict[str, str]):
        token = web.cookies[COOKIE_NAME]
        assert web.delete(PATH, headers=csrf).json() == {"signed_out": True}
        assert COOKIE_NAME not in web.cookies
        web.cookies.set(COOKIE_NAME, token)
        assert web.get("/auth/user", headers=csrf).status_code == 401

    def test_when_the_password_is_changed(
        self, web: TestClient, csrf: dict[str, str], house: Container, account: str
    ):
        with house.database.transaction(ALL_ACCOUNTS) as db:
            house.service(SigningIn).set_password(db, account, PASSWORD + "!")
        assert web.get("/auth/user", headers=csrf).status_code == 401

    def test_when_the_account_is_deactivated(
        self, web: TestClient, csrf: dict[str, str], house: Container, account: str
    ):
        with house.database.transaction(ALL_ACCOUNTS) as db:
            house.service(Users).amend(db, account, is_active=False)
        assert web.get("/auth/user", headers=csrf).status_code == 403

    def test_what_has_ended_is_forgotten(
        self, web: TestClient, csrf: dict[str, str], house: Container, clock: FrozenClock
    ):
        duty = next(duty for duty in house.duties if duty.name == "users.sweep")
        clock.advance(minutes=31)
        with house.database.transaction(ALL_ACCOUNTS) as db:
            duty.carry_out(db)
        clock.advance(minutes=-31)
        assert web.get(PATH).status_code == 401


class TestWho:
    def test_a_page_loaded_anew_learns_its_token(self, web: TestClient, csrf: dict[str, str]):
        assert web.get(PATH).json()["csrf_token"] == csrf["X-CSRF-Token"]

    def test_nobody_is_told_so(self, web: TestClient):
        assert web.get(PATH).status_code == 401


class TestChangePassword:
    def test_the_new_one_signs_in_and_the_old_one_does_not(
        self, web: TestClient, csrf: dict[str, str]
    ):
        assert web.patch(PATH, json=CHANGE, headers=csrf).status_code == 200
        assert web.post(PATH, json=ANA).status_code == 401
        assert web.post(PATH, json={**ANA, "password": NEW}).status_code == 200

    def test_this_browser_goes_on_and_the_others_are_signed_out(
        self, web: TestClient, csrf: dict[str, str]
    ):
        before = web.cookies[COOKIE_NAME]
        changed = web.patch(PATH, json=CHANGE, headers=csrf).json()
        here = {"X-CSRF-Token": changed["csrf_token"]}
        assert web.get("/auth/user", headers=here).json()["email"] == ANA["email"]
        web.cookies.set(COOKIE_NAME, before)
        assert web.get("/auth/user", headers=csrf).status_code == 401

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({**CHANGE, "current_password": "guess"}, "current_password"),
            ({**CHANGE, "password": "short"}, "password"),
        ],
    )
    def test_names_the_field_at_fault_and_changes_nothing(
        self, web: TestClient, csrf: dict[str, str], body: dict[str, str], field: str
    ):
        answer = web.patch(PATH, json=body, headers=csrf)
        assert answer.status_code == 422
        assert [one["field"] for one in answer.json()["error"]["details"]] == [field]
        assert web.get("/auth/user", headers=csrf).status_code == 200
        assert web.post(PATH, json=ANA).status_code == 200

    def test_guesses_at_the_old_one_count_as_tries(self, web: TestClient, csrf: dict[str, str]):
        guess = {**CHANGE, "current_password": "guess"}
        for _ in range(LIMITS.failed_authentications):
            assert web.patch(PATH, json=guess, headers=csrf).status_code == 422
        assert web.patch(PATH, json=CHANGE, headers=csrf).status_code == 429

    def test_nobody_and_another_sites_page_change_nothing(
        self, web: TestClient, csrf: dict[str, str]
    ):
        assert web.patch(PATH, json=CHANGE).status_code == 401
        web.cookies.clear()
        assert web.patch(PATH, json=CHANGE, headers=csrf).status_code == 401
        assert web.post(PATH, json=ANA).status_code == 200

    def test_an_account_that_signs_in_elsewhere_is_told_who_gives_it_one(
        self, web: TestClient, csrf: dict[str, str], house: Container, account: str
    ):
        with house.database.transaction(ALL_ACCOUNTS) as db:
            must_find(db, account).password_hash = None
        answer = web.patch(PATH, json=CHANGE, headers=csrf)
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "resource_exists")
        assert "set-password" in answer.json()["error"]["message"]


class TestPassword:
    @pytest.mark.parametrize("password", ["short", "x" * 1001])
    def test_refuses_one_too_short_or_too_long(self, house: Container, account: str, password: str):
        with (
            pytest.raises(ValidationFailed, match="password: must have at"),
            house.database.transaction(ALL_ACCOUNTS) as db,
        ):
            house.service(SigningIn).set_password(db, account, password)

    def test_is_kept_as_a_hash_that_costs_memory(self, house: Container, account: str):
        with house.database.transaction(ALL_ACCOUNTS, write=False) as db:
            candidate = house.service(SigningIn).candidate(db, ANA["email"])
        assert candidate is not None
        assert str(candidate.password_hash).startswith("$argon2id$v=19$m=19456,t=2,p=1$")
