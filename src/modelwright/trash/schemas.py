"""Request and response bodies of the trash."""

from typing import Annotated, Literal

from pydantic import Field

from modelwright.core.http.paging import Pagination
from modelwright.core.http.schemas import RequestBody, ResponseBody, Text, Timestamp


class TrashItem(ResponseBody):
    """A deleted model or upload that can still be restored."""

    item_id: str
    """The model's or the upload's id."""
    kind: Literal["model", "upload"]
    name: str
    """The model's `model_name`, or the upload's name."""
    deleted_at: Timestamp
    purge_at: Timestamp
    """When it is removed for good."""
    size_bytes: int | None
    """Bytes of an upload's files, which count as stored until it is purged; null for a model."""


class TrashList(ResponseBody):
    """A page of the trash."""

    items: list[TrashItem]
    pagination: Pagination


class RestoreItem(RequestBody):
    """How to restore an item."""

    model_name: Annotated[Text, Field(min_length=1, max_length=100)] | None = None
    """Another name for a model whose own is taken; not for uploads."""


class ItemRestored(ResponseBody):
    """What was restored."""

    item_id: str
    kind: Literal["model", "upload"]
    name: str
    status: Literal["restored"] = "restored"


class ItemPurged(ResponseBody):
    """What was removed for good."""

    item_id: str
    kind: Literal["model", "upload"]
    name: str
    status: Literal["purged"] = "purged"


class TrashEmptied(ResponseBody):
    """How many items were removed for good."""

    status: Literal["purged"] = "purged"
    items_purged: int
