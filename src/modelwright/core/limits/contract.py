"""Every limit of the contract, in one frozen place."""

from dataclasses import dataclass

GB = 1024**3
"""Bytes."""
MB = 1024**2
"""Bytes."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The contract's numbers; tests shrink single ones, nothing else changes them."""

    requests_per_minute_basic: int = 100
    requests_per_minute_pro: int = 500
    key_creations_per_hour: int = 10
    failed_authentications: int = 10
    failed_authentication_minutes: int = 15
    file_bytes: int = 5 * GB
    upload_bytes: int = 20 * GB
    account_bytes: int = 0
    """What one account's uploads may take, and its exports as well; 0: the disk's room alone."""
    files_per_upload: int = 50
    signed_url_seconds: int = 3600
    unconfirmed_upload_hours: int = 24
    active_sessions: int = 5
    session_hours: int = 24
    session_hours_max: int = 168
    queries_per_minute: int = 30
    query_seconds: float = 29.0
    query_result_bytes: int = 100 * MB
    query_rows: int = 100
    query_rows_max: int = 10_000
    export_days: int = 7
    preview_rows: int = 10
    preview_rows_max: int = 100
    page: int = 20
    page_max: int = 100
    log_page: int = 100
    log_page_max: int = 1000
    body_bytes: int = 10 * MB
    predictions_body_bytes: int = 64 * MB
    batch_rows: int = 10_000
    key_expiration_days_max: int = 3650
    idempotency_hours: int = 24
    replicas_max: int = 32

    @property
    def undeclared_bytes(self) -> int:
        """The most that a file takes whose size was not declared."""
        share = self.account_bytes // 10 or self.file_bytes
        return min(self.file_bytes, share)

    @property
    def undeclared_reserve_bytes(self) -> int:
        """What such a file counts as until it has come, so that a whole upload finds room."""
        return self.undeclared_bytes // 10


LIMITS = Limits()
