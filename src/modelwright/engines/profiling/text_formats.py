"""How the values of a text column are written: as numbers, dates, placeholders or words."""

import re
from dataclasses import dataclass

from modelwright.engines.profiling.column_statistics import ColumnStats, share_of_values
from modelwright.engines.profiling.source import Source

PLACEHOLDERS = (
    "?", "-", "--", "n/a", "na", "#n/a", "nan", "null", "(null)", "<null>", "nil", "\\n", ".",
    "missing", "undefined", "unknown", "not available", "tbd", "#ref!", "#value!", "#div/0!", "xxx",
)  # fmt: skip
"""Values that usually stand for none; `none` is not one of them, it often is an answer."""

NUMBER = "number"
DECIMAL = "number with decimals"
WRITTEN = "number with signs"
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
DATES = {
    "2024-01-31": r"\d{4}-\d{1,2}-\d{1,2}([T ]\d.*)?",
    "2024/01/31": r"\d{4}/\d{1,2}/\d{1,2}( \d.*)?",
    "31/01/2024": r"\d{1,2}/\d{1,2}/(\d{4}|\d{2})( \d.*)?",
    "31.01.2024": r"\d{1,2}\.\d{1,2}\.(\d{4}|\d{2})( \d.*)?",
    "31-01-2024": r"\d{1,2}-\d{1,2}-\d{4}( \d.*)?",
    "20240131": r"(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])",
    "31 Jan 2024": r"\d{1,2}(st|nd|rd|th)?[ -][A-Za-z]{3,9}\.?,?[ -]\d{2,4}",
    "Jan 31, 2024": r"[A-Za-z]{3,9}\.? \d{1,2}(st|nd|rd|th)?,? \d{4}",
    "Jan 2024": rf"(?i:{_MONTHS})[a-z]{{0,6}}\.?[ -]\d{{4}}",
}
CLOCK = "8:30"
_PATTERNS = {
    **DATES,
    CLOCK: r"\d{1,3}:[0-5]\d(:[0-5]\d(\.\d+)?)?( ?[AaPp][Mm])?",
    NUMBER: r"[-+]?\d+",
    DECIMAL: r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?",
    WRITTEN: r"[-+]?[$€£¥]? ?[-+]?\d{1,3}([,.' ]\d{3})*([.,]\d+)? ?[%€$£¥]?",
}
_AS_SQL = {name: pattern.replace("'", "''") for name, pattern in _PATTERNS.items()}
_ANY = "|".join(f"({pattern})" for pattern in _AS_SQL.values())
_STANDING_FOR_NONE = ", ".join(f"'{one}'" for one in PLACEHOLDERS)
_WORDS = "words"
_PLACEHOLDER = "placeholder"


@dataclass(frozen=True, slots=True)
class TextFormat:
    """One way of writing: how many values are written so, and one of them."""

    name: str
    values: int
    example: str


@dataclass(frozen=True, slots=True)
class TextFormats:
    """The ways of writing of one column, most frequent first; placeholders apart."""

    found: tuple[TextFormat, ...]
    placeholders: tuple[tuple[str, int], ...]
    variants: tuple[tuple[str, ...], ...]
    """Values that differ only in case or in spaces."""
    words: float
    """Words a value has on average."""

    @property
    def values(self) -> int:
        """How many values are no placeholder."""
        return sum(shape.values for shape in self.found)

    def share(self, name: str) -> float:
        """Tells which part of the values is written in one way.

        Args:
            name: A way of writing, such as `NUMBER`.

        Returns:
            0 to 1.
        """
        return sum(shape.values for shape in self.found if shape.name == name) / (self.values or 1)


def text_formats(source: Source, column: ColumnStats) -> TextFormats:
    """Sorts the values of the text column counted last, of which `f` is still there.

    Args:
        source: The table.
        column: The text column.

    Returns:
        How many values are written in which way.
    """
    cases = " ".join(
        f"when regexp_full_match(w, '{pattern}') then '{name}'" for name, pattern in _AS_SQL.items()
    )
    rows = source.all(
        f"select case when regexp_full_match(w, '{_ANY}') then case {cases} end"  # noqa: S608 - constants
        f" when lower(w) in ({_STANDING_FOR_NONE}) then '{_PLACEHOLDER}' else '{_WORDS}' end"
        " as shape, sum(n)::bigint, min(v), sum(n * len(string_split_regex(w, '\\s+')))::bigint"
        " from (select v, n, trim(v) as w from f"
        f" where {share_of_values(column.distinct)}) group by 1 order by 2 desc, 1"
    )
    return TextFormats(
        found=tuple(TextFormat(*row[:3]) for row in rows if row[0] != _PLACEHOLDER),
        placeholders=tuple(
            (str(value), number)
            for value, number in column.top
            if str(value).strip().lower() in PLACEHOLDERS
        ),
        variants=_variants(column),
        words=sum(row[3] for row in rows) / (sum(row[1] for row in rows) or 1),
    )


def _variants(column: ColumnStats) -> tuple[tuple[str, ...], ...]:
    alike: dict[str, list[str]] = {}
    for value, _ in column.top:
        alike.setdefault(re.sub(r"\s+", " ", str(value).strip().casefold()), []).append(str(value))
    return tuple(tuple(sorted(spellings)) for spellings in alike.values() if len(spellings) > 1)
