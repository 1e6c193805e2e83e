"""Plans without building, in a process of its own: the API process stays small and quick."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from modelwright.builds.errors import PlanTooLong, TooManyPlans, Unplanned
from modelwright.core.errors import Detail
from modelwright.core.ids import AccountId
from modelwright.core.limits.contract import LIMITS
from modelwright.jobs.context import ChildKilled, ChildLimits, Refused, run_child

PLANS_AT_ONCE = 2


@dataclass(eq=False, slots=True)
class Turn:
    """A plan that is being made."""

    account_id: AccountId
    yields: bool = False

    def check(self) -> None:
        """Refuses to go on where another account has the place."""
        if self.yields:
            raise TooManyPlans


class Turns:
    """The places of the plans that are made at the same time. Thread-safe.

    Where all are taken, an account's second plan gives way to another account's first.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken: list[Turn] = []

    @contextmanager
    def take(self, account_id: AccountId) -> Iterator[Turn]:
        """Holds a place; refuses where none is free and no other account has two."""
        turn = Turn(account_id)
        with self._lock:
            if len(self._taken) >= PLANS_AT_ONCE:
                self._give_way(account_id)
            self._taken.append(turn)
        try:
            yield turn
        finally:
            with self._lock:
                if not turn.yields:
                    self._taken.remove(turn)

    def _give_way(self, account_id: AccountId) -> None:
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
        self._turns = Turns()

    def plan(self, account_id: AccountId, told: Mapping[str, Any]) -> dict[str, Any]:
        """Makes a plan; refuses what no plan fits, and more than a few at a time."""
        try:
            with self._turns.take(account_id) as turn:
                return run_child(
                    "modelwright.builds.training_process:plan",
                    told,
                    limits=self._limits,
                    on_report=lambda _: None,
                    check=turn.check,
                )
        except Refused as refused:
            sentence = str(refused.reason["message"])
            field = str(refused.reason.get("field", "dataset_id"))
            raise Unplanned(sentence, details=(Detail(field, sentence),)) from None
        except ChildKilled as killed:
            raise PlanTooLong(killed.message) from None
