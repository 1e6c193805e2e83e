"""Real models that are asked, with counting in the hands of the tests."""

import pytest

from modelwright.bootstrap.container import Container
from modelwright.monitoring.service import Monitoring


@pytest.fixture(autouse=True)
def _unflushed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the tests say when to write."""
    monkeypatch.setattr("modelwright.core.regular_flush.FLUSH_SECONDS", 3600.0)


@pytest.fixture
def monitoring(container: Container) -> Monitoring:
    return container.service(Monitoring)
