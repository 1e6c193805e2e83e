"""Texts to typed values, all or nothing: a parser gives None unless every text is of its kind.

Arrow converts quickly but takes more than it should (`007`, `0x1F`, `1` as a truth). What it took
is checked on whole buffers, several times faster than a pattern for each text would be.
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

MOST_DIGITS = 15
"""Longer digit strings are identifiers, and more than a float (or JavaScript) can tell apart."""
_INFINITY = r"(?i)^[-+]?inf(inity)?$"
_COMMA = r"^-?([0-9]{1,3}(\.[0-9]{3})+|[0-9]+)(,[0-9]+)?$"
_LONG_DIGITS = f"^-?[0-9]{{{MOST_DIGITS + 1},}}$"


def parse_integer(texts: pa.Array) -> pa.Array | None:
    """Reads plain integers of at most 15 digits: no plus sign, no leading zero.

    Args:
        texts: An array of strings.

    Returns:
        Int64, or None.
    """
    values = _cast(texts, pa.int64())
    if values is None or _starts_oddly(texts, whole=True):
        return None
    span = pc.min_max(values).as_py()
    wide = max(-(span["min"] or 0), span["max"] or 0) >= 10**MOST_DIGITS
    return None if wide else values


def parse_float(texts: pa.Array) -> pa.Array | None:
    """Reads decimal numbers, with exponents, and infinities; no plus sign, no leading zero.

    Digits alone follow the rule of integers.

    Args:
        texts: An array of strings.

    Returns:
        Float64, or None.
    """
    values = _cast(texts, pa.float64())
    if values is None or _starts_oddly(texts, whole=False):
        return None
    finite = pc.is_finite(values)
    if not pc.all(finite, min_count=0).as_py():
        words = texts.filter(pc.invert(finite), null_selection_behavior="drop")
        if not pc.all(pc.match_substring_regex(words, _INFINITY)).as_py():
            return None
    largest = pc.max(pc.abs(values)).as_py() or 0
    if largest >= 10**MOST_DIGITS and any_match(texts, _LONG_DIGITS):
        return None
    return values


def parse_comma(texts: pa.Array) -> pa.Array | None:
    """Reads numbers with a decimal comma and, before it, points between thousands.

    Args:
        texts: An array of strings.

    Returns:
        Float64, or None.
    """
    if not pc.all(pc.match_substring_regex(texts, _COMMA), min_count=0).as_py():
        return None
    plain = pc.replace_substring(pc.replace_substring(texts, ".", ""), ",", ".")
    return parse_float(plain)


def parse_boolean(texts: pa.Array) -> pa.Array | None:
    """Reads `true` and `false` in any case.

    Args:
        texts: An array of strings.

    Returns:
        Booleans, or None.
    """
    values = _cast(texts, pa.bool_())
    shortest = pc.min(pc.binary_length(texts)).as_py()
    return values if shortest is None or shortest >= len("true") else None


def parse_date(texts: pa.Array) -> pa.Array | None:
    """Reads ISO dates (`2024-01-31`).

    Args:
        texts: An array of strings.

    Returns:
        Days, or None.
    """
    return _cast(texts, pa.date32())


def parse_datetime(texts: pa.Array) -> pa.Array | None:
    """Reads ISO dates and date-times without a zone, to the microsecond.

    Args:
        texts: An array of strings.

    Returns:
        Timestamps without a zone, or None.
    """
    return _timestamps(texts, None)


def parse_instant(texts: pa.Array) -> pa.Array | None:
    """Reads ISO date-times that all name their zone, as moments.

    Args:
        texts: An array of strings.

    Returns:
        Timestamps in UTC, or None.
    """
    return _timestamps(texts, "UTC")


def _timestamps(texts: pa.Array, zone: str | None) -> pa.Array | None:
    """Reads nanoseconds too where microseconds hold them without loss."""
    wanted = pa.timestamp("us", zone)
    values = _cast(texts, wanted)
    if values is None and (finer := _cast(texts, pa.timestamp("ns", zone))) is not None:
        values = _cast(finer, wanted)
    return values


def _cast(values: pa.Array, kind: pa.DataType) -> pa.Array | None:
    try:
        return values.cast(kind)
    except pa.ArrowInvalid:
        return None


def any_match(texts: pa.Array, pattern: str) -> bool:
    """Returns whether some text has a part that a pattern of RE2 matches.

    Args:
        texts: An array of strings; nulls match nothing.
        pattern: A regular expression.

    Returns:
        False for no texts too.
    """
    return bool(pc.any(pc.match_substring_regex(texts, pattern), min_count=0).as_py())


def _starts_oddly(numbers: pa.Array, *, whole: bool) -> bool:
    """Returns whether a number starts with a plus sign, or with a zero and one more digit.

    Whole numbers neither have anything behind a zero (`0x1F`) nor a minus before it.
    """
    texts = numbers.drop_null() if numbers.null_count else numbers
    _, offsets, data = texts.buffers()
    if not len(texts) or data is None:
        return False
    ends = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    characters = np.frombuffer(data, np.uint8)
    starts = ends[:-1]
    first = characters[starts]
    negative = first == ord("-")
    if negative.any():
        starts = starts + negative
        first = characters[starts]
    longer = starts + 1 < ends[1:]
    if whole:
        return bool(((first == ord("0")) & (longer | negative)).any())
    second = characters[np.minimum(starts + 1, ends[1:] - 1)]
    more = longer & (second - np.uint8(ord("0")) < 10)  # noqa: PLR2004 - digits
    plus = (first == ord("+")) & (second | np.uint8(32) != ord("i"))
    return bool((((first == ord("0")) & more) | plus).any())
