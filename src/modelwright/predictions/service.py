"""Answers rows with a version's compiled predictor, or with the replicas of a deployment."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy.orm import Session

from modelwright.core.clock import Clock, iso
from modelwright.core.errors import ValidationFailed
from modelwright.core.http.context import Caller
from modelwright.core.http.schemas import Json
from modelwright.deployments.domain import ENVIRONMENTS, DeploymentInfo
from modelwright.deployments.service import Deployments
from modelwright.endpoints.domain import EndpointTarget
from modelwright.endpoints.service import Endpoints
from modelwright.models.domain import ServedVersion
from modelwright.models.errors import reading
from modelwright.models.service import Models
from modelwright.monitoring.domain import NotedRequest
from modelwright.monitoring.service import Monitoring
from modelwright.predictions.admission_queue import AdmissionQueue
from modelwright.predictions.errors import refusal_of
from modelwright.predictions.micro_batching import MicroBatcher
from modelwright.predictions.model_cache import PredictorCache
from modelwright.predictions.predict_rows import (
    Includes,
    answer_in_slices,
    answer_many,
    answer_row,
    encoded_row,
    name_version,
    row_answer,
)
from modelwright.predictions.time_slicing import TimeSlicer
from modelwright.storage.object_store import ObjectStore
from modelwright.usage.domain import Kind
from modelwright.usage.service import Usage

if TYPE_CHECKING:
    from modelwright_runtime.prediction_batch import PredictionBatch
    from modelwright_runtime.predictor import Predictor


class Predictions:
    """Answers one row or many; at most `waiting` predictions wait for a thread."""

    def __init__(
        self,
        clock: Clock,
        objects: ObjectStore,
        models: Models,
        deployments: Deployments,
        endpoints: Endpoints,
        usage: Usage,
        monitoring: Monitoring,
        waiting: int,
    ) -> None:
        self._clock = clock
        self._models = models
        self._deployments = deployments
        self._endpoints = endpoints
        self._usage = usage
        self.monitoring = monitoring
        self._predictors = PredictorCache(objects)
        self._micro_batcher = MicroBatcher()
        self._time_slicer = TimeSlicer()
        self.queue = AdmissionQueue(waiting)

    def find(self, db: Session, model_name: str, model_version: str) -> ServedVersion:
        """Finds the version that is to answer; refuses an unknown one and one that is not READY."""
        return self._models.serving(db, model_name, model_version)

    def find_in_service(self, db: Session, model_name: str, environment: str) -> EndpointTarget:
        """Finds what is to answer at an endpoint; refuses an unknown one."""
        if environment not in ENVIRONMENTS:
            known = ", ".join(ENVIRONMENTS)
            raise ValidationFailed.of("environment", f"{environment!r} is none of {known}.")
        return self._endpoints.target(db, model_name, environment)

    def load(self, version: ServedVersion) -> None:
        """Reads what a version has learnt, for it to answer at once; refuses what is damaged."""
        self._predictor(version)

    def has_loaded(self, version: ServedVersion) -> bool:
        """Returns whether a version can answer without being read from storage."""
        return self._predictors.has(version.artifact)

    def infer(
        self,
        caller: Caller,
        version: ServedVersion,
        row: Any,
        request_id: str,
        *,
        include: Includes,
    ) -> Json:
        """Answers one row; refuses what is no object, and fields missing or of a wrong type."""
        predictor = self._predictor(version)
        row = predictor.fields(row)
        answers = answer_row(predictor, row)
        return self._told(caller, version, predictor, row, request_id, answers, include)

    async def infer_together(
        self, caller: Caller, version: ServedVersion, row: Any, request_id: str
    ) -> Json:
        """Answers one row as `infer` does, with all that come in this turn of the event loop."""
        predictor = self._predictor(version)
        row = predictor.fields(row)
        encoded = encoded_row(predictor, row)
        if encoded is None:
            answers = answer_row(predictor, row)
        else:
            answers = await self._micro_batcher.answer(predictor, encoded)
        return self._told(caller, version, predictor, row, request_id, answers, frozenset())

    def many(
        self,
        caller: Caller,
        version: ServedVersion,
        rows: Any,
        request_id: str,
        *,
        include: Includes,
        tells_version: bool = False,
    ) -> list[Json]:
        """Answers rows in their order; refuses more than the limit and, unless told, bad rows."""
        predictor = self._predictor(version)
        items, answers, told = answer_many(predictor, rows, include, request_id)
        self._note(caller, version, request_id, told, answers)
        return name_version(items, version.model_version) if tells_version else items

    async def many_in_slices(
        self, caller: Caller, version: ServedVersion, rows: Any, request_id: str
    ) -> list[Json] | None:
        """Answers rows as `many` does, on the event loop; None where that has to say more."""
        predictor = self._predictor(version)
        told = await self._time_slicer.run(answer_in_slices(predictor, rows, request_id))
        if told is None:
            return None
        items, answers = told
        self._note(caller, version, request_id, rows, answers)
        return items

    def find_deployment(self, db: Session, deployment_id: str) -> DeploymentInfo:
        """Finds the deployment that is to answer; refuses an unknown one and one not ACTIVE."""
        return self._deployments.active(db, deployment_id)

    async def deployed(
        self,
        caller: Caller,
        deployment: DeploymentInfo,
        body: bytes,
        request_id: str,
        *,
        include: Includes,
        is_many: bool | None = None,
    ) -> bytes:
        """Has a replica answer a JSON body, one row or many; returns its JSON.

        Where `is_many` says which of them it must be, that is held, as at an endpoint.

        Refuses what `infer` and `many` refuse, and when no replica can answer.
        """
        moment = iso(self._clock.now())
        head: Json = {"request_id": request_id, "moment": moment, "include": sorted(include)}
        if is_many is not None:
            head["is_many"] = is_many
        told, answer = await self._deployments.calls.ask(deployment.deployment_id, head, body)
        if "rows" not in told:
            raise refusal_of(told)
        self._count(caller, told["rows"])
        self.monitoring.record(
            NotedRequest(
                caller.account_id, deployment.version_id, deployment.artifact, request_id,
                told["told"], told["link"], body=b"" if "columns" in told else body,
                columns=told.get("columns"),
            )
        )  # fmt: skip
        return answer

    def _told(
        self,
        caller: Caller,
        version: ServedVersion,
        predictor: "Predictor",
        row: Json,
        request_id: str,
        answers: "PredictionBatch",
        include: Includes,
    ) -> Json:
        model, moment = (version.model_name, version.model_version), iso(self._clock.now())
        told = row_answer(predictor, row, answers, include, request_id, model, moment)
        self._note(caller, version, request_id, [row], answers)
        return told

    def _note(
        self,
        caller: Caller,
        version: ServedVersion,
        request_id: str,
        rows: Sequence[Json],
        answers: "PredictionBatch",
    ) -> None:
        self._count(caller, len(rows))
        self.monitoring.record(
            NotedRequest(
                caller.account_id, version.version_id, version.artifact, request_id,
                answers.told, answers.raw_prediction, rows,
            )
        )  # fmt: skip

    def _count(self, caller: Caller, rows: int) -> None:
        self._usage.record(caller.account_id, Kind.PREDICTIONS, float(rows), caller.key_id or "")

    def _predictor(self, version: ServedVersion) -> "Predictor":
        with reading(version.model_name, version.model_version):
            return self._predictors.of(version.artifact)
