"""Rows told by what they lack in another table, or by having two things at once."""

import re
from collections.abc import Iterable
from dataclasses import replace

from modelwright.engines.language.rules.columns.index import Column, Index, ref
from modelwright.engines.language.rules.columns.schema import Key, join_path
from modelwright.engines.language.rules.mentions.draft import Draft, add_test, named_tables
from modelwright.engines.language.rules.mentions.negation import AFFIRMED, denial_of, is_opposite
from modelwright.engines.language.rules.plans.plan import Condition, Measure, Op, Plan, Ref
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.roots import undone_word
from modelwright.engines.language.vocabulary import word_set

_BEHIND_NEGATION = word_set("grammar.behind_negation")
_LACKS = pattern("relations lacks")
_NEVER = re.compile(r"\b(?:never|with no|without(?: any)?|ha(?:s|d|ve|ving) no)\b")
_LACK_REACH = 7
"""So many words after `without` may name what is lacking."""
_NAMED = 0.55
"""How good a mention is at least that says who never did something."""
_HAS_REACH = 3
"""So many words before a table's name may say that rows have some of it."""
_AND = re.compile(r"\band\b")
_OR = re.compile(r"\b(?:or|either|any|nor)\b")
_KINDS_ASKED = re.compile(r"\W*(?:in |at |from |on |for )?(?:which|what) ")
_HAS = re.compile(r"\b(?:has|have|had|having|with|owns?|any)\b")
_WERE = re.compile(r"\b(?:is|are|was|were|been|got)(?: later| then| ever)?$")
_IDLE = frozenset({"", "select"})
_BOTH = re.compile(r"\b(?:both|as well as|and also)\b")


def read_lacks(draft: Draft) -> None:
    """`Stadiums without concerts`: notes the table that must hold nothing for a row."""
    tables = named_tables(draft)
    if len(tables) < 2:  # noqa: PLR2004 - it takes two
        return
    for match in _LACKS.finditer(draft.lower):
        at = draft.at(match.start())
        for table in tables[1:]:
            after = [
                place for place in draft.question.tables[table] if at < place <= at + _LACK_REACH
            ]
            if after and not any(draft.claimed[at : at + 1]):
                draft.lacking = (table, at)
                draft.claim(at, at + 1, "lack")
                draft.claim(after[0], after[0] + 1, "lack")
                _claim_idle(draft, at)
                return


def _claim_idle(draft: Draft, at: int) -> None:
    """`Not a single order`, `never ordered anything`: words that only go with a denial."""
    for place in range(at, min(at + _LACK_REACH, len(draft.claimed))):
        if draft.text(place, place + 1) in _BEHIND_NEGATION:
            draft.claim(place, place + 1, "lack")


def read_never(draft: Draft) -> None:
    """`Customers who never bought software`: those of whom no row is so, in a single table."""
    match = _NEVER.search(draft.lower)
    at = draft.at(match.start()) if match else 0
    if match is None or draft.claimed[at] not in {"", "negation"}:
        return
    who = draft.pick(0, at, lambda c: c.facts.type == "string" and c.repeated, _NAMED)
    if who is not None and draft.text(who.start - 2, who.start) == "where the":
        draft.claim(who.start, who.end, "condition")
        return
    if who is None:
        return
    draft.claim(at, at + 1, "negation")
    tests = list(zip(draft.where, draft.spans, strict=False))
    so = {id(options): span for options, span in tests if span[0] >= at}
    if not so:
        draft.unread.append(match.group())
        return
    inner = [
        tuple(_undenied(draft, one, so[id(options)]) for one in options)
        for options, _ in tests
        if id(options) in so
    ]
    one = ref(who.column)
    plan = Plan([one.table], [Measure(None, one)], [*inner, (Condition(one, "present"),)])
    kept = [pair for pair in tests if id(pair[0]) not in so]
    draft.where, draft.spans = [options for options, _ in kept], [span for _, span in kept]
    add_test(draft, who.column, Condition(one, "not in", plan=plan), at, at + 1)


def _undenied(draft: Draft, one: Condition, span: tuple[int, int]) -> Condition:
    """Turns a denied test back, also one of yes and no: `never paid by card` was not unpaid."""
    column = draft.index.column(one.ref)
    flag = next(
        (
            m
            for m in draft.question.mentions.of(column.at)
            if (m.start, m.end) == span and column.no is not None and not denial_of(column)
        ),
        None,
    )
    if flag is None or one.op != "=" or undone_word(draft.text(*span)):
        return replace(one, op=AFFIRMED.get(one.op, one.op))
    return replace(one, value=column.no if is_opposite(draft, flag) else column.yes)


def exclude_lacking(draft: Draft, main: str) -> None:
    """Turns what is lacking, and negations about other tables, into sub-plans of the main one."""
    if not draft.several:
        return
    _have_both(draft, main)
    goal, at = draft.lacking or ("", len(draft.claimed))
    unlike = _denied_tables(draft, main)
    inner: list[tuple[Condition, ...]] = []
    outer: list[tuple[Condition, ...]] = []
    for options, span in zip(draft.where, draft.spans, strict=False):
        one = options[0]
        foreign = one.ref.table != main
        if one.ref.table in unlike or (
            foreign and (one.op in {"!=", "outside"} or (goal and span[0] > at))
        ):
            goal = goal if goal and goal != main else one.ref.table
            inner.append((_affirmed(draft, one),))
        else:
            outer.append(options)
    if not goal or goal == main:
        return
    made = _not_in(draft, main, goal, inner)
    if made is not None:
        draft.where = [*outer, (made,)]


def require_having(draft: Draft, plan: Plan) -> None:
    """`Students who have a pet` have one in a table that nothing else of the plan reads."""
    for table, places in draft.question.tables.items():
        told = [
            at
            for at in places
            if _HAS.search(draft.text(at - _HAS_REACH, at)) or _is_done(draft, at, plan.tables[0])
        ]
        if table in plan.tables or not told or any(draft.claimed[at] not in _IDLE for at in told):
            continue
        way = join_path(draft.index.keys, plan.tables[0], table)
        if way and not draft.lacking:
            made = _among(draft.index, plan.tables[0], way, [], "in")
            plan.where = [*plan.where, (made,)]


def _is_done(draft: Draft, at: int, main: str) -> bool:
    """`Orders that were returned`, `returned orders`: what is done to them has a table."""
    before = _WERE.search(draft.text(at - 2, at)) or at + 1 in draft.question.tables.get(main, ())
    return bool(before) and draft.text(at, at + 1).endswith("ed")


def _affirmed(draft: Draft, one: Condition) -> Condition:
    column = draft.index.column(one.ref)
    if column.no is not None and one.value == column.no:
        return replace(one, value=column.yes)
    return replace(one, op=AFFIRMED.get(one.op, one.op))


def _denied_tables(draft: Draft, main: str) -> set[str]:
    """`Where English is not the official language`: no row has both, whatever else there is."""
    told = [options[0] for options in draft.where if options[0].ref.table != main]
    denied = {
        one.ref.table
        for one in told
        if one.value is not None and one.value == draft.index.column(one.ref).no
    }
    return {table for table in denied if sum(one.ref.table == table for one in told) > 1}


def _have_both(draft: Draft, main: str) -> None:
    """`Speak both English and Dutch`: one row of the other table with each."""
    plain = all(one.aggregate in {None, "count"} for one in draft.select) and not draft.group
    both = _BOTH.search(draft.lower)
    for options, span in zip(draft.where, draft.spans, strict=False):
        if not both and not (plain and _each_of(draft, span)):
            continue
        each = _each_apart(draft, main, options)
        if each is not None:
            rest = [one for one in draft.where if one[0].ref.table != options[0].ref.table]
            draft.where = [*rest, *((one,) for one in each)]
            draft.spans = [(0, 0)] * len(draft.where)
            return


def _each_apart(draft: Draft, main: str, options: tuple[Condition, ...]) -> list[Condition] | None:
    """Tests for a row with each of several values, in a table that points to the main one."""
    one, own = options[0], options[0].ref.table
    way = join_path(draft.index.keys, main, own) if own != main else None
    if not way or way[0].to_table != main or one.op != "in" or not isinstance(one.value, tuple):
        return None
    beside = [each for each in draft.where if each[0].ref.table == own and each is not options]
    tests = [[(replace(one, op="=", value=value),), *beside] for value in one.value]
    return [_among(draft.index, main, way, each, "in") for each in tests]


def _each_of(draft: Draft, span: tuple[int, int]) -> bool:
    """`Who bought tea and coffee` bought each, whatever rows of theirs are meant."""
    return bool(_AND.search(draft.text(*span))) and not _OR.search(draft.text(*span))


def _not_in(
    draft: Draft, main: str, goal: str, inner: list[tuple[Condition, ...]]
) -> Condition | None:
    goals = [one.ref.table for (one, *_) in inner] or [goal]
    way = join_path(draft.index.keys, main, goals[-1])
    if way and way[0].table == main and not inner:
        return Condition(key_refs(draft.index, way[0])[0], "missing")
    return _among(draft.index, main, way, inner, "not in") if way else None


def _among(
    index: Index, main: str, way: list[Key], inner: list[tuple[Condition, ...]], op: Op
) -> Condition:
    """Tests whether rows of a table are among those that others, a way off, point at."""
    mine, theirs = _ends(index, way[0], main)
    plan = Plan([theirs.table], [Measure(None, theirs)], inner)
    join_along(index, plan, way[1:])
    plan.where = [*inner, (Condition(theirs, "present"),)]
    return Condition(mine, op, plan=plan)


def count_once(index: Index, plan: Plan) -> None:
    """`How many customers ordered in 2024` counts each once, however many orders it joins."""
    counted = plan.select == [Measure("count")] and not (plan.group or plan.having)
    pointed = [key for pair in plan.joins for key in pair if key.table == plan.tables[0]]
    many = any(key.to_table == plan.tables[0] for key in index.keys if key.table in plan.tables[1:])
    if counted and pointed and many:
        plan.select = [Measure("count_distinct", pointed[0])]


def part_namesakes(index: Index, plan: Plan) -> None:
    """`Guests in more than 8 episodes` are guests, of whom two may have the same name."""
    grouped = {one.ref for one in plan.group}
    told = [*plan.select, *(one.measure for one in plan.having)]
    told += [one.by for one in plan.order if isinstance(one.by, Measure)]
    for bucket in plan.group if plan.joins else ():
        key, table = _key_of_namesakes(index, bucket.ref), bucket.ref.table
        own = told and all(one.ref is not None and one.ref.table == table for one in told)
        if key is not None and not own and ref(key) not in grouped:
            plan.apart.append(ref(key))


def _key_of_namesakes(index: Index, one: Ref) -> Column | None:
    """The key of a table whose rows are called by a column in which names repeat."""
    column, key = index.column(one), index.key(one.table)
    names = index.named(one.table) and index.naming(one.table) is column
    if key is None or not names or column.facts.distinct == column.facts.rows:
        return None
    return key if key.facts.distinct == key.facts.rows else None


def show_once(draft: Draft, plan: Plan) -> None:
    """`Students who have a cat or a dog` shows each once, however many rows it joins.

    So does `in which years`, which asks for kinds.
    """
    plain = all(one.ref and not (one.aggregate or one.share) for one in plan.select)
    if plan.select and plain and not (plan.group or plan.order or plan.having):
        once = plan.distinct or _joins_several(draft.index, plan) or _asks_kinds(draft, plan)
        plan.distinct = once


def _joins_several(index: Index, plan: Plan) -> bool:
    """Whether a row that is shown may join several of another table."""
    shown = {one.ref.table for one in plan.select if one.ref}
    joined = set(plan.tables) - shown
    pointed = {key.to_table for key in index.keys if key.table in joined}
    pointing = {key.to_table for key in index.keys if key.table in shown}
    return bool(shown & pointed) and not joined <= pointing


def _asks_kinds(draft: Draft, plan: Plan) -> bool:
    """Whether `which` is followed by the one column that is shown, and it doesn't name its rows."""
    kinds, one = _KINDS_ASKED.match(draft.lower), plan.select[0].ref
    if kinds is None or one is None or len(plan.select) > 1 or not draft.several:
        return False
    column, first = draft.index.column(one), draft.at(kinds.end())
    named = any(m.start == first for m in draft.question.mentions.of(column.at))
    return named and column is not draft.index.naming(one.table)


def count_pointing(draft: Draft) -> None:
    """`The most popular course` is that of most grades: a row of its own table each has but one."""
    counted = any(one.by == Measure("count") for one in draft.order)
    if not counted or len(draft.group) != 1 or not draft.several:
        return
    own = draft.group[0].ref
    facts = draft.index.column(own).facts
    if facts.distinct < facts.rows or draft.counted not in {None, own.table}:
        return
    pointing = [key.table for key in draft.index.keys if key.to_table == own.table]
    told = {
        table: (draft.home.get(table, 0.0), _row_count(draft.index, table)) for table in pointing
    }
    draft.counted = max(told, key=told.__getitem__, default=draft.counted)


def _row_count(index: Index, table: str) -> int:
    return max(column.facts.rows for column in index.in_table(table))


def join_along(index: Index, plan: Plan, way: Iterable[Key]) -> None:
    """Joins the tables of a plan along keys."""
    for key in way:
        ends = key_refs(index, key)
        if ends not in plan.joins:
            plan.joins.append(ends)
            plan.tables += [one for one in (key.table, key.to_table) if one not in plan.tables]


def key_refs(index: Index, key: Key) -> tuple[Ref, Ref]:
    """The two ends of a key; numbers kept as text on one side only are read as numbers."""
    ends = [
        next(c for c in index.columns if (c.table, c.facts.name) == end)
        for end in ((key.table, key.column), (key.to_table, key.to_column))
    ]
    one, other = (ref(end) for end in ends)
    if one.textual == other.textual:
        return replace(one, textual=False), replace(other, textual=False)
    return one, other


def _ends(index: Index, key: Key, main: str) -> tuple[Ref, Ref]:
    one, other = key_refs(index, key)
    return (one, other) if key.table == main else (other, one)


def split_both(draft: Draft, plan: Plan) -> None:
    """`Both English and French` means rows that appear with each: two plans intersected."""
    if not _BOTH.search(draft.lower) or plan.group or any(m.aggregate for m in plan.select):
        return
    for at, options in enumerate(plan.where):
        one = options[0]
        if one.op == "in" and isinstance(one.value, tuple) and len(one.value) == 2:  # noqa: PLR2004
            first, second = (replace(one, op="=", value=value) for value in one.value)
            rest = [each for place, each in enumerate(plan.where) if place != at]
            plan.where = [*rest, (first,)]
            plan.combined = replace(plan, where=[*rest, (second,)], combined=None)
            return
