"""Every result that is as right as the gold's."""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Any

import duckdb
from sqlglot import exp, parse_one

MOST_TIES = 500
"""Ways in which rows that tie at a limit may be picked."""


def golds(sql: str, store: duckdb.DuckDBPyConnection) -> Iterator[Sequence[Sequence[Any]]]:
    """Gives the gold's result, then those in which rows that tie at its limit are other ones."""
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
