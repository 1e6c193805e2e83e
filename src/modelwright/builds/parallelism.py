"""What a build's process loads before its walls rise."""

from collections.abc import Mapping
from typing import Any


def prepare(_payload: Mapping[str, Any]) -> None:
    """Loads joblib, by which scikit-learn fits in threads.

    As it loads it tries a semaphore in the folder that all processes share. Behind the walls it
    may not, and would fit with one thread.
    """
    import joblib  # noqa: F401, PLC0415 - slow to load, only in the process of a build
