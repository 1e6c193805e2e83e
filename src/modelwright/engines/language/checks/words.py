"""The words of a question, and what is known of them before any SQL is seen."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.checks.statement import Place, Statement
from modelwright.engines.language.checks.used_words import UsedWords
from modelwright.engines.language.readers import ReadRequest
from modelwright.engines.language.rules.mentions.units import is_physical, lasts_hours, measures
from modelwright.engines.language.rules.text.lexicon import (
    concepts_at,
    concepts_of_name,
    lexicon,
    spelled_out,
)
from modelwright.engines.language.rules.text.numbers import SPELLED
from modelwright.engines.language.rules.text.words import Word, squeezed, stem, words
from modelwright.engines.language.vocabulary import (
    SWITCHED_OFF,
    aggregates,
    alternatives,
    any_case,
    cue_words,
    find_cues,
    word_set,
    word_values,
)

SHORTEST_CONTENT = 3
"""Shorter words carry no content of their own, unless they are written in capitals."""
UNITS = word_set("checks.counted_units")
"""Words after a number that say what it counts."""
_THINGS = word_set("checks.things_of_models")
"""Words that say nothing of a target, and name something in a question of the data."""
_NOUNS_OR_VERBS = word_set("checks.nouns_or_verbs")
_VERB_BEFORE = any_case(
    r"\b(?:do|does|did|will|would|can|could|that|to|each|they|we|you|i|it|must"
    r"|(?:who|which|what)\b(?!\s+(?:is|are|was|were)\b))\b"
)
"""What stands before a verb."""
_PERCENT = frozenset({"%", "percent", "pct"})
FACTORS: Mapping[str, float] = word_values("numbers.factors")
SCALES: Mapping[str, float] = word_values("numbers.scales")
_VALUE = "value"
"""What says little, unless an amount is called so."""
_OF = any_case(r"\s+of\s+(?:the\s+)?")
_CHARTS = any_case(
    r"\b(?:bar|pie|donut|doughnut|line|column|area|scatter)[\s-]*(?:charts?|graphs?|plots?"
    r"|diagrams?)\b|\bhistograms?\b|\bscatter(?=\s+of\b)"
)
_TIME_OF = any_case(
    rf"\b(?:{alternatives('checks.units_of_time')}|decade)\s+of\s+(?:the\s+)?(?=(?P<what>\w+))"
)
_PARTS_OF_TIME = {
    "minute": (60,), "hour": (60, 3600), "day": (24, 1440, 86400), "week": (7, 168, 604800),
}  # fmt: skip
"""How many smaller parts each unit of time has."""
CUE_LISTS = (
    "negation", "superlative_high", "superlative_low", "each", "distinct", "count", "share",
    "above", "below", "order", "difference", "change", "correlation", "happening",
)  # fmt: skip


@dataclass
class QuestionWords:
    """The words of a question with what is known of them before any SQL is seen."""

    request: ReadRequest
    _used: dict[str, UsedWords] = field(default_factory=dict)
    _read: dict[str, Statement] = field(default_factory=dict)

    def statement(self, sql: str) -> Statement:
        """Reads SQL that is to answer the question, once; raises `UnparsedError`."""
        if sql not in self._read:
            self._read[sql] = Statement.read(sql, self.request.catalog)
        return self._read[sql]

    def used_by(self, sql: Statement) -> UsedWords:
        """Returns the words that a statement accounts for; they are found once."""
        if sql.sql not in self._used:
            self._used[sql.sql] = UsedWords(self.request, sql)
        return self._used[sql.sql]

    @cached_property
    def all(self) -> list[Word]:
        """All words in order."""
        return words(self.request.question)

    @cached_property
    def content(self) -> list[Word]:
        """The words that must be accounted for."""
        spans = [one.span for one in self.request.links.periods]
        return [
            word
            for word in self.all
            if (
                _says_something(word)
                or self._is_value(word)
                or self._is_figure(word)
                or self._is_thing(word)
            )
            and not any(start <= word.start < end for start, end in spans)
            and not any(cue.start <= word.start < cue.end for cue in self.cues)
            and word.start not in self.measures
        ]

    @cached_property
    def measures(self) -> frozenset[int]:
        """Where words only scale a number, or say what it counts: `a million dollars`."""
        found: set[int] = set()
        for before, word in pairwise(self.all):
            scales = word.text in SCALES and (number_of(before.text) or before.text == "a")
            counts = number_of(before.text) is not None or before.start in found
            if scales or (counts and word.text in UNITS):
                found.add(word.start)
        return frozenset(found)

    def _is_value(self, word: Word) -> bool:
        """Returns whether a word that says nothing elsewhere is a value here: `paid` orders."""
        spans = [one.span for one in self.request.links.values]
        tied = word.text in cue_words("tying") | cue_words("idle_nouns")
        return tied and any(start <= word.start < end for start, end in spans)

    def _is_figure(self, word: Word) -> bool:
        """Whether `value` is all that a measure is called here, as in Value USD."""
        of = _OF.match(self.request.question, word.end)
        starts = {one.span[0] for one in self.request.links.names if one.column}
        if word.text != _VALUE or (of and of.end() in starts):
            return False
        columns = (one for table in self.request.catalog.tables for one in table.columns)
        names = (spelled_out(one.name) for one in columns if one.role is Role.MEASURE)
        return any([part for part in name if not measures(part)] == [_VALUE] for name in names)

    @cached_property
    def cues(self) -> list[Word]:
        """The words of the vocabulary: their counterparts are checked one by one."""
        found = [one for name in CUE_LISTS for one in find_cues(name, self.request.question)]
        spans = {(one.start, one.end) for one in found}
        spans |= {span for one in aggregates() for span in _spans(one.words, self)}
        spans |= set(self._switches())
        spans |= {one.span() for one in _CHARTS.finditer(self.request.question)}
        return [Word(self.request.question[a:b], "", "", a, b) for a, b in sorted(spans)]

    def _switches(self) -> Iterator[tuple[int, int]]:
        """Yields where words deny a flag that stands before them: `switched off`."""
        for one in self.request.links.names:
            column = self.request.catalog.column(one.table, one.column or "")
            told = SWITCHED_OFF.match(self.request.question, one.span[1])
            if told and column and column.role is Role.FLAG:
                yield told.span()

    @cached_property
    def concepts(self) -> dict[int, frozenset[str]]:
        """What each word speaks of, by its place in the text."""
        known = concepts_at([word.stem for word in self.all], lexicon().of_words)
        return {word.start: told for word, (told, _) in zip(self.all, known, strict=True)}

    def concepts_of(self, word: Word) -> frozenset[str]:
        """Returns what a word speaks of."""
        return self.concepts.get(word.start, frozenset())

    @cached_property
    def held(self) -> tuple[frozenset[str], frozenset[str]]:
        """What the columns of all tables speak of, and the stems of their names."""
        names = [one.name for table in self.request.catalog.tables for one in table.columns]
        stems = frozenset(stem(part) for name in names for part in spelled_out(name))
        return frozenset().union(*map(concepts_of_name, names)), stems

    @cached_property
    def whose_times(self) -> Mapping[int, str]:
        """Words by their places that say of what a stretch of time is: `per month of delivery`."""
        found = _TIME_OF.finditer(self.request.question)
        return {one.end(): one["what"].casefold() for one in found}

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all words."""
        return frozenset(word.stem for word in self.all)

    @cached_property
    def squeezed(self) -> str:
        """Its letters and digits alone."""
        return squeezed(self.request.question)

    def _is_thing(self, word: Word) -> bool:
        """Whether a word that may tie is a noun: `food cost by month`, not `that cost the most`."""
        return word.text in _NOUNS_OR_VERBS and not _VERB_BEFORE.search(
            self.request.question[: word.start]
        )

    @cached_property
    def numbers(self) -> dict[float, str]:
        """All numbers that it names, in digits or words, as they are written."""
        return dict(_numbers(self.all))


def _spans(phrases: tuple[str, ...], said: QuestionWords) -> Iterator[tuple[int, int]]:
    lower = said.request.question.lower()
    for phrase in phrases:
        for match in _whole(phrase).finditer(lower):
            yield match.span()


@lru_cache(maxsize=1024)
def _whole(phrase: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)")


def _numbers(found: list[Word]) -> Iterator[tuple[float, str]]:
    for at, word in enumerate(found):
        value = number_of(word.text)
        if value is None and word.text in SCALES and at and found[at - 1].text == "a":
            value = SCALES[word.text]
        if value is None:
            continue
        yield value, word.raw
        after = found[at + 1].text if at + 1 < len(found) else ""
        if after in SCALES:
            yield value * SCALES[after], word.raw
        for parts in _PARTS_OF_TIME.get(after.removesuffix("s"), ()):
            yield value * parts, word.raw
        if word.text.endswith("%") or after in _PERCENT:
            for part in (value / 100, 1 + value / 100, 1 - value / 100):
                yield round(part, 9), word.raw


def number_of(text: str) -> float | None:
    """Returns the number that a word is, in digits or letters; None of other words."""
    if text in SPELLED:
        return float(SPELLED[text])
    match = re.fullmatch(r"([-+]?\d[\d,]*(?:\.\d+)?)(k|m|bn|%|st|nd|rd|th|s)?", text)
    if not match:
        return float(glued[1].replace(",", "")) if (glued := glued_unit(text)) else None
    value = float(match.group(1).replace(",", ""))
    return value * SCALES.get(match.group(2) or "", 1)


def glued_unit(text: str) -> re.Match[str] | None:
    """Returns a number and the unit that is written right behind it: `10acres`."""
    found = re.fullmatch(r"(\d[\d,]*(?:\.\d+)?)([a-z]{2,})", text)
    return found if found and (is_physical(found[2]) or lasts_hours(found[2])) else None


def _says_something(word: Word) -> bool:
    if word.text in cue_words("idle") | cue_words("tying") | (lexicon().stop - _THINGS):
        return word.raw.isupper() and len(word.raw) > 1 and word.text not in lexicon().stop
    if number_of(word.text) is not None:
        return False
    return len(word.text) >= SHORTEST_CONTENT or word.raw.isupper()


def facts_of(request: ReadRequest, table: str, column: str) -> ColumnFacts | None:
    """Returns the profile of a column."""
    for one in request.tables:
        if one.name == table:
            return next((facts for facts in one.columns if facts.name == column), None)
    return None


def names_column_by(said: QuestionWords, place: Place, word: Word) -> bool:
    """Whether a word names a column: by a part of its name, or what it speaks of."""
    parts = [stem(part) for part in spelled_out(place[1])]
    spoken = {one for told, _ in concepts_at(parts, lexicon().of_names) for one in told}
    return word.stem in parts or bool(said.concepts_of(word) & spoken)
