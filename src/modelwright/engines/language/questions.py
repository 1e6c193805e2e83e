"""A question in words, answered with SQL, or with what to ask instead."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from modelwright.engines.facts import Value
from modelwright.engines.language.asking import draft_of, plan_of
from modelwright.engines.language.charting import Chart, chart_of
from modelwright.engines.language.drafting import Draft, entity, named_tables
from modelwright.engines.language.grouping import PERIODS, times_asked
from modelwright.engines.language.index import Index
from modelwright.engines.language.lexicon import lexicon
from modelwright.engines.language.lookup import looked_up
from modelwright.engines.language.plan import Condition, Measure, Plan, as_json
from modelwright.engines.language.ranking import probability
from modelwright.engines.language.rendering import sentence
from modelwright.engines.language.schema import TableFacts
from modelwright.engines.language.sql import to_sql
from modelwright.engines.language.stars import Star, apart, stars, suits
from modelwright.engines.language.suggesting import suggestions
from modelwright.engines.language.unheld import unheld
from modelwright.engines.language.unread import changing, left_out

__all__ = ["Answerable", "Chart", "NotUnderstood", "Reader", "TableFacts", "read"]

THRESHOLD = 0.35
EVEN = 0.5
SURE = 0.85
"""How sure a reading is at least that takes another's place."""


@dataclass(frozen=True, slots=True)
class Answerable:
    """The SQL of a question, in DuckDB's dialect, and what was understood."""

    sql: str
    interpretation: str
    chart: Chart | None
    confidence: float
    plan: dict[str, Any]
    ignored: tuple[str, ...] = ()
    """The words that were not used."""


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """Why a question gets no answer, and questions that do on these tables."""

    sentence: str
    suggestions: tuple[str, ...]


class Reader:
    """The questions of one session: its tables are indexed once."""

    def __init__(
        self,
        tables: Sequence[TableFacts],
        values: Mapping[tuple[str, str], Sequence[Value]] | None = None,
    ) -> None:
        self._index = Index.build(tables, values)
        self._values = values
        self._alone: dict[str, Reader] = {}
        self._stars: list[tuple[Star, Index]] | None = None

    def read(self, question: str, today: date) -> Answerable | NotUnderstood:
        """Answers a question; what isn't understood well enough is refused with suggestions."""
        if not question.strip() or not self._index.columns:
            return self._refusal("The question is empty.")
        draft = draft_of(question, self._index, today)
        plan = plan_of(draft)
        if len(self._index.tables) > 1:
            half = plan is None or _half_read(draft, plan)
            found = self._read_star(draft, today) if half or _lists(plan) else None
            found = found or (self._read_alone(draft, today) if half else None)
            if found is not None:
                return found
        if plan is None:
            return self._refusal("The tables this needs can't be joined by any column they share.")
        return self._answer(draft, plan)

    def _answer(self, draft: Draft, plan: Plan) -> Answerable | NotUnderstood:
        """Tells what was understood, or what was not."""
        sure, looked = confidence(draft, plan), False
        if plain(draft, plan):
            simple, conditions = looked_up(draft.question, self._index)
            if probability("route", route(draft, plan, simple, conditions)) > EVEN:
                sure = probability("look-up", route(draft, plan, simple, conditions))
                plan, looked = simple, True
        if sure < THRESHOLD or blind(draft, plan):
            return self._refusal(_why(draft))
        names = unheld(draft, plan)
        if names:
            return self._refusal(f"Nothing in the tables is called {_listed(names)}.")
        trusted = draft.charted or (looked and not self._index.large)
        several = len(self._index.tables) > 1
        unread = (draft.unread if several else []) if trusted else changing(draft, plan)
        unread = unread or (_not_asked(draft, plan) if looked else [])
        if unread:
            return self._refusal(f"It was not understood what is meant by {_listed(unread)} here.")
        told = sentence(plan)
        chart = chart_of(draft, plan, told.rstrip("."))
        ignored = left_out(draft, plan, looked=looked and not self._index.large)
        told += f" Not used: {_listed(ignored)}." if ignored else ""
        return Answerable(to_sql(plan), told, chart, round(sure, 3), as_json(plan), tuple(ignored))

    def _read_star(self, draft: Draft, today: date) -> Answerable | None:
        """Reads a question that adds up or counts as one of a single table, with what it joins."""
        if self._stars is None:
            found = stars(self._index, self._values)
            self._stars = [(one, Index.build([one.facts], one.values)) for one in found]
        named = set(named_tables(draft))
        able = (pair for pair in self._stars if named <= pair[0].tables)
        star, index = next(able, (None, self._index))
        if star is None:
            return None
        single = draft_of(draft.question.text, index, today)
        plan = plan_of(single)
        sure = confidence(single, plan) if plan else 0.0
        if plan is None or sure < SURE or not suits(star, draft, plan) or blind(single, plan):
            return None
        if unheld(single, plan) or changing(single, plan) or left_out(single, plan):
            return None
        plan = apart(star, self._index, plan)
        told = sentence(plan)
        chart = chart_of(single, plan, told.rstrip("."))
        return Answerable(to_sql(plan), told, chart, round(sure, 3), as_json(plan))

    def _read_alone(self, draft: Draft, today: date) -> Answerable | None:
        """Reads a question that speaks of one of several tables as if there were no other."""
        named = named_tables(draft)
        home, *others = named or sorted(draft.home, key=lambda name: -draft.home[name]) or [""]
        rivals = [other for other in others if draft.home[other] > EVEN * draft.home[home]]
        if not draft.home.get(home) or (others if named else rivals):
            return None
        if home not in self._alone:
            self._alone[home] = Reader([self._index.table(home)], self._values)
        found = self._alone[home].read(draft.question.text, today)
        whole = isinstance(found, Answerable) and not found.ignored and found.confidence >= SURE
        return found if isinstance(found, Answerable) and whole else None

    def _refusal(self, why: str) -> NotUnderstood:
        return NotUnderstood(why, tuple(suggestions(self._index)))


def read(question: str, tables: Sequence[TableFacts], today: date) -> Answerable | NotUnderstood:
    """Answers one question on tables that aren't kept."""
    return Reader(tables).read(question, today)


def _half_read(draft: Draft, plan: Plan) -> bool:
    """Whether words are left over that are more than how the question is put."""
    words = changing(draft, plan) or left_out(draft, plan)
    said = zip(draft.question.words, draft.claimed, strict=True)
    if (times_asked(draft) and not plan.group) or any(
        w.text in PERIODS and not by for w, by in said
    ):
        return True
    return not plan.joins and (blind(draft, plan) or bool(words))


def _not_asked(draft: Draft, plan: Plan) -> list[str]:
    """What a look-up in a large table shows or tests by guess: columns that nothing names."""
    if not draft.index.large:
        return []
    named = {m.column.facts.name for m in draft.question.mentions}
    years = {column.facts.name for column in draft.index.columns if column.shape == "year"}
    guessed = [
        f"{one.value:g}"
        for (one, *_) in plan.where
        if one.op == "=" and isinstance(one.value, int | float)
        if one.ref.column not in named | years
    ]
    shown = {one.ref.column for one in plan.select if one.ref}
    return guessed or ([] if shown & named else left_out(draft, plan))


def _lists(plan: Plan | None) -> bool:
    """Whether a plan only lists rows."""
    return plan is not None and not (
        plan.group or plan.counted or any(one.aggregate or one.share for one in plan.select)
    )


def confidence(draft: Draft, plan: Plan) -> float:
    """How likely the plan is what was meant, 0 to 1."""
    return probability("answer", doubts(draft, plan))


def doubts(draft: Draft, plan: Plan) -> dict[str, float]:
    """What makes a plan doubtful, for the trained weights."""
    open_words = [at for at in draft.open_words() if not entity(draft, at)]
    telling = [
        at
        for at, term in enumerate(draft.question.terms)
        if term.weight == 1 and term.text not in lexicon().stop
    ]
    return {
        "open": min(4, len(open_words)),
        "open share": len(open_words) / max(1, len(telling)),
        "any open": float(bool(open_words)),
        "doubts": draft.doubts,
        "conditions": min(4, len(plan.where)),
        "joins": min(3, len(plan.joins)),
        "group": float(bool(plan.group)),
        "words": len(draft.question.words) / 10,
    }


def blind(draft: Draft, plan: Plan) -> bool:
    """Whether the plan shows columns that the question never names, of all the rows."""
    named = {(m.column.table, m.column.facts.name) for m in draft.question.mentions}
    shown = [(one.ref.table, one.ref.column) for one in plan.select if one.ref]
    told = named.intersection(shown) or plan.where or draft.group or (plan.order and plan.limit)
    bare = shown or not plan.select
    return bool(bare) and not (told or draft.everything)


def plain(draft: Draft, plan: Plan) -> bool:
    """Whether a look-up in one table could be meant too."""
    rich = plan.having or plan.combined or draft.charted or any(map(_told_apart, plan.select))
    rich = rich or {"min", "max"} <= {m.aggregate for m in plan.select}
    rich = (
        rich
        or (plan.limit or 0) > 1
        or any(_beyond(one) for options in plan.where for one in options)
    )
    counted = any(one.aggregate for one in plan.select)
    rich = rich or (counted and any(_unlinked(draft, one) for (one, *_) in plan.where))
    rich = rich or draft.added or draft.everything or bool(draft.unread)
    kinds = draft.index.large and (plan.distinct or plan.limit is not None)
    rich = rich or plan.offset > 0 or kinds
    return len(draft.index.tables) == 1 and not rich


def _told_apart(one: Measure) -> bool:
    """Numbers that a look-up can't give: percentages and growth."""
    return bool(one.share or one.of_total or one.growth)


def _beyond(one: Condition) -> bool:
    """Tests that a look-up can't make: of times, yes and no, alternatives, negations, gaps."""
    if one.part or one.plan or one.other or isinstance(one.value, date | bool):
        return True
    return one.op in {"in", "not in", "!=", "missing", "present", "contains", "starts", "ends"}


def _unlinked(draft: Draft, one: Condition) -> bool:
    """Whether a text is tested that stands in the question in other words: women for `Female`."""
    links = [link.held for link in draft.question.values]
    return isinstance(one.value, str) and not any(
        held.value == one.value for link in links for held in link
    )


def route(draft: Draft, plan: Plan, simple: Plan, sure: float) -> dict[str, float]:
    """What tells a look-up from an analysis, for the trained weights."""
    same_where = _tests(plan) == _tests(simple)
    clues = doubts(draft, plan)
    tested = {one.ref.column for options in simple.where for one in options if one.op == "="}
    likeness = [
        column.facts.distinct / max(1, column.facts.rows)
        for column in draft.index.columns
        if column.facts.name in tested
    ]
    return clues | {
        "order": float(bool(plan.order)),
        "limit": float(plan.limit is not None),
        "counts rows": float(any(m.aggregate == "count" and m.ref is None for m in plan.select)),
        "plain": float(all(m.aggregate is None for m in plan.select)),
        "same where": float(same_where),
        "fewer tests": float(len(plan.where) < len(simple.where)),
        "more tests": float(len(plan.where) > len(simple.where)),
        "same": float(same_where and plan.select == simple.select),
        "look-up sure": sure,
        "looked up count": float(simple.select[0].aggregate == "count"),
        "looked up plain": float(simple.select[0].aggregate is None),
        "tests": min(3, len(simple.where)),
        "keyed": max(likeness, default=0.0),
        "keyed and plain": max(likeness, default=0.0) * (simple.select[0].aggregate is None),
    }


def _tests(plan: Plan) -> set[str]:
    return {f"{one.ref.column} {one.op} {one.value}" for options in plan.where for one in options}


def _why(draft: Draft) -> str:
    unread = [draft.question.words[at].raw for at in draft.open_words()]
    if unread:
        return f"Nothing in the tables was found for {_listed(unread)}."
    return "The question was not understood well enough to answer it."


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f'"{word}"' for word in words[:5])
