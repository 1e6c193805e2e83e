"""The ways a query can fail, each told apart because each is answered differently."""


class QueryFailed(Exception):
    """A query gave no result; `message` is safe to show to whoever asked."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class SqlFailed(QueryFailed):
    """The SQL is at fault: `position` counts characters from 0, `suggestion` is a name to try."""

    def __init__(
        self, message: str, position: int | None = None, suggestion: str | None = None
    ) -> None:
        super().__init__(message)
        self.position = position
        self.suggestion = suggestion


class Refused(SqlFailed):
    """The SQL asks for something that a query may not do."""


class TimedOut(QueryFailed):
    """The query did not end within its time and was stopped."""


class Cancelled(QueryFailed):
    """Whoever asked is gone; the query was stopped."""


class Ended(Cancelled):
    """The session was ended; the query was stopped."""


class OutOfMemory(QueryFailed):
    """The query needs more memory than a session has."""


class TooLarge(QueryFailed):
    """A single row of the result is larger than a whole result may be."""


class Crashed(QueryFailed):
    """The query took its process down; the session goes on with a new one."""


class Busy(QueryFailed):
    """Too many queries are waiting already, or no process is free to take this one."""


class Unavailable(QueryFailed):
    """The query process cannot be started or the session's data cannot be opened."""
