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


def score_and_kill(cluster: Cluster, table: Path, folder: Path, rows: int) -> dict[str, Any]:
    """Scores a table, kills a machine while it scores, and tells how long all took.

    Every row must be there once, in order and with a prediction.
    """
    with cluster.client() as client:
        upload_id = client.uploads.send([table])["upload_id"]
        began = time.monotonic()
        started = client.predictions.score("p", "v1.0", upload_id, format="parquet")
        busy = lambda: [one for one in cluster.servers if scorers(one)]  # noqa: E731 - read once
        until(lambda: len(busy()) > 1, within=AT_WORK_SECONDS, why=cluster.told)
        victim = busy()[-1]
        victim.kill()
        killed = time.monotonic()
        export = client.exports.wait(started["export_id"], timeout=END_SECONDS)
        ended = time.monotonic()
        path = client.exports.download(export["files"][0], folder / "scored.parquet")
    victim.start()
    read = pq.read_table(path, columns=["place", "prediction"])
    assert read.num_rows == rows
    assert np.array_equal(read["place"].to_numpy(), np.arange(rows))
    assert read["prediction"].null_count == 0
    return {
        "rows": rows,
        "killed after": round(killed - began, 1),
        "scored after": round(ended - began, 1),
        "rows/s": round(rows / (ended - began)),
    }
