"""Errors of the feature."""

from collections.abc import Sequence

from modelwright.core.errors import Conflict, InvalidRequest, ValidationFailed


class TooManySessions(Conflict):
    """As many sessions are open as may be."""

    def __init__(self, most: int, open_ones: Sequence[str]) -> None:
        listed = ", ".join(open_ones)
        super().__init__(
            f"You have {most} active sessions, the most there may be ({listed});"
            " end one with DELETE /data/sessions/{session_id}."
        )


class SessionOver(Conflict):
    """The session takes no more queries."""

    def __init__(self, session_id: str) -> None:
        super().__init__(
            f"The session {session_id} has ended; open another with POST /data/sessions."
        )


class NoSession(InvalidRequest):
    """There is no session that a query could go to."""

    def __init__(self) -> None:
        super().__init__(
            "session_id: you have no open session; open one with POST /data/sessions"
            " or POST /data/use-upload and an upload_id."
        )


class SessionOfAnotherUpload(ValidationFailed):
    """The session asked for is over another upload."""
