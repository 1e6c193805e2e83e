"""A model of two READY versions with real artifacts, and replicas that the test turns by hand."""

import pytest
from tests.built_models import Built, put_to_work
from tests.factories import ModelSide
from tests.unit.deployments.conftest import host, turn_until

from modelwright.storage.object_store import ObjectStore

__all__ = ["host", "turn_until"]
"""Fixtures of replicas, which deployments have too."""


@pytest.fixture(autouse=True)
def _unflushed(no_usage_flush: None) -> None:
    """Keeps the background out of the database."""


def another_version(model_side: ModelSide, name: str, built: Built) -> str:
    """Makes a model's next READY version of a built artifact and returns its label."""
    version = model_side.next(name)
    model_side.start(version)
    objects = model_side.container.service(ObjectStore)  # type: ignore[type-abstract]
    objects.put_folder(f"artifacts/{version.version_id}/1", built.folder)
    model_side.finish(version, built.outcome)
    return version.model_version


@pytest.fixture
def penguins(model_side: ModelSide, species: Built) -> str:
    """A model with the READY versions v1.0, which is in service, and v1.1."""
    put_to_work(model_side, "penguins", species)
    another_version(model_side, "penguins", species)
    return "penguins"
