"""What speaks for a condition, a selected column, an aggregate: features for the rankers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from modelwright.engines.facts import Value
from modelwright.engines.language.index import Column
from modelwright.engines.language.lexicon import lexicon
from modelwright.engines.language.mentions import Mention, Question, ValueLink
from modelwright.engines.language.numbers import Compared, Op
from modelwright.engines.language.pair_clues import asked_words, pair_clues
from modelwright.engines.language.patterns import pairs, pattern, word_set

_OLDEST = 120
_WH = frozenset({"what", "which", "whats", "name", "show", "tell", "many", "much"})
_LINKS = frozenset({"is", "of", "was", "are", "were", "with", "has", "had", "in", "at", "equal"})
_ROLES = pairs("clues roles")


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
    by_column: dict[int, list[Mention]] = {}
    for mention in question.mentions:
        by_column.setdefault(mention.column.at, []).append(mention)
    for link in question.values:
        for held in link.held:
            if not _sign_agrees(str(held.value), link, question, numbers):
                continue
            clues = _near(question, by_column.get(held.column.at, ()), link.start, link.end)
            clues |= _told(question, link.start, link.end, len(link.held))
            clues |= {"text": 1.0, "quoted": float(link.quoted)}
            clues["worth"] = clues.get("worth", 0.0) + _direction(question, held.column, link.start)
            clues["worth"] += float(str(held.value)[:1] in "<>" and clues["digits"])
            found.append(Wanted(held.column, "=", held.value, None, link.start, link.end, clues))
    for one in numbers:
        start, end = question.at(one.start), question.at(one.end)
        for column in columns:
            if column.number and _possible(column, one, column.at in by_column):
                clues = _near(question, by_column.get(column.at, ()), start, end)
                clues |= _told(question, start, end, 1)
                clues |= {f"op {one.op}": 1.0, "number": 1.0, "year": _years(column, one)}
                clues |= {f"unnamed op {one.op}": clues.get("unnamed", 0.0)}
                clues["worth"] = clues.get("worth", 0.0) + _of_age(question, column, one, start)
                value = int(one.number) if float(one.number).is_integer() else one.number
                found.append(Wanted(column, one.op, value, one.upper, start, end, clues))
    groups: dict[tuple[int, int], list[dict[str, float]]] = {}
    for made in found:
        groups.setdefault((made.start, made.end), []).append(made.features)
    for group in groups.values():
        compare(group, "worth")
    return found


_FROM = pattern("clues from")
_TO = pattern("clues to")


_OUT = word_set("clues out")
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
    """`over 50K` is the band >50K, not <=50K."""
    if value[:1] not in "<>":
        return True
    low, high = question.words[link.start].start, question.words[link.end - 1].end
    ops = {one.op[0] for one in numbers if one.start < high and low < one.end and one.op != "="}
    return not ops or value[0] in ops


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


def _possible(column: Column, one: Compared, named: bool) -> bool:
    if not named and one.op == "=" and len(column.facts.top) == column.facts.distinct:
        return any(value == one.number for value, _ in column.facts.top)
    low, high = column.facts.minimum, column.facts.maximum
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return False
    if one.op == "=":
        return low <= one.number <= high
    if one.op in {">", ">="}:
        return one.number <= high and (named or low <= one.number)
    if one.op in {"<", "<="}:
        return low <= one.number and (named or one.number <= high)
    return named or low <= one.number <= high


_PEOPLE = word_set("clues people")


def _of_age(question: Question, column: Column, one: Compared, start: int) -> float:
    """`People over 60` are 60 years old."""
    about = any("age" in term.concepts for term in column.name.terms)
    before = {word.text for word in question.words[max(0, start - 1) : start]}
    return 1.2 * (about and one.op != "=" and one.number < _OLDEST and bool(before & _PEOPLE))


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
        if inside and (mention.end == end or not question.words[end - 1].text[0].isdigit()):
            continue
        before = mention.end <= start or inside
        gap = start - mention.end if before else mention.start - end
        worth = mention.quality / (1.0 + 0.35 * max(0, gap))
        sides[before] = max(sides[before], worth)
        if worth > top:
            top = worth
            between = question.words[mention.end : start] if before else ()
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
    if top:
        best["worth"] = top + 0.4 * min(sides)
    return best


def _told(question: Question, start: int, end: int, rivals: int) -> dict[str, float]:
    span = question.words[start:end]
    inside = [
        m.quality
        for m in question.mentions
        if m.start <= start and m.end >= end and m.explained > 0.95  # noqa: PLR2004
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
        "first": float(start <= 1),
    }


def all_select_clues(
    question: Question,
    columns: Sequence[Column],
    spans: Sequence[tuple[int, int]],
    used: frozenset[int],
) -> list[dict[str, float]]:
    """The clues of every column, compared with each other."""
    asked = asked_words(question, spans)
    found = [
        select_clues(question, column, spans, used) | pair_clues(asked, column)
        for column in columns
    ]
    free = [one for one in found if not one["used"]]
    for key in ("quality", "after wh", "early quality"):
        compare(free, key)
    return found


def select_clues(
    question: Question, column: Column, spans: Sequence[tuple[int, int]], used: frozenset[int]
) -> dict[str, float]:
    """What speaks for a column being asked for; `spans` are the words of conditions."""
    text = question.text.lower()
    clues: dict[str, float] = {
        "used": float(column.at in used),
        "number": float(column.number),
        "first column": float(column.at == 0),
        "identifier": float(column.identifier),
    }
    name = column.facts.name.lower()
    unnamed = "" if any(m.column.at == column.at for m in question.mentions) else " unnamed"
    for role, asks, fits in _ROLES:
        if asks.search(text):
            clues[f"{role} {'fits' if fits.search(name) else 'not'}"] = 1.0
            clues[f"{role} {'fits' if fits.search(name) else 'not'}{unnamed}"] = 1.0
            clues[f"{role} {column.facts.type}"] = 1.0
    outside = [
        m
        for m in question.mentions
        if m.column.at == column.at
        and not any(low <= m.start and m.end <= high for low, high in spans)
    ]
    if not outside:
        clues["unnamed"] = 1.0
        return clues
    return clues | _best_named(question, outside, spans, column.at in used)


def _best_named(
    question: Question,
    outside: Sequence[Mention],
    spans: Sequence[tuple[int, int]],
    used: bool,
) -> dict[str, float]:
    """How well, where and after which words the column is named."""
    best = max(outside, key=lambda m: m.quality - 0.015 * m.start)
    before = {word.text for word in question.words[max(0, best.start - 3) : best.start]}
    close = min((abs(low - best.end) for low, _ in spans if low >= best.end), default=9)
    return {
        "quality": best.quality,
        "named": best.named,
        "explained": best.explained,
        "early quality": best.quality / (1 + 0.1 * best.start),
        "exact": float(best.named > 0.95 and best.explained > 0.95),  # noqa: PLR2004
        "length": min(4, best.end - best.start),
        "place": min(1.0, best.start / 12),
        "after wh": float(bool(before & _WH)),
        "first words": float(best.start <= 2),  # noqa: PLR2004
        "early": float(best.start <= 4),  # noqa: PLR2004
        "before value": float(close <= 1),
        "near value": float(close <= 3),  # noqa: PLR2004
        "after with": float(bool(before & {"with", "when", "where", "if", "has", "have", "for"})),
        "used and named": float(used) * best.quality,
        "last": float(best.end >= len(question.words) - 1),
        "mentions": min(3, len(outside)),
    }  # fmt: skip
