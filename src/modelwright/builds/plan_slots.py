"""Plans without building, in a process of its own: the API process stays small and quick.

A plan loads Arrow and reads whole columns: in the API process two of them at once would keep every
other request waiting.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from modelwright.builds.errors import (
    PlanAbandoned,
    PlanImpossible,
    PlanTooLong,
    TooManyPlans,
    UnclearIntent,
)
from modelwright.core.errors import Detail
from modelwright.core.ids import AccountId
from modelwright.core.limits.contract import LIMITS
from modelwright.jobs.context import ChildKilled, ChildLimits, JobRefused, Reach, run_child

MAX_CONCURRENT_PLANS = 2
"""Plans that are made at once in one API process; others are asked to come again."""


@dataclass(eq=False, slots=True)
class PlanSlot:
    """A plan that is being made."""

    account_id: AccountId
    is_gone: Callable[[], bool]
    yields: bool = False

    def check(self) -> None:
        """Refuses to go on where another account has the place, or nobody waits for the plan."""
        if self.is_gone():
            raise PlanAbandoned
        if self.yields:
            raise TooManyPlans


class PlanSlots:
    """The places of the plans that are made at the same time. Thread-safe.

    Where all are taken, an account's second plan gives way to another account's first.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken: list[PlanSlot] = []

    @contextmanager
    def take(
        self, account_id: AccountId, is_gone: Callable[[], bool] = lambda: False
    ) -> Iterator[PlanSlot]:
        """Holds a place; refuses where none is free and no other account has two.

        A place whose client went away is free at once, before its process has ended.
        """
        turn = PlanSlot(account_id, is_gone)
        with self._lock:
            if len(self._taken) >= MAX_CONCURRENT_PLANS:
                self._give_way(account_id)
            self._taken.append(turn)
        try:
            yield turn
        finally:
            with self._lock:
                if not turn.yields:
                    self._taken.remove(turn)

    def _give_way(self, account_id: AccountId) -> None:
        if left := next((turn for turn in self._taken if turn.is_gone()), None):
            left.yields = True
            self._taken.remove(left)
            return
        owners = [turn.account_id for turn in self._taken]
        for turn in reversed(self._taken):
            if account_id not in owners and owners.count(turn.account_id) > 1:
                turn.yields = True
                self._taken.remove(turn)
                return
        raise TooManyPlans


class Planner:
    """Makes plans, a few at a time."""

    def __init__(self, memory_mb: int) -> None:
        self._limits = ChildLimits(memory_mb, LIMITS.query_seconds)
        self._turns = PlanSlots()

    def plan(
        self, account_id: AccountId, payload: Mapping[str, Any], is_gone: Callable[[], bool]
    ) -> dict[str, Any]:
        """Makes a plan; refuses what no plan fits, and more than a few at a time.

        One whose client went away is given up, so that its place is free for the next.
        """
        try:
            with self._turns.take(account_id, is_gone) as turn:
                return run_child(
                    "modelwright.builds.training_process:plan",
                    payload,
                    limits=self._limits,
                    on_report=lambda _: None,
                    check=turn.check,
                    reach=Reach(readable=tuple(table["path"] for table in payload["tables"])),
                )
        except JobRefused as refused:
            sentence = str(refused.reason["message"])
            field = str(refused.reason.get("field", "dataset_id"))
            refusal = UnclearIntent if refused.reason.get("is_unclear") else PlanImpossible
            raise refusal(sentence, details=(Detail(field, sentence),)) from None
        except ChildKilled as killed:
            raise PlanTooLong(killed.message) from None
