"""What speaks for a condition, a selected column, an aggregate: features for the rankers."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from modelwright.engines.facts import Value
from modelwright.engines.language.rules.columns.index import Column
from modelwright.engines.language.rules.columns.values import ValueLink
from modelwright.engines.language.rules.mentions.mention import (
    EXACTLY_NAMED,
    NAMED,
    WHOLLY_NAMED,
    Mention,
)
from modelwright.engines.language.rules.mentions.mentions import Question
from modelwright.engines.language.rules.mentions.units import (
    about_age,
    in_units,
    is_told_in,
    lasts,
    measures,
    of_age,
    other_currency,
    other_way,
    unit_at,
    unlike,
    untimed,
)
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.numbers import Compared, Op
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.stopping import heeding
from modelwright.engines.language.rules.text.words import name_parts
from modelwright.engines.language.vocabulary import word_set
from modelwright.engines.language.written_number import as_whole

_FAIRLY_NAMED = 0.7
"""How good a mention is at least of a column that may be compared with a number it hasn't."""
_MOST_JOINING = 2
"""So many words may join a value to its column."""
_BEYOND = 100
"""So many times the largest number of a column is none that it is compared with."""
_YEARS = range(1900, 2100)
"""Numbers that are taken for years."""
_MANY_ROWS = 200
"""With so many rows a year is no other number by chance."""
_GLUED = re.compile(r"[a-zA-Z]{2,}")
"""A unit that is written to its number."""
_LIKE: Mapping[Op, Op] = {"<=": "<", ">=": ">"}
"""`At most` is as much a test as `less than`, though those learnt from hold none of it."""
_TIMED = word_set("lookups.timed")
_LINKS = word_set("lookups.links")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A condition that a question may ask for, with the words it stands on."""

    column: Column
    op: Op
    value: Value
    upper: Value | None
    start: int
    end: int
    features: dict[str, float]


def possible_conditions(
    question: Question, numbers: Sequence[Compared], columns: Sequence[Column]
) -> list[Wanted]:
    """Lists every value and number with every column that could hold it."""
    found: list[Wanted] = []
    for link in question.values:
        told = _word_clues(question, link.start, link.end, len(link.held))
        for held in heeding(question.stopped, link.held):
            if not _sign_agrees(str(held.value), link, question, numbers):
                continue
            clues = _place_clues(
                question, question.mentions.of(held.column.at), link.start, link.end
            )
            clues |= told
            clues |= {"text": 1.0, "quoted": float(link.quoted)}
            clues |= _verbatim_clues(question, link, str(held.value))
            clues["worth"] = clues.get("worth", 0.0) + _direction(question, held.column, link.start)
            clues["worth"] += float(str(held.value)[:1] in "<>" and clues["digits"])
            found.append(Wanted(held.column, "=", held.value, None, link.start, link.end, clues))
    found += _numbered(question, numbers, columns)
    groups: dict[tuple[int, int], list[dict[str, float]]] = {}
    for made in found:
        groups.setdefault((made.start, made.end), []).append(made.features)
    for group in groups.values():
        compare(group, "worth")
    return found


def _numbered(
    question: Question, numbers: Sequence[Compared], columns: Sequence[Column]
) -> list[Wanted]:
    """Lists every number with every column that could hold it."""
    found: list[Wanted] = []
    numeric = [column for column in columns if column.number]
    ages = sum(map(about_age, numeric))
    for said in numbers:
        if said.op == "=" and _in_a_name(question, said.number, numeric):
            continue
        start, end = question.at(said.start), question.at(said.end)
        holding = sum(_holds(column, said.number) for column in numeric)
        told, timed = _word_clues(question, start, end, 1), question.words[start].text in _TIMED
        words = question.text[said.start : said.end].lower()
        unit = _unit_behind(question, said, end)
        has_unit = measures(unit) and not lasts(unit)
        if has_unit and _is_named_otherwise(question, numeric, start, unit):
            continue
        told_so = has_unit and any(is_told_in(unit, column.facts.name) for column in numeric)
        for column in heeding(question.stopped, numeric):
            near = question.mentions.of(column.at)
            if not _agrees(column, said, unit, near):
                continue
            if told_so and not is_told_in(unit, column.facts.name):
                continue
            one = other_way(column, in_units(column, said, unit, words), words)
            named = _is_named(near, _FAIRLY_NAMED)
            if _fits(column, one, near, timed) and _possible(column, one, named):
                clues = _place_clues(question, near, start, end) | told
                clues |= _number_clues(column, one, clues.get("unnamed", 0.0))
                clues |= _held_clues(column, one, holding)
                clues["worth"] = clues.get("worth", 0.0) + of_age(question, column, one, ages)
                value = as_whole(one.number)
                found.append(Wanted(column, one.op, value, one.upper, start, end, clues))
    return found


def _unit_behind(question: Question, said: Compared, end: int) -> str:
    """The word or words behind a number, which may be its unit: `5 km`, `5km`."""
    glued = _GLUED.match(question.text, said.end)
    if glued:
        return glued.group().lower()
    after = [word.text for word in question.words[end : end + 3]]
    return unit_at(after, 0)[0] if after else ""


def _is_named_otherwise(
    question: Question, numeric: Sequence[Column], start: int, unit: str
) -> bool:
    """Whether the columns named right before a number are of no such unit: `speed over 40 kg`."""
    beside = [
        column
        for column in numeric
        if any(one.end == start and one.quality >= NAMED for one in question.mentions.of(column.at))
    ]
    return bool(beside) and all(unlike(unit, column.facts.name) for column in beside)


def _in_a_name(question: Question, number: float, columns: Sequence[Column]) -> bool:
    """Whether a year is said for a column called so: `area in 2020` of a column Area 2020."""
    year, stems = f"{number:g}", {term.stem for term in question.terms}
    named = (one for one in columns if number in _YEARS and year in name_parts(one.facts.name))
    return any(
        term.stem in stems for one in named for term in one.name.terms if term.text.isalpha()
    )


def _agrees(column: Column, said: Compared, unit: str, near: Sequence[Mention]) -> bool:
    """Whether a column may be of a number's unit; keys are none unless they are named."""
    odd = untimed(unit, column)
    percent = said.percent and column.hundreds
    unfit = unlike(unit, column.facts.name) or other_currency(unit, column.facts.name)
    if percent or (odd and column.identifier) or unfit:
        return False
    return not (column.keyed or odd) or _is_named(near, WHOLLY_NAMED)


def _number_clues(column: Column, one: Compared, unnamed: float) -> dict[str, float]:
    """How a number is compared; `unnamed` is 1 where the column is not named beside it."""
    op = ">" if one.op == "between" and column.shape == "year" else one.op
    op = _LIKE.get(op, op)
    year = _is_year(column, one)
    return {f"op {op}": 1.0, "number": 1.0, "year": year, f"unnamed op {op}": unnamed}


def _holds(column: Column, number: float) -> bool:
    return any(value == number for value, _ in column.facts.top)


def _held_clues(column: Column, one: Compared, holding: int) -> dict[str, float]:
    """Whether the column holds the number, alone of all, and how particular the number is."""
    held = float(one.op == "=" and _holds(column, one.number))
    digits = len(str(one.number).removesuffix(".0").strip("-0.").replace(".", ""))
    return {
        "held": held,
        "held alone": held * (holding == 1),
        "held by all": held / max(1, holding),
        "particular": held * min(5, digits) / 5,
        "equal not held": float(one.op == "=" and not held),
    }


def _inside_longer(question: Question, start: int, end: int) -> float:
    """Whether the words are a part of a longer value: 2 of `2 (3)`, New York of `New York City`."""
    return float(
        any(
            one.exact
            and one.start <= start
            and end <= one.end
            and one.end - one.start > end - start
            for one in question.values
        )
    )


def _verbatim_clues(question: Question, link: ValueLink, value: str) -> dict[str, float]:
    """Whether the value stands in the question letter by letter, and how particular it is."""
    words = question.words
    said = question.text[words[link.start].start : words[link.end - 1].end].lower()
    same = float(said == value.lower())
    signs = any(not letter.isalnum() and letter != " " for letter in value)
    mixed = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    return {
        "verbatim": same,
        "verbatim with signs": same * signs,
        "verbatim mixed": same * mixed,
        "verbatim long": same * min(20, len(value)) / 20,
    }


_FROM = pattern("clues from")
_TO = pattern("clues to")

_OUT = word_set("lookups.setting_out")
_IN = word_set("lookups.arriving")


def _direction(question: Question, column: Column, start: int) -> float:
    """`from` goes with pickups and origins, `to` with destinations."""
    before = [word.text for word in question.words[max(0, start - 3) : start]]
    name = [term.text for term in column.name.terms]
    for word in reversed(before):
        if word in _OUT:
            return 0.5 * any(_FROM.fullmatch(part) for part in name)
        if word in _IN:
            return 0.5 * any(_TO.fullmatch(part) for part in name)
    return 0.02 * any(_FROM.fullmatch(part) for part in name)


def _sign_agrees(
    value: str, link: ValueLink, question: Question, numbers: Sequence[Compared]
) -> bool:
    """`over 50K` is the band >50K, not <=50K; more than 100 is no text `100`."""
    if not ((signed := value[:1] in "<>") or value.isdigit()):
        return True
    low, high = question.words[link.start].start, question.words[link.end - 1].end
    ops = {one.op for one in numbers if one.start < high and low < one.end and one.op != "="}
    return not ops or value[0] in {op[0] for op in ops} if signed else not ops & {"<", ">"}


def compare(group: Sequence[dict[str, float]], key: str) -> None:
    """Adds to each candidate of a group whether it leads the others by a clue, and by how much."""
    told = sorted((one.get(key, 0.0) for one in group), reverse=True)
    for one in group:
        mine = one.get(key, 0.0)
        rival = told[1] if len(told) > 1 and mine == told[0] else told[0]
        one[f"{key} leads"] = float(mine == told[0] and mine > 0)
        one[f"{key} ahead"] = mine - rival if len(told) > 1 else mine
    for one in group:
        one["candidates"] = math.log(len(group))


def _fits(column: Column, one: Compared, near: Sequence[Mention], timed: bool) -> bool:
    """Whether a number may be one of the column's: `before 1990` speaks of years."""
    year = one.number in _YEARS and column.shape != "year"
    if one.op == "=" and year and not near and column.facts.rows >= _MANY_ROWS:
        return False
    return not timed or (_is_named(near) and not year) or column.shape == "year"


def _possible(column: Column, one: Compared, named: bool) -> bool:
    if not named and one.op == "=" and len(column.facts.top) == column.facts.distinct:
        return any(value == one.number for value, _ in column.facts.top)
    low, high = column.facts.minimum, column.facts.maximum
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return False
    if one.op == "=":
        return low <= one.number <= high
    if one.op in {">", ">="}:
        return one.number <= high if named else low <= one.number <= high
    if one.op in {"<", "<="}:
        return low <= one.number and (one.number <= high or (named and one.number < _BEYOND * high))
    return named or low <= one.number <= high


def _is_named(mentions: Sequence[Mention], least: float = NAMED) -> bool:
    return any(one.quality >= least for one in mentions)


def _is_year(column: Column, one: Compared) -> float:
    low, high = column.facts.minimum, column.facts.maximum
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return 0.0
    return float(low >= 1500 and high <= 2100 and 1500 <= one.number <= 2100)  # noqa: PLR2004


def _place_clues(
    question: Question, mentions: Sequence[Mention], start: int, end: int
) -> dict[str, float]:
    """How well and how close the column is named beside its value."""
    words, best, top, sides = question.words, None, 0.0, [0.0, 0.0]
    for mention in mentions:
        counted = mention.start > start and words[start].text[0].isdigit()
        inside = start <= mention.start and mention.end <= end and not counted
        if inside and (mention.end == end or not words[end - 1].text[0].isdigit()):
            continue
        before = mention.end <= start or inside
        gap = start - mention.end if before else mention.start - end
        worth = mention.quality / (1.0 + 0.35 * max(0, gap))
        sides[before] = max(sides[before], worth)
        if worth > top:
            best, top = (mention, before, gap), worth
    if best is None:
        return {"unnamed": 1.0}
    mention, before, gap = best
    between = words[mention.end : start]
    linked = before and 0 < gap <= 3 and all(w.text in _LINKS for w in between)  # noqa: PLR2004
    clues = {
        "named": mention.quality,
        "worth": top + 0.4 * min(sides),
        "before": float(before),
        "after": float(not before),
        "gap": min(8, max(0, gap)) / 8,
        "adjacent": float(gap <= 0),
        "linked": float(linked),
        "whole": float(mention.named > EXACTLY_NAMED),
    }
    if gap <= _MOST_JOINING:
        apart = " ".join(word.text for word in between or words[end : mention.start])
        clues[f"{'gap' if before else 'then'} {apart}"] = 1.0
    return clues


def _only_begins_name(question: Question, mention: Mention) -> bool:
    """Whether words only begin a longer name: `lost` of Lost Reason names no column by itself."""
    own = [term.stem for term in mention.column.name.terms]
    said = {word.stem for word in question.words[mention.start : mention.end]}
    return mention.named < _FAIRLY_NAMED and bool(said & set(own[:-1])) and own[-1] not in said


def _word_clues(question: Question, start: int, end: int, rivals: int) -> dict[str, float]:
    span = question.words[start:end]
    inside = [
        m.quality
        for m in question.mentions.over(start)
        if m.end >= end and m.explained > EXACTLY_NAMED and not _only_begins_name(question, m)
    ]
    known = lexicon().stop
    return {
        "words": min(5, end - start),
        "letters": min(20, sum(len(word.text) for word in span)) / 10,
        "rivals": math.log(max(1, rivals)),
        "digits": float(all(word.text[0].isdigit() for word in span)),
        "short": float(sum(len(word.text) for word in span) <= 2),  # noqa: PLR2004
        "stop": float(all(word.text in known for word in span)),
        "capital": float(any(word.raw[0].isupper() for word in span) and start > 0),
        "is a name": max(inside, default=0.0),
        "inside longer": _inside_longer(question, start, end),
        "first": float(start <= 1),
    }
