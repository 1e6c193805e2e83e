"""Hypothesis as tests use it: how long an example takes says what else the machine does."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

__all__ = ["given", "settings", "st"]

settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")
