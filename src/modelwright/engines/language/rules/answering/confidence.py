"""How sure a reading is, and what tells a look-up from an analysis.

A plan that runs may still answer another question. What makes it doubtful is gathered here as clues
for trained weights, so that the reader can say how sure it is, and the one that only looks up can
leave a question to the one that computes.
"""

import re
from collections.abc import Collection
from datetime import date
from typing import Any

from modelwright.engines.language.rules.answering.unread_words import unread_requests, unused_words
from modelwright.engines.language.rules.columns.column import LIST
from modelwright.engines.language.rules.columns.index import Index
from modelwright.engines.language.rules.groups.grouping import PERIODS
from modelwright.engines.language.rules.groups.time_groups import times_asked
from modelwright.engines.language.rules.lookups.ranking import probability
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.mentions.mention import EXACTLY_NAMED
from modelwright.engines.language.rules.plans.plan import Condition, Measure, Plan
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.vocabulary import word_set

_VERB = re.compile(r"(?:ed|en|wn|ught|ade|ung|ing|old|aid|oke|nt|pt|lt)$")
_MOST_GROUPINGS = 3
"""Groups by more columns hold about one row each."""
_EACH = word_set("small_words.each")
_FIRST = re.compile(r"(?:first|last|earliest|latest|newest|oldest)\b")
_SELLS = re.compile(
    r"\bhow many (?!(?:different|distinct|unique)\b).*\b(?:sold|sell|ship(?:ped)?|ordered|bought)\b"
)
_ASKS_WHICH = re.compile(r"\s*(?:which|who|when|where)\b")
_WHO = word_set("small_words.of_verbs")


def confidence(draft: Draft, plan: Plan) -> float:
    """How likely the plan is what was meant, 0 to 1."""
    return probability("answer several" if draft.several else "answer", doubt_clues(draft, plan))


def doubt_clues(draft: Draft, plan: Plan) -> dict[str, float]:
    """What makes a plan doubtful, for the trained weights."""
    open_words = [
        at for at in draft.open_words() if not (entity(draft, at) or is_verb_between(draft, at))
    ]
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


def is_verb_between(draft: Draft, at: int) -> bool:
    """Whether a word of several tables is the verb between them: pets `owned` by students."""
    word, before = draft.text(at, at + 1), draft.text(at - 1, at)
    return draft.several and bool(_VERB.search(word) or before in _WHO)


def shows_unnamed(draft: Draft, plan: Plan) -> bool:
    """Whether the plan shows columns that the question never names, of all the rows."""
    named = draft.question.mentions.columns
    own = {"per", "product", "mean_product"}
    read = (m for m in plan.select if m.ref and m.aggregate not in own and not m.ref.lapses)
    shown = [(m.ref.table, m.ref.column) for m in read if m.ref]
    told = named.intersection(shown) or plan.where or draft.group or (plan.order and plan.limit)
    bare = shown or not plan.select
    return bool(bare) and not (told or draft.everything)


def speaks_of_others(draft: Draft, tables: Collection[str]) -> bool:
    """Whether words speak of another table, or name a column that only others have.

    A city is a column of these tables too, though one of the others is called Cities.
    """
    spelt = _spelt(draft, tables)
    others = (at for table, at in draft.question.tables.items() if table not in tables)
    return names_only_others(draft, tables) or not all(spelt.issuperset(at) for at in others)


def names_only_others(draft: Draft, tables: Collection[str]) -> bool:
    """Whether words that name a column of another table name none of these so well."""
    own = _spelt(draft, tables)
    whole = [m for m in draft.question.mentions if m.quality > EXACTLY_NAMED]
    return any(not own.intersection(range(m.start, m.end)) for m in whole)


def _spelt(draft: Draft, tables: Collection[str]) -> set[int]:
    """Returns the words that name columns of these tables in full."""
    found = [
        m for m in draft.question.mentions if m.quality > EXACTLY_NAMED and m.column.table in tables
    ]
    return {at for m in found for at in range(m.start, m.end)}


def may_be_look_up(draft: Draft, plan: Plan) -> bool:
    """Whether a look-up in one table could be meant too."""
    if draft.several:
        return False
    said = draft.charted or draft.added or draft.everything or draft.unread
    ranked = (plan.limit or 0) > 1 or plan.offset > 0
    if said or ranked or plan.within or plan.having or plan.combined:
        return False
    return not (_shows_more(plan) or _tests_more(draft, plan) or _tells_kinds(draft, plan))


def _shows_more(plan: Plan) -> bool:
    """Whether a plan shows what a look-up can't: derived numbers, both ends of a range."""
    both_ends = {"min", "max"} <= {m.aggregate for m in plan.select}
    return both_ends or any(map(_is_derived, plan.select))


def _tests_more(draft: Draft, plan: Plan) -> bool:
    """Whether a plan tests what a look-up can't, or, of a large table, in other words."""
    if any(_is_no_look_up(one) for options in plan.where for one in options):
        return True
    computed = draft.index.large or any(one.aggregate for one in plan.select)
    return computed and any(_is_in_other_words(draft, one) for (one, *_) in plan.where)


def _tells_kinds(draft: Draft, plan: Plan) -> bool:
    """Whether a plan over a large table tells values apart, shows some rows or tests yes and no."""
    if not draft.index.large:
        return False
    tested = any(_tests_yes_or_no(draft, one) for (one, *_) in plan.where)
    return plan.distinct or plan.limit is not None or tested


def _tests_yes_or_no(draft: Draft, one: Condition) -> bool:
    """Whether a column of yes and no is tested."""
    return draft.index.column(one.ref).yes is not None


def _is_derived(one: Measure) -> bool:
    """Numbers that a look-up can't give: of two columns, percentages, percentiles and growth."""
    two = one.other or one.against
    return bool(two or one.share or one.of_total or one.growth or one.running or one.level)


def _is_no_look_up(one: Condition) -> bool:
    """Tests that a look-up can't make: of times, yes and no, alternatives, negations, gaps."""
    if one.part or one.plan or one.other or isinstance(one.value, date | bool):
        return True
    return one.op in {"in", "not in", "!=", "missing", "present", "contains", "starts", "ends"}


def _is_in_other_words(draft: Draft, one: Condition) -> bool:
    """Whether a text is tested that stands in the question in other words: women for `Female`."""
    links = [link.held for link in draft.question.values]
    return isinstance(one.value, str) and not any(
        held.value == one.value for link in links for held in link
    )


def route_clues(draft: Draft, plan: Plan, simple: Plan, sure: float) -> dict[str, float]:
    """What tells a look-up from an analysis, for the trained weights."""
    same_where = _tests(plan) == _tests(simple)
    clues = doubt_clues(draft, plan)
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


def is_senseless(plan: Plan, index: Index) -> bool:
    """Whether numbers of all rows stand beside columns of each, rank them or test them."""
    if plan.group:
        return _each_alone(plan, index) or _beyond_rows(plan, index)
    told = [_is_of_rows(one) for one in plan.select]
    ranked = any(isinstance(one.by, Measure) and _is_of_rows(one.by) for one in plan.order)
    mixed = any(told) and not all(told)
    return mixed or bool((ranked or plan.having) and not (told and all(told)))


def _is_of_rows(one: Measure) -> bool:
    """Whether a number is one of all rows."""
    return bool((one.aggregate and not one.each) or one.share)


def _beyond_rows(plan: Plan, index: Index) -> bool:
    """Whether groups of more rows are asked for than the table has: it was of another number."""
    rows = max(column.facts.rows for column in index.in_table(plan.tables[0]))
    counted = [one.value for one in plan.having if one.measure == Measure("count")]
    return not plan.joins and any(value > rows for value in counted)


def _each_alone(plan: Plan, index: Index) -> bool:
    """Whether groups that hold one row each are ranked by how many they hold."""
    counted = any(isinstance(o.by, Measure) and o.by == Measure("count") for o in plan.order)
    one = index.column(plan.group[0].ref).facts
    key = one.distinct == one.rows >= LIST and not plan.group[0].unit
    return counted and not plan.joins and (len(plan.group) > _MOST_GROUPINGS or key)


def only_lists_rows(plan: Plan | None) -> bool:
    """Whether a plan only lists rows."""
    return plan is not None and not (plan.group or plan.counted or shows_numbers(plan))


def shows_some_rows(plan: Plan) -> bool:
    """Whether a plan shows some rows before others, or not all."""
    return bool(plan.where or plan.order or plan.limit)


def shows_numbers(plan: Plan) -> bool:
    """Whether a plan shows numbers that are computed of rows."""
    return any(one.aggregate or one.share for one in plan.select)


def shows_guesses(draft: Draft, plan: dict[str, Any], home: str) -> bool:
    """Whether a reading of one of several tables shows a column that no word names."""
    told = {m.column.facts.name for m in draft.question.mentions if m.column.table == home}
    told.add(draft.index.naming(home).facts.name)
    shown = [one["ref"]["column"] for one in plan.get("select", ()) if one.get("ref")]
    return not told.issuperset(shown)


def guessed_columns(draft: Draft, plan: Plan) -> list[str]:
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
    return guessed or ([] if shown & named else unused_words(draft, plan))


def lacks_dates(draft: Draft, plan: Plan) -> bool:
    """Whether rows are asked for by time of tables that have no column of dates."""
    dated = any(column.date for column in draft.index.columns)
    return not (plan.group or dated) and times_asked(draft)


def is_half_read(draft: Draft, plan: Plan) -> bool:
    """Whether words are left over that are more than how the question is put."""
    if _groups_unread(draft, plan) or _rows_unread(draft, plan) or is_senseless(plan, draft.index):
        return True
    if plan.limit and any(word.text in _EACH for word in draft.question.words):
        return True
    if _ASKS_WHICH.match(draft.lower) and plan.select and not plan.group and shows_numbers(plan):
        return True
    if unread_requests(draft, plan):
        return True
    return not plan.joins and (shows_unnamed(draft, plan) or bool(unused_words(draft, plan)))


def _groups_unread(draft: Draft, plan: Plan) -> bool:
    """Whether words that begin a group found none, or a time that is asked for groups nothing."""
    said = [(word.text, by) for word, by in zip(draft.question.words, draft.claimed, strict=True)]
    if ("by", "group") in said or any(text in PERIODS | _EACH and not by for text, by in said):
        return True
    return times_asked(draft) and not any(one.unit for one in plan.group)


def _rows_unread(draft: Draft, plan: Plan) -> bool:
    """Whether `first` ranks nothing, or rows are counted where units were sold."""
    if _FIRST.match(draft.lower) and not (draft.claimed[0] or plan.order):
        return True
    counts = all(str(one.aggregate).startswith("count") for one in plan.select)
    return counts and bool(draft.where) and bool(_SELLS.search(draft.lower))
