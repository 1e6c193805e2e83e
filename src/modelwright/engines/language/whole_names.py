"""Shows people by their whole name: a reading that tells `first_name` tells `last_name` as well."""

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from modelwright.engines.language.catalog import Catalog, CatalogTable
from modelwright.engines.language.rules.text.words import name_parts

GIVEN = (frozenset({"first", "name"}), frozenset({"given", "name"}), frozenset({"forename"}))
FAMILY = (frozenset({"last", "name"}), frozenset({"family", "name"}), frozenset({"surname"}))


def with_whole_names(sql: str, catalog: Catalog) -> str:
    """Adds family names to given names that rows are told by.

    Args:
        sql: One SELECT in DuckDB's dialect.
        catalog: What the tables hold.

    Returns:
        The same SQL where nothing is to be added: it groups, aggregates, or shows no given name.
    """
    if not any(given_and_family(table) for table in catalog.tables):
        return sql
    try:
        tree = parse_one(sql, dialect="duckdb")
    except (SqlglotError, RecursionError):
        return sql
    if not isinstance(tree, exp.Select) or not _lists_rows(tree):
        return sql
    shown = {one.name.casefold() for one in tree.selects if isinstance(one, exp.Column)}
    told: list[exp.Expression] = []
    for one in tree.selects:
        told.append(one)
        family = _family_of(one, tree, catalog)
        if family and family.casefold() not in shown:
            more = one.copy()
            more.set("this", exp.to_identifier(family, quoted=True))
            told.append(more)
    if len(told) == len(tree.selects):
        return sql
    tree.set("expressions", told)
    return str(tree.sql(dialect="duckdb"))


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


def _family_of(shown: exp.Expression, tree: exp.Select, catalog: Catalog) -> str | None:
    if not isinstance(shown, exp.Column):
        return None
    for source in tree.find_all(exp.Table):
        table = catalog.table(source.name)
        if table is None or shown.table.casefold() not in {"", source.alias_or_name.casefold()}:
            continue
        pair = given_and_family(table)
        if pair and pair[0].casefold() == shown.name.casefold():
            return pair[1]
    return None


def given_and_family(table: CatalogTable) -> tuple[str, str] | None:
    """Returns the columns of a table that hold given and family names."""
    parts = {frozenset(name_parts(column.name)): column.name for column in table.columns}
    given = next((parts[one] for one in GIVEN if one in parts), None)
    family = next((parts[one] for one in FAMILY if one in parts), None)
    return (given, family) if given and family else None


def given_or_family(name: str) -> bool:
    """Returns whether a column is called as those of given or of family names are."""
    return frozenset(name_parts(name)) in GIVEN + FAMILY
