"""A member that learns what straight lines leave over, and goes on along them beyond what was seen.

Trees and bent functions answer for a later time as for the latest one they have seen.
"""

from dataclasses import replace

import numpy as np

from modelwright.engines.automl.estimators.additive_model import PENALTIES, STRAIGHT, fit_linear
from modelwright.engines.automl.estimators.compilation import merge
from modelwright.engines.automl.estimators.estimator import (
    Compiled,
    Cost,
    Family,
    Fitted,
    Material,
    Rows,
    Settings,
    Stop,
)
from modelwright_runtime.objective import Scale

FAR = 1.0
"""Lines go on by this multiple of the range that was seen."""
STEPS = 31
"""Seasonal lines read each value by itself where there are no more, as of months and hours."""
LINES = {"knots": STRAIGHT, "reach": FAR}
SEASONAL = {**LINES, "steps": STEPS}
PENALTY = PENALTIES.index(0.3) + 1


def fit_over_lines(
    family: Family,
    over: Settings,
    material: Material,
    train: Rows,
    valid: Rows | None,
    rounds: int | None,
    stop: Stop,
    settings: Settings,
) -> Fitted:
    """Fits lines with settings of their own to a numeric target, the family to what they leave."""
    lines = fit_linear(material, train, None, PENALTY, stop, over)
    rest = material.target - lines.link(np.arange(len(material.target)))[:, 0]
    goal = replace(material.goal, scale=Scale())
    left = replace(material, goal=goal, target=rest, truth=rest)
    fitted = family(left, train, valid, rounds, stop, settings)
    return Fitted(
        fitted.rounds,
        lambda rows: lines.link(rows) + fitted.link(rows),
        lambda: _joined(lines.compiled(), fitted.compiled()),
        Cost.total([lines.cost, fitted.cost]),
    )


def _joined(lines: Compiled, other: Compiled) -> Compiled:
    parts = [one.additive for one in (lines, other) if one.additive]
    return replace(other, base=lines.base + other.base, additive=merge(parts))
