"""The portfolio: which models race, in which order, and how variations of them are drawn.

Time runs out on most tables, so that what is tried first decides what a model is made of.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from modelwright.engines.automl.estimators.additive_model import SEASONAL, fit_additive
from modelwright.engines.automl.estimators.baseline import fit_baseline
from modelwright.engines.automl.estimators.estimator import (
    Deadline,
    Estimator,
    FitRequest,
    Settings,
)
from modelwright.engines.automl.estimators.families import installed
from modelwright.engines.automl.estimators.family import Entry, Family, TableShape, family_of
from modelwright.engines.automl.estimators.fitted_model import FittedModel
from modelwright.engines.automl.estimators.fold_data import FoldData, Rows
from modelwright.engines.automl.estimators.lightgbm import SUBSAMPLED, fit_lightgbm
from modelwright.engines.automl.estimators.linear_trend import fit_over_trend

SETTINGS_PER_VARIATION = 2
"""Settings that a variation draws anew."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model that can race."""

    name: str
    estimator: Estimator
    settings: dict[str, Any] = field(default_factory=dict)
    lines: Settings | None = None
    """The settings of lines, if it learns what they leave over."""

    def fit(
        self,
        fold_data: FoldData,
        train: Rows,
        valid: Rows | None,
        rounds: int | None,
        stop: Deadline,
    ) -> FittedModel:
        """Fits on rows, as its family does.

        Args:
            fold_data: The rows as a fold sees them.
            train: Numbers of the rows to learn from.
            valid: Numbers of the rows that end the training, or None.
            rounds: How long to train; without it until the held-out loss no longer falls.
            stop: When it has to end.

        Returns:
            The fitted model.
        """
        request = FitRequest(fold_data, train, valid, rounds, stop, self.settings)
        if self.lines:
            return fit_over_trend(self.estimator, self.lines, request)
        return self.estimator(request)


BASELINE = Candidate("Constant", fit_baseline)
"""What every other candidate has to beat."""
FALLBACK = Candidate("LightGBM", fit_lightgbm, {**SUBSAMPLED, "num_leaves": 31})
"""What is varied where no member of a blend can be."""
LINEAR = Candidate("Linear", fit_additive)
"""A quick candidate, by which scales of a target are compared."""


def over_seasonal_trend(one: Candidate) -> Candidate:
    """Returns a candidate that learns what seasonal lines leave over.

    Args:
        one: The candidate.

    Returns:
        A copy of another name.
    """
    return replace(one, name=f"{one.name} over seasonal lines", lines=SEASONAL)


def portfolio(
    kinds: Collection[str], width: int, rows: int, *, later: bool = False
) -> list[Candidate]:
    """Returns the candidates that race for a table, quick and useful ones first.

    Args:
        kinds: What each feature holds.
        width: The outputs of a raw prediction.
        rows: The rows that a fold is learnt from.
        later: Whether rows to be predicted are later than those that are learnt from.

    Returns:
        The entries of all families whose libraries are installed, by their ranks.
    """
    table = TableShape(tuple(kinds), width, rows, later)
    entries = [(entry, family) for family in installed() for entry in family.entries(table)]
    return [_candidate(*one) for one in sorted(entries, key=lambda one: one[0].rank)]


def _candidate(entry: Entry, family: Family) -> Candidate:
    return Candidate(entry.name, family.fit, dict(entry.settings), entry.lines)


def mutate(number: int, seed: int, parents: Sequence[Candidate]) -> Candidate:
    """Draws a variation of one of the parents; the same number, seed and parents give the same.

    Args:
        number: Number of the variation.
        seed: What random choices are drawn by.
        parents: Candidates of the present blend.

    Returns:
        A candidate.
    """
    maker = np.random.default_rng([seed, number])
    families = [(one, family_of(one.estimator)) for one in parents]
    able = [(one, family) for one, family in families if family and family.search_space]
    parent, family = able[maker.integers(len(able))] if able else _fallback()
    grid = family.search_space
    changed = maker.choice(
        list(grid), size=min(SETTINGS_PER_VARIATION, len(grid)), replace=False
    ).tolist()
    drawn = {one: maker.choice(np.array(grid[one])).item() for one in changed}
    name = f"{family.name} {number + 1}"
    return replace(parent, name=name, settings={**parent.settings, **drawn})


def _fallback() -> tuple[Candidate, Family]:
    family = family_of(FALLBACK.estimator)
    if family is None:
        raise RuntimeError("the fallback is of no registered family")
    return FALLBACK, family
