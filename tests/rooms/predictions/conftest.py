import pytest


@pytest.fixture(autouse=True)
def _unflushed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps usage where tests count it."""
    monkeypatch.setattr("modelwright.usage.service.FLUSH_SECONDS", 3600.0)
