"""Column names that every later tool can take: present, printable, distinct in any spelling.

SQL, model schemas and JSON all call columns by name; two that differ in case alone would be one to
some of them.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from modelwright.engines.ingest.quoted_length import MOST_NAMED, QUOTED_LENGTH
from modelwright.engines.sentences import first_of
from modelwright_runtime.record_fields import WIDTHLESS

MAX_NAME_CHARACTERS = 255
"""Characters of a column's name, as many as most databases take at the most."""
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def distinct_names(raw: Sequence[str]) -> list[str]:
    """Cleans names and tells equal ones apart by number, first come first named.

    Names are told apart without regard to case, because SQL does so too. An empty name becomes
    `column_3`, after its place; a second `price` becomes `price_2`.

    Args:
        raw: Names as the file has them.

    Returns:
        As many names.
    """
    wished = [_clean(name) or f"column_{place}" for place, name in enumerate(raw, 1)]
    reserved = {name.casefold() for name in wished}
    taken: set[str] = set()
    numbers: dict[str, int] = {}
    return [_told_apart(name, taken, reserved, numbers) for name in wished]


def said_of_names(raw: Sequence[str]) -> list[str]:
    """Says which columns have a name of their own because others have theirs.

    Args:
        raw: Names as the file has them.

    Returns:
        One sentence, or none.
    """
    pairs = zip(map(_clean, raw), distinct_names(raw), strict=True)
    apart = [f"{name!r:.{QUOTED_LENGTH}}" for clean, name in pairs if clean and clean != name]
    if not apart:
        return []
    named = first_of(apart, MOST_NAMED)
    return [f"Columns of the same name are told apart by numbers: {named}."]


def said_of_nameless(raw: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Says which column beside named ones has values alone, as remarks beside a table have.

    The columns before all that have a name may hold the names of rows, in one or more levels.

    Args:
        raw: Names as the file has them.
        rows: The first rows below them.

    Returns:
        One sentence, or none.
    """
    clean = [_clean(name) for name in raw]
    first = next((place for place, name in enumerate(clean) if name), len(clean))
    blank = {place for place, name in enumerate(clean) if place > first and not name}
    filled = {place for row in rows for place in blank if place < len(row) and row[place].strip()}
    if not filled:
        return []
    names = distinct_names(raw)
    held = [names[place] for place in sorted(filled)]
    named = first_of(held, MOST_NAMED)
    return [
        (
            f"There are values in a column that has no name ({named}): they may be remarks,"
            " or another table beside this one."
        )
    ]


def _clean(name: str) -> str:
    plain = unicodedata.normalize("NFC", name).strip(WIDTHLESS)
    return _UNPRINTABLE.sub(" ", plain).strip()[:MAX_NAME_CHARACTERS].strip()


def _told_apart(name: str, taken: set[str], reserved: set[str], numbers: dict[str, int]) -> str:
    """Returns a name that is not taken, with the next number that its equals have not tried."""
    found, number = name, numbers.get(name, 2)
    while found.casefold() in taken or (found != name and found.casefold() in reserved):
        found, number = f"{name[: MAX_NAME_CHARACTERS - 8]}_{number}", number + 1
    numbers[name] = number
    taken.add(found.casefold())
    return found
