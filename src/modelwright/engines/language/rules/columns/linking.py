"""How well words name a column: same stem, shared concept, abbreviation, misspelling."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from modelwright.engines.language.rules.text.lexicon import concepts_at, lexicon, spelled_out
from modelwright.engines.language.rules.text.words import name_parts, parted, stem
from modelwright.engines.language.vocabulary import word_set

SAME = 1.0
"""How surely a word means one of the same stem, 0 to 1, as all below."""
SHORT = 0.95
"""A word and its abbreviation."""
BOTH = 0.9
"""Words that share a concept and are spelt nearly alike."""
CONCEPT = 0.85
"""Words that share a concept."""
PREFIX = 0.75
"""A word and its beginning, or its consonants."""
MISSPELT = 0.8
"""Words a letter apart; each further slip takes off a little."""
_SLIP = 0.05
"""What each slip after the first takes off."""
WEAK = 0.6
"""Words one of which holds the concept of the other for want of a better one."""
RELATED = 0.58
"""Words of one field, as `rough` and `smooth`."""
_SAME_IN_PHRASE = 0.8
"""Words of the same stem, one of which stands in a phrase that means something else."""
_FUZZY_FROM = 4
"""In letters: shorter words are too much alike to be taken for slips."""
_PREFIX_FROM = 4
"""In letters: a shorter beginning may be that of many words."""
_SHORTEST_CONSONANTS = 3
"""In letters: fewer consonants are those of many words."""
_CONSONANTS = frozenset("bcdfghjklmnpqrstvwxyz")
_CONSONANTS_KEPT = 0.75
"""Which share of a word's consonants must be left in its abbreviation."""
_SHORTEST_ROOT = 5
"""In letters."""
_LONGEST_ENDING = 1
"""In letters: stems of one root may differ in so many last ones."""
_QUALIFIER_WEIGHT = 0.3
"""What a word of a name matters that only qualifies others, where one that tells matters 1."""
_UNIT_WEIGHT = 0.3
"""The same of a unit in a longer name."""
_CONTENT = word_set("names.content")
_QUESTION_WORDS = 5
"""A name of so many words is a question of its own."""
_ASKING_WEIGHT = 0.05
"""What `how`, `are` and `you` matter in such a name."""
_UNITS = word_set("names.weak_units")


@dataclass(frozen=True, slots=True)
class Term:
    """A word that can be matched: its spelling, stem, concepts and how much it matters."""

    text: str
    stem: str
    concepts: frozenset[str]
    weight: float
    weak: frozenset[str] = frozenset()
    """What a word speaks of outside the phrase it stands in, a name for want of a better one."""
    joined: bool = False
    """Whether it stands in a phrase that means something else than its words."""
    fields: frozenset[str] = frozenset()
    """The fields of words it belongs to."""


@dataclass(frozen=True, slots=True)
class Name:
    """A column's (or table's) name as terms."""

    written: str
    terms: tuple[Term, ...]


def names(written: Sequence[str], table: str = "") -> list[Name]:
    """Reads the names of one table; a word that many share, or the table's own, matters less."""
    own = frozenset(stem(part) for part in spelled_out(table)) if table else frozenset()
    spelled = [spelled_out(name) for name in written]
    shared = Counter(word for parts in spelled for word in {stem(part) for part in parts})
    return [
        Name(name, _terms(name, parts, shared, own))
        for name, parts in zip(written, spelled, strict=True)
    ]


def table_names(tables: Sequence[tuple[str, Sequence[str]]]) -> list[Name]:
    """Reads the names of tables; `tables` gives each with those of its columns."""
    known = [one.lower() for table, columns in tables for one in (table, *columns)]
    said = {part for name in known for part in (name, f"{name}s", name[:-1])}
    return [replace(names([parted(table, said)])[0], written=table) for table, _ in tables]


def _terms(
    name: str, parts: tuple[str, ...], shared: Counter[str], table: frozenset[str]
) -> tuple[Term, ...]:
    words = lexicon()
    stems = [stem(part) for part in parts]
    concepts = [found for found, _ in concepts_at(stems, words.of_names)]
    if len(parts) != len(name_parts(name)):
        raw = [stem(part) for part in name_parts(name)]
        extra = frozenset().union(*(found for found, _ in concepts_at(raw, words.of_names)))
        concepts = [found | extra for found in concepts]
    weak = words.qualifiers | table
    plain = [word for word in stems if word not in weak and not word[:1].isdigit()]
    return tuple(
        Term(
            part,
            word,
            found,
            _matter(word, bool(plain) and word not in plain, shared[word])
            * (_UNIT_WEIGHT if word in _UNITS and len(parts) > 1 else 1.0)
            * (
                _ASKING_WEIGHT
                if len(parts) >= _QUESTION_WORDS and part in words.stop - _CONTENT
                else 1.0
            ),
        )
        for part, word, found in zip(parts, stems, concepts, strict=True)
    )


def _matter(word: str, qualifies: bool, times: int) -> float:
    return (_QUALIFIER_WEIGHT if qualifies or not word else 1.0) / (1.0 + 0.5 * math.log(times))


def alike(word: Term, other: Term) -> float:
    """Says from 0 to 1 how surely two words mean the same."""
    same, shared = word.stem == other.stem, word.concepts & other.concepts
    if same and (shared or not word.joined):
        return SAME
    near = max(spelled_alike(word.text, other.text), _same_root(word.stem, other.stem))
    if shared:
        return max(CONCEPT, near, BOTH * bool(near))
    if same:
        return _SAME_IN_PHRASE
    loosely = word.weak & other.concepts or word.concepts & other.weak
    if loosely:
        return max(WEAK, near)
    return max(RELATED, near) if word.fields & other.fields else near


@lru_cache(maxsize=65536)
def _same_root(stem: str, other: str) -> float:
    """Takes `injured` with `injury`, `absent` with `absence`: stems apart in their last letters."""
    short, long = sorted((stem, other), key=len)
    shared = max(_SHORTEST_ROOT, len(long) - _LONGEST_ENDING)
    return PREFIX if len(short) >= shared and short[:shared] == long[:shared] else 0.0


@lru_cache(maxsize=65536)
def spelled_alike(word: str, other: str) -> float:
    """Compares spellings: an abbreviation by its first letters, or a slip of one or two letters."""
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - heavy, kept out of start-up

    if word.endswith("s") and other.endswith("s"):
        word, other = word[:-1], other[:-1]
    short, long = sorted((word, other), key=len)
    if not (short.isalpha() and long.isalpha()) or short[0] != long[0]:
        return 0.0
    if len(short) >= _PREFIX_FROM and len(long) > len(short) + 1 and long.startswith(short):
        return PREFIX
    if without_vowels(short, long):
        return PREFIX
    if len(short) < _FUZZY_FROM or len(long) == _FUZZY_FROM:
        return 0.0
    allowed = 1 if len(long) < 2 * _FUZZY_FROM else 2
    slips = int(OSA.distance(word, other, score_cutoff=allowed))
    return MISSPELT - _SLIP * (slips - 1) if slips <= allowed else 0.0


def without_vowels(short: str, long: str) -> bool:
    """Whether `wgt` is `weight`, `actv` active: most consonants in order, with both ends."""
    least = _SHORTEST_CONSONANTS + (short[0] in "aeiou")
    if len(short) < least or len(long) <= len(short) or set(short[1:-1]) & set("aeiou"):
        return False
    if _CONSONANTS_KEPT * sum(map(_CONSONANTS.__contains__, long)) > sum(
        map(_CONSONANTS.__contains__, short)
    ):
        return False
    letters = iter(long)
    last = short[-1] in {long[-1], long.removesuffix("e")[-1]}
    return last and all(one in letters for one in short)


class Phrase:
    """Words that may mean a name, and how surely; a part that many names share is read once."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self.terms = terms
        self._reach = [min(1.0, 0.5 + word.weight) for word in terms]
        self._read: dict[Term, tuple[list[float], float]] = {}

    def _near(self, part: Term) -> tuple[list[float], float]:
        """Returns how surely each word means a part of a name, and the most of that in reach."""
        if part not in self._read:
            row = [alike(word, part) for word in self.terms]
            reached = max(near * far for near, far in zip(row, self._reach, strict=True))
            self._read[part] = row, reached
        return self._read[part]

    def surest(self, name: Name) -> float:
        """Returns how surely the best of the words means a part of a name."""
        if not self.terms:
            return 0.0
        parts = [min(1.0, 0.6 + part.weight) * self._near(part)[1] for part in name.terms]
        return max(parts, default=0.0)

    def coverage(self, name: Name) -> tuple[float, float]:
        """Returns the shares of the name and of the phrase that the other explains, 0 to 1 each."""
        if not self.terms or not name.terms:
            return 0.0, 0.0
        near = [self._near(part) for part in name.terms]
        named = sum(part.weight * one[1] for part, one in zip(name.terms, near, strict=True))
        best = map(max, zip(*(row for row, _ in near), strict=True))
        said = sum(word.weight * most for word, most in zip(self.terms, best, strict=True))
        return (
            named / sum(part.weight for part in name.terms),
            said / sum(word.weight for word in self.terms),
        )
