"""Maps SQL over the schema view back to the tables' real names.

Models are shown names that they spell rightly; what they write must run over the tables' own names,
and name nothing beside them.
"""

import re
from collections.abc import Sequence

import sqlglot
from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope

from modelwright.engines.language.llm.group_keys import show_group_keys
from modelwright.engines.language.llm.joins import complete_joins
from modelwright.engines.language.llm.literals import relink_values, write_years
from modelwright.engines.language.llm.schema_view import SchemaView, TableView
from modelwright.engines.language.readers import ValueLink

SIMPLE_NAME = re.compile(r"[a-z_][a-z0-9_]*")
ALIAS_CLAUSES = (exp.Order, exp.Group, exp.Having, exp.Qualify)
"""Where a bare name may mean a column of the result."""


class UnreadableSql(ValueError):
    """What a model wrote is not one SELECT statement."""


def restored(sql: str, view: SchemaView, values: Sequence[ValueLink] = ()) -> str:
    """Writes a statement over the view with the tables' real names.

    Args:
        sql: One SELECT in the view's names.
        view: The view that it was written over.
        values: The values that words of the question are.

    Returns:
        The same statement in real names, with joins that it lacks.

    Raises:
        UnreadableSql: It is not one SELECT, or its names cannot be followed.
    """
    try:
        return _restored(_parsed(sql), sql, view, values)
    except (sqlglot.errors.SqlglotError, RecursionError) as fault:
        raise UnreadableSql(f"Its names cannot be followed: {fault}") from fault


def _restored(tree: exp.Expression, sql: str, view: SchemaView, values: Sequence[ValueLink]) -> str:
    before = tree.sql(dialect="duckdb")
    relink_values(tree, values, view)
    write_years(tree, view)
    complete_joins(tree, view)
    show_group_keys(tree)
    if view.is_plain:
        after = str(tree.sql(dialect="duckdb"))
        return sql if after == before else after
    for scope in traverse_scope(tree):
        is_result = _is_result(scope.expression)
        if not is_result:
            _name_columns(scope, view)
        _restore_columns(scope, view, is_result=is_result)
        _restore_using(scope, view)
    _restore_tables(tree, view)
    return str(tree.sql(dialect="duckdb"))


def _parsed(sql: str) -> exp.Expression:
    try:
        trees = sqlglot.parse(sql, read="duckdb")
    except (sqlglot.errors.SqlglotError, RecursionError) as fault:
        raise UnreadableSql("It is not SQL that can be parsed.") from fault
    if len(trees) != 1 or not isinstance(trees[0], exp.Query):
        raise UnreadableSql("It is not one SELECT statement.")
    return trees[0]


def _is_result(query: exp.Expression) -> bool:
    """Returns whether a query's columns are those of the whole statement."""
    while isinstance(query.parent, exp.SetOperation) or (
        isinstance(query.parent, exp.Subquery) and isinstance(query.parent.parent, exp.SetOperation)
    ):
        query = query.parent
    return query.parent is None


def _name_columns(scope: Scope, view: SchemaView) -> None:
    """Names the columns behind a star, which the query around asks for by the view's names."""
    if not isinstance(scope.expression, exp.Select):
        return
    named: list[exp.Expression] = []
    for one in scope.expression.expressions:
        if isinstance(one, exp.Star) and not one.args.get("except_"):
            named += _behind(scope, view, "")
        elif isinstance(one, exp.Column) and isinstance(one.this, exp.Star):
            named += _behind(scope, view, one.table)
        else:
            named.append(one)
    if len(named) > len(scope.expression.expressions):
        scope.expression.set("expressions", named)


def _behind(scope: Scope, view: SchemaView, of: str) -> list[exp.Expression]:
    found: list[exp.Expression] = []
    for alias, (_, source) in scope.selected_sources.items():
        if of and alias.casefold() != of.casefold():
            continue
        table = view.by_alias.get(source.name.casefold()) if isinstance(source, exp.Table) else None
        names = table.by_alias if table else _selects_of(source)
        found += [exp.column(name, table=alias) for name in names]
    return found


def _selects_of(source: Scope | exp.Expression) -> Sequence[str]:
    """Returns the names of a query's columns; none of a table function, which has no query."""
    query = source.expression if isinstance(source, Scope) else source
    return query.named_selects if isinstance(query, exp.Query) else ()


def _restore_columns(scope: Scope, view: SchemaView, *, is_result: bool) -> None:
    if not isinstance(scope.expression, exp.Select):
        return
    names = {one.alias for one in scope.expression.expressions if isinstance(one, exp.Alias)}
    for column in list(scope.find_all(exp.Column)):
        table = _table_of(column, scope, view, names)
        own = table.by_alias.get(column.name.casefold()) if table else None
        if own is None or own.name == column.name:
            continue
        if column.arg_key == "expressions" and column.parent is scope.expression and not is_result:
            column.replace(exp.alias_(_renamed(column, own.name), own.alias))
        else:
            column.set("this", _identifier(own.name))


def _restore_using(scope: Scope, view: SchemaView) -> None:
    if not isinstance(scope.expression, exp.Select):
        return
    tables = [
        view.by_alias.get(source.name.casefold())
        for _, source in scope.selected_sources.values()
        if isinstance(source, exp.Table)
    ]
    for join in scope.expression.args.get("joins") or ():
        for name in join.args.get("using") or ():
            own = {
                one.by_alias[name.name].name for one in tables if one and name.name in one.by_alias
            }
            if len(own) > 1:
                raise UnreadableSql(f"USING ({name.name}) joins columns of other names; use ON.")
            if own:
                name.replace(_identifier(own.pop()))


def _renamed(column: exp.Column, name: str) -> exp.Column:
    copy: exp.Column = column.copy()
    copy.set("this", _identifier(name))
    return copy


def _table_of(
    column: exp.Column, scope: Scope, view: SchemaView, names: set[str]
) -> TableView | None:
    """Finds the table that a column is of; None where it is of the query itself."""
    here: Scope | None = scope
    wanted = column.name.casefold()
    if not column.table and column.name in names and column.find_ancestor(*ALIAS_CLAUSES):
        return None
    while here is not None:
        for alias, (_, source) in here.selected_sources.items():
            if column.table and alias.casefold() != column.table.casefold():
                continue
            if isinstance(source, exp.Table):
                table = view.by_alias.get(source.name.casefold())
                if table and (column.table or wanted in table.by_alias):
                    return table
            elif column.table or wanted in map(str.casefold, _selects_of(source)):
                return None
        here = here.parent
    return None


def _restore_tables(tree: exp.Expression, view: SchemaView) -> None:
    own = {cte.alias.casefold() for cte in tree.find_all(exp.CTE)}
    for table in tree.find_all(exp.Table):
        seen = view.by_alias.get(table.name.casefold())
        if seen is None or seen.alias in own or seen.name == table.name:
            continue
        if not table.alias:
            table.set("alias", exp.TableAlias(this=exp.to_identifier(table.name)))
        table.set("this", _identifier(seen.name))


def _identifier(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=not SIMPLE_NAME.fullmatch(name))
