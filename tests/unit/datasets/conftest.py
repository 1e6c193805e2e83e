"""The same container and steps as the uploads', but files are converted in this process."""

import pytest
from tests.in_process_children import in_process_children
from tests.unit.uploads.conftest import (
    complete,
    confirm,
    declare,
    objects,
    place,
    sweep,
    work,
)

__all__ = [
    "complete",
    "confirm",
    "declare",
    "in_process_children",
    "objects",
    "place",
    "sweep",
    "work",
]


@pytest.fixture(autouse=True)
def _near(in_process_children: None) -> None:
    """Every test of the feature."""
