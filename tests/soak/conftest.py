"""Long runs are left out unless asked for by `-m soak`."""

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "soak" not in config.option.markexpr:
        items[:] = [item for item in items if item.get_closest_marker("soak") is None]
