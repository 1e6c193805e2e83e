"""A network laid out for batches: all that it reads of a category is one row of a table.

The level, the scores and the steps of a category follow from its code, so the sum of their weights
is kept for each code; categories of few levels share a table. Runs in the API process on numpy.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from modelwright_runtime.columns import CategoryColumn
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.forest import Ints
from modelwright_runtime.network import CHUNK_ROWS, Network, only
from modelwright_runtime.objective import Floats

MAX_TABLE_ROWS = 256
"""Rows at most of a table that categories share: it is to stay in the processor's cache."""


@dataclass(frozen=True, slots=True)
class FoldedNetwork:
    """A network of the inputs that are left, and tables (rows, hidden and outputs) of the others.

    The features `codes` hold the codes; `codes @ strides` gives a row of each table.
    """

    rest: Network
    codes: Ints
    strides: Ints
    tables: tuple[Floats, ...]

    @classmethod
    def of(cls, network: Network, encoder: Encoder) -> "FoldedNetwork":
        """Lays out a network over an encoder's features.

        Raw predictions stay the same but for rounding.

        Args:
            network: The network.
            encoder: What makes features of rows.

        Returns:
            The network with a table for each group of categories.
        """
        owner, left = network.inputs.owners(), np.ones(network.inputs.width, dtype=np.bool_)
        found: list[tuple[int, Floats]] = []
        for first, table in _categories(encoder):
            own = (owner >= first) & (owner < first + table.shape[1])
            if own.any():
                features = np.zeros((len(table), encoder.width))
                features[:, first : first + table.shape[1]] = table
                found.append((first, (network.inputs.of(features) * own) @ network.weights[:-1]))
                left &= ~own
        groups = _grouped([len(table) for _, table in found])
        strides, tables = np.zeros((len(found), len(groups)), dtype=np.int64), []
        for place, group in enumerate(groups):
            joint = np.zeros((1, network.weights.shape[1]))
            for one in group:
                table = found[one][1]
                strides[group, place] *= len(table)
                strides[one, place] = 1
                joint = (joint[:, None] + table).reshape(-1, joint.shape[1])
            tables.append(joint)
        codes = np.array([first for first, _ in found], dtype=np.int64)
        return cls(only(network, left), codes, strides, tuple(tables))

    def raw_prediction(self, features: Floats) -> Floats:
        """Returns the raw prediction of encoded rows, shape (n, width).

        Args:
            features: Encoded rows, shape (n, features).

        Returns:
            Raw predictions, float64.
        """
        places = (features.take(self.codes, axis=1).astype(np.int64) @ self.strides).T.copy()
        found = []
        for at in range(0, len(features), CHUNK_ROWS):
            raw = self.rest.raw(features[at : at + CHUNK_ROWS])
            for table, rows in zip(self.tables, places, strict=True):
                raw += table.take(rows[at : at + CHUNK_ROWS], axis=0)
            found.append(self.rest.from_sums(raw))
        return np.concatenate(found)


def _categories(encoder: Encoder) -> Iterator[tuple[int, Floats]]:
    """Returns where each category's features begin.

    And its table where the first one is the row.
    """
    at = 0
    for column in encoder.parts():
        if isinstance(column, CategoryColumn):
            table = column.table.astype(np.float64)
            if (table[:, 0] == np.arange(len(table))).all():
                yield at, table
        at += column.width


def _grouped(sizes: list[int]) -> list[list[int]]:
    """Puts sizes, by their places, into few groups of a product of at most `MAX_TABLE_ROWS`."""
    groups: list[list[int]] = []
    products: list[int] = []
    for place in np.argsort(sizes)[::-1].tolist():
        fit = [
            at for at, product in enumerate(products) if product * sizes[place] <= MAX_TABLE_ROWS
        ]
        if fit:
            best = max(fit, key=products.__getitem__)
            groups[best].append(place)
            products[best] *= sizes[place]
        else:
            groups.append([place])
            products.append(sizes[place])
    return groups
