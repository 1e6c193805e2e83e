"""The sandbox holds each kind of child: tried from within its own reach, then it does its work."""

import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.built_models import PENGUINS
from tests.factories import CHURN, ModelSide
from tests.unit.connections import servers

from modelwright.bootstrap.container import Container
from modelwright.builds import plan_slots
from modelwright.cli import doctor
from modelwright.connections import connection_tester
from modelwright.core.config.settings import Settings
from modelwright.jobs import context, subprocesses
from modelwright.processes import worker as worker_process
from modelwright.scoring.service import Scoring
from modelwright.system.sandbox import landlock, process, seccomp

linux = pytest.mark.skipif(sys.platform != "linux", reason="this sandbox is Linux's")
PROBE = "tests.unit.jobs.sandbox_probe:probe"
ROOT = Path(__file__).parents[3]
ALWAYS = {"start a thread", "have no rights left", "signal itself", "load another module"}
"""What every child may do."""
Worker = Callable[[], int]


@dataclass
class Probes:
    """What was found in each child, by its target, and what it was told of its surroundings."""

    told: dict[str, Any]
    found: dict[str, dict[str, str]] = field(default_factory=dict)
    may: dict[str, set[str]] = field(default_factory=dict)

    def run(self, target: str, payload: Any, **how: Any) -> dict[str, Any]:
        reach, folder = how.get("reach", subprocesses.NOTHING), how.get("folder")
        told = self.told | {
            "own": str(folder) if folder else "",
            "readable": [path for path in reach.readable if Path(path).is_file()],
            "port": reach.port or self.told["listening"],
        }
        probing = how | {"on_report": lambda _: None}
        self.found[target] = subprocesses.run(PROBE, {**payload, "probe": told}, **probing)
        self.may[target] = {f"read {path}" for path in told["readable"]}
        self.may[target] |= {"use its folder"} if folder else set()
        self.may[target] |= {"connect to its database's port"} if reach.port else set()
        return subprocesses.run(target, payload, **how)


@pytest.fixture
def probes(
    settings: Settings, model_side: ModelSide, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Probes]:
    """Probes every child before it does its work; beside it lie others' things and a listener."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    outside = tmp_path / "outside"
    outside.mkdir()
    model_side.upload("secret\n1\n")
    others = next(path for path in settings.objects_dir.rglob("*.parquet") if path.is_file())
    database, key = settings.data_dir / "modelwright.sqlite", settings.data_dir / "secret.key"
    for path in (database, key):
        path.touch()  # on PostgreSQL there is no file
    with socket.create_server(("127.0.0.1", 0)) as listener:
        made = Probes(
            {
                "object": str(others), "objects": str(settings.objects_dir),
                "database": str(database), "key": str(key), "outside": str(outside),
                "listening": listener.getsockname()[1],
            }
        )  # fmt: skip
        for module in (context, plan_slots, connection_tester):
            monkeypatch.setattr(module, "run_child", made.run)
        yield made
    assert not list(outside.iterdir())


def check(probes: Probes, target: str) -> None:
    """Whether the child could do what it may, and nothing else."""
    found = probes.found[target]
    done = {name for name, result in found.items() if result == "done"}
    assert done == ALWAYS | probes.may[target], found
    refused = {found[name] for name in found.keys() - done}
    assert refused <= {"PermissionError", "OSError"}, found


needs_all = pytest.mark.skipif(bool(process.missing()), reason="this system lacks layers")


@linux
@needs_all
class TestChildren:
    def test_that_reads_an_upload(self, probes: Probes, api: TestClient, worker: Worker):
        files = [{"filename": "a.csv", "content_type": "text/csv"}]
        upload = api.post("/data/upload", json={"files": files}).json()
        address = upload["files"][0]["presigned_url"]
        assert api.put(address, content=CHURN.encode()).status_code == 200
        named = [{"filename": "a.csv", "object_key": upload["files"][0]["object_key"]}]
        told = {"upload_id": upload["upload_id"], "status": "complete", "files": named}
        assert api.post("/uploads/status", json=told).status_code == 200
        worker()
        assert api.get(f"/uploads/{upload['upload_id']}").json()["status"] == "complete"
        check(probes, "modelwright.uploads.conversion:convert_file")

    def test_that_analyses(
        self, probes: Probes, api: TestClient, model_side: ModelSide, worker: Worker
    ):
        asked = api.post("/data/analyze", json={"upload_id": model_side.upload(CHURN)}).json()
        worker()
        analysis = api.get(f"/data/analysis/{asked['job_id']}").json()
        assert analysis["status"] == "completed", analysis
        check(probes, "modelwright.analysis.profiling:profile_table")

    def test_that_plans_and_that_builds(
        self, probes: Probes, api: TestClient, model_side: ModelSide, worker: Worker
    ):
        wish = {"intent": "Predict churn", "dataset_id": model_side.upload(CHURN)}
        planned = api.post("/models/churn/plan", json=wish)
        assert planned.status_code == 200, planned.text
        check(probes, "modelwright.builds.training_process:plan")
        assert api.post("/models/churn", json=wish | {"max_iterations": 1}).status_code == 200
        worker()
        assert api.get("/models/churn/v1.0/status").json()["status"] == "READY"
        check(probes, "modelwright.builds.training_process:build")

    def test_that_exports(
        self, probes: Probes, api: TestClient, model_side: ModelSide, worker: Worker
    ):
        told = {"upload_id": model_side.upload(CHURN), "format": "json"}
        made = api.post("/data/export", json=told).json()
        worker()
        assert api.get(f"/data/export/{made['export_id']}").json()["status"] == "completed"
        check(probes, "modelwright.exports.conversion:convert_file")

    def test_that_scores(
        self,
        probes: Probes,
        api: TestClient,
        model_side: ModelSide,
        penguins: str,
        worker: Worker,
        container: Container,
        monkeypatch: pytest.MonkeyPatch,
    ):
        monkeypatch.setattr(container.service(Scoring), "step_rows", 200)  # two steps
        lines = PENGUINS.read_text("utf-8").splitlines()
        upload_id = model_side.upload("\n".join(line.split(",", 1)[1] for line in lines) + "\n")
        made = api.post(f"{penguins}/score", json={"upload_id": upload_id}).json()
        worker()
        assert api.get(f"/data/export/{made['export_id']}").json()["status"] == "completed"
        for what in ("score_step", "join_parts"):
            check(probes, f"modelwright.scoring.scoring_process:{what}")

    def test_that_reads_a_database(self, probes: Probes, api: TestClient, worker: Worker):
        with servers.postgresql() as server:
            server.run("create table orders (id integer); insert into orders values (1)")
            _bring_in(api, worker, server.body())
        for what in ("probe", "tables", "ingest"):
            check(probes, f"modelwright.connections.driver_process:{what}")


@linux
@needs_all
class TestSqliteFiles:
    @pytest.fixture
    def settings(self, settings: Settings, tmp_path: Path) -> Settings:
        (tmp_path / "files").mkdir()
        return settings.model_copy(update={"sqlite_folder": tmp_path / "files"})

    @pytest.mark.parametrize("kept", ["a journal", "a log", "a log that a writer has open"])
    def test_are_read_and_nothing_beside_them(
        self, probes: Probes, api: TestClient, worker: Worker, tmp_path: Path, kept: str
    ):
        path, other = tmp_path / "files" / "shop.db", tmp_path / "files" / "other.db"
        other.write_text("of somebody else")
        probes.told["object"] = str(other)
        with closing(sqlite3.connect(path)) as db:
            db.execute(f"pragma journal_mode = {'delete' if kept == 'a journal' else 'wal'}")
            db.executescript("create table orders (id integer); insert into orders values (1);")
            if kept != "a log that a writer has open":
                db.close()
            told = {"name": "shop", "type": "sqlite", "database": "shop.db"}
            _bring_in(api, worker, told)
        for what in ("probe", "tables", "ingest"):
            check(probes, f"modelwright.connections.driver_process:{what}")
        assert not list(tmp_path.glob("files/*.db-*")) or kept == "a log that a writer has open"


def _bring_in(api: TestClient, worker: Worker, told: dict[str, Any]) -> None:
    made = api.post("/database/connections", json=told)
    assert made.status_code == 200, made.text
    named = made.json()["connection_id"]
    tables = api.get(f"/database/connections/{named}/tables").json()["tables"]
    assert [one["name"].split(".")[-1] for one in tables] == ["orders"]
    body = {"connection_id": named, "dataset_name": "orders", "table": "orders"}
    asked = api.post("/database/ingest", json=body)
    assert asked.status_code == 200, asked.text
    worker()
    standing = api.get(f"/database/ingest/{asked.json()['ingestion_id']}").json()
    assert (standing["status"], standing["rows"]) == ("completed", 1), standing


class TestMissing:
    @pytest.fixture
    def _old_kernel(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(landlock, "version", lambda: -1)
        monkeypatch.setattr(seccomp, "is_available", lambda: False)

    @pytest.mark.usefixtures("_old_kernel")
    def test_missing_layers_are_named_by_the_doctor(self, settings: Settings):
        finding = doctor._sandbox(settings)
        assert "no landlock: children can reach the files" in finding.message
        assert "no network" in finding.message
        assert finding.remedy

    @pytest.mark.usefixtures("_old_kernel")
    def test_missing_layers_are_logged_at_the_start(self, capfd: pytest.CaptureFixture[str]):
        worker_process._warn_of_missing_sandbox()
        told = "".join(capfd.readouterr())
        assert told.count("sandbox.missing") >= 3

    @linux
    @needs_all
    def test_none_is_found_where_all_stand(self, settings: Settings):
        assert not doctor._sandbox(settings).remedy

    @linux
    def test_it_is_not_entered_beside_threads(self):
        """Landlock would bind this thread and leave the others free."""
        code = (
            "import threading\n"
            "from modelwright.system.sandbox.process import Reach, enter_sandbox\n"
            "threading.Thread(target=threading.Event().wait, daemon=True).start()\n"
            "enter_sandbox(Reach())"
        )
        with pytest.raises(RuntimeError, match="before there are threads"):
            _in_a_process(code)


def _in_a_process(code: str) -> None:
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    if ended.returncode:
        raise RuntimeError(ended.stderr.decode())
