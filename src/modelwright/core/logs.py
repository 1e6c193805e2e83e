"""Structured logs: one JSON object a line on standard error, with the request's id."""

import json
import logging
import sys
from typing import Any

import msgspec
import structlog
from structlog.typing import FilteringBoundLogger

Logger = FilteringBoundLogger


def set_up(level: str) -> None:
    """Configures logging for this process."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(serializer=_line),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
        ),
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )


def _line(event: dict[str, Any], **_: Any) -> bytes:
    try:
        return msgspec.json.encode(event, enc_hook=repr)
    except UnicodeEncodeError:
        return json.dumps(event, default=repr).encode()


def logger() -> Logger:
    """Returns the process's logger; events are `room.verb_past` with key=value members."""
    return structlog.get_logger()  # type: ignore[no-any-return]
