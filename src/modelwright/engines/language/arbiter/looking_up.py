"""Readings that follow a key into its own table: `who reports to Ada`, `who is Ben's manager`."""

from collections.abc import Iterator, Sequence

from sqlglot import exp, parse_one

from modelwright.engines.language.arbiter.calibration import SWAPPED
from modelwright.engines.language.arbiter.statements import parsed
from modelwright.engines.language.catalog.meaning import Catalog, Relationship, Role
from modelwright.engines.language.checks.findings import Code, Finding
from modelwright.engines.language.readers import Candidate


def looked_up(
    candidate: Candidate, findings: Sequence[Finding], catalog: Catalog
) -> Iterator[Candidate]:
    """Yields both ways along a key to the same table that a candidate did not follow.

    Args:
        candidate: What a reader read: rows of one table that meet a condition.
        findings: What the checks found of it.
        catalog: Names the key, and what rows are called by.

    Yields:
        The rows that point to those rows, then the rows that those rows point to.
    """
    missed = {one.words for one in findings if one.code is Code.SELF_KEY_MISSED}
    for key in catalog.relationships:
        if (key.table, key.column) in missed and key.table == key.to_table:
            yield from _both_ways(candidate, key, catalog)


def _both_ways(candidate: Candidate, key: Relationship, catalog: Catalog) -> Iterator[Candidate]:
    """Yields the rows that a key points to, and those that point by it: either may be meant."""
    where = _condition(candidate.sql, key.table)
    shown = _name_of(key, catalog) or (_tested(where) if where is not None else None)
    if where is None or shown is None:
        return
    table = exp.to_identifier(key.table, quoted=True).sql(dialect="duckdb")
    pointing, pointed_to, name = (
        exp.to_identifier(one, quoted=True).sql(dialect="duckdb")
        for one in (key.column, key.to_column, shown)
    )
    rows = catalog.table(key.table)
    noun = rows.row_nouns[0] if rows and rows.row_nouns else key.table
    for outer, inner, told in (
        (pointing, pointed_to, f"whose {key.column} names those"),
        (pointed_to, pointing, f"that are the {key.role or key.column} of those"),
    ):
        sql = (
            f"SELECT {name} FROM {table} WHERE {outer} IN"  # noqa: S608 - quoted names
            f" (SELECT {inner} FROM {table} WHERE {where})"
        )
        said = f"The {shown} of {noun} {told} where {where}.".replace('"', "")
        yield candidate.otherwise(sql, said, SWAPPED)


def _condition(sql: str, table: str) -> str | None:
    """Returns the condition of a statement that only lists rows of one table by a written value."""
    tree = parsed(sql)
    if tree is None:
        return None
    where = tree.args.get("where") if isinstance(tree, exp.Select) else None
    tables = [one.name for one in tree.find_all(exp.Table)]
    if where is None or tables != [table] or tree.find(exp.AggFunc, exp.Group) is not None:
        return None
    return where.this.sql(dialect="duckdb") if where.find(exp.Literal) is not None else None


def _tested(where: str) -> str | None:
    """Returns the one column of a condition: rows are told by what they were asked for by."""
    names = {one.name for one in parse_one(where, dialect="duckdb").find_all(exp.Column)}
    return names.pop() if len(names) == 1 else None


def _name_of(key: Relationship, catalog: Catalog) -> str | None:
    """Finds the column that people tell the rows by."""
    table = catalog.table(key.table)
    texts = [
        one.name
        for one in (table.columns if table else ())
        if one.role in {Role.ID, Role.DIMENSION} and one.name not in {key.column, key.to_column}
    ]
    return next((one for one in texts if "name" in one.casefold()), None)
