import pytest

from modelwright.builds.errors import TooManyPlans
from modelwright.builds.plan_slots import Turns
from modelwright.core.ids import AccountId

A, B, C = map(AccountId, ("user_a", "user_b", "user_c"))


@pytest.fixture
def turns() -> Turns:
    return Turns()


class TestPlansAtOnce:
    def test_an_account_alone_has_two(self, turns: Turns) -> None:
        with turns.take(A) as first, turns.take(A) as second:
            with pytest.raises(TooManyPlans), turns.take(A):
                pass
            first.check()
            second.check()

    def test_another_account_takes_the_newer_of_two_of_one(self, turns: Turns) -> None:
        with turns.take(A) as first, turns.take(A) as second, turns.take(B) as others:
            with pytest.raises(TooManyPlans):
                second.check()
            with pytest.raises(TooManyPlans), turns.take(A):
                pass
            first.check()
            others.check()

    def test_accounts_with_one_each_keep_it(self, turns: Turns) -> None:
        with turns.take(A) as first, turns.take(B) as second:
            with pytest.raises(TooManyPlans), turns.take(C):
                pass
            first.check()
            second.check()

    def test_places_are_free_again_afterwards(self, turns: Turns) -> None:
        with turns.take(A), turns.take(A), turns.take(B):
            pass
        with turns.take(C) as first, turns.take(C) as second:
            first.check()
            second.check()
