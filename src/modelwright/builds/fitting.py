"""What a build's process does: plan, fit, leave an artifact. Only child processes import this."""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from modelwright.builds.rules import misfit
from modelwright.engines.learn.fitting import fit
from modelwright.engines.learn.plan import Plan, Unplannable, make_plan
from modelwright.jobs.errors import Refused

Report = Callable[[dict[str, Any]], None]
Told = Mapping[str, Any]
"""JSON from the worker: `tables` (filename, path, columns), `wish`, `seconds`, `folder`."""


def plan(told: Told, report: Report) -> dict[str, Any]:
    """Makes the plan of a wish; refuses with the sentence that says what to change."""
    del report
    return _plan(told, _stacked(told)).to_json()


def build(told: Told, report: Report) -> dict[str, Any]:
    """Plans and fits, leaves the artifact in the folder and returns what was learnt."""
    started = time.monotonic()
    report({"percent": 1, "stage": "planning", "message": f"Planning: {told['wish']['intent']}"})
    paths = _stacked(told)
    made = _plan(told, paths)
    for message in _spoken(made):
        report({"message": message})
    try:
        result = fit(
            paths,
            made,
            Path(told["folder"]),
            deadline=started + told["seconds"],
            progress=lambda percent, stage: report({"percent": percent, "stage": stage}),
        )
    except Unplannable as unplannable:
        raise _refused(unplannable) from None
    report({"percent": 97, "stage": "storing", "message": f"Chosen: {result.algorithm}"})
    return {**asdict(result), "plan": made.to_json()}


def _plan(told: Told, paths: list[Path]) -> Plan:
    wish = told["wish"]
    try:
        return make_plan(
            paths,
            wish["intent"],
            input_schema=wish["input_schema"],
            output_schema=wish["output_schema"],
            metric=wish["metric"],
            max_iterations=wish["max_iterations"],
            target=wish["target"],
            task=wish["task"],
            seconds=told["seconds"],
            seed=0,
        )
    except Unplannable as unplannable:
        raise _refused(unplannable) from None


def _stacked(told: Told) -> list[Path]:
    """The paths of tables that can be stacked; refuses others, naming the file a build needs."""
    tables = told["tables"]
    why = misfit({table["filename"]: table["columns"] for table in tables})
    if why is None:
        return [Path(table["path"]) for table in tables]
    fitting = [table["filename"] for table in tables if _fits(told, table)]
    remedy = (
        f"the build needs {' or '.join(fitting)}: upload it alone"
        if fitting
        else "upload the one that has what is to be predicted alone"
    )
    raise Refused({"message": f"The files cannot be read as one table: {why}; {remedy}."})


def _fits(told: Told, table: Mapping[str, Any]) -> bool:
    try:
        _plan(told, [Path(table["path"])])
    except Refused:
        return False
    return True


def _spoken(made: Plan) -> list[str]:
    left = [f"Left out {one.column}: {one.reason}" for one in made.left_out]
    chosen = f"Predicting {made.target} ({made.task}), judged by {made.metric}."
    return [chosen, *made.reasons, *left, *made.warnings]


def _refused(unplannable: Unplannable) -> Refused:
    message = unplannable.sentence
    absent = [name for name in unplannable.candidates if name not in message]
    if absent:
        message += f" Candidates: {', '.join(absent)}."
    candidates = list(unplannable.candidates)
    return Refused({"message": message, "candidates": candidates, "field": unplannable.field})
