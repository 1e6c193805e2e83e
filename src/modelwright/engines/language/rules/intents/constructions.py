"""Constructions of words: what a sentence says, whatever the forms of its words.

The notation is told at the head of `unsupported.toml`. A construction is compiled to an expression
over the folded words of a sentence, each with a blank behind it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, lru_cache

from modelwright.engines.language.rules.text.roots import irregular, root
from modelwright.engines.language.rules.text.words import fold, name_parts, words
from modelwright.engines.language.vocabulary import word_set

_ARTICLES = word_set("small_words.articles", "small_words.of_others", "small_words.of_speakers")
_SKIPPED = rf"(?:(?:{'|'.join(sorted(_ARTICLES))}) )*"
_GAPS = {"..": r"(?:\S+ ){0,4}?", "...": r"(?:\S+ ){0,12}?"}
_KINDS = {
    "NUM": r"\d[\d.,]*(?:st|nd|rd|th|h|d|x)? ",
    "ANY_YEAR": r"(?:1[6-9]|20|21)\d\d ",
    "FUTURE_YEAR": r"(?:20[2-9]|21\d)\d ",
    "SHARE": r"0?\.\d+ ",
    "BEST": (
        r"(?:most|least|best|(?!(?:for|inter|harv|requ|gu|inv|arr|cont|prot|hon|mod|sugg|dig|lat"
        r"|earli|near|clos)est )\S{3,}est) "
    ),
    "MORE": r"(?:more|less|fewer|worse|\S{3,}er) ",
    "COLUMN": "COLUMN ",
    "NAMED": "(?:NAMED|COLUMN) ",
}
_SPELLED = (
    (re.compile(r"n['\u2019]t\b"), " not"),
    (re.compile(r"['\u2019]ll\b"), " will"),
    (re.compile(r"['\u2019](?:d|ve|re|m)\b"), " "),
    (re.compile(r"(?<=\d) ?%|\bper cent\b"), " percent "),
    (re.compile(r"\bwhat['\u2019]s\b"), "what is"),
)
_CLAUSE = re.compile(r"[;:!?\n]|[.,](?!\d)")
_LONGEST_NAME = 6
"""Words of a column's name that are looked for in a clause."""
_SIGNS = re.compile(r"[^\w\s]")
"""What nobody writes who does not mean the name: `KPIs_met >80%`."""
_BRITISH = re.compile(r"is(?:e[sd]?|ing|ation)$")
_CONSONANT_Y = re.compile(r"[^aeiou]y$")
_WITH_ES = frozenset({"go", "undergo"})
_DOUBLED = re.compile(r"[^aeiou][aeiou][bdglmnprt]$")
_SMALL = word_set("small_words.in_constructions")


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to say it, and of which words a sentence that says so has some: of each set one."""

    expression: str
    needed: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class Construction:
    """Several ways to say one thing."""

    ways: tuple[_Way, ...]
    of_any_words: tuple[int, ...]
    """The places of ways that need no word."""
    by_word: Mapping[str, Sequence[int]]
    """The places of the others, by the words of the piece that has the fewest."""

    def found(self, sentence: str) -> bool:
        """Returns whether a marked sentence says it."""
        pattern = self._pattern(sentence)
        return pattern is not None and pattern.search(sentence) is not None

    def means_more_than(self, sentence: str, names: Sequence[frozenset[str]]) -> bool:
        """Returns whether it is said by more than the words of one column's name."""
        pattern = self._pattern(sentence)
        own = [{root(part) for part in name} for name in names] if pattern else []
        for match in pattern.finditer(sentence) if pattern else ():
            telling = {root(one) for one in set(match.group().split()) - _SMALL - _ARTICLES}
            if not any(telling <= name for name in own):
                return True
        return False

    def _pattern(self, sentence: str) -> re.Pattern[str] | None:
        """Compiles the ways whose words a sentence has: to compile all of them takes a second."""
        said = frozenset(sentence.split())
        likely = set(self.of_any_words).union(*(self.by_word.get(word, ()) for word in said))
        ways = [
            self.ways[at].expression
            for at in sorted(likely)
            if not any(said.isdisjoint(words) for words in self.ways[at].needed)
        ]
        return _pattern_of("|".join(ways)) if ways else None


@lru_cache(maxsize=1024)
def _pattern_of(expression: str) -> re.Pattern[str]:
    return re.compile(expression)


def marked(sentence: str, columns: Iterable[str] = ()) -> str:
    """Parts a sentence into folded words; columns that are written out become COLUMN."""
    told = sentence
    for name in sorted(columns, key=len, reverse=True):
        is_written_out = " " not in name or _SIGNS.search(name) is not None
        if len(name_parts(name)) > 1 and is_written_out:
            told = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " COLUMN ", told, flags=re.IGNORECASE)
    parts = told.split("COLUMN")
    return "COLUMN ".join(map(_marked, parts))


def marked_clauses(sentence: str, columns: Sequence[str] = ()) -> list[str]:
    """Marks each clause alone; columns that are called in words become NAMED."""
    called = {tuple(root(part) for part in name_parts(name)) for name in columns}
    called -= {(word,) for word in _SMALL | _ARTICLES}
    return [_named(marked(clause, columns), called) for clause in _CLAUSE.split(sentence)]


def _named(clause: str, called: AbstractSet[tuple[str, ...]]) -> str:
    said = clause.split()
    roots = [root(word) for word in said]
    found, at = "", 0
    while at < len(said):
        lengths = range(min(_LONGEST_NAME, len(said) - at), 0, -1)
        length = next((one for one in lengths if tuple(roots[at : at + one]) in called), 0)
        found += "NAMED " if length else f"{said[at]} "
        at += length or 1
    return found


def _marked(text: str) -> str:
    told = fold(text)
    for pattern, plain in _SPELLED:
        told = pattern.sub(plain, told)
    return "".join(f"{one.text} " for one in words(told))


def compiled(said: Sequence[str], classes: Mapping[str, Sequence[str]]) -> Construction:
    """Reads constructions, each as an expression over marked sentences."""
    ways = tuple(_Way(_expression(one, classes), _needed(one, classes)) for one in said)
    by_word: dict[str, list[int]] = {}
    for at, way in enumerate(ways):
        for word in min(way.needed, key=len, default=frozenset()):
            by_word.setdefault(word, []).append(at)
    return Construction(ways, tuple(at for at, way in enumerate(ways) if not way.needed), by_word)


def _expression(construction: str, classes: Mapping[str, Sequence[str]]) -> str:
    start, end = construction.startswith("^"), construction.endswith("$")
    pieces = construction.strip("^$").split()
    found = r"^" + _SKIPPED if start else r"(?<!\S)"
    return found + _SKIPPED.join(_piece(one, classes) for one in pieces) + ("$" if end else "")


def _needed(construction: str, classes: Mapping[str, Sequence[str]]) -> tuple[frozenset[str], ...]:
    """Returns the words of each piece that has to be there and is told by words alone."""
    pieces = [
        piece.split("/")
        for piece in construction.strip("^$").split()
        if piece not in _GAPS and not piece.startswith("!") and not piece.endswith("?")
    ]
    found = [[_last_words(word, classes) for word in words] for words in pieces]
    return tuple(frozenset().union(*filter(None, words)) for words in found if None not in words)


def _last_words(word: str, classes: Mapping[str, Sequence[str]]) -> frozenset[str] | None:
    """Returns the words that a word of a construction may end with; None where they are many."""
    if word in classes:
        found = [_last_words(one, classes) for one in classes[word]]
        return None if None in found else frozenset().union(*filter(None, found))
    if word in _KINDS:
        return None
    if word.endswith("!"):
        return frozenset({word[:-1]})
    return forms(_parts(word)[-1])


def _parts(word: str) -> list[str]:
    return [one.text for part in word.split("-") for one in words(part)]


def _piece(piece: str, classes: Mapping[str, Sequence[str]]) -> str:
    if piece in _GAPS:
        return _GAPS[piece]
    if piece.startswith("!"):
        ways = "|".join(_word(one, classes) for one in piece[1:].split("/"))
        return f"(?!{_SKIPPED}(?:{ways}))"
    ways = "|".join(_word(one, classes) for one in piece.removesuffix("?").split("/"))
    return f"(?:{ways})" + ("?" if piece.endswith("?") else "")


def _word(word: str, classes: Mapping[str, Sequence[str]]) -> str:
    if word in classes:
        return "|".join(_word(one, classes) for one in classes[word])
    if word in _KINDS:
        return _KINDS[word]
    if word.endswith("!"):
        return rf"{re.escape(word[:-1])} "
    *first, last = _parts(word)
    before = "".join(f"{one} " for one in first)
    return before + f"(?:{'|'.join(map(re.escape, sorted(forms(last))))}) "


@cache
def forms(word: str) -> frozenset[str]:
    """Returns the forms of a verb or noun: plural, past, participles, in both spellings."""
    found = {word, *_endings(word), *_irregular_forms().get(word, ())}
    american = {one.replace("is", "iz") for one in found if _BRITISH.search(one)}
    return frozenset(found | american)


def _endings(word: str) -> set[str]:
    if word.endswith("e"):
        return {f"{word}s", f"{word}d", f"{word[:-1]}ing"}
    if _CONSONANT_Y.search(word):
        return {f"{word[:-1]}ies", f"{word[:-1]}ied", f"{word}ing"}
    plural = (
        f"{word}es"
        if word.endswith(("s", "x", "z", "ch", "sh")) or word in _WITH_ES
        else f"{word}s"
    )
    doubled = word + word[-1] if _DOUBLED.search(word) else word
    return {plural, f"{word}ed", f"{word}ing", f"{doubled}ed", f"{doubled}ing"}


@cache
def _irregular_forms() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for form, plain in irregular().items():
        found.setdefault(plain, []).append(form)
    return found
