"""Shows whom a key names: a reading that tells `director_id` tells the name of the director.

Where the rows of a table are listed that others point to, their key stands beside their names, as
two of them may be called alike.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from sqlglot import exp

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.arbiter.statements import parsed
from modelwright.engines.language.catalog.meaning import (
    Catalog,
    CatalogColumn,
    CatalogTable,
    Relationship,
    Role,
)
from modelwright.engines.language.checks.statement import SHOWS_ALL, Statement, UnparsedError
from modelwright.engines.language.readers import ReadRequest
from modelwright.engines.language.rules.text.words import name_parts, words
from modelwright.engines.language.vocabulary import word_set
from modelwright.engines.language.whole_names import given_and_family, given_or_family

_NAMES = word_set("names.of_rows")
_KEY_WORDS = word_set("names.key_words")
UNIQUE_SHARE = 0.9
"""Which share of the rows a name tells from all others at least."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """A key that is shown, and the column that names the rows it points to."""

    column: exp.Column
    key: Relationship
    names: tuple[str, ...]
    """A name, or a given and a family name."""
    is_whole: bool
    """Whether the key of every row leads to one."""


@dataclass(frozen=True, slots=True)
class _RowsByName:
    """Rows that a statement lists, or makes groups of, by their names alone."""

    table: CatalogTable
    key: str
    alias: str
    """What the table is called in the statement; empty where columns stand without it."""
    names: frozenset[str]
    """The columns that are shown."""


def with_names(sql: str, request: ReadRequest) -> str:
    """Shows names in the place of keys that point to them.

    Args:
        sql: One SELECT in DuckDB's dialect.
        request: The question, with catalog and tables.

    Returns:
        The same SQL where it shows no such key, or the question asks for keys.
    """
    if not request.catalog.relationships or _asks_for_keys(request.question):
        return sql
    try:
        statement = Statement.read(sql, request.catalog)
    except UnparsedError:
        return sql
    tree = statement.tree
    is_plain = isinstance(tree, exp.Select) and not tree.meta.get(SHOWS_ALL)
    shown = list(_shown(statement, request)) if is_plain else []
    if shown:
        _call_as_before(statement)
    for one in shown:
        _put_name(statement, one)
    return str(tree.sql(dialect="duckdb", identify=True)) if shown else sql


def with_keys(sql: str, request: ReadRequest) -> str:
    """Shows the key of rows that are told by their names alone, of a table that others point to.

    Args:
        sql: One SELECT in DuckDB's dialect.
        request: The question, with catalog and links.

    Returns:
        The same SQL where it lists no such rows, or the question asks for the names themselves.
    """
    tree = parsed(sql) if request.catalog.relationships else None
    if not isinstance(tree, exp.Select) or tree.args.get("distinct"):
        return sql
    rows = _rows_by_name(tree, request)
    if rows is None or not _can_show_key(tree, rows, request):
        return sql
    key = exp.column(rows.key, table=rows.alias or None, quoted=True)
    group = tree.args.get("group")
    if group is not None and not _is_grouped_by(group, rows.key):
        group.append("expressions", key.copy())
    tree.set("expressions", [key, *tree.selects])
    return str(tree.sql(dialect="duckdb"))


def _rows_by_name(tree: exp.Select, request: ReadRequest) -> _RowsByName | None:
    """Returns the rows that are told by their names and nothing else, the figures apart."""
    columns = [one.unalias() for one in tree.selects if one.find(exp.AggFunc) is None]
    alias = columns[0].table if columns and isinstance(columns[0], exp.Column) else ""
    table = _outer_table(tree, alias, request.catalog)
    if table is None or table.key is None or not _is_pointed_to(table, request.catalog):
        return None
    told = {one.name for one in columns if isinstance(one, exp.Column) and one.table == alias}
    asked = {one.column for one in request.links.names if one.table == table.name}
    is_by_name = len(told) == len(columns) and told <= _naming(table) and not told & asked
    return _RowsByName(table, table.key, alias, frozenset(told)) if is_by_name else None


def _outer_table(tree: exp.Select, alias: str, catalog: Catalog) -> CatalogTable | None:
    """Returns the table of the outer query that is called so; without a name the first."""
    sources = [one for one in tree.find_all(exp.Table) if one.find_ancestor(exp.Select) is tree]
    source = next((one for one in sources if alias in {"", one.alias_or_name}), None)
    return catalog.table(source.name) if source is not None else None


def _is_pointed_to(table: CatalogTable, catalog: Catalog) -> bool:
    """Whether rows of other tables tell the key of these."""
    keys = catalog.relationships
    return any((one.to_table, one.to_column) == (table.name, table.key) for one in keys)


def _can_show_key(tree: exp.Select, rows: _RowsByName, request: ReadRequest) -> bool:
    """Whether each row of the result is of one key, or may be: names alone make no groups apart."""
    group = tree.args.get("group")
    if group is None:
        return all(one.find(exp.AggFunc) is None for one in tree.selects)
    if _is_grouped_by(group, rows.key):
        return True
    return bool(tree.args.get("joins")) and not _tells_apart(rows.names, rows.table, request)


def _is_grouped_by(group: exp.Group, column: str) -> bool:
    return column in [one.name for one in group.expressions]


def _tells_apart(names: Collection[str], table: CatalogTable, request: ReadRequest) -> bool:
    """Whether a single column tells each row of a table from all others."""
    facts = {(t.name, c.name): c for t in request.tables for c in t.columns}
    found = [facts[table.name, name] for name in names if (table.name, name) in facts]
    return any(one.distinct >= one.rows - one.missing for one in found)


def _naming(table: CatalogTable) -> frozenset[str]:
    """Returns the columns that the rows of a table are called by."""
    whole = given_and_family(table) or ()
    return frozenset(whole) | {
        one.name
        for one in table.columns
        if one.role is Role.DIMENSION and _is_called_name(one, table)
    }


def _is_called_name(column: CatalogColumn, table: CatalogTable) -> bool:
    """Whether a column is called a name, or as a row of its table is: `film` of films."""
    nouns = {noun.removesuffix("s") for noun in table.row_nouns}
    return column.label in _NAMES | nouns or column.label.endswith(" name")


def _call_as_before(statement: Statement) -> None:
    """Calls columns that are shown plainly as their tables do: reading folds their letters."""
    for one in statement.tree.selects:
        place = statement.place(one.unalias())
        if place and isinstance(one, exp.Alias) and one.alias.casefold() == place[1].casefold():
            one.set("alias", exp.to_identifier(place[1], quoted=True))


def _asks_for_keys(question: str) -> bool:
    return any(word.text in _KEY_WORDS for word in words(question))


def _shown(statement: Statement, request: ReadRequest) -> Iterator[_Shown]:
    """Yields the keys that stand alone among what is shown and whose rows have names."""
    keys = {(one.table, one.column): one for one in request.catalog.relationships}
    facts = {(t.name, c.name): c for t in request.tables for c in t.columns}
    for one in statement.tree.selects:
        column = one.unalias()
        place = statement.place(column) if isinstance(column, exp.Column) else None
        key = keys.get(place) if place else None
        if key is None or key.table == key.to_table or _source(statement, column.table) is None:
            continue
        names = _names_of(key.to_table, request.catalog, facts)
        if names and key.to_column not in names:
            is_whole = not facts[key.table, key.column].missing and key.orphans == 0
            yield _Shown(column, key, names, is_whole)


def _source(statement: Statement, alias: str) -> exp.Table | None:
    """Returns the table of the outermost query that is called so."""
    tree = statement.tree
    begun = tree.args.get("from") or tree.args.get("from_")
    told = [begun.this if begun else None, *(one.this for one in tree.args.get("joins") or ())]
    return next(
        (one for one in told if isinstance(one, exp.Table) and one.alias_or_name == alias), None
    )


def _names_of(
    table: str, catalog: Catalog, facts: dict[tuple[str, str], ColumnFacts]
) -> tuple[str, ...]:
    """Returns the columns that people tell the rows of a table by."""
    known = catalog.table(table)
    if known is None:
        return ()
    if whole := given_and_family(known):
        return whole
    for one in known.columns:
        of_it = facts[table, one.name]
        tells_rows = of_it.type == "string" and of_it.distinct >= UNIQUE_SHARE * of_it.rows
        if tells_rows and _is_called_name(one, known):
            return (one.name,)
    return ()


def _put_name(statement: Statement, one: _Shown) -> None:
    """Puts the name in the place of a key where it is shown or ordered by, and groups by both."""
    tree, key = statement.tree, one.key
    alias = _joined(statement, one) or _join(statement, one)
    names = [exp.column(name, table=alias, quoted=True) for name in one.names]
    written = one.column.sql(dialect="duckdb")
    group, order = tree.args.get("group"), tree.args.get("order")
    if group is not None and any(g.sql(dialect="duckdb") == written for g in group.expressions):
        for name in names:
            group.append("expressions", name.copy())
    told: list[exp.Expression] = []
    for each in tree.selects:
        is_it = each.unalias().sql(dialect="duckdb") == written
        told += [_called(key, name) for name in names] if is_it else [each]
    tree.set("expressions", told)
    for each in order.expressions if order is not None else ():
        by = each.this
        is_it = isinstance(by, exp.Column) and by.table in {"", one.column.table}
        if is_it and by.name.casefold() == one.column.name.casefold():
            each.this.replace(names[-1].copy())


def _called(key: Relationship, name: exp.Column) -> exp.Expression:
    """Calls a name as its key is called: `director`, `director_first_name`."""
    role = "_".join(_role(key))
    is_part = given_or_family(name.name)
    called = "_".join(filter(None, [role, name.name])) if is_part else role or name.name
    return exp.alias_(name.copy(), called, quoted=True)


def _role(key: Relationship) -> list[str]:
    return [part for part in name_parts(key.column) if part not in _KEY_WORDS]


def _joined(statement: Statement, one: _Shown) -> str | None:
    """Returns what the table of the names is called where it is joined by this key already."""
    key = one.key
    ends = {(key.table, key.column), (key.to_table, key.to_column)}
    for join in statement.joins:
        if {join.left, join.right} == ends and one.column.table in join.aliases:
            other = next((a for a in join.aliases if a != one.column.table), None)
            return other if other and _source(statement, other) is not None else None
    return None


def _join(statement: Statement, one: _Shown) -> str:
    """Joins the table of the names, called as none is yet."""
    taken = {table.alias_or_name for table in statement.find_all(exp.Table)}
    alias = one.key.to_table
    while alias in taken:
        alias = f"{alias}_of_{'_'.join(_role(one.key)) or one.key.column}"
    on = exp.EQ(
        this=one.column.copy(),
        expression=exp.column(one.key.to_column, table=alias, quoted=True),
    )
    table = exp.to_table(exp.to_identifier(one.key.to_table, quoted=True).sql(dialect="duckdb"))
    if alias != one.key.to_table:
        table = exp.alias_(table, alias, table=True, quoted=True)
    statement.tree.append(
        "joins", exp.Join(this=table, on=on, side=None if one.is_whole else "LEFT")
    )
    return alias
