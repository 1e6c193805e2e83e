"""Catalogs of real tables, looked at in real query processes that the tests share."""

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient
from tests.factories import ModelSide

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.engines.sql.pool import Pool
from modelwright.processes.worker import Worker
from modelwright.sessions.executors import Executors
from modelwright.sessions.service import Sessions

ORDERS = """order_id,customer_id,status,quantity,unit_price,city,ordered_on
1,10,paid,2,10.0,Oslo,2024-01-06
2,11,paid,1,20.0,Rome,2024-01-07
3,10,cancelled,5,10.0,Oslo,2024-01-08
4,12,paid,4,5.0,Bari,2024-04-02
5,99,open,1,7.5,Rome,2024-05-01
6,11,paid,2,2.5,Rome,2024-05-02
7,12,paid,3,1.0,Bari,2024-05-03
8,10,paid,2,3.0,Oslo,2024-05-04
9,11,paid,1,9.5,Rome,2024-05-05
10,12,open,1,0.5,Bari,2024-05-06
"""
CUSTOMERS = """customer_id,name,country
10,Ann,Norway
11,Bob,Italy
12,Cy,Italy
"""
Answer = dict[str, Any]


class KeptPool(Pool):
    """A pool whose processes stay for the next test."""

    def close(self) -> None:
        for session in list(self._executors):
            self.end(session)


@pytest.fixture(scope="session")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KeptPool]:
    kept = KeptPool(size=2, memory_bytes=1 << 30, homes=tmp_path_factory.mktemp("homes"))
    yield kept
    Pool.close(kept)


@pytest.fixture
def container(container: Container, pool: KeptPool) -> Container:
    executors = container.service(Sessions).executors
    assert isinstance(executors, Executors)
    executors._pool = pool
    return container


@pytest.fixture
def shop(model_side: ModelSide) -> str:
    """A dataset of two tables, `table0` of orders and `table1` of customers; its upload's id."""
    return model_side.upload(ORDERS, CUSTOMERS, name="shop")


@pytest.fixture
def read(api: TestClient, shop: str) -> Callable[..., Answer]:
    """Reads a catalog."""

    def get(name: str = "shop") -> Answer:
        answer = api.get(f"/data/catalog/{name}")
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    return get


@pytest.fixture
def correct(api: TestClient, shop: str) -> Callable[..., Answer]:
    """Corrects a catalog."""

    def patch(name: str = "shop", **members: Any) -> Answer:
        answer = api.patch(f"/data/catalog/{name}", json=members)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    return patch


@pytest.fixture
def ask(api: TestClient, shop: str) -> Callable[..., Any]:
    """Asks the shop in words; answers the response."""

    def send(question: str, **members: Any) -> Any:
        session = api.post("/data/use-upload", json={"upload_id": shop}).json()["session_id"]
        body = {"query_type": "natural_language", "query": question, "session_id": session}
        return api.post("/data/query", json={**body, **members})

    return send


@pytest.fixture
def read_again(
    api: TestClient, anonymous_client: TestClient, container: Container, clock: FrozenClock
) -> Callable[[str], str]:
    """Reads the file of an upload without a name again, or sends it; gives the new upload's id."""

    def send() -> str:
        file = {"filename": "orders.csv", "content_type": "text/csv"}
        made = api.post("/data/upload", json={"files": [file]}).json()
        place = urlsplit(made["files"][0]["presigned_url"])
        put = anonymous_client.put(f"{place.path}?{place.query}", content=ORDERS.encode())
        assert put.status_code == 200, put.text
        said = {"upload_id": made["upload_id"], "status": "complete", "files": made["files"]}
        assert api.post("/uploads/status", json=said).status_code == 200
        return str(made["upload_id"])

    def again(upload_id: str) -> str:
        answer = api.post(f"/uploads/{upload_id}/files/orders.csv/reparse", json={})
        return str(answer.json()["upload_id"])

    def carry_out(upload_id: str) -> str:
        made = again(upload_id) if upload_id else send()
        Worker(container.database, container.handlers, clock, container.settings).drain()
        return made

    return carry_out
