"""Uploads scored with real models; children run in this process."""

from pathlib import Path

import pytest
from tests.modelling import ModelSide, side, worker
from tests.rooms.exports.conftest import near
from tests.rooms.predictions.conftest import (
    PENGUINS,
    Built,
    mass,
    penguin_table,
    penguins,
    put_to_work,
    species,
)

__all__ = ["mass", "near", "penguin_table", "penguins", "side", "species", "worker"]


@pytest.fixture
def upload_id(side: ModelSide) -> str:
    """The penguins again, without what is to be predicted."""
    lines = [line.split(",", 1)[1] for line in PENGUINS.read_text("utf-8").splitlines()]
    return side.upload("\n".join(lines) + "\n")


@pytest.fixture
def weights(side: ModelSide, mass: Built) -> str:
    """Where a READY model of the body mass answers."""
    return put_to_work(side, "weights", mass)


@pytest.fixture
def penguin_file() -> Path:
    return PENGUINS
