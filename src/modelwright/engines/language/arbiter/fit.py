"""Fits the weights beside it: `python -m modelwright.engines.language.arbiter.fit RECORDS`.

RECORDS has a JSON object a line, one for each reading of a question by some readers: `table` (the
set of tables that it is asked of), `question` (its number), `has_answer`, `models` (the language
models that read it beside the built-in readers), `clues` (as `clues_of` tells them), `is_faulty`
and `right`. Every clue has its known sign, so that few records cannot
teach that a doubt speaks for a reading. Probabilities for the table of precisions are told by
weights that were fitted without the tables that they are told for.
"""

import json
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import expit

from modelwright.engines.language.arbiter.calibration import (
    Weights,
    probability,
    setting,
    weights,
)

TARGET = Path(__file__).parent / "weights.json"
STRENGTH = 0.5
"""How strongly weights are held near nought."""
FOLDS = 8
"""Parts of the tables, each judged by weights that were fitted on the others."""
LOOKED_AT = 2
"""The first questions of each set, by which the prompt of models was written: they tell no
precision of models."""
LEAST_ANSWERED = 20
"""A precision is told of at least so many answers."""
MARKS = tuple(round(0.3 + 0.01 * step, 2) for step in range(70))
"""Probabilities at which precision is measured, 0.30 to 0.99."""
FOR = {
    "both built-in readers agree", "models that agree with built-in readers", "nothing found",
    "models that agree with each other", "the model is sure", "a chart is drawn",
    "an aggregate that the rules lack", "as before but for a part", "samples that agree",
}  # fmt: skip
"""Clues that speak for a reading; all others speak against it or for nothing."""
PRIORS = {
    "models that agree with built-in readers": 1.5, "models that agree with each other": 1.2,
    "models alone": -0.8, "models that differ": -1.4, "models that gave nothing": -0.2,
    "doubt of the model": -0.8, "the model is sure": 0.5, "a chart is drawn": 0.8,
    "nobody read it so": -2.5, "an aggregate that the rules lack": 0.8,
    "nobody read the other end": -1.0,
    "as before but for a part": 1.2, "otherwise than before": -0.8,
    "samples that agree": 1.5, "samples that differ": -1.0, "samples that refuse": -1.0,
    "samples alone": -0.5, "doubt: figure_from_nowhere": -2.0,
    "doubt: ranked_by_other": -1.5, "doubt: open_end": -1.0, "doubt: tests_nothing": -1.0,
}  # fmt: skip
"""What clues of models are held near, where there are few records of them: measured as agreement
of two of three readers on questions over four public tables. Those of second turns, which no record
of a question has, were fitted beside the other weights on 108 turns, crossed by table."""

Record = dict[str, Any]
Floats = npt.NDArray[np.float64]


def fit(records: Sequence[Record]) -> tuple[float, dict[str, float]]:
    """Fits the bias and a weight for each clue."""
    names = sorted({name for one in records for name in one["clues"]} | PRIORS.keys())
    x = np.array([[one["clues"].get(name, 0.0) for name in names] for one in records])
    y = np.array([float(one["right"]) for one in records])
    prior = np.array([PRIORS.get(name, 0.0) for name in names])

    def loss(w: Floats) -> tuple[float, Floats]:
        p = expit(w[0] + x @ w[1:])
        near = w[1:] - prior
        told = -np.sum(y * np.log(p + 1e-12) + (1 - y) * np.log(1 - p + 1e-12))
        grown = x.T @ (p - y) + 2 * STRENGTH * near
        whole = np.concatenate([[np.sum(p - y)], grown])
        return float(told + STRENGTH * near @ near), whole

    bounds = [(None, None), *((0, None) if name in FOR else (None, 0) for name in names)]
    found = minimize(loss, np.zeros(len(names) + 1), jac=True, method="L-BFGS-B", bounds=bounds)
    clues = {name: round(float(w), 3) for name, w in zip(names, found.x[1:], strict=True)}
    return round(float(found.x[0]), 3), {name: w for name, w in clues.items() if w}


def crossed(records: Sequence[Record]) -> dict[str, list[tuple[float, bool]]]:
    """Tells of each question how sure its likeliest reading is, and whether it is right.

    Questions that the tables cannot answer teach the weights as well, but how many of them are
    asked is chance: the share of answers that are right is one of questions with an answer.
    The weights that tell it never saw the tables of the question. Of a question that was read by
    one model after the other, what all of them made of it counts.

    Args:
        records: What the readers made of the questions.

    Returns:
        The questions by who read them on how many tables, as `setting` names it.
    """
    told: dict[tuple[str, str, int], tuple[bool, float, bool]] = {}
    everything, records = records, _by_all_readers(records)
    for fold in range(FOLDS):
        inside = [one for one in records if zlib.crc32(one["table"].encode()) % FOLDS == fold]
        rest = [one for one in everything if zlib.crc32(one["table"].encode()) % FOLDS != fold]
        if not inside or not rest:
            continue
        fitted = Weights(*fit(rest))
        for one in inside:
            if not one["has_answer"] or (one["models"] and one["question"] < LOOKED_AT):
                continue
            several = bool(one["clues"].get("several tables"))
            read = setting(has_models=bool(one["models"]), several=several)
            of = read, one["table"], one["question"]
            sure = not one["is_faulty"], probability(one["clues"], fitted), bool(one["right"])
            told[of] = max(told.get(of, (False, 0.0, False)), sure, key=lambda it: it[:2])
    found: dict[str, list[tuple[float, bool]]] = {}
    for (read, _, _), (is_sound, p, right) in told.items():
        if is_sound:
            found.setdefault(read, []).append((p, right))
    return found


def _by_all_readers(records: Sequence[Record]) -> list[Record]:
    """Keeps of each question what is read without models, and what is read by most of them."""
    most: dict[tuple[str, int], int] = {}
    for one in records:
        of = one["table"], one["question"]
        most[of] = max(most.get(of, 0), len(one["models"]))
    wanted = ((one, most[one["table"], one["question"]]) for one in records)
    return [one for one, many in wanted if len(one["models"]) in {0, many}]


def precisions(told: Sequence[tuple[float, bool]]) -> list[tuple[float, float]]:
    """Tells which share of the answers at least so likely is right, for rising probabilities."""
    found: list[tuple[float, float]] = []
    for mark in MARKS:
        kept = [right for p, right in told if p >= mark]
        if len(kept) >= LEAST_ANSWERED:
            best = max([share for _, share in found], default=0.0)
            found.append((mark, max(best, round(sum(kept) / len(kept), 3))))
    return found


def main() -> None:
    """Fits, prints and writes; a share of too few answers stays as it was measured before."""
    records = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]
    bias, clues = fit(records)
    told = crossed(records)
    for read, sure in told.items():
        sys.stdout.write(f"\n{read}\n")
        for mark in MARKS[::5]:
            kept = [right for p, right in sure if p >= mark]
            share = sum(kept) / max(1, len(kept))
            sys.stdout.write(f"{mark:.2f}  {len(kept):5} of {len(sure)}  right {share:.3f}\n")
    for name, weight in sorted(clues.items(), key=lambda one: one[1]):
        sys.stdout.write(f"{weight:7.3f}  {name}\n")
    precision: dict[str, Sequence[tuple[float, float]]] = dict(weights().precision)
    precision |= {read: seen for read, sure in told.items() if (seen := precisions(sure))}
    written = {"bias": bias, "clues": clues, "precision": precision}
    TARGET.write_text(json.dumps(written, indent=1) + "\n")


if __name__ == "__main__":
    main()
