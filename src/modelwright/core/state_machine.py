"""One step of a state machine whose transitions are a table: `{(status, event): next status}`."""

from collections.abc import Mapping
from typing import TypeVar

S = TypeVar("S")
E = TypeVar("E")


class InvalidTransitionError(ValueError):
    """An event that the table does not have for this status: a mistake of the caller."""


def transition(table: Mapping[tuple[S, E], S], status: S, event: E) -> S:
    """Returns the status that an event leads to; raises where the table has none."""
    try:
        return table[status, event]
    except KeyError:
        message = f"{event} is no event for the status {status}"
        raise InvalidTransitionError(message) from None
