"""Queries over real tables, in real query processes that the tests share."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import ModelSide

from modelwright.bootstrap.container import Container
from modelwright.engines.sql.pool import Pool
from modelwright.sessions.executors import Executors
from modelwright.sessions.service import Sessions

SALES = """region,city,amount,sold_on
north,Oslo,10.5,2024-01-05
north,Oslo,20,2024-01-20
south,Rome,30,2024-02-03
south,Bari,40,2024-03-09
east,Riga,,2024-03-10
"""
Ask = Callable[..., Any]


class KeptPool(Pool):
    """A pool whose processes stay for the next test."""

    def close(self) -> None:
        for session in list(self._executors):
            self.end(session)

    def close_for_good(self) -> None:
        super().close()


@pytest.fixture(scope="session")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KeptPool]:
    homes = tmp_path_factory.mktemp("homes")
    kept = KeptPool(size=2, memory_bytes=1 << 30, homes=homes)
    yield kept
    kept.close_for_good()


@pytest.fixture
def container(container: Container, pool: KeptPool) -> Container:
    executors = container.service(Sessions).executors
    assert isinstance(executors, Executors)
    executors._pool = pool
    return container


@pytest.fixture
def session(api: TestClient, model_side: ModelSide) -> dict[str, Any]:
    """A session over one small table, `table0`."""
    body = {"upload_id": model_side.upload(SALES, name="sales")}
    return dict(api.post("/data/sessions", json=body).json())


@pytest.fixture
def ask(api: TestClient) -> Ask:
    """Asks in words or, with `sql`, in SQL; answers the response."""

    def send(query: str, kind: str = "natural_language", **members: Any) -> Any:
        body = {"query_type": kind, "query": query, **members}
        return api.post("/data/query", json=body)

    return send


@pytest.fixture
def sql(ask: Ask) -> Ask:
    """Asks in SQL."""
    return lambda query, **members: ask(query, "sql", **members)


def table_of(model_side: ModelSide, path: Path, api: TestClient) -> dict[str, Any]:
    """Opens a session over one file."""
    body = {"upload_id": model_side.upload(path)}
    return dict(api.post("/data/sessions", json=body).json())
