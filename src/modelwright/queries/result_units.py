"""The units of an answer's columns, where its SQL hands on columns whose units are known."""

from collections.abc import Mapping, Sequence
from typing import Any

from modelwright.engines.language.catalog.corrections import DatasetTeaching, renamed_tables
from modelwright.sessions.domain import SessionTable

PERCENT = "percent"
"""What shares of a hundred are called in SQL that is made of questions."""
Units = Mapping[str, Mapping[str, str]]


def units_of_tables(
    tables: Sequence[SessionTable], teachings: Sequence[DatasetTeaching]
) -> dict[str, dict[str, str]]:
    """Returns units by table and column: those of the files, and over them what people said."""
    units = {one.table: dict(one.units) for one in tables}
    for teaching in teachings:
        said = teaching.corrections
        for name, present in renamed_tables(said, tuple(teaching.tables)).items():
            if name not in said.tables:
                continue
            known = units.setdefault(teaching.tables[present], {})
            told = {
                column: correction.unit
                for column, correction in said.tables[name].columns.items()
                if correction.unit is not None
            }
            known |= told
    return units


def units_of_result(sql: str, columns: Sequence[str], units: Units) -> list[str] | None:
    """Tells the units of what a statement selects.

    Sums, averages, ends and medians of a column have its unit; what is computed otherwise, or comes
    out of another statement, has none that is known.

    Args:
        sql: A statement that was made of a question.
        columns: The names of its columns.
        units: Units by the names of tables and columns.

    Returns:
        A unit for each column, empty where there is none or it is not known; None without any.
    """
    if PERCENT not in columns and not any(any(one.values()) for one in units.values()):
        return None
    found = _selected(sql, columns, units)
    shares = ["%" if name == PERCENT else "" for name in columns]
    told = [one or share for one, share in zip(found, shares, strict=True)]
    return told if any(told) else None


def _selected(sql: str, columns: Sequence[str], units: Units) -> list[str]:
    import sqlglot  # noqa: PLC0415 - heavy
    from sqlglot import exp  # noqa: PLC0415 - heavy
    from sqlglot.errors import SqlglotError  # noqa: PLC0415 - heavy

    unknown = [""] * len(columns)
    try:
        statement = sqlglot.parse_one(sql, dialect="duckdb")
    except (SqlglotError, RecursionError):
        return unknown
    if not isinstance(statement, exp.Select) or statement.find(exp.CTE):
        return unknown
    origin = statement.args.get("from_")
    joined = statement.args.get("joins") or []
    sources = [one.this for one in (origin, *joined) if one is not None]
    if not sources or not all(isinstance(one, exp.Table) for one in sources):
        return unknown
    tables = {one.alias_or_name: units.get(one.name, {}) for one in sources}
    selected = [one.unalias() for one in statement.expressions]
    if [type(one) for one in selected] == [exp.Star] and len(tables) == 1:
        (only,) = tables.values()
        return [only.get(name, "") for name in columns]
    if len(selected) != len(columns):
        return unknown
    return [_unit(one, tables) for one in selected]


def _unit(expression: Any, tables: Units) -> str:
    from sqlglot import exp  # noqa: PLC0415 - heavy

    handing_on = (
        exp.Sum, exp.Avg, exp.Min, exp.Max, exp.Median, exp.PercentileCont, exp.Round, exp.Abs,
        exp.Filter, exp.Paren,
    )  # fmt: skip
    while isinstance(expression, handing_on):
        expression = expression.this
    if not isinstance(expression, exp.Column):
        return ""
    own = [tables[expression.table]] if expression.table in tables else list(tables.values())
    told = {one[expression.name] for one in own if expression.name in one}
    return told.pop() if len(told) == 1 else ""
