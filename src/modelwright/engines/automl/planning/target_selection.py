"""Which column is predicted, as what, and how its values are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from modelwright.engines.automl.planning.label_normalisation import (
    Spellings,
    respelt,
    singles,
    spellings,
)
from modelwright.engines.automl.planning.load_columns import as_written, finite, read_table
from modelwright.engines.automl.planning.plan import (
    BINARY_CLASSES,
    NUMERIC_CLASSES,
    BuildOptions,
    PlanError,
    find_column,
)
from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.intents.beside_target import beside_target
from modelwright.engines.language.rules.intents.intents import Unclear, find_target
from modelwright.engines.language.rules.intents.row_wishes import some_rows
from modelwright.engines.language.rules.intents.tasks import ANSWERS, task_of
from modelwright.engines.language.rules.intents.unsupported import unsupported_wish
from modelwright.engines.language.rules.text.sentences import in_sentences
from modelwright_runtime.columns import MAX_NUMBER
from modelwright_runtime.missing_values import says_nothing
from modelwright_runtime.number_parsing import BARE, CLOCKS, POINT, Form, form_of, form_of_decimals
from modelwright_runtime.objective import Task

SAID_BY_FIELDS = (
    "metric", "input_schema", "split", "threshold", "costs", "sample_weight", "max_iterations",
)  # fmt: skip
"""Fields that say of a build what an intent may say in words."""
NEARLY_ALL = 0.95
"""Where so many rows of a target write numbers, words in the others are gaps."""


@dataclass(frozen=True, slots=True)
class TargetChoice:
    """What is predicted."""

    facts: ColumnFacts
    """The column as it is read."""
    task: Task
    reason: str
    form: Form | None
    """How its strings write numbers, if they do."""
    spellings: Spellings
    """Classes that are read as others, by their names."""
    said: Mapping[str, Any]
    """What the intent says of the build beside the target: `metric`, and the columns `only` from
    which or `without` which to learn; those of the version before where its intent stays."""


def choose(
    tables: Sequence[Path], columns: Sequence[ColumnFacts], options: BuildOptions
) -> TargetChoice:
    """Settles the target, or refuses with a sentence that says what to change.

    Args:
        tables: Parquet files, one after the other.
        columns: What is known of every column.
        options: What the request fixes.

    Returns:
        The target, with its task and the reason for both.

    Raises:
        PlanError: No target can be found, or it can't be learnt; it says what to change.
    """
    forms = {one.name: form for one in columns if (form := _form(one, options))}
    alike = {one.name: spellings(one) for one in columns if one.name not in forms}
    read = [
        _as_number(one) if one.name in forms else respelt(one, alike[one.name]) for one in columns
    ]
    target, task, reason, alone = _settled(read, options)
    target, form = _finite(tables, target), forms.get(target.name)
    if form:
        target = replace(target, missing=_unread(tables, target.name, form))
        what, example = ("times", ", as 1.5") if form in CLOCKS else ("numbers", "")
        reason += f" Its strings write {what} as in {form}; those are predicted{example}."
        texts = (one for one in _texts(columns, target.name) if not says_nothing(one))
        if words := [one for one in texts if not _is_number(one)]:
            reason += f" Those that write none, such as {words[0]!r}, count as missing."
    known = {**alike.get(target.name, {}), **alone}
    return TargetChoice(target, task, reason, form, known, _said(read, options))


def _given(options: BuildOptions) -> set[str]:
    """Returns the fields of the request that say what words may say too."""
    return {name for name in SAID_BY_FIELDS if getattr(options, name) is not None}


def _said(columns: Sequence[ColumnFacts], options: BuildOptions) -> Mapping[str, Any]:
    """Reads what else the intent says, where no field says it; refuses what is not recognised."""
    given = _given(options)
    if options.before is not None:
        said = options.before.get("said_in_words", {})
        taken = {"metric": {"metric"}, "input_schema": {"only", "without"}}
        gone = {name for field in given for name in taken.get(field, ())}
        return {name: one for name, one in said.items() if name not in gone}
    beside = beside_target(in_sentences(options.intent), columns, given)
    wish = unsupported_wish(beside.unjudged, [one.name for one in columns], given)
    if beside.refusal:
        raise PlanError(beside.refusal)
    if wish is not None and wish.fields:
        raise PlanError(wish.sentence)
    every = {"metric": beside.metric, "only": beside.only, "without": beside.without}
    return {name: one for name, one in every.items() if one}


def _settled(
    columns: Sequence[ColumnFacts], options: BuildOptions
) -> tuple[ColumnFacts, Task, str, Spellings]:
    """Settles the target without its classes of a single row, and gives those."""
    target, task, reason = _target(columns, options)
    alone = {} if task == "regression" else singles(target)
    if alone:
        rest = respelt(target, alone)
        again = _target([rest if one is target else one for one in columns], options)
        if again[0] is rest and again[1] == (
            "multiclass" if rest.distinct > BINARY_CLASSES else "binary"
        ):
            return *again, alone
    return target, task, reason, {}


def _texts(columns: Sequence[ColumnFacts], name: str) -> list[str]:
    return [str(value) for one in columns if one.name == name for value, _ in one.top]


def endless(facts: ColumnFacts) -> bool:
    """Returns whether a column has numbers that are none, or too large to be reckoned with.

    Args:
        facts: What is known of the column.

    Returns:
        Whether such a number is its smallest or largest.
    """
    ends = facts.minimum, facts.maximum
    return any(isinstance(end, float) and not -MAX_NUMBER <= end <= MAX_NUMBER for end in ends)


def task_wished(options: BuildOptions) -> str | None:
    """Returns the task that the request asks for, or the version before has.

    Args:
        options: What the request fixes.

    Returns:
        The task, or None.
    """
    return options.task or (options.before or {}).get("task")


def naming(options: BuildOptions) -> str:
    """Tells which member of the request says what to predict.

    Args:
        options: What the request fixes.

    Returns:
        The name of the member.
    """
    if options.target is not None:
        return "target"
    return "output_schema" if options.output_schema else "intent"


def _form(one: ColumnFacts, options: BuildOptions) -> Form | None:
    """Returns the form of strings that write numbers, too many different ones to be classes."""
    task = task_wished(options)
    wished = (options.output_schema or {}).get(one.name)
    classes = wished == "string" or task not in {None, "regression"}
    few = one.distinct <= NUMERIC_CLASSES and task is None
    if one.type != "string" or few or classes:
        return None
    return _numbers_beside_words(one)


def _numbers_beside_words(one: ColumnFacts) -> Form | None:
    """Returns the form of numbers that nearly all rows have, where the others have only words."""
    numbers = [str(value) for value, _ in one.top if _is_number(str(value))]
    words = sum(count for value, count in one.top if not _is_number(str(value)))
    if not words:
        return form_of(numbers) or form_of_decimals(numbers)
    few = words <= (1 - NEARLY_ALL) * (one.rows - one.missing) and len(numbers) > NUMERIC_CLASSES
    if few and all(map(BARE.fullmatch, numbers)):
        return form_of(numbers) or POINT
    return form_of(numbers if few else [str(value) for value, _ in one.top])


def _is_number(text: str) -> bool:
    return BARE.fullmatch(text) is not None or form_of([text]) is not None


def _as_number(one: ColumnFacts) -> ColumnFacts:
    return replace(one, type="float", minimum=None, maximum=None, top=())


def _unread(tables: Sequence[Path], name: str, form: Form) -> int:
    """Counts the rows without a number."""
    return int(as_written(read_table(tables, [name])[name], form).null_count)


def _finite(tables: Sequence[Path], target: ColumnFacts) -> ColumnFacts:
    """Counts endless values as missing."""
    if not endless(target):
        return target
    column = finite(read_table(tables, [target.name])[target.name])
    known = [one for one in target.top if isinstance(one[0], float) and abs(one[0]) <= MAX_NUMBER]
    lost = len(target.top) - len(known)
    missing, distinct = int(column.null_count), target.distinct - lost
    return replace(target, missing=missing, distinct=distinct, top=tuple(known))


def _named_target(
    columns: Sequence[ColumnFacts], named: str, why: str, options: BuildOptions
) -> tuple[ColumnFacts, Task, str]:
    """Returns the column that was named, its task and the sentence that says so."""
    target, asked = find_column(columns, named, naming(options)), task_wished(options)
    task: Task = asked or task_of(target, options.intent)  # type: ignore[assignment]
    verb = "stays" if options.before and not options.task else "is"
    fitting: Task = "multiclass" if target.distinct > BINARY_CLASSES else "binary"
    if verb == "stays" and task not in {"regression", fitting}:
        task, verb = fitting, "becomes"
    reason = f"{named} is what to predict: {why}; the answer {verb} {ANSWERS[task]}."
    told = "" if options.before else some_rows(options.intent, columns, lambda _: named)
    return target, task, reason + (f' "{told}" is not read: all rows count.' if told else "")


def _target(columns: Sequence[ColumnFacts], options: BuildOptions) -> tuple[ColumnFacts, Task, str]:
    named = options.target or next(iter(options.output_schema or {}), None)
    if options.output_schema and len(options.output_schema) > 1 and options.target is None:
        listed = ", ".join(options.output_schema)
        raise PlanError(
            f"A model predicts one column, and output_schema names several ({listed}). Keep one.",
            tuple(options.output_schema),
            field="output_schema",
        )
    why = "the request names it"
    if named is None and options.before:
        named, why = options.before["target"], "the version before predicts it"
    if named is not None:
        return _named_target(columns, named, why, options)
    found = find_target(options.intent, columns, _given(options))
    if isinstance(found, Unclear):
        raise PlanError(found.sentence, found.candidates, is_unclear=not found.is_decided)
    return find_column(columns, found.column), options.task or found.task, found.reason  # type: ignore[return-value]
