"""What the command shows: results on stdout, work in progress on stderr.

Results can be piped into other programs because nothing else ever goes to stdout.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn
from rich.table import Table

from modelwright_client.printable import printable

STDOUT = Console(markup=False, highlight=False, emoji=False)
WIDE = Console(markup=False, highlight=False, emoji=False, width=10_000)
"""Stdout for tables: a terminal folds what is wider than itself, and nothing is cut."""
STDERR = Console(markup=False, highlight=False, emoji=False, stderr=True)
BAR_CELLS = 24
"""Characters of the longest bar."""


def note_upload(upload_id: str) -> None:
    """Tells the id by which an upload that breaks off is gone on with."""
    STDERR.print(f"{upload_id} begins; after a break --resume {upload_id} goes on.", soft_wrap=True)


def raw(value: Any) -> None:
    """Prints JSON."""
    STDOUT.print(printable(json.dumps(value, indent=2, ensure_ascii=False)), soft_wrap=True)


def say(line: str = "", style: str | None = None) -> None:
    """Prints a line as it is, however long."""
    STDOUT.print(printable(line), style=style, soft_wrap=True)


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Prints rows under their headings; sentences wrap, ids and names stay whole at any width."""
    cells = [[printable(text(cell)) for cell in row] for row in rows]
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, name in enumerate(columns):
        is_sentence = any(" " in row[number] for row in cells)
        shown.add_column(
            printable(name), no_wrap=not is_sentence, max_width=60 if is_sentence else None
        )
    for row in cells:
        shown.add_row(*row)
    WIDE.print(shown)


def facts(pairs: Mapping[str, Any]) -> None:
    """Prints names with their values; leaves out what is empty."""
    shown = {name: text(value) for name, value in pairs.items() if value not in (None, "", [], {})}
    width = max(map(len, shown), default=0)
    for name, value in shown.items():
        say(f"{name:<{width}}  {value}")


def bars(shares: Mapping[str, float]) -> None:
    """Prints numbers as bars, longest first."""
    longest = max(map(abs, shares.values()), default=0) or 1
    width = max(map(len, shares), default=0)
    for name, share in sorted(shares.items(), key=lambda item: -item[1]):
        bar = "█" * round(abs(share) / longest * BAR_CELLS)
        say(f"{name:<{width}}  {bar:<{BAR_CELLS}}  {text(share)}")


def minute(moment: str | None) -> str:
    """Shortens an ISO time for a list."""
    return (moment or "")[:16].replace("T", " ")


def text(value: Any) -> str:
    """Writes a value for a table: four decimals, JSON for what has parts."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1 else f"{round(value, 4):g}"
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


@contextmanager
def progress(label: str, *, quiet: bool = False) -> Iterator[Callable[[float, str], None]]:
    """Shows a bar while the block runs; yields what takes a percentage and the present stage."""
    with _bars(quiet=quiet) as shown:
        task = shown.add_task(label, total=100)

        def show(percent: float, stage: str) -> None:
            shown.update(task, completed=percent, description=printable(f"{label}: {stage}"))

        yield show
        shown.update(task, completed=100, description=label)


@contextmanager
def bar_for_each(*, quiet: bool = False) -> Iterator[Callable[[str, float, float], None]]:
    """Shows a bar for each label; yields what takes a label, how much is done, and of how much."""
    with _bars(quiet=quiet) as shown:
        tasks: dict[str, TaskID] = {}

        def show(label: str, done: float, total: float) -> None:
            if label not in tasks:
                tasks[label] = shown.add_task(label, total=total)
            shown.update(tasks[label], completed=done)

        yield show


def _bars(*, quiet: bool) -> Progress:
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn())
    return Progress(*columns, console=STDERR, disable=quiet or not STDERR.is_terminal)
