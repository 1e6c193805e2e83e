"""What speaks for a condition, a selected column, an aggregate: features for the rankers."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from modelwright.engines.facts import Value
from modelwright.engines.language.rules.columns.index import Column
from modelwright.engines.language.rules.columns.values import ValueLink
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.mentions import Question
from modelwright.engines.language.rules.mentions.units import (
    about_age,
    in_units,
    of_age,
    other_way,
    unlike,
    untimed,
)
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.numbers import Compared, Op
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.stopping import heeding
from modelwright.engines.language.vocabulary import word_set
from modelwright.engines.language.written_number import as_whole

_NAMED, _FAIR, _SURE, _JOINING = 0.5, 0.7, 0.9, 2
"""How good a name is at least; so many words may join a value to its column."""
_BEYOND = 100
"""So many times the largest number of a column is none that it is compared with."""
_YEARS, _MANY = range(1900, 2100), 200
_LIKE: Mapping[Op, Op] = {"<=": "<", ">=": ">"}
"""`At most` is as much a test as `less than`, though those learnt from hold none of it."""
_TIMED = frozenset({"before", "after", "since", "until"})
_LINKS = frozenset({"is", "of", "was", "are", "were", "with", "has", "had", "in", "at", "equal"})


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
        told = _told(question, link.start, link.end, len(link.held))
        for held in heeding(question.stopped, link.held):
            if not _sign_agrees(str(held.value), link, question, numbers):
                continue
            clues = _near(question, question.mentions.of(held.column.at), link.start, link.end)
            clues |= told
            clues |= {"text": 1.0, "quoted": float(link.quoted)}
            clues |= _verbatim(question, link, str(held.value))
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
        start, end = question.at(said.start), question.at(said.end)
        holding = sum(_holds(column, said.number) for column in numeric)
        told, timed = _told(question, start, end, 1), question.words[start].text in _TIMED
        words = question.text[said.start : said.end].lower()
        unit = "".join(word.text for word in question.words[end : end + 1])
        for column in heeding(question.stopped, numeric):
            one = other_way(column, in_units(column, said, unit, words), words)
            near = question.mentions.of(column.at)
            odd, whole = untimed(unit, column), said.percent and column.hundreds
            if unlike(unit, column.facts.name) or (odd and column.identifier) or whole:
                continue
            if (column.keyed or odd) and not _called(near, _SURE):
                continue
            if _fits(column, one, near, timed) and _possible(column, one, _called(near, _FAIR)):
                clues = _near(question, near, start, end)
                clues |= told
                op = ">" if one.op == "between" and column.shape == "year" else one.op
                op = _LIKE.get(op, op)
                clues |= {f"op {op}": 1.0, "number": 1.0, "year": _years(column, one)}
                clues |= {f"unnamed op {op}": clues.get("unnamed", 0.0)}
                clues |= _held(column, one, holding)
                clues["worth"] = clues.get("worth", 0.0) + of_age(question, column, one, ages)
                value = as_whole(one.number)
                found.append(Wanted(column, one.op, value, one.upper, start, end, clues))
    return found


def _holds(column: Column, number: float) -> bool:
    return any(value == number for value, _ in column.facts.top)


def _held(column: Column, one: Compared, holding: int) -> dict[str, float]:
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


def _verbatim(question: Question, link: ValueLink, value: str) -> dict[str, float]:
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
_IN = frozenset(("to", "into", "towards", "arriving", "ended", "ending", "landing", "end"))


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
    if one.op == "=" and year and not near and column.facts.rows >= _MANY:
        return False
    return not timed or (_called(near) and not year) or column.shape == "year"


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


def _called(mentions: Sequence[Mention], least: float = _NAMED) -> bool:
    return any(one.quality >= least for one in mentions)


def _years(column: Column, one: Compared) -> float:
    low, high = column.facts.minimum, column.facts.maximum
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return 0.0
    return float(low >= 1500 and high <= 2100 and 1500 <= one.number <= 2100)  # noqa: PLR2004


def _near(
    question: Question, mentions: Sequence[Mention], start: int, end: int
) -> dict[str, float]:
    """How well and how close the column is named beside its value."""
    best: dict[str, float] = {"unnamed": 1.0}
    top, sides = 0.0, [0.0, 0.0]
    for mention in mentions:
        inside = mention.start >= start and mention.end <= end
        counted = inside and mention.start > start and question.words[start].text[0].isdigit()
        inside = inside and not counted
        if inside and (mention.end == end or not question.words[end - 1].text[0].isdigit()):
            continue
        before = mention.end <= start or inside
        gap = start - mention.end if before else mention.start - end
        worth = mention.quality / (1.0 + 0.35 * max(0, gap))
        sides[before] = max(sides[before], worth)
        if worth > top:
            top = worth
            between = question.words[mention.end : start] if before else ()
            apart = question.words[mention.end : start] or question.words[end : mention.start]
            best = {
                "named": mention.quality,
                "worth": worth,
                "before": float(before),
                "after": float(not before),
                "gap": min(8, max(0, gap)) / 8,
                "adjacent": float(gap <= 0),
                "linked": float(
                    before and 0 < gap <= 3 and all(w.text in _LINKS for w in between)  # noqa: PLR2004
                ),
                "whole": float(mention.named > 0.95),  # noqa: PLR2004
            }
            if gap <= _JOINING:
                side = "gap" if before else "then"
                best[f"{side} {' '.join(word.text for word in apart)}"] = 1.0
    if top:
        best["worth"] = top + 0.4 * min(sides)
    return best


def _beginning(question: Question, mention: Mention) -> bool:
    """Whether words only begin a longer name: `lost` of Lost Reason names no column by itself."""
    own = [term.stem for term in mention.column.name.terms]
    said = {word.stem for word in question.words[mention.start : mention.end]}
    return mention.named < _FAIR and bool(said & set(own[:-1])) and own[-1] not in said


def _told(question: Question, start: int, end: int, rivals: int) -> dict[str, float]:
    span = question.words[start:end]
    inside = [
        m.quality
        for m in question.mentions.over(start)
        if m.end >= end
        and m.explained > 0.95  # noqa: PLR2004
        and not _beginning(question, m)
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
