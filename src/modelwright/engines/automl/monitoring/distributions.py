"""How each column and the prediction were distributed in training, to tell later drift from."""

from typing import Any

import numpy as np

from modelwright.engines.automl.planning.load_columns import Frame, RawColumn
from modelwright_runtime.columns import MAX_NUMBER
from modelwright_runtime.date_parsing import NO_DATE
from modelwright_runtime.objective import Floats

N_BINS = 10
"""Bins of a number column: deciles, as the population stability index is usually taken."""
MAX_LEVELS = 30
"""Levels of a category that are counted apart; the others are counted together."""


def distributions(frame: Frame) -> dict[str, dict[str, Any]]:
    """Returns for each column its bins or levels with their shares of the rows.

    Args:
        frame: Columns by their name, n rows.

    Returns:
        By column what `Bins.of` reads.
    """
    return {name: _of(raw) for name, raw in frame.items()}


def binned(values: Floats) -> dict[str, Any]:
    """Returns inner edges at the deciles and the share of values between them; NaN is missing.

    Args:
        values: Numbers, shape (n,), NaN where missing.

    Returns:
        `edges` (at most nine), `shares` (one more) and the share that is `missing`.
    """
    known = values[~np.isnan(values)]
    if not len(known):
        return {"kind": "number", "edges": [], "shares": [], "missing": 1.0}
    edges = np.unique(np.quantile(known, np.linspace(0, 1, N_BINS + 1)[1:-1]))
    counts = np.bincount(np.searchsorted(edges, known, side="right"), minlength=len(edges) + 1)
    return {
        "kind": "number",
        "edges": edges.tolist(),
        "shares": (counts / len(values)).tolist(),
        "missing": 1 - len(known) / len(values),
    }


def _of(raw: RawColumn) -> dict[str, Any]:
    """Returns how the values of a column are distributed, in the form of its kind."""
    if raw.kind == "number":
        cut = np.clip(raw.values, -MAX_NUMBER, MAX_NUMBER).astype(np.float32)
        told = binned(cut.astype(np.float64))
        return told | {"written": raw.written} if raw.written else told
    if raw.kind == "date":
        seconds = np.where(raw.values == NO_DATE, np.nan, raw.values / 1e6)
        return binned(seconds) | {"kind": "date", "order": raw.order}
    if raw.kind == "text":
        lengths = np.array([len(text) for text in raw.values], dtype=np.float64)
        return binned(lengths) | {"kind": "text"}
    counts = np.bincount(raw.values + 1, minlength=len(raw.levels) + 1)
    order = np.argsort(-counts[1:], kind="stable")[:MAX_LEVELS]
    total = max(len(raw.values), 1)
    levels = {raw.levels[place]: float(counts[1 + place] / total) for place in order}
    missing = float(counts[0] / total)
    return {
        "kind": "category",
        "levels": levels,
        "other": max(0.0, 1 - missing - sum(levels.values())),
        "missing": missing,
    }
