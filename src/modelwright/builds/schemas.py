"""Request and response bodies of builds.

The options are said once and shared by creating, retraining and planning, so that what a plan
accepts a build accepts too.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field

from modelwright.core.http.paging import Pagination
from modelwright.core.http.schemas import Name, RequestBody, ResponseBody, Tag, Text, Timestamp
from modelwright.models.domain import ModelVersionInfo, Schema
from modelwright_runtime.text_keys import composed

Metric = Literal[
    "accuracy",
    "balanced_accuracy",
    "f1",
    "roc_auc",
    "log_loss",
    "precision",
    "recall",
    "rmse",
    "mae",
    "r2",
]
Task = Literal["binary", "multiclass", "regression"]


def _says_something(text: str) -> str:
    if not text.strip():
        raise ValueError("say in words what to predict")
    return text


def _composed(schema: Schema) -> Schema:
    return {composed(name): kind for name, kind in schema.items()}


def _one_column(schema: Schema) -> Schema:
    if len(schema) != 1:
        raise ValueError("name exactly one column, the one to predict")
    return schema


def _some_columns(schema: Schema) -> Schema:
    if not schema:
        raise ValueError("name at least one column, or leave input_schema out")
    return schema


Intent = Annotated[
    Text,
    Field(max_length=2000, json_schema_extra={"pattern": r"\S"}),
    AfterValidator(_says_something),
]
InputSchema = Annotated[
    Schema,
    Field(json_schema_extra={"minProperties": 1}),
    AfterValidator(_some_columns),
    AfterValidator(_composed),
]
OutputSchema = Annotated[
    Schema,
    Field(json_schema_extra={"minProperties": 1, "maxProperties": 1}),
    AfterValidator(_one_column),
    AfterValidator(_composed),
]
Iterations = Annotated[int, Field(ge=1, le=1000)]
ColumnName = Annotated[Text, Field(min_length=1), AfterValidator(composed)]


MAX_COST_RATIO = 1e9
"""As many times the other a cost may be; beyond it no probability lies on one side."""
Threshold = Annotated[float, Field(gt=0, lt=1)]
Cost = Annotated[float, Field(gt=0, le=1e12)]


def _whole_split(split: "Split") -> "Split":
    """Refuses a column that would be passed over, and a way that lacks its column."""
    if split.by == "random" and split.column is not None:
        raise ValueError("rows held out at random go by no column; leave `column` out")
    if split.by in {"group", "column"} and split.column is None:
        raise ValueError(f"a split by {split.by} needs the `column` that it goes by")
    return split


def _comparable_costs(costs: "Costs") -> "Costs":
    """Refuses costs so far apart that the threshold between them is 0 or 1."""
    ratio = costs.false_positive / costs.false_negative
    if not 1 / MAX_COST_RATIO <= ratio <= MAX_COST_RATIO:
        raise ValueError(f"one may be {MAX_COST_RATIO:.0e} times the other at most")
    return costs


class Split(RequestBody):
    """How rows are held out to judge the model by."""

    by: Literal["random", "time", "group", "column"]
    """At random, the latest rows, whole groups, or the rows that a column marks."""
    column: ColumnName | None = None
    """The column of times, of groups, or that says `test` of the rows to hold out."""


class Costs(RequestBody):
    """What wrong answers cost, in any one unit."""

    false_positive: Cost
    """Cost of predicting the positive class wrongly."""
    false_negative: Cost
    """Cost of missing the positive class."""


class BuildOptionsBody(RequestBody):
    """What a request may fix that would else be decided from the intent and the data."""

    target: ColumnName | None = None
    """The column to predict."""
    task: Task | None = None
    metric: Metric | None = None
    """What is optimised."""
    max_iterations: Iterations | None = None
    """How many candidates are tried at most."""
    split: Annotated[Split, AfterValidator(_whole_split)] | None = None
    """How rows are held out; when absent, by time where rows are in its order, else at random."""
    threshold: Threshold | None = None
    """The probability from which the positive class is predicted."""
    costs: Annotated[Costs, AfterValidator(_comparable_costs)] | None = None
    """What wrong answers cost: leads to the threshold that is cheapest."""
    sample_weight: ColumnName | None = None
    """The column with the weight of each row."""


class Retrain(BuildOptionsBody):
    """Starts a new minor version; what is absent is as in the version that the model shows."""

    upload_id: Text | None = None
    """What to train on; the newest version of the training dataset when absent."""
    goal: Intent | None = None
    """Replaces the intent."""


class CreateVersion(BuildOptionsBody):
    """Starts a new major version; what is absent is as in the version that the model shows."""

    dataset_id: Text
    """An upload's id, a dataset's name, or `name@v1.2`."""
    intent: Intent | None = None
    input_schema: InputSchema | None = None
    output_schema: OutputSchema | None = None


class CreateModel(BuildOptionsBody):
    """Makes a model and starts its first build."""

    intent: Intent
    """What to predict, in words: `Predict whether a customer will churn`."""
    dataset_id: Text
    """An upload's id, a dataset's name, or `name@v1.2`."""
    name: Annotated[Name, Field(max_length=200)] | None = None
    """Shown to people; made from the model's name when absent."""
    description: Annotated[Text, Field(max_length=5000)] | None = None
    input_schema: InputSchema | None = None
    """The columns to learn from, with their types; all that serve when absent."""
    output_schema: OutputSchema | None = None
    """The column to predict, with its type; found from the intent when absent."""
    tags: Annotated[list[Tag], Field(max_length=50)] | None = None
    plan_id: Text | None = None
    """The plan that was shown: the build is refused where it would follow another one."""


class BuildStarted(ResponseBody):
    """A build that waits to start."""

    job_id: str
    status: Literal["PENDING"] = "PENDING"
    model_name: str
    model_version: str
    created_at: Timestamp

    @classmethod
    def of(cls, job_id: str, version: ModelVersionInfo) -> Self:
        """Describes the build of a version."""
        return cls.showing(version, job_id=job_id, status="PENDING")


class RetrainStarted(ResponseBody):
    """A retraining that waits to start."""

    job_id: str
    status: Literal["PENDING"] = "PENDING"
    model_name: str
    new_version: str
    created_at: Timestamp

    @classmethod
    def of(cls, job_id: str, version: ModelVersionInfo) -> "RetrainStarted":
        """Describes the build of a model's next minor version."""
        label = version.model_version
        return cls.showing(version, job_id=job_id, status="PENDING", new_version=label)


class VersionStarted(BuildStarted):
    """The build of a new version that waits to start."""

    version_id: str
    version: int


class LeftOut(ResponseBody):
    """A column that the model does not use."""

    column: str
    """Its name."""
    reason: str
    """Why it is left out."""


class Planned(ResponseBody):
    """What a build would do, and why."""

    model_config = ConfigDict(extra="allow")

    plan_id: str
    """Id of the plan; a build that quotes it has the same intent, data and settings."""
    task: Task
    """What kind of answer is predicted."""
    target: str
    """The column to predict."""
    metric: str
    """What is optimised."""
    features: list[str]
    """Columns to learn from."""
    types: dict[str, str]
    """Type of the target and of every feature."""
    kinds: dict[str, str]
    """How each feature is read: number, category, date or text."""
    left_out: list[LeftOut]
    """Columns that the model does not use."""
    warnings: list[str]
    """What may spoil the result."""
    positive_class: Any
    """The positive class; null unless the task is binary."""
    output_type: str
    """Type of the prediction."""
    reasons: list[str]
    """Why it was decided so."""


class BuildLogEntry(ResponseBody):
    """A log line of a build."""

    job_id: str
    model_name: str
    timestamp: Timestamp
    level: str
    message: str


class BuildLogs(ResponseBody):
    """A page of log lines of builds, oldest first."""

    logs: list[BuildLogEntry]
    pagination: Pagination
