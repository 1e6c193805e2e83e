"""What the version before was built with and does not fit any more: it is left out and told."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from modelwright.engines.automl.planning.plan import METRICS, BuildOptions
from modelwright.engines.facts import ColumnFacts
from modelwright_runtime.objective import Task


def without_unfit(
    options: BuildOptions, facts: Sequence[ColumnFacts], target: ColumnFacts, task: Task
) -> tuple[BuildOptions, tuple[str, ...]]:
    """Leaves out what is inherited and does not fit this target, task or table.

    What the request itself gives is never left out: it is refused where it does not fit.

    Args:
        options: What the request says, and what it inherits.
        facts: All columns of the table.
        target: The column to predict.
        task: The kind of answer.

    Returns:
        The options that fit, and a sentence for each that is left out.
    """
    unfit = {
        name: why
        for name in options.inherited
        if (why := _why_unfit(name, options, facts, target, task)) is not None
    }
    told = tuple(
        f"The version before was built with `{name}`, which is left out now: {why}."
        for name, why in unfit.items()
    )
    left_out: dict[str, Any] = dict.fromkeys(unfit)
    return replace(options, **left_out), told


def _why_unfit(
    name: str,
    options: BuildOptions,
    facts: Sequence[ColumnFacts],
    target: ColumnFacts,
    task: Task,
) -> str | None:
    if name in {"threshold", "costs"}:
        return _why_undecided(options, target, task)
    if name == "metric":
        fitting = METRICS["regression" if task == "regression" else "classification"]
        fits = options.metric in fitting
        return None if fits else f"{options.metric} does not fit a {task} task"
    column = (
        options.sample_weight if name == "sample_weight" else (options.split or {}).get("column")
    )
    if column is None:
        return None
    if column == target.name:
        return f"{column} is what to predict"
    return None if any(one.name == column for one in facts) else f"there is no column {column}"


def _why_undecided(options: BuildOptions, target: ColumnFacts, task: Task) -> str | None:
    """Says why a probability from which on a class is said is not that of this target."""
    if task != "binary":
        return f"it is for two classes, and this is a {task} task"
    if options.former_target not in {None, target.name}:
        return f"it is for {options.former_target}, and {target.name} is to be predicted"
    return None
