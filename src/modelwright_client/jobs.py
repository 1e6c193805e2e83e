"""Work in the background: look at it, follow it, cancel it."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypedDict

from modelwright_client._http import Resource, path
from modelwright_client.errors import JobFailedError, UnreachableError
from modelwright_client.polling import poll_until
from modelwright_client.types import JobDetail, JobList, JobLogs, JobsStatus

ENDED = {"COMPLETED", "FAILED", "CANCELLED"}
Progress = Callable[[JobDetail], None]
"""Called with the job each time it is looked at."""


class JobEvent(TypedDict):
    """One event of a job's stream."""

    id: str
    """Where to resume."""
    event: str
    """`log` with a line, `progress` or `end` with the job."""
    data: dict[str, Any]


class Jobs(Resource):
    """Work in the background."""

    def list(
        self,
        *,
        status: JobsStatus | None = None,
        kind: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> JobList:
        """Lists the account's jobs of every kind.

        Args:
            status: Only those in this state.
            kind: Only of this kind, such as `build`.
            limit: How many entries at most.
            offset: How many entries to skip.

        Returns:
            A page of jobs, newest first.
        """
        query = {"status": status, "kind": kind, "limit": limit, "offset": offset}
        return self._calls.get("/jobs", JobList, query)

    def read(self, job_id: str) -> JobDetail:
        """Shows one job.

        Args:
            job_id: Id of the job.

        Returns:
            The job with its status, progress in percent and stage.
        """
        return self._calls.get(path("jobs", job_id), JobDetail)

    def logs(self, job_id: str, *, limit: int | None = None, offset: int | None = None) -> JobLogs:
        """Shows the log lines of a job, oldest first.

        Args:
            job_id: Id of the job.
            limit: How many entries at most.
            offset: How many entries to skip.

        Returns:
            A page of log lines.
        """
        return self._calls.get(
            path("jobs", job_id, "logs"), JobLogs, {"limit": limit, "offset": offset}
        )

    def cancel(self, job_id: str) -> JobDetail:
        """Stops a job; refused with `ConflictError` when it has ended.

        Args:
            job_id: Id of the job.

        Returns:
            The job, cancelled or about to be.
        """
        return self._calls.post(path("jobs", job_id, "cancel"), JobDetail)

    def follow(self, job_id: str, *, last_event_id: str | None = None) -> Iterator[JobEvent]:
        """Follows progress and log lines until the job ends, over broken connections too.

        Args:
            job_id: Id of the job.
            last_event_id: Go on after this event.

        Yields:
            Events as they come; the last is `end`.
        """
        while True:
            resume = {"Last-Event-ID": last_event_id} if last_event_id else {}
            headers = {"Accept": "text/event-stream", **resume}
            try:
                with self._calls.stream(path("jobs", job_id, "events"), headers=headers) as answer:
                    for event in parse_events(answer.iter_lines()):
                        last_event_id = event["id"] or last_event_id
                        yield event
                        if event["event"] == "end":
                            return
            except UnreachableError:
                pass  # the connection broke; the look at the job below tells a dead server apart
            if self.read(job_id)["status"] in ENDED:
                return
            self._calls.rest()

    def wait(
        self, job_id: str, *, progress: Progress | None = None, timeout: float | None = None
    ) -> JobDetail:
        """Waits until a job is completed.

        Args:
            job_id: Id of the job.
            progress: Called each time the work is looked at.
            timeout: Seconds to wait at most; without it there is no end.

        Returns:
            The completed job.

        Raises:
            JobFailedError: It failed or was cancelled; the message has the reason.
            JobTimeoutError: It has not ended after `timeout`; it goes on.
        """

        def look() -> JobDetail:
            job = self.read(job_id)
            if progress:
                progress(job)
            return job

        job = poll_until(
            lambda job: job["status"] in ENDED, look, what=f"Job {job_id}", timeout=timeout
        )
        if job["status"] != "COMPLETED":
            ended = f"The {job['kind']} job {job_id} ended {job['status']}"
            raise JobFailedError(f"{ended}: {job['error'] or 'no reason given'}")
        return job


def parse_events(lines: Iterable[str]) -> Iterator[JobEvent]:
    """Reads a stream of server-sent events (the WHATWG HTML standard's format).

    Args:
        lines: Lines of the stream without their ends.

    Yields:
        An event for each that has data.
    """
    members: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            joins = name == "data" and "data" in members
            members[name] = f"{members['data']}\n{value}" if joins else value
        elif "data" in members:
            yield _event(members)
            members = {}
        else:
            members = {}


def _event(members: dict[str, str]) -> JobEvent:
    data: Any = json.loads(members["data"])
    return {
        "id": members.get("id", ""),
        "event": members.get("event", "message"),
        "data": data if isinstance(data, dict) else {"value": data},
    }
