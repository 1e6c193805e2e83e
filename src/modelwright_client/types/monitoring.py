"""What the server answers about drift and truths."""

from typing import Any, Literal, TypedDict

Status = Literal["stable", "watch", "moved", "not_enough_data"]


class Distribution(TypedDict):
    """A column, or the answers, in training and lately: shares of rows by bin."""

    name: str
    kind: str
    status: Status
    psi: float | None
    noise: float | None
    bins: list[str]
    training: list[float]
    lately: list[float] | None


class LiveMetrics(TypedDict):
    """Metrics of predictions whose truth was told, beside those of training."""

    truths: int
    unknown_classes: int
    metrics: dict[str, Any]
    training_metrics: dict[str, Any]


class Monitored(TypedDict):
    """What a version was asked lately, beside its training."""

    model_name: str
    model_version: str
    since: str
    until: str
    rows: int
    examined: int
    measure: str
    moved: list[str]
    columns: list[Distribution]
    predictions: Distribution
    feedback: LiveMetrics


class FeedbackTaken(TypedDict):
    """What became of truths."""

    model_name: str
    model_version: str
    accepted: int
    unknown: list[str]
