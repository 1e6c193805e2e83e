"""A question half read: which words are explained by what, and how a column is picked for them.

All rules work on one draft: whoever reads a word claims it, so that no word counts twice, and what
nothing claims can be told. Columns are picked here by the same measure of nearness and quality for
every rule.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date

from modelwright.engines.chart_spec import ChartType
from modelwright.engines.language.rules.columns.index import Column, Index
from modelwright.engines.language.rules.columns.named_tables import own_parts
from modelwright.engines.language.rules.mentions.mention import NAMED, WHOLLY_NAMED, Mention
from modelwright.engines.language.rules.mentions.mentions import Question
from modelwright.engines.language.rules.plans.plan import (
    Bucket,
    Condition,
    Having,
    Measure,
    Order,
    Ref,
)
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.vocabulary import word_set

_ALL = word_set("names.of_all")
_DEAR = word_set("names.of_prices")
SHORTEST_NAME = 4
"""Shorter words of a sentence are no names by themselves."""
_ALL_BONUS = 0.01
"""What a name of all adds to a mention: it decides ties alone."""
_PRICE_BONUS = 0.25
"""What a price adds to a mention by `expensive`."""
_TABLE_BONUS = 0.14
"""What it adds that a column's table is named."""
_BESIDE_BONUS = 0.08
"""What it adds that the table is named beside it, the less the further away."""
_OWNER_BONUS = 0.3
"""What it adds that the words after it say whose it is: `name of the singer`."""


@dataclass(slots=True)
class Draft:
    """What has been understood so far."""

    question: Question
    index: Index
    today: date
    lower: str
    claimed: list[str]
    """For each word what explains it; empty while nothing does."""
    several: bool
    """Whether there are more tables than one."""
    where: list[tuple[Condition, ...]] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    filtered: list[Column] = field(default_factory=list)
    group: list[Bucket] = field(default_factory=list)
    select: list[Measure] = field(default_factory=list)
    having: list[Having] = field(default_factory=list)
    order: list[Order] = field(default_factory=list)
    limit: int | None = None
    numbers_taken: list[tuple[int, int]] = field(default_factory=list)
    """Where numbers stand in the text that say how many rows are shown."""
    of_two: Measure | None = None
    """The number that is told of two amounts, the word it begins with being `of_two_at`."""
    of_two_at: int = 0
    compared: bool = False
    """Whether groups are compared with each other."""
    within: list[Bucket] = field(default_factory=list)
    """The groups named by each or per, in which something may be ranked apart."""
    aside: bool = False
    """Whether what is ranked is read as if nothing said in each of what."""
    apart: bool = False
    """Whether it is."""
    nth: int | None = None
    """The place that is asked for in the order: 2 of `the second highest`."""
    groups_counted: bool = False
    """Whether the groups are counted."""
    tested: Column | None = None
    """The text whose values a test of groups is about."""
    distinct: bool = False
    chart: ChartType | None = None
    charted: bool = False
    only_group: bool = False
    """Whether the groups themselves are the answer, without a number beside them."""
    doubts: float = 0.0
    unread: list[str] = field(default_factory=list)
    """Phrases that change the answer and could not be read."""
    lacking: tuple[str, int] | None = None
    """A table that must hold nothing for a row, and the word of negation."""
    rows: str = ""
    """The table whose rows are read, which times are of; empty where it is not known yet."""
    usual: list[Column] = field(default_factory=list)
    """The dates that times were taken for where no word names one."""
    home: dict[str, float] = field(default_factory=dict)
    """How much of the question each table explains."""
    owners: dict[int, frozenset[str]] = field(default_factory=dict)
    """For a word the tables of which it may be a part: `name` in `name of the singer`."""
    counted: str | None = None
    """The table whose rows are counted."""
    each: str | None = None
    """The table of which every row is a group."""
    ranked: bool = False
    """Whether groups are ranked, not rows."""
    sorted: bool = False
    """Whether what is shown first is also what it is sorted by."""
    everything: bool = False
    added: bool = False
    """Whether an amount is summed though no word says so."""

    @classmethod
    def of(cls, question: Question, index: Index, today: date) -> "Draft":
        """Begins with nothing understood."""
        claimed, several = [""] * len(question.words), len(index.tables) > 1
        return cls(question, index, today, question.text.lower(), claimed, several)

    def claim(self, start: int, end: int, by: str) -> None:
        """Marks words as explained, unless they are already."""
        for at in range(max(0, start), min(end, len(self.claimed))):
            self.claimed[at] = self.claimed[at] or by

    def pass_over(self, start: int, end: int, by: str) -> None:
        """Marks the words of a stretch that say nothing of their own."""
        known = lexicon()
        for at in range(start, end):
            term = self.question.terms[at]
            if term.weight < 1 or term.text in known.stop or term.stem in known.asking:
                self.claim(at, at + 1, by)

    def claim_text(self, match: re.Match[str], by: str, group: int | str = 0) -> None:
        """Marks the words of a matched piece of text."""
        self.question.go_on()
        low, high = match.span(group)
        for at, word in enumerate(self.question.words):
            if word.start < high and low < word.end:
                self.claimed[at] = self.claimed[at] or by

    def free(self, mention: Mention) -> bool:
        """Whether the words of a mention are still unexplained."""
        return not any(
            self.claimed[at]
            for at in range(mention.start, mention.end)
            if self.question.terms[at].weight == 1
        )

    def rows_named(self, mention: Mention) -> str | None:
        """The table that these words name, which is named wholly."""
        said = set(range(mention.start, mention.end))
        for name in self.index.table_names:
            places = self.question.tables.get(name.written, ())
            stems = {self.question.terms[at].stem for at in places}
            if said <= set(places) and own_parts(name) <= stems:
                return name.written
        return None

    def at(self, offset: int) -> int:
        """The first word at or after a place in the text."""
        return self.question.at(offset)

    def text(self, start: int, end: int) -> str:
        """The words from one place to another, folded."""
        self.question.go_on()
        return " ".join(word.text for word in self.question.words[max(0, start) : end])

    def worth(self, mention: Mention) -> float:
        """How good a mention is, its table's being named included."""
        places = self.question.tables.get(mention.column.table, ())
        bonus = 0.0
        if self.several and places:
            near = min(min(abs(at - mention.start), abs(at - mention.end + 1)) for at in places)
            bonus = _TABLE_BONUS + _BESIDE_BONUS / (1 + max(0, near - 1))
        if any(column.table == mention.column.table for column in self.filtered):
            bonus += 0.5 * _TABLE_BONUS * self.several
        if self.home:
            bonus += self.home.get(mention.column.table, 0.0)
            bonus += _OWNER_BONUS * (mention.column.table in self.owners.get(mention.end, ()))
        named = {term.text for term in mention.column.name.terms}
        said = self.question.words[mention.end - 1].text
        bonus += _ALL_BONUS * bool(_ALL & named) + _PRICE_BONUS * (
            "price" in named and said in _DEAR
        )
        more = 0.05 if self.home and mention.quality > WHOLLY_NAMED else 0.02
        return mention.quality + bonus + more * (mention.end - mention.start)

    def pick(
        self,
        start: int,
        end: int,
        fits: Callable[[Column], bool] = lambda _: True,
        least: float = NAMED,
        *,
        taken: bool = False,
    ) -> Mention | None:
        """The best free mention that begins inside a stretch of words, the nearer the better."""
        self.question.go_on()
        found = [
            (self.worth(mention) - 0.03 * (mention.start - start), mention)
            for mention in self.question.mentions.starting(start, end)
            if mention.quality >= least and fits(mention.column) and (taken or self.free(mention))
        ]
        return max(found, key=lambda pair: pair[0])[1] if found else None

    def open_words(self) -> list[int]:
        """The telling words that nothing explains."""
        known = lexicon()
        self.question.go_on()
        return [
            at
            for at, term in enumerate(self.question.terms)
            if not self.claimed[at]
            and term.weight == 1
            and term.text not in known.stop
            and term.stem not in known.asking
        ]


AMOUNTS = word_set("names.amount_stems")
_NO_ROWS = word_set("names.pieces", "names.sales")


def entity(draft: Draft, at: int) -> bool:
    """Whether a word only names the rows: customers, trips, or the table itself."""
    if at >= len(draft.claimed):
        return False
    word = draft.question.terms[at]
    known = lexicon()
    return (
        word.stem in known.entities
        or word.stem in known.row_words
        or at in draft.question.table_words
        or _has_value(draft, word.text)
        or word.text in draft.index.row_words
        or (not draft.several and _is_in_table_name(draft, at))
    )


def _is_in_table_name(draft: Draft, at: int) -> bool:
    """Whether the table's name, written together, has a word: `bird strikes` of birdstrikes."""
    own, word = draft.index.tables[0].name.lower(), draft.text(at, at + 1)
    ends = len(word) > SHORTEST_NAME and word.endswith("s") and own.endswith(word)
    return ends or own == word + draft.text(at + 1, at + 2)


def _has_value(draft: Draft, word: str) -> bool:
    """Whether a column tells what each of them is worth: `deals` and Deal Value."""
    if draft.several or not word.endswith("s") or word in _NO_ROWS:
        return False
    return any(
        column.number
        and column.name.terms[-1].stem in AMOUNTS
        and word[:-1] in {term.text for term in column.name.terms[:-1]}
        for column in draft.index.columns
    )


def names_other_better(draft: Draft, mention: Mention) -> bool:
    """Whether words name another column better: `cities in Texas` speaks of no State.

    A name's own word is not outdone by one that only means the same.
    """
    return any(
        one.quality > mention.quality
        or (one.quality == mention.quality and one.end - one.start > mention.end - mention.start)
        for one in draft.question.mentions.over(mention.start)
        if mention.end <= one.end and mention.explained <= one.explained
        if one.column.table == mention.column.table
    )


def says_which(draft: Draft, mention: Mention) -> bool:
    """Whether what is done tells which rows are meant: `time spent by converted leads`."""
    word = draft.question.words[mention.start].text
    done = mention.end == mention.start + 1 and word.endswith("ed")
    after = draft.text(mention.start - 1, mention.start) == "by"
    return done and after and mention.column.yes is not None and entity(draft, mention.end)


def named_tables(draft: Draft) -> list[str]:
    """The tables spoken of, the first mentioned first."""
    places = {name: min(at) for name, at in draft.question.tables.items() if at}
    return sorted(places, key=lambda name: places[name])


def columns_of(conditions: Iterable[tuple[Condition, ...]]) -> list[Ref]:
    """The columns that conditions test."""
    tests = [one for options in conditions for one in options]
    return [one.ref for one in tests] + [one.other for one in tests if one.other]


def add_test(draft: Draft, column: Column, one: Condition, start: int, end: int) -> None:
    """Adds a condition and claims its words."""
    draft.where.append((one,))
    draft.filtered.append(column)
    draft.spans.append((start, end))
    draft.claim(start, end, "condition")
