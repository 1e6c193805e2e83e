"""Linear models over named features; their weights are data, trained by `benchmarks`."""

import json
import math
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

Features = Mapping[str, float]


@lru_cache(maxsize=1)
def weights() -> dict[str, dict[str, float]]:
    """Reads the trained weights once: model -> feature -> weight."""
    raw: dict[str, dict[str, float]] = json.loads(
        (files(__package__) / "weights.json").read_text("utf-8")
    )
    return raw


def score(model: str, features: Features) -> float:
    """Adds up the weights of the features that are present, with the model's own bias."""
    known = weights().get(model, {})
    return known.get("", 0.0) + sum(
        known[name] * value for name, value in features.items() if name in known
    )


def probability(model: str, features: Features) -> float:
    """The logistic of the score."""
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, score(model, features)))))
