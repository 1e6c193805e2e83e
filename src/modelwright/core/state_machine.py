"""One step of a state machine whose transitions are a table: `{(status, event): next status}`."""

from collections.abc import Mapping
from typing import TypeVar

from modelwright.core.errors import NewerRelease
from modelwright.core.stored_values import is_known

S = TypeVar("S")
E = TypeVar("E")


class InvalidTransitionError(ValueError):
    """An event that the table does not have for this status: a mistake of the caller."""


def transition(table: Mapping[tuple[S, E], S], status: S, event: E) -> S:
    """Returns the status that an event leads to; raises where the table has none.

    Refuses to move what stands where only a newer release could have put it.
    """
    if not is_known(status):
        raise NewerRelease("status", str(status))
    try:
        return table[status, event]
    except KeyError:
        message = f"{event} is no event for the status {status}"
        raise InvalidTransitionError(message) from None
