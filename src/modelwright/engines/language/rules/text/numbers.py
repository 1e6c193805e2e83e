"""Numbers in a question and how they are compared: at least 5, between 2 and 3, over 50k.

A number is a limit, a value, a year or how many rows to show, and its comparison may stand before
or after it. All numbers are found at once, the widest comparison first, as `between 2 and 3` would
else be two of them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, cast

from modelwright.engines.language.rules.text.patterns import patterns
from modelwright.engines.language.vocabulary import word_values
from modelwright.engines.language.written_number import number_in, scaled

Op = Literal["=", "!=", ">", "<", ">=", "<=", "between"]

SPELLED: Mapping[str, int] = word_values("numbers.spelled")
_SCALES: Mapping[str, float] = word_values("numbers.scales")
_ONES: Mapping[str, str] = word_values("numbers.ones")
_COMPARED = patterns("numbers compared")
_DECADE = re.compile(r"\b(?P<n>(?:1[5-9]|20)\d0)s\b")
_SHORT_DECADE = re.compile(r"(?<![\w.,$])'?(?P<n>[2-9]0)'?s\b")
_SHORT_CENTURY = 1900
"""The century of `the 90s`; no shorter decade is of this one."""
_FROM_YEAR = re.compile(r"from (?:the year )?(?:19|20)\d\d")
_ON = re.compile(
    r"\s*(?:on\b|onwards?|upwards?|forwards?|to\b|until|till|and (?:later|after)|[-\u2013])"
)
_ONE = re.compile(r"\b(?:\w+est|most|least|the|this|that|which|each|every|no|any)\s+$")


@dataclass(frozen=True, slots=True)
class Compared:
    """A number, or two, with the comparison around it and its place in the text."""

    op: Op
    number: float
    upper: float | None
    start: int
    end: int
    number_start: int
    percent: bool
    scale: float = 1.0
    """What the number was multiplied by: a million in `26.06 million viewers`."""


@lru_cache(maxsize=512)
def compared_numbers(text: str) -> tuple[Compared, ...]:
    """Reads all numbers of a sentence, the widest comparison first; spans don't overlap."""
    found = [_decade(match) for match in _DECADE.finditer(text)]
    found += [_decade(match) for match in _SHORT_DECADE.finditer(text.lower())]
    for kind, cue in _COMPARED:
        op = cast("Op", kind)
        for match in cue.finditer(text.lower()):
            free = all(match.end() <= one.start or one.end <= match.start() for one in found)
            if free and not (_pronoun(text, match) or _of_year(text, op, match)):
                upper = _value(match, "m") if op == "between" else None
                found.append(_compared(op, match, upper))
    return tuple(sorted(found, key=lambda one: one.start))


def _decade(match: re.Match[str]) -> Compared:
    """`Built in the 1990s` or the 90s is from 1990 to 1999."""
    first, (start, end) = float(match["n"]), match.span("n")
    first += _SHORT_CENTURY * (first < _SHORT_CENTURY)
    return Compared("between", first, first + 9, start, end + 1, start, percent=False)


def _of_year(text: str, op: Op, match: re.Match[str]) -> bool:
    """`Movies from 1999` are of that year, `from 1999 on` are later ones too."""
    from_year = op == ">=" and _FROM_YEAR.fullmatch(match.group().lower())
    return bool(from_year) and not _ON.match(text.lower(), match.end())


def _pronoun(text: str, match: re.Match[str]) -> bool:
    """`The lowest one` and `which one` are no numbers."""
    return match.group().lower() == "one" and bool(
        _ONE.search(text.lower(), max(0, match.start() - 20), match.start())
    )


def _compared(op: Op, match: re.Match[str], upper: float | None) -> Compared:
    percent = any((match.groupdict().get(rest) or "").strip() for rest in ("nrest", "mrest"))
    return Compared(
        op,
        _value(match, "n"),
        upper,
        match.start(),
        match.end(),
        match.start("n"),
        percent,
        _scale(match, "n"),
    )


def _value(match: re.Match[str], name: str) -> float:
    raw = match.group(name).lower().replace(",", "").replace("\N{MINUS SIGN}", "-").strip()
    plain = re.sub(r"[$€£¥\s]", "", raw)
    number = float(SPELLED[plain]) if plain in SPELLED else number_in(_ONES.get(plain, plain))
    return scaled(number, _scale(match, name))


def _scale(match: re.Match[str], name: str) -> float:
    return _SCALES.get((match.group(f"{name}scale") or "").strip().lower(), 1.0)
