"""A family of models: what learns them, what races of it, and what its variations are drawn from.

A family is one file of this package, which registers it. Nothing else names it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

from modelwright.engines.automl.estimators.estimator import Estimator, Settings

MAX_CLASSES_FULL = 30
"""With more outputs only the quick candidates are searched, and no variations."""
MAX_ROWS_X_CLASSES = 200_000
"""With more rows times classes boosting takes long."""


@dataclass(frozen=True, slots=True)
class TableShape:
    """What decides which candidates race for a table."""

    kinds: Sequence[str]
    """What each feature holds, as `feature_kinds` names it."""
    width: int
    """The outputs of a raw prediction."""
    rows: int
    """The rows that a fold is learnt from."""
    is_later: bool = False
    """Whether rows to be predicted are later than those that are learnt from."""

    @property
    def has_many_classes(self) -> bool:
        """Whether there are so many outputs that only the quickest candidates race."""
        return self.width > MAX_CLASSES_FULL

    @property
    def is_slow(self) -> bool:
        """Whether rows times classes are so many that only quick candidates race."""
        return self.width > 1 and self.width * self.rows > MAX_ROWS_X_CLASSES


@dataclass(frozen=True, slots=True)
class Entry:
    """A candidate that a family sends into the race for a table."""

    rank: int
    """Its place in the race, which lower ranks begin; quick and useful ones come first."""
    name: str
    """It begins with the name of the family."""
    settings: Settings = field(default_factory=dict)
    lines: Settings | None = None
    """The settings of lines, where it learns what they leave over."""


def _none(_table: TableShape) -> Sequence[Entry]:
    return ()


@dataclass(frozen=True, slots=True)
class Family:
    """A family of models."""

    name: str
    fit: Estimator
    entries: Callable[[TableShape], Sequence[Entry]] = _none
    """Returns the candidates that race for a table."""
    search_space: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """The values of each setting that variations are drawn from; empty for no variations."""
    is_boosted: bool = False
    """Whether its rounds correct each other: more rows then bear more of them."""
    takes_batches: bool = False
    """Whether it reads very many rows in batches, so that they are never copied as a whole."""
    modules: tuple[str, ...] = ()
    """What it imports late. Without these no candidate of it races: its library is optional."""
    distributions: tuple[str, ...] = ()
    """The distributions whose versions its numbers hang on; of several names the installed ones."""

    def is_installed(self) -> bool:
        """Returns whether its libraries are there.

        Returns:
            Whether they are.
        """
        return all(find_spec(name.partition(".")[0]) for name in self.modules)


FAMILIES: dict[str, Family] = {}
"""All families by their names."""


def register(family: Family) -> Family:
    """Makes a family known.

    Args:
        family: The family.

    Returns:
        The family.
    """
    FAMILIES[family.name] = family
    return family


def family_of(estimator: Estimator) -> Family | None:
    """Returns the family that an estimator fits, None for one that is not registered.

    Args:
        estimator: What fits a member.

    Returns:
        The family, or None.
    """
    return next((one for one in FAMILIES.values() if one.fit is estimator), None)
