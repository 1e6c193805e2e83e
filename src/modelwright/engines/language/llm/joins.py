"""Joins the tables that a statement names but does not read, along the keys of the schema.

Small models find the column that is meant, with its table, and then forget to join that table.
There is one way to do so where the keys lead one way. Where several keys lead from one table to
the other, the first is taken: whether another one is meant is seen by the checks.
"""

from collections import deque
from collections.abc import Iterable

from sqlglot import exp

from modelwright.engines.language.llm.schema_view import Join, SchemaView


def complete_joins(tree: exp.Expression, view: SchemaView) -> None:
    """Adds the missing joins to each query of a statement.

    Args:
        tree: A statement in the view's names; it is changed.
        view: The schema with its keys.
    """
    # Those inside come first: what is joined around them afterwards was not meant by them.
    for select in reversed(list(tree.find_all(exp.Select))):
        read = _read(select)
        _name_tables(select, read, view)
        for table in _named(select):
            if table in view.by_alias and table not in read and not _is_outer(select, table):
                for join in _way(view.joins, read, table):
                    new = join.to_table if join.table in read else join.table
                    select.join(exp.to_table(new), on=_condition(join), copy=False)
                    read.add(new)


def _name_tables(select: exp.Select, read: set[str], view: SchemaView) -> None:
    """Gives columns their table: bare ones that only a table has which is not read.

    A query in a condition whose result is a column of the query around it is meant to be of the
    table that it reads: `id IN (SELECT shops.id FROM hirings)`.
    """
    tables = [view.by_alias[name] for name in read if name in view.by_alias]
    if not tables or len(tables) < len(read):
        return  # it reads other queries, whose columns are not known here
    for column in select.find_all(exp.Column):
        if column.find_ancestor(exp.Select) is not select:
            continue
        name = column.name.casefold()
        here = [table.alias for table in tables if name in table.by_alias]
        if column.table:
            is_result = column.arg_key == "expressions" and column.parent is select
            is_compared = isinstance(select.parent, exp.In | exp.Subquery)
            if is_result and is_compared and column.table.casefold() not in read:
                _name_compared(column, here, read, view)
        elif not here and not _is_named(select, name):
            owners = [table.alias for table in view.tables if name in table.by_alias]
            if len(owners) == 1 and not _is_outer(select, owners[0]):
                column.set("table", exp.to_identifier(owners[0]))


def _name_compared(column: exp.Column, here: list[str], read: set[str], view: SchemaView) -> None:
    """Takes the column of that name where what is read has it, else the key that points to it."""
    meant = (column.table.casefold(), column.name.casefold())
    keys = [
        (join.table, join.column)
        for join in view.joins
        if (join.to_table, join.to_column) == meant and join.table in read
    ]
    if here:
        column.set("table", exp.to_identifier(here[0]))
    elif len(keys) == 1:
        column.set("table", exp.to_identifier(keys[0][0]))
        column.set("this", exp.to_identifier(keys[0][1]))


def _is_named(select: exp.Select, name: str) -> bool:
    """Returns whether a query gives one of its results this name."""
    return any(one.alias.casefold() == name for one in select.selects if one.alias)


def _read(select: exp.Select) -> set[str]:
    """Names what a query reads itself."""
    sources = [select.args.get("from_"), *(select.args.get("joins") or ())]
    return {one.this.alias_or_name.casefold() for one in sources if one is not None}


def _named(select: exp.Select) -> Iterable[str]:
    """Names the tables of the columns that a query uses itself, in order."""
    tables = (
        column.table.casefold()
        for column in select.find_all(exp.Column)
        if column.table and column.find_ancestor(exp.Select) is select
    )
    return dict.fromkeys(tables)


def _is_outer(select: exp.Select, table: str) -> bool:
    """Returns whether a query around this one reads a table."""
    around = select.find_ancestor(exp.Select)
    while around is not None:
        if table in _read(around):
            return True
        around = around.find_ancestor(exp.Select)
    return False


def _way(joins: Iterable[Join], read: set[str], goal: str) -> list[Join]:
    """Finds the shortest way from what is read to a table; none where it may lead over others."""
    edges = list(joins)
    ways: deque[list[Join]] = deque([[]])
    found: list[list[Join]] = []
    while ways:
        way = ways.popleft()
        if found and len(way) >= len(found[0]):
            break
        seen = read | {name for join in way for name in (join.table, join.to_table)}
        for join in edges:
            ends = {join.table, join.to_table}
            if len(ends & seen) != 1:
                continue
            longer = [*way, join]
            if goal in ends:
                found.append(longer)
            elif not way or _goes_on(way, join):
                ways.append(longer)
    over = {tuple((join.table, join.to_table) for join in way) for way in found}
    return found[0] if len(over) == 1 else []


def _goes_on(way: list[Join], join: Join) -> bool:
    last = {way[-1].table, way[-1].to_table}
    return bool(last & {join.table, join.to_table})


def _condition(join: Join) -> exp.Expression:
    return exp.column(join.column, table=join.table).eq(
        exp.column(join.to_column, table=join.to_table)
    )
