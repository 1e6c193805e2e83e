"""What each column held in training: the range of numbers, the values of categories."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from modelwright.engines.automl.planning.load_columns import Frame, RawColumn
from modelwright_runtime.columns import Column

MOST_VALUES = 100
"""Values of a category that are kept, the most frequent first; more make no list to choose from."""


def input_domains(
    columns: Iterable[Column], frame: Frame, units: Mapping[str, str]
) -> dict[str, dict[str, Any]]:
    """Describes the training values of the columns that a model takes.

    Args:
        columns: The columns of the model.
        frame: The training rows, by column.
        units: Units by the names of columns, where they are known.

    Returns:
        By column whether it is `required`, its `unit` if it has one, and `low` and `high` of
        numbers, or `values`.
    """
    return {
        column.name: {
            "required": not column.gaps,
            **({"unit": units[column.name]} if column.name in units else {}),
            **_held(frame[column.name]),
        }
        for column in columns
        if column.name in frame
    }


def _held(raw: RawColumn) -> dict[str, Any]:
    if raw.kind == "category":
        counts = np.bincount(raw.values + 1, minlength=len(raw.levels) + 1)[1:]
        order = np.argsort(-counts, kind="stable")[:MOST_VALUES]
        return {"values": [raw.levels[place] for place in order if counts[place]]}
    if raw.kind != "number":
        return {}
    known = raw.values[~np.isnan(raw.values)]
    return {"low": float(known.min()), "high": float(known.max())} if len(known) else {}
