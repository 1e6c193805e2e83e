"""Puts texts of a statement to the column that holds them, written as they stand in the data.

The question's words are linked to values before a model reads it. A model that compares such a
value with another column, or spells it otherwise, meant that one.
"""

from collections.abc import Sequence

from sqlglot import exp

from modelwright.engines.language.llm.schema_view import SchemaView
from modelwright.engines.language.readers import ValueLink


def relink_values(tree: exp.Expression, links: Sequence[ValueLink], view: SchemaView) -> None:
    """Corrects comparisons with values that the question's words are.

    Args:
        tree: A statement in the view's names; it is changed.
        links: The values that words of the question are.
        view: The schema as models see it.
    """
    places: dict[str, dict[tuple[str, str], str]] = {}
    for link in links:
        table = view.by_name.get(link.table)
        column = table.by_name.get(link.column) if table else None
        if table and column and isinstance(link.value, str):
            held = places.setdefault(link.value.casefold(), {})
            held[(table.alias, column.alias)] = link.value
    for comparison in tree.find_all(exp.EQ, exp.NEQ):
        column, text = comparison.this, comparison.expression
        if isinstance(column, exp.Column) and isinstance(text, exp.Literal) and text.is_string:
            _correct(column, text, places.get(text.this.casefold(), {}), view)


def _correct(
    column: exp.Column, text: exp.Literal, held: dict[tuple[str, str], str], view: SchemaView
) -> None:
    name = column.name.casefold()
    own = {place: value for place, value in held.items() if place[1] == name}
    if own:
        text.set("this", next(iter(own.values())))
        return
    if len(held) != 1 or not _is_of_the_schema(column, view):
        return
    ((table, holder), value) = next(iter(held.items()))
    several = len(view.tables) > 1
    column.set("this", exp.to_identifier(holder))
    column.set("table", exp.to_identifier(table) if several else None)
    text.set("this", value)


def _is_of_the_schema(column: exp.Column, view: SchemaView) -> bool:
    """Returns whether a column is one of the tables', not of another query."""
    table = view.by_alias.get(column.table.casefold()) if column.table else None
    tables = [table] if table else [] if column.table else list(view.tables)
    return any(column.name.casefold() in one.by_alias for one in tables)
