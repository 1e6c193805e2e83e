"""Scoring in steps: workers take them from each other, and the parts become one file."""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fastapi.testclient import TestClient
from tests.api_helpers import used
from tests.factories import ModelSide, make_runner, next_job

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings
from modelwright.jobs.context import JobContext
from modelwright.jobs.errors import LeaseLost
from modelwright.jobs.runner import Runner
from modelwright.scoring.domain import (
    HELPED_TRIES,
    STEP_KIND,
    ScoringStep,
    free_step,
    plan_steps,
)
from modelwright.scoring.scoring_process import batches_of
from modelwright.scoring.service import Scoring, parts_prefix
from modelwright.storage.object_store import ObjectStore
from modelwright.usage.domain import Kind

pytestmark = pytest.mark.usefixtures("in_process_children")
STEP_ROWS = 100
"""The penguins are scored in four steps."""


@pytest.fixture
def upload_id(upload_id: str, penguins: str, worker: Callable[[], int]) -> str:
    """The upload, with nothing left to do for it or for the model."""
    del penguins
    worker()
    return upload_id


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"scoring_step_rows": STEP_ROWS})


@pytest.fixture
def objects(container: Container) -> ObjectStore:
    return container.service(ObjectStore)  # type: ignore[type-abstract]


@pytest.fixture
def whole(container: Container, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Has later uploads scored in one step each."""
    scoring = container.service(Scoring)
    return lambda: monkeypatch.setattr(scoring, "step_rows", 10_000)


Start = Callable[..., dict[str, Any]]


@pytest.fixture
def start(api: TestClient, penguins: str) -> Start:
    """Asks for an upload to be scored."""

    def ask(upload_id: str, **members: Any) -> dict[str, Any]:
        answer = api.post(f"{penguins}/score", json={"upload_id": upload_id, **members})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    return ask


def content_of(api: TestClient, anonymous_client: TestClient, started: dict[str, Any]) -> bytes:
    export = api.get(f"/data/export/{started['export_id']}").json()
    assert export["status"] == "completed", export
    return bytes(anonymous_client.get(export["files"][0]["download_url"]).content)


def done_steps(container: Container, step: JobContext) -> list[tuple[int, int]]:
    """Lists which steps are done, and at which try."""
    with container.database.transaction(step.account_id) as db:
        parts = container.service(Scoring).parts(db, step.subject)
    return [(one.number, one.tries) for one in parts]


def carry_out_all(runner: Runner) -> list[str]:
    """Carries out what is due; returns the kinds of the jobs."""
    kinds = []
    while job := next_job(runner):
        runner.carry_out(job, runner.begin(job))
        kinds.append(job.kind)
    return kinds


class TestFilesInSteps:
    @pytest.mark.parametrize("form", ["csv", "json", "parquet"])
    def test_are_as_files_of_one_step_are(
        self,
        api: TestClient,
        anonymous_client: TestClient,
        upload_id: str,
        start: Start,
        worker: Callable[[], int],
        whole: Callable[[], None],
        form: str,
    ):
        members: dict[str, Any] = {"format": form, "include": ["probabilities"]}
        in_steps = start(upload_id, **members)
        worker()
        whole()
        at_once = start(upload_id, **members)
        worker()
        contents = [content_of(api, anonymous_client, one) for one in (in_steps, at_once)]
        if form == "parquet":
            tables = [pq.read_table(io.BytesIO(one)) for one in contents]
            assert tables[0].equals(tables[1])
            assert len(tables[0]) == 344
        else:
            assert contents[0] == contents[1]
            assert contents[0].count(b"\n") > 344

    def test_leave_no_parts_and_count_each_row_once(
        self,
        api: TestClient,
        upload_id: str,
        start: Start,
        worker: Callable[[], int],
        objects: ObjectStore,
    ):
        started = start(upload_id)
        worker()
        assert list(objects.keys(parts_prefix(started["export_id"]))) == []
        assert used(api, Kind.PREDICTIONS) == 344

    def test_say_of_all_steps_why_a_row_has_no_prediction_where_one_has_none(
        self,
        api: TestClient,
        anonymous_client: TestClient,
        model_side: ModelSide,
        penguin_file: Path,
        start: Start,
        worker: Callable[[], int],
    ):
        head, *lines = penguin_file.read_text("utf-8").splitlines()
        place = head.split(",").index("year")
        for row in (250, 320):
            cells = lines[row].split(",")
            cells[place] = "long ago"
            lines[row] = ",".join(cells)
        started = start(model_side.upload("\n".join([head, *lines]) + "\n"), format="json")
        worker()
        rows = json.loads(content_of(api, anonymous_client, started))
        assert len(rows) == 344
        assert [at for at, row in enumerate(rows) if row["prediction_error"]] == [250, 320]
        assert [at for at, row in enumerate(rows) if row["prediction"] is None] == [250, 320]
        export = api.get(f"/data/export/{started['export_id']}").json()
        assert export["files"][0]["notice"] == (
            "2 of 344 rows have no prediction; prediction_error says why, first in row 250"
            " (counted from 0): `year` must be an integer, not a string."
        )


class TestWorkers:
    @pytest.fixture
    def runners(self, container: Container) -> list[Runner]:
        """Two workers of two machines."""
        return [make_runner(container), make_runner(container, "elsewhere")]

    def test_take_steps_from_one_that_is_gone_and_it_can_change_nothing_any_more(
        self,
        api: TestClient,
        anonymous_client: TestClient,
        container: Container,
        settings: Settings,
        clock: FrozenClock,
        upload_id: str,
        start: Start,
        runners: list[Runner],
        whole: Callable[[], None],
        worker: Callable[[], int],
    ):
        started = start(upload_id)
        first, second = runners
        job = next_job(first)
        assert job is not None
        gone = first.begin(job)
        scoring = container.service(Scoring)
        with gone.transaction() as db:
            begun = scoring.begin(db, gone.subject)
            lost = scoring.take(db, gone.subject, gone.name, is_helper=False)
        assert begun is not None
        assert lost.step is not None
        assert set(carry_out_all(second)) == {STEP_KIND}
        assert done_steps(container, gone) == [(1, 1), (2, 1), (3, 1)]
        assert api.get(f"/jobs/{started['job_id']}").json()["status"] == "RUNNING"
        clock.advance(seconds=settings.lease_seconds + 1)
        assert second.take_over((), sole=False) == 1
        with pytest.raises(LeaseLost), gone.transaction() as db:
            scoring.finish_step(db, begun[1], lost.step, "late", {"column": None})
        again = next_job(second)
        assert again is not None
        second.carry_out(again, second.begin(again))
        content = content_of(api, anonymous_client, started)
        whole()
        at_once = start(upload_id)
        worker()
        assert content == content_of(api, anonymous_client, at_once)

    def test_are_seen_as_one_job(
        self, api: TestClient, container: Container, upload_id: str, start: Start
    ):
        started = start(upload_id)
        runner = make_runner(container)
        done = []
        while job := next_job(runner):
            runner.carry_out(job, runner.begin(job))
            done.append(job)
        hidden = [one.lease.job_id for one in done if one.kind == STEP_KIND]
        assert hidden
        for path in (f"/jobs/{hidden[0]}", f"/jobs/{hidden[0]}/logs", f"/jobs/{hidden[0]}/events"):
            assert api.get(path).status_code == 404
        told = api.get("/jobs").json()
        assert [one["job_id"] for one in told["jobs"] if one["kind"] != "processing"] == [
            started["job_id"]
        ]

    def test_stop_helping_what_was_cancelled(
        self,
        api: TestClient,
        container: Container,
        upload_id: str,
        start: Start,
        runners: list[Runner],
        worker: Callable[[], int],
        objects: ObjectStore,
    ):
        started = start(upload_id)
        first, second = runners
        job = next_job(first)
        assert job is not None
        step = first.begin(job)
        with step.transaction() as db:
            container.service(Scoring).begin(db, step.subject)
        helper = next_job(second)
        assert helper is not None
        assert helper.kind == STEP_KIND
        second.carry_out(helper, second.begin(helper))
        assert list(objects.keys(parts_prefix(started["export_id"])))
        api.post(f"/jobs/{started['job_id']}/cancel")
        first.carry_out(job, step)
        assert api.get(f"/data/export/{started['export_id']}").json()["status"] == "failed"
        assert list(objects.keys(parts_prefix(started["export_id"]))) == []
        assert carry_out_all(second) == [STEP_KIND] * 3


class TestPlan:
    def test_has_a_step_at_least_for_each_file(self):
        steps = plan_steps([250, 0, 100], 100)
        assert [(one.number, one.file, one.first_row, one.rows) for one in steps] == [
            (0, 0, 0, 100),
            (1, 0, 100, 100),
            (2, 0, 200, 50),
            (3, 1, 0, 0),
            (4, 2, 0, 100),
        ]

    def test_leaves_a_step_that_helpers_died_of_to_the_scoring_itself(self):
        [step] = plan_steps([1], 1)
        died = ScoringStep(0, 0, 0, 1, False, HELPED_TRIES, "job.1", None, None)
        assert free_step([step], frozenset(), is_helper=True) == step
        assert free_step([died], frozenset({"job.1"}), is_helper=False) is None
        assert free_step([died], frozenset(), is_helper=True) is None
        assert free_step([died], frozenset(), is_helper=False) == died


class TestRowsOfAFile:
    @pytest.fixture
    def file(self, tmp_path: Path) -> Iterator[pq.ParquetFile]:
        path = tmp_path / "rows.parquet"
        pq.write_table(pa.table({"row": list(range(95))}), path, row_group_size=10)
        with pq.ParquetFile(path) as file:
            yield file

    @pytest.mark.parametrize(
        ("first", "rows"), [(0, 95), (0, 7), (7, 3), (10, 10), (9, 2), (33, 40), (90, 5), (0, 0)]
    )
    def test_are_just_those_asked_for(self, file: pq.ParquetFile, first: int, rows: int):
        read = [
            one["row"] for batch in batches_of(file, first, rows, 4) for one in batch.to_pylist()
        ]
        assert read == list(range(first, first + rows))
