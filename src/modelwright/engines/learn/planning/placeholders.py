"""Says which numbers, such as -999, may stand for none."""

from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from modelwright.engines.learn.planning.reading import full_numbers
from modelwright.engines.profile.sentinels import sure_sentinels


def placeholders(names: Iterable[str], sample: pa.Table, target: str) -> list[str]:
    """Looks for them in the columns of these names, those without numbers left aside."""
    said = []
    for name in names:
        kind = sample[name].type
        if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
            continue
        values = full_numbers(sample[name])
        for one in sure_sentinels(values[np.isfinite(values)]):
            share = one.count / len(values)
            read = "is predicted" if name == target else "is learnt from"
            said.append(
                f"{name} is {one.value:.15g} in {share:.1%} of the rows looked at, far from the"
                f" next value {one.next:.15g}, and {read} as that number. If it stands for a"
                " missing value, empty these cells and upload the table again."
            )
    return said
