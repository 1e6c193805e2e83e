"""Returns which numbers, such as -999, may stand for none."""

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from modelwright.engines.automl.planning.load_columns import full_numbers
from modelwright.engines.profiling.sentinels import Sentinel, sure_sentinels

MAX_NAMED_COLUMNS = 3
"""Of more columns with the same placeholder, so many are named."""
Found = tuple[str, Sentinel, float]
"""A column, its placeholder, and the share of the rows that have it."""


def placeholders(names: Iterable[str], sample: pa.Table, target: str) -> list[str]:
    """Looks for them in the columns of these names, those without numbers left aside.

    Says them of each column, or once where several columns that are learnt from have the same.

    Args:
        names: Columns that are learnt from.
        sample: Some rows.
        target: The column to predict.

    Returns:
        Sentences.
    """
    found: dict[tuple[float, bool], list[Found]] = {}
    for name in names:
        kind = sample[name].type
        if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
            continue
        values = full_numbers(sample[name])
        for one in sure_sentinels(values[np.isfinite(values)]):
            alike = found.setdefault((one.value, name == target), [])
            alike.append((name, one, one.count / len(values)))
    return [_said(some, predicted=is_target) for (_, is_target), some in found.items()]


def _said(found: Sequence[Found], *, predicted: bool) -> str:
    [(name, one, share), *others] = found
    verb = "are" if others else "is"
    if others:
        names = [name for name, _, _ in found]
        more = len(names) - MAX_NAMED_COLUMNS
        last = [f"{more} more"] if more > 0 else [names.pop()]
        name = f"{', '.join(names[:MAX_NAMED_COLUMNS])} and {last[0]}"
        most = max(share for _, _, share in found)
        where = f"up to {most:.1%} of the rows looked at, far from all others"
    else:
        where = f"{share:.1%} of the rows looked at, far from the next value {one.next:.15g}"
    use = "predicted" if predicted else "learnt from"
    return (
        f"{name} {verb} {one.value:.15g} in {where}, and {verb} {use} as that number. If it stands"
        " for a missing value, empty these cells and upload the table again."
    )
