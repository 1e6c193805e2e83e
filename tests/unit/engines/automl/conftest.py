"""Tables to learn from: real ones where they are there, and one with every kind of column."""

import fcntl
import json
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet
from tests.few_folds import few_folds, few_rounds

from modelwright.engines.automl.fitting import BuildInputs, Result, fit
from modelwright.engines.automl.planning.build_plan import make_plan

SHARED = Path(__file__).resolve().parents[5] / "shared" / "benchmarks" / "tabular"
REAL = ("adult", "telco", "credit_g", "wine_multi", "calhousing", "taxis")
GOOD = ("good", "great", "clean", "quick")
BAD = ("bad", "awful", "dirty", "slow")
Write = Callable[..., Path]
Built = tuple[Path, Path, Result]
"""A table, the folder of the artifact built from it, and the result."""


@pytest.fixture(autouse=True)
def drawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has each test draw the same numbers, whichever tests ran before it."""
    if hasattr(request.module, "MAKER"):
        monkeypatch.setattr(request.module, "MAKER", np.random.default_rng(1))


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes columns as a Parquet file."""

    def written(name: str = "table", **columns: Any) -> Path:
        path = tmp_path / f"{name}.parquet"
        parquet.write_table(pa.table(columns), path)
        return path

    return written


@pytest.fixture(params=REAL)
def real(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    """Gives one of the real tables as Parquet, and what is known of it."""
    if not SHARED.exists():
        pytest.skip("the real tables of ../shared/benchmarks/tabular are not there")
    listed = json.loads((SHARED / "datasets.json").read_text("utf-8"))
    told = next(one for one in listed if one["name"] == request.param)
    options = csv.ConvertOptions(strings_can_be_null=True)
    path = tmp_path / "real.parquet"
    parquet.write_table(csv.read_csv(SHARED / told["file"], convert_options=options), path)
    return path, told


def mixed(rows: int = 600, seed: int = 0) -> dict[str, Any]:
    """Gives features of every kind, gaps included, and a score that hangs on them all."""
    maker = np.random.default_rng(seed)
    size = maker.normal(size=rows)
    size[maker.random(rows) < 0.1] = np.nan
    place = maker.choice(["north", "south", "east", "west", "far"], rows)
    said = [" ".join(maker.choice([*GOOD, *BAD, "food", "room", "staff"], 6)) for _ in range(rows)]
    opened = np.datetime64("2024-01-01T00:00:00") + maker.integers(0, 10**7, rows)
    closed = opened + maker.integers(0, 90_000, rows)
    mood = np.array([sum((w in GOOD) - (w in BAD) for w in one.split()) for one in said])
    names = np.random.default_rng(seed + 99)
    branch = names.integers(100, 160, rows)
    score = np.random.default_rng(99).normal(0.0, 3.0, 60)[branch - 100]
    score += np.nan_to_num(size) + mood + 2 * (place == "north")
    score += (closed - opened).astype(float) / 45_000
    score += 4 * np.sign(np.nan_to_num(size)) * (place == "south")
    return {
        "size": pa.array(size, from_pandas=True),
        "branch": branch,
        "count": maker.integers(0, 9, rows),
        "member": maker.random(rows) < 0.5,
        "place": pa.array(
            [None if v < 0.05 else p for v, p in zip(maker.random(rows), place, strict=True)]
        ),
        "opened": pa.array(opened.astype("datetime64[us]")),
        "closed": pa.array(closed.astype("datetime64[us]")),
        "said": said,
        "score": score + maker.normal(size=rows) / 2,
    }


def labelled(task: str, rows: int = 600) -> dict[str, Any]:
    """Gives the mixed columns with a target `y` of the task."""
    columns = mixed(rows)
    score = columns.pop("score")
    if task == "regression":
        return columns | {"y": score}
    cuts = [0.5] if task == "binary" else [-1.0, 2.0]
    names = ["no", "yes"] if task == "binary" else ["low", "mid", "high"]
    return columns | {"y": [names[place] for place in np.searchsorted(cuts, score)]}


def build(
    path: Path,
    folder: Path,
    seconds: float = 600,
    max_iterations: int | None = 3,
    *,
    all_folds: bool = False,
    **wishes: Any,
) -> Result:
    """Plans and fits with the target `y` unless told otherwise, over few folds and rounds."""
    wishes = {"target": "y", **wishes}
    plan = make_plan([path], "", seconds=seconds, max_iterations=max_iterations, **wishes)
    deadline = time.monotonic() + seconds
    with ExitStack() as quicker:
        if not all_folds:
            quicker.enter_context(few_folds())
            quicker.enter_context(few_rounds())
        return fit(BuildInputs([path], plan, folder, deadline=deadline, progress=lambda *_: None))


def jsonable(row: dict[str, Any]) -> dict[str, Any]:
    """Writes dates as ISO strings, as a request has them."""
    return {
        name: value.isoformat() if hasattr(value, "isoformat") else value
        for name, value in row.items()
    }


def rows_of(path: Path, count: int = 200) -> list[dict[str, Any]]:
    """Reads the first rows as a request would send them."""
    return [jsonable(row) for row in parquet.read_table(path).slice(0, count).to_pylist()]


@pytest.fixture(scope="session")
def learnt(built_folder: Path) -> Callable[[str], Built]:
    """Builds from the mixed columns, once a task in a run; who comes meanwhile waits."""

    @cache
    def built(task: str) -> Built:
        folder = built_folder / f"mixed {task}"
        path, told = folder / "table.parquet", folder / "result.json"
        with folder.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not told.exists():
                folder.mkdir(exist_ok=True)
                parquet.write_table(pa.table(labelled(task)), path)
                result = build(path, folder / "model", max_iterations=2, all_folds=True)
                told.write_text(json.dumps(result.to_json()), "utf-8")
        return path, folder / "model", Result(**json.loads(told.read_text("utf-8")))

    return built


@pytest.fixture(scope="session", params=["binary", "multiclass", "regression"])
def built(request: pytest.FixtureRequest, learnt: Callable[[str], Built]) -> Built:
    """Gives a table, the artifact folder built from it, and the result, for each task."""
    return learnt(request.param)
