"""The encoded rows of a fold, as every family of models sees them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime.columns import CategoryColumn, Features, Simple
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.geo_features import ANGLES
from modelwright_runtime.objective import Floats, Objective

Rows = NDArray[np.intp]
READING_US = {"number": 0.2, "amount": 1.5, "category": 0.4, "date": 3.5, "text": 8.0}
"""Microseconds in which one value of a kind of column is read."""
CHARACTER_US = 0.045
"""Microseconds that each character of a text takes to be read."""
PLACE_US = 2.0
"""Microseconds that two columns of degrees take together."""


@dataclass(frozen=True, slots=True)
class FoldData:
    """Encoded rows as one fold sees them."""

    goal: Objective
    encoder: Encoder
    kinds: tuple[str, ...]
    features: Features
    terms: Any
    """Sparse tf-idf weights (rows, terms of all text columns), None without text."""
    target: Floats
    """Class numbers, or values on the scale of raw predictions."""
    y: Floats
    """Class numbers, or values of the target."""
    seed: int
    threads: int
    later: tuple[int, ...] = ()
    """The feature of time, where rows to be predicted are later than those that are learnt from."""
    weights: Floats | None = None
    """How much each row counts, shape (n,), their mean being 1; None where all count alike."""

    def features_except(self, *kinds: str) -> list[int]:
        """Returns the features that are of none of these kinds.

        Args:
            *kinds: Kinds of features, such as `code`.

        Returns:
            Numbers of features.
        """
        return [feature for feature, kind in enumerate(self.kinds) if kind not in kinds]

    def chosen(
        self, settings: Mapping[str, Any], excluded: tuple[str, ...]
    ) -> tuple[dict[str, Any], list[int]]:
        """Returns a library's own settings, and the features that its `exclude` leaves.

        Args:
            settings: The settings of a candidate.
            excluded: The kinds of features that are left out where `exclude` is not among them.

        Returns:
            Settings without `exclude`, and numbers of features.
        """
        own = dict(settings)
        return own, self.features_except(*own.pop("exclude", excluded))

    def weights_of(self, rows: Rows) -> Floats | None:
        """Returns how much these rows count, None where all count alike.

        Args:
            rows: Numbers of rows.

        Returns:
            Weights, shape (rows,), or None.
        """
        return None if self.weights is None else self.weights[rows]

    def placed(self) -> Iterator[tuple[int, Simple]]:
        """Yields the columns, each with its first feature.

        Yields:
            The number of a feature, and the column that it is made of.
        """
        at = 0
        for column in self.encoder.parts():
            yield at, column
            at += column.width

    def reading(self) -> float:
        """Estimates the microseconds in which a row alone is read into features.

        Returns:
            Microseconds.
        """
        cost = PLACE_US * self.encoder.located / len(ANGLES)
        for at, column in self.placed():
            cost += READING_US[column.kind]
            if column.kind == "text":
                cost += CHARACTER_US * float(self.features[:, at].mean())
        return cost

    def some(self, rows: Rows, features: list[int]) -> Features:
        """Returns these features of these rows.

        Args:
            rows: Numbers of rows.
            features: Numbers of features.

        Returns:
            Shape (rows, features).
        """
        return self.features[np.ix_(rows, np.array(features, dtype=np.intp))]


def feature_kinds(encoder: Encoder, statistics: int) -> tuple[str, ...]:
    """Names what each feature holds: number, date, text, code, hot, statistic, duration or place.

    Args:
        encoder: What makes features of rows.
        statistics: Target statistics that a category has.

    Returns:
        A kind for each feature.
    """
    kinds: list[str] = []
    for column in encoder.parts():
        if isinstance(column, CategoryColumn) and column.width > 1:
            hot = column.width - 1 - statistics
            kinds += ["code", *["hot"] * hot, *["statistic"] * statistics]
        else:
            kinds += [column.kind if column.kind != "category" else "level"] * column.width
    return (*kinds, *["duration"] * len(encoder.durations), *["place"] * encoder.located)
