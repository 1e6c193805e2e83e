"""Signing in to the console by OpenID Connect: the way there and back, and every way to cheat."""

import base64
import hmac
import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import httpx2
import pytest
from fastapi.testclient import TestClient
from joserfc import jwt
from joserfc.jwk import RSAKey
from tests.unit.users.identity import (
    CLIENT,
    SECRET,
    IdentityProvider,
    running,
    told_of_provider,
)

from modelwright.audit.domain import AuditFilter
from modelwright.audit.service import Audit
from modelwright.bootstrap.container import Container
from modelwright.cli.doctor import Finding, examine
from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.http.bounded_answers import MAX_ANSWER_BYTES
from modelwright.core.http.cookies import COOKIE_NAME
from modelwright.core.http.paging import Page
from modelwright.core.limits.contract import LIMITS
from modelwright.users import oidc_provider
from modelwright.users.oidc_routes import STATE_COOKIE
from modelwright.users.oidc_state import HOME_PAGE, OidcState
from modelwright.users.service import Users
from modelwright.users.single_sign_on import SingleSignOn

START = "/console/oidc"
CALLBACK = "/console/oidc/callback"
SESSION = "/console/session"
HERE = "http://testserver"
BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
Claims = dict[str, Any]


@pytest.fixture
def idp(clock: FrozenClock) -> Iterator[IdentityProvider]:
    with running(clock) as started:
        yield started


@pytest.fixture
def settings(settings: Settings, idp: IdentityProvider) -> Settings:
    domains = {"oidc_domains": "corp.example, Example.com"}
    return settings.model_copy(update=told_of_provider(idp) | domains)


@pytest.fixture
def ana(container: Container) -> str:
    with container.database.transaction(ALL_ACCOUNTS) as db:
        return container.service(Users).create(db, "ana@example.org").user_id


def back(anonymous_client: TestClient, start: str = START) -> str:
    """Leaves to the provider, is signed in there, and returns the address it sends back to."""
    left = anonymous_client.get(start)
    assert left.status_code == 303, left.text
    landed = httpx.get(left.headers["location"])
    assert landed.status_code == 303
    return landed.headers["location"]


def signed_in(anonymous_client: TestClient, start: str = START) -> httpx2.Response:
    return anonymous_client.get(back(anonymous_client, start))


def accounts(container: Container) -> set[str]:
    with container.database.transaction(ALL_ACCOUNTS, write=False) as db:
        return {user.email for user in container.service(Users).list_(db)}


def is_refused(answer: httpx2.Response, status: int) -> None:
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]["request_id"] == answer.headers["x-request-id"]
    assert f"{COOKIE_NAME}=" not in answer.headers.get("set-cookie", "")


class TestLeave:
    def test_asks_the_provider_for_a_code_with_state_nonce_and_pkce(
        self, anonymous_client: TestClient, idp: IdentityProvider
    ):
        answer = anonymous_client.get(START)
        place = urlsplit(answer.headers["location"])
        told = {name: values[0] for name, values in parse_qs(place.query).items()}
        assert answer.status_code == 303
        assert f"{place.scheme}://{place.netloc}{place.path}" == f"{idp.issuer}/authorize"
        assert told["redirect_uri"] == HERE + CALLBACK
        assert (told["response_type"], told["client_id"]) == ("code", CLIENT)
        assert (told["scope"], told["code_challenge_method"]) == ("openid email", "S256")
        random = {told[name] for name in ("state", "nonce", "code_challenge")}
        assert {len(one) for one in random} == {43}
        assert len(random) == 3
        cookie = answer.headers["set-cookie"].lower()
        assert cookie.startswith(STATE_COOKIE)
        assert {"httponly", "samesite=lax", "max-age=600"} <= set(cookie.split("; "))
        assert SECRET not in str(answer.headers)

    def test_two_tries_share_nothing(self, anonymous_client: TestClient):
        first, second = (anonymous_client.get(START).headers["location"] for _ in range(2))
        one, other = (parse_qs(urlsplit(place).query) for place in (first, second))
        for name in ("state", "nonce", "code_challenge"):
            assert one[name] != other[name]

    def test_returns_to_the_public_address(
        self, anonymous_client: TestClient, container: Container
    ):
        container.pipeline.public_url = "https://ml.example.org/mw"
        answer = anonymous_client.get(START)
        told = parse_qs(urlsplit(answer.headers["location"]).query)
        assert told["redirect_uri"] == ["https://ml.example.org/mw" + CALLBACK]
        assert "secure" in answer.headers["set-cookie"].lower().split("; ")


class TestArrive:
    def test_gives_the_session_that_a_password_gives(
        self, anonymous_client: TestClient, ana: str, clock: FrozenClock
    ):
        answer = signed_in(anonymous_client, f"{START}?next=/console/models?page=2")
        assert answer.status_code == 303
        assert answer.headers["location"] == f"{HERE}/console/models?page=2"
        assert answer.headers["referrer-policy"] == "no-referrer"
        given = next(c for c in answer.headers.get_list("set-cookie") if c.startswith(COOKIE_NAME))
        assert {"httponly", "samesite=strict"} <= set(given.lower().split("; "))
        assert STATE_COOKIE not in anonymous_client.cookies
        told = anonymous_client.get(SESSION).json()
        assert (told["user_id"], told["level"]) == (ana, "read_write")
        csrf = {"X-CSRF-Token": told["csrf_token"]}
        assert anonymous_client.get("/auth/user", headers=csrf).json()["user_id"] == ana
        clock.advance(minutes=30)
        assert anonymous_client.get(SESSION).status_code == 401

    def test_is_in_the_audit_log(
        self, anonymous_client: TestClient, ana: str, container: Container
    ):
        signed_in(anonymous_client)
        with container.database.transaction(ALL_ACCOUNTS, write=False) as db:
            sought = AuditFilter(operation="users.sign_in")
            [entry] = container.service(Audit).list_(db, sought, Page(10, 0))[0]
        assert (entry.actor, entry.path) == ("ana@example.org", CALLBACK)
        assert (entry.account_id, entry.address) == (ana, "testclient")

    def test_reads_an_e_mail_as_accounts_do(
        self, anonymous_client: TestClient, ana: str, idp: IdentityProvider
    ):
        idp.person["email"] = " Ana@Example.org"
        assert signed_in(anonymous_client).status_code == 303
        assert anonymous_client.get(SESSION).json()["user_id"] == ana

    def test_the_operator_is_admin(
        self, anonymous_client: TestClient, container: Container, idp: IdentityProvider
    ):
        with container.database.transaction(ALL_ACCOUNTS) as db:
            container.service(Users).operator(db, "boss@elsewhere.example")
        idp.person["email"] = "boss@elsewhere.example"
        signed_in(anonymous_client)
        assert anonymous_client.get(SESSION).json()["level"] == "admin"

    @pytest.mark.parametrize("email", ["new@corp.example", "New@EXAMPLE.COM"])
    def test_a_new_e_mail_of_a_listed_domain_gets_a_basic_account(
        self, anonymous_client: TestClient, container: Container, idp: IdentityProvider, email: str
    ):
        idp.person["email"] = email
        assert signed_in(anonymous_client).status_code == 303
        with container.database.transaction(ALL_ACCOUNTS, write=False) as db:
            made = container.service(Users).find(db, email)
            log = container.service(Audit).list_(
                db, AuditFilter(resource=made.user_id), Page(10, 0)
            )[0]
        assert (made.tier, made.is_operator) == ("basic", False)
        assert anonymous_client.get(SESSION).json()["user_id"] == made.user_id
        assert [entry.operation for entry in log] == ["users.sign_in", "users.create"]

    @pytest.mark.parametrize(
        "email", ["new@example.org", "new@evil-corp.example", "new@corp.example.evil.example"]
    )
    def test_a_new_e_mail_of_another_domain_gets_none(
        self, anonymous_client: TestClient, container: Container, idp: IdentityProvider, email: str
    ):
        idp.person["email"] = email
        is_refused(signed_in(anonymous_client), 403)
        assert accounts(container) == set()

    def test_a_deactivated_account_stays_shut(
        self, anonymous_client: TestClient, ana: str, container: Container
    ):
        with container.database.transaction(ALL_ACCOUNTS) as db:
            container.service(Users).deactivate(db, ana)
        is_refused(signed_in(anonymous_client), 403)

    def test_asks_further_where_the_token_tells_no_e_mail(
        self, anonymous_client: TestClient, ana: str, idp: IdentityProvider
    ):
        idp.tells_in_token = False
        assert signed_in(anonymous_client).status_code == 303
        assert anonymous_client.get(SESSION).json()["user_id"] == ana
        assert "/userinfo" in idp.asked

    @pytest.mark.parametrize("secret", [SECRET, ""], ids=["in the body", "none"])
    def test_says_who_it_is_as_the_provider_wants(
        self,
        anonymous_client: TestClient,
        ana: str,
        idp: IdentityProvider,
        container: Container,
        secret: str,
    ):
        idp.ways, idp.secret = ["client_secret_post", "none"], secret
        _provider(container)._client_secret = secret
        assert signed_in(anonymous_client).status_code == 303

    def test_follows_when_the_provider_changes_its_keys(
        self, anonymous_client: TestClient, ana: str, idp: IdentityProvider
    ):
        assert signed_in(anonymous_client).status_code == 303
        idp.key = RSAKey.generate_key(2048, parameters={"kid": "second"})
        assert signed_in(anonymous_client).status_code == 303


def _bent(**claims: Any) -> Callable[[Claims], Claims]:
    return lambda told: {k: v for k, v in (told | claims).items() if v is not None}


AT = 1_772_452_800
BENT = {
    "wrong nonce": _bent(nonce="another"),
    "no nonce": _bent(nonce=None),
    "wrong audience": _bent(aud="another"),
    "no audience": _bent(aud=None),
    "several audiences": _bent(aud=[CLIENT, "another"]),
    "for another party": _bent(azp="another"),
    "wrong issuer": _bent(iss="https://evil.example"),
    "no issuer": _bent(iss=None),
    "expired": _bent(exp=AT - 61),
    "no expiry": _bent(exp=None),
    "expiry that is no time": _bent(exp="tomorrow"),
    "from the future": _bent(iat=AT + 61),
    "not yet valid": _bent(nbf=AT + 61),
    "nobody": _bent(sub=None),
}


def _spelt(part: bytes) -> str:
    return base64.urlsafe_b64encode(part).decode().rstrip("=")


def _none(claims: Claims) -> str:
    head = {"alg": "none", "typ": "JWT"}
    return ".".join(_spelt(json.dumps(part).encode()) for part in (head, claims)) + "."


def _hmac(secret: bytes) -> Callable[[Claims], str]:
    def sign(claims: Claims) -> str:
        head = {"alg": "HS256", "kid": "first"}
        text = ".".join(_spelt(json.dumps(part).encode()) for part in (head, claims))
        return f"{text}.{_spelt(hmac.new(secret, text.encode(), 'sha256').digest())}"

    return sign


def _by_another(claims: Claims) -> str:
    another = RSAKey.generate_key(2048)
    return jwt.encode({"alg": "RS256", "kid": "first"}, claims, another)


def _tampered(idp: IdentityProvider) -> Callable[[Claims], str]:
    def sign(claims: Claims) -> str:
        head, _, signature = idp.signed(claims).split(".")
        body = _spelt(json.dumps(claims | {"email": "ben@corp.example"}).encode())
        return f"{head}.{body}.{signature}"

    return sign


SIGNED: dict[str, Callable[[IdentityProvider], Callable[[Claims], str]]] = {
    "alg none": lambda _: _none,
    "by the client's secret": lambda _: _hmac(SECRET.encode()),
    "by the public key as a secret": lambda idp: _hmac(idp.key.as_pem(private=False)),
    "by another key": lambda _: _by_another,
    "for another body": _tampered,
    "not at all": lambda _: lambda _claims: "",
    "garbage": lambda _: lambda _claims: "a.b.c",
}


class TestTokens:
    @pytest.mark.parametrize("case", BENT)
    def test_a_wrong_claim_is_refused(
        self, anonymous_client: TestClient, ana: str, idp: IdentityProvider, case: str
    ):
        idp.bend = BENT[case]
        is_refused(signed_in(anonymous_client), 401)

    @pytest.mark.parametrize("case", SIGNED)
    def test_a_wrong_signature_is_refused(
        self, anonymous_client: TestClient, ana: str, idp: IdentityProvider, case: str
    ):
        idp.sign = SIGNED[case](idp)
        is_refused(signed_in(anonymous_client), 401)

    @pytest.mark.parametrize("claims", [{"exp": AT - 59}, {"iat": AT + 59}, {"azp": CLIENT}])
    def test_clocks_may_differ_by_a_minute(
        self, anonymous_client: TestClient, ana: str, idp: IdentityProvider, claims: Claims
    ):
        idp.bend = _bent(**claims)
        assert signed_in(anonymous_client).status_code == 303

    @pytest.mark.parametrize("verified", [False, None, "false", 1, "yes"])
    @pytest.mark.parametrize("in_token", [True, False])
    def test_an_unverified_e_mail_is_refused(
        self,
        anonymous_client: TestClient,
        ana: str,
        idp: IdentityProvider,
        verified: object,
        in_token: bool,
    ):
        idp.tells_in_token = in_token
        idp.person["email_verified"] = verified
        is_refused(signed_in(anonymous_client), 403)

    @pytest.mark.parametrize("email", ["", "ana", ["ana@example.org"], "a@b@example.org"])
    def test_what_is_no_e_mail_is_refused(
        self, anonymous_client: TestClient, ana: str, idp: IdentityProvider, email: object
    ):
        idp.person["email"] = email
        is_refused(signed_in(anonymous_client), 403)

    def test_another_subject_s_particulars_are_refused(
        self, anonymous_client: TestClient, ana: str, idp: IdentityProvider
    ):
        idp.tells_in_token = False
        idp.person["sub"] = "person-2"
        is_refused(signed_in(anonymous_client), 401)


class TestBinding:
    """An account belongs to the provider's subject from the first time on, not to an e-mail."""

    def test_whoever_gets_the_e_mail_later_does_not_get_the_account(
        self, anonymous_client: TestClient, ana: str, idp: IdentityProvider
    ):
        assert signed_in(anonymous_client).status_code == 303
        idp.subject = "person-2"
        is_refused(signed_in(anonymous_client), 403)

    def test_a_person_keeps_the_account_under_a_new_e_mail(
        self, anonymous_client: TestClient, ana: str, idp: IdentityProvider
    ):
        signed_in(anonymous_client)
        idp.person["email"] = "ana.new@elsewhere.example"
        assert signed_in(anonymous_client).status_code == 303
        assert anonymous_client.get(SESSION).json()["user_id"] == ana

    def test_the_operator_unbinds(
        self,
        anonymous_client: TestClient,
        ana: str,
        idp: IdentityProvider,
        container: Container,
    ):
        signed_in(anonymous_client)
        with container.database.transaction(ALL_ACCOUNTS) as db:
            container.service(SingleSignOn).unbind(db, ana)
        idp.subject = "person-2"
        assert signed_in(anonymous_client).status_code == 303
        assert anonymous_client.get(SESSION).json()["user_id"] == ana

    @pytest.mark.parametrize("email", ["\u212aim@corp.example", "stra\u00dfe@corp.example"])
    def test_an_e_mail_that_could_be_another_s_is_refused(
        self, anonymous_client: TestClient, idp: IdentityProvider, container: Container, email: str
    ):
        idp.person["email"] = email
        is_refused(signed_in(anonymous_client), 403)
        assert accounts(container) == set()


class TestTrips:
    def test_another_state_is_refused_and_its_code_never_used(
        self, anonymous_client: TestClient, ana: str, idp: IdentityProvider
    ):
        place = back(anonymous_client)
        code = parse_qs(urlsplit(place).query)["code"][0]
        for state in ("", "another", "é"):
            is_refused(anonymous_client.get(CALLBACK, params={"code": code, "state": state}), 401)
        assert "/token" not in idp.asked

    def test_who_did_not_leave_from_here_is_refused(
        self, anonymous_client: TestClient, ana: str, idp: IdentityProvider
    ):
        place = back(anonymous_client)
        anonymous_client.cookies.clear()
        is_refused(anonymous_client.get(place), 401)
        anonymous_client.get(START)
        is_refused(anonymous_client.get(place), 401)
        assert "/token" not in idp.asked

    def test_no_cookie_is_no_trip_of_which_everybody_knows_the_state(
        self, anonymous_client: TestClient, ana: str, idp: IdentityProvider
    ):
        code = parse_qs(urlsplit(back(anonymous_client)).query)["code"][0]
        anonymous_client.cookies.clear()
        known = OidcState("", HOME_PAGE).state
        is_refused(anonymous_client.get(CALLBACK, params={"code": code, "state": known}), 401)
        assert "/token" not in idp.asked

    def test_a_callback_works_once(
        self, anonymous_client: TestClient, ana: str, idp: IdentityProvider
    ):
        place, trip = back(anonymous_client), anonymous_client.cookies[STATE_COOKIE]
        assert anonymous_client.get(place).status_code == 303
        is_refused(anonymous_client.get(place), 401)
        anonymous_client.cookies.set(STATE_COOKIE, trip, domain="testserver.local", path="/")
        is_refused(anonymous_client.get(place), 401)
        assert idp.asked.count("/token") == 2

    def test_a_code_stolen_from_somebody_is_worth_nothing(
        self, anonymous_client: TestClient, ana: str, idp: IdentityProvider
    ):
        stolen = parse_qs(urlsplit(back(anonymous_client)).query)["code"][0]
        anonymous_client.cookies.clear()
        own = parse_qs(urlsplit(anonymous_client.get(START).headers["location"]).query)["state"][0]
        is_refused(anonymous_client.get(CALLBACK, params={"code": stolen, "state": own}), 401)
        assert "/token" in idp.asked

    def test_what_the_provider_refused_is_told(self, anonymous_client: TestClient, ana: str):
        state = parse_qs(urlsplit(anonymous_client.get(START).headers["location"]).query)["state"][
            0
        ]
        told = {"error": "access_denied", "state": state, "error_description": "<b>x</b>"}
        answer = anonymous_client.get(CALLBACK, params=told)
        is_refused(answer, 401)
        assert "did not sign you in" in answer.json()["error"]["message"]
        assert STATE_COOKIE not in anonymous_client.cookies

    @pytest.mark.parametrize(
        "page",
        [
            "https://evil.example/",
            "//evil.example/",
            "/\\evil.example",
            "/console/\\evil",
            "/consoleevil",
            "javascript:alert(1)",
            "/console/\r\nSet-Cookie:a=b",
            "/console/é",
            "/console/a b",
            "/auth/user",
            "",
        ],
    )
    def test_leads_nowhere_but_into_the_console(
        self, anonymous_client: TestClient, ana: str, page: str
    ):
        place = back(anonymous_client)
        anonymous_client.cookies.clear()
        left = anonymous_client.get(START, params={"next": page})
        landed = httpx.get(left.headers["location"]).headers["location"]
        assert anonymous_client.get(landed).headers["location"] == f"{HERE}/console/"
        assert place.startswith(HERE + CALLBACK)

    def test_a_planted_cookie_leads_nowhere_else_either(
        self, anonymous_client: TestClient, ana: str
    ):
        place = back(anonymous_client)
        secret = anonymous_client.cookies[STATE_COOKIE].partition(".")[0]
        anonymous_client.cookies.clear()
        anonymous_client.cookies.set(STATE_COOKIE, f"{secret}.https%3A%2F%2Fevil.example%2F")
        answer = anonymous_client.get(place)
        assert (answer.status_code, answer.headers["location"]) == (303, f"{HERE}/console/")

    def test_ten_failures_are_enough(
        self, anonymous_client: TestClient, ana: str, clock: FrozenClock
    ):
        for _ in range(LIMITS.failed_authentications):
            is_refused(anonymous_client.get(CALLBACK, params={"code": "a", "state": "b"}), 401)
        place = back(anonymous_client)
        answer = anonymous_client.get(place)
        is_refused(answer, 429)
        assert int(answer.headers["retry-after"]) > 0
        clock.advance(minutes=15, seconds=1)
        assert signed_in(anonymous_client).status_code == 303


def _provider(container: Container) -> oidc_provider.OidcProvider:
    from modelwright.users.single_sign_on import SingleSignOn

    found = container.service(SingleSignOn)._provider
    assert found is not None
    return found


def _flood(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    piece = b" " * 65536
    try:
        for _ in range(MAX_ANSWER_BYTES // len(piece) + 1000):
            handler.wfile.write(piece)
    except OSError:
        return


def _drip(handler: BaseHTTPRequestHandler) -> None:
    import threading

    handler.send_response(200)
    handler.end_headers()
    pause = threading.Event()
    try:
        for _ in range(1000):
            handler.wfile.write(b" ")
            pause.wait(0.02)
    except OSError:
        return


def _tell(status: int, body: bytes, **headers: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def tell(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return tell


DISCOVERY = "/.well-known/openid-configuration"
BROKEN = {
    "an error": _tell(500, b"{}"),
    "no JSON": _tell(200, b"<html>"),
    "no object": _tell(200, b"[]"),
    "bottomless JSON": _tell(200, b"[" * 200_000),
    "elsewhere": _tell(302, b"", Location="/keys"),
    "too much": _flood,
    "a drip": _drip,
}


class TestProvider:
    @pytest.mark.parametrize("case", BROKEN)
    @pytest.mark.parametrize("where", [DISCOVERY, "/token", "/keys", "/userinfo"])
    def test_one_that_answers_wrongly_is_503(
        self,
        anonymous_client: TestClient,
        ana: str,
        idp: IdentityProvider,
        where: str,
        case: str,
        monkeypatch: pytest.MonkeyPatch,
    ):
        idp.tells_in_token = False
        place = START if where == DISCOVERY else back(anonymous_client)
        idp.instead[where] = BROKEN[case]
        monkeypatch.setattr(oidc_provider, "TIMEOUT_SECONDS", 0.3 if case == "a drip" else 60.0)
        answer = anonymous_client.get(place)
        is_refused(answer, 503)
        assert answer.json()["error"]["message"] == oidc_provider.PROVIDER_UNAVAILABLE

    @pytest.mark.parametrize(
        "described",
        [
            {"issuer": "https://evil.example"},
            {"token_endpoint": "http://evil.example/token"},
            {"jwks_uri": "file:///etc/passwd"},
            {"userinfo_endpoint": "//evil.example"},
            {"authorization_endpoint": None},
        ],
    )
    def test_one_that_describes_itself_wrongly_is_503(
        self, anonymous_client: TestClient, idp: IdentityProvider, described: Claims
    ):
        idp.describe = lambda told: told | described
        is_refused(anonymous_client.get(START), 503)

    def test_one_that_cannot_be_reached_is_503_and_secrets_stay_out_of_the_log(
        self, anonymous_client: TestClient, container: Container, capfd: pytest.CaptureFixture[str]
    ):
        _provider(container).issuer = "http://127.0.0.1:9"
        is_refused(anonymous_client.get(START), 503)
        told = "".join(capfd.readouterr())
        assert "users.provider_failed" in told
        assert SECRET not in told

    def test_a_wrong_secret_of_ours_is_503(
        self,
        anonymous_client: TestClient,
        ana: str,
        idp: IdentityProvider,
        capfd: pytest.CaptureFixture[str],
    ):
        idp.secret = "another"
        is_refused(signed_in(anonymous_client), 503)
        assert "invalid_client" in "".join(capfd.readouterr())

    def test_is_asked_for_its_addresses_once(
        self, anonymous_client: TestClient, idp: IdentityProvider
    ):
        for _ in range(3):
            anonymous_client.get(START)
        assert idp.asked == [DISCOVERY]

    def test_only_so_many_wait_for_it_at_once(
        self, anonymous_client: TestClient, container: Container
    ):
        asking = _provider(container)._asking
        for _ in range(oidc_provider.MAX_CONCURRENT_REQUESTS):
            assert asking.acquire(blocking=False)
        is_refused(anonymous_client.get(START), 503)


class TestPages:
    def test_a_person_is_told_on_a_page(self, anonymous_client: TestClient, idp: IdentityProvider):
        idp.person["email"] = "<script>alert(1)</script>@example.org"
        answer = anonymous_client.get(back(anonymous_client), headers=BROWSER)
        assert answer.status_code == 403
        assert answer.headers["content-type"].startswith("text/html")
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "<script>" not in answer.text
        assert "&lt;script&gt;" in answer.text
        assert 'href="http://testserver/console/"' in answer.text

    def test_the_console_knows_what_to_offer(self, anonymous_client: TestClient):
        assert anonymous_client.get("/console/ways").json() == {"single_sign_on": "Acme"}


class TestWithout:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"oidc_issuer": ""})

    def test_nothing_is_offered(self, anonymous_client: TestClient):
        assert anonymous_client.get("/console/ways").json() == {"single_sign_on": None}
        for path in (START, f"{CALLBACK}?code=a&state=b"):
            is_refused(anonymous_client.get(path), 404)


class TestSettings:
    @pytest.mark.parametrize(
        ("given", "told"),
        [
            ({"oidc_issuer": "http://idp.example"}, "must begin with https://"),
            ({"oidc_issuer": "idp.example"}, "must begin with https://"),
            ({"oidc_issuer": "https://idp.example", "oidc_client_id": ""}, "OIDC_CLIENT_ID"),
        ],
    )
    def test_half_a_provider_is_refused(self, given: dict[str, str], told: str):
        with pytest.raises(ValueError, match=told):
            Settings.model_validate({"oidc_client_id": "a", **given})

    def test_the_doctor_asks_the_provider(self, settings: Settings, idp: IdentityProvider):
        assert _found(settings).remedy == ""
        idp.describe = lambda told: told | {"issuer": "https://another.example"}
        assert "MODELWRIGHT_OIDC_ISSUER" in _found(settings).remedy


def _found(settings: Settings) -> Finding:
    return next(finding for finding in examine(settings) if finding.part == "sign-in")
