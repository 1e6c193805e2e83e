"""Subjects that stand in many rows: held-out rows of those seen are easier than new ones.

They are told by the data alone (`repeated_subjects`), whatever a column is called.
"""

import math
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from modelwright.engines.automl.planning.repeated_subjects import (
    MIN_SUBJECTS,
    intraclass,
    stands_for_subjects,
    usual_size,
)
from modelwright.engines.facts import ColumnFacts
from modelwright_runtime.forest import Ints
from modelwright_runtime.objective import Floats, Task

_MAX_CLASSES = 20
"""Classes of a target that are looked at."""
_MIN_ROWS_PER_SUBJECT = 2
"""Rows that a subject has on average at least."""
_MAX_LOOKED_AT = 6
"""Columns that are looked at, those first whose rows are most alike in the target."""
_MIN_INTRACLASS_CORRELATION = 0.5
"""Rows of a subject are alike from this intraclass correlation on."""
_FAINTLY_ALIKE = 0.2
"""From this one on where it is `_STANDARD_ERRORS` above zero."""
_STANDARD_ERRORS = 4.0
"""Standard errors that a faint correlation must exceed."""


def subject_column(
    target: ColumnFacts, task: Task, offered: Sequence[ColumnFacts], whole: pa.Table
) -> str | None:
    """Finds the subjects whose rows are most alike in the target, if there are any.

    Args:
        target: The column to predict.
        task: binary, multiclass or regression.
        offered: The columns that may be learnt from.
        whole: All rows.

    Returns:
        The name of the column of these subjects.
    """
    known = whole.filter(pc.is_valid(whole[target.name]))
    if not known.num_rows:
        return None
    ys = _numbers(known[target.name], task)
    alike = {one.name: _alike(one, known, ys) for one in offered if _repeats(one)}
    likely = [one for one in offered if alike.get(one.name, 0.0) > 0]
    for one in sorted(likely, key=lambda one: -alike[one.name])[:_MAX_LOOKED_AT]:
        others = [other for other in offered if other is not one]
        if stands_for_subjects(one, others, known, ys):
            return one.name
    return None


def ask_for_groups(name: str, target: str) -> str:
    """Says that rows of the same subject are alike, and what is to be asked for.

    Args:
        name: The column of subjects.
        target: The column to predict.

    Returns:
        One sentence.
    """
    return (
        f"Rows with the same {name} are alike in {target}; if the model is to predict rows of"
        f" a new {name}, its metrics on rows held out at random are too good: ask for"
        f' `split` {{"by": "group", "column": "{name}"}}.'
    )


def _alike(facts: ColumnFacts, known: pa.Table, ys: Floats) -> float:
    """Returns how alike rows of one value are in the target; 0 where chance may make them so."""
    codes = _codes(known[facts.name])
    found = intraclass(codes, ys)
    return 0.0 if found < _FAINTLY_ALIKE or found < _least(codes) else found


def _repeats(facts: ColumnFacts) -> bool:
    there = facts.rows - facts.missing
    kept = facts.type in {"string", "integer"}
    return (
        kept and facts.distinct >= MIN_SUBJECTS and there >= _MIN_ROWS_PER_SUBJECT * facts.distinct
    )


def _codes(column: pa.ChunkedArray) -> Ints:
    coded = pc.dictionary_encode(column.combine_chunks(), null_encoding="encode").indices
    return np.asarray(coded.to_numpy(zero_copy_only=False), np.int64)


def _numbers(column: pa.ChunkedArray, task: Task) -> Floats:
    """Returns the target as columns: itself, or a 0 or 1 for each of the first classes."""
    if task == "regression":
        return np.asarray(pc.cast(column, pa.float64()).to_numpy(), np.float64)[:, None]
    codes = _codes(column)
    classes = np.arange(min(int(codes.max()) + 1, _MAX_CLASSES))
    return np.asarray(codes[:, None] == classes, np.float64)


def _least(groups: Ints) -> float:
    """Returns the correlation from which on it is said, by its standard error without any."""
    sizes = np.bincount(groups)
    usual = usual_size(sizes)
    error = math.sqrt(2 / (usual * (usual - 1) * len(sizes)))
    return min(_MIN_INTRACLASS_CORRELATION, max(_FAINTLY_ALIKE, _STANDARD_ERRORS * error))
