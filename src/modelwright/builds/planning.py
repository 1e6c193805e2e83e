"""Plans without building, in a process of its own: the API process stays small and quick."""

import threading
from collections.abc import Mapping
from typing import Any

from modelwright.builds.errors import PlanTooLong, TooManyPlans, Unplanned
from modelwright.core.errors import Detail
from modelwright.core.limits import LIMITS
from modelwright.jobs.handling import ChildKilled, ChildLimits, Refused, run_child

PLANS_AT_ONCE = 2


class Planner:
    """Makes plans, a few at a time."""

    def __init__(self, memory_mb: int) -> None:
        self._limits = ChildLimits(memory_mb, LIMITS.query_seconds)
        self._room = threading.BoundedSemaphore(PLANS_AT_ONCE)

    def plan(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """Makes a plan; refuses what no plan fits, and more than a few at a time."""
        if not self._room.acquire(blocking=False):
            raise TooManyPlans
        try:
            return run_child(
                "modelwright.builds.fitting:plan",
                told,
                limits=self._limits,
                on_report=lambda _: None,
                check=lambda: None,
            )
        except Refused as refused:
            sentence = str(refused.reason["message"])
            field = str(refused.reason.get("field", "dataset_id"))
            raise Unplanned(sentence, details=(Detail(field, sentence),)) from None
        except ChildKilled as killed:
            raise PlanTooLong(killed.message) from None
        finally:
            self._room.release()
