"""Where replicas are to be: spread, within the room, away from machines that are drained."""

from collections import Counter

import pytest
from tests.properties import given, st

from modelwright.deployments.domain import Host, Placement, ReplicaInfo, ReplicaStatus, place

READY = ReplicaStatus.READY
STARTING = ReplicaStatus.STARTING
LEAVING = ReplicaStatus.LEAVING


def replica(number: int, machine: str, status: ReplicaStatus = READY) -> ReplicaInfo:
    return ReplicaInfo(
        f"rep_{number:02d}", "dep", "cluster", machine, status, "", "", 0.0, None, False, None
    )


def placed(wanted: int, replicas: list[ReplicaInfo], hosts: list[Host]) -> Placement:
    return place(wanted, replicas, hosts, Counter(one.machine_id for one in replicas))


class TestPlace:
    def test_spreads_over_machines_with_room(self):
        plan = placed(4, [], [Host("a", 4), Host("b", 2), Host("c", 1)])
        assert Counter(plan.add) == {"a": 2, "b": 1, "c": 1}

    def test_adds_no_more_than_there_is_room(self):
        assert Counter(placed(9, [], [Host("a", 2), Host("b", 1)]).add) == {"a": 2, "b": 1}
        assert placed(1, [], []) == Placement()

    def test_lets_the_newest_and_those_that_do_not_answer_yet_go_first(self):
        there = [replica(1, "a", STARTING), replica(2, "a"), replica(3, "b")]
        assert placed(2, there, [Host("a", 4), Host("b", 4)]).leave == ["rep_01"]
        assert placed(1, there, [Host("a", 4), Host("b", 4)]).leave == ["rep_03", "rep_01"]

    def test_a_draining_machine_keeps_what_it_has_until_others_answer_in_its_place(self):
        hosts = [Host("a", 4, is_draining=True), Host("b", 4)]
        plan = placed(2, [replica(1, "a"), replica(2, "b")], hosts)
        assert plan == Placement(add=["b"])
        there = [replica(1, "a"), replica(2, "b"), replica(3, "b", STARTING)]
        assert placed(2, there, hosts) == Placement()
        there[2] = replica(3, "b")
        assert placed(2, there, hosts) == Placement(leave=["rep_01"])

    def test_what_leaves_takes_room_but_counts_for_nothing(self):
        there = [replica(1, "a", LEAVING)]
        assert placed(1, there, [Host("a", 1)]) == Placement()
        assert placed(1, there, [Host("a", 2)]).add == ["a"]

    @given(
        wanted=st.integers(0, 6),
        rooms=st.lists(st.integers(0, 4), max_size=4),
        there=st.lists(st.tuples(st.integers(0, 3), st.sampled_from(ReplicaStatus)), max_size=8),
    )
    @pytest.mark.timeout(60)
    def test_never_adds_and_removes_at_once_nor_beyond_room_or_sum(
        self, wanted: int, rooms: list[int], there: list[tuple[int, ReplicaStatus]]
    ):
        hosts = [Host(str(number), room) for number, room in enumerate(rooms)]
        replicas = [
            replica(at, str(machine), status)
            for at, (machine, status) in enumerate(there)
            if machine < len(rooms)
        ]
        plan = placed(wanted, replicas, hosts)
        standing = [one for one in replicas if one.status is not LEAVING]
        assert not (plan.add and plan.leave)
        assert len(standing) + len(plan.add) - len(plan.leave) <= max(wanted, 0)
        taken = Counter(one.machine_id for one in replicas)
        for host in hosts:
            added = plan.add.count(host.machine_id)
            assert not added or taken[host.machine_id] + added <= host.room
