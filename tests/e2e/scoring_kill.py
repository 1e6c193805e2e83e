"""Scores a large table over machines, kills one that is at it, and looks at each row."""

import time
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow.parquet as pq
from tests.e2e.cluster import Cluster, until
from tests.e2e.server import Server
from tests.process_names import named

from modelwright.machines.identity import machine_id
from modelwright_client.demo.table import PENGUINS

AT_WORK_SECONDS = 120.0
END_SECONDS = 1800.0


def write_table(path: Path, rows: int) -> Path:
    """Writes the penguins again and again, each row with its place."""
    with duckdb.connect() as connection:
        connection.execute("set threads = 1")
        connection.execute(
            f"copy (select i as place, p.* exclude (k, species) from range({rows}) r(i) join"
            f" (select *, row_number() over () - 1 as k from read_csv('{PENGUINS}')) p"
            f" on i % 344 = k order by i) to '{path}' (format parquet)"
        )
    return path


def scorers(server: Server) -> list[Any]:
    """The processes of a machine that score a step."""
    return named(server.process, "job scoring.scoring_process:score_step") if server.runs else []


class Steps:
    """The steps of a scoring, as the machines' database tells of them."""

    def __init__(self, cluster: Cluster, export_id: str) -> None:
        self.tries: dict[int, int] = {}
        """How often each step was begun."""
        self._cluster, self._export_id = cluster, export_id

    def held_by(self, server: Server) -> set[int]:
        """The numbers of those that a machine has and has not done."""
        found = self._cluster.rows(
            "select number from scoring_steps join jobs on holder = job_id || '.' || attempts"
            " where export_id = :export and key is null and starts_with(lease_owner, :machine)",
            export=self._export_id,
            machine=machine_id(server.data),
        )
        return {number for (number,) in found}

    def are_over(self) -> bool:
        """Notes how often each was begun; tells whether all have ended, with which they go."""
        query = "select number, tries from scoring_steps where export_id = :export"
        found = self._cluster.rows(query, export=self._export_id)
        self.tries |= dict(map(tuple, found))
        return bool(self.tries) and not found

    def redone(self) -> set[int]:
        """The numbers of those that were begun more than once."""
        return {number for number, tries in self.tries.items() if tries > 1}


def score_and_kill(cluster: Cluster, table: Path, folder: Path, rows: int) -> dict[str, Any]:
    """Scores a table, kills a machine while all score, and tells how long all took.

    Every row must be there once, in order and with a prediction, and what is done again must be
    what the killed machine had not done, nothing else.
    """
    with cluster.client() as client:
        upload_id = client.uploads.send([table])["upload_id"]
        began = time.monotonic()
        started = client.predictions.score("p", "v1.0", upload_id, format="parquet")
        steps = Steps(cluster, started["export_id"])
        victim = cluster.servers[-1]
        at_work = lambda: all(map(scorers, cluster.servers)) and bool(steps.held_by(victim))  # noqa: E731 - read once
        until(at_work, within=AT_WORK_SECONDS, why=cluster.told)
        victim.kill()
        killed = time.monotonic()
        lost = steps.held_by(victim)
        until(steps.are_over, within=END_SECONDS, why=cluster.told)
        export = client.exports.wait(started["export_id"], timeout=END_SECONDS)
        ended = time.monotonic()
        path = client.exports.download(export["files"][0], folder / "scored.parquet")
    victim.start()
    read = pq.read_table(path, columns=["place", "prediction"])
    assert read.num_rows == rows
    assert np.array_equal(read["place"].to_numpy(), np.arange(rows))
    assert read["prediction"].null_count == 0
    assert lost
    assert steps.redone() == lost, steps.tries
    return {
        "rows": rows,
        "steps": len(steps.tries),
        "done again": len(lost),
        "killed after": round(killed - began, 1),
        "scored after": round(ended - began, 1),
        "rows/s": round(rows / (ended - began)),
    }
