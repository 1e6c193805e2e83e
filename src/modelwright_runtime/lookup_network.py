"""A network laid out for one row: all that it reads of a value that it knows is one row of a table.

A number of few values is read scaled, as a score and by one input a value; the sum of what these
weigh is kept for each value. Runs in the API process on numpy.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan

import numpy as np

from modelwright_runtime.network import Network, only
from modelwright_runtime.objective import Floats

MAX_VALUES = 4000
"""Values of all features at most; a model knows no more than a thousand."""


@dataclass(frozen=True, slots=True)
class LookupNetwork:
    """A network, one of the inputs that are left, and a table (values, hidden and outputs).

    `values` gives of each feature that is in the table the row of each value, and that of a gap,
    which is None there.
    """

    network: Network
    rest: Network
    values: tuple[tuple[int, dict[float | None, int]], ...]
    table: Floats

    @classmethod
    def of(cls, network: Network) -> "Network | LookupNetwork":
        """Lays out a network that knows values; raw predictions stay the same but for rounding.

        Args:
            network: The network.

        Returns:
            The network with tables, or as it is where it knows no values or too many.
        """
        inputs = network.inputs
        if not 0 < len(inputs.stepped) * inputs.steps.shape[1] <= MAX_VALUES:
            return network
        owner = inputs.owners()
        values, tables, first = [], [], 0
        for feature, steps in zip(inputs.stepped.tolist(), inputs.steps, strict=True):
            known = [*steps[np.isfinite(steps)].tolist(), None]
            values.append((feature, {one: first + at for at, one in enumerate(known)}))
            first += len(known)
            tables.append(_weighed(only(network, owner == feature), known))
        rest = only(network, ~np.isin(owner, inputs.stepped))
        return cls(network, rest, tuple(values), np.concatenate(tables))

    def raw_prediction(self, features: Floats) -> Floats:
        """Returns the raw prediction of encoded rows, shape (n, width).

        Args:
            features: Encoded rows, shape (n, features).

        Returns:
            Raw predictions, float64.
        """
        if len(features) > 1:
            return self.network.raw_prediction(features)
        row = features[0].tolist()
        values = [
            (None if isnan(row[feature]) else row[feature], known) for feature, known in self.values
        ]
        places = [known.get(value, -1) for value, known in values]
        if -1 in places:
            return self.network.raw_prediction(features)
        return self.rest.from_sums(
            self.rest.raw(features) + self.table.take(places, axis=0).sum(axis=0)
        )


def _weighed(network: Network, values: Sequence[float | None]) -> Floats:
    """Returns what values of the one feature that a network reads add.

    (values, hidden and outputs).
    """
    inputs = network.inputs
    features = {name: getattr(inputs, name) * 0 for name in ("smooth", "level", "stepped")}
    alone = replace(network, inputs=replace(inputs, **features))
    return alone.raw(np.array(values, dtype=np.float64)[:, None])
