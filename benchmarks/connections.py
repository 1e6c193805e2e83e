"""Rows brought in from stored databases, at memory that does not grow with the table.

`python -m benchmarks.connections [--rows 5000000] [--databases postgresql mysql sqlite]`. Private
servers from the system's packages; each table is read twice, a tenth and the whole, by the child
process that ingestions use. Memory is the peak of that process and its children, sampled.
"""

import argparse
import contextlib
import dataclasses
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.unit.connections import servers
from tests.unit.connections.servers import PASSWORD

from benchmarks.report import table
from benchmarks.resource_usage import watching
from modelwright.connections.connection_tester import ConnectionTester
from modelwright.connections.domain import Target
from modelwright.connections.sqlite_file import readable_files
from modelwright.core.config.settings import Settings
from modelwright.core.limits.contract import LIMITS
from modelwright.jobs.context import ChildLimits, Reach, run_child

MEMORY_MB = 1024
"""Memory of the process that reads."""
SECONDS = 3600.0
"""Seconds that it may take."""
CHILD = "modelwright.connections.driver_process:ingest"
POSTGRESQL = """
create table facts as select g as id, 'C' || g as code, g % 1000 as quantity,
  (g * 7919 % 100000) / 100.0::numeric as price, sin(g) as score,
  (array['Berlin', 'Oslo', 'Paris, FR'])[1 + g % 3] as city,
  date '2015-01-01' + (g % 3650)::int as day, timestamptz '2020-01-01' + g * interval '1 s' as at,
  g % 2 = 0 as active from generate_series(1, {rows}::bigint) g
"""
MYSQL = """
use shop; create table facts as select seq as id, concat('C', seq) as code, seq % 1000 as quantity,
  (seq * 7919 % 100000) / 100 as price, sin(seq) as score,
  elt(1 + seq % 3, 'Berlin', 'Oslo', 'Paris, FR') as city,
  date '2015-01-01' + interval (seq % 3650) day as day,
  timestamp '2020-01-01 00:00:00' + interval seq second as at, seq % 2 = 0 as active
  from seq_1_to_{rows}
"""
SQLITE = """
create table facts as with recursive s(seq) as (select 1 union all select seq + 1 from s
  where seq < {rows}) select seq as id, 'C' || seq as code, seq % 1000 as quantity,
  (seq * 7919 % 100000) / 100.0 as price, seq * 0.001 as score,
  substr('BerlinOslo  Paris ', 1 + 6 * (seq % 3), 6) as city,
  date('2015-01-01', (seq % 3650) || ' days') as day,
  datetime('2020-01-01', seq || ' seconds') as at, seq % 2 = 0 as active from s
"""


@contextlib.contextmanager
def postgresql(rows: int) -> Iterator[Target]:
    with servers.postgresql() as server:
        server.run(POSTGRESQL.format(rows=rows))
        yield _target(server)


@contextlib.contextmanager
def mysql(rows: int) -> Iterator[Target]:
    with servers.mariadb() as server:
        server.run(MYSQL.format(rows=rows))
        yield _target(server)


@contextlib.contextmanager
def sqlite(rows: int) -> Iterator[Target]:
    with tempfile.TemporaryDirectory() as folder:
        with contextlib.closing(sqlite3.connect(f"{folder}/facts.db")) as db:
            db.executescript(SQLITE.format(rows=rows))
        yield Target("sqlite", folder, None, "facts.db", None, {})


def _target(server: servers.Server) -> Target:
    kind = server.type
    return Target(kind, "127.0.0.1", server.port, server.database, server.username, {})


DATABASES: dict[str, Callable[[int], contextlib.AbstractContextManager[Target]]] = {
    "postgresql": postgresql,
    "mysql": mysql,
    "sqlite": sqlite,
}


def main() -> list[dict[str, Any]]:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--rows", type=int, default=5_000_000)
    asked.add_argument("--databases", nargs="+", choices=DATABASES, default=list(DATABASES))
    given = asked.parse_args()
    shown = []
    for name in given.databases:
        with DATABASES[name](given.rows) as target:
            sizes = (given.rows // 10, given.rows)
            shown += [{"database": name, **measure(target, rows)} for rows in sizes]
    print(table(shown))
    return shown


def measure(target: Target, rows: int) -> dict[str, Any]:
    """Brings so many rows in and tells time and memory."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(sqlite_folder=Path(target.host or "") if not target.port else None)
        plain = dataclasses.replace(target, host=target.host if target.port else None)
        payload = ConnectionTester(settings).payload(plain, PASSWORD, SECONDS) | {
            "table": None,
            "query": f"select * from facts where id <= {rows}",
            "target": f"{folder}/rows.parquet",
            "most_bytes": LIMITS.file_bytes,
        }
        started = time.perf_counter()
        with watching() as used:
            told = run_child(
                CHILD,
                payload,
                limits=ChildLimits(MEMORY_MB, SECONDS),
                on_report=lambda _: None,
                check=lambda: None,
                reach=Reach(tuple(map(str, readable_files(payload))), port=payload["port"]),
                folder=Path(folder),
            )
        seconds = time.perf_counter() - started
        assert told["rows"] == rows
        size = Path(f"{folder}/rows.parquet").stat().st_size
    return {
        "rows": rows,
        "seconds": round(seconds, 2),
        "rows/s": round(rows / seconds),
        "peak MB": used.peak_mb,
        "Parquet MB": size // 2**20,
    }


if __name__ == "__main__":
    main()
