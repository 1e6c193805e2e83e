"""What a careful reader would notice in one column: each finding is true, and worth a look."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from modelwright.engines.facts import KEYLIKE, UNNAMED
from modelwright.engines.profiling.column_statistics import ColumnStats
from modelwright.engines.profiling.sentinels import Sentinel, sentinels
from modelwright.engines.profiling.text_formats import (
    CLOCK,
    DATES,
    DECIMAL,
    NUMBER,
    WRITTEN,
    TextFormats,
)

Severity = Literal["low", "medium", "high"]
MIN_ROWS = 20
"""Below this many rows nothing is said of identifiers and distributions."""
MUCH_MISSING = 0.05
"""The share of missing values from which on they matter."""
MOST_MISSING = 0.4
"""The share of missing values from which on a column tells little."""
DOMINANT_SHARE = 0.9
"""The share of one value from which on an insight names it."""
NEARLY_ALL = 0.99
"""The share of one value from which on the others hardly count."""
MEANT_UNIQUE = 0.95
"""The share of different values from which on a key was meant to be unique."""
MIN_SKEWNESS = 2.0
"""The skewness beyond which a mean misleads; an exponential distribution has 2."""
MIN_MEDIAN_OFFSET = 0.2
"""How far, of the range between the outer quantiles, the median lies off its middle."""
FEW_FAR = 0.02
"""The share of far values up to which they are outliers, not the tail of a distribution."""
MIN_KNOWN_FORMAT_SHARE = 0.8
"""The share of values written in known ways from which on the column is meant so."""
KEY_MAX_WORDS = 3.0
"""Words of a value below which it may be a key."""
MAX_VALUES_UNJUDGED = 10
"""Different values up to which no distribution is judged."""
FAR_OFF = 10.0
"""Interquartile ranges beyond which an outlier is more than a long tail."""
MIN_SHARE_AT_LIMIT = 0.01
"""The share of the largest value from which on it may be a limit."""
PILED_OVER = 3
"""How many times as often as the next one the largest value must be there."""
MIN_VALUES_FOR_LIMIT = 50
"""Different numbers from which on a limit is worth looking for."""
FIRST_YEAR = 1600
"""Whole numbers from here on may be years."""
LAST_YEAR = 2100
"""Whole numbers up to here may be years."""
MAX_EXACT_NUMBER = 1e15
"""Numbers below this have all their digits written."""
MIN_GROUPED_THOUSANDS = 1e4
"""Numbers from this on have their thousands parted; four digits may be a year."""
NUMBERS = {NUMBER, DECIMAL, WRITTEN}
QUOTED_LENGTH = 60
"""Characters of a name or value that a sentence shows."""


@dataclass(frozen=True, slots=True)
class Insight:
    """One finding; `columns` are those it is about."""

    type: str
    message: str
    severity: Severity
    columns: tuple[str, ...] = ()


def insights(column: ColumnStats, shapes: TextFormats | None) -> list[Insight]:
    """Finds what there is to say of one column; `shapes` are the formats of a text column.

    Args:
        column: A column.
        shapes: How its values are written, of a text column.

    Returns:
        Findings in the order of the checks.
    """
    if not column.rows:
        return []
    found = [*_missing(column), *_sameness(column)]
    if not any(one.type in {"empty", "constant"} for one in found):
        strange, identifier = sentinels(column), [*_identifier(column, shapes)]
        found += [*identifier, *_strange(column, strange, shapes)]
        found += [] if identifier else _distribution(column, strange)
        found += _written(column, shapes)
    return found


def named(text: object) -> str:
    """Quotes a name or a value, shortened in the middle: names of surveys differ at the end.

    Args:
        text: A name or a value.

    Returns:
        One line in quotation marks.
    """
    plain = re.sub(r"[\r\n\t]+", " ", str(text))
    if len(plain) > QUOTED_LENGTH:
        half = QUOTED_LENGTH // 2
        plain = f"{plain[: half - 1].rstrip()}…{plain[-half:].lstrip()}"
    return f"'{plain}'"


def number(value: float, beside: float = 0.0) -> str:
    """Spells a number as people read it; whole ones of four digits may be years.

    One `beside` a larger one is parted as that is.

    Args:
        value: A finite number.
        beside: Another number of the same sentence.

    Returns:
        The number with four significant digits at least.
    """
    parted = "," if max(abs(value), abs(beside)) >= MIN_GROUPED_THOUSANDS else ""
    if float(value).is_integer() and abs(value) < MAX_EXACT_NUMBER:
        return f"{int(value):{parted}}"
    if not 1 / MIN_GROUPED_THOUSANDS <= abs(value) < MAX_EXACT_NUMBER:
        return f"{value:.4g}"
    digits = max(0, 3 - math.floor(math.log10(abs(value))))
    plain = f"{value:{parted}.{digits}f}"
    return plain.rstrip("0").rstrip(".") if digits else plain


def counted(times: int, what: str) -> str:
    """Counts things in words: `1 row`, `2,000 rows`.

    Args:
        times: How many.
        what: The word for one of them; its plural adds an s.

    Returns:
        Number and word.
    """
    return f"{times:,} {what}" if times == 1 else f"{times:,} {what}s"


def outside(left: int, what: str) -> str:
    """Counts what a picture leaves out: `1 value lies outside what is shown`.

    Args:
        left: How many are left out.
        what: The word for one of them.

    Returns:
        The end of a sentence.
    """
    return f"{counted(left, what)} {'lies' if left == 1 else 'lie'} outside what is shown"


def percent(part: int, whole: int) -> str:
    """Spells a share; never 0 % or 100 % of what is not.

    Args:
        part: How many.
        whole: Of how many; not 0.

    Returns:
        The share with one decimal.
    """
    share = 100 * part / whole
    if 0 < share < 0.1:  # noqa: PLR2004 - one decimal is shown
        return "under 0.1%"
    if part < whole and share > 99.9:  # noqa: PLR2004 - one decimal is shown
        return "over 99.9%"
    return f"{share:.1f}%"


def _missing(column: ColumnStats) -> Iterator[Insight]:
    name, share = named(column.name), column.missing / column.rows
    if not column.present:
        yield Insight("empty", f"{name} has no values at all.", "high", (column.name,))
    elif column.missing:
        severity: Severity = "high" if share >= MOST_MISSING else "medium"
        message = (
            f"{name} is missing in {column.missing:,} of {column.rows:,} rows"
            f" ({percent(column.missing, column.rows)})."
        )
        severity = severity if share >= MUCH_MISSING else "low"
        yield Insight("missing", message, severity, (column.name,))


def _sameness(column: ColumnStats) -> Iterator[Insight]:
    if column.rows <= 1 or column.distinct != 1 or column.present == 1:
        return
    name, value = named(column.name), _shown(column.top[0][0])
    if column.missing:
        message = f"{name} is either {value} or missing; it has no other value."
        yield Insight("constant", message, "low", (column.name,))
    else:
        message = f"{name} is {value} in every row; it tells nothing."
        yield Insight("constant", message, "medium", (column.name,))


def _identifier(column: ColumnStats, shapes: TextFormats | None) -> Iterator[Insight]:
    if column.rows < MIN_ROWS or column.type not in {"string", "integer"} or _is_written(shapes):
        return
    is_key = bool(KEYLIKE.search(column.name))
    if not is_key and _is_time(column):
        return
    name, columns = named(column.name), (column.name,)
    is_named = is_key and not UNNAMED.fullmatch(column.name)
    is_wordless = shapes is not None and shapes.words < KEY_MAX_WORDS
    unique = column.distinct == column.present
    if unique and not column.missing and (is_key or is_wordless or column.is_dense):
        message = f"{name} is different in every row: it identifies rows and describes nothing."
        yield Insight("identifier", message, "low", columns)
    elif is_named and MEANT_UNIQUE * column.present < column.distinct and not unique:
        again = column.present - column.distinct
        message = (
            f"{name} looks like an identifier, but {again:,} of its values repeat an earlier one."
        )
        yield Insight("identifier", message, "medium", columns)


def _is_written(shapes: TextFormats | None) -> bool:
    """Whether nearly all texts are numbers, times or dates, which identify nothing."""
    if not shapes:
        return False
    known = (WRITTEN, DECIMAL, CLOCK, *DATES)
    return sum(shapes.share(name) for name in known) >= MIN_KNOWN_FORMAT_SHARE


def _is_time(column: ColumnStats) -> bool:
    """Returns whether whole numbers are years one after the other."""
    low, high = column.minimum, column.maximum
    return isinstance(low, int) and isinstance(high, int) and FIRST_YEAR <= low <= high <= LAST_YEAR


def _strange(
    column: ColumnStats, strange: list[Sentinel], shapes: TextFormats | None
) -> Iterator[Insight]:
    """Finds values that may stand for none: far from all others, or words such as `n/a`."""
    name, columns = named(column.name), (column.name,)
    for one in strange:
        message = (
            f"{name} is {_shown(one.value)} in {counted(one.count, 'row')}"
            f" ({percent(one.count, column.rows)}), far from the next value {_shown(one.next)}:"
            " it may stand for a missing or a cut-off value."
        )
        severity: Severity = "medium" if one.count >= column.rows / 1000 else "low"
        yield Insight("sentinel", message, severity, columns)
    for value, times in shapes.placeholders if shapes else ():
        message = (
            f"{name} is {named(value)} in {counted(times, 'row')} ({percent(times, column.rows)}):"
            " it may stand for a missing value."
        )
        yield Insight("sentinel", message, "medium", columns)
    if column.numbers and column.numbers.infinite:
        message = f"{name} is infinite in {counted(column.numbers.infinite, 'row')}."
        yield Insight("infinite", message, "medium", columns)


def _distribution(column: ColumnStats, strange: list[Sentinel]) -> Iterator[Insight]:
    if column.present < MIN_ROWS:
        return
    name, columns = named(column.name), (column.name,)
    value, times = column.top[0]
    if times >= DOMINANT_SHARE * column.present and column.distinct > 1:
        message = (
            f"{name} is {_shown(value)} in {percent(times, column.present)} of its values;"
            f" it differs in {counted(column.present - times, 'row')}."
        )
        severity: Severity = "medium" if times >= NEARLY_ALL * column.present else "low"
        yield Insight("imbalance", message, severity, columns)
    yield from _outliers(column, sum(one.count for one in strange))
    if not strange:
        yield from _piled(column)
        yield from _skew(column)


def _outliers(column: ColumnStats, explained: int) -> Iterator[Insight]:
    numbers = column.numbers
    if numbers is None or numbers.fences is None:
        return
    far = numbers.beyond - explained
    if not 0 < far <= max(FEW_FAR * column.present, 1):
        return
    values = _far_values(column)
    low, high = numbers.at(0.01), numbers.at(0.99)
    message = (
        f"{named(column.name)} has {counted(far, 'value')} ({percent(far, column.present)}) far"
        f" outside its usual range of {number(low, high)} to {number(high, low)},"
        f" such as {' and '.join(number(value) for value in values)}."
    )
    reach = FAR_OFF * (numbers.at(0.75) - numbers.at(0.25))
    off = any(abs(value - numbers.median) > reach for value in values) and not any(_skew(column))
    yield Insight("outliers", message, "medium" if off else "low", (column.name,))


def _piled(column: ColumnStats) -> Iterator[Insight]:
    """Notices values cut off at a highest one: many rows there, as nowhere else."""
    if column.numbers is None or column.distinct <= MIN_VALUES_FOR_LIMIT:
        return
    (value, times), (_, next_times) = column.top[:2]
    if value != column.maximum or times < max(
        MIN_SHARE_AT_LIMIT * column.present, PILED_OVER * next_times
    ):
        return
    message = (
        f"{named(column.name)} is at its maximum of {_shown(value)} in {counted(times, 'row')}"
        f" ({percent(times, column.rows)}): higher values may have been cut off there."
    )
    yield Insight("capped", message, "low", (column.name,))


def _far_values(column: ColumnStats) -> list[Any]:
    assert column.numbers is not None  # noqa: S101 - asked of numbers with fences
    assert column.numbers.fences is not None  # noqa: S101
    strange = {one.value for one in sentinels(column)}
    low = [v for v, _ in column.lowest if v not in strange and v < column.numbers.fences.low]  # type: ignore[operator]
    high = [v for v, _ in column.highest if v not in strange and v > column.numbers.fences.high]  # type: ignore[operator]
    return low[:1] + high[:1]


def _skew(column: ColumnStats) -> Iterator[Insight]:
    numbers = column.numbers
    if numbers is None or numbers.skewness is None or abs(numbers.skewness) < MIN_SKEWNESS:
        return
    if column.distinct <= MAX_VALUES_UNJUDGED or numbers.std is None:
        return
    width = numbers.at(0.95) - numbers.at(0.05)
    lean = (numbers.at(0.95) + numbers.at(0.05) - 2 * numbers.median) / width if width else 0.0
    if lean * numbers.skewness <= 0 or abs(lean) < MIN_MEDIAN_OFFSET:
        return
    mean, median = number(numbers.mean), number(numbers.median)
    if mean == median:
        return
    far = "large" if numbers.skewness > 0 else "small"
    message = (
        f"{named(column.name)} has a long tail of {far} values: its mean is {mean},"
        f" its median, the middle value, {median}."
    )
    yield Insight("skew", message, "low", (column.name,))


def _dates_as_text(name: str, shapes: TextFormats) -> tuple[str, Severity] | None:
    """Says that texts are dates, and how severe it is; None where they are not."""
    dates = [shape for shape in shapes.found if shape.name in DATES]
    known = sum(shape.values for shape in dates)
    if len(dates) > 1 and known >= MIN_KNOWN_FORMAT_SHARE * shapes.values:
        examples = ", ".join(named(shape.example) for shape in dates)
        return f"{name} has dates written in {len(dates)} ways, such as {examples}.", "high"
    if dates and dates[0].values == shapes.values:
        example = named(dates[0].example)
        return f"{name} holds dates written as text, such as {example}.", "medium"
    return None


def _numbers_as_text(name: str, shapes: TextFormats) -> tuple[str, Severity] | None:
    """Says that texts are numbers, or most of them; None where they are not."""
    numbers = sum(shape.values for shape in shapes.found if shape.name in NUMBERS) / shapes.values
    if MIN_KNOWN_FORMAT_SHARE <= numbers < 1:
        other = next(shape for shape in shapes.found if shape.name not in NUMBERS)
        message = (
            f"{name} is text because of a few values: {100 * numbers:.1f} % are numbers, others"
            f" such as {named(other.example)} are not."
        )
        return message, "medium"
    if numbers == 1 and numbers > shapes.share(NUMBER):
        example = next(shape.example for shape in shapes.found if shape.name in {WRITTEN, DECIMAL})
        return f"{name} holds numbers written as text, such as {named(example)}.", "medium"
    return None


def _written(column: ColumnStats, shapes: TextFormats | None) -> Iterator[Insight]:
    if shapes is None or not shapes.values:
        return
    name, columns = named(column.name), (column.name,)
    said = _dates_as_text(name, shapes) or _numbers_as_text(name, shapes)
    if said is not None:
        message, severity = said
        yield Insight("mixed_formats", message, severity, columns)
    if shapes.variants and column.distinct < column.present / 2:
        pair = " and ".join(named(spelling) for spelling in shapes.variants[0][:2])
        message = (
            f"{name} spells {len(shapes.variants):,} of its values in more than one way, such as"
            f" {pair}: they differ only in case or spaces."
        )
        yield Insight("mixed_formats", message, "medium", columns)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, date):
        return str(value)
    return number(value) if isinstance(value, int | float) else named(value)
