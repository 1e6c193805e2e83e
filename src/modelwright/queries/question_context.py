"""What questions are read against: a session's tables, their catalog, and an index of words."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Protocol

from modelwright.core.caching import SingleFlightCache
from modelwright.engines.language.catalog.corrections import DatasetTeaching, corrected
from modelwright.engines.language.table_profile import Profile, Run
from modelwright.sessions.domain import SessionInfo

if TYPE_CHECKING:
    from modelwright.engines.language.catalog.meaning import Catalog
    from modelwright.engines.language.catalog.readings import CatalogReadings
    from modelwright.engines.language.linking.linking import Linker
    from modelwright.engines.language.readers import Reader

MAX_CACHED_SESSIONS = 16
"""Sessions' tables that are known at the same time, each with what was said of it."""


@dataclass(frozen=True, slots=True)
class SessionContext:
    """A session's tables as questions see them."""

    profile: Profile
    """With the metrics of the catalog as columns, and texts that are dates as dates."""
    catalog: "Catalog"
    linker: "Linker"
    built_in: Sequence["Reader"]
    """The readers that need no model."""
    conversation: "Reader"
    """Reads what is said after an answer as a change of its statement."""
    readings: "CatalogReadings"
    """Makes SQL that can run of SQL that readers write over metrics."""
    is_working: dict[str, bool] = field(default_factory=dict)
    """Of suggestions that were tried, whether they would be answered."""


class Inferred(Protocol):
    """What was inferred of tables."""

    @property
    def profile(self) -> Profile:
        """What they hold."""

    @property
    def catalog(self) -> "Catalog":
        """What they mean."""

    @property
    def look(self) -> int:
        """Which look at the tables this is; another one may find more."""


Infer = Callable[[SessionInfo, Run, float], Inferred]
"""Infers what a session's tables mean, by asking them, within so many seconds."""


class SessionContexts:
    """Gets to know sessions' tables, and remembers them. Thread-safe."""

    def __init__(self, infer: Infer) -> None:
        self._infer = infer
        self._known: SingleFlightCache[SessionContext] = SingleFlightCache(MAX_CACHED_SESSIONS)

    def find(
        self,
        session: SessionInfo,
        teachings: Sequence[DatasetTeaching],
        run: Run,
        seconds: float,
    ) -> SessionContext:
        """Finds what is known of a session's tables, looked at within so many seconds."""
        found = self._infer(session, run, seconds)
        return self._known.get(
            f"{session.data_id} {found.look} {_digest(teachings)}",
            lambda: _context(found.profile, corrected(found.catalog, teachings)),
        )


def _digest(teachings: Sequence[DatasetTeaching]) -> str:
    """Tells apart what was said."""
    document = json.dumps([asdict(one) for one in teachings], sort_keys=True)
    return sha256(document.encode()).hexdigest()


def _context(studied: Profile, catalog: "Catalog") -> SessionContext:
    """Indexes the tables once for the readers that need no model."""
    from modelwright.engines.language.catalog.readings import (  # noqa: PLC0415 - heavy
        CatalogReadings,
        as_readers_see,
    )
    from modelwright.engines.language.conversation.reader import (  # noqa: PLC0415 - heavy
        ConversationReader,
    )
    from modelwright.engines.language.grammar.reader import (  # noqa: PLC0415 - heavy
        GrammarReader,
    )
    from modelwright.engines.language.linking.linking import Linker  # noqa: PLC0415 - heavy
    from modelwright.engines.language.rule_reader import RuleReader  # noqa: PLC0415 - heavy

    readings = CatalogReadings(catalog)
    tables, catalog, values = as_readers_see(studied.tables, catalog, studied.values)
    linker = Linker(tables, catalog, values)
    built_in: list[Reader] = [
        RuleReader(tables, values, catalog),
        GrammarReader(tables, catalog, values, linker),
    ]
    profile = replace(studied, tables=tables, values=values)
    conversation = ConversationReader(linker, built_in)
    return SessionContext(profile, catalog, linker, built_in, conversation, readings)
