import pytest


@pytest.fixture(autouse=True)
def _unflushed(no_usage_flush: None) -> None:
    """Keeps usage where tests count it."""
