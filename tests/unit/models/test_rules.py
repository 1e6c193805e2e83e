import itertools

import pytest

from modelwright.core.state_machine import InvalidTransitionError, transition
from modelwright.models.domain import (
    TRANSITIONS,
    BuildEvent,
    Change,
    Label,
    Status,
    deployment_status_of_any,
    display_name,
    is_name,
    next_label,
)


class TestMove:
    @pytest.mark.parametrize(("status", "verb"), list(itertools.product(Status, BuildEvent)))
    def test_moves_as_the_table_says_and_refuses_the_rest(
        self, status: Status, verb: BuildEvent
    ) -> None:
        if (status, verb) in TRANSITIONS:
            assert transition(TRANSITIONS, status, verb) is TRANSITIONS[status, verb]
        else:
            with pytest.raises(InvalidTransitionError):
                transition(TRANSITIONS, status, verb)

    @pytest.mark.parametrize("verb", BuildEvent)
    def test_what_has_ended_moves_no_more(self, verb: BuildEvent) -> None:
        for status in (Status.READY, Status.ERROR):
            with pytest.raises(InvalidTransitionError):
                transition(TRANSITIONS, status, verb)


class TestNames:
    @pytest.mark.parametrize("name", ["a", "A1", "churn.v2_x-1", "9", "x" * 100, "build-logs2"])
    def test_are_letters_digits_and_three_signs(self, name: str) -> None:
        assert is_name(name)

    @pytest.mark.parametrize(
        "name", ["", ".a", "-a", "_a", "a b", "a/b", "é", "x" * 101, "build-logs", "a\n"]
    )
    def test_are_nothing_else(self, name: str) -> None:
        assert not is_name(name)

    @pytest.mark.parametrize(
        ("name", "shown"),
        [("churn", "Churn"), ("customer-churn_2024.b", "Customer churn 2024 b"), ("XGB", "XGB")],
    )
    def test_are_shown_in_words(self, name: str, shown: str) -> None:
        assert display_name(name) == shown


class TestLabels:
    @pytest.mark.parametrize(
        ("newest", "change", "following"),
        [
            ("v1.0", Change.MINOR, "v1.1"),
            ("v1.9", Change.MINOR, "v1.10"),
            ("v1.3", Change.MAJOR, "v2.0"),
            ("v9.0", Change.MAJOR, "v10.0"),
        ],
    )
    def test_rise_by_one(self, newest: str, change: Change, following: str) -> None:
        assert str(next_label(Label.of(newest), change)) == following


class TestDeploymentStatusOfAny:
    @pytest.mark.parametrize(
        ("statuses", "told"),
        [
            (set(), None),
            ({"UNDEPLOYED"}, "UNDEPLOYED"),
            ({"UNDEPLOYED", "DEPLOYING"}, "DEPLOYING"),
            ({"UNDEPLOYED", "DEPLOYING", "DEPLOYED"}, "DEPLOYED"),
        ],
    )
    def test_tells_the_most_alive(self, statuses: set[str], told: str | None) -> None:
        assert deployment_status_of_any(statuses) == told
