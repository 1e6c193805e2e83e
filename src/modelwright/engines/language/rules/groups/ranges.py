"""How wide the ranges are that numbers are counted in."""

import math
from itertools import accumulate

from modelwright.engines.facts import ColumnFacts

_RANGES = 12
"""How many ranges the values are counted in, but for the outermost."""
_MOST_RANGES = 100
"""How many there may be with the outermost."""
_TAIL_SHARE = 0.01
"""Which share of the rows is outermost at each end."""


def width_of(facts: ColumnFacts) -> float:
    """Returns a round width: twelve ranges hold the values but for the outermost hundredths.

    Those count where all values are known; in all there are at most about a hundred ranges.
    """
    low, high = facts.minimum, facts.maximum
    if not isinstance(low, int | float) or not isinstance(high, int | float) or high <= low:
        return 1.0
    first, last = _inner(facts, low, high)
    raw = max((last - first) / _RANGES, (high - low) / _MOST_RANGES)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(one for one in (1, 2, 2.5, 5, 10) if raw <= one * power)
    return float(f"{step * power:.6g}")


def _inner(facts: ColumnFacts, low: float, high: float) -> tuple[float, float]:
    held = sorted((one, count) for one, count in facts.top if isinstance(one, int | float))
    sums = list(accumulate(count for _, count in held))
    if not sums or sums[-1] < facts.rows - facts.missing:
        return low, high
    tail = _TAIL_SHARE * sums[-1]
    places = list(zip(held, sums, strict=True))
    first = next(one for (one, _), upto in places if upto > tail)
    last = next(one for (one, _), upto in places if upto >= sums[-1] - tail)
    return first, last
