"""The mark by which a database knows its objects, where several machines start at once."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import delete

from modelwright.bootstrap.container import Container
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.storage import ownership_marker
from modelwright.storage.memory import MemoryObjectStore, MemoryWriter
from modelwright.storage.orm import OwnershipMarkerRecord
from modelwright.storage.url_signer import UrlSigner

MACHINES = 3
OVERLAP_SECONDS = 0.3
"""How long a write waits for another of the same key."""


class OneAtATime(MemoryObjectStore):
    """Takes one write of a key at a time, as Swift does: it answers the other without an ETag."""

    def __init__(self, signer: UrlSigner) -> None:
        super().__init__(signer)
        self.written: list[str] = []
        self._met = threading.Barrier(2)

    def writer(self, key: str) -> MemoryWriter:
        self.written.append(key)
        try:
            self._met.wait(OVERLAP_SECONDS)
        except threading.BrokenBarrierError:
            self._met.reset()
        else:
            pytest.fail("two machines write the mark at once")
        return super().writer(key)


@pytest.fixture
def unmarked(container: Container) -> Container:
    with container.database.transaction(ALL_ACCOUNTS) as db:
        db.execute(delete(OwnershipMarkerRecord))
    return container


def test_machines_that_start_at_once_place_one_mark(unmarked: Container, signer: UrlSigner) -> None:
    objects = OneAtATime(signer)
    with ThreadPoolExecutor(MACHINES) as machines:
        started = [
            machines.submit(ownership_marker.ensure, unmarked.database, objects)
            for _ in range(MACHINES)
        ]
    assert [one.exception() for one in started] == [None] * MACHINES
    assert objects.written == list(objects.keys(ownership_marker.FOLDER))
