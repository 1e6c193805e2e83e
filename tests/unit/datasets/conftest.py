"""The same house and the same steps as the uploads', but files are converted in this process."""

import pytest
from tests.near import near
from tests.unit.uploads.conftest import (
    complete,
    confirm,
    declare,
    objects,
    place,
    sweep,
    work,
)

__all__ = ["complete", "confirm", "declare", "near", "objects", "place", "sweep", "work"]


@pytest.fixture(autouse=True)
def _near(near: None) -> None:
    """Every test of the room."""
