"""Errors of the feature."""

from modelwright.core.errors import Conflict, Forbidden, RateLimited


class KeyIsRevoked(Conflict):
    """A revoked key cannot be changed."""


class LevelAboveOwn(Forbidden):
    """A key may not issue a key above its own level."""


class KeyAboveOwn(Forbidden):
    """A narrowed key may only act on keys that are as narrow."""


class TooManyKeys(RateLimited):
    """Too many keys were made within the hour."""
