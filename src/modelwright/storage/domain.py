"""What a key may look like, and what is announced of one."""

import re
from collections.abc import Container
from dataclasses import dataclass

MAX_KEY_LENGTH = 512
"""Characters of a key; S3 takes 1,024 bytes, and a prefix stands before it."""
PIECE_BYTES = 1024 * 1024
"""How much of an object is held in memory at a time."""

PART_BYTES = 16 * 1024 * 1024
"""How large each part but the last is of an object in parts; S3 takes none below 5 MB."""

PROBES = "probe"
"""What health checks store under, for a moment."""
SWEPT_SHARE = 0.05
"""The share of all objects that one sweep may take: more are no leftovers of failed work."""
SWEPT_COUNT = 10
"""How many objects a sweep may take where there are few, as long as more stay than go."""
SWEPT_LONE = 3
"""How many a sweep may take even when none stays."""

_SEGMENT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


def is_key(text: str) -> bool:
    """Says whether a text is a key: segments that cannot lead out of a folder, nor hide in it."""
    return len(text) <= MAX_KEY_LENGTH and all(map(_SEGMENT.fullmatch, text.split("/")))


def is_under(key: str, prefixes: Container[str]) -> bool:
    """Returns whether a key is, or lies under, one of some prefixes."""
    parts = key.split("/")
    return any("/".join(parts[:end]) in prefixes for end in range(1, len(parts) + 1))


def may_sweep(orphans: int, objects: int) -> bool:
    """Says whether a sweep may take so many of all objects without being told that it is meant."""
    if orphans <= SWEPT_LONE or orphans <= SWEPT_SHARE * objects:
        return True
    return orphans <= SWEPT_COUNT and 2 * orphans <= objects


def parts_of(key: str) -> list[str]:
    """Splits a key into its segments; refuses what is not a key with ValueError."""
    if not is_key(key):
        message = f"not a key of an object: {key!r}"
        raise ValueError(message)
    return key.split("/")


@dataclass(frozen=True, slots=True)
class ByteRange:
    """A stretch of an object, from `start` up to, not including, `end`."""

    start: int
    end: int


def split(start: int, size: int, part_bytes: int) -> list[ByteRange]:
    """Cuts what is left of an object at the bounds of its parts."""
    bounds = range((start // part_bytes + 1) * part_bytes, size, part_bytes)
    starts, ends = [start, *bounds], [*bounds, size]
    return [ByteRange(*pair) for pair in zip(starts, ends, strict=True) if pair[0] < pair[1]]


@dataclass(frozen=True, slots=True)
class ObjectArriving:
    """Announced when bytes come for a key, and before they are kept; who knows better refuses."""

    key: str


@dataclass(frozen=True, slots=True)
class ObjectLeaving:
    """Announced when a signed address gives an object away; who knows better refuses."""

    key: str
