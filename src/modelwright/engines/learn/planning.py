"""Settles target, task, features and metric of a plan from wishes and the facts of the columns."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from modelwright.engines.facts import ColumnFacts, ColumnType, notices_of
from modelwright.engines.learn.choosing import Chosen, choose, naming, task_wished
from modelwright.engines.learn.findings import Findings, look, numbers_rows
from modelwright.engines.learn.plan import (
    METRICS,
    MOST_CLASSES,
    NUMERIC_CLASSES,
    PAIR,
    Plan,
    Unplannable,
    Wishes,
    known,
)
from modelwright.engines.learn.reasons import reasons
from modelwright.engines.learn.spellings import TRUTHS
from modelwright.engines.learn.units import several_units, written_in_one
from modelwright_client.predictor.gaps import says_nothing
from modelwright_client.predictor.goals import Task
from modelwright_client.predictor.moments import order_of
from modelwright_client.predictor.spelling import folded

LEAST_ROWS = 10
MOST_NAMED = 5


def plan_from(tables: Sequence[Path], facts: Sequence[ColumnFacts], wishes: Wishes) -> Plan:
    """Settles everything, or refuses with a sentence that says what to change."""
    _refuse_unknown_task(wishes)
    chosen = choose(tables, facts, wishes)
    target, task = chosen.facts, chosen.task
    _refuse_unusable(target, task, wishes)
    _refuse_other_type(target, wishes)
    metric = _metric(task, wishes.metric)
    offered = [one for one in facts if one.name != target.name and _asked(one, wishes)]
    _refuse_unknown(facts, wishes, target)
    found = look(tables, chosen, offered)
    features = tuple(one.name for one in offered if one.name in found.kinds)
    if not features:
        raise _no_features(found, wishes)
    later = found.ordered_by if task == "regression" else ()
    types: dict[str, str] = {one.name: one.type for one in (*offered, target)}
    types.update(wishes.input_schema or {})
    return Plan(
        task=task,
        target=target.name,
        metric=metric,
        features=features,
        types={name: types[name] for name in (*features, target.name)},
        kinds=found.kinds,
        left_out=found.left_out,
        warnings=(*notices_of(tables), *found.warnings, *_since(chosen, wishes, facts, features)),
        positive_class=_positive(target) if task == "binary" else None,
        split=_split(task, later),
        seed=wishes.seed,
        seconds=wishes.seconds,
        max_iterations=wishes.max_iterations,
        output_type=_output_type(target, task, wishes),
        reasons=(chosen.reason, *reasons(metric, features, found.kinds, later)),
        spellings=dict(chosen.spellings),
        later_by=later,
    )


def _refuse_unknown_task(wishes: Wishes) -> None:
    if wishes.task is not None and wishes.task not in get_args(Task):
        listed = ", ".join(get_args(Task))
        raise Unplannable(f"The task {wishes.task!r} is not one of {listed}.", field="task")


def _refuse_other_type(target: ColumnFacts, wishes: Wishes) -> None:
    kind = (wishes.output_schema or {}).get(target.name, target.type)
    if kind != target.type and not {kind, target.type} <= {"integer", "float"}:
        raise Unplannable(
            f"output_schema says `{target.name}` is {kind}, but the table holds {target.type}.",
            field="output_schema",
        )


def _refuse_unusable(target: ColumnFacts, task: Task, wishes: Wishes) -> None:
    name, there = target.name, target.rows - target.missing
    why, field = None, naming(wishes)
    if there < LEAST_ROWS:
        field = "dataset_id"
        why = (
            f"`{name}` has a value in {there} of {target.rows} rows; a model needs at least"
            f" {LEAST_ROWS}. Upload more rows, or choose another target."
        )
    elif target.distinct < PAIR:
        why = (
            f"`{name}` has the same value in every row, so there is nothing to learn."
            " Choose another target, or upload rows with other values of it."
        )
    elif task == "regression" and numbers_rows(target):
        why = f"`{name}` only numbers the rows, so it can't be predicted. Choose another target."
    if why is not None:
        raise Unplannable(why, field=field)
    if task == "regression" or not (wishes.task or wishes.output_schema):
        _refuse_dates(target, field)
        _refuse_units(target, field)
    _refuse_misfit(target, task, "task" if wishes.task else field)


def _refuse_dates(target: ColumnFacts, field: str) -> None:
    """Refuses dates, which classes asked for and few of them may be."""
    texts = [str(value) for value, _ in target.top if target.type == "string"]
    dated = target.type == "date" or (texts and order_of(texts))
    if dated and target.distinct > NUMERIC_CLASSES:
        raise Unplannable(
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
        raise Unplannable(f"{said}, or ask for multiclass if they are classes.", field=field)


def _refuse_misfit(target: ColumnFacts, task: Task, field: str) -> None:
    name, there = target.name, target.rows - target.missing
    if task == "binary" and target.distinct > PAIR:
        raise Unplannable(
            f"`{name}` has {target.distinct} values ({_some(target)}), and a binary task needs two."
            f" Ask for {_fitting(target)}, or choose another target.",
            field=field,
        )
    if task == "multiclass" and target.distinct > min(MOST_CLASSES, there // 2):
        raise Unplannable(
            f"`{name}` has {target.distinct:,} different values in {there:,} rows, too many to be"
            f" classes. {_no_numbers(target) or _instead(target)}",
            field=field,
        )
    if task == "regression" and target.type in {"string", "date", "boolean"}:
        raise Unplannable(
            f"`{name}` is a {target.type}, and regression needs a number."
            f" Choose a numeric target{_or_class(target)}.",
            field=field,
        )


def _fitting(target: ColumnFacts) -> Task:
    """Names the task that suits a column's values."""
    if target.type in {"integer", "float"} and target.distinct > NUMERIC_CLASSES:
        return "regression"
    return "multiclass" if target.distinct > PAIR else "binary"


def _or_class(target: ColumnFacts) -> str:
    return "" if target.type == "date" else f", or ask for {_fitting(target)}"


def _instead(target: ColumnFacts) -> str:
    number = _fitting(target) == "regression"
    return f"{'Ask for regression' if number else 'Choose another target'}, or group its values."


def _no_numbers(target: ColumnFacts) -> str | None:
    """Says what keeps a column of strings from being one of numbers, where most of them are."""
    texts = [str(value) for value, _ in target.top]
    digits = [text for text in texts if any(map(str.isdigit, text))]
    others = [text for text in texts if text not in digits and not says_nothing(text)]
    if target.type != "string" or not others or len(digits) < len(texts) / 2:
        return None
    return (
        f"Most of them hold digits, but {others[0]!r} does not: if they are numbers, empty the"
        " cells that hold none and upload the table again, else choose another target."
    )


def _some(target: ColumnFacts) -> str:
    named = ", ".join(str(value) for value, _ in target.top[:MOST_NAMED])
    return named + ", …" * (target.distinct > MOST_NAMED)


def _metric(task: Task, wished: str | None) -> str:
    offered = METRICS["regression" if task == "regression" else "classification"]
    if wished is not None and wished not in offered:
        raise Unplannable(
            f"The metric {wished!r} does not fit a {task} task."
            f" Choose one of {', '.join(offered)}.",
            field="metric",
        )
    return wished or offered[0]


def _asked(one: ColumnFacts, wishes: Wishes) -> bool:
    return wishes.input_schema is None or one.name in wishes.input_schema


def _refuse_unknown(facts: Sequence[ColumnFacts], wishes: Wishes, target: ColumnFacts) -> None:
    for name, kind in (wishes.input_schema or {}).items():
        there, why = known(facts, name, "input_schema"), None
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
            raise Unplannable(why, field="input_schema")


def _no_features(found: Findings, wishes: Wishes) -> Unplannable:
    told = "; ".join(f"`{one.column}`: {one.reason}" for one in found.left_out)
    field, remedy = "dataset_id", "Upload a table with columns that say something of the target."
    if wishes.input_schema:
        field, remedy = "input_schema", "Name other columns in input_schema, or leave it out."
    sentence = f"There is no column to learn from{f' ({told})' if told else ''}. {remedy}"
    return Unplannable(sentence, field=field)


def _positive(target: ColumnFacts) -> Any:
    for value, _ in target.top:
        if TRUTHS.get(folded(str(value))) == "yes":
            return value
    return target.top[-1][0]


def _split(task: Task, later: Sequence[str]) -> str:
    if later:
        return f"the latest rows by {' and '.join(later)}"
    if task == "regression":
        return "random, dealt evenly over the range of the target"
    return "random, stratified by class"


def _output_type(target: ColumnFacts, task: Task, wishes: Wishes) -> str:
    if task != "regression":
        return target.type
    return (wishes.output_schema or {}).get(target.name, "float")


def _since(
    chosen: Chosen, wishes: Wishes, facts: Sequence[ColumnFacts], features: Sequence[str]
) -> list[str]:
    """Says what is otherwise than in the version before."""
    return [*_widened(chosen, wishes), *_changed(wishes, facts, features)]


def _widened(chosen: Chosen, wishes: Wishes) -> list[str]:
    """Says that the version before told two classes apart, and this one has more."""
    if task_wished(wishes) != "binary" or chosen.task != "multiclass":
        return []
    target = chosen.facts
    said = (
        f"{target.name} had two values for the version before and has {target.distinct} now"
        f" ({_some(target)}): the answer is one of several classes, and none is the positive one."
        " If a value is a slip, mend it and train again."
    )
    return [said]


def _changed(wishes: Wishes, columns: Sequence[ColumnFacts], features: Sequence[str]) -> list[str]:
    """Says which columns are gone since the version before, new, or of another type."""
    if wishes.before is None or wishes.input_schema:
        return []
    before, names = wishes.before["features"], [one.name for one in columns]
    gone = [name for name in before if name not in names]
    new = [name for name in features if name not in before]
    other = _retyped(wishes.before.get("types", {}), columns, features)
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
