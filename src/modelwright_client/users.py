"""The account behind the key, what it consumed, and who did what.

None of these is about data or models: they tell of the caller, not of what it owns.
"""

from modelwright_client._http import Resource, path
from modelwright_client.types import (
    AccountList,
    AuditLog,
    ConsoleSessions,
    EndedConsoleSession,
    SecondFactor,
    SecondFactorBegun,
    SecondFactorConfirmed,
    UsageReport,
    User,
)


class Users(Resource):
    """The account that a key belongs to, and all accounts for `admin` keys."""

    def me(self) -> User:
        """Shows the account the key belongs to.

        Returns:
            The account with its credits.
        """
        return self._calls.get("/auth/user", User)

    def list(self, *, limit: int | None = None, offset: int | None = None) -> AccountList:
        """Lists the accounts of the server with their tiers; for `admin` keys.

        Args:
            limit: How many accounts at most.
            offset: How many accounts to skip.

        Returns:
            A page of accounts, newest first, each with the units it was granted and has used.
        """
        return self._calls.get("/users", AccountList, {"limit": limit, "offset": offset})

    def sessions(self) -> ConsoleSessions:
        """Lists who is signed in to the account's console.

        Returns:
            Sessions of the console, each with its address and last use.
        """
        return self._calls.get("/auth/sessions", ConsoleSessions)

    def second_factor(self) -> SecondFactor:
        """Returns whether signing in to the console needs a code beside the password.

        Returns:
            Whether it is on, and how many recovery codes are left.
        """
        return self._calls.get("/auth/second-factor", SecondFactor)

    def begin_second_factor(self, password: str) -> SecondFactorBegun:
        """Begins to set up a second factor; answers the secret for an authenticator app.

        Args:
            password: The account's password of the console.

        Returns:
            The secret, as text and as an `otpauth:` address.
        """
        body = {"password": password}
        return self._calls.post("/auth/second-factor", SecondFactorBegun, body)

    def confirm_second_factor(self, code: str) -> SecondFactorConfirmed:
        """Turns the second factor on; answers recovery codes, which are shown only now.

        Args:
            code: What the app shows.

        Returns:
            Recovery codes, each for one sign-in.
        """
        body = {"code": code}
        return self._calls.post("/auth/second-factor/confirm", SecondFactorConfirmed, body)

    def disable_second_factor(self, code: str) -> SecondFactor:
        """Turns the second factor off.

        Args:
            code: What the app shows, or a recovery code.

        Returns:
            Whether it is on.
        """
        return self._calls.post("/auth/second-factor/disable", SecondFactor, {"code": code})

    def end_session(self, console_session_id: str) -> EndedConsoleSession:
        """Ends one of the account's sessions of the console.

        Args:
            console_session_id: Id of the session.

        Returns:
            The id of what was ended.
        """
        return self._calls.delete(path("auth", "sessions", console_session_id), EndedConsoleSession)


class Usage(Resource):
    """Consumption of the account."""

    def read(self, *, start: str | None = None, end: str | None = None) -> UsageReport:
        """Shows consumption by day, kind and key between two ISO dates, by default 30 days.

        Args:
            start: First day, as an ISO date.
            end: Last day, as an ISO date.

        Returns:
            Consumption in all, and by day, kind and key.
        """
        return self._calls.get("/usage", UsageReport, {"start": start, "end": end})


class Audit(Resource):
    """The audit log, for `admin` keys, and the security log of the account."""

    def security(self, *, limit: int | None = None, offset: int | None = None) -> AuditLog:
        """Lists the account's sign-ins, failed ones too, and changes of keys and sessions.

        Args:
            limit: At most so many.
            offset: Where to start.

        Returns:
            A page of entries, newest first.
        """
        return self._calls.get("/auth/security-log", AuditLog, {"limit": limit, "offset": offset})

    def list(
        self,
        *,
        account_id: str | None = None,
        operation: str | None = None,
        resource: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> AuditLog:
        """Lists the entries of the audit log, newest first.

        Args:
            account_id: Only of this account.
            operation: Only this operation, such as `keys.revoke`.
            resource: Only what was done to this id or name.
            limit: How many entries at most.
            offset: How many entries to skip.

        Returns:
            A page of entries.
        """
        query = {
            "account_id": account_id,
            "operation": operation,
            "resource": resource,
            "limit": limit,
            "offset": offset,
        }
        return self._calls.get("/audit", AuditLog, query)
