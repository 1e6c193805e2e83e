import pytest

from modelwright.bootstrap.container import House
from modelwright.core.config.secret_files import read_or_make
from modelwright.storage.object_store import Objects
from modelwright.storage.url_signer import Signer


@pytest.fixture
def signer(house: House) -> Signer:
    """The one whose addresses the house takes."""
    return Signer(read_or_make(house.settings.data_dir / "storage.key"))


@pytest.fixture
def objects(house: House) -> Objects:
    return house.service(Objects)  # type: ignore[type-abstract]
