"""A job's progress and log lines as server-sent events, from any line on.

Every event carries an id to resume from; the last one ends in `.end`, and who resumes from there
is told (204) that nothing more will come.
"""

import asyncio
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager

from pydantic import BaseModel
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from modelwright.core.db.database import Database, scope_to
from modelwright.core.errors import ApiError, ValidationFailed
from modelwright.core.ids import AccountId
from modelwright.jobs.domain import JobInfo
from modelwright.jobs.errors import TooManyStreams
from modelwright.jobs.schemas import JobDetail, JobLogEntry
from modelwright.jobs.service import Jobs

POLL_SECONDS = 0.3
"""How often a stream looks for news of its job."""
HEARTBEAT_SECONDS = 15.0
"""Silence after which a comment is sent, below the idle limits of proxies."""
LOG_BATCH_LINES = 1000
"""Log lines that are sent at a time."""
MAX_STREAMS_PER_ACCOUNT = 100
"""Streams of one account that are open at once in one process: each looks at the database."""
EVENTS = "text/event-stream"
EVENT_ID = r"^(?:([0-9]{1,18})(\.end)?)?$"
"""The number of a line, or the stream's end; nothing is the beginning."""


def parse_event_id(last_event_id: str) -> int | None:
    """Reads the line to resume after; None when the whole stream was seen; refuses other ids."""
    found = re.fullmatch(EVENT_ID, last_event_id)
    if found is None:
        raise ValidationFailed.of("Last-Event-ID", "must be an id of an event of this job.")
    return None if found[2] else int(found[1] or 0)


class StreamSlots:
    """Knows how many streams of each account are open; for the event loop alone."""

    def __init__(self) -> None:
        self._open: Counter[AccountId] = Counter()

    @contextmanager
    def one(self, account_id: AccountId) -> Iterator[None]:
        """Counts a stream while it is open; refuses one too many."""
        if self._open[account_id] >= MAX_STREAMS_PER_ACCOUNT:
            raise TooManyStreams(MAX_STREAMS_PER_ACCOUNT)
        self._open[account_id] += 1
        try:
            yield
        finally:
            self._open -= Counter({account_id: 1})  # forgets those that have none left


class JobEventStream:
    """One listener's place in one job's story."""

    def __init__(
        self,
        database: Database,
        jobs: Jobs,
        account_id: AccountId,
        job_id: str,
        after: int,
        admit: Callable[[Session], object],
    ) -> None:
        self._database = database
        self._admit = admit
        self._jobs = jobs
        self.account_id = account_id
        self._job_id = job_id
        self._after = after
        self._sent: tuple[object, ...] = ()
        self._is_over = False

    async def events(self, closing: Callable[[], bool]) -> AsyncIterator[str]:
        """Yields events until the job or the server ends, or the listener may not listen any more.

        A comment now and then keeps it open.
        """
        spoke = time.monotonic()
        while True:
            try:
                news = await run_in_threadpool(self._look)
            except ApiError:
                return
            if not news and time.monotonic() - spoke > HEARTBEAT_SECONDS:
                news = ": still there\n\n"
            if news:
                spoke = time.monotonic()
                yield news
            if self._is_over or closing():
                return
            await asyncio.sleep(POLL_SECONDS)

    def _look(self) -> str:
        with self._database.transaction(write=False) as db:
            self._admit(db)
            scope_to(db, self.account_id)
            facts = self._jobs.read(db, self._job_id)
            lines = self._jobs.logs_after(db, facts, self._after, LOG_BATCH_LINES)
        events = []
        for line in lines:
            self._after = line.sequence
            events.append(_event("log", str(line.sequence), JobLogEntry.model_validate(line)))
        self._is_over = facts.is_over and len(lines) < LOG_BATCH_LINES
        return "".join((*events, self._standing(facts)))

    def _standing(self, facts: JobInfo) -> str:
        if self._is_over:
            return _event("end", f"{self._after}.end", JobDetail.of(facts))
        state = (facts.status, facts.progress, facts.stage, facts.cancel_requested)
        if state == self._sent:
            return ""
        self._sent = state
        return _event("progress", str(self._after), JobDetail.of(facts))


class EventStreamResponse(StreamingResponse):
    """Events on their way, counted from the answer's head to its end."""

    def __init__(
        self, following: JobEventStream, streams: StreamSlots, closing: Callable[[], bool]
    ) -> None:
        headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
        super().__init__(following.events(closing), headers=headers, media_type=EVENTS)
        self._streams, self._account_id = streams, following.account_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the events."""
        with self._streams.one(self._account_id):
            await super().__call__(scope, receive, send)


def _event(name: str, event_id: str, data: BaseModel) -> str:
    return f"event: {name}\nid: {event_id}\ndata: {data.model_dump_json()}\n\n"
