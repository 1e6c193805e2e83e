"""How deployments move and how many replicas the load asks for."""

import pytest

from modelwright.core.state_machine import InvalidTransitionError, transition
from modelwright.deployments.domain import (
    BUSY_SECONDS,
    SPARE_SECONDS,
    TRANSITIONS,
    Autoscaler,
    DeploymentEvent,
    Status,
    min_replicas,
    pause_seconds,
)


class TestMove:
    @pytest.mark.parametrize("verb", DeploymentEvent)
    @pytest.mark.parametrize("status", Status)
    def test_goes_as_decided_and_in_no_other_way(
        self, status: Status, verb: DeploymentEvent
    ) -> None:
        decided = {
            ("DEPLOYING", "activate"): "ACTIVE",
            ("DEPLOYING", "fail"): "FAILED",
            ("ACTIVE", "fail"): "FAILED",
            ("DEPLOYING", "undeploy"): "UNDEPLOYING",
            ("ACTIVE", "undeploy"): "UNDEPLOYING",
            ("FAILED", "undeploy"): "UNDEPLOYING",
            ("UNDEPLOYING", "undeploy"): "UNDEPLOYING",
        }
        assert {(str(at), str(by)): str(to) for (at, by), to in TRANSITIONS.items()} == decided
        if (status, verb) in TRANSITIONS:
            assert transition(TRANSITIONS, status, verb) == decided[status, verb]
        else:
            with pytest.raises(InvalidTransitionError):
                transition(TRANSITIONS, status, verb)


class TestScaling:
    def grown(self, most: int = 4) -> Autoscaler:
        scaling = Autoscaler()
        scaling.observe([1.0], most, 1.0)
        assert scaling.observe([1.0], most, 1.0 + BUSY_SECONDS) == min(2, most)
        return scaling

    def test_begins_with_one(self) -> None:
        assert Autoscaler().observe([], 4, 1.0) == 1

    def test_grows_when_all_are_busy_for_a_while(self) -> None:
        self.grown()

    def test_never_grows_above_the_ceiling(self) -> None:
        self.grown(most=1)

    def test_waits_until_a_new_one_has_taken_its_share(self) -> None:
        scaling = self.grown()
        assert scaling.observe([1.0], 4, 100.0) == 2

    def test_a_moment_of_load_changes_nothing(self) -> None:
        scaling = Autoscaler()
        scaling.observe([1.0], 4, 1.0)
        scaling.observe([0.1], 4, 1.0 + BUSY_SECONDS / 2)
        assert scaling.observe([1.0], 4, 1.0 + BUSY_SECONDS) == 1

    def test_shrinks_when_fewer_would_do_for_long(self) -> None:
        scaling = self.grown()
        assert scaling.observe([0.2, 0.2], 4, 10.0) == 2
        assert scaling.observe([0.2, 0.2], 4, 10.0 + SPARE_SECONDS) == 1
        assert scaling.observe([0.0], 4, 1000.0) == 1

    def test_between_busy_and_spare_it_stays(self) -> None:
        scaling = self.grown()
        for now in (10.0, 100.0, 1000.0):
            assert scaling.observe([0.4, 0.4], 4, now) == 2

    def test_a_lower_ceiling_counts_at_once(self) -> None:
        assert self.grown().observe([1.0, 1.0], 1, 10.0) == 1


class TestNumbers:
    def test_with_auto_scale_the_replicas_are_a_ceiling(self) -> None:
        assert min_replicas(5, auto_scale=True) == 1
        assert min_replicas(5, auto_scale=False) == 5

    def test_starts_that_fail_are_tried_ever_later_but_not_too_late(self) -> None:
        pauses = [pause_seconds(failures) for failures in range(20)]
        assert pauses[0] == 0
        assert pauses == sorted(pauses)
        assert pauses[-1] == 5
