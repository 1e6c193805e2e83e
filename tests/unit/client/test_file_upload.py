"""Files streamed to pre-signed URLs, against a small store that checks what arrives."""

import json
import tracemalloc
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tests.unit.client.scripted import Answer, Scripted, client_of

from modelwright_client.errors import (
    JobFailedError,
    ModelwrightError,
    NotFoundError,
    ValidationError,
)
from modelwright_client.file_upload import Source

MIB = 1 << 20
PART = 16 * MIB
LARGE = 64 * MIB


class Store:
    """Declares, receives and confirms uploads; keeps hashes of the bytes that came."""

    def __init__(
        self, *, refuse_first_url: bool = False, end: str = "complete", breaks: int = 0
    ) -> None:
        self.refuse_first_url = refuse_first_url
        self.end = end
        self.hashes: dict[str, str] = {}
        self.keys_seen: list[str | None] = []
        self.created: Any = None
        self.confirmed: Any = None
        self.received = 0
        self.breaks = breaks
        """How many parts are taken and answered as if they were not."""

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        status, body = self._answer(environ)
        start(f"{status} x", [("Content-Type", "application/json")])
        return [json.dumps(body).encode()]

    def _answer(self, environ: dict[str, Any]) -> tuple[int, Any]:
        place = f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}"
        here = f"http://{environ['HTTP_HOST']}"
        if place.startswith("PUT /storage/"):
            return self._receive(environ, place.removeprefix("PUT /storage/"))
        if place.endswith(("/parts", "/complete")):
            return 200, self._missing(here)
        if place == "GET /data/upload":
            file = {"filename": "a.csv", "presigned_url": f"{here}/storage/fresh/a.csv"}
            return 200, {"uploads": [{"files": [file]}]}
        if place == "GET /uploads/upload_1":
            return 200, {"upload_id": "upload_1", "status": self.end, "error": "a.csv, line 3: x"}
        sent = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
        if place == "POST /data/upload":
            return self._create(sent, here)
        self.confirmed = sent
        return 200, {"upload_id": "upload_1", "status": "processing"}

    def _create(self, sent: Any, here: str) -> tuple[int, Any]:
        self.created = sent
        names = [file["filename"] for file in sent["files"]]
        if len(set(names)) < len(names):
            return 422, {"error": {"code": "validation_failed", "message": "twice", "status": 422}}
        features = [
            {
                **file,
                "presigned_url": f"{here}/storage/{file['filename']}?signature=s",
                "object_key": f"objects/{file['filename']}",
            }
            for file in sent["files"]
        ]
        return 200, {"upload_id": "upload_1", "status": "pending", "files": features}

    def _missing(self, here: str) -> dict[str, Any]:
        parts = [
            {"start": start, "end": start + PART, "presigned_url": f"{here}/storage/parts"}
            for start in range(self.received, LARGE, PART)
        ]
        return {"received_bytes": self.received, "parts": parts}

    def _receive(self, environ: dict[str, Any], name: str) -> tuple[int, Any]:
        self.keys_seen.append(environ.get("HTTP_AUTHORIZATION"))
        left, digest = int(environ["CONTENT_LENGTH"]), sha256()
        while left and (part := environ["wsgi.input"].read(min(left, MIB))):
            digest.update(part)
            left -= len(part)
        if self.refuse_first_url and not name.startswith("fresh/"):
            return 403, {"error": {"code": "forbidden", "message": "expired", "status": 403}}
        if name == "parts":
            self.received += int(environ["CONTENT_LENGTH"])
            if self.breaks:
                self.breaks -= 1
                return 503, {"error": {"code": "busy", "message": "later", "status": 503}}
        self.hashes[name] = digest.hexdigest()
        return 200, {}


def written(folder: Path, name: str, content: bytes) -> Path:
    file = folder / name
    file.write_bytes(content)
    return file


class TestSend:
    def test_takes_files_to_their_urls_confirms_and_waits(self, tmp_path: Path):
        store = Store()
        files = [
            written(tmp_path, "a.csv", b"a,b\n1,2\n"),
            written(tmp_path, "empty.parquet", b""),
        ]
        with client_of(store) as client:
            upload = client.uploads.send(files, name="things")
        assert upload["status"] == "complete"
        assert store.hashes == {file.name: sha256(file.read_bytes()).hexdigest() for file in files}
        assert store.confirmed == {
            "upload_id": "upload_1",
            "status": "complete",
            "files": [
                {"filename": "a.csv", "object_key": "objects/a.csv"},
                {"filename": "empty.parquet", "object_key": "objects/empty.parquet"},
            ],
        }

    def test_says_of_every_file_how_it_is_to_be_read(self, tmp_path: Path):
        store = Store()
        files = [written(tmp_path, name, b"a;b\n1;2\n") for name in ("a.csv", "b.csv")]
        with client_of(store) as client:
            client.uploads.send(files, options={"delimiter": ";", "types": {"a": "string"}})
            told = [file["options"] for file in store.created["files"]]
            assert told == [{"delimiter": ";", "types": {"a": "string"}}] * 2
            client.uploads.send(files)
        assert not any("options" in file for file in store.created["files"])

    @pytest.mark.parametrize("kind", [str, Path])
    def test_one_file_needs_no_list(self, tmp_path: Path, kind: Callable[[Path], Path | str]):
        store = Store()
        with client_of(store) as client:
            client.uploads.send(kind(written(tmp_path, "a.csv", b"a\n1\n")))
        assert list(store.hashes) == ["a.csv"]

    def test_never_shows_the_key_to_the_store(self, tmp_path: Path):
        store = Store()
        with client_of(store) as client:
            client.uploads.send([written(tmp_path, "a.csv", b"a\n1\n")])
        assert store.keys_seen == [None]

    def test_streams_a_large_file_in_constant_memory_and_reports_progress(self, tmp_path: Path):
        file = tmp_path / "large.csv"
        with file.open("wb") as out:
            out.truncate(LARGE)
        steps: list[tuple[int, int]] = []
        with client_of(Store()) as client:
            tracemalloc.start()
            client.uploads.send([file], progress=lambda _, sent, size: steps.append((sent, size)))
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        assert peak < 16 * MIB
        assert sorted(set(steps)) == steps[:-1] == [(part * MIB, LARGE) for part in range(65)]

    def test_goes_on_after_a_break_with_what_is_missing(self, tmp_path: Path):
        file = tmp_path / "large.csv"
        with file.open("wb") as out:
            out.truncate(LARGE)
        store = Store(breaks=3)
        with client_of(store) as client:
            client.uploads.send([file])
        assert store.received == LARGE
        assert store.confirmed["status"] == "complete"

    def test_asks_for_a_fresh_url_when_the_first_has_expired(self, tmp_path: Path):
        store = Store(refuse_first_url=True)
        with client_of(store) as client:
            client.uploads.send([written(tmp_path, "a.csv", b"a\n1\n")])
        assert list(store.hashes) == ["fresh/a.csv"]

    def test_a_missing_file_is_found_before_anything_is_created(self, tmp_path: Path):
        store = Store()
        with client_of(store) as client, pytest.raises(FileNotFoundError):
            client.uploads.send([written(tmp_path, "a.csv", b"a\n"), tmp_path / "b.csv"])
        assert store.hashes == {}

    def test_a_file_that_grows_meanwhile_is_sent_as_it_was_declared(self, tmp_path: Path):
        store = Store()
        file = written(tmp_path, "a.csv", b"a\n1\n")
        source = Source.of(file)
        file.write_bytes(b"a\n1\n2\n")
        with client_of(store) as client:
            source.put(client._calls, f"{client.base_url}/storage/a.csv", None)
        assert store.hashes == {"a.csv": sha256(b"a\n1\n").hexdigest()}

    def test_a_file_that_shrinks_meanwhile_is_said(self, tmp_path: Path):
        file = written(tmp_path, "a.csv", b"a\n1\n")
        source = Source.of(file)
        file.write_bytes(b"a\n")
        with client_of(Store()) as client, pytest.raises(ModelwrightError, match="became shorter"):
            source.put(client._calls, f"{client.base_url}/storage/a.csv", None)

    def test_two_files_of_one_name_are_the_servers_to_refuse(self, tmp_path: Path):
        (tmp_path / "other").mkdir()
        files = [written(tmp_path, "a.csv", b"a\n"), written(tmp_path / "other", "a.csv", b"b\n")]
        with client_of(Store()) as client, pytest.raises(ValidationError):
            client.uploads.send(files)

    def test_a_file_that_is_no_table_raises_the_reason(self, tmp_path: Path):
        store = Store(end="failed")
        with client_of(store) as client, pytest.raises(JobFailedError, match=r"a\.csv, line 3"):
            client.uploads.send([written(tmp_path, "a.csv", b"a\n")])


class TestDownload:
    def test_leaves_no_half_file_behind_a_refusal(self, tmp_path: Path):
        with client_of(Scripted(Answer.refusal(404, "not_found"))) as client:
            file: Any = {
                "filename": "a.csv",
                "size_bytes": 3,
                "download_url": f"{client.base_url}/x",
                "expires_at": "",
            }
            with pytest.raises(NotFoundError):
                client.exports.download(file, tmp_path)
        assert list(tmp_path.iterdir()) == []

    def test_writes_what_came_under_the_files_name(self, tmp_path: Path):
        app = Scripted(Answer("a,b\n1,2\n"))
        with client_of(app) as client:
            file: Any = {
                "filename": "a.csv",
                "size_bytes": 8,
                "download_url": f"{client.base_url}/x?signature=s",
                "expires_at": "",
            }
            place = client.exports.download(file, tmp_path)
        assert place.read_text() == "a,b\n1,2\n"
        assert "authorization" not in app.asked[0].headers

    def test_a_picture_is_fetched_by_its_address(self, tmp_path: Path):
        app = Scripted(Answer("{}"))
        with client_of(app) as client:
            address = f"{client.base_url}/data/visualization/vis_1.json"
            place = client.analysis.visualization(address, tmp_path)
        assert place == tmp_path / "vis_1.json"
        assert place.read_text() == "{}"
        assert app.seen == ["GET /data/visualization/vis_1.json"]
