"""A hook of schemathesis: each call comes from a network of its own.

A check sends wrong keys to every operation; from one network the eleventh would be locked out.
"""

import itertools
import os
from typing import Any

import schemathesis

NUMBERS = itertools.count()
MOST = 240
"""Idempotency keys up to this length are made new, or else the first example would answer all."""


@schemathesis.hook
def before_call(_context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Names the address that the server believes its proxy."""
    pid, number = os.getpid(), next(NUMBERS)
    network = f"fd{pid >> 16:02x}:{pid & 0xFFFF:x}:{number >> 16:x}:{number & 0xFFFF:x}"
    del kwargs
    case.headers["X-Forwarded-For"] = f"{network}::1"
    once = case.headers.get("Idempotency-Key")
    if isinstance(once, str) and 0 < len(once) < MOST:
        case.headers["Idempotency-Key"] = f"{once}-{number}"
