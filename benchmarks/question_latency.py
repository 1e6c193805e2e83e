"""What asking costs over HTTP: SQL beside DuckDB in process, words, and the first question of all.

Runs a real server over `../shared/benchmarks/tabular`; every session takes 30 queries a minute, so
the runs are spread over five.
"""

import statistics
import sys
from time import perf_counter
from typing import Any

import duckdb
import httpx
import msgspec

from benchmarks import arguments
from benchmarks.server import running, upload
from benchmarks.tables import SHARED

TABLE = "taxis"
ROUNDS = 28
GOAL = 5.0
QUERIES = {
    "one value": "SELECT 1",
    "100 rows, all columns": "SELECT * FROM taxis LIMIT 100",
    "group and order": (
        "SELECT pickup_borough, count(*) AS n, avg(fare) FROM taxis GROUP BY 1 ORDER BY n"
    ),
    "filter": "SELECT count(*) FROM taxis WHERE distance > 2 AND payment = 'cash'",
}
QUESTION = "average fare by payment"


def milliseconds(started: float) -> float:
    return (perf_counter() - started) * 1e3


def asked(client: httpx.Client, session: str, kind: str, query: str) -> tuple[float, Any]:
    body = {"query_type": kind, "query": query, "session_id": session}
    started = perf_counter()
    answer = client.post("/data/query", json=body)
    return milliseconds(started), answer.raise_for_status().json()


def main() -> int:
    arguments.told(__doc__)
    if not (SHARED / f"{TABLE}.csv").exists():
        print(f"skipped: ../shared/benchmarks/tabular/{TABLE}.csv is not beside the project")
        return 0
    encode = msgspec.json.Encoder(decimal_format="number").encode
    with running(log_level="warning") as server, server.client as client:
        upload_id, _ = upload(client, SHARED / f"{TABLE}.csv")
        path = next((server.data / "objects" / "tables").rglob("*.parquet"))
        raw = duckdb.connect(config={"threads": 2})
        raw.execute("SET parquet_metadata_cache=true")
        raw.execute(f"CREATE VIEW {TABLE} AS FROM read_parquet('{path}')")
        sessions = [
            client.post("/data/sessions", json={"upload_id": upload_id}).json()["session_id"]
            for _ in range(5)
        ]
        print(
            f"first query of the server: {asked(client, sessions[4], 'sql', 'SELECT 1')[0]:.0f} ms"
        )
        first, _ = asked(client, sessions[4], "natural_language", QUESTION)
        words = [asked(client, sessions[4], "natural_language", QUESTION)[0] for _ in range(25)]
        print(f"first question: {first:.0f} ms; then p50 {statistics.median(words):.1f} ms")
        added = []
        print(f"{'query':24}{'DuckDB p50':>12}{'HTTP p50':>10}{'added p50':>11}{'added p95':>11}")
        for session, (name, sql) in zip(sessions, QUERIES.items(), strict=False):
            pairs = []
            for _ in range(ROUNDS):
                started = perf_counter()
                encode(raw.execute(sql).fetchmany(100))
                pairs.append((milliseconds(started), asked(client, session, "sql", sql)[0]))
            alone, whole = (statistics.median(times) for times in zip(*pairs[3:], strict=True))
            late = statistics.quantiles([after - before for before, after in pairs[3:]], n=20)[-1]
            added.append(whole - alone)
            print(f"{name:24}{alone:12.2f}{whole:10.2f}{whole - alone:11.2f}{late:11.2f}")
        print(f"memory, MiB: {server.memory()}")
    print(f"added, median over queries: {statistics.median(added):.2f} ms (goal: {GOAL} ms)")
    return int(statistics.median(added) > GOAL)


if __name__ == "__main__":
    sys.exit(main())
