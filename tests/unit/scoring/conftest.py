"""Uploads scored with real models; children run in this process."""

from pathlib import Path

import pytest
from tests.built_models import PENGUINS
from tests.factories import ModelSide


@pytest.fixture
def upload_id(model_side: ModelSide) -> str:
    """The penguins again, without what is to be predicted."""
    lines = [line.split(",", 1)[1] for line in PENGUINS.read_text("utf-8").splitlines()]
    return model_side.upload("\n".join(lines) + "\n")


@pytest.fixture
def penguin_file() -> Path:
    return PENGUINS
