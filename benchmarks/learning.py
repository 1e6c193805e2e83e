"""Builds models on the tables of `benchmarks.tables` and measures them on held-out rows.

Beside each: a constant, and LightGBM with its defaults, on the same rows in the same run.
`python -m benchmarks.learning --tables adult telco --seeds 0 1 2 --seconds 60`
Finished cases are kept in `benchmarks/.work/learning.jsonl` and not run again unless `--fresh`.
The quantiles of a row's microseconds are those of the quietest of five rounds of a thousand rows,
batches the quickest of five, and loads of three, each in a process of its own, as other work on
the machine slows some.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.resource_usage import watched
from benchmarks.tables import GROUPS, WORK, jsonable, named, split

KEPT = WORK / "learning.jsonl"
COLUMNS = (
    "table", "seed", "seconds", "loss", "lightgbm", "lift", "constant", "over", "one_p50",
    "one_p95", "rows_s", "mb", "load_ms", "algorithm",
)  # fmt: skip


def main() -> None:
    asked = _arguments()
    if asked.case:
        name, seed = asked.case
        print(json.dumps(measure(name, int(seed), asked.seconds)))
        return
    if asked.speeds or asked.load:
        told = _speeds(Path(asked.speeds)) if asked.speeds else {"load_ms": _load(asked.load)[1]}
        print(json.dumps(told))
        return
    WORK.mkdir(exist_ok=True)
    done = [] if asked.fresh or not KEPT.exists() else _lines(KEPT)
    for seed in asked.seeds:
        for name in asked.tables:
            if not any(_is(one, name, seed, asked.seconds) for one in done):
                done.append(_case(name, seed, asked.seconds))
                KEPT.write_text("".join(json.dumps(one) + "\n" for one in done), "utf-8")
    shown = [
        one
        for one in done
        if one["table"] in asked.tables
        and one["seed"] in asked.seeds
        and one["seconds"] == asked.seconds
    ]
    _show(shown)


def _arguments() -> argparse.Namespace:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--tables", nargs="*")
    reader.add_argument("--group", choices=GROUPS, default="shared", help="whose tables")
    reader.add_argument("--seeds", nargs="*", type=int, default=[0])
    reader.add_argument("--seconds", type=float, default=60)
    reader.add_argument("--fresh", action="store_true")
    reader.add_argument("--case", nargs=2, help=argparse.SUPPRESS)
    reader.add_argument("--speeds", help=argparse.SUPPRESS)
    reader.add_argument("--load", help=argparse.SUPPRESS)
    asked = reader.parse_args()
    asked.tables = asked.tables or [one["name"] for one in GROUPS[asked.group]()]
    return asked


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _is(one: dict[str, Any], name: str, seed: int, seconds: float) -> bool:
    return (one["table"], one["seed"], one["seconds"]) == (name, seed, seconds)


def _case(name: str, seed: int, seconds: float) -> dict[str, Any]:
    """Measures in a process of its own, so that no case finds the caches of another."""
    command = [sys.executable, "-m", "benchmarks.learning", "--case", name, str(seed)]
    printed, peak = watched([*command, "--seconds", str(seconds)])
    told: dict[str, Any] = json.loads(printed.splitlines()[-1]) | {"peak_mb": peak}
    print(_line(told), flush=True)
    return told


def measure(name: str, seed: int, seconds: float) -> dict[str, Any]:
    """Splits 75/25, builds on the larger part, measures on the other."""
    from pyarrow import parquet

    from modelwright.engines.automl.fitting import BuildInputs, fit
    from modelwright.engines.automl.planning.build_plan import make_plan
    from modelwright_runtime.predictor import Predictor

    told = named(name)
    table, truth, train, test = split(told, seed)
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "train.parquet", Path(folder) / "model"
        parquet.write_table(table.take(train), path)
        begun = time.monotonic()
        plan = make_plan(
            [path], "", target=told["target"], task=told["task"], seconds=seconds, seed=seed
        )
        result = fit(
            BuildInputs([path], plan, out, deadline=begun + seconds, progress=lambda *_: None)
        )
        wall = time.monotonic() - begun
        size = sum(one.stat().st_size for one in out.iterdir())
        predictor = Predictor.load(out)
        rows = [jsonable(row) for row in table.take(test).to_pylist()]
        (Path(folder) / "rows.json").write_text(json.dumps(rows), "utf-8")
        return {
            "table": name, "seed": seed, "seconds": seconds, "wall": round(wall, 2),
            "over": round(wall / seconds - 1, 3), "mb": round(size / 1e6, 2),
            "algorithm": result.algorithm,
            "own": result.metrics.get("log_loss", result.metrics.get("rmse")),
            **_fresh(Path(folder)), **_losses(predictor, rows, truth[test], told),
            **_peers(table, told, (train, test)), "left_out": len(plan.left_out),
        }  # fmt: skip


def _fresh(folder: Path) -> dict[str, float]:
    """Measures speeds in processes that did not learn and are set up as the server's own."""
    found = _apart("--speeds", folder)
    loads = [found, *(_apart("--load", folder) for _ in range(2))]
    return found | {"load_ms": min(one["load_ms"] for one in loads)}


def _apart(what: str, folder: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.learning", what, str(folder)]
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    ran = subprocess.run(command, check=True, capture_output=True, text=True, env=alone)
    return dict(json.loads(ran.stdout.splitlines()[-1]))


def _load(folder: Path | str) -> tuple[Any, int]:
    """Loads the model of a folder; gives it and the milliseconds that took."""
    import onnxruntime  # noqa: F401 - a process imports it once, whatever it loads then

    from modelwright_runtime.predictor import Predictor

    clock = time.perf_counter()
    predictor = Predictor.load(Path(folder) / "model")
    return predictor, round((time.perf_counter() - clock) * 1e3)


def _speeds(folder: Path) -> dict[str, float]:
    from modelwright.predictions.predict_rows import answer_many, answer_row

    rows = json.loads((folder / "rows.json").read_text("utf-8"))
    predictor, load = _load(folder)
    rounds = []
    for _ in range(5):
        taken = []
        for row in (rows * 3)[:1000]:
            clock = time.perf_counter()
            predictor.results(answer_row(predictor, row))
            taken.append(time.perf_counter() - clock)
        rounds.append([round(one * 1e6) for one in np.quantile(taken, [0.5, 0.95])])
    low, high = min(rounds)
    batch, best = (list(rows) * (10_000 // len(rows) + 1))[:10_000], np.inf
    for _ in range(5):
        clock = time.perf_counter()
        answer_many(predictor, batch, frozenset(), "req")
        best = min(best, time.perf_counter() - clock)
    return {
        "load_ms": load, "one_p50": low, "one_p95": high,
        "rows_s": round(10_000 / best),
    }  # fmt: skip


def _losses(
    predictor: Any, rows: Sequence[dict[str, Any]], truth: Any, told: dict[str, Any]
) -> dict[str, float]:
    answers = predictor.predict_many(rows)
    if told["task"] == "regression":
        given = np.array([one.result[told["target"]] for one in answers])
        return {"loss": float(np.sqrt(np.mean((given - truth) ** 2)))}
    probabilities = np.stack([one.probabilities for one in answers])
    return {
        "loss": _log_loss(probabilities, [predictor.classes.index(one) for one in truth.tolist()])
    }


def _log_loss(probabilities: Any, places: Sequence[int]) -> float:
    picked = probabilities[np.arange(len(places)), places]
    return float(-np.log(np.clip(picked, 1e-15, 1)).mean())


def _peers(table: Any, told: dict[str, Any], split: tuple[Any, Any]) -> dict[str, float]:
    """Gives the losses of a constant and of LightGBM with its defaults."""
    import lightgbm as lgb
    import pandas as pd

    train, test = split
    frame = table.to_pandas(date_as_object=False)
    truth = frame.pop(told["target"])
    for name in frame.columns:
        if pd.api.types.is_datetime64_any_dtype(frame[name]):
            frame[name] = frame[name].astype("int64") / 1e9
        elif not pd.api.types.is_numeric_dtype(frame[name]):
            frame[name] = frame[name].astype("category")
    # LightGBM refuses names that have characters of JSON.
    frame.columns = pd.Index(map(str, range(len(frame.columns))))
    if told["task"] == "regression":
        known = truth.to_numpy(dtype=float)
        model = lgb.LGBMRegressor(verbosity=-1, n_jobs=2).fit(frame.iloc[train], known[train])
        off = model.predict(frame.iloc[test]) - known[test]
        flat = known[train].mean() - known[test]
        return {
            "lightgbm": float(np.sqrt(np.mean(off**2))),
            "constant": float(np.sqrt(np.mean(flat**2))),
        }
    classes, places = np.unique(truth.to_numpy(), return_inverse=True)
    model = lgb.LGBMClassifier(verbosity=-1, n_jobs=2).fit(frame.iloc[train], places[train])
    share = np.bincount(places[train], minlength=len(classes)) / len(train)
    return {
        "lightgbm": _log_loss(model.predict_proba(frame.iloc[test]), places[test]),
        "constant": _log_loss(np.tile(share, (len(test), 1)), places[test]),
    }


def _line(one: dict[str, Any]) -> str:
    one = one | {"lift": f"{1 - one['loss'] / one['lightgbm']:+.2%}"}
    cells = [one[name] for name in COLUMNS]
    return " | ".join(f"{cell:.5g}" if isinstance(cell, float) else str(cell) for cell in cells)


def _show(done: Sequence[dict[str, Any]]) -> None:
    print("\n" + " | ".join(COLUMNS) + "\n" + " | ".join("---" for _ in COLUMNS))
    for one in done:
        print(_line(one))
    gains = [1 - one["loss"] / one["lightgbm"] for one in done]
    if gains:
        print(f"\nmean gain over LightGBM's defaults: {np.mean(gains):+.2%}")


if __name__ == "__main__":
    main()
