"""Tests of whole groups and against averages: more than 3 pets, above the average age.

`More than 3 pets` tests how many rows an owner has, `above the average age` a number that has to be
computed first. Read as tests of a column, both would compare the wrong thing and still return rows.
"""

import re
from collections.abc import Mapping, Sequence

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.measures.extremes import counted_table, different_rows
from modelwright.engines.language.rules.mentions.draft import (
    Draft,
    add_test,
    entity,
    named_tables,
)
from modelwright.engines.language.rules.mentions.mention import WHOLLY_NAMED, Mention
from modelwright.engines.language.rules.mentions.rows import added, amount, in_groups
from modelwright.engines.language.rules.mentions.units import lasts
from modelwright.engines.language.rules.mentions.worth import MONEY, amount_of_rows, main_measure
from modelwright.engines.language.rules.plans.plan import (
    Aggregate,
    Bucket,
    Condition,
    Having,
    Measure,
    Op,
    Plan,
    Ref,
    Unit,
)
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.numbers import Compared, compared_numbers
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.rules.times.usual_dates import usual_date
from modelwright.engines.language.vocabulary import alternatives, cue_words, word_set, word_values

_AVERAGE = pattern("filters average")
_LESS = pattern("filters less")
_TESTED = pattern("filters tested")
_OF_THEIR = re.compile(
    r"\s+(?:(?!(?:of|for|in|within|at|among)\b)[a-z]+\s+){0,3}(?:of|for|in|within|at|among)\s+"
    r"(?:all\s+)?(?:their|its|his|her|the same)\s+(?:own\s+)?"
)
_NUMBER_OF = re.compile(r"\s+(?:number|count) of\s+")
_HOW_OFTEN = word_set("numbers.how_often")
_ASKED = re.compile(r"\s*(?:how many|which|what)\b")
_SINGLE = re.compile(
    r"\b(?:only|just|exactly) (?:(?:by|in|from|for|at|on|to|with) )?(?:one|a single|one single)\b"
    r"|\b(?:by|in|from|for|at|on|to|with) a single\b"
)
_OFTEN = re.compile(
    r"\b(?:(?P<more>more than)|(?P<least>at least)|only|just|exactly) (?P<times>once|twice)\b"
)
_AVERAGING = re.compile(r"\b(?:(?P<average>average|mean|avg|averaging)|total|sum)(?: of)?$")
_KIND_QUALITY = 0.4
"""How surely a word must mean the kinds that are counted, 0 to 1: its noun is checked besides."""
_MOST_NUMBERS = 100
"""Whole numbers of more values name no groups."""
_COUNTED_QUALITY = 0.8
"""How surely words behind a number must mean a number to be compared, 0 to 1."""
_SURE = 0.6
"""How surely words must mean the column whose values repeat, 0 to 1."""
_OFTEN_QUALITY = 0.5
"""The same where `times` says that rows are counted."""
_REACH = 3
"""In words: how far before a number what is compared may begin."""
_GROUP_QUALITY = 0.7
"""How surely words must mean the groups, 0 to 1."""
_NUMBER_QUALITY = 0.93
"""How surely words must mean the number that is compared, 0 to 1."""
_APART = word_set("small_words.apart_from_number")
_HAVING = word_set("verbs.of_having")
_DIFFERENT = cue_words("distinct")
_EXACTLY = word_set("numbers.exactly")
_DID = re.compile(
    r"(?:(?:(?:that|which|who|have|has|had) )+\w+|\w+ed|made|sold|wrote|won|took|had|gave|paid"
    r"|spent)(?: (?:us|me|them))?"
)
_PERIODS: Mapping[str, Unit] = word_values("times.several")
_COUNTING = re.compile(r"\s*how many\b")
_IN_ALL = re.compile(rf"\b(?:{alternatives('averages.in_all')})\b")


def read_averages(draft: Draft) -> None:
    """Adds tests against an average: above the average age."""
    for match in _AVERAGE.finditer(draft.lower):
        start, end = draft.at(match.start()), draft.at(match.end())
        if _group_against_average(draft, match):
            continue
        if draft.text(end - 2, end - 1) == "than" and draft.text(end - 3, end - 2) in _HOW_OFTEN:
            draft.unread.append(match.group())
            continue
        number = draft.pick(end, end + 4, lambda c: c.number) or draft.pick(
            max(0, start - 5), end, lambda c: c.number
        )
        if number is None:
            continue
        where = ref(number.column)
        inner = Plan([number.column.table], [Measure("avg", where)])
        draft.claim(number.start, number.end, "condition")
        test = Condition(where, _way(match), plan=inner, same=_same_kind(draft, match))
        add_test(draft, number.column, test, start, end)
        _claim_rest(draft, end, number.column)


def _way(match: re.Match[str]) -> Op:
    return "<" if _LESS.search(match.group("word")) else ">"


def _same_kind(draft: Draft, match: re.Match[str]) -> Ref | None:
    """`Than the average of their department`: of the rows that share it with each row."""
    said = _OF_THEIR.match(draft.lower, match.end())
    if said is None:
        return None
    at = draft.at(said.end())
    kind = None if draft.several else draft.pick(at, at + 1, _makes_groups, _GROUP_QUALITY)
    if kind is None:
        draft.unread.append(said.group().strip())
        return None
    draft.claim(draft.at(match.end()), kind.end, "condition")
    return ref(kind.column)


def _group_against_average(draft: Draft, match: re.Match[str]) -> bool:
    """`Agents below the average score`, of agents with many rows each: their own averages.

    An amount is added up for each of them, and compared with what they have on average; so is the
    number of their rows: `rented more often than average`.
    """
    start, end = draft.at(match.start()), draft.at(match.end())
    group = _asked_kinds(draft, start)
    rows = [at for at in range(group.end, start) if entity(draft, at)] if group else []
    done = [at for at in rows if draft.text(at, at + 1).endswith("ed")]
    if group is None or rows != done:
        return False
    counted = bool(done) or any(_counts_rows(draft, at) for at in range(start, end))
    number_of = _NUMBER_OF.match(draft.lower, match.end())
    column = None if counted or number_of else _compared_number(draft, group.end, start, end)
    if column is None and not (counted or number_of):
        return False
    measure = in_groups(draft, Measure(None, ref(column))) if column else Measure("count")
    own = ref(group.column)
    of_all = measure if measure.aggregate == "avg" else Measure("per", own, measure.ref)
    if _OF_THEIR.match(draft.lower, match.end()):
        draft.unread.append(match.group())
    draft.having.append(Having(measure, _way(match), plan=Plan([own.table], [of_all])))
    draft.claim(start, draft.at(number_of.end()) + 1 if number_of else end, "group test")
    _claim_tested(draft, group, start, done)
    draft.group.append(Bucket(own))
    draft.select.append(measure)
    draft.tested = group.column
    return True


def _claim_tested(draft: Draft, group: Mention, start: int, done: Sequence[int]) -> None:
    """Claims a kind whose groups are tested, and what stands between it and the test."""
    draft.pass_over(group.end, start, "group test")
    if _DID.fullmatch(draft.text(group.end, start)):
        draft.claim(group.end, start, "group test")
    for at in done:
        draft.claim(at, at + 1, "group test")
    draft.claim(group.start, group.end, "shown")


def _asked_kinds(draft: Draft, end: int) -> Mention | None:
    """What is asked for first, where its values stand in many rows each."""
    if draft.several or draft.group:
        return None
    group = _things(draft, end) or draft.pick(0, end, _makes_groups, _SURE)
    is_of_rows = group is not None and entity(draft, group.start)
    if group is None or (is_of_rows and not group.column.refers and group.named < WHOLLY_NAMED):
        return None
    known = lexicon()
    idle = (draft.question.terms[at] for at in range(group.start))
    asks = all(one.weight < 1 or one.text in known.stop or one.stem in known.asking for one in idle)
    return group if asks else None


def _makes_groups(column: Column) -> bool:
    facts = column.facts
    return _repeats(column) or (column.refers and 2 * facts.distinct < facts.rows)


def _counts_rows(draft: Draft, at: int) -> bool:
    return draft.text(at, at + 1) in _HOW_OFTEN or (
        entity(draft, at) and draft.pick(at, at + 1, amount, _NUMBER_QUALITY) is None
    )


def _compared_number(draft: Draft, first: int, start: int, end: int) -> Column | None:
    """The number that groups are compared by: behind the average, before it, or money spent."""
    named = draft.pick(end, end + 4, amount) or draft.pick(first, end, amount)
    if named is not None:
        draft.claim(named.start, named.end, "group test")
        _claim_rest(draft, end, named.column)
        return named.column
    is_money = MONEY.search(draft.text(first, start)) is not None
    main = main_measure(draft) if is_money else None
    if main is None or main.ref is None:
        return None
    draft.claim(first, start, "group test")
    return draft.index.column(main.ref)


def _claim_rest(draft: Draft, start: int, column: Column) -> None:
    """Claims what only repeats: "above the average age of all singers"."""
    for mention in draft.question.mentions.of(column.at):
        if mention.start >= start:
            draft.claim(mention.start, mention.end, "condition")


def read_group_tests(draft: Draft) -> None:
    """`With more than 3 models`, `average age above 30` test groups, not rows."""
    _read_single(draft)
    _read_often(draft)
    for one in compared_numbers(draft.question.text):
        start, end = draft.at(one.start), draft.at(one.end)
        if any(low <= one.number_start < high for low, high in draft.numbers_taken):
            continue
        if any(draft.claimed[start:end]):
            continue
        measure = _counted_rows(draft, start, end, one.op) or _aggregated(draft, start, end)
        measure = measure or _too_much(draft, start, end, one)
        if measure is not None:
            draft.having.append(Having(measure, one.op, one.number, one.upper))
            draft.claim(start, end, "group test")
            rows = _after_value(draft, end)
            if not _is_plural_value(draft, rows):
                draft.claim(rows, rows + 1, "group test")


def _counted_rows(draft: Draft, start: int, end: int, op: Op) -> Measure | None:
    """The number is followed by the name of a table: more than 3 models."""
    if lasts(draft.text(end, end + 1)) or draft.text(end, end + 1) in _APART:
        return None
    before = set(draft.text(start - 4, start).split())
    told = bool(before & _HAVING)
    asked = told or _often(draft, end) or (op != "=" and _ASKED.match(draft.lower))
    if asked and len(draft.index.tables) == 1:
        return _in_periods(draft, start, end) or _repeated(draft, start, _behind(draft, end))
    if not _table_follows(draft, end):
        return None
    told = told or (bool(draft.home) and (op != "=" or bool(before & _EXACTLY)))
    if not told:
        return None
    table = counted_table(draft, end)
    different = different_rows(draft, end, table)
    if different is not None:
        draft.claim(end, end + 1, "group test")
        return different
    draft.counted = draft.counted or table
    return Measure("count")


def _behind(draft: Draft, end: int) -> int:
    """Where kinds are named behind a number: `at least 20 different species`."""
    told = draft.text(end, end + 1) in _DIFFERENT
    if told:
        draft.claim(end, end + 1, "group test")
    return end + told


def _table_follows(draft: Draft, end: int) -> bool:
    """Whether a table is named right behind a number, and no number that is called so."""
    places = draft.question.table_words
    pointing = {(key.table, key.column) for key in draft.index.keys}
    last = min([end + 2, *(at + 1 for at in places if at >= end)])
    column = draft.pick(
        end,
        last,
        lambda c: c.number and not c.identifier and (c.table, c.facts.name) not in pointing,
        _COUNTED_QUALITY,
    )
    near = range(end, min(end + 2, len(draft.claimed)))
    return not places.isdisjoint(near) and column is None


def _repeated(draft: Draft, start: int, end: int) -> Measure | None:
    """`Sales reps with more than 200 orders` in one table: a text that repeats, and its rows."""
    often = _often(draft, end)
    group = draft.pick(
        0,
        start,
        lambda c: _named_kinds(c) or (often and c.keyed) or _numbered(draft, c),
        _OFTEN_QUALITY if often else _SURE,
    )
    group = _things(draft, start) or group
    kinds = _kinds(draft, end, group)
    if kinds is not None:
        return kinds
    if group is None or not (often or 2 * group.column.facts.distinct <= group.column.facts.rows):
        return None
    end = _after_value(draft, end)
    kinds_counted = _is_plural_value(draft, end)
    rows = end < len(draft.claimed) and (often or entity(draft, end) or kinds_counted)
    if not rows or _number_beside(draft, start, end + kinds_counted, group.column):
        return None
    if often or _DID.fullmatch(draft.text(group.end, start)):
        for at in range(group.end, start):
            if not draft.question.is_value(at):  # `who rented a Golf more than 3 times`
                draft.claim(at, at + 1, "group test")
    draft.tested = group.column
    return Measure("count")


def _is_plural_value(draft: Draft, at: int) -> bool:
    """Whether rows are called by what they are: `more than 30 finishers` of Status Finished."""
    held = any(link.exact and link.start == at == link.end - 1 for link in draft.question.values)
    return held and draft.text(at, at + 1).endswith("s")


def _things(draft: Draft, end: int) -> Mention | None:
    """`Donors` of rows that are no donors, and have a Donor ID each."""
    rows = draft.question.table_words
    found = (
        one
        for one in draft.question.mentions.starting(0, end)
        if one.column.refers and one.end == one.start + 1 and one.start not in rows
        if draft.question.terms[one.start].stem == one.column.name.terms[0].stem
    )
    return None if draft.several else next(found, None)


def _read_often(draft: Draft) -> None:
    """`Customers who ordered more than once`: a group has so many rows."""
    match = _OFTEN.search(draft.lower) if len(draft.index.tables) == 1 else None
    if match is None:
        return
    start, end = draft.at(match.start()), draft.at(match.end())
    group = _things(draft, start) or draft.pick(0, start, _repeats, _GROUP_QUALITY)
    if group is None or any(draft.claimed[start:end]):
        return
    op: Op = ">" if match["more"] else ">=" if match["least"] else "="
    draft.having.append(Having(Measure("count"), op, 1 + (match["times"] == "twice")))
    draft.claim(group.end, end, "group test")
    draft.tested = group.column


def _number_beside(draft: Draft, start: int, end: int, own: Column) -> Mention | None:
    """Another number that is named before or behind, which may be what is compared."""
    before = draft.pick(start - _REACH, start, lambda c: c.number and c is not own, _NUMBER_QUALITY)
    return before or draft.pick(
        end, end + 2, lambda c: c.number and not c.identifier, _NUMBER_QUALITY
    )


def _in_periods(draft: Draft, start: int, end: int) -> Measure | None:
    """`Days with more than 3 orders`: stretches of the usual date, and their rows."""
    usual = usual_date(draft)
    told = (at for at in range(start) if draft.text(at, at + 1) in _PERIODS)
    at = next((at for at in told if not draft.claimed[at]), None)
    if usual is None or at is None or draft.group or not entity(draft, end):
        return None
    if _COUNTING.match(draft.lower):
        draft.unread.append("how many")
    draft.claim(at, at + 1, "group")
    draft.group.append(Bucket(ref(usual), _PERIODS[draft.text(at, at + 1)]))
    return Measure("count")


def _named_kinds(column: Column) -> bool:
    return column.facts.type == "string" and column.yes is None


def _after_value(draft: Draft, at: int) -> int:
    """Where the rows are named behind a number: `more than 40 rejected samples`."""
    told = [link.end for link in draft.question.values if link.exact and link.start == at]
    told += [
        one.end
        for one in draft.question.mentions.starting(at, at + 1)
        if one.column.yes is not None and one.named > WHOLLY_NAMED
    ]
    return next((end for end in told if entity(draft, end)), at)


def _numbered(draft: Draft, column: Column) -> bool:
    """Whether whole numbers name groups, by their plural: `districts` of a column District."""
    own = {f"{term.text}s" for term in column.name.terms}
    few = column.facts.type == "integer" and column.facts.distinct <= _MOST_NUMBERS
    return few and any(word.text in own for word in draft.question.words)


def _kinds(draft: Draft, at: int, group: Mention | None) -> Measure | None:
    """`Publishers with games on more than 3 platforms`: so many different ones of each group."""
    named = draft.pick(
        at, at + 1, lambda c: _repeats(c) and _head(c) == _stem(draft, at), _KIND_QUALITY
    )
    rows = at in draft.question.table_words
    if group is None or named is None or named.column is group.column:
        return None
    if rows or not (_repeats(group.column) or group.column.refers):
        return None
    draft.claim(named.start, named.end, "group test")
    draft.tested = group.column
    return Measure("count_distinct", ref(named.column))


def _repeats(column: Column) -> bool:
    facts = column.facts
    return facts.type == "string" and column.yes is None and 2 * facts.distinct < facts.rows


def _head(column: Column) -> str:
    """The noun of a name: country of Country of Origin, type of Customer Type."""
    return stem(column.plain_name.partition(" of ")[0].split()[-1])


def _stem(draft: Draft, at: int) -> str:
    return draft.question.terms[at].stem if at < len(draft.claimed) else ""


def _read_single(draft: Draft) -> None:
    """`Grown by only a single country`: one kind alone in each group."""
    match = _SINGLE.search(draft.lower) if len(draft.index.tables) == 1 else None
    if match is None:
        return
    start, end = draft.at(match.start()), draft.at(match.end())
    group = draft.pick(0, start, _repeats, _GROUP_QUALITY)
    measure = None if any(draft.claimed[start:end]) else _kinds(draft, end, group)
    if measure is not None:
        draft.having.append(Having(measure, "=", 1))
        draft.claim(start, end, "group test")


def _often(draft: Draft, at: int) -> bool:
    """`Ordered more than 30 times` counts the rows."""
    return draft.text(at, at + 1) == "times"


def count_groups(draft: Draft) -> None:
    """`How many states have more than 500 orders` counts groups; which ones must be told."""
    counts = {one.aggregate for one in draft.select}
    if not draft.having or draft.group or draft.each or not counts:
        return
    if len(draft.select) > 1 or not counts <= {"count", "count_distinct"}:
        return
    tables = named_tables(draft) if draft.several else []
    key = draft.index.key(tables[0]) or draft.index.naming(tables[0]) if tables else draft.tested
    of = draft.select[0].ref or (ref(key) if key else None)
    if of is None:
        draft.unread.append("how many")
        return
    draft.group, draft.select = [Bucket(of)], []
    draft.groups_counted = draft.only_group = True


def _aggregated(draft: Draft, start: int, end: int) -> Measure | None:
    """`whose average life expectancy is longer than 72`, `with an average of more than 9 runs`."""
    before = _AVERAGING.search(draft.text(0, start))
    after = draft.pick(end, end + 2, amount) if before else None
    if before and after:
        draft.claim(start - len(before.group().split()), after.end, "group test")
        return Measure("avg" if before["average"] else "sum", ref(after.column))
    match = _TESTED.search(draft.text(0, start))
    if match is None:
        return _summed(draft, start, end)
    named = draft.pick(start - 6, start, lambda c: c.number)
    if named is None:
        return None
    draft.claim(named.start - 1, named.end, "group test")
    kind: Aggregate = "sum" if match["total"] else "median" if match["median"] else "avg"
    return Measure(kind, ref(named.column))


def _too_much(draft: Draft, start: int, end: int, one: Compared) -> Measure | None:
    """`Customers with revenue over 50,000` where no row has so much: that of all their rows."""
    named = draft.pick(start - _REACH, start, _added, _NUMBER_QUALITY) or draft.pick(
        end, end + 2, _added, _NUMBER_QUALITY
    )
    high = named.column.facts.maximum if named else None
    more = one.op in {">", ">="} and isinstance(high, int | float) and high < one.number
    if named is None or not more or draft.pick(0, start, _repeats, _GROUP_QUALITY) is None:
        return None
    draft.claim(named.start, named.end, "group test")
    return Measure("sum", ref(named.column))


def _added(column: Column) -> bool:
    return amount(column) and added(ref(column))


def _summed(draft: Draft, start: int, end: int) -> Measure | None:
    """`Animals that cost more than 900 altogether`, over the rows that tell of them."""
    things = _things(draft, start)
    told = draft.several or things or draft.pick(0, start, _repeats, _GROUP_QUALITY)
    over = _IN_ALL.search(draft.lower) if told else None
    named = draft.pick(start - _REACH, end + 2, amount) if over else None
    worth = amount_of_rows(draft) if over and things and not named else None
    if over is None or (named is None and worth is None):
        return None
    if named is not None:
        draft.claim(named.start, named.end, "group test")
    if things is not None and _DID.fullmatch(draft.text(things.end, start)):
        draft.claim(things.end, start, "group test")
        draft.tested = things.column
    draft.claim_text(over, "group test")
    column = named.column if named else worth
    return Measure("sum", ref(column)) if column else None
