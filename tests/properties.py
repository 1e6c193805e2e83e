"""Hypothesis as tests use it.

How long an example takes says what else the machine does. Every run tries the same examples, so
that a failure belongs to the change that brought it.
"""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

__all__ = ["given", "settings", "st"]

settings.register_profile(
    "any machine", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")
