"""What models say of themselves against outer rows that no build has seen.

`python -m benchmarks.calibration [--tables adult ...] [--seeds 0 1 2] [--seconds 20]`
Each table is split 75/25; the model of the larger part is asked for the other. Shown are the
expected calibration error before and after the temperature, the share of outer truths inside the
intervals of 90 %, and whether the confidence interval told of the metric holds the outer score.
Finished builds are kept in `benchmarks/.work/calibration` and not run again unless `--fresh`.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from benchmarks.report import table
from benchmarks.tables import WORK, named, shared, split

NOMINAL = 0.90
"""Share of rows that an interval is to hold."""
WITHIN = 0.02
"""How far from it the measured share may be."""


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--tables", nargs="*")
    reader.add_argument("--seeds", nargs="*", type=int, default=[0, 1, 2])
    reader.add_argument("--seconds", type=float, default=20)
    reader.add_argument("--fresh", action="store_true")
    asked = reader.parse_args()
    names = [one["name"] for one in shared()] if asked.tables is None else asked.tables
    shown = []
    for name in names:
        for seed in asked.seeds:
            shown.append(_case(name, seed, asked.seconds, fresh=asked.fresh))
            print(shown[-1], flush=True)
    print(table(shown))
    held = [one["holds"] for one in shown]
    print(f"the interval of the metric holds the outer score: {sum(held)} of {len(held)}")
    return 0 if _told(shown) else 1


def _told(shown: list[dict[str, Any]]) -> bool:
    """Prints the coverage of each table over its seeds; says whether all are as they should be."""
    kept = True
    for name in dict.fromkeys(one["table"] for one in shown if "coverage" in one):
        found = mean(one["coverage"] for one in shown if one["table"] == name)
        kept = kept and abs(found - NOMINAL) <= WITHIN
        print(f"{name}: {found:.1%} of outer rows inside intervals of {NOMINAL:.0%}")
    return kept


def _case(name: str, seed: int, seconds: float, *, fresh: bool) -> dict[str, Any]:
    kept = WORK / "calibration" / f"{name}-{seed}-{seconds:g}.json"
    if fresh or not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(measure(name, seed, seconds)), "utf-8")
    return dict(json.loads(kept.read_text("utf-8")))


def measure(name: str, seed: int, seconds: float) -> dict[str, Any]:
    """Builds on the larger part and judges on the other."""
    from pyarrow import parquet

    from modelwright.engines.automl.fitting import BuildInputs, fit
    from modelwright.engines.automl.planning.build_plan import make_plan
    from modelwright.engines.automl.scoring import Scorer
    from modelwright_runtime.predictor import Predictor

    told = named(name)
    rows, truth, train, test = split(told, seed)
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "train.parquet", Path(folder) / "model"
        parquet.write_table(rows.take(train), path)
        deadline = time.monotonic() + seconds
        plan = make_plan(
            [path], "", target=told["target"], task=told["task"], seconds=seconds, seed=seed
        )
        metrics = fit(
            BuildInputs([path], plan, out, deadline=deadline, progress=lambda *_: None)
        ).metrics
        predictor = Predictor.load(out)
    batch = rows.take(test).combine_chunks().to_batches()[0]
    scored = dict(Scorer(predictor, ("probabilities", "interval")).score(batch, 0))
    judge = _of_numbers if told["task"] == "regression" else _of_classes
    return {"table": name, "seed": seed} | judge(predictor, metrics, scored, truth[test])


def _of_numbers(
    predictor: Any, metrics: dict[str, Any], scored: dict[str, Any], truth: Any
) -> dict[str, Any]:
    del predictor
    low, high = (scored[end].to_numpy() for end in ("interval_low", "interval_high"))
    outer = float(np.sqrt(np.mean((scored["prediction"].to_numpy() - truth) ** 2)))
    return {
        **_held("rmse", metrics, outer),
        "told coverage": round(metrics["interval"]["coverage"], 3),
        "coverage": round(float(((truth >= low) & (truth <= high)).mean()), 3),
    }


def _of_classes(
    predictor: Any, metrics: dict[str, Any], scored: dict[str, Any], truth: Any
) -> dict[str, Any]:
    from modelwright.engines.automl.reporting.confidence_intervals import calibration_error

    goal, names = predictor.goal, [name for name in scored if name.startswith("probability_")]
    probabilities = np.stack([scored[name].to_numpy() for name in names], axis=1)
    places = np.array([predictor.classes.index(one) for one in truth.tolist()], dtype=np.float64)
    raw_prediction = goal.link(probabilities)
    factor = 1 / metrics["calibration"]["temperature"]
    picked = probabilities[np.arange(len(places)), places.astype(int)]
    return {
        **_held("log_loss", metrics, float(-np.log(np.maximum(picked, 1e-15)).mean())),
        "told error": round(metrics["calibration"]["expected_error"], 4),
        "error before": round(calibration_error(goal, raw_prediction / factor, places), 4),
        "error after": round(calibration_error(goal, raw_prediction, places), 4),
        "temperature": round(1 / factor, 3),
    }


def _held(metric: str, metrics: dict[str, Any], outer: float) -> dict[str, Any]:
    low, high = metrics["confidence"][metric]
    told = f"{metrics[metric]:.4g} [{low:.4g}, {high:.4g}]"
    return {"metric": metric, "told": told, "outer": f"{outer:.4g}", "holds": low <= outer <= high}


if __name__ == "__main__":
    sys.exit(main())
