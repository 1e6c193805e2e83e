"""What questions are read against: an upload's tables, their catalog, and an index of words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelwright.queries.session_profile import Profile, Run, profile

if TYPE_CHECKING:
    from modelwright.engines.language.catalog import Catalog
    from modelwright.engines.language.linking.linking import Linker
    from modelwright.engines.language.readers import Reader

KEPT = 16
"""Uploads whose tables are known at the same time."""
PROFILE_SECONDS = 6.0


@dataclass(frozen=True, slots=True)
class SessionContext:
    """An upload's tables as questions see them."""

    profile: Profile
    catalog: "Catalog"
    linker: "Linker"
    built_in: Sequence["Reader"]
    """The readers that need no model."""


def load_context(run: Run, tables: Sequence[str], seconds: float) -> SessionContext:
    """Gets to know tables, within so many seconds and a few at the most."""
    from modelwright.engines.language.catalog_inference import (  # noqa: PLC0415 - heavy
        infer_catalog,
    )
    from modelwright.engines.language.grammar.reader import (  # noqa: PLC0415 - heavy
        GrammarReader,
    )
    from modelwright.engines.language.linking.linking import Linker  # noqa: PLC0415 - heavy
    from modelwright.engines.language.rule_reader import RuleReader  # noqa: PLC0415 - heavy

    studied = profile(run, tables, min(seconds, PROFILE_SECONDS))
    catalog = infer_catalog(studied.tables, studied.types)
    linker = Linker(studied.tables, catalog, studied.values)
    built_in: list[Reader] = [
        RuleReader(studied.tables, studied.values),
        GrammarReader(studied.tables, catalog, studied.values, linker),
    ]
    return SessionContext(studied, catalog, linker, built_in)
