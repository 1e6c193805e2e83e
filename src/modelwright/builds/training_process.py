"""What a build's process does: plan, fit, leave an artifact. Only child processes import this."""

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from modelwright.builds.checkpoint import checkpoint
from modelwright.builds.domain import (
    LAST_FIT_OVERTIME_SHARE,
    LATE_AT_LEAST,
    MIN_BUILD_SECONDS,
    row_type_fault,
)
from modelwright.builds.parallelism import GATEWAYS
from modelwright.engines.automl.estimators.families import load_libraries
from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.planning.plan import Plan, PlanError
from modelwright.engines.language.rules.intents.tasks import ANSWERS
from modelwright.jobs.errors import JobRefused

if TYPE_CHECKING:
    from modelwright.engines.automl.search.executors import FitExecutor

LOST_RAY = {"message": "Ray was lost: fits go on on this machine.", "level": "WARNING"}
TICK_SECONDS = 0.05
"""The shortest wait for the process, so that the last look is one too."""
Report = Callable[[dict[str, Any]], None]
BuildPayload = Mapping[str, Any]
"""JSON from the worker: `tables` (filename, path, columns), `request`, `seconds`, `folder`, `units`
of columns by their names, and `begun`, when the job began on the monotonic clock, which all
processes of a machine share."""


def plan(payload: BuildPayload, report: Report) -> dict[str, Any]:
    """Makes the plan of a request; refuses with the sentence that says what to change."""
    del report
    return _plan(payload, _stacked(payload)).to_json()


def build(payload: BuildPayload, report: Report) -> dict[str, Any]:
    """Plans and fits, leaves the artifact in the folder and returns what was learnt.

    A fit that is late gives the best model so far, as soon as there is one.
    """
    started, voice = time.monotonic(), ProgressReporter(report)
    intent = payload["request"]["intent"]
    voice.say({"percent": 1, "stage": "planning", "message": f"Planning: {intent}"})
    paths = _stacked(payload)
    made = _plan(payload, paths)
    voice.say({"shown": {"plan": made.to_json()}})
    for message in _warning_texts(made):
        voice.say({"message": message})
    planned = time.monotonic()
    if made.max_iterations is None:  # else few of them are needed
        load_libraries()
    room = min(MIN_BUILD_SECONDS, payload["seconds"])
    least = started + time.monotonic() - planned + room
    deadline = max(payload.get("begun", started) + payload["seconds"], least)
    # A process ends with its answer, whatever still runs in it.
    learning = ThreadPoolExecutor(1).submit(_learn, payload, made, paths, deadline, voice)
    late = deadline + max(LAST_FIT_OVERTIME_SHARE * payload["seconds"], LATE_AT_LEAST)
    learnt = _first(learning, late, Path(payload["folder"]))
    if not learning.done():
        voice.say({"message": "The time is over: the best model so far is kept."})
    voice.say({"percent": 97, "stage": "storing", "message": f"Chosen: {learnt['algorithm']}"})
    for message in learnt["report"]["warnings"]:
        voice.say({"message": message})
    voice.end()
    return learnt


class ProgressReporter:
    """Reports until it is ended: nothing may come after the answer."""

    def __init__(self, report: Report) -> None:
        self._report: Report | None = report
        self._lock = Lock()

    def say(self, what: dict[str, Any]) -> None:
        """Reports."""
        with self._lock:
            if self._report:
                self._report(what)

    def end(self) -> None:
        """Says nothing more."""
        with self._lock:
            self._report = None


def _first(learning: Future[dict[str, Any]], late: float, folder: Path) -> dict[str, Any]:
    """Waits for what is learnt; from `late` on, for whatever model is kept in the folder."""
    while True:
        wait([learning], max(late - time.monotonic(), TICK_SECONDS))
        kept = None if learning.done() else checkpoint(folder)
        if kept is not None:
            return kept
        if learning.done():
            return learning.result()


def _learn(
    payload: BuildPayload, made: Plan, paths: list[Path], deadline: float, voice: ProgressReporter
) -> dict[str, Any]:
    from modelwright.engines.automl.fitting import (  # noqa: PLC0415 - heavy, after the plan
        BuildInputs,
        fit,
    )

    given = BuildInputs(
        paths,
        made,
        Path(payload["folder"]),
        deadline=deadline,
        progress=lambda percent, stage: voice.say({"percent": percent, "stage": stage}),
        executor=_other_machines(voice),
        units=payload.get("units", {}),
    )
    try:
        result = fit(given)
    except PlanError as unplannable:
        raise _plan_refusal(unplannable) from None
    return {**result.to_json(), "plan": made.to_json()}


def _other_machines(voice: ProgressReporter) -> "FitExecutor | None":
    """Returns what fits on a cluster of Ray where there is one that can be reached."""
    from modelwright.engines.automl.search.executors import (  # noqa: PLC0415 - heavy
        RemoteExecutor,
    )

    for gateway in GATEWAYS:
        try:
            executor = RemoteExecutor(gateway, on_lost=lambda: voice.say(LOST_RAY))
        except ConnectionError as away:
            message = f"Ray cannot be reached, so that fits run on this machine: {away}"
            voice.say({"message": message, "level": "WARNING"})
        else:
            voice.say({"message": f"Fits run on Ray, {executor.workers} at a time."})
            return executor
    return None


def _plan(payload: BuildPayload, paths: list[Path]) -> Plan:
    """Plans by the request as it was stored, by an earlier release perhaps."""
    request = payload["request"]
    try:
        return make_plan(
            paths,
            request["intent"],
            input_schema=request["input_schema"],
            output_schema=request["output_schema"],
            metric=request["metric"],
            max_iterations=request["max_iterations"],
            target=request["target"],
            task=request["task"],
            split=request.get("split"),
            threshold=request.get("threshold"),
            costs=request.get("costs"),
            sample_weight=request.get("sample_weight"),
            before=request["before"],
            inherited=request.get("inherited") or (),
            former_target=request.get("former_target"),
            former_positive=request.get("former_positive"),
            seconds=payload["seconds"],
            seed=0,
        )
    except PlanError as unplannable:
        raise _plan_refusal(unplannable) from None


def _stacked(payload: BuildPayload) -> list[Path]:
    """The paths of tables that can be stacked; refuses others, naming the file a build needs."""
    tables = payload["tables"]
    why = row_type_fault({table["filename"]: table["columns"] for table in tables})
    if why is None:
        return [Path(table["path"]) for table in tables]
    fitting = [table["filename"] for table in tables if _check_memory(payload, table)]
    remedy = (
        f"the build needs {' or '.join(fitting)}: upload it alone"
        if fitting
        else "upload the one that has what is to be predicted alone"
    )
    raise JobRefused({"message": f"The files cannot be read as one table: {why}; {remedy}."})


def _check_memory(payload: BuildPayload, table: Mapping[str, Any]) -> bool:
    try:
        _plan(payload, [Path(table["path"])])
    except JobRefused:
        return False
    return True


def _warning_texts(made: Plan) -> list[str]:
    left = [f"Left out {one.column}: {one.reason}" for one in made.left_out]
    chosen = f"Predicting {made.target}: {ANSWERS[made.task]}."
    return [chosen, *made.reasons, *left, *made.warnings]


def _plan_refusal(unplannable: PlanError) -> JobRefused:
    message = unplannable.sentence
    absent = [name for name in unplannable.candidates if name not in message]
    if absent:
        message += f" Candidates: {', '.join(absent)}."
    candidates = list(unplannable.candidates)
    return JobRefused(
        {
            "message": message,
            "candidates": candidates,
            "field": unplannable.field,
            "is_unclear": unplannable.is_unclear,
        }
    )
