"""A table with what the rows it points to tell, read as one: orders with customers and products.

Rules for one table read far more than those for several. Where every row points to one row of each
other table, joining repeats nothing, so that such tables are read as one wide table and the plan is
written back over the tables that it needs.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from modelwright.engines.facts import ColumnFacts, Value
from modelwright.engines.language.rules.answering.confidence import only_lists_rows
from modelwright.engines.language.rules.columns.index import Index, ref
from modelwright.engines.language.rules.columns.schema import Key, TableFacts, join_path
from modelwright.engines.language.rules.mentions.draft import Draft, named_tables
from modelwright.engines.language.rules.plans.plan import (
    Measure,
    Plan,
    Ref,
    columns,
    parts_of,
    refs_of,
)
from modelwright.engines.language.rules.several.relations import join_along
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.rules.times.usual_dates import tables_that_tell_when
from modelwright.engines.language.vocabulary import word_list

_BARE = frozenset(map(stem, word_list("names.labels")))
"""Names that say nothing without their table."""
_JUDGED = pattern("vague judged")
_COUNTING = re.compile(r"\b(?:how many|numbers?|counts?|different|distinct|unique|most|fewest)\b")
_OF_AMOUNTS = frozenset({"sum", "avg", "median", "min", "max"})
Values = Mapping[tuple[str, str], Sequence[Value]]


@dataclass(frozen=True, slots=True)
class Star:
    """The rows of one table, each with the one row of every other that it points to."""

    fact: str
    tables: frozenset[str]
    facts: TableFacts
    values: Values
    origins: Mapping[str, Ref]
    """Where each column is from, by its name among all of them."""
    distant: frozenset[str]
    """Dates and numbers that tell nothing of the rows themselves: when a product was launched."""
    rivals: frozenset[tuple[str, str]] = frozenset()
    """Tables that point to one which the star's rows lead to by a nearer key, and that one."""

    def index(self) -> Index:
        """Indexes it as a table of its own."""
        found = Index.build([self.facts], self.values)
        for column in found.columns:
            if column.facts.name in self.distant:
                found.columns[column.at] = replace(column, distant=True)
        return found


def find_stars(index: Index, values: Values | None) -> list[Star]:
    """Finds the tables that point to others, those that reach most of them first."""
    found = [_star(index, table.name, values or {}) for table in index.tables]
    return sorted((one for one in found if len(one.tables) > 1), key=lambda one: -len(one.tables))


def _star(index: Index, fact: str, values: Values) -> Star:
    rows = _row_count(index.table(fact))
    columns: list[ColumnFacts] = []
    origins: dict[str, Ref] = {}
    held: dict[tuple[str, str], Sequence[Value]] = {}
    reached, far = _reached(index.keys, fact)
    named = {key.to_table: index.naming(key.to_table).facts for key in reached}
    told = [key for key in reached if _is_unique(named[key.to_table])]
    spare = {(k.table, k.column) for k in told if named[k.to_table].name != k.to_column}
    for table in [fact, *named]:
        for column in index.in_table(table):
            at = (table, column.facts.name)
            if at in spare or (table != fact and _is_pointed_at(reached, at)):
                continue
            is_name = table != fact and column.facts is named[table]
            name = _named(
                column.facts.name, table if table != fact else "", origins, names_rows=is_name
            )
            columns.append(_spread(column.facts, name, rows))
            origins[name] = ref(column)
            held[fact, name] = values.get(at, ())
    dated = {one.name: origins[one.name].table for one in columns if one.type == "date"}
    near = tables_that_tell_when(index, fact)
    distant = {name for name, table in dated.items() if table not in near}
    numbers = (one.name for one in columns if one.type in {"integer", "float"})
    distant |= {name for name in numbers if origins[name].table != fact}
    facts = TableFacts(fact, tuple(columns))
    rivals = frozenset((key.table, key.to_table) for key in far)
    return Star(fact, frozenset([fact, *named]), facts, held, origins, frozenset(distant), rivals)


def _reached(keys: Sequence[Key], fact: str) -> tuple[list[Key], list[Key]]:
    """The keys from a table on, and those to tables that a nearer key leads to.

    The country of a film is the one that the film points to, not that of its director. A table that
    two keys lead to as soon, or one of its own, is none of the star's.
    """
    found: list[Key] = []
    edge = [fact]
    while edge:
        here = edge.pop()
        for key in keys:
            if key.table == here and key.to_table != fact and key not in found:
                found.append(key)
                edge.append(key.to_table)
    steps = {fact: 0}
    for _ in found:
        for key in found:
            way = steps.get(key.table, len(found)) + 1
            steps[key.to_table] = min(way, steps.get(key.to_table, way))
    near = [key for key in found if steps[key.table] + 1 == steps[key.to_table]]
    ends = [key.to_table for key in near]
    ends += [key.table for key in found if key.table == key.to_table]  # employees have managers
    kept = [key for key in near if ends.count(key.to_table) == 1]
    return kept, [key for key in found if key not in near]


def _row_count(table: TableFacts) -> int:
    return max((column.rows for column in table.columns), default=0)


def _is_unique(facts: ColumnFacts) -> bool:
    return facts.type == "string" and facts.distinct == facts.rows


def _is_pointed_at(keys: Sequence[Key], at: tuple[str, str]) -> bool:
    return any((key.to_table, key.to_column) == at for key in keys)


def _named(name: str, table: str, taken: Mapping[str, Ref], *, names_rows: bool) -> str:
    """A name of its own: a customer's Name is the customer, its City the customer City."""
    is_bare = names_rows and {stem(part) for part in spelled_out(name)} <= _BARE
    if not table or (name not in taken and not is_bare):
        return name
    thing = " ".join(stem(part) for part in spelled_out(table))
    return thing if is_bare and thing not in taken else f"{thing} {name}"


def _spread(facts: ColumnFacts, name: str, rows: int) -> ColumnFacts:
    """A column's facts where each of its rows stands in about as many of another table."""
    times = rows / max(1, facts.rows)
    top = tuple((value, max(1, round(count * times))) for value, count in facts.top)
    return replace(facts, name=name, rows=rows, missing=round(facts.missing * times), top=top)


def computes_of_own_rows(star: Star, draft: Draft, plan: Plan) -> bool:
    """Whether a plan over a star adds up or counts the star's own rows, not what they point to.

    `draft` is the same question over the tables apart.
    """
    if only_lists_rows(plan) and not plan.limit:
        return False
    numbers = [one for one in parts_of(plan, Measure) if _is_computed(one)]
    if not numbers and plan.limit and not draft.order:
        return all(
            star.origins[one.column].table == star.fact for one in refs_of(plan.order, (Plan,))
        )
    counting = _COUNTING.search(draft.lower)
    if all(one.aggregate == "count_distinct" and not counting for one in numbers):
        return False
    named = named_tables(draft)
    if named and not _sells_best(draft) and _ranked(draft) == set(named) - {star.fact}:
        return False
    is_of_others = _may_be_of_others(star, plan, named) or _tests_others(star, plan)
    if is_of_others or _counts_others(star, plan, named, numbers):
        return False
    grouped = {star.origins[one.ref.column].table for one in plan.group}
    return all(_of_fact(star, one, named, grouped) for one in numbers)


def _sells_best(draft: Draft) -> bool:
    """Whether goods are ranked by what they bring in, not by a price: `best selling products`."""
    found = _JUDGED.search(draft.lower)
    return found is not None and "sell" in found.group()


def _is_computed(one: Measure) -> bool:
    return bool(one.aggregate or one.share or one.of_total or one.growth or one.running)


def adds_own_amounts(star: Star, plan: Plan) -> bool:
    """Whether all that a plan over a star computes is of amounts that the star's own rows hold."""
    numbers = [one for one in parts_of(plan, Measure) if _is_computed(one)]
    refs = [one.ref for one in numbers if one.ref and one.aggregate in _OF_AMOUNTS]
    own = all(star.origins[one.column].table == star.fact for one in refs)
    return bool(numbers) and len(refs) == len(numbers) and own


def _may_be_of_others(star: Star, plan: Plan, named: Sequence[str]) -> bool:
    """`Films by directors from France`: the country may be that of the directors who are named."""
    read = {star.origins[column].table for _, column in columns(plan)}
    return any(table in named and to_table in read for table, to_table in star.rivals)


def _tests_others(star: Star, plan: Plan) -> bool:
    """Whether a plan inside of a condition reads tables that the star's rows only point to."""
    inner = [one.plan for options in plan.where for one in options if one.plan]
    read = (column for one in inner for _, column in columns(one))
    return any(star.origins[column].table != star.fact for column in read)


def _counts_others(
    star: Star, plan: Plan, named: Sequence[str], numbers: Sequence[Measure]
) -> bool:
    """Whether rows are counted though only one table is read, and it is not the star's own."""
    read = {star.origins[column].table for _, column in columns(plan)}
    counts = any(one.ref is None or one.aggregate == "count_distinct" for one in numbers)
    return counts and len(read) == 1 and star.fact not in read | set(named)


def _ranked(draft: Draft) -> set[str]:
    """The tables whose numbers rank, where there are some; sorting by what is shown names none."""
    order = [] if draft.sorted else draft.order
    keys = (one.by for one in order if isinstance(one.by, Measure))
    return {one.ref.table for one in keys if one.ref and not one.aggregate} or {""}


def _of_fact(star: Star, one: Measure, named: Sequence[str], grouped: set[str]) -> bool:
    """Whether a number is of the star's own rows; one of two columns may be of others."""
    if one.ref is None:
        return not named or named[0] in {star.fact, *grouped}
    parts = [each for each in (one.ref, one.other, one.ref.since) if each]
    own = any(star.origins[each.column].table == star.fact for each in parts)
    return own or one.aggregate == "count_distinct"


def over_tables(star: Star, index: Index, plan: Plan) -> Plan:
    """Returns a plan over a star as one over its tables, joined."""
    found: Plan = _at_origins(plan, star.origins)
    if found.limit and not (found.select or found.group):
        found.select = [Measure(None, ref(column)) for column in index.in_table(star.fact)]
    parts = [found.select, found.where, found.group, found.having, found.within, found.order]
    others = {one.table for one in refs_of(parts, (Plan,))} - {star.fact}
    found.tables = [star.fact]
    for table in sorted(others):
        join_along(index, found, join_path(index.keys, star.fact, table) or ())
    return found


def _at_origins(value: Any, origins: Mapping[str, Ref]) -> Any:
    if isinstance(value, Ref):
        since = _at_origins(value.since, origins) if value.since else None
        own = origins[value.column]
        return replace(own, since=since, lapse=value.lapse, until=value.until, by_day=value.by_day)
    if isinstance(value, list | tuple):
        return type(value)(_at_origins(one, origins) for one in value)
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            part.name: _at_origins(getattr(value, part.name), origins) for part in fields(value)
        }
        return replace(value, **changed)
    return value
