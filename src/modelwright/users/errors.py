"""Refusals of the room."""

from modelwright.core.errors import Conflict, Forbidden, NotFound


class AccountDeactivated(Forbidden):
    """The account was deactivated by the operator."""


class EmailTaken(Conflict):
    """Another account has this e-mail."""


class NoSuchAccount(NotFound):
    """No account has this e-mail or id."""
