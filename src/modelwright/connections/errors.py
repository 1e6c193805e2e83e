"""Errors of the feature."""

from collections.abc import Iterable

from modelwright.core.errors import Conflict, RateLimited, Unavailable, ValidationFailed


class CannotConnect(ValidationFailed):
    """The database could not be reached, or does not let this user in."""


class ExternalDatabaseUnavailable(Unavailable):
    """A stored database cannot be reached now."""


class ConnectionInUse(Conflict):
    """A schedule brings data in by this connection."""

    def __init__(self, names: Iterable[str]) -> None:
        told = ", ".join(names)
        super().__init__(f"Scheduled ingestions use this connection ({told}); delete those first.")


class ConnectionGone(Conflict):
    """The connection of an ingestion was deleted."""

    def __init__(self) -> None:
        super().__init__("The ingestion's connection was deleted; make a new ingestion.")


class IngestionUnderWay(Conflict):
    """A run is still under way."""

    def __init__(self) -> None:
        super().__init__("The ingestion is still under way; wait for it, or cancel its job.")


class TooManyTries(Unavailable):
    """Other databases are being tried, as many as may be at once."""

    def __init__(self) -> None:
        super().__init__(
            "Too many databases are being tried just now; try again in a moment.", retry_after=5
        )


class TooManyOwnTries(RateLimited):
    """As many of the account's databases are being tried as may be at once."""

    def __init__(self, most: int) -> None:
        message = f"{most} of your databases are being tried; wait until one has answered."
        super().__init__(message, retry_after=5)


class PasswordUnreadable(Conflict):
    """A stored password cannot be opened with the present key."""

    def __init__(self) -> None:
        super().__init__(
            "The stored password can't be opened: the server's secret key has changed. "
            "Delete the connection and make it again."
        )
