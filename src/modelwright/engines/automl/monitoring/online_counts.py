"""Counts rows and answers into the bins of the training data. Runs in the API process: numpy.

Only counts leave this module; the rows they were made from are not kept.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from modelwright.engines.automl.artifact import TRAINING
from modelwright_client.errors import ArtifactError
from modelwright_runtime.columns import MAX_NUMBER
from modelwright_runtime.date_parsing import NO_DATE, Order, microseconds
from modelwright_runtime.number_parsing import NumberFormat
from modelwright_runtime.objective import Floats, Objective, TargetTransform
from modelwright_runtime.predictor import spelt
from modelwright_runtime.record_fields import fields_of
from modelwright_runtime.text_keys import places_by_key, spelling_key

MAX_COLUMNS = 100
"""Columns that are watched, the most important ones first."""
SECONDS_PER_DAY = 86_400
"""Seconds of a day."""
MIN_PLAIN_NUMBER = 1e-6
"""Smaller numbers are written with an exponent."""
MAX_PLAIN_NUMBER = 1e15
"""Larger ones are, too."""
MAX_CELLS = 100_000
"""Values that are looked at in one go; of more rows an evenly spread part is."""
Counts = dict[str, Any]
"""`examined` rows, `columns` by name and `told`, each a list of counts in the order of the bins."""


@dataclass(frozen=True, slots=True)
class Bins:
    """Where the training data had its values, and the share of them in each bin."""

    kind: str
    """number, date, text (its length) or category; class or value for the answers."""
    edges: Floats
    levels: Mapping[str, int]
    labels: tuple[str, ...]
    shares: tuple[float, ...]
    order: Order | None = None
    """How its dates are written, where they are not ISO."""
    written: NumberFormat | None = None
    """How its numbers are written, where they are strings."""

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> "Bins":
        """Reads what `distributions` wrote.

        Args:
            stored: What the artifact says of one column.

        Returns:
            Its bins.
        """
        if stored["kind"] == "category":
            names = list(stored["levels"])
            labels = (*names, "other", "missing")
            shares = (*stored["levels"].values(), stored["other"], stored["missing"])
            index = {name: place for place, name in enumerate(names)}
            return cls("category", np.zeros(0), index, labels, shares)
        edges = np.array(stored["edges"], dtype=np.float64)
        shares = (*stored["shares"], stored["missing"])
        shares = shares if stored["shares"] else (0.0, *shares)
        labels = (*_between(_ends(stored["kind"], edges)), "missing")
        given = stored.get("written")
        written = None
        if given:
            written = NumberFormat(
                given["form"], tuple(given["unit"]), tuple(given.get("words", ()))
            )
        return cls(stored["kind"], edges, {}, labels, shares, stored.get("order"), written)

    def count(self, values: Sequence[Any]) -> list[int]:
        """Counts values as they come in JSON, each of its column's type or None.

        Args:
            values: Values, None where missing.

        Returns:
            Rows in each bin, those missing last.
        """
        if self.kind == "category":
            other = len(self.levels)
            index: dict[Any, int] = {**self.levels, None: other + 1}
            keys = places_by_key(self.levels)
            for value in set(values) - index.keys():
                text = isinstance(value, str)
                index[value] = keys.get(spelling_key(value), other) if text else other
            return _counted([index[value] for value in values], other + 2)
        if self.written:
            read = self.written.read
            values = [None if value is None else read(value) for value in values]
        return self.count_numbers(_numbers(self.kind, values, self.order))

    def count_numbers(self, values: Floats) -> list[int]:
        """Counts numbers; NaN is missing.

        Args:
            values: Shape (n,).

        Returns:
            Rows in each bin, those missing last.
        """
        missing = np.isnan(values)
        places = np.searchsorted(self.edges, values[~missing], side="right")
        return [*_counted(places, len(self.edges) + 1), int(missing.sum())]


def _numbers(kind: str, values: Sequence[Any], order: Order | None) -> Floats:
    if kind == "text":
        return np.array([len(value or "") for value in values], dtype=np.float64)
    if kind == "date":
        stamps = [microseconds(value, order) for value in values]
        return np.array([np.nan if stamp == NO_DATE else stamp / 1e6 for stamp in stamps])
    try:
        wide = np.array(values, dtype=np.float64)
    except OverflowError:
        wide = np.array([np.nan if value is None else float(value) for value in values])
    # Training read its numbers as float32, so its edges are where values of theirs lie.
    return np.clip(wide, -MAX_NUMBER, MAX_NUMBER).astype(np.float32).astype(np.float64)


def _counted(places: Any, bins: int) -> list[int]:
    return np.bincount(np.asarray(places, dtype=np.intp), minlength=bins).tolist()  # type: ignore[no-any-return]


def _ends(kind: str, edges: Floats) -> list[str]:
    """Spells where bins end: a date by its day, where the bins are days long or more."""
    if kind != "date":
        return _numerals(edges)
    moments = edges.astype(np.int64).astype("datetime64[s]")
    is_long = len(edges) < 2 or np.diff(edges).min() >= SECONDS_PER_DAY  # noqa: PLR2004 - between two edges
    return [str(moment.astype("datetime64[D]") if is_long else moment) for moment in moments]


def _numerals(edges: Floats) -> list[str]:
    """Spells numbers as people read them, with the digits that tell each from its neighbours."""
    gaps = np.diff(edges, prepend=-np.inf, append=np.inf)
    nearest = np.minimum(gaps[:-1], gaps[1:]).tolist()
    return [_numeral(*pair) for pair in zip(edges.tolist(), nearest, strict=True)]


def _numeral(edge: float, gap: float) -> str:
    if edge and not MIN_PLAIN_NUMBER <= abs(edge) < MAX_PLAIN_NUMBER:
        return f"{edge:.6g}"
    digits = max(0, 1 - math.floor(math.log10(min(gap or np.inf, abs(edge) or 1))))
    plain = f"{edge:,.{digits}f}"
    return plain.rstrip("0").rstrip(".") if digits else plain


def _between(ends: Sequence[str]) -> list[str]:
    if not ends:
        return ["any"]
    middle = [f"{low} to {high}" for low, high in pairwise(ends)]
    return [f"below {ends[0]}", *middle, f"{ends[-1]} and above"]


@dataclass(frozen=True, slots=True)
class Watch:
    """What of a version is watched, beside how it was in training."""

    goal: Objective
    classes: tuple[Any, ...]
    target: str
    columns: Mapping[str, Bins]
    told: Bins
    rows: int
    """Rows that the columns' shares stand on."""
    held_out: int
    """Rows that the answers' shares stand on."""
    metrics: Mapping[str, Any]
    spellings: Mapping[str, str]
    """Classes that training read as another one."""

    @classmethod
    def read(cls, folder: Path) -> "Watch":
        """Reads it from an artifact's folder, without the model.

        Raises `ArtifactError` where that is not whole.

        Args:
            folder: The folder of the artifact.

        Returns:
            What is counted of the version.

        Raises:
            ArtifactError: The artifact is not whole.
        """
        try:
            return cls._of(msgspec.json.decode((folder / TRAINING).read_bytes()))
        except (FileNotFoundError, ValueError, TypeError, LookupError, AttributeError) as fault:
            raise ArtifactError(f"{TRAINING} cannot be read: {fault}.") from None

    @classmethod
    def _of(cls, stored: Mapping[str, Any]) -> "Watch":
        given = {name: value for name, value in stored["scale"].items() if value is not None}
        goal = Objective(stored["task"], len(stored["classes"]), TargetTransform(**given))
        weights = stored["feature_importance"]
        chosen = sorted(stored["columns"], key=lambda name: -weights.get(name, 0.0))
        return cls(
            goal,
            tuple(stored["classes"]),
            stored["target"],
            {name: Bins.of(stored["columns"][name]) for name in chosen[:MAX_COLUMNS]},
            _answers(goal, stored["classes"], stored["metrics"], stored),
            stored["rows"],
            stored["held_out_rows"],
            stored["metrics"],
            stored.get("spellings", {}),
        )

    def numbers(self) -> dict[Any, float]:
        """Numbers the classes, by all spellings that they had in training.

        Returns:
            Numbers of the classes by their spellings.
        """
        own = {one: float(place) for place, one in enumerate(self.classes)}
        return own | {other: own[one] for other, one in self.spellings.items() if one}

    def count(self, rows: Sequence[Mapping[str, Any]]) -> Counts:
        """Counts checked rows, an evenly spread part of very many.

        Args:
            rows: Rows as they were predicted.

        Returns:
            How many were looked at, and rows in each bin of each column.
        """
        some = [fields_of(row, self.columns) for row in rows[:: self.step(len(rows))]]
        columns = {
            name: bins.count([row.get(name) for row in some]) for name, bins in self.columns.items()
        }
        return {"examined": len(some), "columns": columns}

    def step(self, rows: int) -> int:
        """Tells how far apart the rows are that are looked at of so many: 1 is all of them.

        Args:
            rows: How many rows there are.

        Returns:
            Every how manyth is looked at.
        """
        return max(1, rows * len(self.columns) // MAX_CELLS)

    def count_told(self, told: NDArray[Any], raw_prediction: Floats) -> list[int]:
        """Counts answers: class numbers (n,), or for a regression raw predictions (n, 1).

        Args:
            told: Numbers of classes, shape (n,), or predicted values.
            raw_prediction: Raw predictions, shape (n, width).

        Returns:
            Rows in each bin.
        """
        if self.goal.task == "regression":
            return self.told.count_numbers(raw_prediction[:, 0])
        return _counted(told, len(self.classes))


def _answers(
    goal: Objective, classes: Sequence[Any], metrics: Mapping[str, Any], training: Mapping[str, Any]
) -> Bins:
    """Returns how the answers were distributed on the held-out rows."""
    if goal.task == "regression":
        bins = Bins.of(training["links"][0])
        between = _between(_numerals(goal.scale.inverse(bins.edges)))
        return Bins("value", bins.edges, {}, (*between, "missing"), bins.shares)
    named = np.array(metrics["confusion_matrix"]).sum(axis=0)
    shares = tuple((named / max(named.sum(), 1)).tolist())
    labels = tuple(spelt(one) for one in classes)
    return Bins("class", np.zeros(0), {}, labels, shares)


def merged(one: Counts, other: Counts) -> Counts:
    """Adds counts of the same version; either may be empty.

    Args:
        one: Counts.
        other: Counts.

    Returns:
        Their sums.
    """
    if not one or not other:
        return one or other
    mine, theirs = one["columns"], other["columns"]
    return {
        "examined": one["examined"] + other["examined"],
        "columns": {
            name: _sum(mine.get(name, ()), theirs.get(name, ())) for name in {**mine, **theirs}
        },
        "told": _sum(one["told"], other["told"]),
    }


def _sum(one: Sequence[int], other: Sequence[int]) -> list[int]:
    if not one or not other:
        return list(one or other)
    return [first + second for first, second in zip(one, other, strict=True)]
