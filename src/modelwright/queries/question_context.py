"""What questions are read against: a profile of an upload's tables, and an index of its words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelwright.queries.session_profile import Profile, Run, profile

if TYPE_CHECKING:
    from modelwright.engines.language.rules.answering.questions import Reader

KEPT = 16
"""Uploads whose tables are known at the same time."""
PROFILE_SECONDS = 6.0


@dataclass(frozen=True, slots=True)
class Known:
    """An upload's tables as questions see them."""

    profile: Profile
    reader: "Reader"


def study(run: Run, tables: Sequence[str], seconds: float) -> Known:
    """Gets to know tables, within so many seconds and a few at the most."""
    from modelwright.engines.language.rules.answering.questions import Reader  # noqa: PLC0415 - heavy

    studied = profile(run, tables, min(seconds, PROFILE_SECONDS))
    return Known(studied, Reader(studied.tables, studied.values))
