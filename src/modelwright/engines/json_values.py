"""How exact numbers stand in JSON, in every answer and file that the product writes.

Readers of JSON use doubles. A decimal that a double holds with all its digits is a number; the
digits of any other are a text, so that none is lost on the way.
"""

from decimal import Decimal


def json_decimal(value: Decimal) -> float | str:
    """Gives a decimal as a number where a double holds it, else its digits.

    Args:
        value: a finite decimal.

    Returns:
        What JSON can carry without loss.

    >>> json_decimal(Decimal("19.90")), json_decimal(Decimal("12345678901234567.89"))
    (19.9, '12345678901234567.89')
    """
    number = float(value)
    return number if Decimal(repr(number)) == value else f"{value:f}"


def json_decimal_sql(column: str, kind: str) -> str:
    """Gives the same in DuckDB's SQL, for a column of type `DECIMAL(p,s)`, as JSON."""
    number = f"CAST({column} AS DOUBLE)"
    return (
        f"CASE WHEN TRY_CAST(CAST({number} AS VARCHAR) AS {kind}) = {column}"
        f" THEN to_json({number}) ELSE to_json(CAST({column} AS VARCHAR)) END"
    )
