"""Words and members that only a newer release has are read, told, and moved nowhere."""

from dataclasses import dataclass
from enum import StrEnum

import pytest

from modelwright.core.errors import NewerRelease
from modelwright.core.http.context import Level, Tier
from modelwright.core.http.schemas import ResponseBody
from modelwright.core.state_machine import InvalidTransitionError, transition
from modelwright.core.stored_values import is_known, read_member, read_members


class Status(StrEnum):
    """Where something stands."""

    OPEN = "OPEN"
    DONE = "DONE"


class Answer(ResponseBody):
    """An answer that tells it."""

    status: Status


@dataclass(frozen=True)
class Facts:
    name: str
    size: int = 0


class TestReadMember:
    def test_reads_what_is_known(self):
        assert read_member(Status, "OPEN") is Status.OPEN
        assert is_known(Status.OPEN)

    def test_keeps_what_is_not(self):
        paused = read_member(Status, "PAUSED")
        assert isinstance(paused, Status)
        assert (paused, paused.value, str(paused), f"{paused}") == ("PAUSED",) * 4
        assert paused not in {Status.OPEN, Status.DONE}
        assert not is_known(paused)
        with pytest.raises(ValueError, match="PAUSED"):
            Status("PAUSED")

    def test_is_told_in_answers_as_it_is_written(self):
        told = Answer(status=read_member(Status, "PAUSED"))
        assert told.model_dump(mode="json") == {"status": "PAUSED"}

    def test_moves_nowhere(self):
        moves = {(Status.OPEN, "end"): Status.DONE}
        with pytest.raises(NewerRelease, match="PAUSED"):
            transition(moves, read_member(Status, "PAUSED"), "end")
        with pytest.raises(InvalidTransitionError):
            transition(moves, Status.DONE, "end")


class TestReadMembers:
    def test_leaves_out_what_is_not_known(self):
        assert read_members(Facts, {"name": "a", "size": 2, "colour": "red"}) == Facts("a", 2)
        assert read_members(Facts, {"name": "a"}) == Facts("a")


class TestRights:
    def test_of_an_unknown_level_are_refused_and_of_an_unknown_tier_the_least(self):
        assert Level.of("admin") is Level.ADMIN
        with pytest.raises(NewerRelease, match="auditor"):
            Level.of("auditor")
        assert Tier.of("enterprise") is Tier.ENTERPRISE
        assert Tier.of("galactic") is Tier.BASIC
