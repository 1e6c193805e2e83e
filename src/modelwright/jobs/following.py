"""A job's progress and log lines as server-sent events, from any line on.

Every event carries an id to resume from; the last one ends in `.end`, and who resumes from there
is told (204) that nothing more will come.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable

from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from modelwright.core.db import Database
from modelwright.core.errors import ValidationFailed
from modelwright.core.ids import AccountId
from modelwright.jobs.rules import JobFacts
from modelwright.jobs.service import Jobs
from modelwright.jobs.wire import JobDetail, JobLogEntry

LOOK_SECONDS = 0.3
HEARTBEAT_SECONDS = 15.0
LINES_AT_ONCE = 1000
EVENT_ID = r"^(?:([0-9]{1,18})(\.end)?)?$"
"""The number of a line, or the stream's end; nothing is the beginning."""


def place_of(last_event_id: str) -> int | None:
    """Reads the line to resume after; None when the whole stream was seen; refuses other ids."""
    found = re.fullmatch(EVENT_ID, last_event_id)
    if found is None:
        raise ValidationFailed.of("Last-Event-ID", "must be an id of an event of this job.")
    return None if found[2] else int(found[1] or 0)


class Following:
    """One listener's place in one job's story."""

    def __init__(
        self, database: Database, jobs: Jobs, account_id: AccountId, job_id: str, after: int
    ) -> None:
        self._database = database
        self._jobs = jobs
        self._account_id = account_id
        self._job_id = job_id
        self._after = after
        self._told: tuple[object, ...] = ()
        self._is_over = False

    async def events(self, closing: Callable[[], bool]) -> AsyncIterator[str]:
        """Yields events until the job or the server ends; a comment now and then keeps it open."""
        spoke = time.monotonic()
        while True:
            news = await run_in_threadpool(self._look)
            if not news and time.monotonic() - spoke > HEARTBEAT_SECONDS:
                news = ": still there\n\n"
            if news:
                spoke = time.monotonic()
                yield news
            if self._is_over or closing():
                return
            await asyncio.sleep(LOOK_SECONDS)

    def _look(self) -> str:
        with self._database.transaction(self._account_id, write=False) as db:
            facts = self._jobs.read(db, self._job_id)
            lines = self._jobs.logs_after(db, facts, self._after, LINES_AT_ONCE)
        events = []
        for line in lines:
            self._after = line.sequence
            events.append(_event("log", str(line.sequence), JobLogEntry.of(line)))
        self._is_over = facts.is_over and len(lines) < LINES_AT_ONCE
        return "".join((*events, self._standing(facts)))

    def _standing(self, facts: JobFacts) -> str:
        if self._is_over:
            return _event("end", f"{self._after}.end", JobDetail.of(facts))
        told = (facts.status, facts.progress, facts.stage, facts.cancel_requested)
        if told == self._told:
            return ""
        self._told = told
        return _event("progress", str(self._after), JobDetail.of(facts))


def _event(name: str, event_id: str, data: BaseModel) -> str:
    return f"event: {name}\nid: {event_id}\ndata: {data.model_dump_json()}\n\n"
