"""Rows on their way through a component, and how it answers them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from modelwright_runtime.columns import Features
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.forest import Forest, Ints
from modelwright_runtime.objective import Floats, Objective
from modelwright_runtime.onnx_export import compared

NUMBER_BYTES = 8
"""Bytes of a number of 64 bits."""


class EncodedRows:
    """Encoded rows on their way through the components of a model."""

    __slots__ = ("_compared", "features")

    def __init__(self, features: Floats) -> None:
        self.features = features
        """Shape (n, features)."""
        self._compared: dict[str, Floats] | None = None

    def compared(self) -> dict[str, Floats]:
        """Returns what graphs of trees read of the rows, made once for all of them.

        Returns:
            Inputs of the graphs by their names.
        """
        if self._compared is None:
            self._compared = {"x": compared(self.features)}
        return self._compared


@dataclass(frozen=True, slots=True)
class ExplainedRows:
    """Rows whose raw predictions are shared out among columns."""

    features: Features
    """The encoded rows, shape (n, features)."""
    texts: Callable[[str], Sequence[Any]]
    """Gives the values of a column by its name, one for each row."""
    goal: Objective
    encoder: Encoder
    owners: Ints
    """The column that each feature is of, shape (features,)."""
    count: int
    """The number of columns, those that some columns tell together among them."""


@dataclass(frozen=True, slots=True)
class Evaluator:
    """How a component answers, laid out for single rows or for batches."""

    add: Callable[[EncodedRows, Floats], None]
    """Adds its raw prediction of rows to a total, shape (n, outputs), in place.

    In place, because the order of additions decides the last bit.
    """
    bytes_a_row: int = 0
    """The memory that a row takes on its way, in bytes: it bounds how many go together."""
    is_compared: bool = False
    """Whether it reads `EncodedRows.compared`, whose memory components share."""
    walked: Sequence[Forest] = ()
    """The trees that rows are walked through: batches are put in an order that suits them."""
