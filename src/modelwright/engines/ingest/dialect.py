"""How a delimited text is written: its delimiter, its quotes, and whether it names its columns."""

import io
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import dropwhile, islice, pairwise
from typing import Any, NamedTuple

from modelwright.engines.ingest.header import (
    MIN_TITLED_CELLS,
    TYPED,
    comments_above,
    fitted_names,
    has_header,
    has_names,
    kind_of,
    lines_below_names,
    lines_of_groups,
    names_as_said,
    titles_above,
    titles_of_another_width,
    with_groups,
)
from modelwright.engines.ingest.kinds import common_type
from modelwright.engines.ingest.name_evidence import said_of_weak_names
from modelwright.engines.ingest.naming import distinct_names, said_of_nameless, said_of_names
from modelwright.engines.ingest.non_data_rows import said_above
from modelwright.engines.ingest.number_points import said_of_points
from modelwright.engines.ingest.quoted_length import QUOTED_LENGTH
from modelwright.engines.ingest.read_options import ReadOptions
from modelwright.engines.ingest.repaired_rows import RepairedRows
from modelwright.engines.ingest.side_by_side import said_of_empty_columns, said_of_names_again
from modelwright.engines.ingest.table import Bounds, BrokenFile
from modelwright_runtime.missing_values import says_nothing

COMMON = ",\t;|"
MIN_AGREEING_SHARE = 0.5
"""The share of rows that must agree with the first one."""
NEARLY_ALL = 0.9
"""The share of rows that must agree with each other where the first one strays."""
RARE = "\x01\x02\x03\x1c\x1d\x1e\x1f^~: "
NONE = "\x1f"
"""The delimiter of a text with a single column."""
WORDY = ": "
"""Delimiters that also occur inside words and times; taken only where a header proves them."""
_SIGN_NAMES = {"\t": "tabs", " ": "as many blanks", ":": "as many colons"}
_SIGNS_OF_WORDS = "-_.'/()@#&+?!\""
"""Signs that stand in words and names, once at least."""
_RUN_OF_BLANKS = re.compile(r"\S(\t|  )\s*\S")
SAMPLE_ROWS = 200
"""Rows by which a dialect is judged; more do not change the choice."""
_COMMA_NUMBER = re.compile(r"-?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?")
_DECIMAL_POINT = re.compile(r"-?\d*\.(\d{1,2}|\d{4,})")
_DECIMAL_COMMA = re.compile(r"\s*[-+]?\d[\d.\s']*(,\d+)?\s*%?\s*")
LEAST_SHORT = 3
"""Short rows below which they are accidents, not the end of a table."""
SHORT_SHARE = 0.2
"""So many lines, and such a share of them, tell that empty last cells are not written."""
MOST_NAMED = 5
"""Names that one sentence lists."""
MAX_FOOT_ROWS = 10
"""So many last rows of a file may be notes."""
MOST_FOOT_SHARE = 3
"""They are only where the file has this many times as many rows."""
SAMPLE_CHARACTERS = 65536
"""So many characters are enough to tell quotes."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The writing of a delimited text."""

    delimiter: str = ","
    quote: str = '"'
    escape: str | None = None
    padded: bool = False
    """Blanks around cells, and outside their quotes, are none of them."""
    names: tuple[str, ...] = ()
    """The columns' names, made up where the text has none."""
    above: int = 0
    """Rows above the data: titles, and the names."""
    header_rows: int = 1
    """How many of them name the columns."""
    skip: int = 0
    """Bytes of UTF-8 before the first row of data."""
    decimal: str = "."
    """What stands before the decimals of numbers."""
    cut_short: bool = False
    """Lines end with their last cell that is not empty."""
    notices: tuple[str, ...] = ()
    """What is to be said of the rows above the names, and of what was guessed."""

    @property
    def read_as(self) -> dict[str, Any]:
        """How the text is read, by the names of `ReadOptions`."""
        delimiter = {"\t": "tab", NONE: None}.get(self.delimiter, self.delimiter)
        return {
            "delimiter": delimiter,
            "decimal": self.decimal,
            "header_rows": self.header_rows,
            "skip_rows": max(self.above - self.header_rows, 0),
        }

    @property
    def signs(self) -> tuple[str, str, str | None]:
        """The delimiter, the quote and the escape."""
        return self.delimiter, self.quote, self.escape

    def rows(self, lines: Iterator[str], bounds: Bounds, **known: Any) -> RepairedRows:
        """Reads rows from lines; for what may be known of them see `RepairedRows`.

        Args:
            lines: Lines with their ends.
            bounds: What is refused, and the memory and threads to use.
            **known: What is known besides, such as `width`.

        Returns:
            A reader of rows.
        """
        return RepairedRows(
            lines, self.delimiter, self.quote, self.escape, bounds, padded=self.padded, **known
        )


@dataclass(frozen=True, slots=True)
class Sample:
    """The start of a text."""

    text: str
    whole: bool
    """Nothing comes after it."""
    bounds: Bounds

    def rows(
        self, dialect: Dialect, width: int | None = None
    ) -> tuple[list[list[str]], list[int], int]:
        """Returns the first whole rows, where in characters each of them ends, and the repairs.

        Rows are read up to the first one that can be read in no way.

        Args:
            dialect: How the text is read.
            width: Cells that a row has, where it is known.

        Returns:
            Rows, where each ends, and how many were repaired.
        """
        reader = dialect.rows(iter(io.StringIO(self.text, newline="")), self.bounds, width=width)
        rows: list[list[str]] = []
        ends: list[int] = []
        with suppress(BrokenFile):
            for row in islice(reader, SAMPLE_ROWS + 1):
                rows.append(row)
                ends.append(reader.characters)
        if not self.whole and reader.characters >= len(self.text):
            rows = rows[:-1]
        return rows[:SAMPLE_ROWS], ends, len(reader.repairs)

    def widths(self, dialect: Dialect) -> list[int]:
        """Returns the numbers of cells of the first rows.

        Args:
            dialect: How the text is read.

        Returns:
            A number for each row.
        """
        return [len(row) for row in self.rows(dialect)[0]]

    def explained(self, dialect: Dialect) -> tuple[bool, float]:
        """Tells how much of the text a reading explains: whether it finds cells, in which rows.

        A row that has another width than most, or quotes where they should not be, is not
        explained.

        Args:
            dialect: How the text is read.

        Returns:
            Whether there is a delimiter, and the share of rows, 0 to 1.
        """
        rows, _, repairs = self.rows(dialect)
        often = Counter(map(len, rows)).most_common(1)[0][1] if rows else 0
        return dialect.delimiter != NONE, max(often - repairs, 0) / max(len(rows), 1)


def find_dialect(
    sample: bytes, whole: bool, tabbed: bool, bounds: Bounds, options: ReadOptions | None = None
) -> Dialect:
    """Finds how a text is written from its start.

    Args:
        sample: the first bytes, in UTF-8; all of them if `whole`.
        whole: nothing comes after the sample.
        tabbed: the name or the declared type says that tabs are the delimiter.
        bounds: the number of columns and the size of cells to keep to.
        options: what the owner of the file says of it.

    Returns:
        Delimiter, quotes, names and what stands above them.

    Raises:
        BrokenFile: there is no row, or there are too many columns.
    """
    text = _text_of(sample)
    said = re.match(r'"?sep=(.)"?(\r\n|\n|\r)', text)
    start = said.end() if said else 0
    begun = Sample(text[start:], whole, bounds)
    options = options or ReadOptions()
    below = _below(begun, options.skip_rows)
    written = _written(below, options.mark or (said[1] if said else None), tabbed)
    rows, ends = _first_rows(begun, written, below, options)
    if options.tells_header:
        return _as_said(begun, written, rows, ends, start, options)
    head = _head(begun, written, rows, ends)
    cut_short = head.is_named and _cut_short(head.names, head.rows[1:])
    comma = _is_comma_decimal(head, written, options)
    notices = [*head.notices]
    if cut_short:
        notices.append(_said_of_short_rows(head.names, head.rows[1:]))
    if comma:
        notices.append("Numbers are read with a decimal comma (1.234,5).")
    is_lone = len(head.names) == 1 and written.delimiter in {options.mark, NONE}
    if is_lone and (options.mark or not said):
        notices += _said_of_one_cell(begun, replace(written, delimiter=NONE))
    raw = head.names if head.is_named else [""] * len(head.rows[0])
    return replace(
        written,
        names=tuple(distinct_names(raw)),
        above=head.above,
        header_rows=head.header_rows,
        skip=len(text[: start + head.ends[head.is_named]].encode("utf-8")),
        decimal="," if comma else options.decimal or ".",
        cut_short=cut_short,
        notices=(*notices, *_said_of_columns(head, raw, written.delimiter, options)),
    )


def _text_of(sample: bytes) -> str:
    """Decodes a sample; refuses one that holds nothing."""
    text = sample.decode("utf-8", "replace")
    if not text.strip("\r\n \t"):
        raise BrokenFile("The file is empty.", expected="a header and rows")
    return text


def _first_rows(
    sample: Sample, written: Dialect, below: Sample, options: ReadOptions
) -> tuple[list[list[str]], list[int]]:
    """Returns the rows and where they begin, withheld values blank; refuses a text without any."""
    rows, ends, _ = sample.rows(written, _width(below, written))
    if not rows:
        most = sample.bounds.max_cell_bytes / 2**20
        raise BrokenFile(f"The first row is longer than {most:g} MiB.", line=1)
    nothing = set(options.null_values)
    return [["" if cell in nothing else cell for cell in row] for row in rows], ends


def _is_comma_decimal(head: "_Head", written: Dialect, options: ReadOptions) -> bool:
    """Returns whether numbers have a decimal comma, which nobody said and no delimiter forbids."""
    if options.decimal is not None or written.delimiter == ",":
        return False
    return _has_decimal_commas(head.judged[head.is_named :])


def _said_of_columns(
    head: "_Head", raw: list[str], delimiter: str, options: ReadOptions
) -> Iterator[str]:
    """Says what was guessed of names and of numbers' points."""
    yield from said_of_points(head.names, head.judged[head.is_named :], delimiter, options)
    yield from said_of_empty_columns(raw, head.rows[1:])
    yield from said_of_names(raw)
    yield from said_of_names_again(raw)
    yield from said_of_nameless(raw, head.rows[1:])
    if head.is_named and head.header_rows == 1:
        yield from said_of_weak_names([head.names, *head.judged[1:]])


@dataclass(frozen=True, slots=True)
class _Head:
    """The rows of a text from its names on, and what stands above and below these."""

    rows: list[list[str]]
    """The row of names, or the first one where there are none, then those of values."""
    ends: list[int]
    """Where each row begins in the sample."""
    names: list[str]
    """The first row, fitted to the rows below it."""
    judged: list[list[str]]
    """Those of the rows by which columns are judged: without notes at the foot."""
    is_named: bool
    above: int
    """Rows before the first one of values."""
    header_rows: int
    notices: tuple[str, ...]


def _head(sample: Sample, written: Dialect, rows: list[list[str]], ends: list[int]) -> _Head:
    """Finds the names of columns; refuses more columns than the bounds allow."""
    named_whole = with_groups(rows)
    bounds = sample.bounds
    titles = titles_above(named_whole)
    groups = lines_of_groups(rows, named_whole, titles)
    notices = tuple(said_above(rows[:titles], groups))
    rows, ends = named_whole[titles:], [0, *ends][titles:]
    if len(rows[0]) > bounds.max_columns:
        raise BrokenFile(
            f"The file has {len(rows[0]):,} columns; at most {bounds.max_columns:,} can be read.",
            line=1,
            expected=f"at most {bounds.max_columns:,} columns",
        )
    starts = [sample.text[end : end + 1] for end in ends[: len(rows)]]
    names = fitted_names(rows, quoted=set(starts) == {written.quote})
    if len(names) > len(rows[0]) and names[-1]:
        notices = (*notices, "The rows begin with a cell that has no name (the first column).")
    # Notes at the foot of a short file must not spoil what the columns look like.
    is_short = sample.whole and len(rows) > MOST_FOOT_SHARE * MAX_FOOT_ROWS
    judged = rows[:-MAX_FOOT_ROWS] if is_short else rows
    extra = lines_below_names(names, judged)
    if extra:
        notices, further = (*notices, *extra), len(extra) + 1
        rows, ends = [rows[0], *rows[further:]], [ends[0], *ends[further:]]
        judged = [judged[0], *judged[further:]]
    is_named = bool(extra) or has_header([names, *rows[1:]])
    return _Head(
        rows,
        ends,
        names,
        judged,
        is_named,
        above=titles + is_named + len(extra),
        header_rows=is_named + groups + len(extra),
        notices=notices,
    )


def _as_said(
    sample: Sample,
    written: Dialect,
    rows: list[list[str]],
    ends: list[int],
    start: int,
    options: ReadOptions,
) -> Dialect:
    """Completes a dialect by what the owner of the file says of its first rows."""
    names, above = names_as_said(rows, options)
    comma = written.delimiter != "," and _has_decimal_commas(rows[above:])
    skip = start + ([0, *ends][above])
    return replace(
        written,
        names=tuple(distinct_names(names)),
        above=above,
        header_rows=above - options.skip_rows,
        skip=len(sample.text[: skip - start].encode()) + start,
        decimal=options.decimal or ("," if comma else "."),
    )


def _said_of_one_cell(sample: Sample, dialect: Dialect) -> list[str]:
    """Says which delimiter stands in most lines of a text that is read as one column."""
    for sign in f"{COMMON}: " if dialect.delimiter == NONE else "":
        widths = sample.widths(replace(dialect, delimiter=sign))
        parted = [width for width in widths if width > 1]
        usual, often = Counter(parted).most_common(1)[0] if parted else (0, 0)
        even = sign in COMMON or (usual >= MIN_TITLED_CELLS and often >= NEARLY_ALL * len(widths))
        if even and len(widths) >= LEAST_SHORT and len(parted) >= MIN_AGREEING_SHARE * len(widths):
            named = _SIGN_NAMES.get(sign, repr(sign))
            said = f"Each line is read as one cell, although most lines hold {named}"
            return [f"{said}: name the delimiter if it parts cells."]
    return _said_of_other_parts(sample) if dialect.delimiter == NONE else []


def _said_of_other_parts(sample: Sample) -> list[str]:
    """Says what may part the cells of lines besides the usual delimiters."""
    text = sample.text[:SAMPLE_CHARACTERS].splitlines()
    lines = [line for line in text if line.strip()][:SAMPLE_ROWS]
    if len(lines) < LEAST_SHORT:
        return []
    signs = [sign for sign in dict.fromkeys(lines[0]) if not sign.isalnum() and sign not in WORDY]
    for sign in signs:
        often = lines[0].count(sign)
        enough = often > 1 or sign not in _SIGNS_OF_WORDS
        if enough and sum(line.count(sign) == often for line in lines) >= NEARLY_ALL * len(lines):
            said = f"Each line is read as one cell, although lines hold {sign!r} equally often"
            return [f"{said}: name the delimiter if it parts cells."]
    aligned = sum(_RUN_OF_BLANKS.search(line) is not None for line in lines)
    if aligned >= MIN_AGREEING_SHARE * len(lines):
        said = "Each line is read as one cell, although runs of blanks part most lines"
        return [f"{said}: save the table with a delimiter if they part cells."]
    return []


def _cut_short(names: list[str], rows: list[list[str]]) -> bool:
    """Returns whether lines end with their last cell that is not empty.

    Then none ends with an empty one, and what there is of a short line fits the other lines.
    """
    short = [row for row in rows if len(row) < len(names)]
    enough = len(short) >= LEAST_SHORT and len(short) >= SHORT_SHARE * len(rows)
    if not enough or any(len(row) > len(names) or not row[-1].strip() for row in rows):
        return False
    for place in range(len(names)):
        long = kind_of([row[place] for row in rows if len(row) == len(names)])
        less = kind_of([row[place] for row in short if place < len(row)])
        if (
            long in TYPED
            and less not in {"empty", "missing"}
            and common_type(long, less) == "string"
        ):
            return False
    return True


def _has_decimal_commas(rows: list[list[str]]) -> bool:
    """Returns whether a column is of numbers with decimal commas, and none has decimal points."""
    commas = False
    for place in range(max(map(len, rows), default=0)):
        cells = [row[place].strip() for row in rows if place < len(row)]
        cells = [cell for cell in cells if not says_nothing(cell)]
        if any(map(_DECIMAL_POINT.fullmatch, cells)):
            return False
        numbers = bool(cells) and all(map(_COMMA_NUMBER.fullmatch, cells))
        # Three digits behind a comma may be thousands.
        commas |= numbers and any(len(cell.partition(",")[2]) not in {0, 3} for cell in cells)
    return commas


def _said_of_short_rows(names: list[str], rows: list[list[str]]) -> str:
    least = min(map(len, rows))
    empty = ", ".join(repr(name[:QUOTED_LENGTH]) for name in names[least:][:MOST_NAMED])
    return (
        f"Lines have as few as {least:,} cells for {len(names):,} names: their last ones"
        f" ({empty}) are read as empty."
    )


def _below(sample: Sample, lines: int) -> Sample:
    """Returns a sample without the lines that the owner of the file has skipped, if any is left."""
    kept = "".join(sample.text.splitlines(keepends=True)[lines:]) if lines else ""
    return replace(sample, text=kept) if kept.strip() else sample


def _width(sample: Sample, dialect: Dialect) -> int | None:
    """Returns the number of cells that most rows have."""
    common = Counter(sample.widths(dialect)).most_common(1)
    return common[0][0] if common else None


def _written(sample: Sample, said: str | None, tabbed: bool) -> Dialect:
    """Finds quotes, escapes and the delimiter: the way of writing that explains most rows.

    What is usual comes first, and what is unusual only where it explains more. Text that no
    delimiter parts is never better explained than text that one parts.
    """
    start, quote = sample.text[:SAMPLE_CHARACTERS], _quote(sample.text)
    ways = [Dialect(quote=quote)]
    if '\\"' in start:
        ways.append(Dialect(quote=quote, escape="\\"))
    if "'" in start and quote != "'":
        ways.append(Dialect(quote="'"))
    found = [replace(way, delimiter=said or _delimiter(sample, way, tabbed)) for way in ways]
    if re.search(rf"[{COMMON}] +{quote}", start):
        padded = Dialect(quote=quote, padded=True)
        padded = replace(padded, delimiter=said or _delimiter(sample, padded, tabbed))
        if _is_padded(sample, replace(padded, padded=False)):
            found.insert(0, padded)
    if len(found) > 1:
        found.sort(key=lambda way: (_wears_quotes(sample, way), *_unexplained(sample, way)))
    return replace(found[0], padded=True) if _is_spaced(sample, found[0]) else found[0]


def _unexplained(sample: Sample, dialect: Dialect) -> tuple[bool, float]:
    has_cells, share = sample.explained(dialect)
    return not has_cells, -share


def _is_spaced(sample: Sample, dialect: Dialect) -> bool:
    """Returns whether a blank follows every delimiter."""
    rows, _, _ = sample.rows(dialect)
    behind = [cell for row in rows for cell in row[1:]]
    return len(rows) > 1 and bool(behind) and all(cell.startswith(" ") for cell in behind)


def _wears_quotes(sample: Sample, dialect: Dialect) -> bool:
    """Returns whether most rows have cells, or neighbours, that other quotes stand around."""
    other = "'" if dialect.quote == '"' else '"'
    rows, _, _ = sample.rows(dialect)
    worn = re.compile(rf"(?s){other}.*{other}")

    def wears(row: list[str]) -> bool:
        return any(map(worn.fullmatch, row)) or any(
            one.startswith(other) and one.count(other) == 1 and behind.endswith(other)
            for one, behind in pairwise(row)
        )

    return 2 * sum(map(wears, rows)) > len(rows)


def _is_padded(sample: Sample, dialect: Dialect) -> bool:
    """Returns whether blanks stand between delimiters and quotes in most rows."""
    rows, _, _ = sample.rows(dialect)
    begun = re.compile(rf"[ \t]+{re.escape(dialect.quote)}")
    padded = sum(any(map(begun.match, row)) for row in rows)
    return 2 * padded >= len(rows)


def _quote(text: str) -> str:
    if '"' in text:
        return '"'
    quoted = re.findall(
        r"(?:^|[,;\t|])'[^'\r\n]*'(?=[,;\t|\r\n]|$)", text[:SAMPLE_CHARACTERS], re.MULTILINE
    )
    return "'" if len(quoted) >= max(2, text[:SAMPLE_CHARACTERS].count("\n")) else '"'


def _delimiter(sample: Sample, dialect: Dialect, tabbed: bool) -> str:
    agreeing = (_agreement(sample, replace(dialect, delimiter=one), tabbed) for one in COMMON)
    best = max(filter(None, agreeing), default=None)
    if best and best.is_of_first:
        return best.delimiter
    # Where the first row does not agree, a rare delimiter by which all rows agree explains more.
    rare = [one for one in RARE if not best or one not in WORDY]
    rarely = (one for one in rare if _delimits(sample, replace(dialect, delimiter=one)))
    common = best.delimiter if best else None
    return next(rarely, None) or common or _named_by(sample, dialect) or NONE


class _Agreement(NamedTuple):
    """How well a delimiter parts the rows of a sample; the greatest of several is the best."""

    is_of_first: bool
    """Whether the first row has as many cells as most."""
    share: float
    """Rows that have as many cells as most, of all."""
    is_hinted: bool
    """Whether the file is said to be parted by it."""
    whole: float
    """Less by the share of cells that another delimiter would part."""
    width: int
    delimiter: str


def _agreement(sample: Sample, dialect: Dialect, tabbed: bool) -> _Agreement | None:
    """Judges a delimiter; None where too few rows have the same number of cells, or it is one."""
    rows, _, _ = sample.rows(dialect)
    rows = rows[comments_above(rows) :]
    widths = [len(row) for row in rows]
    width, often = Counter(widths).most_common(1)[0] if widths else (0, 0)
    share, agrees = often / max(len(widths), 1), widths[:1] == [width]
    enough = share >= (MIN_AGREEING_SHARE if agrees else NEARLY_ALL)
    if width <= 1 or not (enough or _is_titled(rows, widths, width)):
        return None
    is_hinted = tabbed and dialect.delimiter == "\t"
    whole = -round(_torn(rows, dialect.delimiter), 1)
    return _Agreement(agrees, round(share, 1), is_hinted, whole, width, dialect.delimiter)


def _is_titled(rows: list[list[str]], widths: list[int], width: int) -> bool:
    """Returns whether the rows that differ stand above all others, or lack only their number."""
    below = list(dropwhile(width.__gt__, widths))
    if width >= MIN_TITLED_CELLS and len(below) > 1 and set(below) == {width}:
        return True
    is_numbered = set(widths[1:]) == {width} and width + 1 == widths[0]
    return is_numbered or titles_of_another_width(rows, width) > 0


def _torn(rows: list[list[str]], delimiter: str) -> float:
    """Returns the share of cells that hold another delimiter, and are no numbers with a comma."""
    others = [one for one in COMMON if one != delimiter]
    cells = [cell for row in rows for cell in row]
    torn = sum(
        any(one in cell for one in others) and not _DECIMAL_COMMA.fullmatch(cell) for cell in cells
    )
    return torn / max(len(cells), 1)


def _named_by(sample: Sample, dialect: Dialect) -> str | None:
    """Returns the delimiter that parts the first line into names, although the rows are uneven.

    A blank follows the commas of sentences. Which row breaks is told when all of them are read.
    """
    for candidate in COMMON:
        rows, _, _ = sample.rows(replace(dialect, delimiter=candidate))
        if len(rows) < 2 or len(rows[0]) < 2:  # noqa: PLR2004 - several
            continue
        cells = [cell for row in rows for cell in row[1:]]
        parted = sum(len(row) > 1 for row in rows) >= MIN_AGREEING_SHARE * len(rows)
        spoken = sum(cell.startswith(" ") for cell in cells)
        names = [cell.strip().casefold() for cell in rows[0]]
        named = all(names) and len(set(names)) == len(names)
        if parted and named and 2 * spoken < len(cells):
            return candidate
    return None


def _delimits(sample: Sample, dialect: Dialect) -> bool:
    """Returns whether a rare delimiter is one: all rows agree, and words are not torn."""
    rows, _, repairs = sample.rows(dialect)
    if len(rows) < 2 or len(rows[0]) < 2 or len(set(map(len, rows))) > 1 or repairs:  # noqa: PLR2004 - several
        return False
    return dialect.delimiter not in WORDY or has_names(rows)
