"""Bodies of accounts and of signing in to the console.

The token of a session travels in a cookie that scripts cannot read; what bodies carry is the one
that each changing call must repeat.
"""

from typing import Annotated, Literal

from pydantic import Field

from modelwright.core.http.cookies import csrf_of
from modelwright.core.http.paging import Pagination
from modelwright.core.http.schemas import RequestBody, ResponseBody, Text, Timestamp
from modelwright.users.console_sessions import ConsoleSessionInfo
from modelwright.users.domain import MAX_EMAIL_CHARACTERS, MAX_PASSWORD_CHARACTERS


class User(ResponseBody):
    """The calling account."""

    user_id: str
    email: str
    name: str
    user_name: str
    credits: int
    """Units the operator granted."""
    consumption: int
    """Units used so far."""
    is_active: bool
    has_api_key: bool
    """Whether a key exists that works now."""
    permission_level: Literal["read_only", "read_write", "admin"]
    """What the caller's key, or session of the console, may do."""


class Account(ResponseBody):
    """An account, as operators see it."""

    user_id: str
    email: str
    tier: str
    credits: int
    """Units the operator granted."""
    consumption: int
    """Units used so far."""
    is_active: bool
    is_operator: bool
    """Whether it is the account that was made with the server."""
    created_at: Timestamp


class AccountList(ResponseBody):
    """A page of accounts, newest first."""

    users: list[Account]
    pagination: Pagination


Code = Annotated[Text, Field(max_length=64)]
"""A code of a second factor, or a recovery code."""


class Credentials(RequestBody):
    """Credentials to sign in with."""

    email: Annotated[Text, Field(max_length=MAX_EMAIL_CHARACTERS)]
    password: Annotated[Text, Field(max_length=MAX_PASSWORD_CHARACTERS)]
    code: Code | None = None
    """Of the second factor where the account has one; a recovery code stands in for it."""


class NewPassword(RequestBody):
    """A change of the password."""

    current_password: Annotated[Text, Field(max_length=MAX_PASSWORD_CHARACTERS)]
    password: Annotated[Text, Field(max_length=MAX_PASSWORD_CHARACTERS)]
    """The new one."""


class Ways(ResponseBody):
    """The ways to sign in to the console, besides a password."""

    single_sign_on: str | None
    """Name of the provider behind `GET /console/oidc`; null where there is none."""


class ConsoleSession(ResponseBody):
    """A browser's session, and the token that each of its calls must carry."""

    user_id: str
    email: str
    name: str
    level: str
    csrf_token: str
    """To be sent as `X-CSRF-Token` with the cookie."""
    expires_at: Timestamp
    """When it ends, unless it is used before."""

    @classmethod
    def of(cls, facts: ConsoleSessionInfo, token: str) -> "ConsoleSession":
        """Shows a session to the browser it belongs to."""
        caller = facts.caller
        return cls(
            user_id=caller.account_id,
            email=caller.email,
            name=facts.name,
            level=caller.level.word,
            csrf_token=csrf_of(token),
            expires_at=facts.expires_at,
        )


class OpenConsoleSession(ResponseBody):
    """A browser that is signed in to the console."""

    console_session_id: str
    created_at: Timestamp
    last_seen_at: Timestamp
    """When it was last used, to a minute."""
    expires_at: Timestamp
    """When it ends, unless it is used before."""
    address: str | None
    user_agent: str | None
    """What the browser calls itself."""
    is_current: bool
    """Whether it is the one that asks."""


class ConsoleSessions(ResponseBody):
    """Who is signed in to the account's console."""

    sessions: list[OpenConsoleSession]


class EndedConsoleSession(ResponseBody):
    """A session of the console that its owner ended."""

    console_session_id: str
    ended_at: Timestamp


class BeginSecondFactor(RequestBody):
    """Asks for the secret of a second factor."""

    password: Annotated[Text, Field(max_length=MAX_PASSWORD_CHARACTERS)]
    """Password of the account, so that nobody else can do this from an open browser."""


class SecondFactorCode(RequestBody):
    """Gives a code of the second factor."""

    code: Code


class SecondFactor(ResponseBody):
    """The state of the account's second factor."""

    user_id: str
    is_on: bool
    confirmed_at: Timestamp | None
    recovery_codes_left: int


class SecondFactorBegun(ResponseBody):
    """The secret for an authenticator app, which is shown only now."""

    user_id: str
    secret: str
    """To be typed in where nothing can be scanned."""
    uri: str
    """To be shown as a QR code, `otpauth://…`."""


class SecondFactorConfirmed(ResponseBody):
    """The second factor is on."""

    user_id: str
    recovery_codes: list[str]
    """Each signs in once if the device is lost; they are shown only now."""


class SignedOut(ResponseBody):
    """The session is over."""

    signed_out: bool = True
