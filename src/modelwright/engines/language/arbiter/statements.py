"""Parses what a reader wrote, so that another reading can be made of it.

A statement that does not parse has no other reading; it is refused where it is checked.
"""

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError


def parsed(sql: str) -> exp.Expression | None:
    """Parses a statement.

    Args:
        sql: What a reader wrote, in DuckDB's dialect.

    Returns:
        The statement; None where it is none.
    """
    try:
        return parse_one(sql, dialect="duckdb")
    except (SqlglotError, RecursionError):
        return None
