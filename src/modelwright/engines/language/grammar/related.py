"""Which table's rows are meant, and what else must or must not belong to them."""

from collections.abc import Sequence
from dataclasses import replace

from modelwright.engines.language.catalog.meaning import Relationship
from modelwright.engines.language.grammar.parse import NotReadError, Parse
from modelwright.engines.language.grammar.query import (
    Field,
    Filter,
    Number,
    Query,
    Related,
    UnreachableError,
    linking,
    paths,
)
from modelwright.engines.language.grammar.tables import leads, linked_by, table_of


def _tables_said(parse: Parse) -> tuple[list[str], list[str], list[str]]:
    """Returns the tables of what is shown, those that are named, and those of the tests."""
    fields = [one.field for one in parse.numbers if one.field] + parse.groups + parse.entities
    fields += [parse.counted] if parse.counted else []
    ranked = parse.order.field if isinstance(parse.order, Number) else parse.order
    fields += [ranked] if ranked else []
    measured = [one.field.table for one in parse.numbers if one.field]
    tested = [one.field.table for one in parse.filters if one.field]
    tested = [one for one in tested if one not in parse.related]
    named = [one for one in parse.tables if one not in parse.related]
    shown = [one for at, one in enumerate(named) if not at or one not in tested]
    return [*measured, *shown, *(one.table for one in fields)], named, tested


def rows_meant(parse: Parse) -> str:
    """Finds the table whose rows are meant: that from which all others can be reached."""
    shown, named, tested = _tables_said(parse)
    wanted = dict.fromkeys([*shown, *named, *tested])
    if not wanted:
        if len(parse.catalog.tables) > 1:
            raise NotReadError("It is not clear which table is meant.")
        return parse.catalog.tables[0].name
    if shown and not parse.having and _tells_of(parse, shown[0], shown, tested):
        return shown[0]
    for table in wanted:
        if all(leads(parse, table, one) for one in wanted):
            return table
    found = linking(parse.catalog, wanted) if parse.counts else None
    if found is None:
        raise UnreachableError("The tables this needs can't be joined without repeating rows.")
    return found


def _tells_of(parse: Parse, table: str, shown: Sequence[str], tested: Sequence[str]) -> bool:
    """Whether rows lead to all that is shown, and what is tested leads to them or is led to."""
    is_all = all(leads(parse, table, one) for one in shown)
    return is_all and all(
        leads(parse, table, one) or linked_by(parse, table, one) for one in tested
    )


def add_related(parse: Parse, query: Query) -> None:
    """Adds what belongs to the rows in other tables: none of it, or some that meets a test."""
    apart = [one for one in query.filters if not _is_within(parse, query.table, one)]
    for table in parse.related:
        if table == query.table:
            raise NotReadError(f"Rows of {table} have none of themselves.")
        if ways := paths(parse.catalog, query.table, table):
            _point_nowhere(parse, query, ways)
            continue
        way = _way_to(parse, query.table, table)
        told = tuple(one for one in apart if _is_within(parse, way[0].table, one))
        apart = [one for one in apart if one not in told]
        query.related.append(Related(way, negated=True, filters=told))
    for one in apart:
        way = _way_to(parse, query.table, table_of(one))
        turned = {"!=": "=", "not in": "in"}.get(one.operator)
        test = replace(one, operator=turned) if turned else one
        query.related.append(Related(way, negated=bool(turned), filters=(test,)))
    query.filters = [one for one in query.filters if _is_within(parse, query.table, one)]


def _point_nowhere(parse: Parse, query: Query, ways: Sequence[Sequence[Relationship]]) -> None:
    """`Players without a team`: those that name none."""
    ((key, *further), *others) = ways
    facts = parse.facts[key.table, key.column]
    if further or others or not facts.missing or key.orphans:
        raise NotReadError(f"Every row of {query.table} has one of {key.to_table}.")
    query.filters.append(Filter(Field(key.table, key.column), "missing"))


def _is_within(parse: Parse, table: str, test: Filter) -> bool:
    return test.field is None or leads(parse, table, test.field.table)


def _way_to(parse: Parse, table: str, other: str) -> tuple[Relationship, ...]:
    start = linked_by(parse, table, other)
    ways = paths(parse.catalog, start, table) if start else []
    if len(ways) != 1 or not ways[0]:
        raise NotReadError(f"It is not clear how {other} belong to {table}.")
    return tuple(ways[0])
