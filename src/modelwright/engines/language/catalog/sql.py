"""SQL within a catalog: expressions of metrics, filters of rows, read and checked."""

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp

MAX_EXPRESSION_LENGTH = 1_000
"""Characters of a metric's expression."""
NUMERIC = frozenset({"integer", "float"})
FUNCTIONS = frozenset(
    {
        "ABS", "AND", "ANY_VALUE", "AVG", "CASE", "CAST", "CEIL", "COALESCE", "CONCAT", "COUNT",
        "DATE_DIFF", "DATE_TRUNC", "DAY", "FLOOR", "GREATEST", "IF", "LEAST", "LENGTH", "LN",
        "LOG", "LOWER", "MAX", "MEDIAN", "MIN", "MOD", "MONTH", "NULLIF", "OR", "POW", "POWER",
        "QUARTER", "ROUND", "SQRT", "STDDEV", "STDDEV_POP", "STDDEV_SAMP", "SUM",
        "TIMESTAMP_TRUNC", "TRIM", "TRY_CAST", "UPPER", "VARIANCE", "VARIANCE_POP", "WEEK", "YEAR",
    }
)  # fmt: skip
"""What an expression may call; more is for SQL that is asked."""


class ExpressionError(Exception):
    """An expression cannot be kept; the message says what to do."""


def metric_tree(text: str, columns: Mapping[str, str]) -> "exp.Expression":
    """Reads the expression of a metric.

    Args:
        text: SQL such as `sum(quantity * unit_price)`.
        columns: The table's columns with their types, by one of the contract's five words.

    Returns:
        The parsed expression, its columns written as the table writes them.

    Raises:
        ExpressionError: It is no expression, or not one aggregate of known columns.
    """
    from sqlglot import exp  # noqa: PLC0415 - heavy

    tree = _tree(text, columns)
    if not tree.find(exp.AggFunc):
        raise ExpressionError("must hold an aggregate, for example sum(quantity * unit_price).")
    for column in tree.find_all(exp.Column):
        aggregate = column.find_ancestor(exp.AggFunc)
        if aggregate is None:
            told = f"uses {column.name} outside of an aggregate; write for example"
            raise ExpressionError(f"{told} sum({column.name}).")
        is_added = isinstance(aggregate, exp.Sum | exp.Avg | exp.Median)
        if is_added and aggregate.this is column and columns[column.name] not in NUMERIC:
            raise ExpressionError(f"adds up {column.name}, which holds no numbers.")
    for aggregate in tree.find_all(exp.AggFunc):
        if aggregate.parent and aggregate.parent.find_ancestor(exp.AggFunc):
            raise ExpressionError("holds an aggregate of an aggregate; take the inner one out.")
    return tree


def filter_tree(text: str, columns: Mapping[str, str]) -> "exp.Expression":
    """Reads a filter of rows.

    Args:
        text: SQL such as `status <> 'cancelled'`.
        columns: The table's columns with their types.

    Returns:
        The parsed test, its columns written as the table writes them.

    Raises:
        ExpressionError: It is no test of known columns.
    """
    from sqlglot import exp  # noqa: PLC0415 - heavy

    tree = _tree(text, columns)
    if tree.find(exp.AggFunc):
        raise ExpressionError("must test single rows, without an aggregate.")
    tests = (exp.Predicate, exp.Connector, exp.Not, exp.Boolean, exp.Paren)
    is_flag = isinstance(tree, exp.Column) and columns[tree.name] == "boolean"
    if not (isinstance(tree, tests) or is_flag):
        raise ExpressionError("must be a test, for example status <> 'cancelled'.")
    if not tree.find(exp.Column):
        raise ExpressionError("must test a column of the table.")
    return tree


def absent_columns(text: str, columns: Collection[str]) -> list[str]:
    """Lists the columns that a kept expression uses and a table does not have.

    Args:
        text: The expression of a metric, or a filter; an empty one uses nothing.
        columns: The table's columns.

    Returns:
        Their names, each once.
    """
    from sqlglot import exp, parse_one  # noqa: PLC0415 - heavy

    if not text:
        return []
    known = {name.casefold() for name in columns}
    used = [one.name for one in parse_one(text, dialect="duckdb").find_all(exp.Column)]
    return [one for one in dict.fromkeys(used) if one.casefold() not in known]


def _tree(text: str, columns: Mapping[str, str]) -> "exp.Expression":
    """Parses one expression over known columns; refuses everything else."""
    from sqlglot import exp, parse  # noqa: PLC0415 - heavy
    from sqlglot.errors import SqlglotError  # noqa: PLC0415 - heavy

    if len(text) > MAX_EXPRESSION_LENGTH:
        raise ExpressionError(f"must have at most {MAX_EXPRESSION_LENGTH:,} characters.")
    try:
        trees = [one for one in parse(f"SELECT {text}", dialect="duckdb") if one is not None]
    except (SqlglotError, ValueError, RecursionError):
        raise ExpressionError("is no SQL expression; check its brackets and operators.") from None
    if len(trees) != 1 or not isinstance(trees[0], exp.Select):
        raise ExpressionError("must be one expression.")
    select = trees[0]
    parts = {name for name, value in select.args.items() if value and name != "kind"}
    if parts - {"expressions"} or len(select.expressions) != 1:
        raise ExpressionError("must be one expression, without FROM, WHERE or a comma.")
    tree = select.expressions[0].copy()
    if isinstance(tree, exp.Alias | exp.Star):
        raise ExpressionError("must be one expression without a name of its own.")
    for problem in _problems(tree):
        raise ExpressionError(problem)
    _use_names(tree, columns)
    return tree


def _problems(tree: "exp.Expression") -> Iterator[str]:
    from sqlglot import exp  # noqa: PLC0415 - heavy

    for node in tree.walk():
        if isinstance(node, exp.Query | exp.Subquery):
            yield "must not hold a SELECT."
        elif isinstance(node, exp.Window):
            yield "must not use OVER."
        elif isinstance(node, exp.Parameter | exp.Placeholder):
            yield "must not hold parameters."
        elif isinstance(node, exp.Func) and _name(node) not in FUNCTIONS:
            told = ", ".join(sorted(_shown_functions()))
            yield f"must not call {_name(node).lower()}; it may call {told}."


def _name(function: "exp.Expression") -> str:
    from sqlglot import exp  # noqa: PLC0415 - heavy

    if isinstance(function, exp.Anonymous):
        return str(function.this).upper()
    return str(function.sql_name()).upper()


@cache
def _shown_functions() -> tuple[str, ...]:
    return tuple(one.lower() for one in FUNCTIONS - {"AND", "OR"})


def _use_names(tree: "exp.Expression", columns: Mapping[str, str]) -> None:
    """Writes columns as the table does."""
    from sqlglot import exp  # noqa: PLC0415 - heavy

    by_name = {name.casefold(): name for name in reversed([*columns])}
    for column in tree.find_all(exp.Column):
        name = column.name if column.name in columns else by_name.get(column.name.casefold())
        if name is None or column.table:
            told = ", ".join([*columns][:20])
            raise ExpressionError(f"names {column.sql()}, which is no column; there are {told}.")
        column.set("this", exp.to_identifier(name, quoted=not name.isidentifier()))
