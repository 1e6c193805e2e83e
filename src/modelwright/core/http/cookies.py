"""The console's cookie: its name, the token in it, and the CSRF token that must come with it."""

import hmac
import secrets
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from typing import Literal

from starlette.datastructures import Headers
from starlette.responses import Response

from modelwright.core.errors import Unauthorized

COOKIE_NAME = "modelwright_session"
"""Over plain HTTP, which only this machine should speak."""
HOST_PREFIX = "__Host-"
"""Before the name of a cookie over TLS: browsers take it from this host alone, over TLS alone."""
CSRF_HEADER = "x-csrf-token"
TOKEN_PREFIX = "mws_"  # noqa: S105 - tells tokens from keys, and opens nothing
TLS_TOKEN_PREFIX = "mwsh_"  # noqa: S105 - as above; of sessions that began over TLS
TOKEN_PREFIXES = (TOKEN_PREFIX, TLS_TOKEN_PREFIX)


def new_token(*, is_secure: bool = False) -> str:
    """Makes the secret of a session: 256 random bits."""
    return (TLS_TOKEN_PREFIX if is_secure else TOKEN_PREFIX) + secrets.token_urlsafe(32)


def is_secure_at(base_url: str) -> bool:
    """Returns whether a server at an address is reached over TLS."""
    return base_url.startswith("https:")


def name_at(name: str, base_url: str) -> str:
    """Names a cookie as it is set by a server at an address."""
    return HOST_PREFIX + name if is_secure_at(base_url) else name


def give(
    answer: Response,
    name: str,
    value: str,
    base_url: str,
    samesite: Literal["lax", "strict"],
    seconds: int | None = None,
) -> None:
    """Gives a browser a cookie of a server at an address, for so long or while it is open."""
    answer.set_cookie(
        name_at(name, base_url),
        value,
        seconds,
        path="/",
        httponly=True,
        samesite=samesite,
        secure=is_secure_at(base_url),
    )


def csrf_of(token: str) -> str:
    """Derives the CSRF token of a session, which tells nothing about the session's own."""
    return hmac.new(token.encode(), b"csrf", sha256).hexdigest()


def value_of(headers: Headers, name: str) -> str:
    """Reads a cookie; empty where there is none."""
    raw = headers.get("cookie", "")
    if name not in raw:
        return ""
    try:
        morsel = SimpleCookie(raw).get(name)
    except CookieError:
        return ""
    return morsel.value if morsel else ""


def token_in(headers: Headers) -> str:
    """Reads the session's token from the cookie; empty where there is none.

    A session that began over TLS is taken from the cookie alone that no other host can set.
    """
    secure = value_of(headers, HOST_PREFIX + COOKIE_NAME)
    if secure.startswith(TLS_TOKEN_PREFIX):
        return secure
    value = value_of(headers, COOKIE_NAME)
    return value if value.startswith(TOKEN_PREFIX) else ""


def guarded_token(headers: Headers) -> str:
    """Reads the session's token where its CSRF token came with it; refuses the cookie alone."""
    token = token_in(headers)
    sent = headers.get(CSRF_HEADER, "").encode("latin-1")
    if token and not hmac.compare_digest(sent, csrf_of(token).encode()):
        message = "The console's cookie needs X-CSRF-Token with it; GET /console/session tells it."
        raise Unauthorized(message)
    return token
