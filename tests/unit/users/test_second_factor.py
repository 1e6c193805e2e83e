"""One-time passwords beside the password of the console: set up, asked for, used up, taken away."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pyotp
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text
from tests.api_helpers import error_of
from typer.testing import CliRunner

from modelwright.bootstrap.container import Container
from modelwright.cli.users import users_app
from modelwright.core.clock import FrozenClock
from modelwright.core.config.secret_files import KeyRing
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.users.console_sessions import SignIn
from modelwright.users.second_factor import MAX_FAILURES, SecondFactors
from modelwright.users.service import Users

PATH = "/console/session"
FACTOR = "/auth/second-factor"
PASSWORD = "correct horse battery"
ANA = {"email": "ana@example.org", "password": PASSWORD}


@pytest.fixture
def account(container: Container, api: TestClient) -> str:
    with container.database.transaction(ALL_ACCOUNTS) as db:
        user = container.service(Users).find(db, ANA["email"])
        container.service(SignIn).set_password(db, user.user_id, PASSWORD)
    return user.user_id


@pytest.fixture
def begun(api: TestClient, account: str) -> dict[str, Any]:
    answer = api.post(FACTOR, json={"password": PASSWORD})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


@pytest.fixture
def code(begun: dict[str, Any], clock: FrozenClock) -> Callable[[], str]:
    """What the device shows now."""
    return lambda: pyotp.TOTP(begun["secret"]).at(clock.now())


@pytest.fixture
def recovery(api: TestClient, code: Callable[[], str], clock: FrozenClock) -> list[str]:
    """Turns the second factor on; gives the recovery codes."""
    answer = api.post(f"{FACTOR}/confirm", json={"code": code()})
    assert answer.status_code == 200, answer.text
    clock.advance(minutes=1)
    return list(answer.json()["recovery_codes"])


def sign_in(client: TestClient, code: str | None = None) -> Any:
    return client.post(PATH, json=ANA | ({} if code is None else {"code": code}))


class TestSetUp:
    def test_tells_an_authenticator_app_all_it_needs(self, begun: dict[str, Any]):
        told = urlsplit(begun["uri"])
        assert (told.scheme, told.netloc) == ("otpauth", "totp")
        assert parse_qs(told.query) == {"secret": [begun["secret"]], "issuer": ["Modelwright"]}

    def test_counts_only_once_a_code_was_shown(
        self, api: TestClient, anonymous_client: TestClient, begun: dict[str, Any]
    ):
        assert sign_in(anonymous_client).status_code == 200
        assert api.get(FACTOR).json()["is_on"] is False
        wrong = api.post(f"{FACTOR}/confirm", json={"code": "000000"})
        assert [one["field"] for one in error_of(wrong)["details"]] == ["code"]
        assert sign_in(anonymous_client).status_code == 200

    def test_needs_the_password(self, api: TestClient, account: str):
        answer = api.post(FACTOR, json={"password": "something else"})
        assert [one["field"] for one in error_of(answer)["details"]] == ["password"]

    def test_needs_one_to_be_there(self, api: TestClient):
        assert error_of(api.post(FACTOR, json={"password": PASSWORD}))["status"] == 409

    def test_does_not_replace_one_that_is_on(self, api: TestClient, recovery: list[str]):
        assert error_of(api.post(FACTOR, json={"password": PASSWORD}))["status"] == 409

    def test_keeps_no_secret_in_clear(
        self, container: Container, begun: dict[str, Any], recovery: list[str]
    ):
        with container.database.transaction(ALL_ACCOUNTS) as db:
            stored = str(db.execute(text("select * from second_factors")).all())
            stored += str(db.execute(text("select * from recovery_codes")).all())
        assert begun["secret"] not in stored
        assert not any(one in stored or one.replace("-", "") in stored for one in recovery)


class TestSignIn:
    def test_asks_for_the_code_once_the_password_is_right(
        self, anonymous_client: TestClient, recovery: list[str]
    ):
        answer = sign_in(anonymous_client)
        assert answer.status_code == 401
        assert [one["field"] for one in error_of(answer)["details"]] == ["code"]
        assert "set-cookie" not in answer.headers
        wrong = anonymous_client.post(PATH, json=ANA | {"password": "guess"})
        assert error_of(wrong).get("details", []) == []

    def test_takes_a_code_once(
        self, anonymous_client: TestClient, recovery: list[str], code: Callable[[], str]
    ):
        shown = code()
        assert sign_in(anonymous_client, shown).status_code == 200
        assert sign_in(anonymous_client, shown).status_code == 401

    def test_takes_a_code_once_of_many_that_come_at_once(
        self, anonymous_client: TestClient, recovery: list[str], code: Callable[[], str]
    ):
        shown = code()
        with ThreadPoolExecutor(4) as pool:
            answers = pool.map(lambda _: sign_in(anonymous_client, shown).status_code, range(4))
        assert sorted(answers) == [200, 401, 401, 401]

    def test_not_the_one_that_turned_it_on(
        self,
        api: TestClient,
        anonymous_client: TestClient,
        code: Callable[[], str],
    ):
        shown = code()
        api.post(f"{FACTOR}/confirm", json={"code": shown})
        assert sign_in(anonymous_client, shown).status_code == 401

    def test_takes_one_of_a_clock_that_is_a_little_off_and_none_before_it(
        self,
        anonymous_client: TestClient,
        recovery: list[str],
        code: Callable[[], str],
        clock: FrozenClock,
    ):
        before = code()
        clock.advance(seconds=30)
        now = code()
        assert sign_in(anonymous_client, now).status_code == 200
        assert sign_in(anonymous_client, before).status_code == 401
        clock.advance(seconds=30)
        late = code()
        clock.advance(seconds=60)
        assert sign_in(anonymous_client, late).status_code == 401

    def test_takes_a_recovery_code_once(
        self, api: TestClient, anonymous_client: TestClient, recovery: list[str]
    ):
        spelt = recovery[0].upper().replace("-", " ")
        assert sign_in(anonymous_client, spelt).status_code == 200
        assert sign_in(anonymous_client, recovery[0]).status_code == 401
        assert api.get(FACTOR).json()["recovery_codes_left"] == len(recovery) - 1

    def test_too_many_wrong_codes_shut_it_from_every_address(
        self,
        anonymous_client: TestClient,
        recovery: list[str],
        code: Callable[[], str],
        clock: FrozenClock,
    ):
        def at(number: int) -> TestClient:
            client = TestClient(anonymous_client.app, client=(f"10.0.{number}.1", 1))
            client.portal = anonymous_client.portal
            return client

        for number in range(MAX_FAILURES):
            assert sign_in(at(number), "000000").status_code == 401
        shut = sign_in(at(100), code())
        assert shut.status_code == 429
        assert int(shut.headers["retry-after"]) > 0
        clock.advance(minutes=16)
        assert sign_in(at(100), code()).status_code == 200


class TestTurnOff:
    def test_needs_a_code(
        self,
        api: TestClient,
        anonymous_client: TestClient,
        recovery: list[str],
        code: Callable[[], str],
    ):
        wrong = api.post(f"{FACTOR}/disable", json={"code": "000000"})
        assert error_of(wrong)["status"] == 422
        assert sign_in(anonymous_client).status_code == 401
        assert api.post(f"{FACTOR}/disable", json={"code": code()}).json()["is_on"] is False
        assert sign_in(anonymous_client).status_code == 200
        assert error_of(api.post(f"{FACTOR}/disable", json={"code": "é"}))["status"] == 409

    @pytest.mark.usefixtures("command_line", "recovery")
    def test_the_operator_resets_it(self, anonymous_client: TestClient):
        told = CliRunner().invoke(users_app, ["reset-second-factor", ANA["email"]])
        assert told.exit_code == 0, told.output
        assert sign_in(anonymous_client).status_code == 200


class TestRotation:
    def test_of_the_secret_seals_it_anew(
        self,
        container: Container,
        anonymous_client: TestClient,
        recovery: list[str],
        code: Callable[[], str],
    ):
        ring, factors = container.service(KeyRing), container.service(SecondFactors)
        with container.database.transaction(ALL_ACCOUNTS) as db:
            opened = factors.opened(db)
            ring.renew()
            factors.seal(opened)
        ring.drop_earlier()
        assert sign_in(anonymous_client, code()).status_code == 200

    def test_that_was_lost_is_told_in_words_and_a_recovery_code_still_works(
        self,
        settings: Settings,
        anonymous_client: TestClient,
        recovery: list[str],
        code: Callable[[], str],
    ):
        (settings.data_dir / "secret.key").unlink()
        answer = sign_in(anonymous_client, code())
        assert (answer.status_code, "recovery code" in answer.text) == (409, True), answer.text
        assert sign_in(anonymous_client, recovery[0]).status_code == 200


class TestSecurityLog:
    def test_tells_of_it(
        self,
        api: TestClient,
        anonymous_client: TestClient,
        recovery: list[str],
        code: Callable[[], str],
    ):
        sign_in(anonymous_client, "000000")
        api.post(f"{FACTOR}/disable", json={"code": code()})
        entries = api.get("/auth/security-log").json()["entries"]
        assert [one["operation"] for one in entries] == [
            "users.disable_second_factor",
            "users.sign_in_failed",
            "users.confirm_second_factor",
            "users.begin_second_factor",
        ]
