"""The model card: its shape as an answer, and a version's limits in sentences of its numbers.

Limits are said in sentences of the version's own numbers: whoever decides by a model reads them,
not a manual.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from modelwright.core.http.schemas import ResponseBody, Timestamp
from modelwright.engines.sentences import first_of
from modelwright.models.domain import ModelInfo, ModelVersionInfo, Schema

FEW_HELD_OUT = 200
"""Held-out rows below which a card says that its metrics are uncertain."""
FEW_OF_CLASS = 30
"""Held-out rows of a class below which a card says the same of it."""
MAX_NAMED_COLUMNS = 5
"""Columns that one sentence names."""
MAX_CALIBRATION_ERROR = 0.05
"""An expected calibration error above this is said."""
Json = Mapping[str, Any]


class CardData(ResponseBody):
    """The data that a version was trained and measured on."""

    dataset_id: str
    dataset_name: str | None
    rows: int
    """Rows with a target."""
    held_out_rows: int
    """Rows that the metrics and curves were taken on; no model saw them before."""
    sha256: str | None
    """The SHA-256 of the tables as they were read; null of versions older than this."""
    target: dict[str, Any]
    """`classes` with their `shares`, or the quantiles of a number."""


class ModelCard(ResponseBody):
    """The model card of a READY version."""

    model_name: str
    model_version: str
    name: str
    description: str
    intent: str
    created_at: Timestamp
    task: str
    target: str
    algorithm: str
    members: dict[str, float]
    """The models of the ensemble, with their weights."""
    training_time_minutes: float | None
    data: CardData
    """The data that it was trained and measured on."""
    input_schema: Schema
    output_schema: Schema
    libraries: dict[str, str]
    """The versions of the libraries that it was trained with."""
    plan: dict[str, Any]
    """What the build decided, with reasons, and the columns left out."""
    metrics: dict[str, Any]
    """With `confidence` (95 % intervals), `baseline`, `lift` and `calibration`."""
    feature_importance: dict[str, float]
    curves: dict[str, Any]
    """`roc` by class, `calibration`, `residuals`: points to draw, never rows."""
    limits: list[str]
    """Limits of the model, in sentences."""

    @classmethod
    def of(cls, model: ModelInfo, version: ModelVersionInfo) -> "ModelCard":
        """Describes a READY version."""
        plan, training = version.plan or {}, version.training
        report = training.get("report", {})
        weights = report.get("weights", {})
        total = sum(weights.values()) or 1.0
        return cls.showing(
            version,
            name=model.name,
            description=model.description,
            intent=version.request.intent,
            task=plan.get("task", ""),
            target=plan.get("target", ""),
            algorithm=training.get("algorithm", ""),
            members={name: weight / total for name, weight in weights.items()},
            training_time_minutes=training.get("training_time_minutes"),
            data=CardData(
                dataset_id=version.request.upload_id,
                dataset_name=version.request.dataset_name,
                rows=training.get("dataset_size", 0),
                held_out_rows=report.get("held_out_rows", 0),
                sha256=report.get("data_sha256"),
                target=report.get("target", {}),
            ),
            input_schema=version.input_schema or {},
            output_schema=version.output_schema or {},
            libraries=report.get("libraries", {}),
            plan=plan,
            feature_importance=training.get("feature_importance", {}),
            curves=report.get("curves", {}),
            limits=_limits_of(version),
        )


def _limits_of(version: ModelVersionInfo) -> list[str]:
    """Says what a reader must know before trusting the version."""
    report, plan = version.training.get("report", {}), version.plan or {}
    said = [*report.get("warnings", ()), *plan.get("warnings", ())]
    said += _of_data(report)
    unweighed = len(version.input_schema or {}) - len(version.training["feature_importance"])
    if unweighed > 0:
        said.append(f"There was no time to measure the importance of {unweighed} columns.")
    said += _of_metrics(version.metrics)
    return [*dict.fromkeys(said), *_of_all(version)]


def _of_data(report: Json) -> Iterator[str]:
    held, rows = report.get("held_out_rows", 0), report.get("rows", 0)
    if held < FEW_HELD_OUT:
        yield f"Only {held} rows were held out to measure it: mind how wide the intervals are."
    target = report.get("target", {})
    shares = zip(target.get("classes", ()), target.get("shares", ()), strict=True)
    rare = [(name, share * rows) for name, share in shares if share * rows < FEW_OF_CLASS]
    if rare:
        few = first_of([f"{name} (about {count:.0f})" for name, count in rare], MAX_NAMED_COLUMNS)
        yield f"Few rows to learn from, so seldom named: {few}."
    naming = report.get("naming", ())
    if naming:
        named = first_of(naming, MAX_NAMED_COLUMNS)
        yield (
            f"Numbers that name things rather than count them: {named}."
            " One that training never had is answered as an average one."
        )
    cut = report.get("stopped_by_the_clock", ())
    if cut:
        yield f"Its time ended while {len(cut)} of its candidates could still learn."


def _of_metrics(metrics: Json) -> Iterator[str]:
    error = metrics.get("calibration", {}).get("expected_error", 0.0)
    if error > MAX_CALIBRATION_ERROR:
        yield f"Its probabilities are off by {error:.1%} on average; see the calibration."
    interval = metrics.get("interval")
    if interval:
        yield (
            f"Of its {interval['level']:.0%} intervals {interval['coverage']:.1%} held the truth"
            " on the held-out rows."
        )


def _of_all(version: ModelVersionInfo) -> Iterator[str]:
    yield (
        "All numbers come from held-out rows of the same table; rows of another time, place or"
        " source may come out worse."
    )
    if "rmse" in version.metrics:
        yield "It never predicts outside the range of the target that it has seen."
    yield "Importance tells what the model looks at, not what causes the target."
