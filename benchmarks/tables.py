"""The tables that learning is measured on: six shared ones, and six groups that packages carry.

`--group own` takes those of the folder that `OWN_TABLES` names, with a `datasets.json` of `name`,
`file`, `target` and `task` as the shared one has.

No choice of the engine was made by looking at the five of Python's packages before they were first
measured; what that showed was mended with other tables. The twenty of R's (`wider.R`) were first
measured on 2026-11-22, those of `datasets/` the day after, five
drawn by a rule (`datasets/textbooks.py`) on 2026-11-26.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.datasets import pydataset, rdatasets, textbooks

SHARED = Path(__file__).resolve().parents[2] / "shared" / "benchmarks" / "tabular"
WORK = Path(__file__).parent / ".work"


def shared(folder: Path = SHARED) -> list[dict[str, Any]]:
    """Gives `name`, `path`, `target` and `task` of each that the folder lists."""
    if not folder.exists():
        sys.exit(f"the tables are not there: {folder}")
    listed = json.loads((folder / "datasets.json").read_text("utf-8"))
    return [one | {"path": folder / one["file"]} for one in listed]


def carried() -> list[dict[str, Any]]:
    """Gives the same of the five, written to CSV at the first use."""
    folder = WORK / "tables"
    folder.mkdir(parents=True, exist_ok=True)
    told = []
    for name, (make, target, task) in _CARRIED.items():
        path = folder / f"{name}.csv"
        if not path.exists():
            make().to_csv(path, index=False)
        told.append({"name": name, "path": path, "target": target, "task": task})
    return told


def _held(tables: Mapping[str, tuple[str, ...]], write: Callable[[Path], object]) -> list[Any]:
    """Gives the same of tables that end with target and task, all written at the first use."""
    folder = WORK / "tables"
    folder.mkdir(parents=True, exist_ok=True)
    if not all((folder / f"{name}.csv").exists() for name in tables):
        write(folder)
    return [
        {"name": name, "path": folder / f"{name}.csv", "target": target, "task": task}
        for name, (*_, target, task) in tables.items()
    ]


def _by_r(folder: Path) -> None:
    subprocess.run(["Rscript", Path(__file__).parent / "wider.R", folder], check=True)


def _of_sklearn(name: str) -> Callable[[], Any]:
    def make() -> Any:
        from sklearn import datasets

        loaded = getattr(datasets, f"load_{name}")(as_frame=True)
        frame = loaded.frame
        names = getattr(loaded, "target_names", ())
        if name == "breast_cancer":
            frame["target"] = [names[place] for place in frame["target"]]
        elif name == "digits":
            frame["target"] = [f"digit {place}" for place in frame["target"]]
        return frame

    return make


def _of_plotly(name: str) -> Callable[[], Any]:
    def make() -> Any:
        from plotly import data

        return getattr(data, name)()

    return make


_CARRIED: dict[str, tuple[Callable[[], Any], str, str]] = {
    "breast_cancer": (_of_sklearn("breast_cancer"), "target", "binary"),
    "digits": (_of_sklearn("digits"), "target", "multiclass"),
    "diabetes": (_of_sklearn("diabetes"), "target", "regression"),
    "gapminder": (_of_plotly("gapminder"), "lifeExp", "regression"),
    "tips": (_of_plotly("tips"), "tip", "regression"),
}


_WIDER = {
    "spam": ("type", "binary"),
    "ticdata": ("CARAVAN", "binary"),
    "pima": ("diabetes", "binary"),
    "attrition": ("Attrition", "binary"),
    "mlc_churn": ("churn", "binary"),
    "lending_club": ("Class", "binary"),
    "credit_data": ("Status", "binary"),
    "cells": ("class", "binary"),
    "letter": ("lettr", "multiclass"),
    "satellite": ("classes", "multiclass"),
    "vehicle": ("Class", "multiclass"),
    "soybean": ("Class", "multiclass"),
    "hpc_data": ("class", "multiclass"),
    "ames": ("Sale_Price", "regression"),
    "chicago": ("ridership", "regression"),
    "diamonds": ("price", "regression"),
    "check_times": ("check_time", "regression"),
    "concrete": ("compressive_strength", "regression"),
    "stackoverflow": ("Salary", "regression"),
    "tate_text": ("year", "regression"),
}


HELD: dict[str, tuple[Mapping[str, tuple[str, ...]], Callable[[Path], object]]] = {
    "wider": (_WIDER, _by_r),
    "further": (pydataset.TABLES, pydataset.write),
    "beyond": (rdatasets.TABLES, rdatasets.write),
    "books": (textbooks.TABLES, textbooks.write),
    "drawn": (textbooks.DRAWN, partial(textbooks.write, tables=textbooks.DRAWN)),
}
GROUPS: dict[str, Callable[[], list[dict[str, Any]]]] = {
    "shared": shared,
    "carried": carried,
    **{name: partial(_held, *held) for name, held in HELD.items()},
    "own": lambda: shared(Path(os.environ["OWN_TABLES"])) if "OWN_TABLES" in os.environ else [],
}


def named(name: str) -> dict[str, Any]:
    """Gives one of all."""
    held = [group for group, (tables, _) in HELD.items() if name in tables]
    groups = held or ["own", "shared", "carried"]
    return next(one for group in groups for one in GROUPS[group]() if one["name"] == name)


def jsonable(row: dict[str, Any]) -> dict[str, Any]:
    """Gives a row as JSON has it: times as ISO texts."""
    return {
        name: value.isoformat() if hasattr(value, "isoformat") else value
        for name, value in row.items()
    }


def split(told: dict[str, Any], seed: int) -> tuple[Any, Any, Any, Any]:
    """Gives a table, its target and the rows of a 75/25 split, alike in the classes."""
    import numpy as np
    import pyarrow as pa
    from pyarrow import csv
    from sklearn.model_selection import train_test_split

    from modelwright.engines.ingest.naming import distinct_names

    options = csv.ConvertOptions(strings_can_be_null=True)
    table = csv.read_csv(told["path"], convert_options=options)
    table = table.rename_columns(distinct_names(table.column_names))
    for at, field in enumerate(table.schema):
        if pa.types.is_time(field.type):  # times of day are strings in a table that was uploaded
            table = table.set_column(at, field.name, table[at].cast(pa.string()))
    truth = np.array(table[told["target"]].to_pylist())
    kinds = None if told["task"] == "regression" else truth
    rows = np.arange(len(truth))
    train, test = train_test_split(rows, test_size=0.25, random_state=seed, stratify=kinds)
    return table, truth, train, test
