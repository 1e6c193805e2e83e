"""What can be asked of the log, and what an answer's resource is."""

from dataclasses import dataclass
from typing import Any

NAMES = (
    "key_id",
    "deployment_id",
    "connection_id",
    "ingestion_id",
    "session_id",
    "export_id",
    "query_id",
    "model_name",
    "upload_id",
    "job_id",
)


@dataclass(frozen=True, slots=True)
class Sought:
    """Which entries are asked for; None asks for all."""

    account_id: str | None = None
    operation: str | None = None
    resource: str | None = None


def resource_of(answer: Any) -> str:
    """Names what an answer is about: its first identifying member."""
    members = answer if isinstance(answer, dict) else vars(answer) if answer is not None else {}
    return next((str(members[name]) for name in NAMES if members.get(name)), "")
