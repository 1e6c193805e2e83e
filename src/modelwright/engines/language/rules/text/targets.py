"""What is known of things to predict: outcomes in many wordings, and how columns spell them.

Outcomes have more wordings than columns have: `leave`, `quit`, `churn`, `cancel`. The lists bring
both to the same terms, and tell things that rows are about from what befalls them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.text.lexicon import LONGEST_PHRASE, Phrases, lexicon
from modelwright.engines.language.rules.text.related import related
from modelwright.engines.language.rules.text.roots import root, root_of_stem
from modelwright.engines.language.rules.text.words import Word, name_parts
from modelwright.engines.language.vocabulary import word_set, word_table

_GAP = ".."
_WIDEST_GAP = 4
"""In words: how far apart the parts of a phrase with a gap may stand."""
LONGEST = LONGEST_PHRASE + 1
"""Words that are looked at together: one more than the longest phrase has."""
KEYS = word_set("names.target_keys")
NUMBERED = word_set("names.numbered")
_ARTICLES = word_set("small_words.articles")
_FEWEST_KEYS = 20
"""So few rows or values are no sign of a key."""
_NUMBERED_SHARE = 0.01
"""Of the rows: a number of more values than this tells things apart."""
_UNIQUE_SHARE = 0.9
"""Of the rows: texts of more values than this tell them apart."""
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
    opposites: tuple[tuple[frozenset[str], frozenset[str]], ...]
    """Words of which a name that has the one is not meant by who says the other."""


@lru_cache(maxsize=1)
def targets() -> Targets:
    """Reads the word lists once."""
    raw = word_table("targets")
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
        tuple((frozenset(one), frozenset(other)) for one, other in raw["opposites"]),
    )


@lru_cache(maxsize=1)
def listed() -> frozenset[str]:
    """Returns the words that names of columns are made of, as far as the lists hold them."""
    raw = word_table("targets")
    names = " ".join(one for sides in raw["concepts"].values() for one in sides["columns"])
    return targets().entities | lexicon().qualifiers | frozenset(names.split())


def group(name: str) -> frozenset[str]:
    """Returns the stems of a group of words."""
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
    best = [Meaning() for _ in stems]
    shortest_first = sorted(
        _runs(stems) + _wide_runs(stems),
        key=lambda run: (sum(telling[at] for at in run[0]), len(run[0])),
    )
    for places, concepts in shortest_first:
        heads = [at for at in places if telling[at]] or places
        for at in places:
            share = 1.0 / len(heads) if at in heads else 0.0
            phrase = Meaning(concepts, frozenset(), len(heads), len(places) > 1, share)
            best[at] = _more(best[at], phrase)
    return [
        replace(about, fields=fields) if telling[at] or length > 1 else about
        for at, (about, (fields, length)) in enumerate(zip(best, related(stems), strict=True))
    ]


def _more(old: Meaning, new: Meaning) -> Meaning:
    if (new.length, new.phrase) <= (old.length, old.phrase):
        concepts = old.concepts | new.concepts
        return replace(old, concepts=concepts, share=max(old.share, new.share))
    return replace(new, weak=old.weak | old.concepts)


def _runs(stems: Sequence[str]) -> list[tuple[list[int], frozenset[str]]]:
    every = list(range(len(stems)))
    plain = [at for at in every if stems[at] not in _ARTICLES]
    ways = [every] if plain == every else [every, plain]
    return [run for places in ways for run in _runs_of(stems, places)]


def _runs_of(
    stems: Sequence[str], places: Sequence[int]
) -> Iterator[tuple[list[int], frozenset[str]]]:
    """Yields the phrases at places in a row, of which those without articles may skip one."""
    phrases = targets().of_words
    for start in range(len(places)):
        for end in range(start + 1, min(start + LONGEST, len(places)) + 1):
            run = list(places[start:end])
            if found := phrases.get(tuple(stems[at] for at in run)):
                yield run, found


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


def is_thing(text: str) -> bool:
    """Returns whether a folded word is one for people or things that rows are about."""
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


def identifies(column: ColumnFacts) -> bool:
    """Returns whether a column numbers the rows or the things they are about."""
    if (
        column.type == "string"
        and column.rows > _FEWEST_KEYS
        and column.distinct > _UNIQUE_SHARE * column.rows
    ):
        return True
    *first, last = name_parts(column.name)
    is_each_its_own = column.rows > _FEWEST_KEYS and column.distinct > _UNIQUE_SHARE * column.rows
    if column.type == "integer" and not first and is_thing(last) and is_each_its_own:
        return True
    if last in KEYS:
        return column.distinct > _FEWEST_KEYS
    return last in NUMBERED and column.distinct > max(100, _NUMBERED_SHARE * column.rows)
