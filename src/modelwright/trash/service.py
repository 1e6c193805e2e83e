"""`Trash`: lists what was deleted, restores it, removes it for good."""

from dataclasses import replace
from datetime import timedelta

from sqlalchemy.orm import Session

from modelwright.core.http.paging import Page
from modelwright.models.domain import TrashedModel
from modelwright.models.service import Models
from modelwright.trash.domain import Kind, TrashItem
from modelwright.trash.errors import NotInTrash
from modelwright.uploads.domain import TrashedUpload
from modelwright.uploads.service import Uploads


class Trash:
    """The verbs of the trash; features keep their own deleted rows."""

    def __init__(self, uploads: Uploads, models: Models, days: float) -> None:
        self._uploads = uploads
        self._models = models
        self._time = timedelta(days=days)

    def list_(self, db: Session, page: Page) -> tuple[list[TrashItem], int]:
        """Lists one page of what lies in the trash, newest first, and counts it all."""
        found = [
            *map(self._of_model, self._models.trashed(db)),
            *map(self._of_upload, self._uploads.trashed(db)),
        ]
        found.sort(key=lambda item: (item.deleted_at, item.item_id), reverse=True)
        return found[page.offset : page.offset + page.limit], len(found)

    def restore(self, db: Session, item_id: str, model_name: str | None) -> TrashItem:
        """Takes a model or an upload back; a model under another name where one is told.

        Refuses what does not lie in the trash, and a model's name that is taken.
        """
        if upload := self._uploads.restore(db, item_id):
            return self._of_upload(upload)
        if model := self._models.restore(db, item_id, model_name):
            return self._of_model(model)
        raise NotInTrash(item_id)

    def purge(self, db: Session, item_id: str) -> TrashItem:
        """Removes a model or an upload for good; refuses what does not lie in the trash."""
        if upload := self._uploads.purge(db, item_id):
            return self._of_upload(upload)
        if model := self._models.purge(db, item_id):
            return self._of_model(model)
        raise NotInTrash(item_id)

    def empty(self, db: Session) -> int:
        """Removes all that lies in the trash for good; tells how much that was."""
        models, uploads = self._models.trashed(db), self._uploads.trashed(db)
        for model in models:
            self._models.purge(db, model.model_id)
        for upload in uploads:
            self._uploads.purge(db, upload.upload_id)
        return len(models) + len(uploads)

    def _of_model(self, model: TrashedModel) -> TrashItem:
        gone = model.trashed_at + self._time
        return TrashItem(model.model_id, Kind.MODEL, model.model_name, model.trashed_at, gone, None)

    def _of_upload(self, upload: TrashedUpload) -> TrashItem:
        moment = upload.trashed_at
        item = TrashItem(upload.upload_id, Kind.UPLOAD, upload.name, moment, moment, None)
        return replace(item, purge_at=moment + self._time, size_bytes=upload.size_bytes)
