"""Identifiers: prefixed by what they name, sortable by time, unguessable (UUIDv7 bodies)."""

import os
import threading
import time
from typing import NewType

AccountId = NewType("AccountId", str)
KeyId = NewType("KeyId", str)
UploadId = NewType("UploadId", str)
JobId = NewType("JobId", str)
SessionId = NewType("SessionId", str)
QueryId = NewType("QueryId", str)
ExportId = NewType("ExportId", str)
RequestId = NewType("RequestId", str)
IngestionId = NewType("IngestionId", str)

_lock = threading.Lock()
_last = [0]


def new_id(prefix: str) -> str:
    """Makes an id such as `upload_0192…`: 48 bits of milliseconds, then 80 bits, ever rising."""
    with _lock:
        stamp = time.time_ns() // 1_000_000 << 12
        _last[0] = stamp = max(stamp, _last[0] + 1)
    body = (stamp >> 12) << 80 | 0x7 << 76 | (stamp & 0xFFF) << 64
    body |= 0b10 << 62 | int.from_bytes(os.urandom(8), "big") >> 2
    return f"{prefix}_{body:032x}"
