"""What is scored, the names of added columns, and how long it may take.

An upload is cut into steps that any worker may take or take over, so that a crash costs one step
and not the whole.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

STEP_KIND = "scoring_step"
"""The kind of the jobs that help a scoring; clients see the scoring itself only."""
MAX_HELPERS = 4
"""Jobs at most that help a scoring at a time."""
HELPED_TRIES = 2
"""How often a step is begun before it is left to the scoring's own job, which may fail of it."""
SECONDS_PER_FILE = 3.0
"""Time that a file takes however small it is."""
ROWS_PER_SECOND = 50_000
"""Rows that a process scores in a second, by which a job's time is bounded."""


@dataclass(frozen=True, slots=True)
class ScoringRequest:
    """An upload to be scored: with which artifact, and what is to stand beside the prediction."""

    export_id: str
    version_id: str
    artifact: str
    include: tuple[str, ...]
    rows: tuple[int, ...]
    """How many rows each file has."""
    units: tuple[dict[str, str], ...] = ()
    """The units of each file's columns, where they have one; none where the upload is gone."""


@dataclass(frozen=True, slots=True)
class ScoringStep:
    """Some rows of one file, which one worker scores."""

    number: int
    file: int
    """Which file of the upload, from 0."""
    first_row: int
    rows: int
    is_lenient: bool
    """Whether rows without a prediction get a reason, as some row of the file has none."""
    tries: int
    holder: str | None
    """The job, and which attempt at it, that was last given the step."""
    key: str | None
    """Where the scored rows lie; None until they do."""
    made: dict[str, Any] | None
    """What came of it: see `scoring_process.score_step`."""


@dataclass(frozen=True, slots=True)
class StepTaken:
    """What a worker gets that asks for a step."""

    step: ScoringStep | None
    """None where no step is free."""
    is_over: bool
    """Whether all steps are done."""
    rows_done: int


def plan_steps(rows: Sequence[int], most: int) -> list[ScoringStep]:
    """Cuts the rows of files into steps, each file into at least one."""
    ranges = [
        (file, first, min(most, total - first))
        for file, total in enumerate(rows)
        for first in range(0, max(total, 1), most)
    ]
    return [
        ScoringStep(number, file, first, count, False, 0, None, None, None)
        for number, (file, first, count) in enumerate(ranges)
    ]


def free_step(
    steps: Iterable[ScoringStep], holders: frozenset[str], *, is_helper: bool
) -> ScoringStep | None:
    """Chooses the step to do next: the first that is not done and that nobody at work has."""
    for one in steps:
        is_free = one.key is None and one.holder not in holders
        if is_free and not (is_helper and one.tries >= HELPED_TRIES):
            return one
    return None


def notice_of(made: Sequence[dict[str, Any]]) -> str | None:
    """Says how many rows of a file have no prediction, if there are any."""
    faults, done = (sum(one[name] for one in made) for name in ("faults", "rows"))
    if not faults:
        return None
    first, column = next((one["first"], one["column"]) for one in made if one["faults"])
    have = "has" if faults == 1 else "have"
    return f"{faults} of {done} rows {have} no prediction; {column} says why, first in {first}."


def seconds_for(rows: Iterable[int]) -> float:
    """Estimates how long the scoring of files takes."""
    return sum(SECONDS_PER_FILE + one / ROWS_PER_SECOND for one in rows)
