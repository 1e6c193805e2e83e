"""Time-limited workspaces over an upload, in which questions are asked."""

from modelwright_client._http import Calls, given, path
from modelwright_client.types import History, SessionAnswer, SessionEnded, SessionList


class Sessions:
    """Verbs of the sessions room."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def create(
        self, upload_id: str, *, name: str | None = None, expiration_hours: int | None = None
    ) -> SessionAnswer:
        """Opens a session for 24 hours, at most 168; a sixth one is refused."""
        body = {"upload_id": upload_id, "name": name, "expiration_hours": expiration_hours}
        return self._calls.post("/data/sessions", SessionAnswer, given(body))

    def use(self, upload_id: str, *, session_id: str | None = None) -> SessionAnswer:
        """Makes a session on the upload, an open one or a new one, the account's default."""
        body = given({"upload_id": upload_id, "session_id": session_id})
        return self._calls.post("/data/use-upload", SessionAnswer, body)

    def list(self, *, limit: int | None = None, offset: int | None = None) -> SessionList:
        """Lists the account's sessions."""
        return self._calls.get("/data/sessions", SessionList, {"limit": limit, "offset": offset})

    def read(self, session_id: str) -> SessionAnswer:
        """Shows one session with its tables."""
        return self._calls.get(path("data", "sessions", session_id), SessionAnswer)

    def queries(
        self, session_id: str, *, limit: int | None = None, offset: int | None = None
    ) -> History:
        """Lists what was asked in a session, failed queries included."""
        where = path("data", "sessions", session_id, "queries")
        return self._calls.get(where, History, {"limit": limit, "offset": offset})

    def end(self, session_id: str) -> SessionEnded:
        """Ends a session and gives its resources back."""
        return self._calls.delete(path("data", "sessions", session_id), SessionEnded)
