"""What tests of models, builds and predictions start from: uploads made at once, moved versions."""

import csv
import json
import tempfile
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
from fastapi.testclient import TestClient
from sqlalchemy.orm import Session

from modelwright.bootstrap.container import Container
from modelwright.core.ids import AccountId
from modelwright.engines.facts import column_facts
from modelwright.jobs.domain import Kind, Lane, Owner
from modelwright.jobs.leases import Claimed
from modelwright.jobs.runner import Runner
from modelwright.jobs.service import Jobs
from modelwright.models.domain import (
    BuildRequest,
    BuildResult,
    Change,
    ModelMetadata,
    ModelVersionInfo,
)
from modelwright.models.service import Models
from modelwright.storage.object_store import ObjectStore
from modelwright.uploads.domain import ConfirmedFile, NewFile, NewUpload
from modelwright.uploads.service import Uploads

CHURN = "plan,age,churn\n" + "basic,30,no\npro,41,yes\nbasic,29,no\npro,52,yes\n" * 20

OUTCOME = BuildResult(
    algorithm="LightGBM",
    metrics={"accuracy": 0.9, "precision": 0.8, "recall": 0.7, "f1_score": 0.75},
    input_schema={"plan": "string", "age": "integer"},
    output_schema={"churn": "string"},
    feature_importance={"plan": 0.7, "age": 0.3},
    dataset_size=80,
    training_seconds=6.0,
    plan={"target": "churn", "task": "binary"},
    report={},
)


class ModelSide:
    """An account's models as the job and other features move them, without building anything."""

    def __init__(self, container: Container, account_id: str) -> None:
        self.container = container
        self.account_id = AccountId(account_id)
        self.models = container.service(Models)
        self.jobs = container.service(Jobs)

    def transaction(self) -> AbstractContextManager[Session]:
        return self.container.database.transaction(self.account_id)

    def upload(self, *tables: str | Path, name: str | None = None) -> str:
        """Stores tables (CSV text or files) as a complete upload and returns its id."""
        return make_upload(self.container, self.account_id, tables, name)

    def draft(
        self, model_name: str, upload_id: str | None = None, *, is_queued: bool = True, **face: Any
    ) -> ModelVersionInfo:
        """Makes a model with a DRAFT version and its waiting job, which workers that run begin."""
        request = BuildRequest("Predict churn", upload_id or self.upload(CHURN))
        with self.transaction() as db:
            version = self.models.create(
                db, model_name, self.account_id, ModelMetadata(**face), request
            )
            if is_queued:
                self._enqueue(db, version)
        return version

    def next(self, model_name: str, change: Change = Change.MINOR) -> ModelVersionInfo:
        """Makes a model's next version."""
        with self.transaction() as db:
            request = self.models.read(db, model_name).shown.request
            version = self.models.add_version(db, model_name, change, request)
            self._enqueue(db, version)
        return version

    def start(self, version: ModelVersionInfo) -> None:
        with self.transaction() as db:
            self.models.start(db, version.version_id)

    def finish(self, version: ModelVersionInfo, outcome: BuildResult = OUTCOME) -> bool:
        with self.transaction() as db:
            key = f"artifacts/{version.version_id}/1"
            return self.models.finish(db, version.version_id, key, outcome)

    def fail(self, version: ModelVersionInfo, why: str) -> None:
        with self.transaction() as db:
            self.models.fail(db, version.version_id, why)

    def ready(self, model_name: str, **face: Any) -> ModelVersionInfo:
        """Makes a model with a READY version."""
        version = self.draft(model_name, **face)
        self.start(version)
        self.finish(version)
        return version

    def _enqueue(self, db: Session, version: ModelVersionInfo) -> None:
        self.jobs.enqueue(db, Kind.BUILD, version.version_id, lane=Lane.BUILD)


@pytest.fixture
def model_side(container: Container, api: TestClient) -> ModelSide:
    """The account of `api`, seen from behind: uploads at once, versions moved by hand."""
    return ModelSide(container, api.get("/auth/user").json()["user_id"])


def next_job(runner: Runner) -> Claimed | None:
    """Takes whatever is due, of any lane."""
    job = runner.claim_cancelled()
    for lane in Lane:
        job = job or runner.claim(lane)
    return job


def make_runner(container: Container, folder: str = "tests") -> Runner:
    """What a worker does to jobs, without its threads; one on each folder."""
    owner = Owner(folder, "tests", "worker")
    return Runner(
        container.database, container.handlers, container.clock, container.settings, owner
    )


@pytest.fixture
def worker(container: Container) -> Callable[[], int]:
    """Carries out what waits, in the calling thread; returns how many jobs there were."""
    runner = make_runner(container)

    def drain() -> int:
        done = 0
        while job := next_job(runner):
            runner.carry_out(job, runner.begin(job))
            done += 1
        return done

    return drain


def make_upload(
    container: Container, account_id: str, tables: Sequence[str | Path], name: str | None = None
) -> str:
    """Carries tables through upload and processing, without HTTP and without a worker."""
    uploads, objects = container.service(Uploads), container.service(ObjectStore)  # type: ignore[type-abstract]
    files = tuple(
        NewFile(_filename(table, place), "text/csv") for place, table in enumerate(tables)
    )
    with container.database.transaction(account_id) as db:
        upload = uploads.create(db, account_id, NewUpload(name, None, files))
        for file, table in zip(upload.files, tables, strict=True):
            with objects.writer(file.object_key) as writer:
                writer.write(table.encode() if isinstance(table, str) else table.read_bytes())
                writer.commit()
        listed = [ConfirmedFile(file.filename, file.object_key) for file in upload.files]
        uploads.confirm(db, upload.upload_id, uploads.take(upload, listed))
        for file, table in zip(upload.files, tables, strict=True):
            key = f"tables/{upload.upload_id}/{file.number}.parquet"
            facts = _as_parquet(table, objects, key)
            uploads.table_made(db, upload.upload_id, file.number, key, facts)
        uploads.finish(db, upload.upload_id)
    return upload.upload_id


def _filename(table: str | Path, place: int) -> str:
    return f"table{place}.csv" if isinstance(table, str) else table.name


def _as_parquet(table: str | Path, objects: ObjectStore, key: str) -> dict[str, Any]:
    parquet, facts = _converted(table.encode() if isinstance(table, str) else table.read_bytes())
    with objects.writer(key) as writer:
        writer.write(parquet)
        writer.commit()
    return json.loads(facts)


@cache
def _converted(table: bytes) -> tuple[bytes, str]:
    """Converts a CSV to Parquet with its facts, once a process: most tests take the same ones."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "table.csv"
        source.write_bytes(table)
        target = Path(folder) / "table.parquet"
        with duckdb.connect() as connection:
            connection.execute(
                f"copy (select * from read_csv('{source}')) to '{target}' (format parquet)"
            )
        columns = [
            {"name": one.name, "type": one.type, "nullable": one.missing > 0, "unique": False}
            for one in column_facts([target])
        ]
        with source.open(newline="") as lines:
            rows = sum(1 for _ in csv.reader(lines)) - 1
        facts = {"format": "csv", "rows": rows, "columns": columns, "notices": []}
        return target.read_bytes(), json.dumps(facts)
