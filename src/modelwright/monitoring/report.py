"""The monitoring report: each distribution beside that of training, and live metrics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from modelwright.monitoring.domain import ToldTruth

if TYPE_CHECKING:
    from modelwright.engines.automl.monitoring.drift import DriftResult
    from modelwright.engines.automl.monitoring.online_counts import Bins, Watch

EVER_MOVING = "date"
"""The kind of columns that move because time does; that is told, and never called a move."""
SHARE_DECIMALS = 6
"""Decimals of a share."""


@dataclass(frozen=True, slots=True)
class ComparedDistribution:
    """One distribution beside training's."""

    name: str
    kind: str
    bins: tuple[str, ...]
    training: list[float]
    lately: list[float] | None
    shift: "DriftResult"


@dataclass(frozen=True, slots=True)
class Report:
    """What is told of a window."""

    since: datetime
    until: datetime
    rows: int
    examined: int
    columns: list[ComparedDistribution]
    predictions: ComparedDistribution
    truths: int
    unknown_classes: int
    metrics: dict[str, Any]
    training_metrics: dict[str, Any]

    @property
    def moved(self) -> list[str]:
        """Names the columns that moved; the predictions under their target's name."""
        return [
            one.name for one in (*self.columns, self.predictions) if one.shift.verdict == "moved"
        ]


def report(
    watch: "Watch",
    rows: int,
    kept: Sequence[Mapping[str, Any]],
    truths: Sequence[ToldTruth],
    first: datetime,
    now: datetime,
) -> Report:
    """Compares counts with training, and measures predictions by their truths."""
    from modelwright.engines.automl.monitoring.online_counts import merged  # noqa: PLC0415 - numpy is heavy

    counts: dict[str, Any] = {}
    for one in kept:
        counts = merged(counts, dict(one))
    seen, among = counts.get("columns", {}), len(watch.columns) + 1
    columns = [
        _compared(name, bins, watch.rows, seen.get(name, ()), among)
        for name, bins in watch.columns.items()
    ]
    told = _compared(watch.target, watch.told, watch.held_out, counts.get("told", ()), among)
    known = [one for one in truths if one.actual >= 0 or not watch.classes]
    metrics = _measured(watch, known) if known else {}
    before = {name: watch.metrics.get(name) for name in (metrics or _names(watch))}
    return Report(
        first, now, rows, counts.get("examined", 0), columns, told,
        len(truths), len(truths) - len(known), metrics, before,
    )  # fmt: skip


def _names(watch: "Watch") -> list[str]:
    return [
        name
        for name, value in watch.metrics.items()
        if not isinstance(value, dict | list | bool) and name != "lift"
    ]


def _compared(
    name: str, bins: "Bins", rows: int, counts: Sequence[int], among: int
) -> ComparedDistribution:
    from modelwright.engines.automl.monitoring.drift import DriftResult, DriftStatus, shift  # noqa: PLC0415 - late too

    found = shift(bins.shares, rows, counts, among)
    if bins.kind == EVER_MOVING and found.verdict in {DriftStatus.WATCH, DriftStatus.MOVED}:
        found = DriftResult(found.psi, found.noise, DriftStatus.STABLE)
    total = sum(counts)
    lately = [round(one / total, SHARE_DECIMALS) for one in counts] if total else None
    training = [round(one, SHARE_DECIMALS) for one in bins.shares]
    return ComparedDistribution(name, bins.kind, bins.labels, training, lately, found)


def _measured(watch: "Watch", truths: Sequence[ToldTruth]) -> dict[str, Any]:
    """Returns the metrics that a build gives, of predictions and truths."""
    import numpy as np  # noqa: PLC0415 - heavy, kept out of start-up

    from modelwright.engines.automl.reporting.metrics import (  # noqa: PLC0415 - numpy is heavy
        classification,
        regression,
    )
    from modelwright_runtime.objective import Objective  # noqa: PLC0415 - numpy is heavy

    predicted = np.array([one.predicted for one in truths])
    actual = np.array([one.actual for one in truths])
    if not watch.classes:
        return regression(Objective("regression"), predicted[:, None], actual)
    link = np.stack([np.frombuffer(one.link, "<f4") for one in truths]).astype(np.float64)
    found = classification(watch.goal, link, predicted.astype(np.intp), actual)
    found.pop("confusion_matrix")
    return found
