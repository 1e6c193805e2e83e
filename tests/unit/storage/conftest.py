import pytest

from modelwright.bootstrap.container import Container
from modelwright.core.config.secret_files import read_or_make
from modelwright.storage.object_store import ObjectStore
from modelwright.storage.url_signer import UrlSigner


@pytest.fixture
def signer(container: Container) -> UrlSigner:
    """The one whose addresses the container takes."""
    return UrlSigner(read_or_make(container.settings.data_dir / "storage.key"))


@pytest.fixture
def objects(container: Container) -> ObjectStore:
    return container.service(ObjectStore)  # type: ignore[type-abstract]
