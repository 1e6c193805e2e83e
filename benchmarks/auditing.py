"""What an entry of the audit log costs a request that writes, and writers at the same time.

`python -m benchmarks.auditing [turns]` writes one row a transaction, with and without an entry of
the chain beside it, by turns: on SQLite and on a PostgreSQL of its own (with syncs), by one writer
and by four with connections of their own. Prints milliseconds a transaction, the median of turns.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.orm import Session
from tests.e2e.private_postgres import private_postgres

from benchmarks import arguments
from benchmarks.report import table
from modelwright import migrations
from modelwright.audit.service import Audit
from modelwright.bootstrap.container import Container, build_container
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.ids import new_id

TURNS = 9
TRANSACTIONS = 100
"""Of each writer in a turn."""
WRITERS = (1, 4)


def main() -> int:
    """Measures both databases and prints the table."""
    [turns] = map(int, arguments.told(__doc__, words="TURNS") or [str(TURNS)])
    rows = []
    with tempfile.TemporaryDirectory() as name, private_postgres() as postgres:
        for kind, url in (("SQLite", ""), ("PostgreSQL", postgres.url)):
            for writers in WRITERS:
                folder = Path(name, f"{kind}-{writers}")
                with machines(folder, url, writers) as made:
                    rows.append({"database": kind, "writers": writers} | measure(made, turns))
    print(table(rows))
    return 0


@contextmanager
def machines(folder: Path, url: str, number: int) -> Iterator[list[Container]]:
    """Makes so many servers' insides over one database."""
    folder.mkdir()
    settings = Settings(data_dir=folder, database_url=url)
    made = [build_container(settings) for _ in range(number)]
    migrations.upgrade(made[0].database)
    with made[0].database.transaction(ALL_ACCOUNTS) as db:
        db.execute(text("create table if not exists audited_rows (id text primary key)"))
    yield made
    for one in made:
        one.database.close()


def measure(made: list[Container], turns: int) -> dict[str, object]:
    """Writes by all of them at once, with and without entries by turns."""
    seconds: dict[bool, list[float]] = {False: [], True: []}
    with ThreadPoolExecutor(len(made)) as pool:
        for _ in range(turns):
            for is_recorded in (False, True):
                started = time.perf_counter()
                list(pool.map(lambda one, told=is_recorded: write(one, told), made))
                seconds[is_recorded].append(time.perf_counter() - started)
    before, after = (
        1000 * statistics.median(seconds[kind]) / (TRANSACTIONS * len(made))
        for kind in (False, True)
    )
    with made[0].database.transaction(ALL_ACCOUNTS, write=False) as db:
        found = made[0].service(Audit).verify(db)
    return {
        "ms without": round(before, 2),
        "ms with": round(after, 2),
        "an entry costs": f"{after - before:.2f} ms",
        "entries": found.entries,
        "faults": len(found.faults),
    }


def write(container: Container, is_recorded: bool) -> None:
    """Writes rows, one a transaction, as requests do."""
    audit = container.service(Audit)
    for _ in range(TRANSACTIONS):
        with container.database.transaction(ALL_ACCOUNTS) as db:
            insert_row(db)
            if is_recorded:
                audit.record_command(db, "keys.create", "user_1", "key_1")


def insert_row(db: Session) -> None:
    """Writes an ordinary row."""
    db.execute(text("insert into audited_rows (id) values (:id)"), {"id": new_id("row")})


if __name__ == "__main__":
    sys.exit(main())
