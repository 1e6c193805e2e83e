"""A pool of real children over two small tables, one a worker."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from modelwright.engines.sql.executor import Rows
from modelwright.engines.sql.pool import Pool

MEMORY = 256 * 1024**2
TABLES = {
    "sales": """
        SELECT * FROM (VALUES
            (1, 'north', 'tea', 10.50::DECIMAL(10,2), 3, DATE '2024-01-05', 1),
            (2, 'north', 'coffee', 20.00, 1, DATE '2024-01-20', 2),
            (3, 'south', 'tea', 5.25, 2, DATE '2024-02-03', 1),
            (4, 'south', 'coffee', 40.00, 4, DATE '2024-02-14', 3),
            (5, 'east', 'tea', 7.75, 1, DATE '2024-02-29', 4),
            (6, 'east', 'cocoa', NULL, 5, DATE '2024-03-01', 2),
            (7, 'north', 'cocoa', 12.00, 2, DATE '2024-03-15', 3),
            (8, 'south', 'tea', 9.50, 6, DATE '2024-03-31', NULL)
        ) AS t (id, region, product, amount, quantity, sold_on, customer_id)
    """,
    "customers": """
        SELECT * FROM (VALUES
            (1, 'Ada', 'Köln', TIMESTAMP '2020-05-01 08:30:00', ['vip', 'news']),
            (2, 'Bo', 'Oslo', TIMESTAMP '2021-07-15 17:45:30', []),
            (3, 'Cy', 'Oslo', TIMESTAMP '2023-12-31 23:59:59', ['news']),
            (5, 'Di', NULL, NULL, NULL)
        ) AS t (customer_id, name, city, joined, tags)
    """,
}

Ask = Callable[..., Rows]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("session-data")


@pytest.fixture(scope="session")
def tables(folder: Path) -> dict[str, Path]:
    paths = {name: folder / f"{name}.parquet" for name in TABLES}
    for name, query in TABLES.items():
        duckdb.connect().execute(f"COPY ({query}) TO '{paths[name]}' (FORMAT parquet)")
    return paths


@pytest.fixture(scope="session")
def pool(folder: Path) -> Iterator[Pool]:
    built = Pool(size=2, memory_bytes=MEMORY, homes=folder / "homes")
    yield built
    built.close()


@pytest.fixture(scope="session")
def ask(pool: Pool, tables: dict[str, Path]) -> Ask:
    """Asks SQL of one session over the tables."""

    def run(sql: str, **bounds: float) -> Rows:
        limits: dict[str, Any] = {"max_rows": 100, "max_bytes": 1_000_000, "seconds": 20.0} | bounds
        return pool.run("session", tables, sql, **limits)

    return run
