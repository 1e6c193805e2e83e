"""Links the words of a question to times, values, names and numbers, the longest first.

All readers, models included, and all checks start from the same links; what each found by itself
could not be compared.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cache

from modelwright.engines.facts import Value
from modelwright.engines.language.catalog.meaning import Catalog, Role
from modelwright.engines.language.linking.amounts import find_amounts
from modelwright.engines.language.linking.phrases import (
    BY_DENIAL,
    LITTLE,
    LONGEST_PHRASE,
    WHOLE,
    NameHit,
    Phrases,
)
from modelwright.engines.language.readers import Links, NameLink, NumberLink, Period, ValueLink
from modelwright.engines.language.rules.columns.schema import TableFacts
from modelwright.engines.language.rules.mentions.units import is_said_as_unit
from modelwright.engines.language.rules.text.numbers import SPELLED
from modelwright.engines.language.rules.text.words import Word, does_most, is_written_as, words
from modelwright.engines.language.temporal.calendar import Clock, day_of
from modelwright.engines.language.temporal.grammar import find_periods
from modelwright.engines.language.vocabulary import cue_words, find_cues, word_values
from modelwright.engines.language.written_number import as_whole, number_in, scaled
from modelwright_runtime.date_parsing import order_in

_DASH = re.compile(r"\s[-\N{EN DASH}\N{EM DASH}]\s")
LEAST_NAME = 0.6
"""How surely a name must be meant to be linked, from 0 to 1."""
LEAST_VALUE = 0.9
"""Values that are linked for all readers are written out in the question."""
SCALES: Mapping[str, float] = word_values("numbers.scales")


class Linker:
    """Links questions about the tables of one session; the tables are indexed once."""

    def __init__(
        self,
        tables: Sequence[TableFacts],
        catalog: Catalog,
        values: Mapping[tuple[str, str], Sequence[Value]] | None = None,
    ) -> None:
        self.phrases = Phrases.build(tables, catalog, values)
        self._catalog = catalog
        self._lacking = {
            (one.name, column.name) for one in tables for column in one.columns if column.missing
        }
        self._days = _days(tables)
        self._years = _years(tables, catalog)
        self._day_first = _day_first(tables)

    @property
    def catalog(self) -> Catalog:
        """What the tables mean."""
        return self._catalog

    def lacks(self, link: NameLink | ValueLink) -> bool:
        """Returns whether some rows hold nothing of the column that a link names."""
        return (link.table, link.column) in self._lacking

    def clock(self, today: date) -> Clock:
        """Returns what relative times are told by."""
        calendar = self._catalog.calendar
        low, high = self._days
        return Clock(
            today,
            low,
            high,
            calendar.first_day_of_week,
            calendar.first_month_of_fiscal_year,
            self._day_first,
        )

    def link(self, question: str, today: date) -> Links:
        """Links a question.

        Args:
            question: As it was asked.
            today: The day on which it is asked.

        Returns:
            What its words were found to mean, without deciding between meanings.
        """
        said = words(question)
        values = tuple(self._values(question, said))
        names = tuple(self._names(question, said, values))
        amounts = [
            one.span
            for one in find_amounts(question, names, self._catalog)
            if not (one.is_unlinked and self._holds_year(one.value))
        ]
        periods = tuple(
            one
            for one in find_periods(question, self.clock(today))
            if not any(one.span[0] <= start and end <= one.span[1] for start, end in amounts)
        )
        numbers = tuple(_numbers(question, said, periods))
        known = [one.span for one in periods] + [one.span for one in values]
        known += [one.span for one in names] + [one.span for one in numbers]
        idle = cue_words("idle") | cue_words("tying")
        unlinked = tuple(
            word.raw
            for word in said
            if word.text not in idle and not any(start <= word.start < end for start, end in known)
        )
        return Links(periods, values, names, numbers, unlinked)

    def _holds_year(self, number: float) -> bool:
        return any(low <= number <= high for low, high in self._years)

    def _values(self, question: str, said: Sequence[Word]) -> list[ValueLink]:
        """Links phrases to values, the longest first; idle words only to whole values."""
        found, texts = list(self._denied_values(question, said)), [word.text for word in said]
        taken = _within(said, [one.span for one in found])
        for places, run in _free_runs(said, taken):
            if _only_denies(run) or (_is_idle(run) and not _may_be_a_value(run)):
                continue
            hits = self.phrases.values_of(tuple(word.stem for word in run), run)
            is_unit = len(run) == 1 and is_said_as_unit(texts, places[0])
            least = WHOLE if is_unit or _is_idle(run) else LEAST_VALUE
            hits = [one for one in hits if one.quality >= least]
            if len(run) == 1 and does_most(said, places[0]):
                hits = [one for one in hits if is_written_as(run, str(one.value))]
            if hits:
                span = run[0].start, run[-1].end
                text = question[span[0] : span[1]]
                taken.update(places)
                found += [
                    ValueLink(text, span, one.table, one.column, one.value, one.quality)
                    for one in hits
                ]
        return found

    def _denied_values(self, question: str, said: Sequence[Word]) -> Iterator[ValueLink]:
        """Yields values that say no by what they deny: `No pool` of `without a pool`."""
        at = 0
        while at < len(said):
            hits, size = self.phrases.denied_at(said, at)
            for one in hits:
                span = said[at].start, said[at + size - 1].end
                text = question[span[0] : span[1]]
                yield ValueLink(text, span, one.table, one.column, one.value, one.quality)
            at += max(1, size)

    def _names(
        self, question: str, said: Sequence[Word], values: Sequence[ValueLink]
    ) -> list[NameLink]:
        """Links phrases to tables and columns, the longest first; each word is linked once."""
        found: list[NameLink] = []
        spans = [(one.start, one.end) for one in find_cues("happening", question)]
        spans += [one.span for one in values if one.quality == BY_DENIAL]
        taken = _within(said, spans)
        valued = _within(said, [one.span for one in values])
        for places, run in _free_runs(said, taken):
            written = " ".join(word.text for word in run)
            hits = self.phrases.names_of(tuple(word.stem for word in run), written)
            hits = [one for one in hits if one.quality >= LEAST_NAME]
            if not hits and valued.isdisjoint(places):
                hits = self._cut_short(run)
            span = run[0].start, run[-1].end
            if _DASH.search(question, *span):  # `the heaviest crate - name and weight`
                hits = [one for one in hits if _DASH.search(one.column or "")]
            if hits and not (_is_idle(run) and hits[0].quality < 1):
                text = question[span[0] : span[1]]
                taken.update(places)
                found += [
                    NameLink(text, span, one.table, one.column, quality=one.quality) for one in hits
                ]
        return found

    def _cut_short(self, run: Sequence[Word]) -> list[NameHit]:
        """Returns the column whose name is the words cut short; words that only tie are none."""
        if any(word.text in _little() or number_of(word.text) is not None for word in run):
            return []
        return self.phrases.cut_short([word.text for word in run])


def _within(said: Sequence[Word], spans: Sequence[tuple[int, int]]) -> set[int]:
    """Returns the places of the words that begin within one of some spans."""
    return {
        at for at, word in enumerate(said) if any(start <= word.start < end for start, end in spans)
    }


def _free_runs(said: Sequence[Word], taken: set[int]) -> Iterator[tuple[range, Sequence[Word]]]:
    """Yields the places and the words of runs of which none is taken by then, the longest first."""
    for size in range(min(LONGEST_PHRASE, len(said)), 0, -1):
        for at in range(len(said) - size + 1):
            places = range(at, at + size)
            if taken.isdisjoint(places):
                yield places, said[at : at + size]


@cache
def _little() -> frozenset[str]:
    """Returns the words that name nothing, of which no name is cut short."""
    return LITTLE | cue_words("idle") | cue_words("tying") | cue_words("rows")


@cache
def _saying_nothing() -> frozenset[str]:
    return LITTLE | cue_words("idle")


@cache
def _denying() -> frozenset[str]:
    return cue_words("negation") | {"yes", "true", "false"}


def _may_be_a_value(run: Sequence[Word]) -> bool:
    return len(run) == 1 and run[0].text in cue_words("idle_nouns")


def _only_denies(run: Sequence[Word]) -> bool:
    """Whether a word denies or affirms and names no value, though `no` may be one."""
    return len(run) == 1 and run[0].text in _denying()


def _is_idle(run: Sequence[Word]) -> bool:
    idle = _saying_nothing()
    return all(word.text in idle and not word.raw.isupper() for word in run)


def _numbers(question: str, said: Sequence[Word], periods: Sequence[Period]) -> list[NumberLink]:
    found = []
    for at, word in enumerate(said):
        if any(start <= word.start < end for start, end in (one.span for one in periods)):
            continue
        value = number_of(word.text)
        if value is None:
            continue
        after = said[at + 1].text if at + 1 < len(said) else ""
        value = scaled(value, SCALES.get(after, 1))
        unit = "%" if word.text.endswith("%") else ""
        found.append(
            NumberLink(
                question[word.start : word.end], (word.start, word.end), as_whole(value), unit
            )
        )
    return found


def number_of(text: str) -> float | None:
    """Reads a number in digits or as a word: `1,200`, `5k`, `three`."""
    if text in SPELLED:
        return float(SPELLED[text])
    told = text.replace(",", "").rstrip("%")
    scale = next((one for one in ("bn", "k", "m") if told.endswith(one)), "")
    try:
        return scaled(number_in(told.removesuffix(scale)), SCALES.get(scale, 1))
    except ValueError:
        return None


def _days(tables: Sequence[TableFacts]) -> tuple[date | None, date | None]:
    """Returns the first and the last day of all dates of the tables."""
    lows, highs = [], []
    for table in tables:
        for column in table.columns:
            if column.type == "date":
                lows += [day] if (day := day_of(column.minimum)) else []
                highs += [day] if (day := day_of(column.maximum)) else []
    return min(lows, default=None), max(highs, default=None)


def _day_first(tables: Sequence[TableFacts]) -> bool | None:
    """Returns whether dates that are written in digits begin with the day, if all agree."""
    orders = {order_in(one) for table in tables for facts in table.columns for one in facts.written}
    told = orders & {"dmy", "mdy"}
    return "dmy" in told if len(told) == 1 else None


def _years(tables: Sequence[TableFacts], catalog: Catalog) -> list[tuple[int, int]]:
    """Returns the first and the last year of each date, and of each number that tells years."""
    found = []
    for table in tables:
        for facts in table.columns:
            column = catalog.column(table.name, facts.name)
            low, high = _year(facts.minimum), _year(facts.maximum)
            if column is not None and column.role is Role.DATE and low and high:
                found.append((low, high))
    return found


def _year(value: object) -> int | None:
    if isinstance(value, date):
        return value.year
    return value if isinstance(value, int) else None
