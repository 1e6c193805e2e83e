"""`/database/ingest`."""

from modelwright.connections.ingestions import Ingestions
from modelwright.connections.schemas import (
    CreateIngestion,
    Ingestion,
    IngestionDeleted,
    IngestionList,
)
from modelwright.core.http.context import ReadContext, Scope, WriteContext
from modelwright.core.http.paging import Paged, Pagination
from modelwright.core.http.routing import ApiRouter, Service

router = ApiRouter("ingestions", Scope.DATASETS)


@router.post_("/database/ingest")
def create(ctx: WriteContext, ingestions: Service[Ingestions], body: CreateIngestion) -> Ingestion:
    """Imports a table or the result of a query, now and on the schedule."""
    return Ingestion.of(ingestions.create(ctx.db, body.to_request()))


@router.get_("/database/ingest")
def list_(ctx: ReadContext, ingestions: Service[Ingestions], page: Paged) -> IngestionList:
    """Lists ingestions, newest first."""
    found, total = ingestions.list_(ctx.db, page)
    return IngestionList(
        ingestions=[Ingestion.of(one) for one in found], pagination=Pagination.of(page, total)
    )


@router.get_("/database/ingest/{ingestion_id}")
def read(ctx: ReadContext, ingestions: Service[Ingestions], ingestion_id: str) -> Ingestion:
    """Reads the state of an ingestion."""
    return Ingestion.of(ingestions.read(ctx.db, ingestion_id))


@router.post_("/database/ingest/{ingestion_id}/retrigger")
def retrigger(ctx: WriteContext, ingestions: Service[Ingestions], ingestion_id: str) -> Ingestion:
    """Imports the data again, as a new version of the dataset."""
    return Ingestion.of(ingestions.retrigger(ctx.db, ingestion_id))


@router.delete_("/database/ingest/{ingestion_id}")
def delete(
    ctx: WriteContext, ingestions: Service[Ingestions], ingestion_id: str
) -> IngestionDeleted:
    """Deletes an ingestion and its schedule; the uploads that it made stay."""
    deleted_at = ingestions.delete(ctx.db, ingestion_id)
    return IngestionDeleted(ingestion_id=ingestion_id, deleted_at=deleted_at)
