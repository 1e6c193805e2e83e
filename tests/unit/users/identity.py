"""A small OpenID Connect provider on loopback: it signs people in, and can be made to misbehave."""

import base64
import hashlib
import json
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey
from pydantic import SecretStr

from modelwright.core.clock import Clock

CLIENT = "modelwright"
SECRET = "s3cret of the client: +&"
Json = dict[str, Any]


@cache
def first_key() -> RSAKey:
    return RSAKey.generate_key(2048, parameters={"kid": "first", "use": "sig"})


class IdentityProvider:
    """Its person is whoever `person` says; hooks bend what it tells."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.issuer = ""
        self.person: Json = {"email": "ana@example.org", "email_verified": True}
        self.key = first_key()
        self.asked: list[str] = []
        self.codes: dict[str, Json] = {}
        self.ways = ["client_secret_basic"]
        self.secret = SECRET
        self.tells_in_token = True
        self.subject = "person-1"
        self.bend: Callable[[Json], Json] = lambda claims: claims
        self.sign: Callable[[Json], str] = self.signed
        self.describe: Callable[[Json], Json] = lambda told: told
        self.instead: dict[str, Callable[[BaseHTTPRequestHandler], None]] = {}

    def signed(self, claims: Json) -> str:
        return jwt.encode({"alg": "RS256", "kid": self.key.kid}, claims, self.key)

    def discovery(self) -> Json:
        return self.describe(
            {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "userinfo_endpoint": f"{self.issuer}/userinfo",
                "jwks_uri": f"{self.issuer}/keys",
                "token_endpoint_auth_methods_supported": self.ways,
            }
        )

    def authorize(self, query: Json) -> str:
        """Signs its person in; returns where the browser goes."""
        assert query["response_type"] == "code"
        assert query["client_id"] == CLIENT
        assert query["code_challenge_method"] == "S256"
        assert "openid" in query["scope"].split()
        code = secrets.token_urlsafe(16)
        self.codes[code] = query
        back = urlencode({"code": code, "state": query["state"]})
        return f"{query['redirect_uri']}?{back}"

    def token(self, form: Json, authorization: str) -> tuple[int, Json]:
        if not self._is_client(form, authorization):
            return 401, {"error": "invalid_client"}
        asked = self.codes.pop(form["code"], None)
        verifier = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(verifier).decode().rstrip("=")
        if asked is None or form["redirect_uri"] != asked["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        if challenge != asked["code_challenge"] or len(form["code_verifier"]) < 43:
            return 400, {"error": "invalid_grant"}
        now = int(self.clock.now().timestamp())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "sub": self.subject,
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
        }
        claims |= self.person if self.tells_in_token else {}
        return 200, {"access_token": "of person-1", "id_token": self.sign(self.bend(claims))}

    def _is_client(self, form: Json, authorization: str) -> bool:
        if "client_secret_basic" in self.ways and self.secret:
            pair = base64.b64decode(authorization.removeprefix("Basic ")).decode()
            name, _, secret = pair.partition(":")
            return (unquote(name), unquote(secret)) == (CLIENT, self.secret)
        return (form.get("client_id"), form.get("client_secret", "")) == (CLIENT, self.secret)

    def userinfo(self, authorization: str) -> tuple[int, Json]:
        if authorization != "Bearer of person-1":
            return 401, {"error": "invalid_token"}
        return 200, {"sub": "person-1", **self.person}


class Handler(BaseHTTPRequestHandler):
    """Answers for the provider of its server."""

    idp: IdentityProvider

    def do_GET(self) -> None:
        idp, place = self.idp, urlsplit(self.path)
        idp.asked.append(place.path)
        if place.path in idp.instead:
            idp.instead[place.path](self)
        elif place.path == "/.well-known/openid-configuration":
            self.tell(200, idp.discovery())
        elif place.path == "/keys":
            self.tell(200, {"keys": [idp.key.as_dict(private=False)]})
        elif place.path == "/userinfo":
            self.tell(*idp.userinfo(self.headers.get("Authorization", "")))
        elif place.path == "/authorize":
            query = {name: values[0] for name, values in parse_qs(place.query).items()}
            self.send_response(303)
            self.send_header("Location", idp.authorize(query))
            self.end_headers()
        else:
            self.tell(404, {})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        self.idp.asked.append(self.path)
        if self.path in self.idp.instead:
            self.idp.instead[self.path](self)
        else:
            self.tell(*self.idp.token(form, self.headers.get("Authorization", "")))

    def tell(self, status: int, body: Json) -> None:
        raw = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_: object) -> None:
        return


def told_of_provider(idp: IdentityProvider) -> Json:
    """The settings of a server that trusts it."""
    return {
        "oidc_issuer": idp.issuer,
        "oidc_client_id": CLIENT,
        "oidc_client_secret": SecretStr(idp.secret),
        "oidc_name": "Acme",
    }


@contextmanager
def running(clock: Clock) -> Iterator[IdentityProvider]:
    idp = IdentityProvider(clock)
    handler = type("Own", (Handler,), {"idp": idp})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    idp.issuer = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield idp
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
