"""Pure decisions about builds: what a new request keeps, and whether tables can be stacked."""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from difflib import get_close_matches
from hashlib import sha256
from typing import Any

from modelwright.engines.sentences import first_of
from modelwright.models.domain import BuildRequest, ModelVersionInfo
from modelwright.uploads.domain import TableFile

ARTIFACTS_PREFIX = "artifacts"
GRACE_SECONDS = 120.0
"""How much longer than its own deadline a build's process may live before it is killed."""
MIN_BUILD_SECONDS = 6.0
"""What a build has at least once its process is ready, however late that is; never more than the
operator allows one."""
LAST_FIT_OVERTIME_SHARE = 0.05
"""How much longer a build may finish its last fit, as a share of its seconds."""
LATE_AT_LEAST = 0.5
"""How much longer a build may finish its last fit, in seconds."""
NUMBERS = {"integer", "float"}
OF_NUMBERS = ("rmse", "mae", "r2")
"""The metrics of a regression; all others are of classes."""
COLUMNS_NAMED = 12
"""Columns that one sentence names; of more it says how many there are."""
MIN_NAME_SIMILARITY = 0.7
"""How alike a name has to be to a column's to be taken for a slip, from 0 to 1."""
SAID_LATER = frozenset(
    {
        "split", "threshold", "costs", "sample_weight", "inherited", "former_target",
        "former_positive",
    }
)  # fmt: skip
"""Members of a request that older plans were made without."""
INHERITED = ("task", "metric", "split", "threshold", "costs", "sample_weight")
"""Members that a version after another is built with too, where they still fit."""
KEPT = ("target", "task", "features", "types", "said_in_words")
"""What a version that comes after another is told of its plan."""
TARGET = (
    "It is what the version before predicts: upload the data with this column, or name another"
    " `target`."
)
INPUT = (
    "The version before was asked to learn from it: upload the data with this column, or make a new"
    " version with another `input_schema`."
)

OTHER_TYPE = (
    " the version before was asked for it so: upload the data as it was, or make a new version with"
    " another schema."
)


def units_in(files: Sequence[TableFile]) -> dict[str, str]:
    """Returns the units of columns by their names, where all tables have one and the same."""
    told: dict[str, set[str]] = {}
    for column in (column for file in files for column in file.columns):
        told.setdefault(column.name, set()).add(column.unit)
    return {name: unit for name, units in told.items() if len(units) == 1 for unit in units if unit}


def artifacts_of(version_id: str) -> str:
    """Names the prefix of all artifacts a version's build has stored."""
    return f"{ARTIFACTS_PREFIX}/{version_id}"


def artifact_key(version_id: str, attempt: int) -> str:
    """Names where one attempt at a build stores its artifact, so that none disturbs another."""
    return f"{artifacts_of(version_id)}/{attempt}"


def plan_id_of(request: BuildRequest) -> str:
    """Names the plan of a request: the same for the same request, another for any other."""
    document = json.dumps(_said(request), sort_keys=True)
    return f"plan_{sha256(document.encode()).hexdigest()[:32]}"


def _said(request: BuildRequest) -> dict[str, Any]:
    """Returns a request without later members that are not set, so that older plans keep ids."""
    return {
        name: value
        for name, value in asdict(request).items()
        if value is not None or name not in SAID_LATER
    }


def repeat_request(before: ModelVersionInfo, changes: Mapping[str, Any]) -> BuildRequest:
    """Carries a version's request over to a new one; what is given anew wins, also over older pins.

    A target named anew takes an older output schema away, and the other way round; so do a
    threshold and costs. Where neither a target nor the intent is given, target and task stay those
    of the version's plan. How it is judged is carried over where it still fits, as the plan finds.
    """
    given = _given_options(changes)
    request, plan = before.request, before.plan
    stays = plan is not None and not given.keys() & {"intent", "target", "output_schema"}
    kept = {name: plan[name] for name in KEPT if name in plan} if stays and plan else None
    request = _without_replaced(replace(request, before=kept), given)
    inherited = [one for one in INHERITED if getattr(request, one) is not None and one not in given]
    former, positive = _former_target(request, plan, inherited) if inherited else (None, None)
    return replace(
        request,
        **given,
        inherited=inherited or None,
        former_target=former,
        former_positive=positive,
    )


def _without_replaced(request: BuildRequest, given: Mapping[str, Any]) -> BuildRequest:
    """Takes away what a member that is given anew takes the place of under another name."""
    if "target" in given and "output_schema" not in given:
        request = replace(request, output_schema=None, task=None)
    if "output_schema" in given and "target" not in given:
        request = replace(request, target=None, task=None)
    if given.keys() & {"threshold", "costs"}:
        # Each says from which probability on a class is said, so one takes the other's place.
        request = replace(request, threshold=None, costs=None)
    return request


def _former_target(
    request: BuildRequest, plan: Mapping[str, Any] | None, inherited: Sequence[str]
) -> tuple[str | None, Any]:
    """Returns the target that inherited members were given for, and its positive class.

    Args:
        request: The request of the version before.
        plan: Its plan; None where it has none.
        inherited: The members that are carried over.

    Returns:
        Both as the plan has them; of a threshold that was itself inherited, those it was first
        given for, not of what came between.
    """
    former = plan["target"] if plan else None
    positive = plan.get("positive_class") if plan else None
    if {"threshold", "costs"} & set(inherited) & set(request.inherited or ()):
        former = request.former_target or former
        was = request.former_positive
        positive = positive if was is None else was
    return former, positive


def wrong_column(
    request: BuildRequest, changes: Mapping[str, Any], columns: Sequence[str], source: str
) -> tuple[str, str] | None:
    """Finds a member of a request that names a column which is not there, or not the target's.

    What the version before predicts is no member of a request: `source` names the data that lacks
    it.
    """
    for field, name in _named_columns(request, source):
        # What is inherited and not there any more the plan leaves out, and says so.
        if name not in columns and field not in (request.inherited or ()):
            message = (
                f"there is no column {name!r}{_close_matches(name, columns)}; the columns are"
                f" {first_of(columns, COLUMNS_NAMED)}."
            )
            inherited = INPUT if field == "input_schema" else TARGET
            said = field in _given_options(changes) and field != source
            return field, message if said else f"{message} {inherited}"
    if request.target and request.output_schema and request.target not in request.output_schema:
        other = next(iter(request.output_schema))
        return "output_schema", (
            f"says to predict {other!r}, but target says {request.target!r};"
            " leave one of the two out."
        )
    return None


def wrong_type(
    request: BuildRequest, changes: Mapping[str, Any], held: Collection[tuple[str, str]]
) -> tuple[str, str] | None:
    """Finds a schema that says another type of a column than the data has.

    `held` lists names of columns with a type that a file has; what several files hold in several
    types is left to the plan, which reads them as one table.
    """
    often = Counter(name for name, _ in held)
    types = {name: kind for name, kind in held if often[name] == 1}
    schemas = {"input_schema": request.input_schema, "output_schema": request.output_schema}
    for field, schema in schemas.items():
        for name, kind in (schema or {}).items():
            there = types.get(name, kind)
            as_number = kind in NUMBERS and (
                there == "integer" or (field == "output_schema" and there in {"float", "string"})
            )
            if there != kind and not as_number:
                said = field in _given_options(changes)
                return field, (
                    f"says {name!r} is {kind}, but the data holds {there};"
                    + (f" say {there}, or upload it as {kind}." if said else OTHER_TYPE)
                )
    return None


def _named_columns(request: BuildRequest, source: str) -> Iterator[tuple[str, str]]:
    """Lists the columns that members of a request name, with the member."""
    single = {
        "target": request.target,
        "split": (request.split or {}).get("column"),
        "sample_weight": request.sample_weight,
        source: (request.before or {}).get("target"),
    }
    yield from (("input_schema", name) for name in request.input_schema or {})
    yield from (("output_schema", name) for name in request.output_schema or {})
    yield from ((field, name) for field, name in single.items() if name)


def wrong_metric(request: BuildRequest) -> tuple[str, str] | None:
    """Finds a metric that does not fit the task, where that is known before the plan is made."""
    task = request.task or (request.before or {}).get("task")
    is_inherited = "metric" in (request.inherited or ())
    if (
        is_inherited
        or not task
        or not request.metric
        or (request.metric in OF_NUMBERS) == (task == "regression")
    ):
        return None
    fitting = f"one of {', '.join(OF_NUMBERS)}" if task == "regression" else "one for classes"
    return "metric", f"{request.metric!r} does not fit a {task} task; choose {fitting}."


def _close_matches(name: str, columns: Sequence[str]) -> str:
    """Asks whether the column was meant that is spelled most alike, if one nearly is."""
    folded = {one.casefold(): one for one in reversed(columns)}
    near = get_close_matches(name.casefold(), folded, 1, MIN_NAME_SIMILARITY)
    return f" (did you mean {folded[near[0]]!r}?)" if near else ""


def _given_options(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what is said; an upload that is of no dataset says so by a name that is None."""
    return {
        name: value
        for name, value in changes.items()
        if value is not None or name == "dataset_name"
    }


def row_type_fault(tables: Mapping[str, Mapping[str, str]]) -> str | None:
    """Says why the tables (columns with their types, by file) cannot be stacked, or None."""
    (first, columns), *others = tables.items()
    for filename, theirs in others:
        if theirs.keys() != columns.keys():
            return _missing_columns(first, columns, filename, theirs)
        for name, kind in theirs.items():
            if kind != columns[name] and {kind, columns[name]} != NUMBERS:
                return f"{name!r} is {columns[name]} in {first} and {kind} in {filename}"
    return None


def _missing_columns(
    first: str, columns: Mapping[str, str], other: str, theirs: Mapping[str, str]
) -> str:
    """Names what each of two files has and the other lacks."""
    lacks = [
        f"{filename} lacks {first_of([repr(name) for name in names], COLUMNS_NAMED)}"
        for filename, names in (
            (first, [name for name in theirs if name not in columns]),
            (other, [name for name in columns if name not in theirs]),
        )
        if names
    ]
    return f"{first} and {other} have different columns ({'; '.join(lacks)})"
