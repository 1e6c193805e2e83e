"""Heartbeats: each part of the server says by shared memory that its loop still turns.

The supervisor makes a board before it forks its parts. A part beats where the loop that matters to
others turns, so that one whose other threads live while that loop stands is silent, as it should
be. The supervisor counts silence only while it runs itself: when the whole machine or container
was stopped and goes on, nobody was silent.
"""

import mmap
import struct
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

from modelwright.core.errors import Unavailable

START_SECONDS = 3600.0
"""How long a part may take to its first beat: tables of a large database may be changed first."""
SUPERVISOR = "supervisor"

_BEAT = struct.Struct("=dd")
"""When it last beat, by the clock that never goes back, and what it may take to the next beat."""
_NOTE = struct.Struct("=dQ")
"""What the supervisor notes: how long it has been silent, and how often it was replaced for it."""
_WAIT = struct.Struct("=160s")
"""What the part waits for, in UTF-8 and filled up with NUL; all NUL where it waits for nothing."""
_WAIT_AT = _BEAT.size + _NOTE.size
_SLOT_BYTES = _WAIT_AT + _WAIT.size


class PartSilent(Unavailable):
    """A part of the server gives no sign of life."""

    def __init__(self, part: str, seconds: float) -> None:
        super().__init__(
            f"The {part} has given no sign of life for {seconds:.0f} seconds; it is replaced when"
            " it is silent for as long as MODELWRIGHT_HUNG_SECONDS says."
            if part != SUPERVISOR
            else f"The supervisor has given no sign of life for {seconds:.0f} seconds, and nobody"
            " replaces it: restart the service."
        )


class PartWaiting(Unavailable):
    """A part of the server cannot begin before something is there."""

    def __init__(self, part: str, what: str) -> None:
        super().__init__(f"The {part} waits for {what}, and begins as soon as it can.")


@dataclass(frozen=True, slots=True)
class Pulse:
    """What is known of one part's life."""

    part: str
    beat: float
    may_take: float
    """Seconds to the next beat that the part has announced; 0 where it announced none."""
    silent_seconds: float
    replaced: int
    """How often it was killed and started again for its silence."""
    waits_for: str = ""
    """What it waits for before it begins; empty where it has begun."""


class HeartbeatBoard:
    """The beats of all parts, in memory that the supervisor shares with them."""

    def __init__(self, parts: Sequence[str], hung_seconds: float) -> None:
        self.parts = (SUPERVISOR, *parts)
        self.hung_seconds = hung_seconds
        self._memory = mmap.mmap(-1, _SLOT_BYTES * len(self.parts))

    def beat(self, part: str, may_take: float = 0.0) -> None:
        """Notes that a part lives, and how long it may take to its next beat."""
        _BEAT.pack_into(self._memory, self._at(part), time.monotonic(), may_take)

    def record(self, part: str, silent_seconds: float, *, replaced: bool = False) -> None:
        """Notes for how long a part was silent, and whether it is replaced for that."""
        count = self.pulse(part).replaced + replaced
        _NOTE.pack_into(self._memory, self._at(part) + _BEAT.size, silent_seconds, count)

    def tell(self, part: str, waits_for: str) -> None:
        """Notes what a part waits for; nothing when it waits no longer."""
        encoded = waits_for.encode()[: _WAIT.size]
        _WAIT.pack_into(self._memory, self._at(part) + _WAIT_AT, encoded)

    def pulse(self, part: str) -> Pulse:
        """Reads what is known of a part."""
        at = self._at(part)
        beat, may_take = _BEAT.unpack_from(self._memory, at)
        silent, replaced = _NOTE.unpack_from(self._memory, at + _BEAT.size)
        if part == SUPERVISOR:
            silent = time.monotonic() - beat
        (encoded,) = _WAIT.unpack_from(self._memory, at + _WAIT_AT)
        waits_for = encoded.rstrip(b"\0").decode(errors="ignore")
        return Pulse(part, beat, may_take, silent, replaced, waits_for)

    def limit(self, pulse: Pulse) -> float:
        """Tells how long a part may be silent now."""
        return max(self.hung_seconds, pulse.may_take)

    def pulses(self) -> list[Pulse]:
        """Reads what is known of every part, the supervisor's first."""
        return [self.pulse(part) for part in self.parts]

    def probe(self) -> None:
        """Raises PartSilent where a part has been silent for half of what it may be.

        Raises PartWaiting where one has not begun, since something it needs is away.
        """
        for pulse in self.pulses():
            if pulse.waits_for:
                raise PartWaiting(pulse.part, pulse.waits_for)
            if pulse.silent_seconds > self.limit(pulse) / 2:
                raise PartSilent(pulse.part, pulse.silent_seconds)

    def _at(self, part: str) -> int:
        return self.parts.index(part) * _SLOT_BYTES


@dataclass(slots=True)
class _Own:
    """What this process beats on; nothing where no supervisor listens."""

    board: HeartbeatBoard | None = None
    part: str = ""
    thread: int = 0


_own = _Own()


def put_up(board: HeartbeatBoard | None) -> None:
    """Has the processes that are forked from here on beat on a board."""
    _own.board, _own.part = board, ""


def board() -> HeartbeatBoard | None:
    """Returns the board of this server; None in a process that no supervisor looks after."""
    return _own.board


def begin(part: str) -> None:
    """Makes this process, and this thread of it, a part that beats."""
    _own.part, _own.thread = part, threading.get_ident()
    tell("")
    beat(START_SECONDS)


def tell(waits_for: str) -> None:
    """Says what this part waits for before it begins; nothing when it waits no longer."""
    if _own.board is not None and _own.part:
        _own.board.tell(_own.part, waits_for)


def beat(may_take: float = 0.0) -> None:
    """Beats, where this thread is the one whose life is looked at; costs a microsecond.

    Args:
        may_take: Seconds that what is begun now may take, where that can be longer than a part may
            be silent.
    """
    if _own.board is not None and _own.part and threading.get_ident() == _own.thread:
        _own.board.beat(_own.part, may_take)
