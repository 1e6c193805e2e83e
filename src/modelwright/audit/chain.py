"""The chain of the audit log: each entry's digest covers its place and the digest before it.

Whoever changes, removes or moves an entry breaks it there; whoever writes all later entries anew
ends at another digest than the one that the object store keeps.
"""

import json
from dataclasses import dataclass, field
from hashlib import sha256

from modelwright.audit.orm import AuditRecord

START = ""
"""What stands for the digest before the first entry."""
COVERED = (
    "entry_id",
    "account_id",
    "actor",
    "key_id",
    "operation",
    "resource",
    "path",
    "address",
    "request_id",
    "sequence",
    "previous",
)
"""Members of an entry that its digest covers, beside its time."""
MAX_FAULTS = 1000
"""Faults that are told at most: where nothing fits any more, more say no more."""


@dataclass(frozen=True, slots=True)
class Link:
    """A place in the chain."""

    sequence: int = 0
    digest: str = START

    def message(self) -> bytes:
        """Returns what is signed of it."""
        return f"modelwright audit {self.sequence} {self.digest}".encode()


def digest_of(entry: AuditRecord) -> str:
    """Computes the digest of an entry that has its place and what was before."""
    covered = {name: getattr(entry, name) for name in COVERED}
    covered["at"] = entry.at.isoformat(timespec="microseconds")
    return sha256(json.dumps(covered, sort_keys=True).encode()).hexdigest()


@dataclass(slots=True)
class ChainWalk:
    """Goes through the entries in order and notes each place where they were tampered with."""

    last: Link = Link()
    kept: Link | None = None
    """A link that is known from elsewhere, which the chain must have."""
    faults: list[str] = field(default_factory=list)
    entries: int = 0

    def step(self, entry: AuditRecord) -> None:
        """Takes the next entry."""
        place = entry.sequence or 0
        self.entries += 1
        if place > self.last.sequence + 1:
            self.note(f"{_span(self.last.sequence + 1, place - 1)} missing.")
        elif entry.previous != self.last.digest:
            self.note(f"Entry {place} ({entry.entry_id}) does not follow the one before it.")
        if entry.digest != digest_of(entry):
            self.note(f"Entry {place} ({entry.entry_id}) was changed.")
        self.last = Link(place, entry.digest or "")
        if self.kept and self.kept.sequence == place and self.kept != self.last:
            self.note(f"Entry {place} ({entry.entry_id}) is not the one that the store knows.")

    def end(self, head: Link) -> None:
        """Compares the end with what is told of it in the database and in the store."""
        furthest = max(head.sequence, self.kept.sequence if self.kept else 0)
        if furthest > self.last.sequence:
            self.note(f"{_span(self.last.sequence + 1, furthest)} missing at the end.")
        elif head != self.last:
            self.note("The end of the chain is not the one that the database tells.")

    def note(self, fault: str) -> None:
        """Notes a fault."""
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(fault)


def _span(first: int, last: int) -> str:
    return f"Entry {first} is" if first == last else f"Entries {first} to {last} are"
