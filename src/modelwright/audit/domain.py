"""What can be asked of the log, and what an answer's resource is."""

from collections.abc import Collection
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
    "console_session_id",
    "user_id",
    "item_id",
)
SECURITY = (
    "users.sign_in",
    "users.sign_in_failed",
    "users.sign_out",
    "users.change_password",
    "users.set_password",
    "users.end_session",
    "users.create",
    "users.deactivate",
    "users.activate",
    "users.bind",
    "users.unbind",
    "users.begin_second_factor",
    "users.confirm_second_factor",
    "users.disable_second_factor",
    "users.reset_second_factor",
    "keys.create",
    "keys.amend",
    "keys.rotate",
    "keys.revoke",
)
"""Operations that an account's owner must hear of: who came in, and who may."""


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which entries are asked for; None asks for all."""

    account_id: str | None = None
    operation: str | None = None
    resource: str | None = None
    operations: Collection[str] | None = None
    """Any of several operations."""


ABOUT = {"endpoints": "model_name", "jobs": "job_id", "catalog": "dataset_name"}
"""By feature: the member that its answers are about, though they name other things as well."""


def resource_of(operation: str, answer: Any) -> str:
    """Names what an operation's answer is about: its first identifying member, else its subject."""
    about = ABOUT.get(operation.partition(".")[0])
    names = (about, *NAMES) if about else NAMES
    found = (
        answer.get(name) if isinstance(answer, dict) else getattr(answer, name, None)
        for name in names
    )
    return next((str(one) for one in found if one), operation.partition(".")[0])


def storable(text: str) -> str:
    """Returns a text as PostgreSQL can hold it, so that its digest is of what is stored."""
    return text.replace("\0", "\ufffd")
