"""`modelwright demo` against a real server, twice; and its curl lines, sent again."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import httpx
from tests.e2e.fork_server import COMMAND
from tests.e2e.server import Server

CURL = re.compile(r"^curl (?:.*\\\n)*.*$", re.MULTILINE)


def demonstrate(
    server: Server, folder: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, "demo", "--url", server.url],
        env=os.environ | environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def paste(line: str, key: str) -> httpx.Response:
    """Sends a curl line as a shell would, its variable filled in."""
    words = shlex.split(line.replace("\\\n", "").replace("$MODELWRIGHT_API_KEY", key))
    headers = dict(words[at + 1].split(": ", 1) for at, word in enumerate(words) if word == "-H")
    url = next(word for word in words if word.startswith("http"))
    if "-d" in words:
        return httpx.post(url, headers=headers, content=words[words.index("-d") + 1], timeout=60)
    return httpx.get(url, headers=headers, timeout=60)


class TestDemo:
    def test_goes_from_the_file_to_predictions_again_and_again(
        self, server: Server, tmp_path: Path
    ):
        server.client().close()
        first, second = (
            demonstrate(server, tmp_path, MODELWRIGHT_API_KEY=server.key) for _ in range(2)
        )
        assert (first.returncode, first.stderr) == (0, "")
        assert first.stdout.count("The table says Gentoo") == 2
        assert "accuracy" in first.stdout
        assert "/models/penguins/v1.0/infer" in first.stdout
        assert (second.returncode, second.stderr) == (0, "")
        assert "/models/penguins-2/v1.0/infer" in second.stdout
        lines = CURL.findall(first.stdout)
        assert [line for line in lines if server.key in line] == []
        kept = [line for line in lines if re.search("/jobs/|/uploads/upload_|v1.0", line)]
        answers = [paste(line, server.key) for line in kept if " -T " not in line]
        assert [answer.status_code for answer in answers] == [200] * 5
        told = first.stdout.partition("Predict one")[2].partition("The table says")[0]
        assert answers[-2].json()["result"]["species"] in told
        assert len(answers[-1].json()) == 3

    def test_without_a_key_says_how_to_make_one_and_that_works(
        self, server: Server, tmp_path: Path
    ):
        environment = {"MODELWRIGHT_DATA_DIR": str(server.data), "MODELWRIGHT_API_KEY": ""}
        done = demonstrate(server, tmp_path, **environment)
        assert done.returncode == 1
        told = re.search(
            r"export MODELWRIGHT_API_KEY=\$\(modelwright (.*) \| tail -n 1\)", done.stderr
        )
        assert told
        key = server.command(*shlex.split(told[1])).splitlines()[-1]
        me = httpx.get(f"{server.url}/auth/user", headers={"x-api-key": key})
        assert me.json()["email"] == "operator@localhost"
