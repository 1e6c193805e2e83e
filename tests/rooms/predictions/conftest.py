from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pytest
from tests.modelling import ModelSide, side

import modelwright_client
from modelwright.jobs.children import ChildLimits, run
from modelwright.models.rules import Outcome
from modelwright.storage.objects import Objects

__all__ = ["side"]

PENGUINS = Path(modelwright_client.__file__).parent / "demo" / "penguins.csv"


@pytest.fixture(autouse=True)
def _unflushed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps usage where tests count it."""
    monkeypatch.setattr("modelwright.usage.service.FLUSH_SECONDS", 3600.0)


class Built(NamedTuple):
    """A real artifact and what its build learnt."""

    folder: Path
    outcome: Outcome


@pytest.fixture(scope="session")
def penguin_table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("penguins") / "penguins.parquet"
    with duckdb.connect() as connection:
        connection.execute(
            f"copy (select * from read_csv('{PENGUINS}')) to '{path}' (format parquet)"
        )
    return path


def build(table: Path, folder: Path, intent: str) -> Built:
    wish = {"intent": intent, "max_iterations": 1}
    wish |= dict.fromkeys(("input_schema", "output_schema", "metric", "target", "task"))
    told: dict[str, Any] = {
        "wish": wish,
        "tables": [{"filename": "penguins.csv", "path": str(table), "columns": {}}],
        "seconds": 4.0,
        "folder": str(folder),
    }
    learnt = run(
        "modelwright.builds.fitting:build",
        told,
        limits=ChildLimits(2048, 60),
        on_report=lambda _: None,
        check=lambda: None,
    )
    return Built(folder, Outcome(**learnt))


@pytest.fixture(scope="session")
def species(penguin_table: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(penguin_table, tmp_path_factory.mktemp("species"), "Predict the species")


@pytest.fixture(scope="session")
def mass(penguin_table: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(penguin_table, tmp_path_factory.mktemp("mass"), "Predict body_mass_g")


def put_to_work(side: ModelSide, name: str, built: Built) -> str:
    """Makes a READY model of a built artifact and returns where it answers."""
    version = side.draft(name)
    side.start(version)
    objects = side.house.service(Objects)  # type: ignore[type-abstract]
    objects.put_folder(f"artifacts/{version.version_id}/1", built.folder)
    side.finish(version, built.outcome)
    return f"/models/{name}/v1.0"


@pytest.fixture
def penguins(side: ModelSide, species: Built) -> str:
    """Where a READY model of the species answers."""
    return put_to_work(side, "penguins", species)
