"""Files of many kinds with the tables that they stand for; each is a text in a file of its kind.

`### what it is %encoding` begins a case and its text follows; `--- right WORDS` says that the table
below has to be read (WORDS are in a notice), `--- told` that it may also be refused, or read
otherwise with a notice, and `--- refused LINE` that it has to be refused (at that line).
A case with `@file` in place of a text reads that file of the folder `files`, which xlwt (.xls),
pyxlsbwriter (.xlsb), odfpy (.ods), openpyxl (.xlsx) and pyarrow (.parquet) wrote.
Types stand behind the names by their first letters. A tab is written as →, a unit separator as ␟,
a carriage return as ␍, a zero byte as ␀, a form feed as ␌, the end of a file of DOS as ␚, a byte
order mark as ␂ and a line end inside of a value as ⏎.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from tests.unit.engines.ingest.excuses import excuse

from modelwright.engines.ingest.converting import convert
from modelwright.engines.ingest.table import Bounds, BrokenFile

FOLDER = Path(__file__).parent / "corpus"
FILES = FOLDER / "files"
RIGHT = "right"
REFUSED = "refused"
NOTICED = "noticed"
SILENT = "silently wrong"
VERDICTS = (RIGHT, REFUSED, NOTICED, SILENT)
_SIGNS = str.maketrans(
    {"→": "\t", "␟": "\x1f", "␍": "\r", "␀": "\0", "␌": "\f", "␚": "\x1a", "␂": "\ufeff"}
)
_SIGNS_OF_VALUES = {ord("→"): "\t", ord("␀"): "\0"}


@dataclass(frozen=True)
class Case:
    """A file's bytes, and what has to become of them."""

    kind: str
    name: str
    content: bytes
    wish: str
    words: str
    """Words of a notice, or the line of a refusal."""
    expected: tuple[str, ...]
    filename: str = "t.csv"


@dataclass(frozen=True)
class Outcome:
    """What became of a file: its table as lines, its notices; or why it was refused."""

    lines: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    refusal: str | None = None
    line: int | None = None


def cases() -> Iterator[Case]:
    """Gives the cases of all files."""
    for path in sorted(FOLDER.glob("*.txt")):
        for part in path.read_text(encoding="utf-8").split("### ")[1:]:
            yield _case(path.stem, part)


def _case(kind: str, part: str) -> Case:
    head, _, rest = part.partition("\n")
    text, _, wish = rest.rpartition("--- ")
    name, _, file = head.partition(" @")
    name, _, encoding = name.partition(" %")
    said, *expected = wish.rstrip("\n").split("\n")
    verb, _, words = said.partition(" ")
    filename = file or ("t.json" if kind == "json" else "t.csv")
    content = (
        (FILES / file).read_bytes() if file else text.translate(_SIGNS).encode(encoding or "utf-8")
    )
    lines = tuple(line.translate(_SIGNS_OF_VALUES) for line in expected)
    return Case(kind, name, content, verb, words, lines, filename)


def read(case: Case, folder: Path) -> Outcome:
    """Reads a file as an upload's is read."""
    source, target = folder / "source", folder / "target.parquet"
    source.write_bytes(case.content)
    try:
        table = convert(
            source,
            target,
            name=case.filename,
            content_type="",
            bounds=Bounds(),
            scratch=folder,
        )
    except BrokenFile as refusal:
        return Outcome(refusal=refusal.reason, line=refusal.line)
    columns = pq.read_table(target)
    head = "|".join(f"{column.name}:{column.type[0]}" for column in table.columns)
    rows = zip(*(column.to_pylist() for column in columns.columns), strict=True)
    lines = (head, *("|".join(map(said, row)) for row in rows))
    return Outcome(lines, table.notices)


def said(value: Any) -> str:
    """Writes a value as the cases do."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return format(value, "f")
    return str(value).replace("\n", "⏎").replace("\r", "␍")


def judge(case: Case, outcome: Outcome) -> str:
    """Says whether a file was read rightly, refused, read with a notice, or silently wrong.

    Only a notice of what is wrong counts.
    """
    if outcome.refusal is not None:
        return REFUSED
    if outcome.lines == case.expected:
        return RIGHT
    expected, lines = ([one.split("|") for one in some] for some in (case.expected, outcome.lines))
    uneven = {len(row) for row in expected} != {len(row) for row in lines}
    known = [] if uneven else expected
    return NOTICED if excuse(known, lines, outcome.notices) else SILENT


def meets(case: Case, outcome: Outcome) -> bool:
    """Tells whether what became of a file is what had to."""
    verdict = judge(case, outcome)
    if case.wish == "told":
        return verdict != SILENT
    if case.wish == "refused":
        return verdict == REFUSED and (not case.words or outcome.line == int(case.words))
    return verdict == RIGHT and (not case.words or any(case.words in n for n in outcome.notices))
