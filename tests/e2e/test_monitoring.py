"""A whole upload scored, and what was asked told about, through a power cut, on a real server."""

import csv
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.built_models import Built
from tests.e2e.server import Server
from tests.e2e.test_deployments import deploy
from tests.e2e.test_serving import until

from modelwright_client import Client
from modelwright_client.demo.table import PENGUINS


def rows() -> list[dict[str, Any]]:
    """Penguins without gaps, as JSON has them."""
    typed: dict[str, Any] = {"species": str, "island": str, "sex": str}
    typed |= {"flipper_length_mm": int, "year": int}
    with PENGUINS.open(encoding="utf-8", newline="") as lines:
        read = [line for line in csv.DictReader(lines) if all(line.values())]
    return [{name: typed.get(name, float)(value) for name, value in row.items()} for row in read]


def written(server: Server) -> int:
    """Rows that a power cut can no longer take; they are written once a second."""
    with closing(sqlite3.connect(server.data / "modelwright.sqlite")) as database:
        [[rows]] = database.execute("select coalesce(sum(rows), 0) from prediction_counts")
    return int(rows)


class TestWatched:
    @pytest.mark.timeout(300)
    def test_scored_asked_told_and_watched(self, server: Server, species: Built, tmp_path: Path):
        server.give_model("p", species)
        with server.client() as client:
            upload_id = client.uploads.send([PENGUINS])["upload_id"]
            self.score(client, upload_id, tmp_path)
            self.ask(client, deploy(client, "p", replicas=1, auto_scale=False))
            until(lambda: written(server) == 601)
            before = client.monitoring.read("p", "v1.0")
            server.family()
            server.kill()
            assert server.left_behind() == set()
            server.start()
            after = client.monitoring.read("p", "v1.0")
            assert (after["rows"], after["columns"]) == (before["rows"], before["columns"])
            assert after["feedback"] == before["feedback"]
        assert server.stop() == 0

    @staticmethod
    def score(client: Client, upload_id: str, folder: Path) -> None:
        """Has every row predicted; the file has them all, and one column more."""
        started = client.predictions.score("p", "v1.0", upload_id, include=["probabilities"])
        assert client.jobs.wait(started["job_id"], timeout=60)["status"] == "COMPLETED"
        [file] = client.exports.wait(started["export_id"])["files"]
        scored = client.exports.download(file, folder)
        with PENGUINS.open(encoding="utf-8", newline="") as lines:
            given = list(csv.DictReader(lines))
        with scored.open(encoding="utf-8", newline="") as lines:
            found = list(csv.DictReader(lines))
        assert [row["species"] for row in found] == [row["species"] for row in given]
        right = sum(row["prediction"] == row["species"] for row in found)
        assert right > 0.9 * len(found)

    @staticmethod
    def ask(client: Client, deployment_id: str) -> None:
        """Asks the version and its deployment, one row and many, and tells the truths of all."""
        known = rows()
        asked = (known * 2)[:600]
        one = client.deployments.infer(deployment_id, known[0])
        half = client.predictions.many("p", "v1.0", asked[:300])
        other = client.deployments.many(deployment_id, asked[300:])
        items = [*half, *other]
        truths = {one["request_id"]: known[0]["species"]}
        truths |= {
            item["request_id"]: row["species"] for item, row in zip(items, asked, strict=True)
        }
        until(lambda: client.monitoring.feedback("p", "v1.0", truths)["unknown"] == [])
        report = client.monitoring.read("p", "v1.0")
        assert report["moved"] == []
        assert report["feedback"]["truths"] == 601
        assert report["feedback"]["metrics"]["accuracy"] > 0.9
