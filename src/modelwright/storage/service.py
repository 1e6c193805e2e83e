"""Admits signed addresses and moves the bytes they grant, never more than a piece in memory."""

from collections.abc import AsyncIterator, Iterator, Mapping
from time import monotonic

from anyio import CancelScope, CapacityLimiter
from anyio.to_thread import run_sync

from modelwright.core.clock import Clock
from modelwright.core.db.database import ALL_ACCOUNTS, Database
from modelwright.core.events import Events
from modelwright.core.http.pace import Pace
from modelwright.core.process.disk_space import DiskSpaceGuard
from modelwright.storage.domain import PIECE_BYTES, ObjectArriving, ObjectLeaving, is_key
from modelwright.storage.errors import ObjectMissing, ObjectTooLarge
from modelwright.storage.object_store import ObjectStore, ObjectWriter
from modelwright.storage.url_signer import Grant, UrlSigner

WRITERS = 2
"""Bodies that write a piece at the same time; others take turns, in the order in which they came,
so that a small body waits for one piece of each large one at most."""
RECHECK_SECONDS = 0.5
"""How long an object may be given away, or come, before it is asked again whether it may."""


class Storage:
    """Takes and gives bytes, for stores whose addresses this server signs itself."""

    def __init__(
        self,
        objects: ObjectStore,
        signer: UrlSigner,
        clock: Clock,
        database: Database,
        events: Events,
        space: DiskSpaceGuard | None = None,
    ) -> None:
        self._objects = objects
        self._signer = signer
        self._clock = clock
        self._database = database
        self._events = events
        self._space = space or DiskSpaceGuard()
        self._writers = CapacityLimiter(WRITERS)

    def admit(self, method: str, key: str, query: Mapping[str, str]) -> Grant:
        """Reads what an address grants; refuses one changed, expired or of other use."""
        grant = self._signer.recognise(method, key, query, self._clock.now())
        if not is_key(key):
            raise ObjectMissing(key)
        return grant

    async def receive(self, grant: Grant, body: AsyncIterator[bytes], declared: int) -> None:
        """Stores a body under the granted key; refuses one that grows too large as it comes.

        Refuses one for which there is no room, one that nobody awaits any more, one that comes too
        slowly, and one while another is coming for the same key. Of a part that breaks off, what
        came is kept.
        """
        _check_size(declared, grant.max_bytes)
        lock = self._objects.lock(grant.key)
        await run_sync(lock.__enter__)
        try:
            await self._store(grant, body, declared)
        finally:
            with CancelScope(shield=True):
                await run_sync(lock.__exit__, None, None, None)

    async def _store(self, grant: Grant, body: AsyncIterator[bytes], declared: int) -> None:
        await run_sync(self._announce, ObjectArriving(grant.key))
        await run_sync(self._space.check, declared)
        writer = await run_sync(self._writer, grant)
        try:
            async for piece in _pieces(self._awaited(grant.key, body), grant.max_bytes):
                await run_sync(self._write, writer, piece, limiter=self._writers)
            await run_sync(self._announce, ObjectArriving(grant.key))
            await run_sync(writer.commit, limiter=self._writers)
        finally:
            with CancelScope(shield=True):
                await run_sync(writer.close)

    async def _awaited(self, key: str, body: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """Passes a body on; ends in the middle when nobody awaits it any more."""
        checked = monotonic()
        async for chunk in body:
            if monotonic() - checked > RECHECK_SECONDS:
                await run_sync(self._announce, ObjectArriving(key))
                checked = monotonic()
            yield chunk

    def _writer(self, grant: Grant) -> ObjectWriter:
        if grant.start is None:
            return self._objects.writer(grant.key)
        return self._objects.part_writer(grant.key, grant.start)

    def _announce(self, event: ObjectArriving | ObjectLeaving) -> None:
        with self._database.transaction(ALL_ACCOUNTS, write=False) as db:
            self._events.publish(db, event)

    def _write(self, writer: ObjectWriter, piece: bytes) -> None:
        self._space.check()
        writer.write(piece)

    def size(self, grant: Grant) -> int:
        """Tells the granted object's bytes; refuses a missing one, and one of a shut account."""
        self._announce(ObjectLeaving(grant.key))
        size = self._objects.size(grant.key)
        if size is None:
            raise ObjectMissing(grant.key)
        return size

    def send(self, grant: Grant, start: int, end: int) -> Iterator[bytes]:
        """Reads a stretch of the granted object in pieces; refuses a missing or damaged one.

        It refuses before the answer begins. Ends in the middle when its account is shut out
        meanwhile.
        """
        return self._watched(grant, self._objects.open(grant.key, start, end))

    def _watched(self, grant: Grant, pieces: Iterator[bytes]) -> Iterator[bytes]:
        checked = monotonic()
        for piece in pieces:
            if monotonic() - checked > RECHECK_SECONDS:
                self._announce(ObjectLeaving(grant.key))
                checked = monotonic()
            yield piece


async def _pieces(body: AsyncIterator[bytes], max_bytes: int) -> AsyncIterator[bytes]:
    """Gathers what the network brings into pieces worth a trip to a thread, up to where it ends."""
    piece, total, pace = bytearray(), 0, Pace()
    chunks = aiter(body)
    try:
        while (chunk := await pace.wait(lambda: anext(chunks, None))) is not None:
            pace.came(len(chunk))
            total += len(chunk)
            _check_size(total, max_bytes)
            piece += chunk
            if len(piece) >= PIECE_BYTES:
                yield bytes(piece)
                piece.clear()
    except Exception:  # what came before the connection broke is not lost
        yield bytes(piece)
        raise
    yield bytes(piece)


def _check_size(size: int, max_bytes: int) -> None:
    if size > max_bytes:
        raise ObjectTooLarge(max_bytes)
