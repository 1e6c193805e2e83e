"""What the worker makes of confirmed files."""

import gzip
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.api_helpers import used
from tests.unit.storage.disks import small_file_system

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.process import disk_space
from modelwright.jobs.service import Jobs
from modelwright.storage.object_store import ObjectStore
from modelwright.uploads.domain import UploadCompleted
from modelwright.uploads.service import Uploads
from modelwright.uploads.tasks import ProcessUpload
from modelwright.usage.domain import Kind

Take = Callable[..., dict[str, Any]]


class TestProcess:
    def test_every_file_becomes_a_table_whatever_its_format(self, complete: Take):
        upload = complete(
            {
                "sales.csv": b"id,city,price\n1,Berlin,$9.5\n2,Oslo,\n3,,$7\n",
                "packed.csv.gz": gzip.compress(b"code;ok\n007;true\n010;false\n"),
                "records.json": b'[{"day": "2024-02-29", "n": 1}, {"day": null, "n": 2}]',
            }
        )
        assert (upload["status"], upload["error"]) == ("complete", None)
        sales, packed, records = upload["files"]
        assert (sales["rows"], sales["columns"], sales["size_bytes"]) == (3, 3, 42)
        assert sales["column_info"] == [
            {"name": "id", "type": "integer", "nullable": False, "unique": True, "unit": ""},
            {"name": "city", "type": "string", "nullable": True, "unique": True, "unit": ""},
            {"name": "price", "type": "float", "nullable": True, "unique": True, "unit": "$"},
        ]
        types = {column["name"]: column["type"] for column in packed["column_info"]}
        assert types == {"code": "string", "ok": "boolean"}
        types = {column["name"]: column["type"] for column in records["column_info"]}
        assert types == {"day": "date", "n": "integer"}

    def test_a_header_without_rows_is_complete(self, complete: Take):
        upload = complete({"a.csv": b"x,y\n"})
        assert (upload["status"], upload["files"][0]["rows"]) == ("complete", 0)

    def test_a_broken_file_fails_the_upload_with_file_line_and_reason(self, complete: Take):
        upload = complete({"good.csv": b"a\n1\n", "bad.csv": b"a,b\n1,2\n3,4\n5,6,7\n"})
        assert upload["status"] == "failed"
        good, bad = upload["files"]
        assert good["error"] is None
        assert bad["error"]["line"] == 4
        assert bad["error"]["message"]
        assert bad["error"]["expected"]
        assert upload["error"].startswith("bad.csv, line 4: ")

    def test_an_empty_file_fails(self, complete: Take):
        upload = complete({"empty.csv": b""})
        assert upload["status"] == "failed"
        assert upload["error"].startswith("empty.csv: ")

    def test_the_job_fails_with_the_same_sentence(self, api: TestClient, complete: Take):
        upload = complete({"empty.csv": b""})
        (job,) = api.get("/jobs").json()["jobs"]
        assert (job["status"], job["kind"]) == ("FAILED", "processing")
        assert job["error"] == upload["error"]
        logs = api.get(f"/jobs/{job['job_id']}/logs").json()["logs"]
        assert any("empty.csv" in line["message"] for line in logs)

    def test_what_it_needed_too_much_of_is_told(self, container: Container, complete: Take):
        short = container.settings.model_copy(update={"processing_seconds": 0.05})
        handler = container.handlers[0]
        assert isinstance(handler, ProcessUpload)
        handler.settings = short
        upload = complete()
        assert upload["status"] == "failed"
        assert "0.05 seconds" in upload["error"]

    def test_completion_is_announced_once_with_the_tables(
        self, container: Container, complete: Take
    ):
        heard: list[UploadCompleted] = []
        container.events.listen(UploadCompleted, lambda _db, event: heard.append(event))
        upload = complete({"a.csv": b"x\n1\n"}, name="things")
        (event,) = heard
        assert (event.upload_id, event.name, event.is_named) == (
            upload["upload_id"],
            "things",
            True,
        )
        (table,) = event.tables
        assert (table.filename, table.rows, table.format) == ("a.csv", 1, "csv")

    def test_what_was_processed_is_metered(self, api: TestClient, complete: Take):
        complete({"a.csv": b"x\n1\n"})
        assert used(api, Kind.GIGABYTES_PROCESSED) == 4 / 1024**3

    def test_a_second_run_changes_nothing(
        self,
        container: Container,
        api: TestClient,
        objects: ObjectStore,
        complete: Take,
        work: Callable[[], int],
    ):
        before = complete({"a.csv": b"x\n1\n"})
        account = api.get("/auth/user").json()["user_id"]
        with container.database.transaction(account) as db:
            container.service(Jobs).enqueue(db, "processing", before["upload_id"])
        assert work() == 1
        assert api.get(f"/uploads/{before['upload_id']}").json() == before

    def test_says_what_was_left_out_of_a_file(
        self,
        api: TestClient,
        declare: Take,
        place: Callable[..., None],
        confirm: Callable[..., Any],
        work: Callable[[], int],
    ):
        upload = declare("sales.csv")
        place(upload, b"shop,units\nNorth,3\nSouth,4\nWest,5\nTotal,12\n")
        confirm(upload)
        work()
        said = "The last row ('Total') adds up the rows above it and is left out."
        file = api.get(f"/uploads/{upload['upload_id']}").json()["files"][0]
        assert (file["rows"], file["notices"]) == (3, [said])
        job = api.get("/jobs").json()["jobs"][0]
        logs = api.get(f"/jobs/{job['job_id']}/logs").json()["logs"]
        assert any(said in line["message"] for line in logs)

    def test_a_second_try_reads_only_files_without_a_table(
        self,
        api: TestClient,
        container: Container,
        objects: ObjectStore,
        declare: Take,
        place: Callable[..., None],
        confirm: Callable[..., Any],
        work: Callable[[], int],
    ):
        upload = declare("a.csv", "b.csv")
        place(upload)
        confirm(upload)
        table = {"format": "csv", "rows": 77, "columns": [], "notices": []}
        account = api.get("/auth/user").json()["user_id"]
        with container.database.transaction(account) as db:
            container.service(Uploads).table_made(db, upload["upload_id"], 1, "tables/x/1", table)
        work()
        done = api.get(f"/uploads/{upload['upload_id']}").json()
        assert [file["rows"] for file in done["files"]] == [77, 3]

    def test_a_job_whose_upload_is_gone_does_no_harm(
        self, container: Container, api: TestClient, work: Callable[[], int]
    ):
        account = api.get("/auth/user").json()["user_id"]
        with container.database.transaction(account) as db:
            container.service(Jobs).enqueue(db, "processing", "upload_gone")
        assert work() == 1
        (job,) = api.get("/jobs").json()["jobs"]
        assert job["status"] == "FAILED"

    def test_a_child_that_crashes_three_times_fails_the_upload(
        self,
        container: Container,
        api: TestClient,
        objects: ObjectStore,
        clock: FrozenClock,
        declare: Take,
        place: Callable[..., None],
        confirm: Callable[..., Any],
        work: Callable[[], int],
        monkeypatch: pytest.MonkeyPatch,
    ):
        monkeypatch.setattr(
            "modelwright.uploads.tasks.CHILD_FUNCTION", "tests.unit.jobs.targets:crash"
        )
        monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
        upload = declare()
        place(upload)
        confirm(upload)
        for _ in range(3):
            work()
            clock.advance(minutes=2)
        done = api.get(f"/uploads/{upload['upload_id']}").json()
        assert done["status"] == "failed"
        assert "crashed 3 times" in done["error"]


def table_of(count: int) -> bytes:
    """A table that hardly gets smaller."""
    rows = (b"%d,%s\n" % (n, secrets.token_hex(32).encode()) for n in range(count))
    return b"n,text\n" + b"".join(rows)


class TestFullDisk:
    def test_converting_waits_until_there_is_space(
        self,
        container: Container,
        api: TestClient,
        clock: FrozenClock,
        declare: Take,
        place: Callable[..., None],
        confirm: Callable[..., Any],
        work: Callable[[], int],
    ):
        upload = declare("large.csv")
        place(upload, table_of(40_000))
        confirm(upload)
        with small_file_system(container.settings.scratch_dir):
            for _ in range(4):
                work()
                clock.advance(minutes=2)
            waiting = api.get(f"/uploads/{upload['upload_id']}").json()
            assert (waiting["status"], waiting["error"]) == ("processing", None)
        work()
        done = api.get(f"/uploads/{upload['upload_id']}").json()
        assert (done["status"], done["files"][0]["rows"]) == ("complete", 40_000)

    def test_storing_waits_until_there_is_space(
        self,
        container: Container,
        api: TestClient,
        clock: FrozenClock,
        objects: ObjectStore,
        declare: Take,
        place: Callable[..., None],
        confirm: Callable[..., Any],
        work: Callable[[], int],
        monkeypatch: pytest.MonkeyPatch,
    ):
        monkeypatch.setattr(disk_space, "RESERVED_BYTES", 0)
        with small_file_system(container.settings.objects_dir) as disk:
            (disk / ".drafts").mkdir()
            upload = declare("large.csv")
            place(upload, table_of(5_000))
            confirm(upload)
            filler = disk / "filler"
            filler.write_bytes(b"x" * (shutil.disk_usage(disk).free - 50_000))
            for _ in range(4):
                work()
                clock.advance(minutes=2)
            waiting = api.get(f"/uploads/{upload['upload_id']}").json()
            assert (waiting["status"], waiting["error"]) == ("processing", None)
            assert list(objects.keys("tables")) == []
            filler.unlink()
            work()
            done = api.get(f"/uploads/{upload['upload_id']}").json()
            assert (done["status"], done["files"][0]["rows"]) == ("complete", 5_000)


class TestRealTables:
    @pytest.mark.parametrize("name", ["adult.csv", "telco.csv"])
    def test_a_benchmark_table_is_complete(self, shared: Path, complete: Take, name: str):
        content = (shared / "tabular" / name).read_bytes()
        upload = complete({name: content})
        assert upload["status"] == "complete"
        (file,) = upload["files"]
        lines = content.count(b"\n") - (0 if content.endswith(b"\n") else -1)
        assert file["rows"] == lines - 1
        assert file["size_bytes"] == len(content)
