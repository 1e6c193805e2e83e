"""A question in words, answered with SQL, or with what to ask instead."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from modelwright.engines.chart_spec import ChartSpec
from modelwright.engines.facts import Value
from modelwright.engines.language.rules.answering.assumptions import unknown_units
from modelwright.engines.language.rules.answering.charts import chart_of
from modelwright.engines.language.rules.answering.confidence import (
    confidence,
    guessed_columns,
    is_half_read,
    is_senseless,
    lacks_dates,
    may_be_look_up,
    names_only_others,
    only_lists_rows,
    route_clues,
    shows_guesses,
    shows_some_rows,
    shows_unnamed,
    speaks_of_others,
)
from modelwright.engines.language.rules.answering.follow_ups import why_not_alone
from modelwright.engines.language.rules.answering.question_plan import draft_of, plan_of
from modelwright.engines.language.rules.answering.star_schema import (
    Star,
    adds_own_amounts,
    computes_of_own_rows,
    find_stars,
    over_tables,
)
from modelwright.engines.language.rules.answering.suggestions import (
    quoted,
    suggestions,
    time_between,
    why_not,
)
from modelwright.engines.language.rules.answering.unread_words import (
    deciding_words,
    forgets_request,
    is_computing,
    nameless_words,
    unasked,
    uncomputable,
    unranked,
    unread_requests,
    unused_words,
)
from modelwright.engines.language.rules.columns.index import Index
from modelwright.engines.language.rules.columns.schema import Key, TableFacts
from modelwright.engines.language.rules.columns.text_with_units import (
    Place,
    computes_with,
    in_units,
)
from modelwright.engines.language.rules.columns.tie_breaks import settled
from modelwright.engines.language.rules.lookups.lookup import looked_up
from modelwright.engines.language.rules.lookups.ranking import probability
from modelwright.engines.language.rules.mentions.draft import Draft, named_tables
from modelwright.engines.language.rules.mentions.mention import EXACTLY_NAMED
from modelwright.engines.language.rules.mentions.rows import amount
from modelwright.engines.language.rules.mentions.unknown_names import unknown_values
from modelwright.engines.language.rules.plans.plan import Measure, Plan, as_json
from modelwright.engines.language.rules.plans.sentences import sentence
from modelwright.engines.language.rules.plans.sql import to_sql
from modelwright.engines.language.rules.several.dropped_words import drops_request
from modelwright.engines.language.rules.text.stopping import Stopped, TooLong, never

__all__ = ["Answerable", "NotUnderstood", "Reader", "TableFacts", "TooLong", "read"]

_SURE_OF_EXTREME = 0.6
"""How sure a look-up of a lowest or highest value is at least: little else can be meant."""
THRESHOLD = 0.35
"""How sure a reading is at least that is answered."""
EVEN = 0.5
"""More is likelier than not."""
SURE = 0.85
"""How sure a reading is at least that takes another's place."""


@dataclass(frozen=True, slots=True)
class Answerable:
    """The SQL of a question, in DuckDB's dialect, and what was understood."""

    sql: str
    interpretation: str
    chart: ChartSpec | None
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
        values: Mapping[Place, Sequence[Value]] | None = None,
        units: frozenset[Place] = frozenset(),
        keys: Sequence[Key] | None = None,
    ) -> None:
        self._index = Index.build(tables, values, units, keys)
        self._values = values
        self._units = in_units(self._index, values)
        self._counting: Reader | None = None
        self._alone: dict[str, Reader] = {}
        self._stars: list[tuple[Star, Index]] | None = None

    def read(
        self, question: str, today: date, stopped: Stopped = never
    ) -> Answerable | NotUnderstood:
        """Answers a question; what isn't understood well enough is refused with suggestions.

        It is asked again and again whether the reading is to be `stopped`, which ends it with
        `TooLong`.
        """
        if not question.strip() or not self._index.columns:
            return self._refusal("The question is empty.")
        draft = draft_of(question, self._index, today, stopped)
        if why := why_not_alone(draft):
            return self._refusal(why)
        plan = plan_of(draft)
        found = self._count_units(draft, today) or self._read_part(draft, plan, today)
        if found:
            return found
        if plan is None:
            return self._refusal("The tables this needs can't be joined by any column they share.")
        read = self._answer(draft, plan)
        if isinstance(read, Answerable):
            return read
        why = f"{read.sentence}{time_between(draft)}"
        return self._look_up(draft, plan) or NotUnderstood(why, read.suggestions)

    def read_joined(
        self, question: str, today: date, stopped: Stopped = never
    ) -> tuple[Answerable, ...]:
        """Reads a question as one of a single table: of each with the rows that its own lead to.

        Nothing is read of it where one table is all there is. It may be `stopped` as `read` may.
        """
        if len(self._index.tables) < 2 or not question.strip():  # noqa: PLR2004
            return ()
        draft = draft_of(question, self._index, today, stopped)
        if why_not_alone(draft):
            return ()
        found = (
            self._of_star(draft, star, index, today) for star, index in self._able_stars(draft)
        )
        return tuple(one for one in found if one)

    def _able_stars(self, draft: Draft) -> list[tuple[Star, Index]]:
        """Returns the stars that hold all tables that a question speaks of, the widest first."""
        if self._stars is None:
            stars = find_stars(self._index, self._values)
            self._stars = [(one, one.index()) for one in stars]
        return [pair for pair in self._stars if not speaks_of_others(draft, pair[0].tables)]

    def _read_part(self, draft: Draft, plan: Plan | None, today: date) -> Answerable | None:
        """Reads a question on several tables as one of a part of them, where that says more."""
        if not draft.several:
            return None
        half = plan is None or is_half_read(draft, plan)
        found = self._read_star(draft, today) if half or only_lists_rows(plan) else None
        found = found or (self._read_alone(draft, today) if half else None)
        told = plan is not None and plan.select and not _ranks(found, plan)
        less = found and told and not {"select", "group"} & found.plan.keys()
        return None if less else found

    def _count_units(self, draft: Draft, today: date) -> Answerable | None:
        """Reads what computes with numbers that have a unit: the average of `5 stars`."""
        named = draft.question.mentions.columns
        if not named & self._units:
            return None
        self._counting = self._counting or Reader(
            self._index.tables, self._values, self._units, self._index.keys
        )
        found = self._counting.read(draft.question.text, today, draft.question.stopped)
        told = found if isinstance(found, Answerable) else None
        return told if told and computes_with(draft.lower, told.plan, self._units) else None

    def _answer(self, draft: Draft, plan: Plan) -> Answerable | NotUnderstood:
        """Tells what was understood, or what was not."""
        sure, likelier = confidence(draft, plan), self._likelier_look_up(draft, plan)
        looked = likelier is not None
        plan, sure = likelier or (plan, sure)
        small = looked and not self._index.large
        why = self._why_refused(draft, plan, sure)
        why = why or _why_unread(draft, self._unread(draft, plan, looked=looked))
        if why:
            return self._refusal(why)
        plan = settled(plan, self._index)
        ignored = unused_words(draft, plan, looked=small) + unknown_units(draft)
        ignored += unranked(draft, plan) if looked else []
        idle = deciding_words(draft, ignored) if self._index.large or draft.several else []
        return self._refusal(_unclear(idle)) if idle else _answerable(draft, plan, sure, ignored)

    def _likelier_look_up(self, draft: Draft, plan: Plan) -> tuple[Plan, float] | None:
        """Returns a look-up that is likelier meant than the plan, and how sure it is."""
        if not may_be_look_up(draft, plan):
            return None
        simple, conditions = looked_up(draft.question, self._index)
        clues = route_clues(draft, plan, simple, conditions)
        if probability("route", clues) <= EVEN or self._says_less(draft, simple, plan):
            return None
        return simple, probability("look-up", clues)

    def _why_refused(self, draft: Draft, plan: Plan, sure: float) -> str:
        """Says why a plan is not to be answered, whatever its words; empty where it is."""
        unfit = (
            shows_unnamed(draft, plan)
            or is_senseless(plan, self._index)
            or self._adds_keys(draft, plan)
        )
        if sure < THRESHOLD or unfit:
            return why_not(draft)
        if (self._index.large or draft.several) and lacks_dates(draft, plan):
            return "No column of dates was found to tell this over time by."
        names = unknown_values(draft, plan)
        return f"Nothing in the tables is called {quoted(names)}." if names else ""

    def _unread(self, draft: Draft, plan: Plan, *, looked: bool) -> list[str]:
        """Returns the words without which an answer would be to another question."""
        large = self._index.large
        if draft.charted or (looked and not large):
            unread = draft.unread if draft.several else []
        else:
            unread = unread_requests(draft, plan)
        if looked:
            unread = unread or guessed_columns(draft, plan) or _looked_past(draft, plan)
        elif large and not (unread or draft.several or draft.charted) and only_lists_rows(plan):
            unread = [] if shows_some_rows(plan) else unused_words(draft, plan)
        return unread

    def _look_up(self, draft: Draft, plan: Plan) -> Answerable | None:
        """Reads what would be refused as a look-up in a small table, where that is sure."""
        if self._index.large or draft.several or draft.charted or uncomputable(draft):
            return None
        simple, conditions = looked_up(draft.question, self._index)
        sure = probability("look-up", route_clues(draft, plan, simple, conditions))
        ignored = unused_words(draft, simple)
        end = simple.select[0].aggregate in {"min", "max"} and not (simple.where or ignored)
        if sure < (_SURE_OF_EXTREME if end else SURE) or (ignored and not simple.where):
            return None
        if unknown_values(draft, simple) or forgets_request(draft, simple):
            return None
        return _answerable(draft, simple, sure, ignored)

    def _adds_keys(self, draft: Draft, plan: Plan) -> bool:
        """Whether numbers that stand for rows are added up, though none was called by its name."""
        added = (one.ref for one in plan.select if one.ref and one.aggregate in {"sum", "avg"})
        keys = [column for one in added if (column := self._index.column(one)).keyed]
        return any(
            all(m.named <= EXACTLY_NAMED for m in draft.question.mentions.of(c.at)) for c in keys
        )

    def _says_less(self, draft: Draft, simple: Plan, plan: Plan) -> bool:
        """Whether a look-up ranks nothing where the plan does, or tells less of a large table.

        There it counts an amount, repeats rows or leaves some out.
        """
        ranks = plan.limit and any(one.by.ref for one in plan.order)
        if ranks and not simple.select[0].aggregate:
            return True
        if any(one.ref.lapses or one.other for options in plan.where for one in options):
            return True
        return self._index.large and (
            _counts_unnamed(draft, simple, plan)
            or any(
                amount(self._index.column(one.ref))
                for one in simple.select
                if one.aggregate == "count" and one.ref
            )
            or self._shows_less(draft, simple, plan)
        )

    def _shows_less(self, draft: Draft, simple: Plan, plan: Plan) -> bool:
        """Whether the plan only shows columns: each value once, or several that are all named."""
        shown = [one.ref for one in plan.select if one.ref and not one.aggregate]
        if len(shown) < len(plan.select) or len(simple.where) > len(plan.where):
            return False
        stems = {term.stem for term in draft.question.terms}
        names = [{term.stem for term in self._index.column(one).name.terms} for one in shown]
        named = len(shown) > 1 and all(stems & name for name in names)
        return (plan.distinct or named) and simple.select[0].ref in shown

    def _read_star(self, draft: Draft, today: date) -> Answerable | None:
        """Reads a question that adds up or counts as one of a single table, with what it joins.

        But for the widest, only where amounts of the table's own rows are asked.
        """
        for place, (star, index) in enumerate(self._able_stars(draft)):
            found = self._of_star(draft, star, index, today, only_amounts=place > 0)
            if found:
                return found
        return None

    def _of_star(
        self, draft: Draft, star: Star, index: Index, today: date, *, only_amounts: bool = False
    ) -> Answerable | None:
        """Reads a question over one star, where it computes of the star's own rows."""
        single = draft_of(draft.question.text, index, today, draft.question.stopped)
        plan = plan_of(single)
        sure = confidence(single, plan) if plan else 0.0
        if plan is None or sure < SURE or not computes_of_own_rows(star, draft, plan):
            return None
        if only_amounts and not adds_own_amounts(star, plan):
            return None
        if any(fault(single, plan) for fault in _FAULTS) or drops_request(draft, plan, star.fact):
            return None
        plan = settled(over_tables(star, self._index, plan), self._index)
        return _answerable(single, plan, sure)

    def _read_alone(self, draft: Draft, today: date) -> Answerable | None:
        """Reads a question that speaks of one of several tables as if there were no other."""
        named = named_tables(draft)
        home, *others = named or sorted(draft.home, key=lambda name: -draft.home[name]) or [""]
        told = draft.home
        rivals = [other for other in others if told.get(other, 0) > EVEN * told.get(home, 0)]
        if not told.get(home) or (others if named else rivals) or names_only_others(draft, [home]):
            return None
        if home not in self._alone:
            self._alone[home] = Reader([self._index.table(home)], self._values)
        found = self._alone[home].read(draft.question.text, today, draft.question.stopped)
        whole = isinstance(found, Answerable) and not found.ignored and found.confidence >= SURE
        if not isinstance(found, Answerable) or not whole or shows_guesses(draft, found.plan, home):
            return None
        return found

    def _refusal(self, why: str) -> NotUnderstood:
        return NotUnderstood(why, tuple(suggestions(self._index)))


def read(question: str, tables: Sequence[TableFacts], today: date) -> Answerable | NotUnderstood:
    """Answers one question on tables that aren't kept."""
    return Reader(tables).read(question, today)


def _ranks(found: Answerable | None, plan: Plan) -> bool:
    """Whether a reading ranks rows where the plan ranks none, or in each of something."""
    return found is not None and (
        "within" in found.plan or bool(found.plan.get("limit")) > bool(plan.limit)
    )


def _answerable(draft: Draft, plan: Plan, sure: float, ignored: Sequence[str] = ()) -> Answerable:
    told = sentence(plan)
    chart = chart_of(draft, plan, told.rstrip("."))
    told += f" Not used: {quoted(ignored)}." if ignored else ""
    return Answerable(to_sql(plan), told, chart, round(sure, 3), as_json(plan), tuple(ignored))


def _why_unread(draft: Draft, unread: Sequence[str]) -> str:
    """Blames what is found nowhere, not the `average` of it, which is read where there is any."""
    unknown = nameless_words(draft) if all(map(is_computing, unread)) else []
    if unread and unknown:
        return f"Nothing in the tables was found for {quoted(unknown)}."
    return _unclear(unread)


def _unclear(words: Sequence[str]) -> str:
    """Says which words were not understood; nothing where there are none."""
    return f"It was not understood what is meant by {quoted(words)} here." if words else ""


def _looked_past(draft: Draft, plan: Plan) -> list[str]:
    """Returns what a look-up doesn't do though it is asked to."""
    found = uncomputable(draft) if plan.where else unranked(draft, plan) + unused_words(draft, plan)
    return found + unasked(draft, plan)


def _counts_unnamed(draft: Draft, simple: Plan, plan: Plan) -> bool:
    """Whether rows are counted and a look-up shows a column that no word names."""
    named = {m.column.facts.name for m in draft.question.mentions}
    shown = {m.ref.column for m in simple.select if m.ref}
    return plan.select == [Measure("count")] and not shown <= named


_FAULTS: tuple[Callable[[Draft, Plan], object], ...] = (
    shows_unnamed, unknown_values, unread_requests, unused_words, lacks_dates,
)  # fmt: skip
"""What a reading over one of several tables must not have, in the order of what they cost."""
