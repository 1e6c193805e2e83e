"""The console's cookie: its name, the token in it, and the CSRF token that must come with it."""

import hmac
import secrets
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers

from modelwright.core.errors import Unauthorized

COOKIE_NAME = "modelwright_session"
CSRF_HEADER = "x-csrf-token"
TOKEN_PREFIX = "mws_"  # noqa: S105 - tells tokens from keys, and opens nothing


def new_token() -> str:
    """Makes the secret of a session: 256 random bits."""
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


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
    """Reads the session's token from the cookie; empty where there is none."""
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
