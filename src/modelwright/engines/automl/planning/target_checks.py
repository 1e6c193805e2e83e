"""Whether a column can be predicted, as the task that is asked for.

Without it a build would run to its end to learn a constant, or a class of one row that cannot be
held out.
"""

import re

from modelwright.engines.automl.planning.data_checks import numbers_rows
from modelwright.engines.automl.planning.plan import (
    BINARY_CLASSES,
    MOST_CLASSES,
    NUMERIC_CLASSES,
    BuildOptions,
    PlanError,
)
from modelwright.engines.automl.planning.target_selection import naming
from modelwright.engines.automl.planning.units import several_units, written_in_one
from modelwright.engines.facts import ColumnFacts
from modelwright_runtime.date_parsing import order_of
from modelwright_runtime.missing_values import says_nothing
from modelwright_runtime.number_parsing import MAX_CHARACTERS
from modelwright_runtime.objective import Task

LEAST_ROWS = 10
"""Rows with a target below which nothing can be learnt and judged."""
MOST_NAMED = 5
"""Values that one sentence names."""
_BEGUN = re.compile(r"\W{0,3}\d")
"""How a number begins, with its currency perhaps."""


def refuse_unusable(target: ColumnFacts, task: Task, options: BuildOptions) -> None:
    """Refuses a target of which nothing could be learnt as this task.

    Args:
        target: What is known of the target.
        task: binary, multiclass or regression.
        options: What the request fixes.

    Raises:
        PlanError: It says what to change.
    """
    name, there = target.name, target.rows - target.missing
    why, field = None, naming(options)
    if there < LEAST_ROWS:
        field = "dataset_id"
        why = (
            f"`{name}` has a value in {there} of {target.rows} rows; a model needs at least"
            f" {LEAST_ROWS}. Upload more rows, or choose another target."
        )
    elif target.distinct < BINARY_CLASSES:
        why = (
            f"`{name}` has the same value in every row, so there is nothing to learn."
            " Choose another target, or upload rows with other values of it."
        )
    elif task == "regression" and numbers_rows(target):
        why = f"`{name}` only numbers the rows, so it can't be predicted. Choose another target."
    if why is not None:
        raise PlanError(why, field=field)
    if task == "regression" or not (options.task or options.output_schema):
        _refuse_dates(target, field)
        _refuse_units(target, field)
    _refuse_misfit(target, task, "task" if options.task else field)


def _refuse_dates(target: ColumnFacts, field: str) -> None:
    """Refuses dates, which classes asked for and few of them may be."""
    texts = [str(value) for value, _ in target.top if target.type == "string"]
    dated = target.type == "date" or (texts and order_of(texts))
    if dated and target.distinct > NUMERIC_CLASSES:
        raise PlanError(
            f"`{target.name}` holds dates, and a model predicts a number or a class. Upload the"
            " table with the days until then as a number, or ask for multiclass if the dates are"
            " classes.",
            field=field,
        )


def _refuse_units(target: ColumnFacts, field: str) -> None:
    """Refuses numbers in several units, which classes asked for and few of them may be."""
    if target.type != "string" or target.distinct <= NUMERIC_CLASSES:
        return
    if units := several_units(str(value) for value, _ in target.top):
        said = written_in_one(f"`{target.name}`", units)
        raise PlanError(f"{said}, or ask for multiclass if they are classes.", field=field)


def _refuse_misfit(target: ColumnFacts, task: Task, field: str) -> None:
    """Refuses a target whose values do not fit the task that was asked for."""
    name, there = target.name, target.rows - target.missing
    if task == "binary" and target.distinct > BINARY_CLASSES:
        raise PlanError(
            f"`{name}` has {target.distinct} values ({some(target)}), and a binary task needs two."
            f" Ask for {_fitting(target)}, or choose another target.",
            field=field,
        )
    if task == "multiclass" and target.distinct > min(MOST_CLASSES, there // 2):
        raise PlanError(
            f"`{name}` has {target.distinct:,} different values in {there:,} rows, too many to be"
            f" classes. {_no_numbers(target) or _instead(target)}",
            field=field,
        )
    if task == "regression" and target.type in {"string", "date", "boolean"}:
        raise PlanError(
            f"`{name}` is a {target.type}, and regression needs a number."
            f" Choose a numeric target{_or_class(target)}.",
            field=field,
        )


def _fitting(target: ColumnFacts) -> Task:
    """Names the task that suits a column's values."""
    if target.type in {"integer", "float"} and target.distinct > NUMERIC_CLASSES:
        return "regression"
    return "multiclass" if target.distinct > BINARY_CLASSES else "binary"


def _or_class(target: ColumnFacts) -> str:
    return "" if target.type == "date" else f", or ask for {_fitting(target)}"


def _instead(target: ColumnFacts) -> str:
    number = _fitting(target) == "regression"
    return f"{'Ask for regression' if number else 'Choose another target'}, or group its values."


def _no_numbers(target: ColumnFacts) -> str | None:
    """Says what keeps a column of strings from being one of numbers, where most of them are."""
    texts = [str(value) for value, _ in target.top]
    digits = [text for text in texts if len(text) <= MAX_CHARACTERS and _BEGUN.match(text)]
    others = [text for text in texts if not any(map(str.isdigit, text)) and not says_nothing(text)]
    if target.type != "string" or not others or len(digits) < len(texts) / 2:
        return None
    return (
        f"Most of them hold digits, but {others[0]!r} does not: if they are numbers, empty the"
        " cells that hold none and upload the table again, else choose another target."
    )


def some(target: ColumnFacts) -> str:
    """Names the commonest of its values.

    Args:
        target: What is known of the target.

    Returns:
        Names with commas, `MOST_NAMED` at most.
    """
    named = ", ".join(str(value) for value, _ in target.top[:MOST_NAMED])
    return named + ", …" * (target.distinct > MOST_NAMED)
