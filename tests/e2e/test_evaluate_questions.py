"""`modelwright evaluate-questions` against a real server."""

import json
import os
import subprocess
from pathlib import Path

from tests.e2e.fork_server import COMMAND
from tests.e2e.server import Server

TABLE = "city,sales\nOslo,3\nOslo,4\nBergen,10\n"
QUESTIONS = [
    {"question": "how many rows are there?", "expected": 3},
    {"question": "total sales by city", "sql": "select city, sum(sales) from shops group by 1"},
    {"question": "what is the average sales", "expected": 99},
    {"question": "who is the mayor of Oslo's sister town", "unanswerable": True},
]


def evaluate(server: Server, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, "evaluate-questions", *words, "--url", server.url],
        env=os.environ | {"MODELWRIGHT_API_KEY": server.key},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_counts_what_is_right_wrong_and_refused(server: Server, tmp_path: Path) -> None:
    data, file = tmp_path / "shops.csv", tmp_path / "questions.jsonl"
    data.write_text(TABLE)
    file.write_text("\n".join(map(json.dumps, QUESTIONS)))
    with server.client() as client:
        upload = client.uploads.send([data])["upload_id"]

        told = evaluate(server, str(file), "--upload", upload, "--json")
        assert (told.returncode, told.stderr) == (0, "")
        found = json.loads(told.stdout)
        verdicts = [one["verdict"] for one in found["questions"]]
        assert verdicts[:3] == ["right", "right", "wrong"]
        assert found["questions"][2]["expected"] == [[99]]
        assert found["summary"]["answerable"]["right"] == 2
        assert found["summary"]["differences"]["other values"] == 1
        assert all(one["status"] == "ended" for one in client.sessions.list()["sessions"])

        said = evaluate(server, str(file), "--upload", upload).stdout
        assert "what is the average sales" in said
        assert "right of answered" in said

    file.write_text('{"question": "how many", "sql": "select nothing from shops"}')
    refused = evaluate(server, str(file), "--upload", upload)
    assert refused.returncode == 1
    assert "questions.jsonl line 1: its sql is refused" in refused.stderr
