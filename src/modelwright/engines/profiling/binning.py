"""Where the ordinary values of a column end, and the steps that an axis is divided by."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FAR_OUT_FENCE = 3.0
"""Interquartile ranges beyond the quartiles: Tukey's fence for values that are far out."""
N_BINS = 24
"""About so many bins does a histogram have: more tell a reader nothing."""
EDGE_DECIMALS = 12
"""Decimals to which edges are rounded; finer steps are left as they are."""
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
"""Steps that people count in, of one power of ten."""


@dataclass(frozen=True, slots=True)
class Fences:
    """Values below `low` or above `high` are far out."""

    low: float
    high: float


def fences(first: float, median: float, third: float, least: float) -> Fences | None:
    """Sets the fences by the quartiles; None where the middle half is one value.

    Where nothing is negative a value must also be far out on a logarithmic scale (`log(1 + v /
    median)`): the long tail of incomes or distances is no set of outliers.

    Args:
        first: The first quartile.
        median: The median.
        third: The third quartile.
        least: The smallest value.

    Returns:
        The fences (Tukey 1977, with 3 interquartile ranges), or None.
    """
    spread = third - first
    if spread <= 0 or not math.isfinite(spread):
        return None
    low, high = first - FAR_OUT_FENCE * spread, third + FAR_OUT_FENCE * spread
    if least >= 0 and median > 0:
        near, far = math.log1p(first / median), math.log1p(third / median)
        high = max(high, median * math.expm1(min(far + FAR_OUT_FENCE * (far - near), 700.0)))
        low = min(low, median * math.expm1(near - FAR_OUT_FENCE * (far - near)))
    return Fences(low, high)


def _step_of(low: float, high: float, *, whole: bool) -> float:
    """Returns a round step that divides a range into about `N_BINS` parts; 1 at least for wholes.

    Args:
        low: Where the range begins.
        high: Where it ends.
        whole: Whether the values are whole numbers.

    Returns:
        The step, in the unit of the values.
    """
    width = (high - low) / N_BINS
    if width <= 0 or not math.isfinite(width):
        return 1.0 if whole else max(abs(low) / N_BINS, 1e-9)
    scale = 10.0 ** math.floor(math.log10(width))
    step = next(step * scale for step in _STEPS if width <= step * scale * 1.0001)
    if whole:
        return max(1.0, float(math.ceil(step)))
    return step


def edges_of(low: float, high: float, *, whole: bool) -> NDArray[np.float64]:
    """Returns the round edges of a range's bins; none where it is too wide to divide.

    Args:
        low: Where the range begins.
        high: Where it ends.
        whole: Whether the values are whole numbers.

    Returns:
        Edges in rising order, shape (bins + 1,), the first at or below `low`.
    """
    step = _step_of(low, high, whole=whole)
    if not (step and math.isfinite(step) and math.isfinite(4 * (high - low))):
        return np.zeros(0)
    # 3 * 0.1 is more than 0.3, which would then stand with 0.2 in one bin.
    digits = max(0, 2 - math.floor(math.log10(step)))
    places = np.arange(math.floor(low / step) - 1, math.floor(high / step) + 3)
    edges = np.round(places * step, digits) if digits <= EDGE_DECIMALS else places * step
    first = np.searchsorted(edges, low, side="right") - 1
    return np.asarray(edges[first : np.searchsorted(edges, high, side="right") + 1])
