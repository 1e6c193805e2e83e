"""Wishes that no model of one column can meet, told by their wording; see `unsupported.toml`."""

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from modelwright.engines.language.rules.text.words import fold, name_parts

WISHES = Path(__file__).with_name("unsupported.toml")


@dataclass(frozen=True, slots=True)
class UnsupportedWish:
    """A kind of wish with its wordings, its name and what can be done instead."""

    kind: str
    named: str
    instead: str
    patterns: tuple[re.Pattern[str], ...]
    unless: tuple[re.Pattern[str], ...]
    columns: re.Pattern[str] | None
    """How a column is named that holds what the wish asks for, so that it can be predicted."""

    @property
    def sentence(self) -> str:
        """The refusal: what is asked for by its name, and the remedy."""
        return f"The intent asks for {self.named}: no model can be built of that. {self.instead}"

    def is_meant(self, intent: str, columns: Sequence[str]) -> bool:
        """Returns whether a folded intent asks for it, and no column (as words) holds it."""
        if not any(pattern.search(intent) for pattern in self.patterns):
            return False
        if any(pattern.search(intent) for pattern in self.unless):
            return False
        return self.columns is None or not any(map(self.columns.search, columns))


def unsupported_wish(intent: str, columns: Iterable[str] = ()) -> UnsupportedWish | None:
    """Finds the kind of wish that an intent words and that cannot be met.

    Args:
        intent: What a user wants to predict, in words.
        columns: The names of the table's columns.

    Returns:
        The first kind of the table that fits, None for an ordinary wish.
    """
    folded = " ".join(fold(intent).split())
    names = [" ".join(name_parts(name)) for name in columns]
    return next((wish for wish in _wishes() if wish.is_meant(folded, names)), None)


@cache
def _wishes() -> tuple[UnsupportedWish, ...]:
    told = tomllib.loads(WISHES.read_text(encoding="utf-8"))["wish"]
    return tuple(
        UnsupportedWish(
            one["kind"],
            one["named"],
            one["instead"],
            _compiled(one["patterns"]),
            _compiled(one.get("unless", [])),
            re.compile(one["columns"]) if "columns" in one else None,
        )
        for one in told
    )


def _compiled(patterns: list[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern) for pattern in patterns)
