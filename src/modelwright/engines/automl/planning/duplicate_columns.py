"""Columns that say the same as another, value by value or in other words, as codes and names do."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from modelwright.engines.automl.planning.load_columns import Kind
from modelwright.engines.automl.planning.plan import BINARY_CLASSES
from modelwright.engines.facts import ColumnFacts

MIN_ROWS = 20
"""Words are compared in more rows than this."""
MIN_REPEATS = 2
"""Each word stands in so many of them on average."""


class DuplicateColumns:
    """The columns that are learnt from, by the facts that twins share."""

    def __init__(self, whole: pa.Table, sample: pa.Table) -> None:
        self.whole, self.sample = whole, sample
        self.kept: dict[tuple[Any, ...], list[str]] = {}

    def keep(self, facts: ColumnFacts, kind: Kind) -> None:
        """Takes note of a column that is learnt from.

        Args:
            facts: What is known of the column.
            kind: How it is read.
        """
        for shape in self._shapes(facts, kind):
            self.kept.setdefault(shape, []).append(facts.name)

    def reason(self, facts: ColumnFacts, kind: Kind) -> str | None:
        """Says of which column noted before this one is a twin, if of any.

        Args:
            facts: What is known of the column.
            kind: How it is read.

        Returns:
            A reason to leave it out, or None.
        """
        same, *told = (self.kept.get(shape, ()) for shape in self._shapes(facts, kind))
        for other in same:
            equal = pc.equal(self.whole[facts.name], self.whole[other])
            if pc.all(pc.fill_null(equal, True)).as_py():
                return f"it is the same as {other} in every row"
        for other in told[0] if told else ():
            if np.array_equal(_codes(self.whole[facts.name]), _codes(self.whole[other])):
                return f"its values stand for those of {other}, one for one"
        return None

    def _shapes(self, facts: ColumnFacts, kind: Kind) -> list[tuple[Any, ...]]:
        """Returns what columns have in common that are the same, and those that say the same.

        The latter only of words and of two values, which are read alike whatever they are.
        """
        pattern = hash(_codes(self.sample[facts.name]).tobytes())
        counts = facts.missing, facts.distinct, pattern
        shapes: list[tuple[Any, ...]] = [(facts.type, facts.minimum, facts.maximum, *counts)]
        read_alike = facts.distinct == BINARY_CLASSES or kind == "category"
        if read_alike and facts.rows > max(MIN_ROWS, MIN_REPEATS * facts.distinct):
            shapes.append(counts)
        return shapes


def _codes(column: pa.ChunkedArray) -> NDArray[np.int32]:
    """Numbers values by where they first come."""
    coded = pc.dictionary_encode(column.combine_chunks(), null_encoding="encode")
    return np.asarray(coded.indices.to_numpy(zero_copy_only=False), np.int32)
