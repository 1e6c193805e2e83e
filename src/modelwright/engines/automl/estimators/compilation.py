"""Fitted members and their weights into one model."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from modelwright.engines.automl.estimators.estimator import CompiledModel
from modelwright.engines.automl.estimators.forest_builder import join
from modelwright.engines.automl.planning.load_columns import Frame
from modelwright_runtime.additive import Additive
from modelwright_runtime.columns import Features
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.forest import Forest
from modelwright_runtime.model import Model
from modelwright_runtime.objective import Objective

Forests = tuple[Forest | None, Sequence[Forest]]
"""The forest whose leaves are added, and those that are averaged."""


def compile_model(
    goal: Objective, encoder: Encoder, members: Sequence[tuple[float, CompiledModel]]
) -> tuple[Model, Forests]:
    """Joins weighted members; also gives the forests that the graphs were written from."""
    base = np.sum([weight * member.base for weight, member in members], axis=0)
    grown = [member.sums.scaled(weight) for weight, member in members if member.sums]
    added = join(grown) if grown else None
    means = [(weight, member.means) for weight, member in members if member.means]
    linear = [member.additive.scaled(weight) for weight, member in members if member.additive]
    networks = tuple(one.network.scaled(weight) for weight, one in members if one.network)
    bias = np.asarray(base, dtype=np.float64)
    others = merge(linear) if linear else None, networks
    model = Model.of(goal, encoder, bias, (added, means), others)
    return model, (added, [forest for _, forest in means])


def merge(parts: Sequence[Additive]) -> Additive:
    """Adds additive models over the same features into one, on the union of their knots."""
    first = parts[0]
    if len(parts) == 1:
        return first
    knots = [
        np.unique(np.concatenate([part.knots[feature, : part.counts[feature]] for part in parts]))
        for feature in range(len(first.smooth))
    ]
    counts = np.array([len(one) for one in knots], dtype=np.int64)
    padded = np.full((len(knots), max([2, *counts])), np.inf)
    for row, one in zip(padded, knots, strict=True):
        row[: len(one)] = one
    starts = np.concatenate([[0], np.cumsum(counts + 1)]).astype(np.int64)
    shift = int(starts[-1]) - _levels_at(first)
    weights = np.sum([_moved(part, knots) for part in parts], axis=0)
    return Additive(
        weights, np.sum([part.bias for part in parts], axis=0), first.smooth, padded, counts,
        starts[:-1], first.level, first.level_at + shift, first.terms_at + shift,
    )  # fmt: skip


def _levels_at(part: Additive) -> int:
    return int((part.counts + 1).sum())


def _moved(part: Additive, knots: Sequence[np.ndarray]) -> np.ndarray:
    """Reads a part's functions at other knots; levels and terms follow unchanged."""
    rows = []
    for feature, wanted in enumerate(knots):
        at, count = part.smooth_at[feature], part.counts[feature]
        own, values = part.knots[feature, :count], part.weights[at : at + count]
        rows.append(np.stack([np.interp(wanted, own, one) for one in values.T], axis=1))
        rows.append(part.weights[at + count : at + count + 1])
    return np.concatenate([*rows, part.weights[_levels_at(part) :]])


CENTRE_ROWS = 2000
"""Rows that the mean of the additive part is taken over."""


def centre_of(model: Model, features: Features, frame: Frame) -> dict[str, Any]:
    """Returns the mean of the additive parts and of each text's terms over training rows."""
    if model.additive is None:
        return {}
    rows = np.unique(np.linspace(0, len(features) - 1, CENTRE_ROWS).astype(np.intp))
    terms = [
        model.terms(column, first, frame[column.name].values[rows].tolist()).mean(axis=0).tolist()
        for column, first in model.texts()
    ]
    return {"parts": model.additive.parts(features[rows]).mean(axis=0).tolist(), "terms": terms}
