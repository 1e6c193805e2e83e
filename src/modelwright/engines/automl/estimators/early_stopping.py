"""Ends the training of boosted trees: when the best round is long past, or the time is over.

One rule for all libraries, each of which asks it in its own way: LightGBM calls it, CatBoost asks
`after_iteration`, and XGBoost, whose callbacks must be of its own class, is given `observe`.
"""

from typing import Any

import numpy as np

from modelwright.engines.automl.estimators.estimator import Deadline

EARLY_STOPPING_ROUNDS = 50
"""Rounds without a lower held-out loss after which training ends."""


class EarlyStopping:
    """Remembers the best round of a training."""

    order = 30
    """After LightGBM's own callbacks, which evaluate the round."""
    before_iteration = False

    def __init__(self, deadline: Deadline) -> None:
        self.deadline = deadline
        self.best_loss, self.best_round, self.rounds = np.inf, 0, 0

    @property
    def used(self) -> int:
        """The rounds to keep: the best ones, or all where none was judged."""
        return self.best_round or max(self.rounds, 1)

    def observe(self, rounds: int, loss: float | None) -> bool:
        """Looks at a round.

        Args:
            rounds: How many there were, this one included.
            loss: The held-out loss after it; None where no rows judge it.

        Returns:
            Whether training is to end.
        """
        self.rounds = rounds
        if loss is not None and loss < self.best_loss:
            self.best_loss, self.best_round = loss, rounds
        is_past = loss is not None and rounds - self.best_round >= EARLY_STOPPING_ROUNDS
        return is_past or self.deadline.expired()

    def __call__(self, env: Any) -> None:
        """Looks at a round of LightGBM."""
        from lightgbm.callback import EarlyStopException  # noqa: PLC0415 - heavy

        judged = env.evaluation_result_list
        if self.observe(env.iteration + 1, judged[0][2] if judged else None):
            raise EarlyStopException(env.iteration, [])

    def after_iteration(self, info: Any) -> bool:
        """Looks at a round of CatBoost; says whether to go on.

        Args:
            info: What CatBoost tells of the round.

        Returns:
            Whether to go on.
        """
        judged = (info.metrics or {}).get("validation")
        loss = next(iter(judged.values()))[-1] if judged else None
        return not self.observe(info.iteration, loss)
