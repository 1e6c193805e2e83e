"""Converts one file, whatever its format, to one Parquet file."""

from collections.abc import Callable
from pathlib import Path

from modelwright.engines.ingest.read_options import ReadOptions
from modelwright.engines.ingest.table import Bounds, Table


def convert(
    source: Path,
    target: Path,
    *,
    name: str,
    content_type: str,
    bounds: Bounds,
    scratch: Path,
    progress: Callable[[float], None] = lambda _: None,
    options: ReadOptions | None = None,
) -> Table:
    """Converts a file to Parquet at `target`, which appears only when it is complete.

    Args:
        source: the file; gzip and zstd are unpacked on the way.
        target: where the Parquet file goes; rows keep their order.
        name: the file's name, a hint where its bytes leave a doubt.
        content_type: the declared MIME type, likewise.
        bounds: what is refused, and the memory and threads to use.
        scratch: an existing folder for temporary files.
        progress: told the share of the work that is done, 0 to 1, never falling.
        options: what the owner of the file says of it.

    Returns:
        What is now at `target`: rows, columns and notices.

    Raises:
        BrokenFile: the file is no table, is damaged, or is beyond the bounds.
    """
    # Heavy libraries come with the readers and are kept out of the API process's start.
    from modelwright.engines.ingest.opening import write_parquet  # noqa: PLC0415

    partial, report = target.with_name(f".{target.name}.partial"), _rising(progress)
    hint = f"{name} {content_type}".lower()
    try:
        table = write_parquet(source, partial, hint, bounds, scratch, report, options)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    report(1.0)
    return table


def _rising(progress: Callable[[float], None]) -> Callable[[float], None]:
    """Tells a share only when it is a hundredth more than the last."""
    reached = 0.0

    def report(share: float) -> None:
        nonlocal reached
        if share >= min(reached + 0.01, 1.0):
            reached = share
            progress(share)

    return report
