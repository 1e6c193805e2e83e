"""Subjects that stand in many rows: held-out rows of those seen are easier than new ones.

They are told by their measures, or by a name: a subject that repeats nothing but the target looks
like a kind that tells of it, so that no data can part the two.
"""

import math
import re
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from modelwright.engines.facts import ColumnFacts
from modelwright_runtime.objective import Task

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_NAMED = re.compile(
    r"(?i:(^|[_\W])(id|uuid|guid|subj(ect)?|patient|person|user|customer|client|participant"
    r"|respondent|animal|member|student|pupil|household|family|machine|device|sensor)s?\W*$)"
    r"|(?<=[a-z])(Id|ID)$"
)
_MIN_SUBJECTS = 20
"""Subjects of which there must be so many at least."""
_MIN_ROWS_PER_SUBJECT = 2
"""Rows that a subject has on average at least."""
_MIN_MEASURES = 2
"""Columns of numbers that tell whether rows are of one subject, at least."""
_MAX_MEASURES = 20
"""Columns of numbers that are looked at."""
_SAME_MEASURE = 0.8
"""From this intraclass correlation on, a number is nearly the same in all rows of a subject."""
_MIN_INTRACLASS_CORRELATION = 0.5
"""Rows of a subject are alike from this intraclass correlation on."""
_FAINTLY_ALIKE = 0.2
"""From this one on where it is `_STANDARD_ERRORS` above zero."""
_STANDARD_ERRORS = 4.0
"""Standard errors that a faint correlation must exceed."""


def subjects(
    target: ColumnFacts, task: Task, offered: Sequence[ColumnFacts], whole: pa.Table
) -> tuple[str, ...]:
    """Warns of the column by whose values rows are most alike in the target, if they are.

    Args:
        target: The column to predict.
        task: binary, multiclass or regression.
        offered: The columns that may be learnt from.
        whole: All rows.

    Returns:
        One sentence, or none.
    """
    known = whole.filter(pc.is_valid(whole[target.name]))
    if not known.num_rows:
        return ()
    ys = _numbers(known[target.name], task)
    alike = {
        one.name: intraclass(_codes(known[one.name]), ys)
        for one in offered
        if _repeats(one) and (names_subjects(one.name) or _repeats_measures(one, offered, known))
    }
    name = max(alike, key=alike.__getitem__, default=None)
    if name is None or alike[name] < _FAINTLY_ALIKE or alike[name] < _least(_codes(known[name])):
        return ()
    said = (
        f"Rows with the same {name} are alike in {target.name}; if the model is to predict rows of"
        f" a new {name}, its metrics on rows held out at random are too good: ask for"
        f' `split` {{"by": "group", "column": "{name}"}}.'
    )
    return (said,)


def _repeats_measures(facts: ColumnFacts, offered: Sequence[ColumnFacts], known: pa.Table) -> bool:
    """Returns whether the numbers of rows with one value are mostly alike, as of one subject.

    A kind, such as a colour, tells little of the other columns; rows of one patient, match or
    machine have nearly the same of most of them.
    """
    numbers = [
        one.name
        for one in offered
        if one.name != facts.name and one.type == "float" and one.distinct > _MIN_SUBJECTS
    ][:_MAX_MEASURES]
    if len(numbers) < _MIN_MEASURES:
        return False
    groups = _codes(known[facts.name])
    alike = 0
    for name in numbers:
        values = np.nan_to_num(pc.cast(known[name], pa.float64()).to_numpy(), posinf=0, neginf=0)
        alike += intraclass(groups, values[:, None]) > _SAME_MEASURE
    return alike > len(numbers) / 2


def names_subjects(name: str) -> bool:
    """Returns whether a column is called as what tells subjects apart.

    Args:
        name: Name of a column.

    Returns:
        Whether it reads as `patient_id` does.
    """
    return _NAMED.search(name) is not None


def _repeats(facts: ColumnFacts) -> bool:
    there = facts.rows - facts.missing
    kept = facts.type in {"string", "integer"}
    return (
        kept and facts.distinct >= _MIN_SUBJECTS and there >= _MIN_ROWS_PER_SUBJECT * facts.distinct
    )


def _codes(column: pa.ChunkedArray) -> Ints:
    coded = pc.dictionary_encode(column.combine_chunks(), null_encoding="encode").indices
    return np.asarray(coded.to_numpy(zero_copy_only=False), np.int64)


def _numbers(column: pa.ChunkedArray, task: Task) -> Floats:
    """Returns the target as columns: itself, or a 0 or 1 for each of the first classes."""
    if task == "regression":
        return np.asarray(pc.cast(column, pa.float64()).to_numpy(), np.float64)[:, None]
    codes = _codes(column)
    classes = np.arange(min(int(codes.max()) + 1, _MIN_SUBJECTS))
    return np.asarray(codes[:, None] == classes, np.float64)


def _least(groups: Ints) -> float:
    """Returns the correlation from which on it is said, by its standard error without any."""
    sizes = np.bincount(groups)
    usual = _usual(sizes)
    error = math.sqrt(2 / (usual * (usual - 1) * len(sizes)))
    return min(_MIN_INTRACLASS_CORRELATION, max(_FAINTLY_ALIKE, _STANDARD_ERRORS * error))


def _usual(sizes: Ints) -> float:
    """Returns the size of a group that stands for unlike ones."""
    rows, many = int(sizes.sum()), np.count_nonzero(sizes)
    return float(rows - (sizes**2).sum() / rows) / (many - 1)


def intraclass(groups: Ints, values: Floats) -> float:
    """Returns the intraclass correlation of one-way analysis of variance (Shrout and Fleiss, 1979).

    `groups` holds a code for each row, `values` has the shape (rows, columns), whose squares are
    summed. 0 is chance, 1 is rows of a group wholly alike.

    Args:
        groups: A code for each row, shape (n,).
        values: Shape (n, columns).

    Returns:
        At most 1.
    """
    sizes = np.bincount(groups)
    many, rows = np.count_nonzero(sizes), len(groups)
    if many in (1, rows):
        return 0.0
    centred = values - values.mean(axis=0)
    sums = [np.bincount(groups, column) for column in centred.T]
    between = sum(float((total**2 / np.maximum(sizes, 1)).sum()) for total in sums)
    within = max(float((centred**2).sum()) - between, 0.0) / (rows - many)
    usual = _usual(sizes)
    spread = between / (many - 1)
    whole = spread + (usual - 1) * within
    return (spread - within) / whole if whole > 0 else 0.0
