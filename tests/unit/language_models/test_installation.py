"""Files of models are installed whole and checked, or not at all: a real server on loopback."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from modelwright.cli import language_models as commands
from modelwright.language_models import domain, installation
from modelwright.language_models.domain import KNOWN_MODELS, KnownModel, model_files
from modelwright.language_models.installation import InstallationError, copy, download

CONTENT = bytes(range(256)) * 20_000
CUT = 1_500_000


@dataclass
class Site:
    """Serves one file; may break off, and may not know how to resume."""

    address: str = ""
    content: bytes = CONTENT
    breaks_at: list[int] = field(default_factory=list)
    resumes: bool = True
    status: int = 0
    ranges: list[str | None] = field(default_factory=list)


def handler(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = self.headers.get("Range")
            site.ranges.append(asked)
            if self.path == "/moved":
                self.send_response(302)
                self.send_header("Location", "/model.gguf")
                self.end_headers()
                return
            start = int(asked.split("=")[1].rstrip("-")) if asked and site.resumes else 0
            body = site.content[start:]
            self.send_response(site.status or (206 if start else 200))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: site.breaks_at.pop(0)] if site.breaks_at else body)

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(made))
    server.daemon_threads = True
    made.address = f"http://127.0.0.1:{server.server_port}/model.gguf"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield made
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def wanted(site: Site) -> KnownModel:
    return KnownModel(
        "tiny", "A tiny model", site.address, sha256(CONTENT).hexdigest(), len(CONTENT),
        "Apache-2.0", "https://example.org/licence",
    )  # fmt: skip


def seen() -> tuple[list[int], installation.Progress]:
    done: list[int] = []
    return done, lambda at, _total: done.append(at)


class TestKnown:
    def test_sizes_and_hashes_are_the_publishers(self):
        assert [(one.name, one.size_bytes, one.sha256[:8]) for one in KNOWN_MODELS] == [
            ("qwen2.5-coder-1.5b", 1_117_320_768, "cc324af0"),
            ("qwen2.5-coder-0.5b", 491_400_064, "1d961463"),
        ]

    def test_another_name_is_refused_with_those_that_are(self):
        with pytest.raises(InstallationError, match=r"known are qwen2.5-coder-1.5b, .*FILE"):
            installation.known("gpt")


class TestDownload:
    def test_installs_the_file_and_tells_how_far_it_is(self, wanted: KnownModel, tmp_path: Path):
        done, progress = seen()
        path = download(wanted, tmp_path, progress)
        assert path.read_bytes() == CONTENT
        assert done[-1] == len(CONTENT)
        assert done == sorted(done)
        assert len(done) > 1
        assert installation.installed(wanted, tmp_path) == path

    def test_follows_to_where_the_file_is(self, wanted: KnownModel, tmp_path: Path):
        url = wanted.url.replace("/model.gguf", "/moved")
        assert download(wanted, tmp_path, seen()[1], url).read_bytes() == CONTENT

    def test_goes_on_by_itself_where_it_broke_off(
        self, site: Site, wanted: KnownModel, tmp_path: Path
    ):
        site.breaks_at = [CUT, CUT]
        assert download(wanted, tmp_path, seen()[1]).read_bytes() == CONTENT
        assert site.ranges[0] is None
        assert all(one and one.startswith("bytes=") for one in site.ranges[1:])

    def test_goes_on_where_an_earlier_command_stopped(
        self, site: Site, wanted: KnownModel, tmp_path: Path
    ):
        site.breaks_at = [CUT, 0, 0]
        with pytest.raises(InstallationError, match="again"):
            download(wanted, tmp_path, seen()[1])
        assert installation.installed(wanted, tmp_path) is None
        site.breaks_at = []
        assert download(wanted, tmp_path, seen()[1]).read_bytes() == CONTENT
        assert site.ranges[-1] != "bytes=0-"

    def test_begins_anew_where_the_server_can_not_resume(
        self, site: Site, wanted: KnownModel, tmp_path: Path
    ):
        site.breaks_at, site.resumes = [CUT], False
        assert download(wanted, tmp_path, seen()[1]).read_bytes() == CONTENT

    @pytest.mark.parametrize("content", [CONTENT[:-1] + b"x", CONTENT + b"more"])
    def test_another_file_is_not_installed(
        self, site: Site, wanted: KnownModel, tmp_path: Path, content: bytes
    ):
        site.content = content
        with pytest.raises(InstallationError, match=r"publisher"):
            download(wanted, tmp_path, seen()[1])
        assert installation.installed(wanted, tmp_path) is None

    @pytest.mark.parametrize("status", [403, 404, 503])
    def test_a_refusal_is_told(self, site: Site, wanted: KnownModel, tmp_path: Path, status: int):
        site.status = status
        with pytest.raises(InstallationError, match=str(status)):
            download(wanted, tmp_path, seen()[1])

    def test_nobody_there_is_told_with_what_to_do(self, wanted: KnownModel, tmp_path: Path):
        with pytest.raises(InstallationError, match="--from FILE"):
            download(replace(wanted, url="http://127.0.0.1:1/x"), tmp_path, seen()[1])

    def test_needs_room(self, wanted: KnownModel, tmp_path: Path):
        with pytest.raises(InstallationError, match="GB are needed"):
            download(replace(wanted, size_bytes=10**15), tmp_path, seen()[1])


class TestCopy:
    def test_installs_a_file_that_was_brought_here(self, wanted: KnownModel, tmp_path: Path):
        brought = tmp_path / "brought"
        brought.write_bytes(CONTENT)
        assert copy(wanted, brought, tmp_path, seen()[1]).read_bytes() == CONTENT

    @pytest.mark.parametrize("content", [b"", CONTENT[:-1], CONTENT[:-1] + b"x"])
    def test_another_file_is_not_installed(
        self, wanted: KnownModel, tmp_path: Path, content: bytes
    ):
        brought = tmp_path / "brought"
        brought.write_bytes(content)
        with pytest.raises(InstallationError):
            copy(wanted, brought, tmp_path, seen()[1])
        assert installation.installed(wanted, tmp_path) is None

    def test_a_file_that_is_not_there_is_told(self, wanted: KnownModel, tmp_path: Path):
        with pytest.raises(InstallationError, match="can't be copied"):
            copy(wanted, tmp_path / "nothing", tmp_path, seen()[1])


class TestFiles:
    def test_are_those_configured_then_those_installed_the_largest_first(self, tmp_path: Path):
        folder = domain.installed_dir(tmp_path)
        folder.mkdir(parents=True)
        (folder / "small.gguf").write_bytes(b"x")
        (folder / "large.gguf").write_bytes(b"xx")
        (folder / "half.gguf.part").write_bytes(b"xxx")
        found = model_files(tmp_path, [Path("/models/own.gguf"), Path("/models/small.gguf")])
        assert [one.name for one in found] == ["own", "small", "large"]
        assert found[1].path == Path("/models/small.gguf")


class TestCommands:
    @pytest.fixture(autouse=True)
    def _set_up(self, wanted: KnownModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MODELWRIGHT_DATA_DIR", str(tmp_path / "data"))
        for module in (domain, installation, commands):
            monkeypatch.setattr(module, "KNOWN_MODELS", (wanted,))

    def test_install_list_and_remove(self, wanted: KnownModel):
        run = CliRunner()
        installed = run.invoke(commands.app, ["install", "tiny"])
        assert installed.exit_code == 0, installed.output
        assert "Licence: Apache-2.0 (https://example.org/licence)" in installed.output
        assert "Installed and checked" in installed.output
        assert "is installed" in run.invoke(commands.app, ["install", "tiny"]).output
        assert "\tinstalled\t" in run.invoke(commands.app, ["list"]).output
        assert "was removed" in run.invoke(commands.app, ["remove", "tiny"]).output
        assert "\tnot installed\t" in run.invoke(commands.app, ["list"]).output
        assert "not installed" in run.invoke(commands.app, ["remove", "tiny"]).output

    def test_install_from_a_file(self, tmp_path: Path):
        brought = tmp_path / "brought"
        brought.write_bytes(CONTENT)
        done = CliRunner().invoke(commands.app, ["install", "tiny", "--from", str(brought)])
        assert done.exit_code == 0, done.output

    def test_a_wrong_file_ends_with_one_sentence(self, tmp_path: Path):
        brought = tmp_path / "brought"
        brought.write_bytes(b"GGUF")
        done = CliRunner().invoke(commands.app, ["install", "tiny", "--from", str(brought)])
        assert done.exit_code == 1
        assert "4 of 5120000 bytes" in done.output
        assert "Traceback" not in done.output
