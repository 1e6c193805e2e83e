"""When two results say the same: columns matched by content, order only where it was asked for."""

import math
import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from itertools import combinations, islice
from typing import Any

import duckdb
from sqlglot import exp, parse_one

Row = Sequence[Any]
Cell = float | str | None
Column = tuple[Cell, ...]

MOST_TIES = 500
"""Ways in which rows that tie at a limit may be picked."""
MORE_COLUMNS = 3
"""Columns that an answer may show beside the one figure that was asked for."""
NEAR = 1e-3
ROUNDED_DIGITS = 2
"""An answer may be rounded to so many digits or more."""
FIRST_YEAR, LAST_YEAR = 1500, 2200


def golds(sql: str, store: duckdb.DuckDBPyConnection) -> Iterator[list[Row]]:
    """Gives every result that is as right as the gold's: rows that tie at its limit may differ."""
    given = store.execute(sql).fetchall()
    yield given
    tree = parse_one(sql, dialect="duckdb")
    order, limit = tree.args.get("order"), tree.args.get("limit")
    if not isinstance(tree, exp.Select) or order is None or limit is None or not given:
        return
    wide = tree.copy()
    wide.set("limit", None)
    keys = [_meant(one.this, tree).copy() for one in order.expressions]
    wide = wide.select(*(exp.alias_(key, f"_key{at}") for at, key in enumerate(keys)))
    rows = store.execute(wide.sql(dialect="duckdb")).fetchall()
    if len(rows) <= len(given):
        return
    parts = [(row[: -len(keys)], row[-len(keys) :]) for row in rows]
    last = parts[len(given) - 1][1]
    sure = [row for row, key in parts[: len(given)] if key != last]
    tied = [row for row, key in parts if key == last]
    for some in islice(combinations(tied, len(given) - len(sure)), MOST_TIES):
        yield [*sure, *some]


def _meant(key: exp.Expression, tree: exp.Select) -> exp.Expression:
    if key.is_int:
        return tree.selects[int(key.name) - 1].unalias()
    named = {one.alias: one.unalias() for one in tree.selects if one.alias}
    return named.get(key.name, key) if isinstance(key, exp.Column) else key


def alike(gold: Sequence[Row], told: Sequence[Row], *, ordered: bool = False) -> bool:
    """Says whether a told result holds the gold's columns, row by row.

    A group of missing values may be shown or left out, and beside what was asked for an answer may
    show more of the same rows.
    """
    return any(
        _same(one, other, ordered=ordered)
        for one in _with_and_without_missing(gold)
        for other in _with_and_without_missing(told)
    )


def _with_and_without_missing(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    yield rows
    known = [row for row in rows if row and row[0] is not None]
    if rows and len(rows[0]) > 1 and 0 < len(known) < len(rows):
        yield known


def _same(gold: Sequence[Row], told: Sequence[Row], *, ordered: bool) -> bool:
    if len(gold) != len(told):
        return False
    if not gold:
        return True
    wanted, shown = _columns(gold), _columns(told)
    figure = len(gold) == len(wanted) == 1 and isinstance(wanted[0][0], float)
    if len(wanted) > len(shown) or (figure and len(shown) > len(wanted) + MORE_COLUMNS):
        return False
    fitting = [
        [at for at, other in enumerate(shown) if _as(other, column) is not None]
        for column in wanted
    ]
    return any(
        _rows_fit(wanted, [shown[at] for at in chosen], ordered=ordered)
        for chosen in _choices(fitting)
    )


def _choices(fitting: list[list[int]], taken: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    if len(taken) == len(fitting):
        yield taken
        return
    for at in fitting[len(taken)]:
        if at not in taken:
            yield from _choices(fitting, (*taken, at))


def _rows_fit(wanted: list[Column], shown: list[Column], *, ordered: bool) -> bool:
    meant = [_as(other, column) for other, column in zip(shown, wanted, strict=True)]
    left = list(zip(*wanted, strict=True))
    right = list(zip(*(one for one in meant if one is not None), strict=True))
    if not ordered:
        left, right = sorted(left, key=_sort_key), sorted(right, key=_sort_key)
    return all(
        _cell_fits(one, other)
        for row, told in zip(left, right, strict=True)
        for one, other in zip(row, told, strict=True)
    )


def _as(shown: Column, wanted: Column) -> Column | None:
    """A shown column in the wanted one's terms, where it holds the wanted cells in any order."""
    others = (_years(shown, wanted), _months(shown), _numbers(shown, wanted))
    for terms in (shown, *others):
        if terms is not None and _cells_fit(wanted, terms):
            return terms
    return None


def _cells_fit(wanted: Column, shown: Column) -> bool:
    left = sorted(((one,) for one in wanted), key=_sort_key)
    right = sorted(((one,) for one in shown), key=_sort_key)
    return all(_cell_fits(one, other) for (one,), (other,) in zip(left, right, strict=True))


def _years(shown: Column, wanted: Column) -> Column | None:
    """First days of years as the years they stand for, or the other way."""
    if all(isinstance(one, str) and one.endswith("-01-01") for one in shown):
        return tuple(float(str(one)[:4]) for one in shown)
    first = all(isinstance(one, str) and one.endswith("-01-01") for one in wanted)
    if first and all(isinstance(one, float) and FIRST_YEAR < one < LAST_YEAR for one in shown):
        return tuple(f"{int(one):04}-01-01" for one in shown if isinstance(one, float))
    return None


def _months(shown: Column) -> Column | None:
    """First days of months of one year as the months they stand for."""
    days = [str(one) for one in shown]
    if all(re.fullmatch(r"\d{4}-\d\d-01", one) for one in days) and len({d[:4] for d in days}) == 1:
        return tuple(float(one[5:7]) for one in days)
    return None


def _numbers(shown: Column, wanted: Column) -> Column | None:
    if not all(isinstance(one, float) for one in wanted if one is not None):
        return None
    try:
        return tuple(None if one is None else float(one) for one in shown)
    except ValueError:
        return None


def _cell_fits(gold: Cell, told: Cell) -> bool:
    if not isinstance(gold, float) or not isinstance(told, float):
        return gold == told
    if gold == told or (math.isnan(gold) and math.isnan(told)):
        return True
    if gold.is_integer() and told.is_integer():
        return False
    digits = len(f"{told:.10g}".partition(".")[2])
    rounded = digits >= ROUNDED_DIGITS and abs(gold - told) <= 0.5 * 10**-digits + 1e-12
    return rounded or math.isclose(gold, told, rel_tol=NEAR)


def _sort_key(row: Sequence[Cell]) -> tuple[Any, ...]:
    """Words before figures, so that figures that were rounded move no row."""
    words = tuple(one or "" for one in row if not isinstance(one, float))
    return (words, tuple(one for one in row if isinstance(one, float)))


def _columns(rows: Sequence[Row]) -> list[Column]:
    return [tuple(map(_cell, column)) for column in zip(*rows, strict=True)]


def _cell(value: Any) -> Cell:
    if value is None:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float | Decimal):
        return float(value)
    if isinstance(value, datetime | date):
        return value.isoformat()[:19].removesuffix("T00:00:00")
    text = str(value).strip()
    if re.fullmatch(r"\d{4}-\d\d", text):
        return f"{text}-01"
    return text.lower() if text.lower() in {"true", "false"} else text
