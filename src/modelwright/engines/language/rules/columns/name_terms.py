"""Columns' names as terms: what their words mean and how much each matters.

`cust_addr_cd` is read by its parts, and not every part counts alike: a word that all columns share
tells none of them apart. The weights are found once for a table, so that every question weighs
names the same way.
"""

import math
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.columns.linking import Name, Term
from modelwright.engines.language.rules.text.lexicon import Phrases, lexicon
from modelwright.engines.language.rules.text.related import related
from modelwright.engines.language.rules.text.roots import root
from modelwright.engines.language.rules.text.targets import (
    LONGEST,
    NUMBERED,
    group,
    is_thing,
    listed,
    targets,
)
from modelwright.engines.language.rules.text.words import name_parts, squeezed
from modelwright.engines.language.vocabulary import word_set

_QUALIFIER_WEIGHT = 0.3
"""What a word matters that only qualifies others, where one that tells matters 1."""
_BESIDE_WEIGHT = 0.05
"""What a word matters that says next to nothing."""
_SHORTEST_PART = 4
"""In letters: shorter parts of a word are known words by chance."""
_LONGEST_APART = 5
"""In letters: shorter words written apart are two by chance."""
_CIRCUMSTANCES = word_set("names.circumstances")
_PER = "per"
_EVERY = word_set("times.how_often") | {"hourly"}
"""How often something is counted, which is no time it takes."""
_NUMBERS = frozenset({"integer", "float"})
_AGE = frozenset({"age"})
_YEAR = root("year")
"""Told after another measure, it is how often that is counted: `premium_year`."""
_YES_OR_NO = frozenset({"is", "has", "was"})
"""Words that columns of yes or no begin with; never part of the next word."""


def column_names(columns: Sequence[ColumnFacts]) -> list[Name]:
    """Reads columns' names as terms; a word that many share matters less."""
    return list(_names(tuple((one.name, one.type in _NUMBERS) for one in columns)))


@lru_cache(maxsize=8)
def _names(columns: tuple[tuple[str, bool], ...]) -> tuple[Name, ...]:
    """Reads names, each with whether its column has numbers; an intent asks for them many times."""
    spelled = [_spelled_out(*column) for column in columns]
    shared = Counter(word for parts in spelled for word in {root(part) for part in parts})
    return tuple(
        Name(name, _terms(name, parts, shared))
        for (name, _), parts in zip(columns, spelled, strict=True)
    )


def _spelled_out(name: str, is_number: bool) -> tuple[str, ...]:
    short, parts = targets().abbreviations, name_parts(name)
    whole = squeezed(name)
    if whole in short:
        return short[whole]
    parts = _as_one(parts)
    if len(parts) > 1 and parts[-1] in {"min", "mins"} and is_number:
        parts = (*parts[:-1], "minutes")
    if len(parts) > 1 and parts[-1] in NUMBERED:
        parts = (*parts[:-1], "code")
    return tuple(
        word for part in parts for whole in _split(part) for word in short.get(whole, (whole,))
    )


def _as_one(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Joins what a name writes apart and known ones as one word: `OverTime`, `Drop_Out`."""
    for at in range(len(parts) - 1):
        whole = parts[at] + parts[at + 1]
        if parts[at] in _YES_OR_NO or not parts[at].isalpha():
            continue
        if len(whole) > _LONGEST_APART and whole in listed():
            return _as_one((*parts[:at], whole, *parts[at + 2 :]))
    return parts


@lru_cache(maxsize=16384)
def _split(part: str) -> tuple[str, ...]:
    """Splits what a name writes as one word, as `loanstatus`, where two known ones meet."""
    known = listed()
    if part in known or part.removesuffix("s") in known or part in targets().abbreviations:
        return (part,)
    found = [
        (part[:at], part[at:])
        for at in range(_SHORTEST_PART, len(part) - _SHORTEST_PART + 1)
        if part[:at] in known and (part[at:] in known or part[at:].removesuffix("s") in known)
    ]
    return found[0] if len(found) == 1 else (part,)


def _terms(name: str, parts: tuple[str, ...], shared: Counter[str]) -> tuple[Term, ...]:
    stems = [root(part) for part in parts]
    plain = _telling(parts, stems)
    held = _concepts(stems, [root(part) for part in name_parts(name)])
    fields = [
        found if length > 1 or stems[at] in plain else frozenset[str]()
        for at, (found, length) in enumerate(related(stems))
    ]
    return tuple(
        Term(
            part,
            word,
            held[at],
            _matter(word, plain, shared[word]),
            _loosely(stems, at),
            fields=fields[at],
        )
        for at, (part, word) in enumerate(zip(parts, stems, strict=True))
    )


def _telling(parts: Sequence[str], stems: Sequence[str]) -> list[str]:
    """The stems that tell what a column holds; each step keeps all where it would keep none."""
    weak = lexicon().qualifiers | group("measures")
    found = [word for word in stems if word not in weak and not word.isdigit()]
    found = [word for word in found if word not in group("light")] or found
    aside = _aside(parts)
    found = [word for word in found if stems.index(word) < aside] or found
    own = [root(part) for part in parts if not is_thing(part)]
    return [word for word in found if word in own] or found


def _concepts(stems: Sequence[str], raw: Sequence[str]) -> list[frozenset[str]]:
    """What each word of a name holds, spelled out and, by `raw`, as it is written."""
    known, unless_alone = targets().of_names, group("vague") | group("generic")
    held = [_held(stems, at, known, unless_alone) for at in range(len(stems))]
    if raw == stems:
        return held
    written = [_held(raw, at, known, unless_alone) for at in range(len(raw))]
    if len(raw) == len(stems):
        return [one | as_written for one, as_written in zip(held, written, strict=True)]
    every = frozenset[str]().union(*written)
    return [one | every for one in held]


def _aside(parts: Sequence[str]) -> int:
    """Gives where a name turns to circumstances: at the `in` of `damaged_in_transit`."""
    return next((at for at, part in enumerate(parts) if at and part in _CIRCUMSTANCES), len(parts))


def _loosely(stems: Sequence[str], at: int) -> frozenset[str]:
    vague = (
        _held(stems, at, targets().of_names, group("generic"))
        if stems[at] in group("vague")
        else frozenset()
    )
    return vague | _held(stems, at, targets().loosely, group("generic"))


def _held(
    stems: Sequence[str], at: int, phrases: Phrases, unless_alone: AbstractSet[str]
) -> frozenset[str]:
    """All concepts of phrases of the name around one of its words."""
    found = frozenset[str]()
    alone = sum(word not in group("beside") and not word.isdigit() for word in stems) <= 1
    for start in range(max(0, at - LONGEST), at + 1):
        for end in range(at + 1, min(start + LONGEST, len(stems)) + 1):
            phrase = tuple(stems[start:end])
            if alone or len(phrase) > 1 or phrase[0] not in unless_alone:
                found |= phrases.get(phrase, frozenset())
    return found


def _matter(word: str, plain: Sequence[str], times: int) -> float:
    if plain and word in group("beside"):
        return _BESIDE_WEIGHT
    qualifies = bool(plain) and word not in plain
    return (_QUALIFIER_WEIGHT if qualifies or not word else 1.0) / (1.0 + 0.5 * math.log(times))


def units_of(name: Name) -> frozenset[str]:
    """Names what a column may be measured in, as told by its name; not what it is counted in."""
    read = [
        [root(part) for part in parts if part not in _EVERY]
        for parts in ([term.text for term in name.terms], name_parts(name.written))
    ]
    stems = {stem for one in read for stem in (one[: one.index(_PER)] if _PER in one else one)}
    found = frozenset(unit for unit, words in targets().units.items() if words & stems)
    if not targets().units["age"] & (stems - {_YEAR}):
        found = found - _AGE or found
    return found & _AGE or found
