"""Says which values of a row training never saw, or had in another range."""

from collections.abc import Mapping, Sequence
from typing import Any

from modelwright_runtime.columns import AmountColumn, CategoryColumn, Column, NominalIntegerColumn

LONGEST_VALUE = 60
"""Characters of a value that a warning repeats."""


def warnings_of(
    columns: Sequence[Column], domains: Mapping[str, Any], row: Mapping[str, Any]
) -> list[dict[str, str]]:
    """Finds the fields of a row that are unlike the training data.

    Args:
        columns: The columns of the model.
        domains: By column, the `low` and `high` of its training values, where they are numbers.
        row: A row that passed the check.

    Returns:
        A `field` and a `message` for each, in the order of the columns.
    """
    found = []
    for column in columns:
        value = row.get(column.name)
        if value is None or isinstance(value, bool):
            continue
        message = _unlike(column, domains.get(column.name), value)
        if message:
            found.append({"field": column.name, "message": message})
    return found


def _unlike(column: Column, domain: Any, value: Any) -> str | None:
    category = column.category if isinstance(column, NominalIntegerColumn) else column
    if isinstance(category, CategoryColumn):
        return f"{_spelt(value)} was never seen in training" if category.place(value) < 0 else None
    number = column.written.read(value) if isinstance(column, AmountColumn) else value
    if not isinstance(domain, Mapping) or not isinstance(number, int | float):
        return None
    low, high = domain.get("low"), domain.get("high")
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return None
    if number < low or number > high:
        return f"{_spelt(value)} is outside what training had ({low:.15g} to {high:.15g})"
    return None


def _spelt(value: Any) -> str:
    text = str(value)
    short = text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "…"
    return f"'{short}'" if isinstance(value, str) else short
