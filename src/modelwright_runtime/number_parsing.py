"""Numbers as people write them: with a currency, with thousands or a unit, in thousands, as a time.

`$1,234.50`, `12,5 %`, `19M`, `(7)`, `7-`, `8:30 PM`, `1 day, 2:03:04`. Which
mark stands before the decimals, all the strings of a column tell together.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from modelwright_runtime.missing_values import says_nothing

Form = Literal["1,234.5", "1.234,5", "1.2K", "1,2K", "1:30", "1:30:00"]
"""An example: it shows the mark before decimals, whether K, M and B multiply, or a time's parts."""
POINT: Form = "1,234.5"
COMMA: Form = "1.234,5"
CLOCKS: tuple[Form, ...] = ("1:30", "1:30:00")
"""Times of day and durations, whose first part is the unit: 1.5."""
FORMS: tuple[Form, ...] = (POINT, COMMA, "1.2K", "1,2K", *CLOCKS)
SCALED: dict[Form, Form] = {POINT: "1.2K", COMMA: "1,2K"}
SCALES = {"": 1.0, "k": 1e3, "m": 1e6, "b": 1e9}
MAX_CHARACTERS = 40
"""Characters of an amount at most."""
MAX_DIGITS = 15
"""More digits before the decimals are an identifier."""
_SIGN = "[-\u2212]"
_SYMBOL = "[$\u00a2-\u00a5\u20a0-\u20cf]"
_THIN = " '\u2019\u00a0\u202f"
_AMOUNT = re.compile(
    rf"(\()?\s*({_SIGN})?\s*"
    rf"([a-z]{{0,3}}{_SYMBOL}|(?:usd|eur|gbp|chf|jpy|cny|inr|aud|cad|rs|kr)(?![a-z])\.?)?"
    rf"\s*({_SIGN})?\s*([.,]?\d(?:[\d.,{_THIN}]*\d)?)({_SIGN})?"
    rf"\s*((?:[a-z\u00b0-\u024f\u2030\u2032\u2033%\"+]|{_SYMBOL})[^\d(),;:]{{0,14}})?(\))?",
    re.IGNORECASE,
)
_PLAIN: dict[Form, re.Pattern[str]] = {
    POINT: re.compile(
        rf"(?:[1-9]\d{{0,2}}(?:([,{_THIN}])\d{{3}})(?:\1\d{{3}})*|0|[1-9]\d*)?(?:\.\d+)?"
    ),
    COMMA: re.compile(
        rf"(?:[1-9]\d{{0,2}}(?:([.{_THIN}])\d{{3}})(?:\1\d{{3}})*|0|[1-9]\d*)?(?:,\d+)?"
    ),
}
BARE = re.compile(r"\s*-?\d+(\.\d+)?\s*", re.ASCII)
"""A number that needs no form."""
PARTED = re.compile(r"\s*-?(?:[1-9]\d{0,2}(?:\.\d{3})?|0)\s*", re.ASCII)
"""A number whose point, if it has one, may part thousands."""
ENOUGH_PARTED = 10
"""Numbers with a point from which on three digits behind each are no chance."""
NOON_HOUR = 12
"""The hour of noon, and the largest one beside AM or PM."""
HOURS_PER_DAY = 24
"""Hours of a day."""
_CLOCK = re.compile(
    r"\s*(?:(-?\d{1,6}) days?,? \+?)?(-)?(\d{1,4}):([0-5]\d)(?::([0-5]\d(?:\.\d{1,9})?))?"
    r"(?: ?([ap])\.?m\.?)?\s*",
    re.IGNORECASE | re.ASCII,
)
_MARKS = str.maketrans("", "", "," + _THIN), str.maketrans(",", ".", "." + _THIN)
Unit = tuple[str, str]
"""What stands before numbers and after them, in lower case."""


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """How the strings of one column write numbers; one may also stand without the unit."""

    form: Form
    unit: Unit = ("", "")
    words: tuple[str, ...] = ()
    """What a few rows had in place of a number."""

    def read(self, text: str) -> float:
        """Reads one string.

        Args:
            text: What is written.

        Returns:
            The number, NaN where it says that nothing is known or is one of the words.

        Raises:
            ValueError: It is no number of this form and unit.
        """
        if says_nothing(text) or (self.words and text.strip() in self.words):
            return float("nan")
        scaled = self.form in SCALED.values()
        value, (before, after) = _read(text, _mark(self.form))
        if scaled and after in SCALES:
            value, after = value * SCALES[after], ""
        if (before or after) and (before, after) != self.unit:
            raise ValueError("another unit")
        return value

    def example(self) -> str:
        """Returns a number so written.

        Returns:
            An example for messages.
        """
        before, after = self.unit
        return f"{before.upper()}{self.form} {after}".strip()


def form_of(texts: Iterable[str]) -> Form | None:
    """Finds the form in which all of these strings are numbers of one unit.

    Where either mark could stand before decimals it is the point. None for bare numbers too, unless
    their points part thousands.
    Those that say that nothing is known do not count.

    Args:
        texts: Different strings of a column, without gaps.

    Returns:
        The form, or None.
    """
    texts = [text for text in texts if not says_nothing(text)]
    if all(BARE.fullmatch(text) for text in texts):
        return COMMA if parts_thousands(texts) else None
    for form in (POINT, COMMA, *CLOCKS):
        try:
            units = {_read(text, form)[1] for text in texts}
        except ValueError:
            continue
        befores, afters = ({unit[side] for unit in units} for side in (0, 1))
        if len(befores - {""}) <= 1 and len(afters) > 1 and afters <= SCALES.keys():
            return SCALED[form]
        return form if len(units - {("", "")}) <= 1 else None
    return None


def form_of_decimals(texts: Iterable[str]) -> Form | None:
    """Returns the form of bare numbers, some with decimals, as JSON may have them in strings.

    Args:
        texts: Different strings of a column, without gaps.

    Returns:
        The point as decimal mark, or None.
    """
    texts = [text for text in texts if not says_nothing(text)]
    if not any("." in text for text in texts) or not all(map(BARE.fullmatch, texts)):
        return None
    try:
        return POINT if [_read(text, POINT) for text in texts] else None
    except ValueError:
        return None


def parts_thousands(texts: Sequence[str]) -> bool:
    """Returns whether the points of bare numbers part thousands, as in `12.500` beside `999`.

    Three digits follow each, zeros at the end, too; numbers below a thousand have none. Decimals
    are written with all zeros or without any.

    Args:
        texts: Bare numbers.

    Returns:
        Whether a point parts thousands.
    """
    parted = [text for text in texts if "." in text]
    return (
        ENOUGH_PARTED <= len(parted) < len(texts)
        and any(text.strip().endswith("0") for text in parted)
        and all(map(PARTED.fullmatch, texts))
    )


def units_of(texts: Iterable[str]) -> set[Unit]:
    """Returns the units of strings that all are numbers in one form.

    Args:
        texts: Different strings of a column, without gaps.

    Returns:
        What stands before numbers and behind them; empty where one is no number.
    """
    texts = [text for text in texts if not says_nothing(text)]
    for form in (POINT, COMMA):
        try:
            return {_read(text, form)[1] for text in texts}
        except ValueError:
            continue
    return set()


def written_in(form: Form, texts: Iterable[str]) -> NumberFormat:
    """Returns the form with the unit that most of the strings have; others are not read by it.

    Args:
        form: How the numbers are written.
        texts: Strings of a column, without gaps.

    Returns:
        Form and unit.
    """
    units: Counter[Unit] = Counter()
    for text in texts:
        try:
            before, after = _read(text, _mark(form))[1]
        except ValueError:
            continue
        units[before, "" if form in SCALED.values() and after in SCALES else after] += 1
    del units["", ""]
    return NumberFormat(form, max(units, key=units.__getitem__, default=("", "")))


def _mark(form: Form) -> Form:
    if form in CLOCKS:
        return form
    return COMMA if form in {COMMA, SCALED[COMMA]} else POINT


def _read(text: str, form: Form) -> tuple[float, Unit]:
    """Returns the number and its unit; raises ValueError where it is none with this mark."""
    if form in CLOCKS:
        return _clock(text, form), ("", "")
    found = _AMOUNT.fullmatch(text.strip()) if len(text) <= MAX_CHARACTERS else None
    if found is None:
        raise ValueError("no amount")
    opened, minus, before, negative, digits, behind, after, closed = found.groups()
    signs = sum(map(bool, (minus, negative, opened, behind)))
    if not _PLAIN[form].fullmatch(digits) or signs > 1 or bool(opened) != bool(closed):
        raise ValueError("no amount")
    plain = digits.translate(_MARKS[form == COMMA])
    if len(plain.partition(".")[0]) > MAX_DIGITS:
        raise ValueError("an identifier")
    return (-1 if signs else 1) * float(plain), (_unit(before), _unit(after))


def _clock(text: str, form: Form) -> float:
    """Returns a time with these parts in its first one; raises ValueError for what is none."""
    found = _CLOCK.fullmatch(text) if len(text) <= MAX_CHARACTERS else None
    if found is None or bool(found[5]) != (form == CLOCKS[1]) or (found[1] and not found[5]):
        raise ValueError("no time with these parts")
    days, minus, first, minutes, seconds, half = found.groups()
    amount = hour_of_day(int(first), half) + int(minutes) / 60 + float(seconds or 0) / 3600
    return HOURS_PER_DAY * int(days or 0) + (-amount if minus else amount)


def hour_of_day(hour: int, half: str | None) -> int:
    """Counts an hour from midnight.

    Args:
        hour: The hour as it is written.
        half: The letter of AM or PM beside it; None or empty where there is none.

    Returns:
        The hour of the day.

    Raises:
        ValueError: AM or PM has no such hour.
    """
    if not half:
        return hour
    if not 1 <= hour <= NOON_HOUR:
        raise ValueError("no hour of half a day")
    return hour % NOON_HOUR + (NOON_HOUR if half in "Pp" else 0)


def _unit(text: str | None) -> str:
    """Returns a unit without its plural, and without a dot or plus."""
    unit = (text or "").lower().strip(" .+\u00a0")
    return unit.removesuffix("s") if len(unit) > 2 else unit  # noqa: PLR2004 - `s` is seconds
