"""Shows people by their whole name: a reading that tells `first_name` tells `last_name` as well.

Groups by a given name are groups of persons, unless given names themselves are asked for: two
persons called alike are two groups.
"""

from collections.abc import Sequence

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from modelwright.engines.language.catalog.meaning import Catalog, CatalogTable
from modelwright.engines.language.readers import NameLink
from modelwright.engines.language.rules.columns.schema import FAMILY_NAMES, GIVEN_NAMES
from modelwright.engines.language.rules.text.words import name_parts

WHOLE = 1.0
"""How surely words name a column that is called so."""


def with_whole_names(sql: str, catalog: Catalog, named: Sequence[NameLink] = ()) -> str:
    """Adds family names to given names that rows, or groups of the rows of persons, are told by.

    Args:
        sql: One SELECT in DuckDB's dialect.
        catalog: What the tables hold.
        named: What words of the question name: given names that are asked for stay alone in groups.

    Returns:
        The same SQL where nothing is to be added: it aggregates, or shows no given name.
    """
    if not any(given_and_family(table) for table in catalog.tables):
        return sql
    try:
        tree = parse_one(sql, dialect="duckdb")
    except (SqlglotError, RecursionError):
        return sql
    if not isinstance(tree, exp.Select):
        return sql
    asked = {(one.table, one.column) for one in named if one.quality == WHOLE}
    grouped = [
        one
        for one in tree.find_all(exp.Select)
        if one.args.get("group") is not None and _group_by_persons(one, catalog, asked)
    ]
    is_told = tree in grouped or _lists_rows(tree)
    if not (is_told and _show_families(tree, catalog)) and not grouped:
        return sql
    return str(tree.sql(dialect="duckdb"))


def _group_by_persons(
    tree: exp.Select, catalog: Catalog, asked: set[tuple[str, str | None]]
) -> bool:
    """Groups by the row of each person where rows that lead to them are grouped by their name."""
    if not tree.args.get("joins"):
        return False
    group = tree.args["group"]
    keys = list(group.expressions)
    told = {one.name.casefold() for one in keys}
    for one in keys:
        table = _table_of_given(one, tree, catalog)
        pair = given_and_family(table) if table else None
        if table is None or pair is None or (table.name, one.name) in asked:
            continue
        for name in filter(None, (pair[1], table.key)):
            if name.casefold() not in told:
                group.append("expressions", _beside(one, name))
    return len(group.expressions) > len(keys)


def _show_families(tree: exp.Select, catalog: Catalog) -> bool:
    """Shows family names behind the given ones; tells whether there were any to show."""
    shown = {one.name.casefold() for one in tree.selects if isinstance(one, exp.Column)}
    told: list[exp.Expression] = []
    for one in tree.selects:
        told.append(one)
        table = _table_of_given(one, tree, catalog)
        pair = given_and_family(table) if table else None
        if pair and pair[1].casefold() not in shown:
            told.append(_beside(one, pair[1]))
    is_more = len(told) > len(tree.selects)
    if is_more:
        tree.set("expressions", told)
    return is_more


def _beside(one: exp.Expression, name: str) -> exp.Expression:
    """Returns another column of the same table."""
    more = one.copy()
    more.set("this", exp.to_identifier(name, quoted=True))
    return more


def told_whole(interpretation: str, catalog: Catalog) -> str:
    """Says of an interpretation that family names are told beside the given ones.

    Args:
        interpretation: What the SQL tells, in words, before family names were added.
        catalog: What the tables hold.
    """
    for table in catalog.tables:
        pair = given_and_family(table)
        labels = {one.name: one.label for one in table.columns}
        given, family = (labels[one] for one in pair) if pair else ("", "")
        if given:
            interpretation = interpretation.replace(given, f"{given} and {family}", 1)
    return interpretation


def _lists_rows(tree: exp.Select) -> bool:
    is_grouped = tree.args.get("group") is not None or tree.args.get("distinct") is not None
    return not is_grouped and not any(one.find(exp.AggFunc, exp.Star) for one in tree.selects)


def _table_of_given(one: exp.Expression, tree: exp.Select, catalog: Catalog) -> CatalogTable | None:
    """Returns the table of persons of which a column holds the given names."""
    if not isinstance(one, exp.Column):
        return None
    for source in tree.find_all(exp.Table):
        table = catalog.table(source.name)
        if table is None or one.table.casefold() not in {"", source.alias_or_name.casefold()}:
            continue
        pair = given_and_family(table)
        if pair and pair[0].casefold() == one.name.casefold():
            return table
    return None


def given_and_family(table: CatalogTable) -> tuple[str, str] | None:
    """Returns the columns of a table that hold given and family names."""
    parts = {frozenset(name_parts(column.name)): column.name for column in table.columns}
    given = next((parts[one] for one in GIVEN_NAMES if one in parts), None)
    family = next((parts[one] for one in FAMILY_NAMES if one in parts), None)
    return (given, family) if given and family else None


def given_or_family(name: str) -> bool:
    """Returns whether a column is called as those of given or of family names are."""
    return frozenset(name_parts(name)) in GIVEN_NAMES | FAMILY_NAMES
