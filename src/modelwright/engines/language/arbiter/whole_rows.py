"""Tells the row of an extreme where more than the figure was asked for: `the highest, and when`."""

import re
from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from modelwright.engines.language.arbiter.statements import parsed
from modelwright.engines.language.catalog.meaning import CatalogTable, Role
from modelwright.engines.language.readers import Candidate, NameLink, ReadRequest
from modelwright.engines.language.vocabulary import any_case

_AND_WHICH = any_case(
    r"(?:,\s*|\band\s+)(?:(?:in|on|at|for|by)\s+)?"
    r"(?:(?P<when>when)\b|(?:which|what)\s+(?P<noun>\w+))"
)

_NOT_USED = re.compile(r" Not used: [^.]*\.")


def with_its_row(one: Candidate, request: ReadRequest) -> Candidate:
    """Writes a highest or lowest figure so that it is told of which row it is.

    Args:
        one: What a reader read.
        request: The question: `highest demand, which building and when` asks for a row.

    Returns:
        The row of the figure with all that was asked for of it; the candidate as it was where
        nothing more was asked for, or no column tells it.
    """
    asked = list(_AND_WHICH.finditer(request.question))
    tree = parsed(one.sql) if asked else None
    extreme = _extreme(tree) if isinstance(tree, exp.Select) else None
    if not isinstance(tree, exp.Select) or extreme is None:
        return one
    wanted = _wanted_columns(request, tree, asked)
    if not wanted:
        return one
    _show_row(tree, extreme, wanted)
    said = ", ".join(name.replace("_", " ") for name in wanted)
    used = {match["noun"].casefold() for match in asked if match["noun"]}
    left = tuple(word for word in one.ignored_words if word.casefold() not in used)
    before = one.interpretation if left else _NOT_USED.sub("", one.interpretation)
    return replace(
        one,
        sql=str(tree.sql(dialect="duckdb")),
        interpretation=f"{before} Told with its {said}.".strip(),
        ignored_words=left,
        chart=None,
    )


def _extreme(tree: exp.Select) -> exp.Max | exp.Min | None:
    """Returns the one figure that a statement tells, if it is the highest or lowest of rows."""
    (shown, *others) = tree.selects or [None]
    made = any(tree.args.get(one) for one in ("group", "order", "limit", "distinct", "joins"))
    figure = shown.unalias() if shown is not None else None
    is_one = isinstance(figure, exp.Max | exp.Min) and isinstance(figure.this, exp.Column)
    return figure if is_one and not others and not made else None


def _wanted_columns(
    request: ReadRequest, tree: exp.Select, asked: Sequence[re.Match[str]]
) -> list[str]:
    """Returns the columns that tell all that was asked for of a row; none if one is not told."""
    tables = {each.name for each in tree.find_all(exp.Table)}
    table = request.catalog.table(next(iter(tables))) if len(tables) == 1 else None
    if table is None:
        return []
    found = [
        table.default_date if match["when"] else _named(request, table, match.start("noun"))
        for match in asked
    ]
    told = [one for one in dict.fromkeys(found) if one is not None]
    return told if None not in found else []


def _show_row(tree: exp.Select, extreme: exp.Max | exp.Min, columns: Sequence[str]) -> None:
    """Turns a highest or lowest figure into the row that holds it, with some of its columns."""
    figure = extreme.this
    shown = [exp.column(name, quoted=True) for name in columns]
    tree.set("expressions", [*shown, figure.copy()])
    by = exp.Ordered(this=figure.copy(), desc=isinstance(extreme, exp.Max), nulls_first=False)
    tree.set("order", exp.Order(expressions=[by]))
    tree.set("limit", exp.Limit(expression=exp.Literal.number(1)))


def _named(request: ReadRequest, table: CatalogTable, start: int) -> str | None:
    """Returns the column of keys or kinds that a word names best."""
    here = [one for one in request.links.names if one.span[0] <= start < one.span[1]]
    found = [one for one in here if one.table == table.name and _tells(table, one)]
    return max(found, key=lambda one: one.quality).column if found else None


def _tells(table: CatalogTable, link: NameLink) -> bool:
    column = table.column(link.column or "")
    return column is not None and column.role in {Role.ID, Role.DIMENSION, Role.DATE}
