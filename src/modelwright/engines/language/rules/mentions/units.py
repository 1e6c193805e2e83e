"""Units: 5 kg is 5000 in a column of grams, two weeks are 14 in one of days."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from modelwright.engines.language.rules.columns.index import Column
from modelwright.engines.language.rules.columns.values import ValueLink
from modelwright.engines.language.rules.mentions.mentions import Question
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.numbers import SPELLED, Compared, Op, compared_numbers
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.roots import root
from modelwright.engines.language.rules.text.targets import targets
from modelwright.engines.language.rules.text.words import name_parts
from modelwright.engines.language.vocabulary import word_set, word_table, word_values

_UNITS = pattern("clues units")
_PERCENT = 100
"""Percent of a whole."""
_SCALES = frozenset(word_values("numbers.scales"))
_SIZES: Mapping[str, Mapping[str, float]] = word_table("units")
_KNOWN = frozenset(unit for sizes in _SIZES.values() for unit in sizes)
_ALIKE = {"calendar": "time"}
_LASTING = frozenset({"term", "tenor", "tenure", "duration", "period"})
"""What is told in months, not in metres, where a name ends with `m`: `term_m`."""
_SQUARE = frozenset({"sq", "square"})
_LENGTHS = {
    **{one: one for one in ("cm", "m", "km", "mi", "ft", "yard")},
    **dict.fromkeys(("meter", "metre"), "m"),
    **dict.fromkeys(("kilometer", "kilometre"), "km"),
    **dict.fromkeys(("feet", "foot"), "ft"),
    "mile": "mi",
}
"""Lengths that areas are the squares of, by how `units.toml` calls the areas."""
_PHRASES: Mapping[tuple[str, ...], str] = {
    ("nautical", "mile"): "nmi",
    ("mile", "per", "hour"): "mph",
    ("mile", "an", "hour"): "mph",
    ("km", "h"): "km h",
    ("km", "per", "hour"): "km h",
    ("kilometer", "per", "hour"): "km h",
    ("kilometre", "per", "hour"): "km h",
}
"""Units of several words, by how `units.toml` calls them."""
_CURRENCIES: Mapping[str, str] = {
    "dollar": "usd", "$": "usd", "us$": "usd", "euro": "eur", "€": "eur", "pound": "gbp",
    "£": "gbp", "yen": "jpy", "¥": "jpy", "franc": "chf",
}  # fmt: skip
"""Other words and signs for currencies."""
_THOUSANDS = frozenset(
    {"k", "m", "mn", "mio", "bn", "thousand", "thousands", "million", "millions"}
)
"""What makes of a currency so many times more of it."""
_UNMEASURED = frozenset({"money", "count", "share"})
"""Kinds whose numbers are not told in one unit for another."""
_UNLIKE_PLURALS = frozenset({"feet", "inches"})
"""Plurals that do not end in an `s` alone."""
_DAY = 86400.0
"""Seconds of a day."""
_SECONDS = {**_SIZES["time"]} | {unit: _DAY * days for unit, days in _SIZES["calendar"].items()}
_AGED = ("older", "younger")
_BRIGHT = ("brighter", "fainter", "dimmer")
_SLOW = ("slower", "faster", "quicker")
_MAGNITUDES = frozenset({"magnitude", "mag", "vmag"})
_OTHER_WAY: Mapping[Op, Op] = {">": "<", "<": ">", ">=": "<=", "<=": ">="}
_SHORTEST = 2
"""A unit of fewer letters may be any word."""
_THOUSAND = 1000
"""What a point may part in place of decimals."""
_PARTED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}\.\d{3}(?![\d.,])")
_LONG = pattern("units long")
_PEOPLE = word_set("rows.people")
_OLDEST = 120
"""Nobody has so many years."""
_BEING = word_set("small_words.before_age")


def in_units(column: Column, one: Compared, unit: str, said: str) -> Compared:
    """`26.06 million viewers` is 26.06 in millions of viewers, 50 % a half of one at most."""
    one = _in_thousands(column, one, said)
    top, share = column.facts.maximum, 1.0
    if one.percent and isinstance(top, int | float) and 0 < top <= 1:
        share = 1 / _PERCENT
    elif one.scale != 1.0 and _UNITS.search(column.facts.name.lower()):
        share = 1 / one.scale
    elif unit:
        share = times(unit, column.facts.name)
    if share == 1.0:
        return one
    upper = None if one.upper is None else round(one.upper * share, 9)
    return replace(one, number=round(one.number * share, 9), upper=upper)


def _in_thousands(column: Column, one: Compared, said: str) -> Compared:
    """`12.500` is 12,500 where the column holds no number so small as 12.5, and such as that."""
    low, high = column.facts.minimum, column.facts.maximum
    known = isinstance(low, int | float) and isinstance(high, int | float)
    if not (known and _PARTED.search(said)):
        return one
    if low <= one.number <= high or not low <= _THOUSAND * one.number <= high:  # type: ignore[operator]
        return one
    upper = None if one.upper is None else _THOUSAND * one.upper
    return replace(one, number=_THOUSAND * one.number, upper=upper)


def other_way(column: Column, one: Compared, said: str) -> Compared:
    """`Older than 1990` is built before it, `brighter than magnitude 3` has less of it.

    And what is `slower than 500 ms` takes longer.
    """
    aged = column.shape == "year" and said.startswith(_AGED)
    bright = said.startswith(_BRIGHT) and not _MAGNITUDES.isdisjoint(name_parts(column.facts.name))
    name = column.facts.name
    slow = said.startswith(_SLOW) and (lasts(_unit(name)) or bool(_LONG.search(name.lower())))
    return replace(one, op=_OTHER_WAY.get(one.op, one.op)) if aged or bright or slow else one


def times(said: str, name: str) -> float:
    """What a number of the unit `said` is multiplied by in the unit that a column's name ends in.

    1 where either tells no unit, or they measure different things; a column `hour` tells none, and
    of days and longer only the plural does: `day` is a date or its place in a week.
    """
    parts, unit = name_parts(name), _unit(name)
    given, held = _one(said), _one(unit)
    for kind, sizes in _SIZES.items():
        mine, theirs = sizes.get(given), sizes.get(held)
        if mine and theirs and kind not in _UNMEASURED and _tells_unit(kind, parts, unit):
            return mine / theirs
    mine, theirs = _SECONDS.get(given), _SECONDS.get(held)
    whole = parts[1:] and "per" not in parts and (unit.endswith("s") or unit in _SIZES["time"])
    return mine / theirs if whole and mine and theirs else 1.0


def unit_at(texts: Sequence[str], at: int) -> tuple[str, int]:
    """Returns the unit that a word begins and where it ends: `nautical miles` are two words."""
    if texts[at] in _SQUARE and at + 1 < len(texts):
        length = _LENGTHS.get(_one(texts[at + 1]))
        if length:
            return f"sq {length}", at + 2
    for phrase, unit in _PHRASES.items():
        if tuple(map(_one, texts[at : at + len(phrase)])) == phrase:
            return unit, at + len(phrase)
    return texts[at], at + 1


def _tells_unit(kind: str, parts: Sequence[str], unit: str) -> bool:
    """Whether a name tells in which unit of a kind its numbers are, and is not called so itself."""
    plural = unit.endswith("s")
    if not parts[1:]:
        long = kind in _ALIKE.values() or len(unit) > _SHORTEST + 1
        sure = plural and long and len(_kinds(unit)) == 1
        return sure or unit in _UNLIKE_PLURALS
    return "per" not in parts and (kind != "calendar" or plural)


def currency(said: str) -> str:
    """Returns the currency that a word or a sign is; nothing of another word."""
    one = _CURRENCIES.get(_one(said), _one(said))
    return one if one in _SIZES["money"] else ""


@lru_cache(maxsize=4096)
def unlike(said: str, name: str) -> bool:
    """Whether a number of the unit `said` can't be of a column whose name ends in another's."""
    mine = _kinds(said) if len(said) >= _SHORTEST else frozenset()
    theirs = _kinds(_unit(name))
    return bool(mine and theirs and mine.isdisjoint(theirs))


@lru_cache(maxsize=4096)
def is_told_in(said: str, name: str) -> bool:
    """Whether a word is a unit of what a column's name says its numbers are in."""
    return not _kinds(said).isdisjoint(_kinds(_unit(name)))


def is_same_unit(said: str, name: str) -> bool:
    """Whether a word is the very unit that a column's name says its numbers are in."""
    given, held = _one(said), _one(_unit(name))
    sizes = [(one.get(given), one.get(held)) for one in (*_SIZES.values(), _SECONDS)]
    return any(mine is not None and mine == theirs for mine, theirs in sizes)


def is_measured(name: str) -> bool:
    """Whether a column's name says that its numbers are of mass, length, area, time or power."""
    return "per" not in name_parts(name) and bool(_kinds(_unit(name)) - _UNMEASURED)


def differs(said: str, name: str) -> bool:
    """Whether a column is of what a unit measures, and told in another."""
    return times(said, name) != 1.0 or other_currency(said, name)


@lru_cache(maxsize=4096)
def other_currency(said: str, name: str) -> bool:
    """Whether a column's name tells a currency, and not the one that is said."""
    asked = currency(said)
    told = {one for part in (*name_parts(name), *name.split()) if (one := currency(part.lower()))}
    return bool(asked and told and (asked not in told or _is_in_thousands(name)))


def _is_in_thousands(name: str) -> bool:
    """Whether a name tells thousands or millions of a currency: `Cost kEUR`."""
    parts = name_parts(name)
    return any(one in _THOUSANDS and currency(after) for one, after in pairwise(parts))


def named_with_unit(name: str, unit: str) -> str:
    """A column's name with the unit that its catalog tells, where the name tells none."""
    tells = measures(_unit(name)) or any(map(currency, name_parts(name)))
    return name if tells or not unit else f"{name} {currency(unit.lower()) or unit}"


def fits(said: str, name: str, *, is_named: bool) -> bool:
    """Whether a number of the unit `said` may be compared, as it is, with a column.

    One that tells no unit must be named for it, unless it may be of money, time or things counted.
    """
    if unlike(said, name) or differs(said, name):
        return False
    return is_named or not is_physical(said) or is_told_in(said, name)


def is_physical(said: str) -> bool:
    """Whether a word is a unit of mass, length or the like, and may be of nothing else."""
    kinds = _kinds(said) if len(said) >= _SHORTEST else frozenset()
    return bool(kinds) and kinds.isdisjoint(_UNMEASURED | {"time"})


def adds_to(name: str, other: str) -> bool:
    """Whether amounts of two columns are of one kind and unit, by their names, so that they add up.

    Feet and tons do not, nor dollars and percent, nor dollars and euros.
    """
    units = [_one(unit) if _kinds(unit) else "" for unit in (_unit(name), _unit(other))]
    if all(units):
        return (currency(units[0]) or units[0]) == (currency(units[1]) or units[1])
    kinds = [_kinds_of(one) for one in (name, other)]
    if any("share" in each for each in kinds):
        return False
    if all(kinds):
        return not kinds[0].isdisjoint(kinds[1])
    return (kinds[0] | kinds[1]) <= {"money", "count"}


def _kinds_of(name: str) -> frozenset[str]:
    """What a column measures, by the unit of its name or by its words: costs are money."""
    stems = {root(part) for part in spelled_out(name)}
    told = frozenset(kind for kind, words in targets().units.items() if words & stems)
    return _kinds(_unit(name)) or told


def measures_else(unit: str, name: str) -> bool:
    """Whether a column is of something else than a unit measures: `height` is no kilograms."""
    held = _kinds_of(name)
    return is_physical(unit) and bool(held) and held.isdisjoint(_kinds(unit))


def is_of_kind(unit: str, name: str) -> bool:
    """Whether a column is of what a unit measures, by its words: `distance` of miles."""
    return not _kinds_of(name).isdisjoint(_kinds(unit))


def untimed(unit: str, column: Column) -> bool:
    """Whether a number is of a length of time, and a column's name tells none."""
    short = _one(unit) in _SIZES["time"]
    told = lasts(_unit(column.facts.name)) or (about_age(column) and not short)
    return lasts(unit) and not (told or _LONG.search(column.facts.name.lower()))


def lasts(said: str) -> bool:
    """Whether a word is a unit of time."""
    return "time" in _kinds(said)


def lasts_hours(said: str) -> bool:
    """Whether a word is a unit of time of an hour or less."""
    return _one(said) in _SIZES["time"]


def measures(said: str) -> bool:
    """Whether a word is a unit of anything."""
    return bool(_kinds(said))


def without_units(question: Question, columns: Sequence[Column]) -> list[ValueLink]:
    """The values of a question but those that are units: `over 20 stone`, not `5 stone arches`."""
    return [one for one in question.values if not _is_only_unit(question, one, columns)]


def _is_only_unit(question: Question, link: ValueLink, columns: Sequence[Column]) -> bool:
    """Whether a value is but the unit of a compared number, of what some column is measured in."""
    unit = question.words[link.start].text
    if link.end - link.start > 1 or link.end in question.table_words or not measures(unit):
        return False
    compared = [one for one in compared_numbers(question.text) if one.op != "="]
    behind = any(question.at(one.end) == link.start for one in compared)
    return behind and any(one.number and is_told_in(unit, one.facts.name) for one in columns)


def is_but_unit(question: Question, at: int, columns: Sequence[Column]) -> bool:
    """Whether a word is a unit and no part of a value: `50 pounds`, `in stone` of `weight_kg`."""
    texts = [word.text for word in question.words]
    told = texts[at - 1] == "in" and any(
        one.number and is_told_in(texts[at], one.facts.name) for one in columns
    )
    return told or is_said_as_unit(texts, at)


def is_said_as_unit(texts: Sequence[str], at: int) -> bool:
    """Whether a word is the unit of a number or of a rate: `50 pounds`, `per pound`."""
    unit, before = unit_at(texts, at)[0], texts[at - 1] if at else ""
    number = before[:1].isdigit() or before in SPELLED or before in _SCALES
    return (number or before == "per") and measures(unit) and not is_counted(unit)


def is_counted(said: str) -> bool:
    """Whether a word is of what is counted, not measured: rooms."""
    return _kinds(said) == {"count"}


def unit_untold(unit: str, column: Column) -> bool:
    """Whether a number is of hours or less, and a column of such tells not in what unit."""
    name, short = column.facts.name, _one(unit) in _SIZES["time"]
    told = any(map(lasts, name_parts(name)))
    return short and column.number and not told and bool(_LONG.search(name.lower()))


@lru_cache(maxsize=4096)
def _kinds(said: str) -> frozenset[str]:
    """What a unit measures: pounds are of mass and of money."""
    one = _one(said)
    return frozenset(_ALIKE.get(kind, kind) for kind, sizes in _SIZES.items() if one in sizes)


def _unit(name: str) -> str:
    """The last word, `sq ft` and `m 2` with the one before, or the first of Days Open."""
    parts = list(name_parts(name))
    if len(parts) > 1:
        before, last = _LENGTHS.get(parts[-2]), _LENGTHS.get(_one(parts[-1]))
        if parts[-1] == "2" and before:
            return f"sq {before}"
        if parts[-2] in _SQUARE and last:
            return f"sq {last}"
        if parts[-2:] == ["km", "h"]:
            return "km h"
        if parts[-1] == "m" and parts[-2] in _LASTING:
            return "month"
    first, last = (parts[0], parts[-1]) if parts else ("", "")
    return first if not _kinds(last) and first.endswith("s") else last


@lru_cache(maxsize=4096)
def _one(word: str) -> str:
    return word if word in _KNOWN else word.removesuffix("s") or word


def of_age(question: Question, column: Column, one: Compared, ages: int) -> float:
    """`People over 60`, `women who are over 60` are 60 years old; `younger than 10` of one age."""
    start = question.at(one.start)
    near = start - (question.words[max(0, start - 1)].text in _BEING)
    before = {word.text for word in question.words[0 if near < start else max(0, start - 1) : near]}
    young = ages == 1 and question.words[start].text in _AGED
    told = about_age(column) and one.op != "=" and one.number < _OLDEST
    return 1.2 * (told and (young or bool(before & _PEOPLE)))


def about_age(column: Column) -> bool:
    """Whether a column tells ages."""
    return any("age" in term.concepts for term in column.name.terms)
