"""What `make dist` made, in empty environments without the repository: it installs and works."""

import json
import os
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.bill_of_materials import check
from tests.ports import free_port

pytestmark = pytest.mark.release

ROOT = Path(__file__).parents[2]
DIST = ROOT / "dist"
UV = Path(sys.executable).with_name("uv")
BASE_MB = 30
START_SECONDS = 120.0


def wheel() -> Path:
    return next(DIST.glob("*.whl"))


class Installed:
    """An environment of its own, in a folder that knows nothing of the repository."""

    def __init__(self, folder: Path, extra: str = "") -> None:
        self.folder = folder
        self.bin = folder / "env" / "bin"
        self._run(UV, "venv", "-q", "--python", sys.executable, folder / "env")
        # The lock pins what is tested, so that a library released today breaks nobody's build.
        options = ["--constraint", ROOT / "requirements-dev.lock"]
        python = ["--python", self.bin / "python"]
        self._run(UV, "pip", "install", "-q", *python, *options, f"{wheel()}{extra}")

    def __call__(self, *words: str, **environment: str) -> str:
        return self._run(self.bin / "modelwright", *words, **environment)

    def python(self, script: str) -> str:
        return self._run(self.bin / "python", "-c", script)

    def _run(self, *command: object, **environment: str) -> str:
        plain = {k: v for k, v in os.environ.items() if not k.startswith(("MODELWRIGHT", "PYTHON"))}
        done = subprocess.run(
            [str(word) for word in command],
            cwd=self.folder,
            env=plain | environment,
            check=False,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


class TestFiles:
    def test_the_wheel_and_the_source_carry_the_console(self):
        with zipfile.ZipFile(wheel()) as packed:
            assert "modelwright/console_dist/index.html" in packed.namelist()
        with tarfile.open(next(DIST.glob("*.tar.gz"))) as packed:
            names = packed.getnames()
        assert any(name.endswith("src/modelwright/console_dist/index.html") for name in names)

    def test_the_bill_of_materials_names_all_that_is_locked_with_hashes_and_licences(self):
        text = next(DIST.glob("*.cdx.json")).read_text("utf-8")
        check(text)
        version = json.loads(text)["metadata"]["component"]["version"]
        assert f"-{version}-" in wheel().name


class TestVersions:
    @pytest.mark.parametrize("platform", ["x86_64-unknown-linux-gnu", "aarch64-apple-darwin"])
    @pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
    def test_all_that_the_server_needs_is_there_without_a_compiler(
        self, version: str, platform: str
    ):
        target = ["--python-version", version, "--python-platform", platform]
        locked = ["--constraint", ROOT / "requirements-dev.lock", "--only-binary", ":all:"]
        command = [UV, "pip", "compile", "-q", *target, *locked, "--extra", "server"]
        done = subprocess.run(
            [*map(str, [*command, ROOT / "pyproject.toml"])],
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
            # The first that ONNX Runtime has wheels for.
            env=os.environ | {"MACOSX_DEPLOYMENT_TARGET": "14.0"},
        )
        assert done.returncode == 0, done.stderr
        assert "lightgbm==" in done.stdout

    def test_another_python_is_refused(self):
        with zipfile.ZipFile(wheel()) as packed:
            [name] = [name for name in packed.namelist() if name.endswith(".dist-info/METADATA")]
            metadata = packed.read(name).decode()
        assert "Requires-Python: <3.15,>=3.11" in metadata


class TestBase:
    @pytest.fixture(scope="class")
    @classmethod
    def base(cls, tmp_path_factory: pytest.TempPathFactory) -> Installed:
        return Installed(tmp_path_factory.mktemp("base"))

    def test_is_small(self, base: Installed):
        files = (base.folder / "env").rglob("*")
        size = sum(path.stat().st_size for path in files if path.is_file())
        assert size <= BASE_MB * 1e6

    def test_has_the_client(self, base: Installed):
        assert base.python("import modelwright_client; print(modelwright_client.Client)")
        assert "upload" in base("--help")

    def test_says_what_the_server_and_offline_predictions_need(self, base: Installed):
        for words, extra in ((["serve"], "[server]"),):
            done = subprocess.run(
                [base.bin / "modelwright", *words], capture_output=True, text=True, check=False
            )
            assert done.returncode == 1
            assert f"modelwright-platform{extra}" in done.stderr


class TestRuntime:
    def test_needs_numpy_and_onnxruntime_alone(self, tmp_path: Path):
        runtime = Installed(tmp_path, "[runtime]")
        script = "import modelwright_client as c, sys; c.load; print(*sorted(sys.modules))"
        loaded = set(runtime.python(script).split())
        assert {"numpy", "modelwright_runtime"} <= loaded
        assert not {"httpx", "pandas", "lightgbm", "sqlalchemy"} & loaded


class TestServer:
    @pytest.fixture(scope="class")
    @classmethod
    def server(cls, tmp_path_factory: pytest.TempPathFactory) -> Installed:
        return Installed(tmp_path_factory.mktemp("server"), "[server]")

    @pytest.fixture
    def url(self, server: Installed) -> Iterator[str]:
        port = free_port()
        told = {"DATA_DIR": str(server.folder / "data"), "BUILD_SECONDS": "5"}
        environment = os.environ | {f"MODELWRIGHT_{name}": value for name, value in told.items()}
        command = [str(server.bin / "modelwright"), "serve", "--port", str(port)]
        with subprocess.Popen(command, cwd=server.folder, env=environment) as process:
            url = f"http://127.0.0.1:{port}"
            wait_for(f"{url}/data/health")
            yield url
            process.terminate()
            assert process.wait(60) == 0

    def test_serves_keys_the_console_and_the_demonstration(self, server: Installed, url: str):
        data = {"MODELWRIGHT_DATA_DIR": str(server.folder / "data")}
        made = server("keys", "create", "--name", "n", "--permission-level", "read_write", **data)
        key = made.splitlines()[-1]
        with urllib.request.urlopen(f"{url}/console/") as page:
            assert b"<div id=" in page.read()
        told = server("demo", MODELWRIGHT_URL=url, MODELWRIGHT_API_KEY=key, **data)
        assert "species" in told


def wait_for(url: str) -> None:
    script = (
        "import time, sys, urllib.request, urllib.error\n"
        f"end = time.monotonic() + {START_SECONDS}\n"
        "while time.monotonic() < end:\n"
        "    try:\n"
        f"        urllib.request.urlopen({url!r}); sys.exit(0)\n"
        "    except OSError:\n"
        "        time.sleep(0.1)\n"
        "sys.exit(1)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
