"""Explains single predictions of a model by column: what its components tell, added up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from modelwright_runtime.components.evaluation import ExplainedRows
from modelwright_runtime.model import Model
from modelwright_runtime.objective import Floats

CHUNK_ROWS = 250
"""Rows that are explained together."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Contributions that sum, with the base, to the raw predictions of rows."""

    base: Floats
    parts: Floats
    """Shape (n, columns, width)."""


class Explainer:
    """Explains rows of one model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.names = [column.name for column in model.encoder.columns]
        self.shared = model.encoder.shared()
        self.owners = np.array(model.encoder.owners())

    def explain(self, rows: Sequence[Mapping[str, Any]]) -> Explanation:
        """Explains rows that passed the check, one at least.

        Args:
            rows: Rows that passed the check, each values by the names of the input fields.

        Returns:
            The base, shape (width,), and what each column adds, shape (n, columns, width).
        """
        model, count = self.model, len(self.names) + len(self.shared)
        explained = ExplainedRows(
            model.encoder.many(rows), lambda name: [row.get(name) for row in rows],
            model.goal, model.encoder, self.owners, count,
        )  # fmt: skip
        base, parts = np.array(model.base), np.zeros((len(rows), count, len(model.base)))
        for component in model.components:
            base += component.contributions(explained, parts)
        return Explanation(base, self._shared_out(parts))

    def _shared_out(self, parts: Floats) -> Floats:
        """Returns every column its equal share of what it tells together with others."""
        own = parts[:, : len(self.names)]
        for place, columns in enumerate(self.shared, len(self.names)):
            own[:, columns] += parts[:, place, None] / len(columns)
        return own

    def tell(
        self,
        rows: Sequence[Mapping[str, Any]],
        places: Sequence[int],
        raw_predictions: Sequence[float],
        classes: Sequence[Any],
    ) -> list[dict[str, Any]]:
        """Explains rows in words and numbers.

        `places` name what of each raw prediction is explained.

        Args:
            rows: Rows that passed the check, each values by the names of the input fields.
            places: For each row which of its raw predictions is explained.
            raw_predictions: For each row that raw prediction.
            classes: The classes in the order of their numbers; empty for a regression.

        Returns:
            For each row `link`, `of`, `base`, `contributions` by column, and `sum`.
        """
        pieces = (
            self.explain(rows[at : at + CHUNK_ROWS]) for at in range(0, len(rows), CHUNK_ROWS)
        )
        each = ((one.base, parts) for one in pieces for parts in one.parts)
        goal = self.model.goal
        numeric, scale = goal.task == "regression", goal.scale
        first = int(goal.task == "binary")
        factor, shift = (scale.spread, scale.mean) if numeric else (1.0, 0.0)
        value = (scale.log and "log1p(value)") or "value"
        return [
            {
                "link": {"binary": "log_odds", "multiclass": "score"}.get(goal.task, value),
                "of": None if numeric else classes[place + first],
                "base": float(base[place] * factor + shift),
                "contributions": dict(
                    zip(self.names, (parts[:, place] * factor).tolist(), strict=True)
                ),
                "sum": float(raw_prediction * factor + shift),
            }
            for place, (base, parts), raw_prediction in zip(
                places, each, raw_predictions, strict=True
            )
        ]
