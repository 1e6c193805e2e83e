"""Answers of the Jobs API."""

from typing import Any

from pydantic import ConfigDict

from modelwright.core.http.paging import Pagination
from modelwright.core.http.schemas import ResponseBody, Timestamp
from modelwright.jobs.domain import JobInfo, Status


def _describe_what_it_works_on(schema: dict[str, Any]) -> None:
    for name, whose in (("model_name", "the model"), ("upload_id", "the upload")):
        text = f"Of {whose} that the job works on, where it does."
        schema["properties"][name] = {"type": "string", "description": text}


class JobDetail(ResponseBody):
    """The state of a job; members such as `model_name` name what it works on."""

    model_config = ConfigDict(
        extra="allow", protected_namespaces=(), json_schema_extra=_describe_what_it_works_on
    )

    job_id: str
    kind: str
    """processing, analysis, export, build, deployment, ingestion or scoring."""
    status: Status
    progress: int
    """From 0 to 100; never falls."""
    stage: str
    cancel_requested: bool
    created_at: Timestamp
    started_at: Timestamp | None
    completed_at: Timestamp | None
    error: str | None

    @classmethod
    def of(cls, facts: JobInfo, *, whole: bool = False) -> "JobDetail":
        """Shows a job; whole, with what is more than a name of what it works on."""
        shown: dict[str, Any] = {
            name: value for name, value in facts.resource.items() if whole or isinstance(value, str)
        }
        return cls.showing(facts, **shown)


class JobList(ResponseBody):
    """Jobs, newest first."""

    jobs: list[JobDetail]
    pagination: Pagination


class JobLogEntry(ResponseBody):
    """A log line of a job."""

    job_id: str
    sequence: int
    """Rises from line to line; `Last-Event-ID` of the job's events takes it."""
    timestamp: Timestamp
    level: str
    message: str


class JobLogs(ResponseBody):
    """Log lines of a job, oldest first."""

    logs: list[JobLogEntry]
    pagination: Pagination
