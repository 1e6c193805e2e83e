"""A run of words that may name a column."""

from dataclasses import dataclass

from modelwright.engines.language.rules.columns.index import Column


@dataclass(frozen=True, slots=True)
class Mention:
    """A run of words that may name a column: how much of the name, how much of the words."""

    column: Column
    start: int
    end: int
    named: float
    explained: float

    @property
    def quality(self) -> float:
        """One number for both shares."""
        return 0.65 * self.named + 0.35 * self.explained
