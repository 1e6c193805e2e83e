"""Permutation importance of the raw columns on held-out rows (Breiman 2001; Fisher et al. 2019).

Importances of the single learners are not comparable, and a blend has none of its own; shuffling
asks the model that is served.
"""

import time

import numpy as np

from modelwright.engines.automl.estimators.fold_data import FoldData, Rows
from modelwright_runtime.columns import TextColumn
from modelwright_runtime.model import Model
from modelwright_runtime.objective import Floats

SAMPLES = 50, 200, 2000
"""Rows on which columns are shuffled, first few, then more as time allows."""


def importance(model: Model, fold_data: FoldData, rows: Rows, until: float) -> dict[str, float]:
    """Returns each column's share of the loss that shuffling columns adds.

    The model must not have seen the rows. Measured on a few rows first, then on more; what could
    not be measured for every column before `until` does not count, and {} is what is left of none.

    Args:
        model: The model.
        fold_data: The rows as a fold sees them.
        rows: Numbers of held-out rows.
        until: Seconds of the monotonic clock.

    Returns:
        Shares by column, 1 together.
    """
    maker = np.random.default_rng(fold_data.seed)
    rows = rows[maker.permutation(len(rows))]
    found: dict[str, float] = {}
    for size in SAMPLES:
        few = rows[:size]
        lost = _lost(model, fold_data, few, few[maker.permutation(len(few))], until)
        if len(lost) < len(model.encoder.columns):
            break
        found = lost
    total = sum(found.values()) or 1.0
    return {name: one / total for name, one in found.items()}


def _lost(
    model: Model, fold_data: FoldData, rows: Rows, shuffled: Rows, until: float
) -> dict[str, float]:
    """Returns the loss that each column's shuffling adds, of as many as there is time for."""
    features, y = fold_data.features[rows], fold_data.y[rows]
    terms = _terms(model, fold_data)
    owners = np.array(model.encoder.owners())
    base = model.goal.loss(model.raw_prediction(features) + _added(terms, rows), y)
    lost: dict[str, float] = {}
    for place, column in enumerate(model.encoder.columns):
        if time.monotonic() >= until:
            break
        mixed = features.copy()
        own = np.flatnonzero(owners == place)
        mixed[:, own] = fold_data.features[np.ix_(shuffled, own)]
        model.encoder.locate(mixed)
        told = {
            name: part[shuffled if name == column.name else rows] for name, part in terms.items()
        }
        raw_prediction = model.raw_prediction(mixed) + sum(told.values(), start=np.zeros(1))
        lost[column.name] = max(0.0, model.goal.loss(raw_prediction, y) - base)
    return lost


def _terms(model: Model, fold_data: FoldData) -> dict[str, Floats]:
    """Returns what the terms of each text column add to every row of the data."""
    found: dict[str, Floats] = {}
    places = _first_terms(model)
    for column, weights in model.texts:
        first = places[column.name]
        added = np.asarray(fold_data.terms[:, first : first + len(weights)] @ weights)
        found[column.name] = found[column.name] + added if column.name in found else added
    return found


def _first_terms(model: Model) -> dict[str, int]:
    """Returns where the terms of each text column begin among those of all."""
    found, first = {}, 0
    for column in model.encoder.columns:
        if isinstance(column, TextColumn):
            found[column.name] = first
            first += len(column.words.index)
    return found


def _added(terms: dict[str, Floats], rows: Rows) -> Floats:
    return sum((part[rows] for part in terms.values()), start=np.zeros(1))
