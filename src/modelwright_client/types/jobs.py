"""What the server answers about jobs."""

from typing import Any, Literal, NotRequired, TypedDict

from modelwright_client.types.paging import Pagination

JobStatus = Literal["PENDING", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"]


class Job(TypedDict):
    """Work in the background; `progress` goes from 0 to 100."""

    job_id: str
    kind: str
    status: JobStatus
    progress: int
    stage: str
    cancel_requested: NotRequired[bool]
    created_at: str
    started_at: str | None
    completed_at: str | None
    error: str | None
    model_name: NotRequired[str]
    upload_id: NotRequired[str]


class JobPage(TypedDict):
    """One page of jobs, newest first."""

    jobs: list[Job]
    pagination: Pagination


class JobLine(TypedDict):
    """One line a job has said."""

    job_id: NotRequired[str]
    sequence: NotRequired[int]
    timestamp: str
    level: str
    message: str


class JobLogs(TypedDict):
    """Lines of one job, oldest first."""

    logs: list[JobLine]
    pagination: Pagination


class JobEvent(TypedDict):
    """One event of a job's stream: `log` with a line, `progress` or `end` with the job.

    `id` is where to resume.
    """

    id: str
    event: str
    data: dict[str, Any]
