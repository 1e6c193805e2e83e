"""Signing in to the console by OpenID Connect: the way there and back, and every way to cheat."""

import base64
import hmac
import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
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

from modelwright.audit.domain import Sought
from modelwright.audit.service import Audit
from modelwright.bootstrap.container import Container
from modelwright.cli.doctor import Finding, examine
from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.http.cookies import COOKIE_NAME
from modelwright.core.http.paging import Page
from modelwright.core.limits.contract import LIMITS
from modelwright.users import oidc_provider
from modelwright.users.oidc_routes import COOKIE
from modelwright.users.oidc_state import HOME, Trip
from modelwright.users.service import Users

START, CALLBACK, SESSION = "/console/oidc", "/console/oidc/callback", "/console/session"
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
def ana(house: Container) -> str:
    with house.database.transaction(ALL_ACCOUNTS) as db:
        return house.service(Users).create(db, "ana@example.org").user_id


def back(web: TestClient, start: str = START) -> str:
    """Leaves to the provider, is signed in there, and returns the address it sends back to."""
    left = web.get(start)
    assert left.status_code == 303, left.text
    landed = httpx.get(left.headers["location"])
    assert landed.status_code == 303
    return landed.headers["location"]


def signed_in(web: TestClient, start: str = START) -> httpx.Response:
    return web.get(back(web, start))


def accounts(house: Container) -> set[str]:
    with house.database.transaction(ALL_ACCOUNTS, write=False) as db:
        return {user.email for user in house.service(Users).list_(db)}


def is_refused(answer: httpx.Response, status: int) -> None:
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]["request_id"] == answer.headers["x-request-id"]
    assert f"{COOKIE_NAME}=" not in answer.headers.get("set-cookie", "")


class TestLeave:
    def test_asks_the_provider_for_a_code_with_state_nonce_and_pkce(
        self, web: TestClient, idp: IdentityProvider
    ):
        answer = web.get(START)
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
        assert cookie.startswith(COOKIE)
        assert {"httponly", "samesite=lax", "max-age=600"} <= set(cookie.split("; "))
        assert SECRET not in str(answer.headers)

    def test_two_tries_share_nothing(self, web: TestClient):
        first, second = (web.get(START).headers["location"] for _ in range(2))
        one, other = (parse_qs(urlsplit(place).query) for place in (first, second))
        for name in ("state", "nonce", "code_challenge"):
            assert one[name] != other[name]

    def test_returns_to_the_public_address(self, web: TestClient, house: Container):
        house.door.public_url = "https://ml.example.org/mw"
        answer = web.get(START)
        told = parse_qs(urlsplit(answer.headers["location"]).query)
        assert told["redirect_uri"] == ["https://ml.example.org/mw" + CALLBACK]
        assert "secure" in answer.headers["set-cookie"].lower().split("; ")


class TestArrive:
    def test_gives_the_session_that_a_password_gives(
        self, web: TestClient, ana: str, clock: FrozenClock
    ):
        answer = signed_in(web, f"{START}?next=/console/models?page=2")
        assert answer.status_code == 303
        assert answer.headers["location"] == f"{HERE}/console/models?page=2"
        assert answer.headers["referrer-policy"] == "no-referrer"
        given = next(c for c in answer.headers.get_list("set-cookie") if c.startswith(COOKIE_NAME))
        assert {"httponly", "samesite=strict"} <= set(given.lower().split("; "))
        assert COOKIE not in web.cookies
        told = web.get(SESSION).json()
        assert (told["user_id"], told["level"]) == (ana, "read_write")
        csrf = {"X-CSRF-Token": told["csrf_token"]}
        assert web.get("/auth/user", headers=csrf).json()["user_id"] == ana
        clock.advance(minutes=30)
        assert web.get(SESSION).status_code == 401

    def test_is_in_the_audit_log(self, web: TestClient, ana: str, house: Container):
        signed_in(web)
        with house.database.transaction(ALL_ACCOUNTS, write=False) as db:
            sought = Sought(operation="users.sign_in")
            [entry] = house.service(Audit).list_(db, sought, Page(10, 0))[0]
        assert (entry.actor, entry.path) == ("ana@example.org", CALLBACK)
        assert (entry.account_id, entry.address) == (ana, "testclient")

    def test_reads_an_e_mail_as_accounts_do(self, web: TestClient, ana: str, idp: IdentityProvider):
        idp.person["email"] = " Ana@Example.org"
        assert signed_in(web).status_code == 303
        assert web.get(SESSION).json()["user_id"] == ana

    def test_the_operator_is_admin(self, web: TestClient, house: Container, idp: IdentityProvider):
        with house.database.transaction(ALL_ACCOUNTS) as db:
            house.service(Users).operator(db, "boss@elsewhere.example")
        idp.person["email"] = "boss@elsewhere.example"
        signed_in(web)
        assert web.get(SESSION).json()["level"] == "admin"

    @pytest.mark.parametrize("email", ["new@corp.example", "New@EXAMPLE.COM"])
    def test_a_new_e_mail_of_a_listed_domain_gets_a_basic_account(
        self, web: TestClient, house: Container, idp: IdentityProvider, email: str
    ):
        idp.person["email"] = email
        assert signed_in(web).status_code == 303
        with house.database.transaction(ALL_ACCOUNTS, write=False) as db:
            made = house.service(Users).find(db, email)
            log = house.service(Audit).list_(db, Sought(resource=made.user_id), Page(10, 0))[0]
        assert (made.tier, made.is_operator) == ("basic", False)
        assert web.get(SESSION).json()["user_id"] == made.user_id
        assert [entry.operation for entry in log] == ["users.sign_in", "users.create"]

    @pytest.mark.parametrize(
        "email", ["new@example.org", "new@evil-corp.example", "new@corp.example.evil.example"]
    )
    def test_a_new_e_mail_of_another_domain_gets_none(
        self, web: TestClient, house: Container, idp: IdentityProvider, email: str
    ):
        idp.person["email"] = email
        is_refused(signed_in(web), 403)
        assert accounts(house) == set()

    def test_a_deactivated_account_stays_shut(self, web: TestClient, ana: str, house: Container):
        with house.database.transaction(ALL_ACCOUNTS) as db:
            house.service(Users).amend(db, ana, is_active=False)
        is_refused(signed_in(web), 403)

    def test_asks_further_where_the_token_tells_no_e_mail(
        self, web: TestClient, ana: str, idp: IdentityProvider
    ):
        idp.tells_in_token = False
        assert signed_in(web).status_code == 303
        assert web.get(SESSION).json()["user_id"] == ana
        assert "/userinfo" in idp.asked

    @pytest.mark.parametrize("secret", [SECRET, ""], ids=["in the body", "none"])
    def test_says_who_it_is_as_the_provider_wants(
        self, web: TestClient, ana: str, idp: IdentityProvider, house: Container, secret: str
    ):
        idp.ways, idp.secret = ["client_secret_post", "none"], secret
        _provider(house)._client_secret = secret
        assert signed_in(web).status_code == 303

    def test_follows_when_the_provider_changes_its_keys(
        self, web: TestClient, ana: str, idp: IdentityProvider
    ):
        assert signed_in(web).status_code == 303
        idp.key = RSAKey.generate_key(2048, parameters={"kid": "second"})
        assert signed_in(web).status_code == 303


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
        self, web: TestClient, ana: str, idp: IdentityProvider, case: str
    ):
        idp.bend = BENT[case]
        is_refused(signed_in(web), 401)

    @pytest.mark.parametrize("case", SIGNED)
    def test_a_wrong_signature_is_refused(
        self, web: TestClient, ana: str, idp: IdentityProvider, case: str
    ):
        idp.sign = SIGNED[case](idp)
        is_refused(signed_in(web), 401)

    @pytest.mark.parametrize("claims", [{"exp": AT - 59}, {"iat": AT + 59}, {"azp": CLIENT}])
    def test_clocks_may_differ_by_a_minute(
        self, web: TestClient, ana: str, idp: IdentityProvider, claims: Claims
    ):
        idp.bend = _bent(**claims)
        assert signed_in(web).status_code == 303

    @pytest.mark.parametrize("verified", [False, None, "false", 1, "yes"])
    @pytest.mark.parametrize("in_token", [True, False])
    def test_an_unverified_e_mail_is_refused(
        self, web: TestClient, ana: str, idp: IdentityProvider, verified: object, in_token: bool
    ):
        idp.tells_in_token = in_token
        idp.person["email_verified"] = verified
        is_refused(signed_in(web), 403)

    @pytest.mark.parametrize("email", ["", "ana", ["ana@example.org"], "a@b@example.org"])
    def test_what_is_no_e_mail_is_refused(
        self, web: TestClient, ana: str, idp: IdentityProvider, email: object
    ):
        idp.person["email"] = email
        is_refused(signed_in(web), 403)

    def test_another_subject_s_particulars_are_refused(
        self, web: TestClient, ana: str, idp: IdentityProvider
    ):
        idp.tells_in_token = False
        idp.person["sub"] = "person-2"
        is_refused(signed_in(web), 401)


class TestTrips:
    def test_another_state_is_refused_and_its_code_never_used(
        self, web: TestClient, ana: str, idp: IdentityProvider
    ):
        place = back(web)
        code = parse_qs(urlsplit(place).query)["code"][0]
        for state in ("", "another", "é"):
            is_refused(web.get(CALLBACK, params={"code": code, "state": state}), 401)
        assert "/token" not in idp.asked

    def test_who_did_not_leave_from_here_is_refused(
        self, web: TestClient, ana: str, idp: IdentityProvider
    ):
        place = back(web)
        web.cookies.clear()
        is_refused(web.get(place), 401)
        web.get(START)
        is_refused(web.get(place), 401)
        assert "/token" not in idp.asked

    def test_no_cookie_is_no_trip_of_which_everybody_knows_the_state(
        self, web: TestClient, ana: str, idp: IdentityProvider
    ):
        code = parse_qs(urlsplit(back(web)).query)["code"][0]
        web.cookies.clear()
        known = Trip("", HOME).state
        is_refused(web.get(CALLBACK, params={"code": code, "state": known}), 401)
        assert "/token" not in idp.asked

    def test_a_callback_works_once(self, web: TestClient, ana: str, idp: IdentityProvider):
        place, trip = back(web), web.cookies[COOKIE]
        assert web.get(place).status_code == 303
        is_refused(web.get(place), 401)
        web.cookies.set(COOKIE, trip, domain="testserver.local", path="/")
        is_refused(web.get(place), 401)
        assert idp.asked.count("/token") == 2

    def test_a_code_stolen_from_somebody_is_worth_nothing(
        self, web: TestClient, ana: str, idp: IdentityProvider
    ):
        stolen = parse_qs(urlsplit(back(web)).query)["code"][0]
        web.cookies.clear()
        own = parse_qs(urlsplit(web.get(START).headers["location"]).query)["state"][0]
        is_refused(web.get(CALLBACK, params={"code": stolen, "state": own}), 401)
        assert "/token" in idp.asked

    def test_what_the_provider_refused_is_told(self, web: TestClient, ana: str):
        state = parse_qs(urlsplit(web.get(START).headers["location"]).query)["state"][0]
        told = {"error": "access_denied", "state": state, "error_description": "<b>x</b>"}
        answer = web.get(CALLBACK, params=told)
        is_refused(answer, 401)
        assert "did not sign you in" in answer.json()["error"]["message"]
        assert COOKIE not in web.cookies

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
    def test_leads_nowhere_but_into_the_console(self, web: TestClient, ana: str, page: str):
        place = back(web)
        web.cookies.clear()
        left = web.get(START, params={"next": page})
        landed = httpx.get(left.headers["location"]).headers["location"]
        assert web.get(landed).headers["location"] == f"{HERE}/console/"
        assert place.startswith(HERE + CALLBACK)

    def test_a_planted_cookie_leads_nowhere_else_either(self, web: TestClient, ana: str):
        place = back(web)
        secret = web.cookies[COOKIE].partition(".")[0]
        web.cookies.clear()
        web.cookies.set(COOKIE, f"{secret}.https%3A%2F%2Fevil.example%2F")
        answer = web.get(place)
        assert (answer.status_code, answer.headers["location"]) == (303, f"{HERE}/console/")

    def test_ten_failures_are_enough(self, web: TestClient, ana: str, clock: FrozenClock):
        for _ in range(LIMITS.failed_authentications):
            is_refused(web.get(CALLBACK, params={"code": "a", "state": "b"}), 401)
        place = back(web)
        answer = web.get(place)
        is_refused(answer, 429)
        assert int(answer.headers["retry-after"]) > 0
        clock.advance(minutes=15, seconds=1)
        assert signed_in(web).status_code == 303


def _provider(house: Container) -> oidc_provider.Provider:
    from modelwright.users.single_sign_on import SingleSignOn

    found = house.service(SingleSignOn)._provider
    assert found is not None
    return found


def _flood(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    piece = b" " * 65536
    try:
        for _ in range(oidc_provider.MOST_BYTES // len(piece) + 1000):
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
        web: TestClient,
        ana: str,
        idp: IdentityProvider,
        where: str,
        case: str,
        monkeypatch: pytest.MonkeyPatch,
    ):
        idp.tells_in_token = False
        place = START if where == DISCOVERY else back(web)
        idp.instead[where] = BROKEN[case]
        monkeypatch.setattr(oidc_provider, "SECONDS", 0.3 if case == "a drip" else 60.0)
        answer = web.get(place)
        is_refused(answer, 503)
        assert answer.json()["error"]["message"] == oidc_provider.AWAY

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
        self, web: TestClient, idp: IdentityProvider, described: Claims
    ):
        idp.describe = lambda told: told | described
        is_refused(web.get(START), 503)

    def test_one_that_cannot_be_reached_is_503_and_secrets_stay_out_of_the_log(
        self, web: TestClient, house: Container, capfd: pytest.CaptureFixture[str]
    ):
        _provider(house).issuer = "http://127.0.0.1:9"
        is_refused(web.get(START), 503)
        told = "".join(capfd.readouterr())
        assert "users.provider_failed" in told
        assert SECRET not in told

    def test_a_wrong_secret_of_ours_is_503(
        self, web: TestClient, ana: str, idp: IdentityProvider, capfd: pytest.CaptureFixture[str]
    ):
        idp.secret = "another"
        is_refused(signed_in(web), 503)
        assert "invalid_client" in "".join(capfd.readouterr())

    def test_is_asked_for_its_addresses_once(self, web: TestClient, idp: IdentityProvider):
        for _ in range(3):
            web.get(START)
        assert idp.asked == [DISCOVERY]

    def test_only_so_many_wait_for_it_at_once(self, web: TestClient, house: Container):
        asking = _provider(house)._asking
        for _ in range(oidc_provider.ASKED_AT_ONCE):
            assert asking.acquire(blocking=False)
        is_refused(web.get(START), 503)


class TestPages:
    def test_a_person_is_told_on_a_page(self, web: TestClient, idp: IdentityProvider):
        idp.person["email"] = "<script>alert(1)</script>@example.org"
        answer = web.get(back(web), headers=BROWSER)
        assert answer.status_code == 403
        assert answer.headers["content-type"].startswith("text/html")
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "<script>" not in answer.text
        assert "&lt;script&gt;" in answer.text
        assert 'href="http://testserver/console/"' in answer.text

    def test_the_console_knows_what_to_offer(self, web: TestClient):
        assert web.get("/console/ways").json() == {"single_sign_on": "Acme"}


class TestWithout:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"oidc_issuer": ""})

    def test_nothing_is_offered(self, web: TestClient):
        assert web.get("/console/ways").json() == {"single_sign_on": None}
        for path in (START, f"{CALLBACK}?code=a&state=b"):
            is_refused(web.get(path), 404)


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
