"""What workers do now and then: no duty keeps the database waiting for anything else."""

from collections.abc import Callable, Iterator

import pytest
from fastapi.testclient import TestClient
from tests.conftest import share_compiled
from tests.factories import CHURN, ModelSide
from tests.transactions import Waits, Watched, noted, watch

from modelwright.bootstrap import adapters
from modelwright.bootstrap.container import Container, build_container
from modelwright.core.clock import FrozenClock
from modelwright.core.config.secret_files import read_or_make
from modelwright.core.config.settings import Settings
from modelwright.core.limits.store import MemoryRateLimitStore
from modelwright.processes.worker import Worker
from modelwright.storage.object_store import ObjectStore
from modelwright.storage.url_signer import UrlSigner

FILE = {"filename": "a.csv", "content_type": "text/csv", "size_bytes": 40 << 20}


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
def container(settings: Settings, clock: FrozenClock, waits: Waits) -> Iterator[Container]:
    """A container whose storage notes who asks it inside of a transaction."""
    signer = UrlSigner(read_or_make(settings.data_dir / "storage.key"))
    stored = Watched(adapters.make_object_store(settings, signer, clock), waits)
    built = build_container(
        settings, clock=clock, counters=MemoryRateLimitStore(clock), objects=stored
    )
    share_compiled(built.database.engine)
    watch(built.database.engine)
    yield built
    built.database.close()


class TestDuties:
    def test_none_waits_for_storage_network_or_files_in_its_transaction(
        self,
        container: Container,
        api: TestClient,
        model_side: ModelSide,
        worker: Callable[[], int],
        clock: FrozenClock,
        waits: Waits,
    ):
        upload_id = model_side.upload(CHURN)
        for path in ("/data/analyze", "/data/export"):
            assert api.post(path, json={"upload_id": upload_id}).status_code == 200
        deleted = api.post("/data/upload", json={"files": [FILE]}).json()["upload_id"]
        assert api.delete(f"/uploads/{deleted}").status_code == 200
        api.post("/data/upload", json={"files": [FILE]})
        api.post("/data/sessions", json={"upload_id": upload_id})
        api.delete(f"/uploads/{model_side.upload(CHURN)}")
        worker()
        objects = container.service(ObjectStore)  # type: ignore[type-abstract]
        exported = list(objects.keys("exports"))
        waits.writing.clear()  # what made things ready above is no duty
        waits.reading.clear()
        duties = Worker(
            container.database, container.handlers, clock, container.settings, container.duties
        )
        for _ in range(2):
            with noted(waits):
                duties.do_duties()
            clock.advance(days=40)
        assert (waits.writing, waits.reading) == (set(), set())
        assert exported
        assert list(objects.keys("exports")) == []
        assert list(objects.keys(f"uploads/{deleted}")) == []
