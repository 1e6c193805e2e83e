"""Previews of files, and the versions of a dataset."""

from typing import Annotated

from fastapi import Query

from modelwright.core.http.context import ReadContext, Scope
from modelwright.core.http.paging import MAX_OFFSET, LongPaged, Page, Pagination
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.core.limits.contract import LIMITS
from modelwright.datasets.schemas import DatasetVersion, RecordPreview, TablePreview, VersionList
from modelwright.datasets.service import Datasets

router = ApiRouter("datasets", Scope.DATASETS)


@router.get_("/data/uploads/{upload_id}/files/{filename}/preview")
def preview(
    ctx: ReadContext,
    datasets: Service[Datasets],
    upload_id: str,
    filename: str,
    limit: Annotated[int, Query(ge=1, le=LIMITS.preview_rows_max)] = LIMITS.preview_rows,
    offset: Annotated[int, Query(ge=0, le=MAX_OFFSET)] = 0,
) -> TablePreview | RecordPreview:
    """Shows some rows of a processed file."""
    found = datasets.preview(
        ctx.db, ctx.caller.account_id, upload_id, filename, Page(limit, offset)
    )
    kind = RecordPreview if found.columns is None else TablePreview
    return kind.showing(found, returned_rows=len(found.data))


@router.get_("/uploads/datasets/{dataset_name:path}/versions")
def versions(
    ctx: ReadContext, datasets: Service[Datasets], page: LongPaged, dataset_name: str
) -> VersionList:
    """Lists the versions of a dataset, newest first."""
    found, total = datasets.versions(ctx.db, dataset_name, page)
    return VersionList(
        dataset_name=dataset_name,
        versions=[DatasetVersion.model_validate(version) for version in found],
        pagination=Pagination.of(page, total),
    )
