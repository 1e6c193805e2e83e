"""Settles target, task, features and metric of a plan from wishes and the facts of the columns.

The plan alone decides what is learnt from what: training takes it as it is, so that what a user was
shown before is what is built.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from modelwright.engines.automl.planning.data_checks import ColumnChecks, check_columns
from modelwright.engines.automl.planning.explanations import reasons
from modelwright.engines.automl.planning.inherited_options import (
    planned_without_unfit,
    refuse_other_class,
)
from modelwright.engines.automl.planning.label_normalisation import TRUTHS
from modelwright.engines.automl.planning.plan import (
    METRICS,
    BuildOptions,
    Plan,
    PlanError,
    find_column,
)
from modelwright.engines.automl.planning.split_options import (
    set_aside,
    settle_decision,
    settle_split,
    too_good,
    uncounted,
)
from modelwright.engines.automl.planning.target_checks import refuse_unusable, some
from modelwright.engines.automl.planning.target_selection import TargetChoice, choose, task_wished
from modelwright.engines.facts import ColumnFacts, ColumnType, column_facts, notices_of
from modelwright_runtime.objective import Task
from modelwright_runtime.text_keys import folded


def make_plan(
    tables: Sequence[Path],
    intent: str,
    *,
    seconds: float,
    seed: int = 0,
    input_schema: Mapping[str, str] | None = None,
    output_schema: Mapping[str, str] | None = None,
    **more: Any,
) -> Plan:
    """Plans a build.

    Args:
        tables: Parquet files of the same columns, one after the other.
        intent: What to predict, in words; may be empty where a target is named.
        seconds: The time of the build.
        seed: What all random choices are drawn by.
        input_schema: The columns to learn from, with their types.
        output_schema: The column to predict, with its type.
        **more: The other fields of `BuildOptions`, None where they are left out.

    Returns:
        What is predicted, from what, and how it is judged, with reasons.

    Raises:
        PlanError: No model can be made; it says what to change.
    """
    rest: dict[str, Any] = dict.fromkeys(("metric", "max_iterations", "target", "task")) | more
    options = BuildOptions(
        intent=intent,
        input_schema=input_schema,
        output_schema=output_schema,
        seconds=seconds,
        seed=seed,
        **rest,
    )
    return build_plan(tables, column_facts(tables), options)


def build_plan(tables: Sequence[Path], facts: Sequence[ColumnFacts], options: BuildOptions) -> Plan:
    """Settles everything, or refuses with a sentence that says what to change.

    What is inherited from the version before and does not fit any more is left out with a warning.

    Args:
        tables: Parquet files, one after the other.
        facts: What is known of every column.
        options: What the request fixes.

    Returns:
        The plan, with its reasons and warnings.

    Raises:
        PlanError: No model can be made; it says what to change.
    """
    return planned_without_unfit(lambda fitting: _planned(tables, facts, fitting), options)


def _planned(tables: Sequence[Path], facts: Sequence[ColumnFacts], options: BuildOptions) -> Plan:
    """Settles a plan step by step; a later step may rely on what earlier ones refused."""
    _refuse_unknown_task(options)
    chosen = choose(tables, facts, options)
    target, task = chosen.facts, chosen.task
    refuse_unusable(target, task, options)
    _refuse_other_type(target, options)
    metric = _metric(task, options, chosen.said)
    positive = _positive(target) if task == "binary" else None
    decision = settle_decision(options, task, positive)
    refuse_other_class(options, target.name, positive)
    aside = set_aside(facts, target, options)
    offered = [
        one
        for one in facts
        if one.name != target.name
        and one.name not in aside
        and _asked(one, options)
        and _not_left_out(one.name, chosen.said)
    ]
    _refuse_unknown(facts, options, target)
    found = check_columns(tables, chosen, offered)
    features = tuple(one.name for one in offered if one.name in found.kinds)
    if not features:
        raise _no_features(found, options, chosen.said)
    split = settle_split(tables, chosen, options, features, found)
    later = split.later_by
    types: dict[str, str] = {one.name: one.type for one in (*offered, target)}
    types.update(options.input_schema or {})
    return Plan(
        task=task,
        target=target.name,
        metric=metric,
        features=features,
        types={name: types[name] for name in (*features, target.name)},
        kinds=found.kinds,
        left_out=(*found.left_out, *aside.values()),
        warnings=(
            *notices_of(tables),
            *found.warnings,
            *too_good(split, found.ordered_by),
            *_since(chosen, options, facts, features),
            *uncounted(tables, chosen, options.sample_weight, split, found),
        ),
        positive_class=positive,
        split=split.said,
        seed=options.seed,
        seconds=options.seconds,
        max_iterations=options.max_iterations,
        output_type=_output_type(target, task, options),
        reasons=(
            chosen.reason,
            *reasons(metric, features, found.kinds, later),
            *_as_said(chosen.said),
            *split.reasons,
            *decision.reasons,
        ),
        spellings=dict(chosen.spellings),
        later_by=later,
        split_by=split.by,
        split_column=split.column,
        copies=found.copies.again > 0,
        repetitions=found.copies.repetitions,
        threshold=decision.threshold,
        costs=decision.costs,
        sample_weight=options.sample_weight,
        said_in_words=chosen.said,
    )


def _refuse_unknown_task(options: BuildOptions) -> None:
    if options.task is not None and options.task not in get_args(Task):
        listed = ", ".join(get_args(Task))
        raise PlanError(f"The task {options.task!r} is not one of {listed}.", field="task")


def _refuse_other_type(target: ColumnFacts, options: BuildOptions) -> None:
    kind = (options.output_schema or {}).get(target.name, target.type)
    if kind != target.type and not {kind, target.type} <= {"integer", "float"}:
        raise PlanError(
            f"output_schema says `{target.name}` is {kind}, but the table holds {target.type}.",
            field="output_schema",
        )


def _metric(task: Task, options: BuildOptions, said: Mapping[str, Any]) -> str:
    offered = METRICS["regression" if task == "regression" else "classification"]
    wished, in_words = options.metric, said.get("metric")
    field = "metric" if wished is not None else "intent"
    wished = in_words if wished is None else wished
    if wished is not None and wished not in offered:
        if field == "intent" and options.before is not None:
            return offered[0]
        raise PlanError(
            f"The metric {wished!r} does not fit a {task} task."
            f" Choose one of {', '.join(offered)}.",
            field=field,
        )
    return wished or offered[0]


def _not_left_out(name: str, said: Mapping[str, Any]) -> bool:
    return name in said.get("only", (name,)) and name not in said.get("without", ())


def _as_said(said: Mapping[str, Any]) -> list[str]:
    """Tells which columns the intent names to learn from or to leave out."""
    told = []
    if "only" in said:
        told.append(f"The intent says to learn only from {', '.join(said['only'])}.")
    if "without" in said:
        told.append(f"The intent says not to learn from {', '.join(said['without'])}.")
    return told


def _asked(one: ColumnFacts, options: BuildOptions) -> bool:
    return options.input_schema is None or one.name in options.input_schema


def _refuse_unknown(
    facts: Sequence[ColumnFacts], options: BuildOptions, target: ColumnFacts
) -> None:
    for name, kind in (options.input_schema or {}).items():
        there, why = find_column(facts, name, "input_schema"), None
        if kind not in get_args(ColumnType):
            listed = ", ".join(get_args(ColumnType))
            why = f"The type {kind!r} of `{name}` is not one of {listed}."
        elif kind != there.type and (there.type, kind) != ("integer", "float"):
            why = f"input_schema says `{name}` is {kind}, but the table holds {there.type}."
        elif name == target.name:
            why = (
                f"`{name}` is what to predict, so it can't be an input."
                " Take it out of input_schema."
            )
        if why is not None:
            raise PlanError(why, field="input_schema")


def _no_features(found: ColumnChecks, options: BuildOptions, said: Mapping[str, Any]) -> PlanError:
    reasons = "; ".join(f"`{one.column}`: {one.reason}" for one in found.left_out)
    field, remedy = "dataset_id", "Upload a table with columns that say something of the target."
    if options.input_schema:
        field, remedy = "input_schema", "Name other columns in input_schema, or leave it out."
    elif said.keys() & {"only", "without"}:
        told = " ".join(_as_said(said))
        field, remedy = "intent", f"{told} Name others to learn from, or none to leave out."
    sentence = f"There is no column to learn from{f' ({reasons})' if reasons else ''}. {remedy}"
    return PlanError(sentence, field=field)


def _positive(target: ColumnFacts) -> Any:
    for value, _ in target.top:
        if TRUTHS.get(folded(str(value))) == "yes":
            return value
    return target.top[-1][0]


def _output_type(target: ColumnFacts, task: Task, options: BuildOptions) -> str:
    if task != "regression":
        return target.type
    return (options.output_schema or {}).get(target.name, "float")


def _since(
    chosen: TargetChoice,
    options: BuildOptions,
    facts: Sequence[ColumnFacts],
    features: Sequence[str],
) -> list[str]:
    """Says what is otherwise than in the version before."""
    return [*_widened(chosen, options), *_changed(options, facts, features)]


def _widened(chosen: TargetChoice, options: BuildOptions) -> list[str]:
    """Says that the version before told two classes apart, and this one has more."""
    if task_wished(options) != "binary" or chosen.task != "multiclass":
        return []
    target = chosen.facts
    said = (
        f"{target.name} had two values for the version before and has {target.distinct} now"
        f" ({some(target)}): the answer is one of several classes, and none is the positive one."
        " If a value is a slip, mend it and train again."
    )
    return [said]


def _changed(
    options: BuildOptions, columns: Sequence[ColumnFacts], features: Sequence[str]
) -> list[str]:
    """Returns which columns are gone since the version before, new, or of another type."""
    if options.before is None or options.input_schema:
        return []
    before, names = options.before["features"], [one.name for one in columns]
    gone = [name for name in before if name not in names]
    new = [name for name in features if name not in before]
    other = _retyped(options.before.get("types", {}), columns, features)
    said = []
    if gone:
        said.append(f"The table lacks what the version before learnt from: {', '.join(gone)}.")
    if new:
        said.append(
            f"Learnt from for the first time: {', '.join(new)}. Rows to be predicted need to have"
            " it too; input_schema of a new version can leave it out."
        )
    if other:
        said.append(
            f"Of another type than in the version before: {', '.join(other)}. Rows to be predicted"
            " have to give the new one."
        )
    return said


def _retyped(
    types: Mapping[str, str], columns: Sequence[ColumnFacts], features: Sequence[str]
) -> list[str]:
    """Names columns with both types where rows that the version before took do not fit any more."""
    return [
        f"{one.name} ({types[one.name]}, now {one.type})"
        for one in columns
        if one.name in features
        and types.get(one.name, one.type) != one.type
        and (types[one.name], one.type) != ("integer", "float")
    ]
