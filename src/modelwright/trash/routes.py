"""`/trash`: what was deleted and can still be restored."""

from modelwright.core.http.context import EVERYTHING, ReadContext, WriteContext
from modelwright.core.http.paging import Paged, Pagination
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.trash.schemas import (
    ItemPurged,
    ItemRestored,
    RestoreItem,
    TrashEmptied,
    TrashItem,
    TrashList,
)
from modelwright.trash.service import Trash

router = ApiRouter("trash", EVERYTHING)


@router.get_("/trash")
def list_(ctx: ReadContext, trash: Service[Trash], page: Paged) -> TrashList:
    """Lists deleted models and uploads that can still be restored, newest first."""
    found, total = trash.list_(ctx.db, page)
    items = [TrashItem.showing(item) for item in found]
    return TrashList(items=items, pagination=Pagination.of(page, total))


@router.post_("/trash/{item_id}/restore")
def restore(
    ctx: WriteContext, trash: Service[Trash], item_id: str, body: RestoreItem
) -> ItemRestored:
    """Restores a deleted model or upload."""
    return ItemRestored.showing(trash.restore(ctx.db, item_id, body.model_name))


@router.delete_("/trash/{item_id}")
def purge(ctx: WriteContext, trash: Service[Trash], item_id: str) -> ItemPurged:
    """Removes a deleted model or upload for good, before its time."""
    return ItemPurged.showing(trash.purge(ctx.db, item_id))


@router.delete_("/trash")
def empty(ctx: WriteContext, trash: Service[Trash]) -> TrashEmptied:
    """Empties the trash: what is in it is removed for good."""
    return TrashEmptied(items_purged=trash.empty(ctx.db))
