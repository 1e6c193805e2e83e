"""Every runnable block of the documentation runs, page by page, as a reader would paste them."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import pytest
from tests.e2e.server import Server

ROOT = Path(__file__).parents[2]
WRITTEN = sorted(
    page
    for page in (ROOT / "docs").glob("*/*.md")
    if page.parent.name in {"tutorials", "how-to", "explanation"}
    and re.search(r"^```(sh|python)$", page.read_text("utf-8"), re.MULTILINE)
)
PAGES = [ROOT / "README.md", *WRITTEN]
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BUILD_SECONDS = 1


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("docs")
    (folder / "databases").mkdir()
    server = Server(folder, build_seconds=BUILD_SECONDS, sqlite_folder=folder / "databases")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def run(
    server: Server, tmp_path: Path, request: pytest.FixtureRequest
) -> Callable[[str, str], None]:
    """Runs a script as a reader who followed the first tutorial's preparations would."""
    binaries = Path(sys.executable).parent
    environment = os.environ | {
        "PATH": f"{binaries}:{os.environ['PATH']}",
        "MODELWRIGHT_URL": server.url,
        "MODELWRIGHT_API_KEY": server.make_key(f"{request.node.callspec.id}@example.org"),
        "MODELWRIGHT_DATA_DIR": str(server.data),
        "MODELWRIGHT_SQLITE_FOLDER": str(server.settings.sqlite_folder),
    }

    # The README is pasted in the repository, the other pages anywhere.
    folder = ROOT if request.node.callspec.id == "README" else tmp_path

    def run_one(language: str, script: str) -> None:
        command = ["bash", "-euo", "pipefail", "-c"] if language == "sh" else [sys.executable, "-c"]
        done = subprocess.run(
            [*command, script],
            cwd=folder,
            env=environment,
            check=False,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"

    return run_one


BUILT = re.compile(r'models\.build\("([^"]+)"|modelwright build (\S+)|/models/(\w+)" -d')
"""The name of a model that a block builds, in each language."""


class TestPages:
    def test_build_models_of_unlike_names_as_a_reader_may_follow_them_all(self):
        places = {
            (name, page.stem)
            for page in PAGES
            for _, script in BLOCK.findall(page.read_text("utf-8"))
            for found in BUILT.findall(script)
            for name in filter(None, found)
        }
        names = sorted(name for name, _ in places)
        assert len(names) > 5
        assert names == sorted(set(names)), sorted(places)

    @pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.stem)
    def test_ends_the_sessions_that_it_opens_of_which_an_account_has_few(self, page: Path):
        script = "".join(script for _, script in BLOCK.findall(page.read_text("utf-8")))
        opened = re.findall(r"sessions\.(?:use|create)\(", script)
        assert len(opened) == script.count("sessions.end(")

    @pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
    def test_its_blocks_run_one_after_the_other(self, page: Path, run: Callable[[str, str], None]):
        blocks = BLOCK.findall(page.read_text("utf-8"))
        for language, group in groupby(blocks, key=itemgetter(0)):
            # Python blocks that follow each other share their variables.
            run(language, "\n".join(script for _, script in group))
