"""Real models that are asked, with counting in the hands of the tests."""

import pytest
from tests.modelling import ModelSide, side
from tests.rooms.predictions.conftest import (
    Built,
    mass,
    penguin_table,
    penguins,
    put_to_work,
    species,
)

from modelwright.monitoring.service import Monitoring
from modelwright.wiring import House

__all__ = ["mass", "penguin_table", "penguins", "side", "species"]


@pytest.fixture(autouse=True)
def _unflushed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the tests say when to write."""
    monkeypatch.setattr("modelwright.monitoring.service.FLUSH_SECONDS", 3600.0)


@pytest.fixture
def monitoring(house: House) -> Monitoring:
    return house.service(Monitoring)


@pytest.fixture
def weights(side: ModelSide, mass: Built) -> str:
    """Where a READY model of the body mass answers."""
    return put_to_work(side, "weights", mass)
