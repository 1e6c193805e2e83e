"""Reads what rows hold, also where a newer release wrote it.

While machines are upgraded one after the other, those of the old release read rows of the new one.
A word that this release does not have is kept as it is written: it equals none of the words that
are acted upon, is told to clients as it is, and moves nowhere (`core.state_machine`).
"""

from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

E = TypeVar("E", bound=StrEnum)
F = TypeVar("F", bound="DataclassInstance")


def read_member(kind: type[E], word: str) -> E:
    """Reads a word of a row; what comes from a request is read by the kind itself, which refuses.

    A word that the kind does not have becomes a value of the kind that equals no member of it.
    """
    try:
        return kind(word)
    except ValueError:
        unknown = str.__new__(kind, word)
        unknown._name_ = unknown._value_ = word
        return unknown


def is_known(member: object) -> bool:
    """Tells whether this release has a word; True of what is no word of an enumeration."""
    return not isinstance(member, StrEnum) or member.name in type(member).__members__


def read_members(kind: type[F], members: Mapping[str, Any]) -> F:
    """Makes facts of a stored JSON object, without the members that this release does not have."""
    return kind(**{one.name: members[one.name] for one in fields(kind) if one.name in members})
