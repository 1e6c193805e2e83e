"""What is known of things to predict: outcomes in many wordings, and how columns spell them."""

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.lexicon import LONGEST_PHRASE, Phrases, lexicon
from modelwright.engines.language.linking import Name, Term
from modelwright.engines.language.related import related
from modelwright.engines.language.roots import root, root_of_stem
from modelwright.engines.language.words import Word, name_parts, squeezed

_GAP = ".."
_WIDEST_GAP = 4
_LONGEST = LONGEST_PHRASE + 1
_QUALIFIER, _BESIDE = 0.3, 0.05
_KEYS = frozenset({"id", "uid", "uuid", "guid", "key", "ref"})
_NUMBERED = frozenset({"no", "nr", "nbr", "number"})
_CIRCUMSTANCES = frozenset({"in", "on", "by", "at", "within", "during", "after", "before", "when"})
_AGE = frozenset({"age"})
_SHORTEST_PART, _LONGEST_APART = 4, 5
_FEWEST_KEYS = 20
_NUMBERED_SHARE, _UNIQUE_SHARE = 0.01, 0.9
Gapped = Mapping[str, tuple[tuple[tuple[str, ...], tuple[str, ...], frozenset[str]], ...]]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a word of a sentence speaks of: its own phrase, shorter ones, and the phrase's words."""

    concepts: frozenset[str] = frozenset()
    weak: frozenset[str] = frozenset()
    length: int = 0
    """How many telling words the phrase has."""
    phrase: bool = False
    """Whether it is more than one word, telling or not."""
    share: float = 1.0
    """How much of the phrase this word carries."""
    fields: frozenset[str] = frozenset()
    """The fields of words that belong together around it."""


@dataclass(frozen=True, slots=True)
class Targets:
    """The lexicon with all that is known of outcomes."""

    of_words: Phrases
    gapped: Gapped
    """By the first stem: the words before a gap, those after it, and their concepts."""
    of_names: Phrases
    loosely: Phrases
    """Stems of names that hold a concept only for want of a better column."""
    abbreviations: Mapping[str, tuple[str, ...]]
    entities: frozenset[str]
    units: Mapping[str, frozenset[str]]
    groups: Mapping[str, frozenset[str]]
    """Stems of words that are treated alike, by what the group is called."""
    outcomes: frozenset[str]
    """Concepts of what befalls rows, as against what they are."""
    domains: tuple[tuple[re.Pattern[str], frozenset[str]], ...]
    """What a sentence may be about, and the stems one of which such a table's columns hold."""


@lru_cache(maxsize=1)
def targets() -> Targets:
    """Reads the word lists once."""
    raw = json.loads((files(__package__) / "targets.json").read_text("utf-8"))
    base = lexicon()
    said = [(p, name) for name, sides in raw["concepts"].items() for p in sides["words"]]
    held = [(p, name) for name, sides in raw["concepts"].items() for p in sides["columns"]]
    loose = [(p, name) for name, sides in raw["concepts"].items() for p in sides.get("loosely", ())]
    return Targets(
        _joined(base.of_words, [one for one in said if _GAP not in one[0]]),
        _gapped([one for one in said if _GAP in one[0]]),
        _without(_joined(base.of_names, held), loose),
        _joined({}, loose),
        base.abbreviations
        | {short: tuple(full.split()) for short, full in raw["abbreviations"].items()},
        frozenset(raw["entities"]),
        {unit: frozenset(map(root, words)) for unit, words in raw["units"].items()},
        {name: frozenset(map(root, words)) for name, words in raw["groups"].items()},
        frozenset(raw["outcomes"]),
        tuple(
            (
                re.compile(rf"\b(?:{'|'.join(sides['words'])})\b"),
                frozenset(map(root, sides["columns"])),
            )
            for sides in raw["domains"].values()
        ),
    )


def group(name: str) -> frozenset[str]:
    """Gives the stems of a group of words."""
    return targets().groups[name]


def _stems(phrase: str) -> tuple[str, ...]:
    return tuple(map(root, phrase.split()))


def _joined(base: Phrases, more: Sequence[tuple[str, str]]) -> Phrases:
    found: dict[tuple[str, ...], set[str]] = {}
    for known, concepts in base.items():
        found.setdefault(tuple(map(root_of_stem, known)), set()).update(concepts)
    for phrase, concept in more:
        found.setdefault(_stems(phrase), set()).add(concept)
    return {phrase: frozenset(concepts) for phrase, concepts in found.items()}


def _without(phrases: Phrases, less: Sequence[tuple[str, str]]) -> Phrases:
    taken = _joined({}, less)
    return {phrase: found - taken.get(phrase, frozenset()) for phrase, found in phrases.items()}


def _gapped(said: Sequence[tuple[str, str]]) -> Gapped:
    found: dict[tuple[tuple[str, ...], tuple[str, ...]], set[str]] = {}
    for phrase, concept in said:
        before, _, after = phrase.partition(_GAP)
        found.setdefault((_stems(before), _stems(after)), set()).add(concept)
    by_stem: dict[str, list[tuple[tuple[str, ...], tuple[str, ...], frozenset[str]]]] = {}
    for (first, last), concepts in found.items():
        by_stem.setdefault(first[0], []).append((first, last, frozenset(concepts)))
    return {word: tuple(phrases) for word, phrases in by_stem.items()}


def meanings(found: Sequence[Word]) -> list[Meaning]:
    """Gives every word what the longest phrase around it speaks of, and what shorter ones do."""
    stems = [root(word.text) for word in found]
    telling = [word.text not in lexicon().stop for word in found]
    runs = [(list(range(start, end)), concepts) for start, end, concepts in _runs(stems)]
    best = [Meaning() for _ in stems]
    for places, concepts in sorted(
        runs + _wide_runs(stems), key=lambda run: (sum(telling[at] for at in run[0]), len(run[0]))
    ):
        heads = [at for at in places if telling[at]]
        length, share = len(heads) or len(places), 1.0 / (len(heads) or len(places))
        for at in places:
            carried = share if telling[at] or not heads else 0.0
            best[at] = _more(
                best[at], Meaning(concepts, frozenset(), length, len(places) > 1, carried)
            )
    return [
        replace(about, fields=fields) if telling[at] or length > 1 else about
        for at, (about, (fields, length)) in enumerate(zip(best, related(stems), strict=True))
    ]


def _more(old: Meaning, new: Meaning) -> Meaning:
    if (new.length, new.phrase) <= (old.length, old.phrase):
        concepts = old.concepts | new.concepts
        return replace(old, concepts=concepts, share=max(old.share, new.share))
    return replace(new, weak=old.weak | old.concepts)


def _runs(stems: Sequence[str]) -> list[tuple[int, int, frozenset[str]]]:
    phrases = targets().of_words
    return [
        (start, end, found)
        for start in range(len(stems))
        for end in range(start + 1, min(start + _LONGEST, len(stems)) + 1)
        if (found := phrases.get(tuple(stems[start:end])))
    ]


def _wide_runs(stems: Sequence[str]) -> list[tuple[list[int], frozenset[str]]]:
    known, found = targets().gapped, []
    for start, word in enumerate(stems):
        for first, last, concepts in known.get(word, ()):
            end = start + len(first)
            if tuple(stems[start:end]) != first:
                continue
            again = _after(stems, last, end)
            if again is not None:
                found.append(([*range(start, end), *range(again, again + len(last))], concepts))
    return found


def _after(stems: Sequence[str], part: tuple[str, ...], end: int) -> int | None:
    places = range(end, min(end + _WIDEST_GAP, len(stems)))
    return next((at for at in places if tuple(stems[at : at + len(part)]) == part), None)


def column_names(columns: Sequence[ColumnFacts]) -> list[Name]:
    """Reads columns' names as terms; a word that many share matters less."""
    spelled = [_spelled_out(column) for column in columns]
    shared = Counter(word for parts in spelled for word in {root(part) for part in parts})
    return [
        Name(column.name, _terms(column.name, parts, shared))
        for column, parts in zip(columns, spelled, strict=True)
    ]


def _spelled_out(column: ColumnFacts) -> tuple[str, ...]:
    short, parts = targets().abbreviations, name_parts(column.name)
    whole = squeezed(column.name)
    if whole in short:
        return short[whole]
    parts = _as_one(parts)
    if len(parts) > 1 and parts[-1] in {"min", "mins"} and column.type in {"integer", "float"}:
        parts = (*parts[:-1], "minutes")
    if len(parts) > 1 and parts[-1] in _NUMBERED:
        parts = (*parts[:-1], "code")
    return tuple(
        word for part in parts for whole in _split(part) for word in short.get(whole, (whole,))
    )


def _as_one(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Joins what a name writes apart and known ones as one word: `OverTime`, `Drop_Out`."""
    for at in range(len(parts) - 1):
        whole = parts[at] + parts[at + 1]
        if parts[at].isalpha() and len(whole) > _LONGEST_APART and whole in _written():
            return _as_one((*parts[:at], whole, *parts[at + 2 :]))
    return parts


@lru_cache(maxsize=16384)
def _split(part: str) -> tuple[str, ...]:
    """Splits what a name writes as one word, as `loanstatus`, where two known ones meet."""
    known = _written()
    if part in known or part.removesuffix("s") in known or part in targets().abbreviations:
        return (part,)
    found = [
        (part[:at], part[at:])
        for at in range(_SHORTEST_PART, len(part) - _SHORTEST_PART + 1)
        if part[:at] in known and (part[at:] in known or part[at:].removesuffix("s") in known)
    ]
    return found[0] if len(found) == 1 else (part,)


@lru_cache(maxsize=1)
def _written() -> frozenset[str]:
    raw = json.loads((files(__package__) / "targets.json").read_text("utf-8"))
    names = " ".join(one for sides in raw["concepts"].values() for one in sides["columns"])
    return targets().entities | lexicon().qualifiers | frozenset(names.split())


def _terms(name: str, parts: tuple[str, ...], shared: Counter[str]) -> tuple[Term, ...]:
    stems, raw = [root(part) for part in parts], [root(part) for part in name_parts(name)]
    weak = lexicon().qualifiers | group("measures")
    plain = [word for word in stems if word not in weak and not word.isdigit()]
    plain = [word for word in plain if word not in group("light")] or plain
    aside = _aside(parts)
    plain = [word for word in plain if stems.index(word) < aside] or plain
    own = [root(part) for part in parts if not is_thing(part)]
    plain = [word for word in plain if word in own] or plain
    known, vague = targets().of_names, group("vague")
    held = [_held(stems, at, known, vague | group("generic")) for at in range(len(stems))]
    if raw != stems:
        written = [_held(raw, at, known, vague | group("generic")) for at in range(len(raw))]
        every = frozenset[str]().union(*written)
        held = [
            found | (written[at] if len(raw) == len(stems) else every)
            for at, found in enumerate(held)
        ]
    fields = [found if n > 1 or stems[at] in plain else frozenset[str]() for at, (found, n) in enumerate(related(stems))]
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
    for start in range(max(0, at - _LONGEST), at + 1):
        for end in range(at + 1, min(start + _LONGEST, len(stems)) + 1):
            phrase = tuple(stems[start:end])
            if alone or len(phrase) > 1 or phrase[0] not in unless_alone:
                found |= phrases.get(phrase, frozenset())
    return found


def _matter(word: str, plain: Sequence[str], times: int) -> float:
    if plain and word in group("beside"):
        return _BESIDE
    qualifies = bool(plain) and word not in plain
    return (_QUALIFIER if qualifies or not word else 1.0) / (1.0 + 0.5 * math.log(times))


def is_thing(text: str) -> bool:
    """Says whether a folded word is one for people or things that rows are about."""
    known = targets().entities
    return text in known or text.removesuffix("s") in known or text.removesuffix("es") in known


def foreign(text: str, held: AbstractSet[str]) -> bool:
    """Says whether a folded text is about something of which the table's columns hold no word."""
    about = [
        columns
        for domain, columns in targets().domains
        if any(root(found.group()) not in held for found in domain.finditer(text))
    ]
    return bool(about) and not any(columns & held for columns in about)


def units_of(name: Name) -> frozenset[str]:
    """Names what a column may be measured in, as told by its name."""
    stems = {term.stem for term in name.terms} | {root(part) for part in name_parts(name.written)}
    found = frozenset(unit for unit, words in targets().units.items() if words & stems)
    return found & _AGE or found


def identifies(column: ColumnFacts) -> bool:
    """Says whether a column numbers the rows or the things they are about."""
    if column.type == "string" and column.rows > _FEWEST_KEYS and column.distinct > _UNIQUE_SHARE * column.rows:
        return True
    last = name_parts(column.name)[-1]
    if last in _KEYS:
        return column.distinct > _FEWEST_KEYS
    return last in _NUMBERED and column.distinct > max(100, _NUMBERED_SHARE * column.rows)
