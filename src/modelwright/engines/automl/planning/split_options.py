"""What a request says of how rows are held out, how they count, and when a class is said.

Metrics are only as honest as the rows held out: what a request says of them is checked before
anything is learnt.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from modelwright.engines.automl.planning.data_checks import ColumnChecks
from modelwright.engines.automl.planning.load_columns import (
    full_numbers,
    raw_column,
    read_table,
    target_values,
)
from modelwright.engines.automl.planning.plan import (
    BuildOptions,
    ExcludedColumn,
    PlanError,
    find_column,
)
from modelwright.engines.automl.planning.target_selection import TargetChoice
from modelwright.engines.automl.planning.time_order import latest, moments
from modelwright.engines.facts import ColumnFacts
from modelwright_runtime.date_parsing import ORDERS
from modelwright_runtime.number_parsing import FORMS
from modelwright_runtime.objective import Floats, Task
from modelwright_runtime.text_keys import folded

HOLDOUT_WORDS = frozenset({"test", "testing", "holdout", "hold-out", "held out", "heldout"})
"""What a column of the user's own calls the rows that are held out, in small letters."""
HOLDOUT_PARTS = 6
"""One row in so many is held out."""
MAX_HOLDOUT_ROWS = 20_000
"""Rows that are held out at most."""
MIN_ROWS_LEARNT = 20
"""Rows that are learnt from at least."""
MIN_GROUPS = 8
"""Groups that rows are of at least, so that some can be held out and others judged on."""


@dataclass(frozen=True, slots=True)
class Split:
    """How rows are held out, with the sentence that says so."""

    by: str
    said: str
    column: str | None = None
    later_by: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ThresholdDecision:
    """From which probability on the positive class is said."""

    threshold: float | None = None
    costs: Mapping[str, float] | None = None
    reasons: tuple[str, ...] = ()


def set_aside(
    facts: Sequence[ColumnFacts], target: ColumnFacts, options: BuildOptions
) -> dict[str, ExcludedColumn]:
    """Finds the columns that say something of rows and are not learnt from.

    Args:
        facts: All columns of the table.
        target: The column to predict.
        options: What the request says.

    Returns:
        By name the columns of weights, of groups and of the user's own split, with the reason.

    Raises:
        PlanError: There is no such column, it is the target, or does not fit its use.
    """
    found = {}
    if options.sample_weight is not None:
        column = _other(facts, target, options.sample_weight, "sample_weight")
        low = column.minimum
        if column.type not in {"integer", "float"} or not isinstance(low, int | float) or low < 0:
            raise PlanError(
                f"The weights in `{column.name}` must be numbers that are not negative. Name a"
                " column of such, or leave `sample_weight` out.",
                field="sample_weight",
            )
        found[column.name] = ExcludedColumn(column.name, "it says how much each row counts")
    by, name = _asked(options)
    if by == "time" and name is not None:
        _other(facts, target, name, "split")
    if by == "group":
        column = _other(facts, target, _named(name, by), "split")
        _refuse_few_groups(column.name, column.distinct)
        found[column.name] = ExcludedColumn(column.name, "rows are held out by its groups")
    if by == "column":
        column = _other(facts, target, _named(name, by), "split")
        if not any(holds_out(value) for value, _ in column.top):
            raise PlanError(
                f"No value of `{column.name}` says which rows are held out. Write `test` there for"
                " those, and `train` for the others, or leave `split` out.",
                field="split",
            )
        found[column.name] = ExcludedColumn(column.name, "it says which rows are held out")
    return found


def uncounted(
    tables: Sequence[Path],
    chosen: TargetChoice,
    name: str | None,
    split: Split,
    found: ColumnChecks,
) -> tuple[str, ...]:
    """Looks at the weights of the rows whose target is known.

    Args:
        tables: Parquet files, one after the other.
        chosen: The column to predict.
        name: The column of weights, if there is one.
        split: How rows are held out.
        found: What was found of the columns that are learnt from.

    Returns:
        A sentence about rows that do not count, or none.

    Raises:
        PlanError: No row counts, of all, of those held out or of the others.
    """
    if name is None:
        return ()
    beside = [split.column] if split.by == "column" and split.column else split.later_by
    rows = _known(tables, chosen, [name, *beside])
    said, held = _uncounted(rows, name), None
    if split.by == "column":
        held = np.array([holds_out(one) for one in rows[beside[0]].to_pylist()], dtype=np.bool_)
    if split.by == "time":
        held = latest(_moments(rows, split.later_by, found), holdout_parts(rows.num_rows))
    if held is not None:
        refuse_uncounted_side(name, full_numbers(rows[name]), held)
    return said


def refuse_uncounted_side(name: str, weights: Floats, held: NDArray[np.bool_]) -> None:
    """Refuses weights by which no row that is held out counts, or none that is learnt from.

    Args:
        name: The column of weights.
        weights: How much each row counts, shape (n,); not a number where that is not known.
        held: Which rows are held out, shape (n,).

    Raises:
        PlanError: One side does not count.
    """
    for rows, side in ((held, "are held out"), (~held, "are learnt from")):
        if not np.nansum(weights[rows]) > 0:
            raise PlanError(
                f"No row counts of those that {side}: their weights in `{name}` are 0 or missing."
                " Give some of them a weight, name another `split`, or leave `sample_weight` out.",
                field="sample_weight",
            )


def holdout_parts(rows: int) -> int:
    """Returns of how many rows one is held out.

    Args:
        rows: How many rows there are.

    Returns:
        At least `HOLDOUT_PARTS`, more of more rows than the metrics need.
    """
    return max(HOLDOUT_PARTS, -(-rows // MAX_HOLDOUT_ROWS))


def refuse_few_rows(name: str, marked: int, rows: int) -> None:
    """Refuses a column that holds out no row, or leaves too few to learn from.

    Args:
        name: The column of the user's own.
        marked: Rows that it holds out.
        rows: Rows that have a target.

    Raises:
        PlanError: There are too few.
    """
    if not marked or rows - marked < MIN_ROWS_LEARNT:
        raise PlanError(
            f"`{name}` holds out {marked} of {rows} rows that have a target; at least 1, and"
            f" {MIN_ROWS_LEARNT} to learn from are needed. Write `test` there for other rows, or"
            " leave `split` out.",
            field="split",
        )


def refuse_few_earlier_rows(later_by: Sequence[str], times: Floats) -> None:
    """Refuses times by which too few rows are before those that are held out.

    Of a table so short that any split leaves fewer than `MIN_ROWS_LEARNT`, as few are enough.

    Args:
        later_by: The columns that tell the times.
        times: When each row was that has a target, shape (n,); minus infinity where not known.

    Raises:
        PlanError: There are too few.
    """
    earlier, least = _earlier(times), _least_earlier(len(times))
    if earlier < least:
        listed = " and ".join(f"`{one}`" for one in later_by)
        raise PlanError(
            f"By {listed}, {earlier} of {len(times)} rows that have a target are before the latest,"
            f" which are held out; at least {least} to learn from are needed. Name another column"
            " of times, or leave `split` out.",
            field="split",
        )


def _earlier(times: Floats) -> int:
    """Counts the rows of known moments that are not held out."""
    known = np.isfinite(times)
    return int((known & ~latest(times, holdout_parts(len(times)))).sum()) if len(times) else 0


def _least_earlier(rows: int) -> int:
    return min(MIN_ROWS_LEARNT, rows - -(-rows // HOLDOUT_PARTS))


def _known(tables: Sequence[Path], chosen: TargetChoice, names: Sequence[str]) -> pa.Table:
    """Reads columns of the rows whose target is known."""
    target = chosen.facts.name
    rows = read_table(tables, [*dict.fromkeys([target, *names])])
    answers = target_values(rows[target], chosen.form, chosen.spellings)
    return rows.filter(pc.is_valid(answers))


def _times(
    tables: Sequence[Path], chosen: TargetChoice, later_by: Sequence[str], found: ColumnChecks
) -> Floats:
    return _moments(_known(tables, chosen, later_by), later_by, found)


def _moments(rows: pa.Table, later_by: Sequence[str], found: ColumnChecks) -> Floats:
    return moments({one: raw_column(rows[one], found.kinds[one]) for one in later_by}, later_by)


def _refuse_few_groups(name: str, many: int) -> None:
    if many < MIN_GROUPS:
        raise PlanError(
            f"`{name}` has {many} groups, and a split by group needs {MIN_GROUPS} at least. Name a"
            " column of more groups, or leave `split` out.",
            field="split",
        )


def _uncounted(rows: pa.Table, name: str) -> tuple[str, ...]:
    """Says how many rows have no weight; refuses weights that say nothing."""
    weights = full_numbers(rows[name])
    if np.isinf(weights).any():
        raise PlanError(
            f"Some weights in `{name}` are endless. Write a finite number there, or leave"
            " `sample_weight` out.",
            field="sample_weight",
        )
    if not np.nansum(weights) > 0:
        raise PlanError(
            f"No row counts: all weights in `{name}` are 0 or missing. Name a column of others, or"
            " leave `sample_weight` out.",
            field="sample_weight",
        )
    missing = int(np.isnan(weights).sum())
    if not missing:
        return ()
    lack = "1 row has" if missing == 1 else f"{missing:,} rows have"
    return (f"{lack} no weight in `{name}`: without one a row does not count.",)


def holds_out(value: object) -> bool:
    """Returns whether a value of a column of the user's own marks rows that are held out.

    Args:
        value: A value of the column that `split` names.

    Returns:
        True for a boolean True and for words such as `test`.
    """
    return value is True or (isinstance(value, str) and folded(value) in HOLDOUT_WORDS)


def settle_split(
    tables: Sequence[Path],
    chosen: TargetChoice,
    options: BuildOptions,
    features: Sequence[str],
    found: ColumnChecks,
) -> Split:
    """Settles how rows are held out: as the request says, else by time or at random.

    Args:
        tables: Parquet files, one after the other.
        chosen: The column to predict.
        options: What the request says.
        features: The columns that are learnt from.
        found: What was found of these columns.

    Returns:
        The split, and the sentences that say why.

    Raises:
        PlanError: The rows can't be split as is asked.
    """
    by, name = _asked(options)
    if by == "time":
        later = _time(name, features, found)
        refuse_few_earlier_rows(later, _times(tables, chosen, later, found))
        return _by_time(later)
    if by == "group" and name:
        _refuse_few_groups(name, len(pc.unique(_known(tables, chosen, [name])[name])))
        said = f"random, all rows of one {name} on the same side"
        return Split("group", said, name, reasons=(f"Rows are held out by {name}, as is asked.",))
    if by == "column" and name:
        marks = _known(tables, chosen, [name])[name].to_pylist()
        refuse_few_rows(name, sum(map(holds_out, marks)), len(marks))
        said = f"the rows that {name} marks"
        return Split("column", said, name, reasons=(f"Rows are held out as {name} says.",))
    is_number = chosen.task == "regression"
    if by is None and is_number and found.ordered_by:
        times = _times(tables, chosen, found.ordered_by, found)
        if _earlier(times) >= _least_earlier(len(times)):
            return _by_time(found.ordered_by)
    dealt = "dealt evenly over the range of the target" if is_number else "stratified by class"
    return Split("random", f"random, {dealt}")


def _by_time(later: tuple[str, ...]) -> Split:
    return Split("time", f"the latest rows by {' and '.join(later)}", later_by=later)


def too_good(split: Split, ordered_by: Sequence[str]) -> list[str]:
    """Says that rows in the order of time are held out at random.

    Args:
        split: How rows are held out.
        ordered_by: The columns in whose order of time the rows are.

    Returns:
        A sentence, or none.
    """
    if split.by != "random" or not ordered_by:
        return []
    return [
        (
            f"The rows are in the order of {' and '.join(ordered_by)}; if the model is to predict"
            " later rows, its metrics on rows held out at random are too good. A `split` by time"
            " holds out the latest rows."
        )
    ]


def settle_decision(options: BuildOptions, task: Task, positive: object) -> ThresholdDecision:
    """Settles from which probability on the positive class is said.

    Costs lead to the threshold that is cheapest for calibrated probabilities (Elkan 2001): the
    cost of a false positive as a share of both.

    Args:
        options: What the request says.
        task: The kind of answer.
        positive: The positive class, which the sentence names.

    Returns:
        The threshold with its costs; without either where the metric decides.

    Raises:
        PlanError: There are not two classes, or both a threshold and costs are given.
    """
    field = "threshold" if options.threshold is not None else "costs"
    if options.threshold is None and options.costs is None:
        return ThresholdDecision()
    if task != "binary":
        raise PlanError(
            f"`{field}` is for a target of two classes, and this is a {task} task. Leave it out.",
            field=field,
        )
    if options.costs is None:
        said = (
            f"{positive}, the positive class, is said from a probability of"
            f" {options.threshold:.6g} on."
        )
        return ThresholdDecision(options.threshold, None, (said,))
    if options.threshold is not None:
        raise PlanError("Give `threshold` or `costs`, not both.", field="costs")
    wrong, missed = options.costs["false_positive"], options.costs["false_negative"]
    threshold = wrong / (wrong + missed)
    said = (
        f"{positive}, the positive class, is said from a probability of {threshold:.6g} on, as a"
        f" false positive costs {wrong:.6g} and a false negative {missed:.6g}."
    )
    return ThresholdDecision(threshold, options.costs, (said,))


def _asked(options: BuildOptions) -> tuple[str | None, str | None]:
    split = options.split or {}
    return split.get("by"), split.get("column")


def _named(name: str | None, by: str) -> str:
    if name is None:
        raise PlanError(f"A split by {by} needs the `column` that it goes by.", field="split")
    return name


def _other(facts: Sequence[ColumnFacts], target: ColumnFacts, name: str, field: str) -> ColumnFacts:
    if name == target.name:
        raise PlanError(f"`{name}` is what to predict. Name another column.", field=field)
    return find_column(facts, name, field)


def _time(name: str | None, features: Sequence[str], found: ColumnChecks) -> tuple[str, ...]:
    """Names the columns that tell the time of rows."""
    dated = [one for one in features if found.kinds[one] in {"date", *ORDERS}]
    if name is None and found.ordered_by:
        return found.ordered_by
    if name is None and len(dated) == 1:
        return (dated[0],)
    if name is None:
        raise PlanError(
            "It is not plain which column tells the time of rows. Name it as the `column` of"
            " `split`.",
            field="split",
        )
    if name not in features or found.kinds[name] not in {"date", "number", *ORDERS, *FORMS}:
        raise PlanError(
            f"`{name}` is no column of dates or numbers that is learnt from, so rows can't be put"
            " in its order. Name one that is, or leave `split` out.",
            field="split",
        )
    return (name,)
