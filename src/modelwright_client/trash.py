"""Deleted models and uploads that can still be restored."""

from modelwright_client._http import Resource, drop_none, path
from modelwright_client.types import ItemPurged, ItemRestored, TrashEmptied, TrashList


class Trash(Resource):
    """Deleted models and uploads that can be restored."""

    def list(self, *, limit: int | None = None, offset: int | None = None) -> TrashList:
        """Lists what was deleted and can still be restored, newest first.

        Args:
            limit: How many to list at most, 20 unless said.
            offset: How many to pass over.

        Returns:
            A page of models and uploads, each with when it is purged.
        """
        return self._calls.get("/trash", TrashList, {"limit": limit, "offset": offset})

    def restore(self, item_id: str, *, model_name: str | None = None) -> ItemRestored:
        """Restores a deleted model or upload.

        Args:
            item_id: Id of the model or the upload, as `list` tells it.
            model_name: Another name for a model whose own is taken by now.

        Returns:
            What was restored, and its name.

        Raises:
            NotFoundError: It is not in the trash.
            ConflictError: The model's name is taken; give another one.
        """
        body = drop_none({"model_name": model_name})
        return self._calls.post(path("trash", item_id, "restore"), ItemRestored, body)

    def purge(self, item_id: str) -> ItemPurged:
        """Removes a deleted model or upload for good, before its time.

        Args:
            item_id: Id of the model or the upload, as `list` tells it.

        Returns:
            The id of what was removed.
        """
        return self._calls.delete(path("trash", item_id), ItemPurged)

    def empty(self) -> TrashEmptied:
        """Empties the trash: what is in it is removed for good.

        Returns:
            How many were removed.
        """
        return self._calls.delete("/trash", TrashEmptied)
