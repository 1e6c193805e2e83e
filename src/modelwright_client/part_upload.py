"""A large file sent in parts, from the byte where it stopped, in this run or in an earlier one."""

from collections.abc import Callable

from modelwright_client._http import HttpTransport
from modelwright_client.errors import (
    ConflictError,
    ForbiddenError,
    ModelwrightError,
    UnavailableError,
    UnreachableError,
)
from modelwright_client.file_upload import Progress, Source
from modelwright_client.types import MissingParts

RESUMABLE_BYTES = 16 << 20
"""A larger file is sent in parts; a smaller one is soon sent again."""
BREAKS = (ConflictError, ForbiddenError, UnavailableError, UnreachableError)
"""After these it is asked anew what is missing: the connection or the server was lost, the address
ran out, or the server has not noticed yet that the sender before this one is gone."""


def send_parts(
    calls: HttpTransport,
    source: Source,
    missing: Callable[[], MissingParts],
    progress: Progress | None,
) -> None:
    """Sends what is missing of a file; goes on after a break as long as that leads further.

    Args:
        calls: The connection to the server.
        source: The file.
        missing: Asks the server what is missing, with addresses.
        progress: Told how much of the file has come.

    Raises:
        ModelwrightError: The file became shorter, or the connection broke too often.
    """
    received, attempt = -1, 0
    while True:
        state = missing()
        if state["received_bytes"] > received:
            received, attempt = state["received_bytes"], 0
        if progress:
            progress(source.path.name, received, source.size)
        if not state["parts"]:
            return
        try:
            for part in state["parts"]:
                source.put_part(calls, part, progress)
        except BREAKS:
            attempt += 1
            if not calls.rest_before(attempt):
                raise


def check_same(source: Source, declared: int | None, upload_id: str) -> None:
    """Refuses to go on with a file of another size than the one that was begun.

    Args:
        source: The file.
        declared: The size that the server was told of, in bytes.
        upload_id: The upload that awaits it.

    Raises:
        ModelwrightError: The sizes differ.
    """
    if declared is not None and declared != source.size:
        message = (
            f"{source.path} has {source.size} bytes, but {upload_id} was begun with a file of"
            f" {declared}; upload it anew."
        )
        raise ModelwrightError(message)
