import pytest

from modelwright.core.settings import Settings


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Ten seconds a build are plenty for the tables here."""
    return settings.model_copy(update={"build_seconds": 10})
