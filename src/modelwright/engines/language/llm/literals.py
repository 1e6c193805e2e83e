"""Puts literals of a statement to the column that holds them, written as they stand in the data.

The question's words are linked to values before a model reads it. A model that compares such a
value with another column, or spells it otherwise, meant that one. A column of years is compared
with a year, whose first or last day a model writes.
"""

import re
from collections.abc import Sequence

from sqlglot import exp

from modelwright.engines.language.llm.schema_view import SchemaView
from modelwright.engines.language.readers import ValueLink

FIRST_OR_LAST_DAY = re.compile(r"(\d{4})-(?:01-01|12-31)")
"""A day that stands for its year."""
WHOLE_NUMBERS = ("BIGINT", "INTEGER", "SMALLINT")
COMPARED = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between)


def write_years(tree: exp.Expression, view: SchemaView) -> None:
    """Writes years in place of days that columns of whole numbers are compared with.

    Args:
        tree: A statement in the view's names; it is changed.
        view: The schema as models see it.
    """
    whole = {
        one.alias for table in view.tables for one in table.columns if one.sql_type in WHOLE_NUMBERS
    }
    others = {one.alias for table in view.tables for one in table.columns} - whole
    for comparison in tree.find_all(*COMPARED):
        column = comparison.this
        if isinstance(column, exp.Column) and column.name.casefold() in whole - others:
            for side in ("expression", "low", "high"):
                year = _year_of(comparison.args.get(side))
                if year:
                    comparison.set(side, exp.Literal.number(year))


def _year_of(day: exp.Expression | None) -> str:
    text = day.this if isinstance(day, exp.Cast) else day
    if not isinstance(text, exp.Literal) or not text.is_string:
        return ""
    found = FIRST_OR_LAST_DAY.fullmatch(text.name)
    return found[1] if found else ""


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
