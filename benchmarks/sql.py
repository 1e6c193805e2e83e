"""What the sandbox adds to DuckDB in process, side by side on a warm session.

Reads the taxi table of `../shared/benchmarks/tabular`, and the same rows a hundredfold.
"""

import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import duckdb
import msgspec

from benchmarks import arguments
from benchmarks.tables import SHARED
from modelwright.engines.sql.pool import Pool

ROUNDS = 60
MAX_ROWS = 100
GOAL = 5.0
QUERIES = {
    "one value": "SELECT 1",
    "count": "SELECT count(*) FROM taxis",
    "100 rows, all columns": "SELECT * FROM taxis LIMIT 100",
    "group and order": (
        "SELECT pickup_borough, count(*) AS n, avg(fare) FROM taxis GROUP BY 1 ORDER BY n"
    ),
    "filter": "SELECT count(*) FROM taxis WHERE distance > 2 AND payment = 'cash'",
    "window": (
        "SELECT fare, rank() OVER (PARTITION BY payment ORDER BY fare DESC) FROM taxis LIMIT 100"
    ),
    "join": (
        "SELECT a.payment, count(*) FROM taxis a JOIN (SELECT DISTINCT payment FROM taxis) b "
        "USING (payment) GROUP BY 1"
    ),
    "group a hundredfold": "SELECT pickup_borough, avg(fare) FROM many GROUP BY 1",
    "pivot": "PIVOT taxis ON payment USING avg(fare) GROUP BY pickup_borough",
}


def milliseconds(work: Callable[[], object]) -> float:
    started = perf_counter()
    work()
    return (perf_counter() - started) * 1e3


def prepare(folder: Path) -> dict[str, Path]:
    tables = {name: folder / f"{name}.parquet" for name in ("taxis", "many")}
    source = f"read_csv('{SHARED / 'taxis.csv'}')"
    db = duckdb.connect()
    db.execute(f"COPY (FROM {source}) TO '{tables['taxis']}'")
    db.execute(f"COPY (SELECT t.* FROM {source} t, range(100)) TO '{tables['many']}'")
    return tables


def measure(pool: Pool, tables: dict[str, Path]) -> list[tuple[str, float, float, float]]:
    raw = duckdb.connect(config={"threads": pool.threads})
    raw.execute("SET parquet_metadata_cache=true")
    for name, path in tables.items():
        raw.execute(f"CREATE VIEW {name} AS FROM read_parquet('{path}')")
    encode = msgspec.json.Encoder(decimal_format="number").encode
    found = []
    for name, sql in QUERIES.items():

        def in_process(sql: str = sql) -> object:
            return encode(raw.execute(sql).fetchmany(MAX_ROWS))

        def sandboxed(sql: str = sql) -> object:
            most = 100 * 1024**2
            return pool.run(
                "bench", tables, sql, max_rows=MAX_ROWS, max_bytes=most, seconds=29
            ).encoded

        pairs = [(milliseconds(in_process), milliseconds(sandboxed)) for _ in range(ROUNDS)][5:]
        alone, walled = (statistics.median(times) for times in zip(*pairs, strict=True))
        late = statistics.quantiles([after - before for before, after in pairs], n=20)[-1]
        found.append((name, alone, walled, late))
    return found


def starts(pool: Pool, tables: dict[str, Path]) -> tuple[float, float]:
    """The first query of the first session (the fork server starts too), and of a next one."""

    def first(session: str) -> Callable[[], object]:
        return lambda: pool.run(session, tables, "SELECT 1", max_rows=1, max_bytes=1000, seconds=29)

    return milliseconds(first("first")), statistics.median(
        milliseconds(first(f"next {number}")) for number in range(10)
    )


def main() -> int:
    arguments.told(__doc__)
    if not (SHARED / "taxis.csv").exists():
        print("skipped: ../shared/benchmarks/tabular/taxis.csv is not beside the project")
        return 0
    with TemporaryDirectory() as name:
        folder = Path(name)
        tables = prepare(folder)
        pool = Pool(size=4, memory_bytes=1024**3, homes=folder / "homes")
        cold, warm = starts(pool, tables)
        rows = measure(pool, tables)
        pool.close()
    print(f"{'query':24}{'DuckDB p50':>12}{'sandbox p50':>13}{'added p50':>11}{'added p95':>11}")
    for name, alone, walled, late in rows:
        print(f"{name:24}{alone:12.2f}{walled:13.2f}{walled - alone:11.2f}{late:11.2f}")
    added = statistics.median(walled - alone for _, alone, walled, _ in rows)
    print(f"added, median over queries: {added:.2f} ms (goal: {GOAL} ms)")
    print(f"first query of a session: {warm:.1f} ms; of the process: {cold:.1f} ms")
    return int(added > GOAL)


if __name__ == "__main__":
    sys.exit(main())
