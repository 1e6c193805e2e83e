"""Errors of the feature."""

from modelwright.core.errors import Conflict, Forbidden, NotFound


class AccountDeactivated(Forbidden):
    """The account was deactivated by the operator."""


class EmailTaken(Conflict):
    """Another account has this e-mail."""


class OperatorStays(Conflict):
    """The operator's account cannot be deleted."""


class NoSuchAccount(NotFound):
    """No account has this e-mail or id."""
