import pytest

from modelwright.core.keyfile import read_or_make
from modelwright.storage.objects import Objects
from modelwright.storage.signing import Signer
from modelwright.wiring import House


@pytest.fixture
def signer(house: House) -> Signer:
    """The one whose addresses the house takes."""
    return Signer(read_or_make(house.settings.data_dir / "storage.key"))


@pytest.fixture
def objects(house: House) -> Objects:
    return house.service(Objects)  # type: ignore[type-abstract]
