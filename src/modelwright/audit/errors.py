"""Errors of the feature."""

from modelwright.core.errors import Unavailable


class AuditUnavailable(Unavailable):
    """What a request does cannot be written to the audit log, so it is not done."""

    def __init__(self) -> None:
        super().__init__(
            "This can't be written to the audit log, and so nothing was done; tell the operator."
        )
