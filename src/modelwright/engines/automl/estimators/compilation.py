"""Fitted members and their weights into one model."""

from collections.abc import Sequence

import numpy as np

from modelwright.engines.automl.estimators.fitted_model import CompiledModel
from modelwright.engines.automl.planning.load_columns import Frame
from modelwright_runtime.columns import Features
from modelwright_runtime.components import merged
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.model import Model
from modelwright_runtime.objective import Objective

CENTRE_ROWS = 2000
"""Rows that the means which explanations start from are taken over."""


def compile_model(
    goal: Objective, encoder: Encoder, members: Sequence[tuple[float, CompiledModel]]
) -> Model:
    """Joins members into one model.

    Args:
        goal: The task.
        encoder: What made the features that the members learnt from.
        members: Fitted members, each with its weight in the blend.

    Returns:
        The model, whose raw prediction is the weighted sum of theirs.
    """
    base = np.sum([weight * member.base for weight, member in members], axis=0)
    components = [one.scaled(weight) for weight, member in members for one in member.components]
    return Model.of(goal, encoder, np.asarray(base, dtype=np.float64), merged(components))


def centred(model: Model, features: Features, frame: Frame) -> Model:
    """Returns a model with the means that its explanations start from.

    Args:
        model: The model.
        features: The encoded rows of training, shape (n, features).
        frame: The same rows as they were read.

    Returns:
        A copy.
    """
    rows = np.unique(np.linspace(0, len(features) - 1, CENTRE_ROWS).astype(np.intp))
    return model.centred(features[rows], lambda name: frame[name].values[rows].tolist())
