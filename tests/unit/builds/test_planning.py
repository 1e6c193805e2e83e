import pytest

from modelwright.builds.errors import PlanAbandoned, TooManyPlans
from modelwright.builds.plan_slots import Planner, PlanSlots
from modelwright.core.ids import AccountId

A = AccountId("user_a")
B = AccountId("user_b")
C = AccountId("user_c")


@pytest.fixture
def turns() -> PlanSlots:
    return PlanSlots()


class TestPlansAtOnce:
    def test_an_account_alone_has_two(self, turns: PlanSlots) -> None:
        with turns.take(A) as first, turns.take(A) as second:
            with pytest.raises(TooManyPlans), turns.take(A):
                pass
            first.check()
            second.check()

    def test_another_account_takes_the_newer_of_two_of_one(self, turns: PlanSlots) -> None:
        with turns.take(A) as first, turns.take(A) as second, turns.take(B) as others:
            with pytest.raises(TooManyPlans):
                second.check()
            with pytest.raises(TooManyPlans), turns.take(A):
                pass
            first.check()
            others.check()

    def test_accounts_with_one_each_keep_it(self, turns: PlanSlots) -> None:
        with turns.take(A) as first, turns.take(B) as second:
            with pytest.raises(TooManyPlans), turns.take(C):
                pass
            first.check()
            second.check()

    def test_plans_that_were_left_do_not_pile_up(self, turns: PlanSlots) -> None:
        with turns.take(A, lambda: True) as left, turns.take(A) as second, turns.take(A) as third:
            with pytest.raises(PlanAbandoned):
                left.check()
            second.check()
            third.check()

    def test_a_plan_whose_client_left_gives_its_place_back(self) -> None:
        planner = Planner(memory_mb=400)
        for _ in range(3):
            with pytest.raises(PlanAbandoned):
                planner.plan(A, {"request": {}, "tables": [], "seconds": 1}, lambda: True)

    def test_places_are_free_again_afterwards(self, turns: PlanSlots) -> None:
        with turns.take(A), turns.take(A), turns.take(B):
            pass
        with turns.take(C) as first, turns.take(C) as second:
            first.check()
            second.check()
