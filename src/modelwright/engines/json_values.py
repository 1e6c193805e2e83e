"""How exact numbers stand in JSON, in every answer and file that the product writes.

Readers of JSON use doubles. A decimal that a double holds with all its digits is a number; the
digits of any other are a text, so that none is lost on the way.
"""

from decimal import Decimal


def json_decimal(value: Decimal) -> Decimal | str:
    """Returns a decimal as a number where a double holds it, else its digits.

    Args:
        value: a finite decimal.

    Returns:
        The decimal itself, for an encoder that writes one as a number, or a text.

    >>> json_decimal(Decimal("19.90")), json_decimal(Decimal("12345678901234567.89"))
    (Decimal('19.90'), '12345678901234567.89')
    """
    return value if Decimal(repr(float(value))) == value else f"{value:f}"


def json_number(value: Decimal) -> float | str:
    """Returns the same for an encoder that knows no decimals.

    Args:
        value: A finite decimal.

    Returns:
        A number where a double holds all its digits, else the digits as a text.
    """
    digits = json_decimal(value)
    return digits if isinstance(digits, str) else float(digits)


def json_decimal_sql(column: str, kind: str) -> str:
    """Returns the same in DuckDB's SQL, for a column of type `DECIMAL(p,s)`, as JSON.

    Args:
        column: The column, quoted.
        kind: Its type, `DECIMAL(p,s)`.

    Returns:
        An SQL expression of type JSON.
    """
    number = f"CAST({column} AS DOUBLE)"
    return (
        f"CASE WHEN TRY_CAST(CAST({number} AS VARCHAR) AS {kind}) = {column}"
        f" THEN to_json({number}) ELSE to_json(CAST({column} AS VARCHAR)) END"
    )
