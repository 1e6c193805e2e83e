"""Installing the release is left out unless asked for by `-m release`."""

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "release" not in config.option.markexpr:
        items[:] = [item for item in items if item.get_closest_marker("release") is None]
