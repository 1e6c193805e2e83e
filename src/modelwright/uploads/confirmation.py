"""What a confirmed upload must be: exactly the declared files, all arrived, none too large."""

from collections.abc import Mapping, Sequence

from modelwright.core.errors import Detail
from modelwright.core.limits.contract import Limits
from modelwright.storage.object_store import ObjectStore
from modelwright.uploads import declaration
from modelwright.uploads.domain import ConfirmedFile, FileInfo
from modelwright.uploads.errors import FilesRefused


def take(
    files: Sequence[FileInfo], listed: Sequence[ConfirmedFile], objects: ObjectStore, limits: Limits
) -> dict[str, int]:
    """Takes the listed files as they are now and tells their sizes; later bytes are refused.

    Refuses files other than those declared, files that have not arrived, files too large. Never
    inside a transaction: a bucket copies each file, which may take minutes.
    """
    _check_listed(files, listed)
    _check_sizes(files, _measure(files, objects), limits)
    sealed = {file.filename: objects.seal(file.object_key) for file in files}
    _check_sizes(files, sealed, limits)  # one may have been replaced meanwhile
    return sealed


def _check_listed(files: Sequence[FileInfo], listed: Sequence[ConfirmedFile]) -> None:
    """Refuses a list that is not exactly the declared files under their keys."""
    keys = {file.filename: file.object_key for file in files}
    names = [item.filename for item in listed]
    details = []
    for number, (filename, object_key) in enumerate((i.filename, i.object_key) for i in listed):
        if filename not in keys:
            message = f"{filename!r} was not declared for this upload."
            details.append(Detail(f"files.{number}.filename", message))
        elif filename in names[:number]:
            message = f"{filename!r} is listed twice."
            details.append(Detail(f"files.{number}.filename", message))
        elif object_key != keys[filename]:
            message = f"the key of {filename!r} is {keys[filename]}."
            details.append(Detail(f"files.{number}.object_key", message))
    details += [
        Detail("files", f"{filename!r} is missing from the list.")
        for filename in keys
        if filename not in names
    ]
    if details:
        raise FilesRefused(details)


def _check_sizes(files: Sequence[FileInfo], sizes: Mapping[str, int], limits: Limits) -> None:
    """Refuses files that are larger than they may be, or than they were declared."""
    declaration.check_sizes(sizes, limits)
    details = [
        Detail(
            "files",
            f"{file.filename!r} has {sizes[file.filename]} bytes, but was declared to have"
            f" {file.declared_bytes}; PUT that file, or make a new upload.",
        )
        for file in files
        if file.declared_bytes is not None and sizes[file.filename] > file.declared_bytes
    ]
    if details:
        raise FilesRefused(details)


def _measure(files: Sequence[FileInfo], objects: ObjectStore) -> dict[str, int]:
    """Returns the real size of each file; refuses files that have not arrived, naming them."""
    sizes = {file.filename: objects.size(file.object_key) for file in files}
    missing = [
        Detail("files", f"{filename!r} has not arrived; PUT it to its presigned_url.")
        for filename, size in sizes.items()
        if size is None
    ]
    if missing:
        raise FilesRefused(missing)
    return {filename: size for filename, size in sizes.items() if size is not None}
