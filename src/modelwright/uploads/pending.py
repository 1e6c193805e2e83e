"""Which files are still awaited: those of uploads that are there and have not failed."""

from sqlalchemy.orm import Session

from modelwright.storage.domain import ObjectArriving
from modelwright.uploads import repository
from modelwright.uploads.domain import Status
from modelwright.uploads.errors import UploadGone, UploadIsOver
from modelwright.users.service import Users


def check(db: Session, arriving: ObjectArriving, users: Users) -> None:
    """Refuses a file whose upload was deleted or has failed, or whose account is shut out."""
    prefix, upload_id, *_ = arriving.key.split("/")
    if prefix != "uploads":
        return
    row = repository.find(db, upload_id)
    if row is None:
        raise UploadGone(upload_id)
    users.check_active(db, row.account_id)
    if row.status == Status.FAILED:
        raise UploadIsOver(Status.FAILED)
