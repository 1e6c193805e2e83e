"""The baseline as a member: the same answer for every row, which every other model has to beat."""

import numpy as np

from modelwright.engines.automl.estimators.estimator import FitRequest
from modelwright.engines.automl.estimators.family import Family, register
from modelwright.engines.automl.estimators.fitted_model import CompiledModel, FittedModel, Latency
from modelwright_runtime.objective import Floats


def fit_baseline(request: FitRequest) -> FittedModel:
    """Takes the class shares, drawn a little to even odds, or the mean of the target.

    Args:
        request: What to fit, and until when.

    Returns:
        The fitted model.
    """
    data, train = request.data, request.train
    goal, target, weights = data.goal, data.target[train], data.weights_of(train)
    base: Floats
    if goal.task == "regression":
        base = np.array([np.average(target, weights=weights)])
    else:
        counts = np.bincount(target.astype(np.intp), weights, minlength=goal.classes) + 1.0
        base = goal.link((counts / counts.sum())[None])[0]
    return FittedModel(
        1, lambda rows: np.tile(base, (len(rows), 1)), lambda: CompiledModel(base), Latency(0, 0)
    )


register(Family("Constant", fit_baseline))
