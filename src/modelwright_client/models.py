"""Models: build them from a sentence, read, amend, retrain, delete."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, TypedDict, Unpack

from modelwright_client._http import HttpTransport, Resource, drop_none, path
from modelwright_client.arguments import refuse_misread, refuse_unknown
from modelwright_client.jobs import Jobs, Progress
from modelwright_client.types import (
    BuildLogs,
    BuildStarted,
    ModelAmended,
    ModelCard,
    ModelDeleted,
    ModelDetail,
    ModelList,
    ModelsStatus,
    ModelsVersionList,
    Planned,
    RetrainStarted,
    VersionDescription,
    VersionStarted,
    VersionState,
)

Schema = Mapping[str, str]
"""Field name to `string`, `integer`, `float`, `boolean` or `date`."""


Task = Literal["binary", "multiclass", "regression"]
SplitBy = Literal["random", "time", "group", "column"]


class Split(TypedDict, total=False):
    """How rows are held out."""

    by: SplitBy
    column: str
    """The column of times, of groups, or that says `test` of the rows to hold out."""


class Costs(TypedDict):
    """What wrong answers cost, in any one unit."""

    false_positive: float
    false_negative: float


class TrainingOptions(TypedDict, total=False):
    """What a request fixes that would else be decided from the intent and the data.

    Attributes:
        target: The column to predict.
        task: binary, multiclass or regression.
        metric: What is optimised, such as `accuracy`, `roc_auc`, `log_loss`, `rmse`.
        max_iterations: Candidates tried at most.
        split: How rows are held out to judge the model by.
        threshold: The probability from which on the positive class is said.
        costs: What wrong answers cost, in place of a threshold.
        sample_weight: The column of numbers that say how much each row counts.
    """

    target: str
    task: Task
    metric: str
    max_iterations: int
    split: Split
    threshold: float
    costs: Costs
    sample_weight: str


class VersionOptions(TrainingOptions, total=False):
    """The schemas of a new version, besides the options of training.

    Attributes:
        input_schema: Types of the fields that it takes, by name.
        output_schema: Types of the fields that it gives, by name.
    """

    input_schema: Schema
    output_schema: Schema


class BuildOptions(VersionOptions, total=False):
    """Options of a new model, besides its intent and its data.

    Attributes:
        name: Name for people.
        description: What it is for, in words.
        tags: Labels to find it by.
        plan_id: The plan that was looked at; the build is refused where it would be of another.
    """

    name: str
    description: str
    tags: Sequence[str]
    plan_id: str


class Models(Resource):
    """Models and their versions."""

    def __init__(self, calls: HttpTransport, jobs: Jobs) -> None:
        super().__init__(calls)
        self._jobs = jobs

    def create(
        self, model_name: str, *, intent: str, dataset_id: str, **members: Unpack[BuildOptions]
    ) -> BuildStarted:
        """Starts a build; refused with `ConflictError` when the name is taken.

        `dataset_id` is an upload's id, a dataset's name, or `name@v1.2`.

        Args:
            model_name: Name of the model.
            intent: What is to be predicted, in words.
            dataset_id: An upload's id, a dataset's name, or `name@v1.2`.
            **members: What else is fixed; see `BuildOptions`.

        Returns:
            The name, the first version and the job that builds it.
        """
        refuse_unknown("create", members, BuildOptions)
        body = {"intent": intent, "dataset_id": dataset_id, **members}
        return self._calls.post(path("models", model_name), BuildStarted, drop_none(body))

    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        status: ModelsStatus | None = None,
        sort_by: Literal["created_at", "name"] | None = None,
        sort_dir: Literal["asc", "desc"] | None = None,
    ) -> ModelList:
        """Lists the account's models.

        Args:
            limit: How many entries at most.
            offset: How many entries to skip.
            status: Only those in this state.
            sort_by: created_at or name.
            sort_dir: asc or desc.

        Returns:
            A page of models, each with its newest version.
        """
        query = {
            "limit": limit,
            "offset": offset,
            "status": status,
            "sort_by": sort_by,
            "sort_dir": sort_dir,
        }
        return self._calls.get("/models", ModelList, query)

    def read(self, model_name: str) -> ModelDetail:
        """Shows a model as its newest `READY` version has it.

        Args:
            model_name: Name of the model.

        Returns:
            The model's labels, newest version and deployments.
        """
        return self._calls.get(path("models", model_name), ModelDetail)

    def status(self, model_name: str, model_version: str) -> VersionState:
        """Shows the state of a version.

        Args:
            model_name: Name of the model.
            model_version: Version of it, such as `v1.2`.

        Returns:
            Status of the version, and what went wrong where it is `ERROR`.
        """
        return self._calls.get(path("models", model_name, model_version, "status"), VersionState)

    def describe(self, model_name: str, model_version: str) -> VersionDescription:
        """Shows schemas, metrics on unseen rows, algorithm and feature importance of a version.

        Args:
            model_name: Name of the model.
            model_version: Version of it, such as `v1.2`.

        Returns:
            Schemas, metrics, algorithm, and each column's share in the predictions.
        """
        where = path("models", model_name, model_version, "describe")
        return self._calls.get(where, VersionDescription)

    def card(self, model_name: str, model_version: str) -> ModelCard:
        """Shows data, plan, metrics, curves and limits of a `READY` version.

        Args:
            model_name: Name of the model.
            model_version: Version of it, such as `v1.2`.

        Returns:
            What the model card of the version says.
        """
        return self._calls.get(path("models", model_name, model_version, "card"), ModelCard)

    def artifact(
        self,
        model_name: str,
        model_version: str,
        target: Path | str = ".",
        *,
        verify_with: str | Sequence[str] | None = None,
    ) -> Path:
        """Downloads a `READY` version into a file or a folder, for `modelwright_client.load`.

        Args:
            model_name: Name of the model.
            model_version: Version of it, such as `v1.2`.
            target: A file, or a folder to put it in.
            verify_with: The server's public key, or several, one of which must have signed it;
                what nobody signed, or somebody else, is not kept. Know the key from elsewhere:
                who answers in the server's place tells a key of his own.

        Returns:
            Where the zip was written.

        Raises:
            ArtifactError: None of the keys signed it, or it is not whole.
        """
        where = path("models", model_name, model_version, "artifact")
        place, name = Path(target), f"{model_name}-{model_version}.zip"
        if verify_with is None:
            return self._calls.download(where, place, name)
        keys = [verify_with] if isinstance(verify_with, str) else verify_with
        place = place / Path(name).name if place.is_dir() else place
        with TemporaryDirectory(dir=place.parent) as folder:
            from modelwright_runtime.predictor import load  # noqa: PLC0415 - needs numpy

            made = self._calls.download(where, Path(folder), place.name)
            load(made, verify_with=keys)
            return made.replace(place)

    def amend(
        self,
        model_name: str,
        *,
        name: str | None = None,
        description: str | None = None,
        tags: Sequence[str] | None = None,
    ) -> ModelAmended:
        """Changes what is given, and nothing else.

        Args:
            model_name: Name of the model.
            name: Name for people.
            description: What it is for, in words.
            tags: Labels to find it by.

        Returns:
            The labels as they are now.
        """
        refuse_misread("tags", tags, Sequence[str])
        body = drop_none({"name": name, "description": description, "tags": tags})
        return self._calls.patch(path("models", model_name), ModelAmended, body)

    def delete(self, model_name: str) -> ModelDeleted:
        """Deletes a model with its versions and deployments, and stops its builds.

        Args:
            model_name: Name of the model.

        Returns:
            The name of what was deleted; it can be restored from the trash.
        """
        return self._calls.delete(path("models", model_name), ModelDeleted)

    def plan(
        self, model_name: str, *, intent: str, dataset_id: str, **members: Unpack[BuildOptions]
    ) -> Planned:
        """Plans a build, with reasons, and stores nothing.

        Args:
            model_name: Name of the model.
            intent: What is to be predicted, in words.
            dataset_id: An upload's id, a dataset's name, or `name@v1.2`.
            **members: What else is fixed; see `BuildOptions`.

        Returns:
            Target, task, metric, columns and split that a build would decide on, and `plan_id`.
        """
        refuse_unknown("plan", members, BuildOptions)
        body = drop_none({"intent": intent, "dataset_id": dataset_id, **members})
        return self._calls.ask(path("models", model_name, "plan"), Planned, body)

    def retrain(
        self,
        model_name: str,
        *,
        upload_id: str | None = None,
        goal: str | None = None,
        **pins: Unpack[TrainingOptions],
    ) -> RetrainStarted:
        """Starts a build of the next minor version; the present one stays in service.

        Args:
            model_name: Name of the model.
            upload_id: Upload to learn from; else the newest of its dataset.
            goal: What to care for, in words.
            **pins: What else is fixed; see `TrainingOptions`.

        Returns:
            The next version and the job that builds it.
        """
        refuse_unknown("retrain", pins, TrainingOptions)
        body = drop_none({"upload_id": upload_id, "goal": goal, **pins})
        return self._calls.post(path("models", model_name, "retrain"), RetrainStarted, body)

    def versions(
        self, model_name: str, *, limit: int | None = None, offset: int | None = None
    ) -> ModelsVersionList:
        """Lists a model's versions, newest first.

        Args:
            model_name: Name of the model.
            limit: How many entries at most.
            offset: How many entries to skip.

        Returns:
            A page of versions with their status.
        """
        query = {"limit": limit, "offset": offset}
        return self._calls.get(path("models", model_name, "versions"), ModelsVersionList, query)

    def create_version(
        self,
        model_name: str,
        *,
        dataset_id: str,
        intent: str | None = None,
        **members: Unpack[VersionOptions],
    ) -> VersionStarted:
        """Starts a build of the next major version; what is not given stays as it was.

        Args:
            model_name: Name of the model.
            dataset_id: An upload's id, a dataset's name, or `name@v1.2`.
            intent: What is to be predicted, where that changes.
            **members: What else is fixed; see `VersionOptions`.

        Returns:
            The next version and the job that builds it.
        """
        refuse_unknown("create_version", members, VersionOptions)
        body = drop_none({"dataset_id": dataset_id, "intent": intent, **members})
        return self._calls.post(path("models", model_name, "versions"), VersionStarted, body)

    def build_logs(
        self, *, job_id: str | None = None, limit: int | None = None, offset: int | None = None
    ) -> BuildLogs:
        """Shows the log lines of builds, oldest first.

        Args:
            job_id: Only of this build.
            limit: How many entries at most.
            offset: How many entries to skip.

        Returns:
            A page of log lines.
        """
        query = {"job_id": job_id, "limit": limit, "offset": offset}
        return self._calls.get("/models/build-logs", BuildLogs, query)

    def build(
        self,
        model_name: str,
        intent: str,
        dataset_id: str,
        *,
        wait: bool = True,
        progress: Progress | None = None,
        timeout: float | None = None,
        **members: Unpack[BuildOptions],
    ) -> ModelDetail:
        """Builds a model and returns it when it is `READY`.

        Raises `JobFailedError` with what to change when the build ends in `ERROR`, and
        `JobTimeoutError` after `timeout` seconds. Without `wait` the model returns as a draft.

        Args:
            model_name: Name of the model.
            intent: What is to be predicted, in words.
            dataset_id: An upload's id, a dataset's name, or `name@v1.2`.
            wait: Whether to wait until it is `READY`.
            progress: Called each time the work is looked at.
            timeout: Seconds to wait at most; without it there is no end.
            **members: What else is fixed; see `BuildOptions`.

        Returns:
            The model; without `wait` as a draft.

        Raises:
            JobFailedError: The build ended in `ERROR`; the message says what to change.
            JobTimeoutError: It has not ended after `timeout` seconds; it goes on.
        """
        refuse_unknown("build", members, BuildOptions)
        started = self.create(model_name, intent=intent, dataset_id=dataset_id, **members)
        if wait:
            self._jobs.wait(started["job_id"], progress=progress, timeout=timeout)
        return self.read(model_name)
