"""Pure decisions about builds: what a new wish keeps, and whether tables can be stacked."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from modelwright.models.rules import Wish

ARTIFACTS = "artifacts"
GRACE_SECONDS = 120.0
"""How much longer than its own deadline a build's process may live before it is killed."""
LEAST_SECONDS = 6.0
"""What a build has at least once its process is ready, however late that is."""
LATE, LATE_AT_LEAST = 0.05, 0.5
"""How much longer, as a share of its seconds, and in seconds, a build may finish its last fit."""
NUMBERS = {"integer", "float"}
COLUMNS_NAMED = 12


def artifacts_of(version_id: str) -> str:
    """Names the prefix of all artifacts a version's build has stored."""
    return f"{ARTIFACTS}/{version_id}"


def artifact_key(version_id: str, attempt: int) -> str:
    """Names where one attempt at a build stores its artifact, so that none disturbs another."""
    return f"{artifacts_of(version_id)}/{attempt}"


def wish_again(before: Wish, changes: Mapping[str, Any]) -> Wish:
    """Carries a wish over to a new version; what is given anew wins, also over older pins.

    A target named anew takes an older output schema away, and the other way round.
    """
    given = {name: value for name, value in changes.items() if value is not None}
    if "target" in given and "output_schema" not in given:
        before = replace(before, output_schema=None, task=None)
    if "output_schema" in given and "target" not in given:
        before = replace(before, target=None, task=None)
    return replace(before, **given)


def unknown_columns(wish: Wish, columns: Sequence[str]) -> tuple[str, str] | None:
    """Finds a member of a wish that names a column which is not there, and says so."""
    named = {
        "input_schema": list(wish.input_schema or {}),
        "output_schema": list(wish.output_schema or {}),
        "target": [wish.target] if wish.target else [],
    }
    for field, names in named.items():
        for name in names:
            if name not in columns:
                return field, f"there is no column {name!r}; the columns are {listed(columns)}."
    return None


def listed(names: Sequence[str]) -> str:
    """Spells names in a row, the first dozen of many."""
    more = len(names) - COLUMNS_NAMED
    return ", ".join(names[:COLUMNS_NAMED]) + (f" and {more} more" if more > 0 else "")


def misfit(tables: Mapping[str, Mapping[str, str]]) -> str | None:
    """Says why the tables (columns with their types, by file) cannot be stacked, or None."""
    (first, columns), *others = tables.items()
    for filename, theirs in others:
        if theirs.keys() != columns.keys():
            return _lacking(first, columns, filename, theirs)
        for name, kind in theirs.items():
            if kind != columns[name] and {kind, columns[name]} != NUMBERS:
                return f"{name!r} is {columns[name]} in {first} and {kind} in {filename}"
    return None


def _lacking(first: str, columns: Mapping[str, str], other: str, theirs: Mapping[str, str]) -> str:
    """Names what each of two files has and the other lacks."""
    lacks = [
        f"{filename} lacks {listed([repr(name) for name in names])}"
        for filename, names in (
            (first, [name for name in theirs if name not in columns]),
            (other, [name for name in columns if name not in theirs]),
        )
        if names
    ]
    return f"{first} and {other} have different columns ({'; '.join(lacks)})"
