"""`/data/upload` and `/uploads`."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Query

from modelwright.core.http.context import Level, ReadContext, RequestContext, Scope, WriteContext
from modelwright.core.http.paging import Paged, Pagination
from modelwright.core.http.routing import ApiRouter, Prepared, Service
from modelwright.core.http.schemas import Json, Text
from modelwright.uploads.domain import ConfirmedFile, FileInfo, NamedFile, Status, UploadInfo
from modelwright.uploads.schemas import (
    CompleteFile,
    ConfirmUpload,
    CreateUpload,
    FileComplete,
    FileOptions,
    FileProgress,
    MissingParts,
    ResumableList,
    ResumableUpload,
    Upload,
    UploadCreated,
    UploadDeleted,
    UploadDetail,
    UploadList,
    UploadStanding,
)
from modelwright.uploads.service import Uploads

router = ApiRouter("uploads", Scope.DATASETS)
Sort = Literal["created_at", "status"]
Order = Literal["asc", "desc"]
Name = Annotated[
    Text, Query(max_length=255, description="Only uploads whose name has this, in whatever case.")
]
MESSAGES = {
    Status.PENDING: "The upload awaits its files.",
    Status.PROCESSING: "All files have arrived and are being processed.",
    Status.COMPLETE: "All files are processed.",
    Status.FAILED: "The upload has failed.",
}


def _again(ctx: RequestContext, uploads: Uploads, answer: Json) -> UploadCreated:
    """Answers a repeated creation as the first one, with addresses signed anew."""
    upload = uploads.renew(ctx.db, answer["upload_id"])
    created = UploadCreated.of(upload, _addresses(ctx, uploads, upload, upload.files))
    return created.model_copy(update={"status": answer["status"]})


@router.post_("/data/upload", again=_again)
def create(ctx: WriteContext, uploads: Service[Uploads], body: CreateUpload) -> UploadCreated:
    """Declares the files of an upload; answers the addresses to send them to."""
    upload = uploads.create(ctx.db, ctx.caller.account_id, body.new())
    return UploadCreated.of(upload, _addresses(ctx, uploads, upload, upload.files))


@dataclass(frozen=True, slots=True)
class _Resumable:
    """A page of uploads, and the files of each that are awaited, by its id."""

    found: list[UploadInfo]
    total: int
    awaited: dict[str, list[FileInfo]]


def _awaited(
    ctx: ReadContext,
    uploads: Service[Uploads],
    page: Paged,
    upload_id: Text | None = None,
    status: Status | None = None,
    name: Name = "",
    sort: Sort = "created_at",
    order: Order = "desc",
) -> Callable[[], _Resumable]:
    """Finds a page of uploads; then what the storage has of them."""
    if upload_id is None:
        found, total = uploads.list_(ctx.db, page, status, name, sort, descending=order == "desc")
    else:
        named = uploads.read(ctx.db, upload_id)
        fitting = [named] if status in {None, named.status} else []
        found, total = fitting[page.offset :], len(fitting)
    asked = found if ctx.caller.level >= Level.READ_WRITE else []
    return lambda: _Resumable(found, total, {one.upload_id: uploads.pending(one) for one in asked})


@router.get_("/data/upload", writes=True, first=_awaited)
def resume(
    ctx: ReadContext,
    uploads: Service[Uploads],
    listed: Prepared[_Resumable],
    page: Paged,
    upload_id: Text | None = None,  # noqa: ARG001 - `_awaited` heeds it and those below
    status: Status | None = None,  # noqa: ARG001
    name: Name = "",  # noqa: ARG001
    sort: Sort = "created_at",  # noqa: ARG001
    order: Order = "desc",  # noqa: ARG001
) -> ResumableList:
    """Lists uploads, with fresh addresses for files that have not arrived."""
    resumed = [_resumed(ctx, uploads, one, listed) for one in listed.found]
    return ResumableList(uploads=resumed, pagination=Pagination.of(page, listed.total))


def _take(
    ctx: WriteContext, uploads: Service[Uploads], body: ConfirmUpload
) -> Callable[[], dict[str, int]]:
    """Closes the files that are confirmed before the request's transaction begins."""
    upload = uploads.read(ctx.db, body.upload_id)
    listed = [ConfirmedFile(file.filename, file.object_key) for file in body.files]
    return lambda: {} if body.status == "failed" else uploads.take(upload, listed)


@router.post_("/uploads/status", first=_take)
def confirm(
    ctx: WriteContext,
    uploads: Service[Uploads],
    taken: Prepared[dict[str, int]],
    body: ConfirmUpload,
) -> UploadStanding:
    """Confirms that all files are in place, which starts their processing, or gives them up."""
    if body.status == "failed":
        upload = uploads.give_up(ctx.db, body.upload_id)
    else:
        upload = uploads.confirm(ctx.db, body.upload_id, taken)
    return UploadStanding(
        upload_id=upload.upload_id,
        status=upload.status.value,
        message=upload.error or MESSAGES[upload.status],
        estimated_completion=upload.completed_at or upload.estimated_completion,
    )


def _progress(found: NamedFile, uploads: Uploads) -> FileProgress:
    return FileProgress.showing(uploads.progress(found))


@router.get_("/uploads/{upload_id}/files/{filename}/parts", then=_progress)
def progress(
    ctx: ReadContext, uploads: Service[Uploads], upload_id: str, filename: str
) -> NamedFile:
    """Returns how much of a file has arrived."""
    return uploads.named(ctx.db, upload_id, filename)


@dataclass(frozen=True, slots=True)
class _Renewed:
    """A file whose addresses are to be made, as addresses of a place."""

    named: NamedFile
    base_url: str

    @property
    def upload_id(self) -> str:
        """What the audit log names."""
        return self.named.upload.upload_id


def _missing_parts(found: _Renewed, uploads: Uploads) -> MissingParts:
    return MissingParts.of(uploads.missing_parts(found.named, found.base_url))


@router.post_("/uploads/{upload_id}/files/{filename}/parts", remembers=False, then=_missing_parts)
def missing_parts(
    ctx: WriteContext, uploads: Service[Uploads], upload_id: str, filename: str
) -> _Renewed:
    """Returns addresses for the parts of a file that have not arrived, to resume after a break."""
    return _Renewed(uploads.renew_named(ctx.db, upload_id, filename), ctx.base_url)


def _complete(found: tuple[NamedFile, str | None], uploads: Uploads) -> FileComplete:
    return FileComplete.showing(uploads.complete_file(*found))


@router.post_(
    "/uploads/{upload_id}/files/{filename}/complete", writes=False, remembers=False, then=_complete
)
def complete_file(
    ctx: WriteContext,
    uploads: Service[Uploads],
    upload_id: str,
    filename: str,
    body: CompleteFile,
) -> tuple[NamedFile, str | None]:
    """Joins the parts of a file once all have arrived, and checks its size and digest."""
    return uploads.named(ctx.db, upload_id, filename), body.sha256


def _make_sure_of_originals(
    ctx: WriteContext,
    uploads: Service[Uploads],
    upload_id: str,
    filename: str,
    body: FileOptions,  # noqa: ARG001 - it is given what the handler is
) -> Callable[[], None]:
    """Refuses an upload whose files never came before the request's transaction begins."""
    former = uploads.to_read_again(ctx.db, upload_id, filename)
    return lambda: uploads.make_sure_of_originals(former)


@router.post_("/uploads/{upload_id}/files/{filename}/reparse", first=_make_sure_of_originals)
def reparse(
    ctx: WriteContext,
    uploads: Service[Uploads],
    originals: Prepared[None],  # noqa: ARG001 - it refuses, and tells nothing
    upload_id: str,
    filename: str,
    body: FileOptions,
) -> UploadStanding:
    """Reads a stored file again in another way, as a new upload and version of its dataset."""
    account_id = ctx.caller.account_id
    upload = uploads.reparse(ctx.db, account_id, upload_id, filename, body.told())
    return UploadStanding(
        upload_id=upload.upload_id,
        status=upload.status.value,
        message=MESSAGES[upload.status],
        estimated_completion=upload.estimated_completion,
    )


@router.get_("/uploads")
def list_(
    ctx: ReadContext,
    uploads: Service[Uploads],
    page: Paged,
    status: Status | None = None,
    name: Name = "",
    sort: Sort = "created_at",
    order: Order = "desc",
) -> UploadList:
    """Lists the account's uploads, newest first."""
    found, total = uploads.list_(ctx.db, page, status, name, sort, descending=order == "desc")
    return UploadList(
        uploads=[Upload.of(upload, ctx.base_url) for upload in found],
        pagination=Pagination.of(page, total),
    )


@router.get_("/uploads/{upload_id}")
def read(ctx: ReadContext, uploads: Service[Uploads], upload_id: str) -> UploadDetail:
    """Reads an upload with its columns and the models made from it."""
    return UploadDetail.in_full(
        uploads.read(ctx.db, upload_id),
        ctx.base_url,
        uploads.columns(ctx.db, upload_id),
        uploads.users(ctx.db, upload_id),
    )


@router.delete_("/uploads/{upload_id}")
def delete(ctx: WriteContext, uploads: Service[Uploads], upload_id: str) -> UploadDeleted:
    """Deletes an upload that no model uses."""
    return UploadDeleted(upload_id=upload_id, deleted_at=uploads.delete(ctx.db, upload_id))


def _resumed(
    ctx: RequestContext, uploads: Uploads, upload: UploadInfo, listed: _Resumable
) -> ResumableUpload:
    awaited = listed.awaited.get(upload.upload_id, [])
    if awaited:
        upload = uploads.renew(ctx.db, upload.upload_id)
    addresses = _addresses(ctx, uploads, upload, awaited)
    return ResumableUpload.with_addresses(upload, ctx.base_url, addresses)


def _addresses(
    ctx: RequestContext, uploads: Uploads, upload: UploadInfo, files: Iterable[FileInfo]
) -> dict[int, str]:
    return {file.number: uploads.sign(upload, file, ctx.base_url) for file in files}
