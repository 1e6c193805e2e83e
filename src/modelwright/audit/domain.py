"""What can be asked of the log, and what an answer's resource is."""

from dataclasses import dataclass
from typing import Any

NAMES = (
    "key_id",
    "deployment_id",
    "ingestion_id",
    "connection_id",
    "session_id",
    "export_id",
    "query_id",
    "model_name",
    "upload_id",
    "job_id",
    "user_id",
    "item_id",
)


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which entries are asked for; None asks for all."""

    account_id: str | None = None
    operation: str | None = None
    resource: str | None = None


def resource_of(operation: str, answer: Any) -> str:
    """Names what an operation's answer is about: its first identifying member, else its subject.

    A job names what it works on as well, and only operations on jobs are about the job.
    """
    names = ("job_id", *NAMES) if operation.startswith("jobs.") else NAMES
    found = (
        answer.get(name) if isinstance(answer, dict) else getattr(answer, name, None)
        for name in names
    )
    return next((str(one) for one in found if one), operation.partition(".")[0])
