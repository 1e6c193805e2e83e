"""Finds columns that tell the target: learnt on one half, tried on the other.

A column that is only known after the outcome makes metrics that no prediction will ever reach.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from modelwright.engines.automl.planning.load_columns import full_numbers
from modelwright_runtime.columns import MAX_NUMBER
from modelwright_runtime.objective import Floats, Task
from modelwright_runtime.predictor import spelt

MIN_ROWS = 100
"""Rows below which a share told of held-out rows is mostly chance."""
N_BINS = 200
"""Quantile bins of a number column: enough for a threshold to be found, few enough to be learnt
from."""
MUCH_OF_CLASSES = 0.9
"""A column that alone tells a larger share of the classes' information is warned of."""
MUCH_OF_NUMBERS = 0.95
"""A column that alone explains a larger share of the variance of a number is warned of."""
LEAKAGE_SHARE = 0.995
"""A column that tells a larger share of the target is left out."""
EXACT_CORRELATION = 0.9999
"""From this correlation on a number is the target written in another unit."""
BY_CHANCE = -9
"""The power of ten that chance must lie below."""
ORDER_PARTS = 20
"""Rows in order are cut into so many parts of equal size."""
ORDER_SHARE = 0.05
"""The means of these parts must explain this share of the target's variance."""
MAX_COLUMNS_TOGETHER = 3
"""So many columns at most are looked at together for giving the class."""
ROWS_PER_MEETING = 20
"""Rows for each combination of the values of such columns."""
FEW_VALUES = 20
"""A column of no more values may part a number into ranges; words of more name what rows are of,
such as countries, and tell much before the outcome."""


def share_told(column: pa.ChunkedArray, target: pa.ChunkedArray, task: Task) -> float:
    """Returns the share of the target that the column alone gives on rows it was not learnt from.

    Above `LEAKAGE_SHARE` it gives the target as if it were written from it; 0 where rows are few.

    Args:
        column: A column, n rows.
        target: The target, n rows.
        task: binary, multiclass or regression.

    Returns:
        0 to 1.
    """
    there = pc.is_valid(target)
    column, target = column.filter(there), target.filter(there)
    if len(column) < MIN_ROWS:
        return 0.0
    if task == "regression":
        return _told_of_number(column, full_numbers(target))
    y = _codes(target)
    given = pc.is_valid(column).to_numpy().astype(np.intp)
    by_gaps = _lift(given, y) if column.null_count else 0.0
    return max(_lift(_bins(column), y), by_gaps)


def known_after(
    name: str, target: str, sample: pa.Table, task: Task, share: float, *, is_subject: bool = False
) -> list[str]:
    """Says what a column tells of the target that may be known only after the outcome.

    Args:
        name: The column.
        target: The column to predict.
        sample: Some rows.
        task: binary, multiclass or regression.
        share: What `share_told` gave of the column.
        is_subject: Whether rows of one value are of one subject, which are alike anyhow.

    Returns:
        One sentence, or none.
    """
    column, y = sample[name], sample[target]
    numeric = task == "regression"
    if not numeric and (only := _filled_for(column, y)) is not None:
        finding = f"{name} has values only where {target} is {spelt(only)}"
    elif numeric and _parts(column, y):
        finding = f"{name} parts {target} into ranges that do not overlap"
    elif share > (MUCH_OF_NUMBERS if numeric else MUCH_OF_CLASSES) and not (
        is_subject or (numeric and _names(column))
    ):
        finding = (
            f"{name} alone tells {share:.1%} of {target}, on rows that this was not learnt from"
        )
    else:
        return []
    return [_written_after(finding, "it")]


def _names(column: pa.ChunkedArray) -> bool:
    """Returns whether a column names what rows are of, whose numbers are alike."""
    return not _numeric(column) and len(pc.unique(column)) > FEW_VALUES


def _parts(column: pa.ChunkedArray, target: pa.ChunkedArray) -> bool:
    """Returns whether each of a few values has a range of the target of its own."""
    there = pc.and_(pc.is_valid(column), pc.is_valid(target))
    codes, y = _codes(column.filter(there)), full_numbers(target.filter(there))
    sizes = np.sort(np.bincount(codes))
    if not 1 < len(sizes) <= FEW_VALUES or sizes[-2] < ROWS_PER_MEETING or len(y) < MIN_ROWS:
        return False
    low, high = np.full(len(sizes), np.inf), np.full(len(sizes), -np.inf)
    np.minimum.at(low, codes, y)
    np.maximum.at(high, codes, y)
    order = np.argsort(low)
    return bool((high[order[:-1]] < low[order[1:]]).all())


def told_together(names: Sequence[str], sample: pa.Table, target: str) -> list[str]:
    """Returns which two or three columns give the class together in every row.

    Args:
        names: Columns that are learnt from.
        sample: Some rows.
        target: The column to predict, classes.

    Returns:
        One sentence, or none.
    """
    sample = sample.filter(pc.is_valid(sample[target]))
    y = _codes(sample[target])
    columns = {name: _codes(sample[name]) for name in names}
    chosen: list[str] = []
    groups, wrong = np.zeros(len(y), dtype=np.intp), 1
    while columns and wrong and len(chosen) < MAX_COLUMNS_TOGETHER:
        met = {one: _numbered(groups, codes) for one, codes in columns.items()}
        lost = {one: _wrong(codes, y) for one, codes in met.items()}
        chosen.append(min(lost, key=lost.__getitem__))
        groups, wrong = met[chosen[-1]], lost[chosen[-1]]
        del columns[chosen[-1]]
    if (
        wrong
        or len(chosen) == 1
        or len(y) < max(MIN_ROWS, ROWS_PER_MEETING * (int(groups.max()) + 1))
    ):
        return []
    finding = (
        f"{', '.join(chosen[:-1])} and {chosen[-1]} together give {target} in every row looked at"
    )
    return [_written_after(finding, "they")]


def _written_after(finding: str, it: str) -> str:
    are, them = ("is", "it") if it == "it" else ("are", "them")
    return (
        f"{finding}: {it} may be written down after the outcome. If {it} {are}, leave {them} out by"
        " input_schema, or the metrics are too good."
    )


def _numbered(groups: NDArray[np.intp], codes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Numbers the pairs that meet."""
    pairs = groups * (int(codes.max(initial=0)) + 1) + codes
    return np.asarray(np.unique(pairs, return_inverse=True)[1])


def _wrong(groups: NDArray[np.intp], y: NDArray[np.intp]) -> int:
    """Counts the rows that are not of the commonest class of their group."""
    cells, counts = np.unique(groups * (int(y.max()) + 1) + y, return_counts=True)
    most = np.zeros(int(groups.max()) + 1, dtype=np.intp)
    np.maximum.at(most, cells // (int(y.max()) + 1), counts)
    return len(y) - int(most.sum())


def _filled_for(column: pa.ChunkedArray, target: pa.ChunkedArray) -> Any:
    """Returns the class that alone has values in a column with gaps.

    None where chance may do so.

    Args:
        column: A column, n rows.
        target: Classes, n rows.

    Returns:
        The class, or None.
    """
    targets = target.filter(pc.and_(pc.is_valid(target), pc.is_valid(column)))
    classes = pc.unique(targets).to_pylist()
    if not column.null_count or len(classes) != 1:
        return None
    share = pc.sum(pc.equal(target, classes[0])).as_py() / (len(target) - target.null_count)
    return classes[0] if len(targets) * math.log10(share) < BY_CHANCE else None


def order_tells(column: pa.ChunkedArray, target: pa.ChunkedArray, task: Task) -> bool:
    """Returns whether rows in the order of the column's numbers come with alike targets.

    Args:
        column: Numbers, n rows.
        target: The target, n rows.
        task: binary, multiclass or regression.

    Returns:
        Whether the mean of the target differs along the order.
    """
    y = _in_order(column, target, task)
    if len(y) < ORDER_PARTS * ORDER_PARTS:
        return False
    part = np.arange(len(y)) * ORDER_PARTS // len(y)
    halves = np.random.default_rng(0).permutation(len(y)) % 2 == 0
    left = whole = 0.0
    for half in (halves, ~halves):
        sums = np.bincount(part[half], y[half], ORDER_PARTS)
        means = sums / np.maximum(np.bincount(part[half], minlength=ORDER_PARTS), 1)
        left += float(((y[~half] - means[part[~half]]) ** 2).sum())
        whole += float(((y[~half] - y[half].mean()) ** 2).sum())
    return left < (1 - ORDER_SHARE) * whole


def neighbours_tell(column: pa.ChunkedArray, target: pa.ChunkedArray, task: Task) -> bool:
    """Returns whether rows next to each other by the column's numbers come with alike targets.

    Args:
        column: Numbers, n rows.
        target: The target, n rows.
        task: binary, multiclass or regression.

    Returns:
        Whether the autocorrelation is above chance.
    """
    y = _in_order(column, target, task)
    apart = y - y.mean()
    return bool(apart[1:] @ apart[:-1] > 4 * len(y) ** 0.5 * y.var())


def _in_order(column: pa.ChunkedArray, target: pa.ChunkedArray, task: Task) -> Floats:
    """Returns the target, or whether it is the commonest class, in the order of the numbers."""
    there = pc.is_valid(target)
    column, target = column.filter(there), target.filter(there)
    if task == "regression":
        y = full_numbers(target)
    else:
        codes = _codes(target)
        y = (codes == np.bincount(codes).argmax()).astype(float)
    return y[np.argsort(full_numbers(column))]


def _told_of_number(column: pa.ChunkedArray, y: Floats) -> float:
    """Returns a share of the variance, above `LEAKAGE_SHARE` only where numbers are the same."""
    known = np.zeros(0, dtype=bool)
    if _numeric(column):
        values = _cut(column)
        known = ~np.isnan(values)
    straight = 0.0
    if known.sum() >= MIN_ROWS and values[known].std() and y[known].std():
        straight = abs(float(np.corrcoef(values[known], y[known])[0, 1]))
        ranked = float(np.corrcoef(_ranks(values[known]), _ranks(y[known]))[0, 1])
        if max(straight, abs(ranked)) > EXACT_CORRELATION:
            return 1.0
    whole = straight**2 if known.all() else 0.0
    return min(LEAKAGE_SHARE, max(whole, _explained(_bins(column), y)))


def _explained(bins: NDArray[np.intp], y: Floats) -> float:
    """Returns how much of the variance goes away by the means of bins.

    Both halves taken in turn.
    """
    halves = np.random.default_rng(0).permutation(len(y)) % 2 == 0
    size = int(bins.max()) + 1
    left = 0.0
    for half in (halves, ~halves):
        counts = np.bincount(bins[half], minlength=size)
        sums = np.bincount(bins[half], y[half], size)
        means = np.where(counts > 0, sums / np.maximum(counts, 1), y[half].mean())
        left += float(((y[~half] - means[bins[~half]]) ** 2).sum())
    return 1 - left / max(float(((y - y.mean()) ** 2).sum()), 1e-300)


def _ranks(values: Floats) -> Floats:
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - counts / 2)[place])


def _numeric(column: pa.ChunkedArray) -> bool:
    kind = column.type
    return bool(
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    )


def _cut(column: pa.ChunkedArray) -> Floats:
    return np.clip(full_numbers(column), -MAX_NUMBER, MAX_NUMBER)


def _codes(column: pa.ChunkedArray) -> NDArray[np.intp]:
    coded = pc.dictionary_encode(pc.cast(column, pa.string()), null_encoding="encode")
    whole = pa.chunked_array([coded]) if isinstance(coded, pa.Array) else coded
    return np.asarray(whole.combine_chunks().indices.to_numpy(), dtype=np.intp)


def _bins(column: pa.ChunkedArray) -> NDArray[np.intp]:
    if not _numeric(column):
        return _codes(column)
    values = _cut(column)
    known = values[~np.isnan(values)]
    if len(np.unique(known)) <= N_BINS:
        return np.unique(values, return_inverse=True)[1]
    edges = np.unique(np.quantile(known, np.linspace(0, 1, N_BINS)))
    return np.searchsorted(edges, np.nan_to_num(values, nan=np.inf))


def _lift(bins: NDArray[np.intp], y: NDArray[np.intp]) -> float:
    """Returns how much of the error of the commonest class goes away, both halves taken in turn."""
    halves = np.random.default_rng(0).permutation(len(y)) % 2 == 0
    classes = int(y.max()) + 1
    commonest = int(np.bincount(y).argmax())
    hit = 0
    for half in (halves, ~halves):
        cells = bins[half] * classes + y[half]
        seen = np.bincount(cells, minlength=(int(bins.max()) + 1) * classes).reshape(-1, classes)
        guess = np.where(seen.sum(axis=1) > 0, seen.argmax(axis=1), commonest)
        hit += int((guess[bins[~half]] == y[~half]).sum())
    base = float((y == commonest).mean())
    return (hit / len(y) - base) / max(1 - base, 1e-12)
