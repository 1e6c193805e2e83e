"""Examines the parts the service stands on."""

import time
from collections.abc import Callable
from typing import Any, Literal

from sqlalchemy import text

from modelwright import __version__
from modelwright.bootstrap.container import Container
from modelwright.core.db.errors import DatabaseDamaged
from modelwright.core.errors import ApiError
from modelwright.core.http.schemas import ResponseBody
from modelwright.core.logging import logger


class Part(ResponseBody):
    """The state of one part."""

    status: Literal["ok", "down"]
    """Whether it answers."""
    latency_ms: float
    """How long that took, in milliseconds."""
    message: str | None = None
    """Why it is down, where that is known."""


class Health(ResponseBody):
    """The state of the service and its parts."""

    status: Literal["ok", "degraded"]
    """`degraded` when a part is down."""
    version: str
    """Version of the server."""
    checks: dict[str, Part]
    """Every part by its name."""


def examine(container: Container) -> dict[str, Any]:
    """Asks every part; the whole is `down` when a part that requests need is."""
    checks = {name: _check(ask) for name, ask in container.checks().items()}
    checks["database"] = _check(lambda: _ask_database(container))
    states = {check["status"] for check in checks.values()}
    needed = {checks[name]["status"] for name in ("database", "storage") if name in checks}
    status = "down" if "down" in needed else "degraded" if states != {"ok"} else "ok"
    return {"status": status, "version": __version__, "checks": checks}


def _ask_database(container: Container) -> None:
    if container.database.is_damaged:
        raise DatabaseDamaged
    with container.database.transaction(write=False) as db:
        db.execute(text("select 1"))


def _check(ask: Callable[[], None]) -> dict[str, Any]:
    started = time.perf_counter()
    status, message = "ok", None
    try:
        ask()
    except ApiError as refusal:
        logger().warning("health.part_down", why=refusal.message)
        status, message = "down", refusal.message
    except Exception:  # noqa: BLE001 - whatever it is, the part is down
        logger().warning("health.part_down", exc_info=True)
        status = "down"
    latency_ms = round((time.perf_counter() - started) * 1000, 2)
    return {"status": status, "latency_ms": latency_ms, "message": message}
