"""The OpenID Connect provider: its addresses, its tokens, whom they tell of, over bounded HTTP.

Authorization code flow with PKCE; OpenID Connect Core 1.0, sections 3.1 and 5.3. What a token says
counts only after its signature, issuer, audience, times and nonce were checked.
"""

import json
import threading
from base64 import b64encode
from dataclasses import dataclass
from http import HTTPStatus
from time import monotonic
from typing import Any
from urllib.parse import quote, urlencode

import httpx
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from modelwright.core.clock import Clock
from modelwright.core.config.settings import is_sealed
from modelwright.core.errors import Unauthorized, Unavailable
from modelwright.core.http.bounded_answers import read_body
from modelwright.core.http.schemas import Json
from modelwright.core.logging import logger
from modelwright.users.oidc_state import OidcState

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
"""All need the provider's private key; none is symmetric, so the client's secret signs nothing."""
TIMEOUT_SECONDS = 5.0
"""How long one answer of the provider may take in all."""
KEYS_CACHE_SECONDS = 600.0
"""How long the provider's addresses are remembered."""
LEEWAY_SECONDS = 60
"""How far the provider's clock may differ."""
MAX_CONCURRENT_REQUESTS = 8
"""Strangers can make the server ask; they don't get all its threads."""
PROVIDER_UNAVAILABLE = "The sign-in provider can't be reached or answers wrongly; try again later."
UNTRUSTED = "What the sign-in provider said can't be trusted; begin again."


@dataclass(frozen=True, slots=True)
class OidcIdentity:
    """Whom the provider signed in."""

    issuer: str
    subject: str
    """What the provider calls them for good."""
    email: str
    is_verified: bool


class OidcProvider:
    """The operator's identity provider."""

    def __init__(self, issuer: str, client_id: str, client_secret: str, clock: Clock) -> None:
        self.issuer = issuer
        self._client_id = client_id
        self._client_secret = client_secret
        self._clock = clock
        self._known: tuple[float, Json] | None = None
        self._asking = threading.BoundedSemaphore(MAX_CONCURRENT_REQUESTS)

    def address(self, trip: OidcState, redirect_uri: str) -> str:
        """Returns where the browser is sent to sign in; refuses while the provider is away."""
        start = self.discover()["authorization_endpoint"]
        query = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": redirect_uri,
            "scope": "openid email",
            "state": trip.state,
            "nonce": trip.nonce,
            "code_challenge": trip.challenge,
            "code_challenge_method": "S256",
        }
        return f"{start}{'&' if '?' in start else '?'}{urlencode(query)}"

    def identify(self, code: str, trip: OidcState, redirect_uri: str) -> OidcIdentity:
        """Exchanges a code for whom it stands for; refuses one that is wrong, old or used."""
        known = self.discover()
        tokens = self._redeem(known, code, trip, redirect_uri)
        claims = self._checked(known, str(tokens.get("id_token", "")), trip.nonce)
        if "email" not in claims and "userinfo_endpoint" in known:
            claims = self._told_of(known, str(tokens.get("access_token", "")), claims["sub"])
        verified = claims.get("email_verified")
        # Some providers spell the boolean as a string.
        return OidcIdentity(
            self.issuer,
            str(claims["sub"]),
            str(claims.get("email", "")),
            verified is True or verified == "true",
        )

    def discover(self) -> Json:
        """Returns the provider's description of itself; refuses one of another issuer."""
        if self._known is not None and monotonic() < self._known[0]:
            return self._known[1]
        place = self.issuer.rstrip("/") + "/.well-known/openid-configuration"
        found = self._must(self._ask("GET", place), "discovery")
        needed = ("authorization_endpoint", "token_endpoint", "jwks_uri")
        used = (*needed, "userinfo_endpoint") if "userinfo_endpoint" in found else needed
        if found.get("issuer") != self.issuer:
            raise _away("discovery: another issuer")
        if not all(is_sealed(str(found.get(name, ""))) for name in used):
            raise _away("discovery: an address is missing or not https")
        self._known = (monotonic() + KEYS_CACHE_SECONDS, found)
        return found

    def _redeem(self, known: Json, code: str, trip: OidcState, redirect_uri: str) -> Json:
        """Trades the code that came back for a token, in the way that the provider supports."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": trip.verifier,
        }
        headers = {}
        ways = known.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        if self._client_secret and "client_secret_basic" in ways:
            pair = f"{quote(self._client_id, safe='')}:{quote(self._client_secret, safe='')}"
            headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
        else:
            form["client_id"] = self._client_id
            if self._client_secret:
                form["client_secret"] = self._client_secret
        answer = self._ask("POST", known["token_endpoint"], data=form, headers=headers)
        if answer[1].get("error") == "invalid_grant":
            raise Unauthorized("The sign-in took too long or was used already; begin again.")
        return self._must(answer, "token")

    def _checked(self, known: Json, token: str, nonce: str) -> Json:
        keys = self._must(self._ask("GET", known["jwks_uri"]), "keys")
        try:
            claims = jwt.decode(token, KeySet.import_key_set(keys), ALGORITHMS).claims  # type: ignore[arg-type]
            self._rules(claims, nonce).validate(claims)
        except (JoseError, ValueError, TypeError, LookupError) as fault:
            logger().warning("users.token_refused", why=str(fault))
            raise Unauthorized(UNTRUSTED) from fault
        return claims

    def _rules(self, claims: Json, nonce: str) -> jwt.JWTClaimsRegistry:
        audience = claims.get("aud")
        has_several = isinstance(audience, list) and len(audience) > 1
        return jwt.JWTClaimsRegistry(
            now=int(self._clock.now().timestamp()),
            leeway=LEEWAY_SECONDS,
            iss={"essential": True, "value": self.issuer},
            aud={"essential": True, "value": self._client_id},
            azp={"essential": has_several, "value": self._client_id},
            nonce={"essential": True, "value": nonce},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
        )

    def _told_of(self, known: Json, access_token: str, subject: str) -> Json:
        headers = {"Authorization": f"Bearer {access_token}"}
        claims = self._must(
            self._ask("GET", known["userinfo_endpoint"], headers=headers), "userinfo"
        )
        if claims.get("sub") != subject:
            logger().warning("users.token_refused", why="userinfo: another subject")
            raise Unauthorized(UNTRUSTED)
        return claims

    @staticmethod
    def _must(answer: tuple[int, Json], what: str) -> Json:
        status, body = answer
        if status != HTTPStatus.OK:
            raise _away(f"{what}: {status} {body.get('error', '')}")
        return body

    def _ask(self, method: str, address: str, **more: Any) -> tuple[int, Json]:
        if not self._asking.acquire(blocking=False):
            raise Unavailable("Many people are signing in at this moment; try again.")
        try:
            with (
                httpx.Client(timeout=TIMEOUT_SECONDS) as client,
                client.stream(method, address, **more) as response,
            ):
                return response.status_code, _read(response, monotonic() + TIMEOUT_SECONDS)
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, RecursionError) as fault:
            raise _away(f"{type(fault).__name__}: {fault}") from fault
        finally:
            self._asking.release()


def _read(response: httpx.Response, until: float) -> Json:
    """Reads a JSON object; one that drips beyond its time or grows too large is none."""
    found = json.loads(read_body(response, until))
    if not isinstance(found, dict):
        raise ValueError("the answer is no object")  # noqa: TRY004 - refused like no JSON at all
    return found


def _away(why: str) -> Unavailable:
    logger().warning("users.provider_failed", why=why)
    return Unavailable(PROVIDER_UNAVAILABLE)
