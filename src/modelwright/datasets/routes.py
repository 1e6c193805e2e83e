"""Previews of files, and the versions of a dataset."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Query

from modelwright.core.http.context import ReadContext, Scope
from modelwright.core.http.paging import MAX_OFFSET, LongPaged, Page, Pagination
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.core.ids import AccountId
from modelwright.core.limits.contract import LIMITS
from modelwright.datasets.schemas import DatasetVersion, RecordPreview, TablePreview, VersionList
from modelwright.datasets.service import Datasets
from modelwright.uploads.domain import TableFile

router = ApiRouter("datasets", Scope.DATASETS)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is looked at, and who pays for it."""

    account_id: AccountId
    table: TableFile
    page: Page


def _preview(found: _Wanted, datasets: Datasets) -> TablePreview | RecordPreview:
    read = datasets.preview(found.account_id, found.table, found.page)
    kind = RecordPreview if read.columns is None else TablePreview
    return kind.showing(read, returned_rows=len(read.data))


@router.get_("/data/uploads/{upload_id}/files/{filename}/preview", then=_preview)
def preview(
    ctx: ReadContext,
    datasets: Service[Datasets],
    upload_id: str,
    filename: str,
    limit: Annotated[int, Query(ge=1, le=LIMITS.preview_rows_max)] = LIMITS.preview_rows,
    offset: Annotated[int, Query(ge=0, le=MAX_OFFSET)] = 0,
) -> _Wanted:
    """Shows some rows of a processed file."""
    table = datasets.table(ctx.db, upload_id, filename)
    return _Wanted(ctx.caller.account_id, table, Page(limit, offset))


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
