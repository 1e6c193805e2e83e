"""Deleted models and uploads that can still be restored."""

from modelwright_client._http import Calls, given, path
from modelwright_client.types import ItemPurged, ItemRestored, TrashEmptied, TrashList


class Trash:
    """Verbs of the trash."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self, *, limit: int | None = None, offset: int | None = None) -> TrashList:
        """Lists what was deleted and can still be restored, newest first."""
        return self._calls.get("/trash", TrashList, {"limit": limit, "offset": offset})

    def restore(self, item_id: str, *, model_name: str | None = None) -> ItemRestored:
        """Takes a deleted model or upload back.

        Args:
            item_id: Id of the model or the upload, as `list` tells it.
            model_name: Another name for a model whose own is taken by now.

        Returns:
            What was restored, and its name.

        Raises:
            NotFoundError: It is not in the trash.
            ConflictError: The model's name is taken; give another one.
        """
        body = given({"model_name": model_name})
        return self._calls.post(path("trash", item_id, "restore"), ItemRestored, body)

    def purge(self, item_id: str) -> ItemPurged:
        """Removes a deleted model or upload for good, before its time."""
        return self._calls.delete(path("trash", item_id), ItemPurged)

    def empty(self) -> TrashEmptied:
        """Removes all that lies in the trash for good."""
        return self._calls.delete("/trash", TrashEmptied)
