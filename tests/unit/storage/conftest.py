import pytest

from modelwright.bootstrap.container import Container
from modelwright.core.config.secret_files import read_or_make
from modelwright.storage.object_store import Objects
from modelwright.storage.url_signer import Signer


@pytest.fixture
def signer(house: Container) -> Signer:
    """The one whose addresses the house takes."""
    return Signer(read_or_make(house.settings.data_dir / "storage.key"))


@pytest.fixture
def objects(house: Container) -> Objects:
    return house.service(Objects)  # type: ignore[type-abstract]
