"""Questions over several tables, read clause by clause.

With joins, a word means columns of tables that are near what is spoken of. So the tables that each
clause speaks of are found first, and every clause prefers theirs; the rules for one table, which
know no nearness, would take the best name anywhere.
"""

import re

from modelwright.engines.language.rules.columns.index import Column, Index, ref
from modelwright.engines.language.rules.conditions.filters import read_filters
from modelwright.engines.language.rules.groups.group_tests import count_groups
from modelwright.engines.language.rules.groups.opposed_groups import set_apart
from modelwright.engines.language.rules.groups.time_groups import read_time_groups
from modelwright.engines.language.rules.measures.extremes import counted_table, read_extreme
from modelwright.engines.language.rules.measures.ratios import endless
from modelwright.engines.language.rules.measures.row_averages import show_owners
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import NAMED, WHOLLY_NAMED
from modelwright.engines.language.rules.mentions.mentions import Question
from modelwright.engines.language.rules.mentions.names import read_names
from modelwright.engines.language.rules.mentions.rows import amount, in_groups
from modelwright.engines.language.rules.plans.plan import Bucket, Measure
from modelwright.engines.language.rules.ranks.sort_orders import bound, from_the_top
from modelwright.engines.language.rules.several.counted_items import inside_name
from modelwright.engines.language.rules.several.relations import read_lacks
from modelwright.engines.language.rules.several.shown_items import read_head, show_rows
from modelwright.engines.language.rules.several.sort_clauses import read_sorting, sort_shown
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.vocabulary import word_set

_EACH = pattern("several each")
_GROUPED = pattern("several grouped")
_BY = re.compile(r"\bby(?: the)?\b")
_DONE = re.compile(r"(?:ed|en|wn|ade|old|ought)$")
_HOME_BONUS = 0.25
"""What the table that explains most of the question adds to a mention of its columns."""
_OF_REACH = 9
"""So many words after a name may say whose it is: `name of the singer`."""
_OF = frozenset({"of", "for"})
_THEIR = frozenset({"its", "their"})
_PARTS = word_set("small_words.clauses")


def table_bonuses(question: Question, index: Index) -> dict[str, float]:
    """How much of the question each table explains, the best of them 0.25."""
    found: dict[str, dict[int, float]] = {table.name: {} for table in index.tables}
    for mention in question.mentions:
        if mention.quality < NAMED:
            continue
        told = found[mention.column.table]
        for at in range(mention.start, mention.end):
            if question.terms[at].weight == 1:
                told[at] = max(told.get(at, 0.0), mention.quality)
    for link in question.values:
        tables = {held.column.table for held in link.held}
        for table in tables:
            for at in range(link.start, link.end):
                found[table][at] = max(found[table].get(at, 0.0), 1.0 / len(tables))
    for table, places in question.tables.items():
        for at in places:
            found[table][at] = found[table].get(at, 0.0) + 1.0
    most = max((sum(told.values()) for told in found.values()), default=0.0) or 1.0
    return {table: _HOME_BONUS * sum(told.values()) / most for table, told in found.items()}


def owner_tables(question: Question) -> dict[int, frozenset[str]]:
    """For each place between words the tables that what ends there belongs to."""
    found: dict[int, frozenset[str]] = {}
    for end in range(1, len(question.words) + 1):
        here = {table for table, places in question.tables.items() if end - 2 in places}
        if end > 1 and question.words[end - 2].text in _THEIR:
            here |= _last_before(question, end - 1)
        of = False
        for at in range(end, min(end + _OF_REACH, len(question.words))):
            word = question.words[at].text
            if word in _PARTS:
                break
            of = of or word in _OF
            near = {table for table, places in question.tables.items() if at in places}
            if of and near:
                here |= near
                break
        if here:
            found[end] = frozenset(here)
    return found


def _last_before(question: Question, at: int) -> set[str]:
    last = {table: [one for one in places if one < at] for table, places in question.tables.items()}
    most = max((max(places) for places in last.values() if places), default=-1)
    return {table for table, places in last.items() if most in places}


def read_several(draft: Draft) -> None:
    """Reads a whole question."""
    draft.home = table_bonuses(draft.question, draft.index)
    draft.owners = owner_tables(draft.question)
    read_sorting(draft)
    read_lacks(draft)
    read_filters(draft)
    read_names(draft)
    if not draft.order:
        read_extreme(draft)
    _read_times(draft)
    _read_each(draft)
    read_head(draft)
    show_rows(draft)
    _complete(draft)
    show_owners(draft)
    sort_shown(draft)


def _read_times(draft: Draft) -> None:
    """`Per month` groups by the date of what is spoken of, in the order of time unless ranked."""
    order = draft.order
    read_time_groups(draft)
    draft.order = order or draft.order


def _read_each(draft: Draft) -> None:
    """`For each continent` groups where something is counted or aggregated."""
    for cue in [*_EACH.finditer(draft.lower), *_GROUPED.finditer(draft.lower)]:
        at = draft.at(cue.end())
        if (
            at >= len(draft.claimed)
            or draft.claimed[at]
            or inside_name(draft, draft.at(cue.start()))
        ):
            continue
        named = draft.pick(at, at + 3, lambda c: not endless(c), 0.42)
        table = counted_table(draft, at)
        if named is not None and table and named.start > at and named.quality < WHOLLY_NAMED:
            named = None
        draft.claim_text(cue, "group")
        if named is not None:
            draft.claim(at, named.end, "group")
            draft.group.append(Bucket(ref(named.column)))
        elif table is not None:
            draft.each = table
            draft.claim(at, at + 1, "group")


def _group_listed(draft: Draft) -> None:
    """`Members by village and certification`: what is listed after `by` are groups."""
    listed = {one.ref for one in draft.select if not (one.aggregate or one.share)}
    if draft.order or draft.having or len(listed) < len(draft.select):
        return
    for cue in _BY.finditer(draft.lower):
        at = draft.at(cue.end())
        done = any(_DONE.search(word) for word in draft.text(at - 4, at - 1).split())
        while not (done or draft.claimed[at - 1]) and (
            named := draft.pick(at, at + 1, _tells_kinds, taken=True)
        ):
            if ref(named.column) not in listed:
                break
            draft.claim(at - 1, named.end, "group")
            draft.group.append(Bucket(ref(named.column)))
            at = named.end + (draft.text(named.end, named.end + 1) == "and")
    grouped = {bucket.ref for bucket in draft.group}
    draft.select = [one for one in draft.select if one.ref not in grouped]


def _tells_kinds(column: Column) -> bool:
    facts = column.facts
    return facts.type in {"string", "boolean"} and 2 * facts.distinct <= facts.rows


def _complete(draft: Draft) -> None:
    """Groups by what is shown plainly beside a count or an aggregate."""
    set_apart(draft)
    count_groups(draft)
    _group_listed(draft)
    columns, numbers = _parted(draft)
    if not _is_grouped(draft, numbers):
        columns, numbers = [], _unsaid_numbers(draft, columns)
        if not numbers:
            _list_rows(draft)
            return
    draft.group = [one for one in draft.group if not _lone(draft, one, numbers)]
    if columns or draft.group or draft.ranked or draft.having or draft.each:
        draft.group = _buckets(draft, columns, numbers)
        draft.select = numbers
    draft.only_group = not draft.select
    draft.order = [from_the_top(draft, bound(draft, one, "max")) for one in draft.order]


def _parted(draft: Draft) -> tuple[list[Measure], list[Measure]]:
    """Parts what is shown into columns that may be groups and numbers that are computed."""
    columns = [one for one in draft.select if one.aggregate is None and one.ref]
    numbers = [one for one in draft.select if one not in columns]
    columns = [one for one in columns if not (numbers and _endless(draft, one))]
    grouped = {bucket.ref for bucket in draft.group}
    own = [one for one in numbers if one.aggregate != "avg" or one.ref not in grouped]
    return columns, own or numbers


def _is_grouped(draft: Draft, numbers: list[Measure]) -> bool:
    ranks = (order.by for order in draft.order)
    computed = any(isinstance(by, Measure) and by.aggregate for by in ranks)
    return bool(numbers or draft.having or draft.ranked or computed)


def _unsaid_numbers(draft: Draft, columns: list[Measure]) -> list[Measure]:
    """Sums of the amounts that are named beside groups, or a count of the rows in them."""
    summed = [in_groups(draft, one) for one in columns] if draft.group else []
    if summed and all(one.aggregate == "sum" for one in summed):
        return summed
    return [Measure("count")] if _rows_in_groups(draft) else []


def _list_rows(draft: Draft) -> None:
    """Lists rows; an amount with which a question of some rows begins is added up."""
    tables = draft.question.table_words
    whole = draft.claimed[:1] == ["select"] and tables.issuperset(draft.open_words())
    if whole and draft.where and not draft.order:
        draft.select = [_added_up(draft, one) for one in draft.select]
    draft.select = draft.select or [Measure(None, bucket.ref) for bucket in draft.group]
    draft.group = []


def _buckets(draft: Draft, columns: list[Measure], numbers: list[Measure]) -> list[Bucket]:
    """The groups of a plan: those that are named, the columns beside numbers, or each row."""
    found = [*draft.group, *(Bucket(one.ref) for one in columns if one.ref)]
    if not found and draft.each:
        of_rows = numbers and all(one.ref and one.ref.table == draft.each for one in numbers)
        found = [] if of_rows else [Bucket(ref(draft.index.naming(draft.each)))]
    return list(dict.fromkeys(found))


def _added_up(draft: Draft, one: Measure) -> Measure:
    """`Fees in Oslo`, `kg from organic farms` begin with what adds up."""
    column = draft.index.column(one.ref) if one.ref and not one.aggregate else None
    told = in_groups(draft, one) if column and amount(column) else one
    return told if told.aggregate == "sum" else one


def _rows_in_groups(draft: Draft) -> bool:
    """`Flights per origin` counts the rows of the table that is named."""
    tables = [table for table, places in draft.question.tables.items() if 0 in places]
    first = {m.column.at for m in draft.question.mentions if m.start == 0 and draft.rows_named(m)}
    shown = {c.at for c in draft.index.columns for one in draft.select if ref(c) == one.ref}
    if not (tables and draft.group and shown <= first):
        return False
    draft.counted = tables[0]
    return True


def _endless(draft: Draft, one: Measure) -> bool:
    """A number that hardly repeats makes no groups: the population beside an average."""
    column = next(c for c in draft.index.columns if ref(c) == one.ref)
    return column.number and not column.identifier and 2 * column.facts.distinct > column.facts.rows


def _lone(draft: Draft, bucket: Bucket, told: list[Measure]) -> bool:
    """A group for every row of the table that is aggregated would be no group."""
    column = draft.index.column(bucket.ref)
    same = not bucket.unit and all(
        one.ref is not None and one.ref.table == column.table for one in told
    )
    return same and bool(told) and column.facts.distinct >= column.facts.rows
