"""Real models of the penguins, built once a run whichever tests ask for them."""

import fcntl
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pyarrow.parquet as pq
import pytest
from tests.factories import ModelSide

import modelwright_client
from modelwright.builds.tasks import PREPARE
from modelwright.engines.ingest.converting import convert
from modelwright.engines.ingest.table import Bounds
from modelwright.jobs.subprocesses import ChildLimits, run
from modelwright.models.domain import BuildResult
from modelwright.storage.object_store import ObjectStore
from modelwright.system.sandbox.process import Reach

PENGUINS = Path(modelwright_client.__file__).parent / "demo" / "penguins.csv"
GENTOO = {
    "island": "Biscoe",
    "bill_length_mm": 46.1,
    "bill_depth_mm": 13.2,
    "flipper_length_mm": 211,
    "body_mass_g": 4500,
    "sex": "female",
    "year": 2007,
}
MOST_SECONDS = 100.0
"""Far more than one iteration takes: a busy machine builds the same models, only later."""


class Built(NamedTuple):
    """A real artifact and what its build learnt."""

    folder: Path
    outcome: BuildResult


@pytest.fixture(scope="session")
def built_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Where models are built; all workers of a run share it."""
    own = tmp_path_factory.getbasetemp()
    folder = (own if worker_id == "master" else own.parent) / "built"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def species(built_folder: Path) -> Built:
    return _once(built_folder / "species", "Predict the species")


@pytest.fixture(scope="session")
def mass(built_folder: Path) -> Built:
    return _once(built_folder / "mass", "Predict body_mass_g")


@pytest.fixture(scope="session")
def nested_species(built_folder: Path) -> Built:
    """Learnt from an upload of nested records, whose names have decomposed letters."""
    return _once(built_folder / "nested", "Predict the species", _write_nested)


@pytest.fixture(scope="session")
def marked_towns(built_folder: Path) -> Built:
    """Learnt from names and values whose letters have marks, composed ones."""
    return _once(built_folder / "marked", "Predict besuch", _write_marked)


def nested(bird: Mapping[str, Any]) -> dict[str, Any]:
    """Tells of a penguin in a nested record, as it is uploaded."""
    body = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
    told = {"i\u0302le": bird["island"], "bird": {name: bird[name] for name in body}}
    marks = [bird["sex"]] if bird["sex"] in {"male", "female"} else []
    return told | {"seen": {"marks": marks, "year": bird["year"]}}


def _write_nested(table: Path) -> None:
    kept = table.with_name("flat.parquet")
    _write_flat(kept)
    birds = pq.read_table(kept).to_pylist()
    records = [nested(bird) | {"species": bird["species"]} for bird in birds]
    source = table.with_suffix(".jsonl")
    source.write_text("\n".join(map(json.dumps, records)), "utf-8")
    scratch = table.parent
    convert(source, table, name=source.name, content_type="", bounds=Bounds(), scratch=scratch)


def _write_marked(table: Path) -> None:
    towns = ["Caf\u00e9 Z\u00fcrich", "Malm\u00f6", "\u00c5re", "Oslo"]
    lines = ["ort;gr\u00f6\u00dfe;besuch"]
    for row in range(400):
        town = towns[row * 7 % 11 % 4]
        likes = town.startswith("Caf") if row % 9 else row % 2 == 0
        lines.append(f"{town};{row * 31 % 97 / 9:.3f};{'ja' if likes else 'nein'}")
    source = table.with_suffix(".csv")
    source.write_text("\n".join(lines), "utf-8")
    scratch = table.parent
    convert(
        source, table, name=source.name, content_type="text/csv", bounds=Bounds(), scratch=scratch
    )


def _write_flat(table: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(
            f"copy (select * from read_csv('{PENGUINS}')) to '{table}' (format parquet)"
        )


def _once(place: Path, intent: str, write: Callable[[Path], None] = _write_flat) -> Built:
    """Builds where nobody did; who comes meanwhile waits."""
    told = place / "told.json"
    with place.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not told.exists():
            place.mkdir(exist_ok=True)
            told.write_text(json.dumps(_build(place, intent, write)), "utf-8")
    return Built(place / "artifact", BuildResult(**json.loads(told.read_text("utf-8"))))


def _build(place: Path, intent: str, write: Callable[[Path], None]) -> Any:
    table = place / "penguins.parquet"
    write(table)
    wish = {"intent": intent, "max_iterations": 1}
    wish |= dict.fromkeys(("input_schema", "output_schema", "metric", "target", "task", "before"))
    told: dict[str, Any] = {
        "request": wish,
        "tables": [{"filename": "penguins.csv", "path": str(table), "columns": {}}],
        "seconds": MOST_SECONDS,
        "folder": str(place / "artifact"),
    }
    return run(
        "modelwright.builds.training_process:build",
        told,
        limits=ChildLimits(2048, 2 * MOST_SECONDS),
        on_report=lambda _: None,
        check=lambda: None,
        reach=Reach(readable=(str(table),)),
        folder=place,
        prepare=PREPARE,
    )


def put_to_work(model_side: ModelSide, name: str, built: Built) -> str:
    """Makes a READY model of a built artifact and returns where it answers."""
    version = model_side.draft(name, is_queued=False)
    model_side.start(version)
    objects = model_side.container.service(ObjectStore)  # type: ignore[type-abstract]
    objects.put_folder(f"artifacts/{version.version_id}/1", built.folder)
    model_side.finish(version, built.outcome)
    return f"/models/{name}/v1.0"


@pytest.fixture
def penguins(model_side: ModelSide, species: Built) -> str:
    """Where a READY model of the species answers."""
    return put_to_work(model_side, "penguins", species)


@pytest.fixture
def weights(model_side: ModelSide, mass: Built) -> str:
    """Where a READY model of the body mass answers."""
    return put_to_work(model_side, "weights", mass)


@pytest.fixture
def cafes(model_side: ModelSide, marked_towns: Built) -> str:
    """Where a READY model answers whose names and values have letters with marks."""
    return put_to_work(model_side, "cafes", marked_towns)
