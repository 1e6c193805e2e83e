"""Requests and answers of monitoring.

Live figures are told in the shape of the training report, so that both can be set side by side.
"""

import sys
from typing import Annotated, Any

from pydantic import (
    BeforeValidator,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from modelwright.core.http.schemas import RequestBody, ResponseBody, Text, Timestamp
from modelwright.models.domain import ServedVersion
from modelwright.monitoring.domain import MAX_FEEDBACK_ROWS, Feedback
from modelwright.monitoring.report import ComparedDistribution, Report

Actual = StrictBool | StrictInt | StrictFloat | StrictStr


def _plain(actual: Any) -> Any:
    is_number = isinstance(actual, int | float)
    if is_number and not abs(actual) <= sys.float_info.max:
        raise ValueError("is a number too large")
    if not is_number and not isinstance(actual, str):
        raise ValueError("must be a string, a number or a boolean")
    return actual


class TellTruth(RequestBody):
    """The actual outcome of a prediction."""

    request_id: Text
    """The id from the prediction's answer; each row of a batch has its own."""
    actual: Annotated[Actual, BeforeValidator(_plain)]
    """A value of the type that `output_schema` names."""

    def truth(self) -> Feedback:
        """Returns it as the feature knows it."""
        return Feedback(self.request_id, self.actual)


def _one_or_many(body: Any, read: ValidatorFunctionWrapHandler) -> Any:
    return [TellTruth.model_validate(body)] if isinstance(body, dict) else read(body)


_Listed = Annotated[list[TellTruth], Field(min_length=1, max_length=MAX_FEEDBACK_ROWS)]
Truths = Annotated[_Listed, WrapValidator(_one_or_many, json_schema_input_type=TellTruth | _Listed)]
"""One truth, or a list of them."""


class FeedbackTaken(ResponseBody):
    """How many outcomes were recorded."""

    model_name: str
    model_version: str
    accepted: int
    """Outcomes of known predictions; one that is sent again counts again."""
    unknown: list[str]
    """Requests without a known prediction: of another version, too old, or never answered."""


class Distribution(ResponseBody):
    """The distribution of a column, or of the predictions, in training and recently."""

    name: str
    kind: str
    """number, date, text (its length) or category; class or value for the predictions."""
    status: str
    """`stable`, `watch`, `moved`, or `not_enough_data` below 100 rows."""
    psi: float | None
    """Population stability index: 0 for no change, above 0.25 for a large one."""
    noise: float | None
    """What the index may reach by chance alone; below it nothing counts as drift."""
    bins: list[str]
    training: list[float]
    """Share of the rows in each bin."""
    lately: list[float] | None

    @classmethod
    def of(cls, one: ComparedDistribution) -> "Distribution":
        """Shows a comparison."""
        shift = one.shift
        return cls.showing(one, status=shift.verdict, psi=shift.psi, noise=shift.noise)


class LiveMetrics(ResponseBody):
    """Accuracy of the predictions whose outcome was recorded."""

    truths: int
    unknown_classes: int
    """Outcomes that are no class of the model; the metrics leave them out."""
    metrics: dict[str, Any]
    """Named as the version's `metrics`; empty without truths."""
    training_metrics: dict[str, Any]
    """The same ones on the rows held out in training."""


class Monitored(ResponseBody):
    """Recent inputs and predictions of a version, beside its training data."""

    model_name: str
    model_version: str
    since: Timestamp
    until: Timestamp
    rows: int
    """Rows that were answered."""
    examined: int
    """Rows of them whose columns were counted: of very many at once, an evenly spread part."""
    measure: str = "psi"
    moved: list[str]
    """Columns that moved; the target's name where the predictions did."""
    columns: list[Distribution]
    """The most important columns, up to 100."""
    predictions: Distribution
    feedback: LiveMetrics

    @classmethod
    def of(cls, version: ServedVersion, report: Report) -> "Monitored":
        """Shows a report."""
        return cls.showing(
            report,
            model_name=version.model_name,
            model_version=version.model_version,
            columns=[Distribution.of(one) for one in report.columns],
            predictions=Distribution.of(report.predictions),
            feedback=LiveMetrics.model_validate(report),
        )
