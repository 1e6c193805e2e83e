"""What is scored, the names of added columns, and how long it may take."""

from collections.abc import Iterable
from dataclasses import dataclass

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


def seconds_for(rows: Iterable[int]) -> float:
    """Estimates how long the scoring of files takes."""
    return sum(SECONDS_PER_FILE + one / ROWS_PER_SECOND for one in rows)


def unique_names(taken: Iterable[str], wanted: Iterable[str]) -> list[str]:
    """Numbers names that are taken already, whatever their case: `prediction_2`."""
    used = {name.casefold() for name in taken}
    names = []
    for name in wanted:
        free, number = name, 1
        while free.casefold() in used:
            number += 1
            free = f"{name}_{number}"
        used.add(free.casefold())
        names.append(free)
    return names
