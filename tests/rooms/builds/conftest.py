import pytest
from tests.modelling import side, worker

from modelwright.core.settings import Settings

__all__ = ["side", "worker"]


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Two seconds a build are enough for the tables here."""
    return settings.model_copy(update={"build_seconds": 2})
