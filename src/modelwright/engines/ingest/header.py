"""Which row of a table names its columns, and whether one does."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import pyarrow as pa

from modelwright.engines.ingest.kinds import Kind, common_type
from modelwright.engines.ingest.quoted_length import QUOTED_LENGTH
from modelwright.engines.ingest.read_options import ReadOptions
from modelwright.engines.ingest.table import BrokenFile
from modelwright.engines.ingest.texts import Texts
from modelwright_runtime.missing_values import says_nothing
from modelwright_runtime.record_fields import WIDTHLESS

AROUND = f"{WIDTHLESS} \t\"'"
"""Characters that stand around names in files that were joined."""
SAMPLE_COLUMNS = 500
"""So many columns are enough to tell a header."""
KEY_VALUE_CELLS = 2
"""Cells of a row that has as many as a name and a value."""
MIN_TITLED_CELLS = 3
"""Rows of so many cells may have titles above them."""
MIN_NUMBERED_ROWS = 3
"""So many rows tell that their first cells count them."""
MOST_BELOW_NAMES = 2
"""So many lines below the names describe them at most."""
LEAST_BELOW = 3
"""So many rows below a line tell that it is none of them."""
LEAST_LEVELS = 2
"""A single line of names may stand above a heading."""
MOST_LEVELS = 3
"""Names of columns have so many levels at the most."""
MAX_GROUP_HEADER_ROWS = 10
"""Groups of names stand in one of so many first rows."""
_YEAR = re.compile(r"(18|19|20)\d\d")
MOST_TITLES = 20
"""Titles fill so many lines at the most."""
_LOCAL_DATE = re.compile(
    r"\s*(\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d\d)|\d{4}[./]\d{1,2}[./]\d{1,2}\.?)"
    r"([ T]\d{1,2}:\d\d(:\d\d)?( ?[AaPp][Mm])?)?\s*"
)
_CLOCK = re.compile(r"\s*\d{1,2}:\d\d(:\d\d(\.\d+)?)?( ?[AaPp]\.?[Mm]\.?)?\s*")
_COUNTER = re.compile(r"(?i)#|id|nr\.?|no\.?|num(ber)?|n|row|index|pos\.?|lfd\.? ?nr\.?")
"""Names of columns that number their rows."""
_DASHES = re.compile(r"\s*[:+]?[-=_+]{2,}[:+]?\s*")
_CURRENCY = "[$\u00a2-\u00a5\u20a0-\u20cf]"
_AMOUNT = re.compile(
    rf"\s*[-+(]?\s*{_CURRENCY}?\s*[-+]?"
    r"(0|[1-9]\d{0,14}|[1-9]\d{0,2}([., '\u00a0\u202f]\d{3})+)([.,]\d+)?"
    rf"\s*({_CURRENCY}|%)?\)?\s*"
)
_MARKS = re.compile(r"[^\w]*")
"""Signs without any letter or digit, which stand where a value is withheld."""
_UNIT_SIGN = re.compile(r"\s*([\[(][^\d\[\]()]{0,12}[\])]|[%‰°€$£¥Ω])\s*")
"""A unit that is a sign, or stands in brackets."""
TYPED = ("integer", "float", "boolean", "date", "datetime", "instant")
_Beside = Literal["blank", "contrast", "unlike", "alike"]
"""How a cell that may describe a column differs from the values of the column."""


def names_as_said(rows: list[list[str]], options: ReadOptions) -> tuple[list[str], int]:
    """Returns the names of columns by the rows that the owner of a file counted.

    Several rows make one name. Gives the number of rows above the data too.

    Args:
        rows: The first rows of the table, each a list of cells.
        options: What the owner of the file says of it.

    Returns:
        Names, and how many rows stand above the data.

    Raises:
        BrokenFile: There are fewer rows than were counted.
    """
    number = 1 if options.header_rows is None else options.header_rows
    above = options.skip_rows + number
    if len(rows) < above:
        raise BrokenFile(
            f"header_rows, skip_rows: the table begins with {len(rows):,} rows, fewer than the"
            f" {above:,} that stand above the data.",
            expected="fewer rows",
        )
    width = len(rows[above]) if len(rows) > above else len(rows[-1])
    parts = [row + [""] * (width - len(row)) for row in rows[options.skip_rows : above]]
    names = [
        " ".join(dict.fromkeys(filter(None, map(str.strip, told))))
        for told in zip(*(part[:width] for part in parts), strict=True)
    ]
    return names or [""] * width, above


def has_header(rows: list[list[str]]) -> bool:
    """Tells names from data: names differ in kind from what stands below them.

    Where nothing differs, a first row that would be a good row of data is one, unless its numbers
    count up one by one beside some text, or are years, as in a cross table.

    Args:
        rows: The first rows of the table, each a list of cells.

    Returns:
        Whether the first row names the columns.
    """
    judged = _judged(rows)
    if any(map(_contrast, judged)):
        return True
    first = [kind for kind, _ in judged]
    if len(rows) == 1:
        return _may_name(rows[0], first)
    typed = [(kind, rest) for kind, rest in judged if rest in TYPED]
    sure = [(kind, rest) for kind, rest in typed if kind != "missing"]
    if not typed and _recurs(rows):
        return False
    if not sure or any(
        kind not in TYPED or common_type(kind, rest) == "string" for kind, rest in sure
    ):
        return True
    if _are_only_years(rows):
        return True
    worded = "string" in first or judged[0] == ("empty", "string")
    return worded and (_counts_up(rows[0], first) or _are_years(rows, judged))


def _may_name(row: list[str], kinds: list[Kind]) -> bool:
    """Returns whether the only row of a file may name columns: it has words, or years beside them.

    Other numbers, dates and truths are data.
    """
    typed = [cell.strip() for cell, kind in zip(row, kinds, strict=False) if kind in TYPED]
    return len(typed) < len(kinds) and all(map(_YEAR.fullmatch, typed))


def _recurs(rows: list[list[str]]) -> bool:
    """Returns whether most cells of the first row stand below it, each in another row, too."""
    first, *below = ([cell.strip(AROUND) for cell in row] for row in rows)
    below = [row for row in below if row != first]  # names may come again, but not their words
    if len(below) < LEAST_BELOW:
        return False
    often = [
        sum(place < len(row) and row[place] == cell for row in below)
        for place, cell in enumerate(first)
    ]
    if len(first) == KEY_VALUE_CELLS:
        return min(often) > 1
    again = sum(map(bool, often))
    return again >= MIN_TITLED_CELLS and 2 * again > len(first)


def _are_only_years(rows: list[list[str]]) -> bool:
    """Tells whether the first row has years that follow each other, and no other row has years."""
    first = [cell.strip() for cell in rows[0]]
    if (
        len(first) < MIN_TITLED_CELLS
        or not all(map(_YEAR.fullmatch, first))
        or len(rows) <= LEAST_BELOW
    ):
        return False
    follow = {int(after) - int(before) for before, after in pairwise(first)} == {1}
    return follow and not any(
        all(_YEAR.fullmatch(cell.strip()) for cell in row) for row in rows[1:]
    )


def is_dashes(row: list[str]) -> bool:
    """Returns whether a row only draws a line under the names.

    Args:
        row: Cells.

    Returns:
        Whether it does.
    """
    return bool(row) and all(map(_DASHES.fullmatch, row))


def describes(names: list[str], row: list[str], below: list[list[str]]) -> bool:
    """Returns whether a row says more of the columns: a unit, a longer name.

    It has words where numbers or dates stand below it, and in the other columns nothing or what
    looks different from all that stands below it. A row of data that lacks a number does not. What
    looks like the words below it does where words stand above several columns of numbers.

    Args:
        names: The names of the columns.
        row: The row below them.
        below: The rows below that.

    Returns:
        Whether the row describes the columns.
    """
    if len(row) != len(names) or len(below) < LEAST_BELOW:
        return False
    seen: Counter[_Beside | None] = Counter()
    for place, cell in enumerate(row[:SAMPLE_COLUMNS]):
        values = [one[place] for one in below if place < len(one) and one[place].strip()]
        seen[_beside(cell, values)] += 1
    contrasts, others = seen["contrast"], seen["unlike"] + seen["blank"]
    if seen[None]:
        return False
    if seen["alike"]:
        return contrasts > 1 and not seen["blank"]
    return contrasts > 1 or (contrasts == 1 and others == len(row) - 1)


def _beside(cell: str, values: list[str]) -> _Beside | None:
    """Compares a cell that may describe a column with the values below it.

    Args:
        cell: What may describe the column.
        values: What stands below it, without blanks.

    Returns:
        A contrast: words or a unit above numbers or dates; unlike: a text of another pattern;
        alike: a word above words. None where the cell looks like one of the values.
    """
    if not cell.strip():
        return "blank"
    if kind_of(_told(values)) in TYPED:
        worded = kind_of([cell]) == "string" and _has_letter(cell)
        return "contrast" if worded or _UNIT_SIGN.fullmatch(cell) else None
    if cell in values:
        return None
    if _shape(cell) not in set(map(_shape, values)):
        return "unlike"
    return "alike" if _shape(cell) == "a" else None


def lines_below_names(names: list[str], rows: list[list[str]]) -> list[str]:
    """Says what the lines below the names are, where they are none of the data.

    Args:
        names: The names of the columns.
        rows: The first rows, of which the first has the names.

    Returns:
        A sentence for each such line.
    """
    for number in range(MOST_BELOW_NAMES, 0, -1):
        told = [_said_of_line(names, row, rows[1 + number :]) for row in rows[1 : 1 + number]]
        if len(told) == number and all(told):
            return [one for one in told if one]
    return []


def _said_of_line(names: list[str], row: list[str], below: list[list[str]]) -> str | None:
    if is_dashes(row):
        return "The line below the names of the columns is drawn with dashes and is left out."
    if describes(names, row, below):
        told = ", ".join(repr(cell.strip()[:QUOTED_LENGTH]) for cell in row if cell.strip())
        return f"The line below the names of the columns describes them ({told}) and is left out."
    return None


def _told(cells: Sequence[str]) -> list[str]:
    """Leaves out signs that stand where a value is withheld, such as `*****`."""
    return [cell for cell in cells if not _MARKS.fullmatch(cell)]


def _has_letter(cell: str) -> bool:
    return any(map(str.isalpha, cell))


def _shape(cell: str) -> str:
    """Returns the pattern of a text: what is letters, what digits, what signs."""
    return re.sub(r"\d+", "9", re.sub(r"[^\W\d_]+", "a", cell.strip()))


def titles_above(rows: list[list[str]]) -> int:
    """Counts the rows above the names of the columns, such as a title and who wrote it when.

    They have fewer cells than the rows below, or fill at most half as many as the fullest row;
    names are all text and all differ. Where titles fill several cells, what stands below must
    tell that names are names.

    Args:
        rows: The first rows of the table, each a list of cells.

    Returns:
        How many.
    """
    if comments := comments_above(rows):
        return comments + titles_above(rows[comments:])
    filled = [sum(bool(cell.strip()) for cell in row) for row in rows]
    most = max(filled)
    width = Counter(map(len, rows)).most_common(1)[0][0]
    full = (2 * n > most and len(row) >= width for n, row in zip(filled, rows, strict=True))
    at = next((place for place, is_full in enumerate(full) if is_full), 0)
    at += _groups(rows[at:], most)
    if at == 0 or most < MIN_TITLED_CELLS:
        return titles_of_another_width(rows, width) or _single_cells_above(rows, filled)
    return at if _are_names_below(rows, at, is_titled=max(filled[:at]) <= 1) else 0


def _are_names_below(rows: list[list[str]], at: int, *, is_titled: bool) -> bool:
    """Returns whether a row holds names: years that rise, or texts that all differ.

    Args:
        rows: The first rows of the table.
        at: The row that may hold the names.
        is_titled: Whether the rows above have a cell at the most, so that names need no proof.

    Returns:
        Whether it does.
    """
    names = [cell.strip().casefold() for cell in rows[at] if cell.strip()]
    if len(set(names)) < len(names):
        return False
    if _years_rise(rows[at]):
        return True
    if not all(kind_of([name]) == "string" for name in names[:SAMPLE_COLUMNS]):
        return False
    below = _with_and_without_units(rows[at + 1 :])
    return is_titled or any(has_names([rows[at], *rest]) for rest in below)


def _single_cells_above(rows: list[list[str]], filled: list[int]) -> int:
    """Counts first rows with one cell above names of several, as titles are in narrow sheets."""
    at = next((place for place, number in enumerate(filled) if number > 1), 0)
    below = rows[at:]
    if not 0 < at <= MOST_TITLES or filled[at] < max(filled) or len(below) <= LEAST_BELOW:
        return 0
    named = any(has_names([below[0], *rest]) for rest in _with_and_without_units(below[1:]))
    return at if named and all(row[0].strip() for row in rows[:at]) else 0


def comments_above(rows: list[list[str]]) -> int:
    """Counts the first rows that begin with `#`, where the row below them names the columns.

    Args:
        rows: The first rows of the table, each a list of cells.

    Returns:
        How many.
    """
    at = next((place for place, row in enumerate(rows) if not "".join(row[:1]).startswith("#")), 0)
    return at if at and has_names(rows[at:]) else 0


def titles_of_another_width(rows: list[list[str]], width: int) -> int:
    """Counts first rows that have another number of cells than all others, which have names.

    A sentence has cells where it has commas.

    Args:
        rows: The first rows of the table, each a list of cells.
        width: The number of cells that most rows have.

    Returns:
        How many.
    """
    at = next((place for place, row in enumerate(rows) if len(row) == width), 0)
    below = rows[at:]
    if not 0 < at <= MOST_TITLES or width < KEY_VALUE_CELLS or len(below) < LEAST_BELOW:
        return 0
    if fitted_names([*rows[at - 1 : at], *below]) != rows[at - 1]:
        return 0
    if not all(len(row) == width for row in below):
        return 0
    if all(len(row) > width for row in rows[:at]) and _are_sure_names(below):
        return at
    spoken = any(len(row) == 1 or " " in "".join(row).strip() for row in rows[:at])
    return at if spoken and has_names(below) else 0


def _are_sure_names(rows: list[list[str]]) -> bool:
    """Returns whether the first row has words alone, over numbers or dates but for a line or two.

    So are the names below a line in which a logger or a program of accounts says what it wrote.
    """
    names = [cell.strip() for cell in rows[0]]
    if not _differ(names) or any(kind_of([name]) != "string" for name in names):
        return False
    ends = range(1, min(MOST_BELOW_NAMES + 2, len(rows) - 1))
    return any(_differs([rows[0], *rows[at:]]) for at in ends)


def _years_rise(row: list[str]) -> bool:
    """Returns whether the cells of a row, words apart, are rising years."""
    numbers = [cell.strip() for cell in row if cell.strip() and not _has_letter(cell)]
    years = all(map(_YEAR.fullmatch, numbers)) and numbers == sorted(set(numbers))
    apart = {int(after) - int(before) for before, after in pairwise(numbers)} if years else set()
    enough = len(numbers) >= MIN_TITLED_CELLS or (len(numbers) == KEY_VALUE_CELLS and apart == {1})
    return years and enough and any(map(_has_letter, row))


def with_groups(rows: list[list[str]]) -> list[list[str]]:
    """Completes names that repeat, or are blank, by those of groups in the row above them.

    Args:
        rows: The first rows of the table, each a list of cells.

    Returns:
        The rows, the names completed.
    """
    if levels := _with_index_name(rows):
        return levels
    for at, (groups, names) in enumerate(pairwise(rows[:MAX_GROUP_HEADER_ROWS])):
        told = _under_groups(groups, names)
        below = rows[at + 2 :]
        titled = all(sum(map(bool, map(str.strip, row))) <= 1 for row in rows[:at])
        if told and (
            (titled and _repeat_under(groups, names))
            or any(
                _differs([names, *rest]) or _lacks_a_key(groups, names, rest)
                for rest in _with_and_without_units(below)
            )
        ):
            return [*rows[: at + 1], told, *rows[at + 2 :]]
    return rows


def lines_of_groups(rows: Sequence[list[str]], whole: Sequence[list[str]], above: int) -> int:
    """Counts the rows above the names that were made part of them by `with_groups`.

    Args:
        rows: The first rows of the table.
        whole: The same, the names completed.
        above: How many rows stand above the names.

    Returns:
        How many of these are part of the names.
    """
    if whole is rows or not above:
        return 0
    return max(sum(one != other for one, other in zip(rows[:above], whole, strict=False)), 1)


def _with_index_name(rows: list[list[str]]) -> list[list[str]] | None:
    """Completes the names of columns by the levels above them, below which an index is named.

    So pandas writes columns of several levels: the name of the index stands alone in a row, as no
    other cell does below. Rows whose names went into those of the columns are made blank.
    """
    filled = [[place for place, cell in enumerate(row) if cell.strip()] for row in rows]
    at = next((place for place, has in enumerate(filled) if has == [0]), 0)
    width, below = len(rows[at]), rows[at + 1 :]
    if not _has_levels(rows, filled, at):
        return None
    parts = list(zip(*rows[:at], strict=True))[1:]
    names = [rows[at][0].strip(), *(" ".join(map(str.strip, part)) for part in parts)]
    if not _differ(names) or not _are_typed(below, range(1, width)):
        return None
    return [*([""] * width for _ in range(at)), names, *below]


def _has_levels(rows: list[list[str]], filled: list[list[int]], at: int) -> bool:
    """Returns whether levels of names stand above a row, each full but for the index.

    Args:
        rows: The first rows of the table.
        filled: Which cells of each row are not blank.
        at: The row that names the index.

    Returns:
        Whether they do, and no row below is of its first cell alone.
    """
    width, below = len(rows[at]), filled[at + 1 :]
    if width < MIN_TITLED_CELLS or len(below) < LEAST_BELOW or [0] in below:
        return False
    levels = zip(rows[:at], filled, strict=False)
    whole = all(len(row) == width and set(has) >= {*range(1, width)} for row, has in levels)
    return whole and LEAST_LEVELS <= at <= MOST_LEVELS


def _are_typed(rows: list[list[str]], places: range) -> bool:
    """Returns whether columns hold numbers, dates or truths; some may be empty, not all."""
    columns = [[row[place] or None for row in rows if place < len(row)] for place in places]
    told = [kind for kind in map(kind_of, columns) if kind != "empty"]
    return bool(told) and all(kind in TYPED for kind in told)


def _repeat_under(groups: Sequence[str], names: Sequence[str]) -> bool:
    """Returns whether the same several names stand under each group, be they words or years."""
    starts = [at for at, group in enumerate(groups) if group.strip()]
    if len(starts) < KEY_VALUE_CELLS or not _differ([groups[at].strip() for at in starts]):
        return False
    ends = [*starts[1:], len(names)]
    parts = [[one.strip() for one in names[at:end]] for at, end in zip(starts, ends, strict=True)]
    several = [part for part in parts if len(part) > 1]
    alike = all(part == several[0] for part in several)
    return len(several) > 1 and alike and _differ(several[0])


def fitted_names(rows: list[list[str]], *, quoted: bool = False) -> list[str]:
    """Returns the first row as many cells as all others have, where it is plain why they differ.

    Either ends its lines with a delimiter, or the others begin with their numbers, as rows do that
    R or pandas wrote; any other first row is given back as it is. `quoted` says that quotes stand
    around the first cells of all rows.

    Args:
        rows: The first rows of the table, each a list of cells.
        quoted: Whether quotes stand around the first cells of all rows.

    Returns:
        The first row.
    """
    first, below = rows[0], rows[1:]
    missing = {len(row) - len(first) for row in below}
    if missing == {1} and not any(row[-1].strip() for row in below):
        return [*first, ""]
    numbers = [str(number) for number in range(len(rows))]
    counted = [row[0] for row in below] in (numbers[1:], numbers[:-1])
    if missing != {1} or len(below) < MIN_NUMBERED_ROWS:
        return first[:-1] if missing == {-1} and not first[-1].strip() else first
    if any(map(_is_torn, below)) or (not counted and _is_spoken(below)):
        return first
    counted = counted and not _counts_itself(first, below)
    if counted or _row_names(first, below, quoted):
        return ["", *first]
    return first


def _counts_itself(first: list[str], below: list[list[str]]) -> bool:
    """Returns whether the first name is that of the numbers that rows begin with, as `id` is.

    Then a delimiter has torn another cell, such as a number with a decimal comma: its decimals are
    equally many everywhere.
    """
    if _COUNTER.fullmatch(first[0].strip(AROUND)) is None:
        return False
    columns = list(zip(*below, strict=True))[1:]
    return any(
        all(map(_is_whole, whole))
        and all(map(str.isdigit, decimals))
        and {*map(len, decimals)} in ({1}, {2})
        for whole, decimals in pairwise(columns)
    )


def _is_whole(cell: str) -> bool:
    return cell.strip().lstrip("-").isdigit()


def _is_torn(row: list[str]) -> bool:
    """Returns whether a delimiter stands inside of printed quotes or brackets, which part no cells.

    A bracket that one cell opens is closed by another one then.
    """
    quoted = any(
        cell.strip().startswith(opening) and closing not in cell
        for cell in row
        for opening, closing in ("“”", "„“", "«»")
    )
    return quoted or any(
        cell.count(opening) > cell.count(closing)
        and any(one.count(closing) > one.count(opening) for one in row[at + 1 :])
        for at, cell in enumerate(row)
        for opening, closing in ("{}", "[]", "()")
    )


def _is_spoken(below: list[list[str]]) -> bool:
    """Returns whether in one column alone a blank stands before all cells, as behind a comma."""
    spoken = [
        place
        for place in range(1, len(below[0]))
        if any(row[place].startswith(" ") for row in below)
    ]
    return len(spoken) == 1 and all(
        row[spoken[0]].startswith(" ") and row[spoken[0]].strip()[:1].isalpha() for row in below
    )


def _row_names(first: list[str], below: list[list[str]], quoted: bool) -> bool:
    """Returns whether rows begin with names of their own, which all differ, as those that R writes.

    A decimal comma may have torn numbers in two instead: two columns of digits are neighbours
    then, and no quotes stand around the words.
    """
    names = [row[0].strip() for row in below]
    told = all(names) and len(set(names)) == len(names) and kind_of(names) == "string"
    if not told or not has_names([["", *first], *below]):
        return False
    digits = [
        all(row[place].strip().lstrip("-").isdigit() for row in below)
        for place in range(len(below[0]))
    ]
    return quoted or not any(map(all, pairwise(digits)))


def _under_groups(groups: list[str], names: list[str]) -> list[str] | None:
    """Returns names with their groups where they need them and then all differ."""
    groups, names = ([cell.strip() for cell in row] for row in (groups, names))
    if not _need_groups(groups, names):
        return None
    prefixed = [
        " ".join(dict.fromkeys((group, name))).strip()
        for group, name in zip(_carried_on(groups), names, strict=True)
    ]
    filled = [name or group for group, name in zip(groups, names, strict=True)]
    # Questions of surveys are long, and their answers differ; other groups belong to the name.
    asked = any("?" in group for group in groups)
    for way in (filled, prefixed) if asked or all(names) else (prefixed, filled):
        if _differ([name for name, known in zip(way, prefixed, strict=True) if known]):
            return way
    return None


def _need_groups(groups: list[str], names: list[str]) -> bool:
    """Returns whether names do not all differ, and a row above groups them."""
    if len(groups) != len(names) or not _spans(groups) or sum(map(bool, groups)) == 1:
        return False
    known = [name for name in names if name]
    if not known or _differ(names):
        return False
    worded = all(kind_of([name]) == "string" for name in known[:SAMPLE_COLUMNS])
    return worded or _repeat_under(groups, names)


def _spans(groups: list[str]) -> bool:
    """Returns whether a blank stands behind a name, which then is that of several columns."""
    return any(group and not behind for group, behind in pairwise(groups))


def _carried_on(groups: list[str]) -> list[str]:
    """Returns the group of each column: a blank is of the group before it."""
    held: list[str] = []
    for group in groups:
        held.append(group or (held[-1] if held else ""))
    return held


def _differ(names: list[str]) -> bool:
    return all(names) and len({name.casefold() for name in names}) == len(names)


def _groups(rows: list[list[str]], most: int) -> bool:
    """Returns whether a row names groups of the columns that the next one names.

    A group has blanks behind its name. A row of data may have words in place of one number.
    """
    first, names = ([cell.strip() for cell in row] for row in [*rows, [], []][:2])
    whole = len(first) == len(names) and sum(map(bool, names)) == most
    return (
        _spans(first)
        and whole
        and (
            _repeat_under(first, names)
            or any(
                _differs([names, *rest]) or _lacks_a_key(first, names, rest)
                for rest in _with_and_without_units(rows[2:])
            )
        )
    )


def _with_and_without_units(below: list[list[str]]) -> list[list[list[str]]]:
    """Returns the rows below names, and those rows without the first, which may be of units."""
    return [below, below[1:]] if len(below) > LEAST_BELOW else [below]


def _differs(rows: list[list[str]]) -> bool:
    """Returns whether several cells of the first row differ in kind from what stands below them."""
    return sum(map(_contrast, _judged(rows))) > 1


def _lacks_a_key(groups: list[str], names: list[str], below: list[list[str]]) -> bool:
    """Tells whether names say nothing of their own over a number, date or truth that no row lacks.

    So do the second lines of surveys: they name answers, and the number of a row has none.
    """
    if 2 * sum(map(bool, names)) <= len(names) and not _only_parts(groups, names):
        return False
    return any(
        group
        and name in {"", group}
        and kind_of([row[place] for row in below]) in TYPED
        and all(row[place].strip() for row in below)
        for place, (group, name) in enumerate(zip(groups, names, strict=True))
        if all(place < len(row) for row in below)
    )


def _only_parts(groups: list[str], names: list[str]) -> bool:
    """Returns whether names stand only under groups of several columns, and leave no gap there."""
    spans = [at for at, group in enumerate(groups[:-1]) if group and not groups[at + 1]]
    under = {at for at, group in enumerate(groups) if not group} | set(spans)
    return bool(under) and {at for at, name in enumerate(names) if name} == under


def has_names(rows: list[list[str]]) -> bool:
    """Returns whether the first row differs in kind from what stands below it.

    Args:
        rows: The first rows of the table, each a list of cells.

    Returns:
        Whether it does.
    """
    return any(map(_contrast, _judged(rows)))


def kind_of(cells: Sequence[str | None]) -> Kind:
    """Tells the kind of values that some cells hold, numbers and dates of any country included.

    Args:
        cells: Texts, None where there is none.

    Returns:
        The kind.
    """
    kind = Texts(pa.array(cells, pa.string())).kind()
    if kind != "string":
        return kind if kind != "code" else "string"
    texts = [cell for cell in cells if cell and not says_nothing(cell)]
    if all(map(_LOCAL_DATE.fullmatch, texts)) or all(map(_CLOCK.fullmatch, texts)):
        return "date"
    return "float" if any(map(str.isdigit, "".join(texts[:1]))) and _amounts(texts) else "string"


def _amounts(texts: Sequence[str]) -> bool:
    """Returns whether texts are numbers with a decimal comma, thousands or a currency."""
    return all(_AMOUNT.fullmatch(text) for text in texts)


def _judged(rows: list[list[str]]) -> list[tuple[Kind, Kind]]:
    """Returns for each column the kind of its first cell and of the cells below it."""
    judged = []
    for place, cell in enumerate(rows[0][:SAMPLE_COLUMNS]):
        below = [row[place] or None for row in rows[1:] if place < len(row)]
        judged.append((kind_of([cell or None]), kind_of(below)))
    return judged


def _contrast(judged: tuple[Kind, Kind]) -> bool:
    first, rest = judged
    return rest in TYPED and first == "string"


def _counts_up(row: list[str], kinds: list[Kind]) -> bool:
    numbers = [int(cell) for cell, kind in zip(row, kinds, strict=False) if kind == "integer"]
    steps = {after - before for before, after in pairwise(numbers)}
    return steps == {1}


def _are_years(rows: list[list[str]], judged: list[tuple[Kind, Kind]]) -> bool:
    """Tells whether the numbers of the first row are rising years, and those below them are not."""
    typed = [place for place, (kind, _) in enumerate(judged) if kind in TYPED]
    years = [rows[0][place].strip() for place in typed]
    if not all(map(_YEAR.fullmatch, years)) or years != sorted(set(years)):
        return False
    if len(typed) == 1:
        return judged[typed[0]][1] == "float"
    return not any(
        all(_YEAR.fullmatch(row[place].strip()) for row in rows[1:] if place < len(row))
        for place in typed
    )
