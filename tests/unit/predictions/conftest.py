import pytest


@pytest.fixture(autouse=True)
def _unflushed(unflushed: None) -> None:
    """Keeps usage where tests count it."""
