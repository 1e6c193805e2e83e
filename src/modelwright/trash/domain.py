"""What is known of a thing in the trash."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Kind(StrEnum):
    """What lies in the trash."""

    MODEL = "model"
    UPLOAD = "upload"


@dataclass(frozen=True, slots=True)
class TrashItem:
    """A deleted model or upload, and when it goes for good."""

    item_id: str
    kind: Kind
    name: str
    deleted_at: datetime
    purge_at: datetime
    size_bytes: int | None
    """Bytes of an upload's files; None for a model."""
