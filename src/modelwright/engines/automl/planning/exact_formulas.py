"""Finds that a numeric target is reckoned from two columns: a price times a quantity, say."""

from collections.abc import Callable, Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from modelwright.engines.automl.planning.load_columns import full_numbers
from modelwright_runtime.columns import MAX_NUMBER
from modelwright_runtime.objective import Floats

OF: dict[str, Callable[[Floats, Floats], Floats]] = {
    "plus": np.add,
    "minus": np.subtract,
    "times": np.multiply,
    "divided by": np.divide,
}
MAX_COLUMNS = 300
"""Columns that are looked at."""
MIN_ROWS = 30
"""Rows that a formula is held against at least."""
SCREENING_ROWS = 16
"""Rows that rule most pairs of columns out."""
MAX_DISTANCE = 1e-3
"""Every row must be as close, in distances between the quarters of the target."""
RELATIVE_TOLERANCE = 1e-6
"""Relative distance at which two numbers are the same."""


def formulas(names: Iterable[str], sample: pa.Table, target: str) -> list[str]:
    """Says of which two columns the target is the sum, difference, product or ratio.

    Or a fixed multiple of it, as a percentage or a mean of two is. Dates count as seconds.

    Args:
        names: Columns that are learnt from.
        sample: Some rows.
        target: The column to predict, numbers.

    Returns:
        One sentence, or none.
    """
    y = full_numbers(sample[target])
    columns = {one: values for one in names if (values := _numbers(sample[one])) is not None}
    columns.pop(target, None)
    some = list(columns)[:MAX_COLUMNS]
    known = np.flatnonzero(np.isfinite(y))
    if len(known) < MIN_ROWS or len(some) < 2:  # noqa: PLR2004 - a pair
        return []
    values, y = np.stack([columns[one] for one in some], axis=1)[known], y[known]
    found = _exact(values, y)
    if found is None:
        return []
    word, one, other, factor = found
    formula = f"{some[one]} {word} {some[other]}"
    if abs(factor - 1) > RELATIVE_TOLERANCE:
        formula = f"{factor:.6g} times ({formula})"
    said = (
        f"{target} is {formula} in every row looked at: they may be written down after the outcome."
        " If they are, leave them out by input_schema, or the metrics are too good; if not, it"
        " can be reckoned without a model."
    )
    return [said]


def _numbers(column: pa.ChunkedArray) -> Floats | None:
    kind = column.type
    if pa.types.is_temporal(kind):
        column = pc.cast(pc.cast(column, pa.timestamp("us"), safe=False), pa.int64())
        return full_numbers(column) / 1e6
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind)
    if not (is_number or pa.types.is_decimal(kind)):
        return None
    return np.clip(full_numbers(column), -MAX_NUMBER, MAX_NUMBER)


def _exact(values: Floats, y: Floats) -> tuple[str, int, int, float] | None:
    """Returns an operation, the numbers of two columns and a factor that give the target."""
    low, high = np.quantile(y, [0.25, 0.75])
    near = MAX_DISTANCE * (high - low)
    if not near:
        return None
    spread = np.linspace(0, len(y) - 1, SCREENING_ROWS).astype(np.intp)
    first = np.argsort(y, kind="stable")[spread]
    with np.errstate(all="ignore"):
        for word, of in OF.items():
            for one in range(values.shape[1]):
                pairs = of(values[first, one, None], values[first])
                for other in np.flatnonzero(_fits(pairs, y[first], near) > 0):
                    whole = of(values[:, one], values[:, other])[:, None]
                    [factor] = _fits(whole, y, near)
                    if factor > 0:
                        return word, one, int(other), float(factor)
    return None


def _fits(given: Floats, y: Floats, near: float) -> Floats:
    """Returns the multiple of each column that is the target in every row, 0 where none is."""
    factors = (given * y[:, None]).sum(axis=0) / (given * given).sum(axis=0)
    fits = (np.abs(y[:, None] - factors * given) <= near).all(axis=0)
    return np.where(fits, factors, 0.0)
