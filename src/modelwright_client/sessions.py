"""Time-limited workspaces over an upload, in which questions are asked.

An account may have only a few at a time, so that whoever opens one also ends it or lets it run out.
"""

from collections.abc import Sequence

from modelwright_client._http import Resource, drop_none, path
from modelwright_client.arguments import refuse_misread
from modelwright_client.types import History, SessionAnswer, SessionEnded, SessionList


class Sessions(Resource):
    """Sessions: uploads that are open for queries."""

    def create(
        self,
        upload_id: str | None = None,
        *,
        dataset_ids: Sequence[str] | None = None,
        name: str | None = None,
        expiration_hours: int | None = None,
    ) -> SessionAnswer:
        """Opens a session for 24 hours, at most 168; a sixth one is refused.

        Args:
            upload_id: Upload that is asked; needed unless `dataset_ids` are given.
            dataset_ids: Datasets whose tables stand beside each other, by name or upload.
            name: Name for people.
            expiration_hours: How long it lives: 24 unless said, at most 168.

        Returns:
            The session with its tables.
        """
        refuse_misread("dataset_ids", dataset_ids, Sequence[str])
        body = {
            "upload_id": upload_id,
            "dataset_ids": list(dataset_ids) if dataset_ids else None,
            "name": name,
            "expiration_hours": expiration_hours,
        }
        return self._calls.post("/data/sessions", SessionAnswer, drop_none(body))

    def use(self, upload_id: str, *, session_id: str | None = None) -> SessionAnswer:
        """Makes a session on the upload, an open one or a new one, the account's default.

        Args:
            upload_id: Id of the upload.
            session_id: The session to make the default; else an open one or a new one.

        Returns:
            The session with its tables.
        """
        body = drop_none({"upload_id": upload_id, "session_id": session_id})
        return self._calls.post("/data/use-upload", SessionAnswer, body)

    def list(self, *, limit: int | None = None, offset: int | None = None) -> SessionList:
        """Lists the account's sessions.

        Args:
            limit: How many entries at most.
            offset: How many entries to skip.

        Returns:
            A page of sessions.
        """
        return self._calls.get("/data/sessions", SessionList, {"limit": limit, "offset": offset})

    def read(self, session_id: str) -> SessionAnswer:
        """Shows one session with its tables.

        Args:
            session_id: Id of the session.

        Returns:
            The session with its tables and when it ends.
        """
        return self._calls.get(path("data", "sessions", session_id), SessionAnswer)

    def queries(
        self, session_id: str, *, limit: int | None = None, offset: int | None = None
    ) -> History:
        """Lists the queries of a session, failed ones included.

        Args:
            session_id: Id of the session.
            limit: How many entries at most.
            offset: How many entries to skip.

        Returns:
            A page of queries, newest first.
        """
        where = path("data", "sessions", session_id, "queries")
        return self._calls.get(where, History, {"limit": limit, "offset": offset})

    def end(self, session_id: str) -> SessionEnded:
        """Ends a session and frees its resources.

        Args:
            session_id: Id of the session.

        Returns:
            The id of what was ended.
        """
        return self._calls.delete(path("data", "sessions", session_id), SessionEnded)
