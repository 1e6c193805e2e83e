"""What the texts of a column say (numbers, truths, dates or just text), and their typed values.

The rules, which look at every value of a column and never at a sample:

- `integer`: plain digits with an optional minus, at most 15 of them, no leading zero.
- `float`: the same with a decimal point or an exponent, and infinities (`inf`, `-Infinity`).
  Digits around an `E` (`40E5`) are codes where no number of the column has a point or a sign.
- `boolean`: `true` and `false` in any case; nothing else.
- `date`: ISO dates and date-times; a zone is converted to UTC, at most microseconds are kept.
- `string`: everything else, unchanged: leading zeros, long digit strings, `+5`, `1,234`, `yes`,
  and points that part thousands (`12.500` beside `999`).
- Missing in a typed column are empty cells, blanks, and words that say so (`MISSING_WORDS`).
  In a string column only empty cells are missing: there `NA` may be Namibia.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from modelwright.engines.ingest import parsing
from modelwright.engines.ingest.kinds import STORED, Kind
from modelwright_runtime.missing_values import MISSING_WORDS, says_nothing
from modelwright_runtime.number_parsing import PARTED, parts_thousands
from modelwright_runtime.record_fields import WIDTHLESS

Origin = Literal["cell", "number", "truth", "text", "mixed"]
"""Where texts come from: untyped cells, or the one JSON or Excel type that all of them had."""

PROBE_VALUES = 64
"""So many values are tried first: Arrow spells out an error for every one that it cannot read."""
SAMPLE_VALUES = 1000
"""Texts by which it is told whether a column repeats itself."""
_MISSING = rf"(?i)^\s*(|{'|'.join(map(re.escape, MISSING_WORDS))})\s*$"
_ELSEWHERE = r":[0-9]{2}(\.[0-9]+)?[+-](0[1-9]|1[0-9]|00:?[1-9]|00:?0[1-9])"
DOUBLE_DIGITS = 17
"""A double tells numbers of so many digits apart at most."""
NO_DIGITS = re.compile(r"[eE].*|\D")
_CODE = r"^\s*[0-9]+[eE][0-9]+\s*$"
_CODE_OR_DIGITS = r"^[0-9]+([eE][0-9]+)?$"
_SAYS_NOTHING = {"", *MISSING_WORDS}
_PARSERS: dict[Kind, Callable[[pa.Array], pa.Array | None]] = {
    "integer": parsing.parse_integer,
    "float": parsing.parse_float,
    "comma": parsing.parse_comma,
    "boolean": parsing.parse_boolean,
    "date": parsing.parse_date,
    "datetime": parsing.parse_datetime,
    "instant": parsing.parse_instant,
}
_WITH_COMMA: tuple[Kind, ...] = ("integer", "comma", "boolean", "date", "datetime", "instant")
_SAID: dict[Origin, tuple[Kind, ...]] = {
    "cell": tuple(kind for kind in _PARSERS if kind != "comma"),
    "number": ("integer", "float"),
    "truth": ("boolean",),
    "text": ("date", "datetime", "instant"),
    "mixed": (),
}
"""The kinds, besides string, that texts of an origin may be of."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Some consecutive cells of one column: an Arrow string array, null where there is nothing."""

    texts: pa.Array
    origin: Origin = "cell"
    decimal: str = "."
    """What stands before the decimals; before a comma, points part thousands."""

    def kind(self) -> Kind:
        """Finds the narrowest kind that holds all cells.

        Returns:
            The kind.
        """
        if self.texts.null_count == len(self.texts):
            return "empty"
        some = Texts(self.texts.drop_null().slice(0, PROBE_VALUES), self.origin, self.decimal)
        if _all_missing(some.texts) and _all_missing(self.texts):
            return "missing"
        for kind in self._likely(some.texts[0].as_py()):
            if some._parsed(kind) is not None and self.fit(kind) is not None:
                return "code" if kind == "float" and self._are_codes() else kind
        return "string"

    def _likely(self, first: str) -> tuple[Kind, ...]:
        """Returns the kinds of which a column with this first text can be."""
        said = _SAID[self.origin]
        if self.decimal == "," and self.origin == "cell":
            said = _WITH_COMMA
        start = first.strip().lower()
        if start in _SAYS_NOTHING or start[0] in "-.+i0123456789":
            return said
        return ("boolean",) if start in {"true", "false"} and "boolean" in said else ()

    def names_zones(self) -> bool:
        """Returns whether a time names another zone than UTC.

        Returns:
            Whether one does.
        """
        return parsing.any_match(self.texts, _ELSEWHERE)

    def loses_digits(self) -> bool:
        """Returns whether a number has more digits than a double keeps.

        Returns:
            Whether one does.
        """
        are_long = pc.greater(pc.binary_length(self.texts), DOUBLE_DIGITS)
        some = self.texts.take(pc.indices_nonzero(are_long).slice(0, SAMPLE_VALUES))
        digits = (NO_DIGITS.sub("", text).strip("0") for text in some.to_pylist())
        return any(len(told) > DOUBLE_DIGITS for told in digits)

    def fit(self, kind: Kind) -> pa.Array | None:
        """Returns the cells as values of a kind, or None when one of them isn't of that kind.

        Args:
            kind: The kind.

        Returns:
            As many values as there are cells, or None.
        """
        texts = self.texts
        if kind == "string":
            return texts
        if kind == "code":
            return texts if self._are_codes() or self.fit("integer") is not None else None
        if texts.null_count == len(texts):
            return pa.nulls(len(texts), STORED[kind])
        if kind in {"empty", "missing"}:
            return texts if kind == "missing" and _all_missing(texts) else None
        if kind == "float" and self.origin == "cell" and _in_thousands(texts):
            return None
        return self._parsed(kind)

    def _are_codes(self) -> bool:
        """Returns whether digits around an `E` stand among nothing but digits."""
        if self.origin != "cell" or not parsing.any_match(self.texts, _CODE):
            return False
        told = _told(self.texts)
        return bool(pc.all(pc.match_substring_regex(told, _CODE_OR_DIGITS), min_count=0).as_py())

    def _parsed(self, kind: Kind) -> pa.Array | None:
        texts, parse = self.texts, _PARSERS[kind]
        allowed = kind in _SAID[self.origin] or (kind == "comma" and self.decimal == ",")
        values = parse(texts) if allowed else None
        if values is None:
            told = _told(texts)
            if allowed or told.null_count == len(told):
                values = parse(told)
        return values


def normalised(texts: pa.Array) -> pa.Array:
    """Composes letters with their accents, and takes characters without width off the ends.

    So that what looks alike is alike: `é` may be one or two characters, and the mark of the byte
    order stands in the middle of files that were joined. What is left of nothing is missing.

    Args:
        texts: An array of strings.

    Returns:
        As many strings.
    """
    if _is_ascii(texts):
        return texts
    if not _repeats(texts):
        return _composed(texts)
    coded = texts.dictionary_encode()
    values = _composed(coded.dictionary)
    return texts if values.equals(coded.dictionary) else values.take(coded.indices)


def _composed(texts: pa.Array) -> pa.Array:
    trimmed = pc.utf8_trim(pc.utf8_normalize(texts, form="NFC"), characters=WIDTHLESS)
    return pc.if_else(pc.equal(trimmed, ""), pa.scalar(None, pa.string()), trimmed)


def _is_ascii(texts: pa.Array) -> bool:
    """Returns whether all texts are ASCII, and maybe what stands beside a slice of them too."""
    data = texts.buffers()[2]
    return data is None or not len(data) or int(np.frombuffer(data, np.int8).min()) >= 0


def _repeats(texts: pa.Array) -> bool:
    """Returns whether the first texts are so few that it is quicker to look at each once."""
    some = texts.slice(0, SAMPLE_VALUES)
    return len(some) == SAMPLE_VALUES and pc.count_distinct(some).as_py() <= SAMPLE_VALUES // 2


def _in_thousands(texts: pa.Array) -> bool:
    """Tells whether the points in texts part thousands; most columns show early that they don't."""
    some = texts.slice(0, PROBE_VALUES).drop_null().to_pylist()
    if not all(PARTED.fullmatch(text) or says_nothing(text) for text in some):
        return False
    if pc.all(pc.match_substring(texts, ".")).as_py():
        return False
    values = texts.drop_null().unique().to_pylist()
    return parts_thousands([text for text in values if not says_nothing(text)])


def _told(texts: pa.Array) -> pa.Array:
    """Trims blanks around texts and empties those that say that nothing is known."""
    trimmed = pc.utf8_trim_whitespace(texts)
    return pc.if_else(is_missing(trimmed), pa.scalar(None, pa.string()), trimmed)


def is_missing(texts: pa.Array) -> pa.Array:
    """Tells which texts are words for a missing value.

    Args:
        texts: An array of strings.

    Returns:
        As many booleans.
    """
    return pc.match_substring_regex(texts, _MISSING)


def _all_missing(texts: pa.Array) -> bool:
    return bool(pc.all(is_missing(texts), min_count=0).as_py())
