"""SQL that somebody wrote for a question, checked before it is kept."""

from collections.abc import Sequence

from modelwright.engines.sql import statement_validation
from modelwright.engines.sql.failures import Refused
from modelwright.queries.errors import UnfitSql


def checked_sql(sql: str, tables: Sequence[str]) -> str:
    """Returns the statement without its tail; refuses what no query may say."""
    import duckdb  # noqa: PLC0415 - heavy, kept out of start-up

    with duckdb.connect() as connection:
        try:
            return statement_validation.validate_statement(sql, tables, connection)
        except Refused as problem:
            raise UnfitSql.of("sql", problem.message) from None
