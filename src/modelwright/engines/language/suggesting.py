"""Questions that work on the tables at hand."""

from modelwright.engines.language.index import Column, Index
from modelwright.engines.language.rendering import spoken

_FEW, _MANY = 2, 40


def suggestions(index: Index) -> list[str]:
    """Up to four questions made from the first table's columns."""
    if not index.tables:
        return []
    name = index.tables[0].name
    columns = index.in_table(name)
    numbers = [c for c in columns if c.number and not c.identifier and c.facts.distinct > _MANY]
    groups = [c for c in columns if not c.number and _FEW <= c.facts.distinct <= _MANY]
    found = ["How many rows are there?"]
    if numbers:
        found.append(f"What is the average {_said(numbers[0])}?")
    if groups:
        found.append(f"Number of rows per {_said(groups[0])}")
    if numbers and groups:
        found.append(f"Average {_said(numbers[0])} by {_said(groups[0])}")
    return found


def _said(column: Column) -> str:
    return spoken(column.facts.name)
