"""Which files are still awaited: those of uploads that are there and have not failed."""

from sqlalchemy.orm import Session

from modelwright.storage.domain import ObjectArriving
from modelwright.uploads import repository
from modelwright.uploads.domain import Status
from modelwright.uploads.errors import UploadGone, UploadIsOver


def check(db: Session, arriving: ObjectArriving) -> None:
    """Refuses a file whose upload was deleted or has failed."""
    prefix, upload_id, *_ = arriving.key.split("/")
    if prefix != "uploads":
        return
    row = repository.find(db, upload_id)
    if row is None:
        raise UploadGone(upload_id)
    if row.status == Status.FAILED:
        raise UploadIsOver(Status.FAILED)
