"""Looks at tables and infers their catalog; both are kept for the tables used last."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

from modelwright.core.caching import SingleFlightCache
from modelwright.engines.language.table_profile import OWN_FAULTS, Profile, Run, profile
from modelwright.engines.quoting import quoted
from modelwright.sessions.domain import SessionInfo

if TYPE_CHECKING:
    from modelwright.engines.language.catalog.meaning import Catalog, Relationship

MAX_CACHED_UPLOADS = 16
"""Uploads whose tables are known at the same time."""
PROFILE_SECONDS = 6.0
"""Time for looking at the values of a table; what is not seen by then stays unknown."""
SECONDS_BETWEEN_LOOKS = 30.0
"""Tables that there was no time for are looked at again after so long: the machine may have been
busy with something else."""
MAX_LOOKS = 3
"""Looks at tables that there is never time for, as large ones."""


@dataclass(frozen=True, slots=True)
class InferredTables:
    """Tables as they were found to be."""

    profile: Profile
    catalog: "Catalog"
    look: int = 1
    """Which look at the tables this is."""
    until: float = inf
    """When they are to be looked at again, on the monotonic clock."""


class Inference:
    """Infers catalogs. Thread-safe."""

    def __init__(self) -> None:
        self._known: SingleFlightCache[InferredTables] = SingleFlightCache(MAX_CACHED_UPLOADS)

    def infer(self, session: SessionInfo, run: Run, seconds: float) -> InferredTables:
        """Infers what a session's tables mean, within so many seconds and a few at the most."""
        tables = [one.table for one in session.tables]
        units = {
            (one.table, name): unit for one in session.tables for name, unit in one.units.items()
        }
        for look in range(1, MAX_LOOKS + 1):
            found = self._known.get(
                f"{session.data_id} {look}", partial(_inferred, run, tables, units, seconds, look)
            )
            if monotonic() < found.until:
                break
        return found


def _inferred(
    run: Run,
    tables: Sequence[str],
    units: Mapping[tuple[str, str], str],
    seconds: float,
    look: int,
) -> InferredTables:
    from modelwright.engines.language.catalog.inference import (  # noqa: PLC0415 - heavy
        infer_catalog,
    )

    until = monotonic() + min(seconds, PROFILE_SECONDS)
    studied = profile(run, tables, until - monotonic())
    catalog = infer_catalog(studied.tables, studied.types, studied.values, units)
    keys = tuple(
        replace(one, orphans=_orphans(run, one))
        if one.orphans is None and monotonic() < until
        else one
        for one in catalog.relationships
    )
    is_whole = studied.is_whole and monotonic() < until
    again = inf if is_whole else monotonic() + SECONDS_BETWEEN_LOOKS
    return InferredTables(studied, replace(catalog, relationships=keys), look, again)


def _orphans(run: Run, key: "Relationship") -> int | None:
    """Counts the rows whose key names no row; None where that cannot be told."""
    column, to_column = quoted(key.column), quoted(key.to_column)
    asked = (
        f"SELECT count(*) FROM {quoted(key.table)} AS a WHERE {column} IS NOT NULL AND NOT EXISTS"  # noqa: S608 - quoted
        f" (SELECT 1 FROM {quoted(key.to_table)} AS b WHERE b.{to_column} = a.{column})"
    )
    try:
        return int(run(asked, 1).rows[0][0])
    except OWN_FAULTS:
        return None
