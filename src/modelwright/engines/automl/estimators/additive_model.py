"""Fits the additive model: ridge-penalised regression on hats, levels and terms by L-BFGS."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from modelwright.engines.automl.estimators.estimator import Deadline, FitRequest, Settings
from modelwright.engines.automl.estimators.family import Entry, Family, TableShape, register
from modelwright.engines.automl.estimators.fitted_model import CompiledModel, FittedModel, Latency
from modelwright.engines.automl.estimators.fold_data import FoldData, Rows
from modelwright.engines.automl.estimators.targets import starting_raw_prediction, target_columns
from modelwright_runtime.additive import Additive, as_table
from modelwright_runtime.columns import CategoryColumn, Features, Simple, TextColumn
from modelwright_runtime.components.additive_model import AdditiveModel
from modelwright_runtime.objective import Floats, Objective

PENALTIES = (100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1)
"""Ridge penalties, falling; the held-out loss tells where to stop."""
SOLVER_STEPS = 200
"""Steps of the solver for each penalty."""
BEND_PENALTY = 3.0
"""How much dearer it is to bend the function of a feature than to tilt it."""
TERM_EASE = 10.0
"""How much cheaper the weight of a term is: a text has many, each of a small share."""
STRAIGHT_KNOTS = 2
"""Between so many knots there is no bend."""
STRAIGHT_REACH = 0.3
"""Such a line goes on by this share of the range that was seen."""
EXTRAPOLATION_RANGES = 1.0
"""Lines of candidates for later rows go on by this multiple of the range that was seen."""
MAX_SEASONAL_LEVELS = 31
"""Seasonal lines read each value by itself where there are no more, as of months and hours."""
LINES = {"knots": STRAIGHT_KNOTS, "reach": EXTRAPOLATION_RANGES}
"""Settings of straight lines that go on beyond what was seen."""
SEASONAL = {**LINES, "steps": MAX_SEASONAL_LEVELS}
"""Settings of such lines with a step for each value of a season."""
MAX_ROWS_STRAIGHT = 1500
"""Of so many, functions that may bend can lose more than they gain where the truth is straight."""
ROWS_PER_FEATURE_SPARSE = 5
"""With so few rows for each feature, it may be that few features matter and the others only
mislead."""
SPARSE_REFITS = 4
"""So many times a sparse model is fitted again, small weights drawn ever nearer to none."""
LATENCY_US = 15.0
"""Microseconds that one row takes."""
SMALL_LATENCY_US = 4.0
"""The same of few features with one output."""
FEATURE_LATENCY_US = 0.35
"""Microseconds more for each of these features."""
TERMS_LATENCY_US = 8.0
"""Microseconds that the terms of a text take."""
BATCH_LATENCY_US = 1.0
"""Microseconds that a row takes among many."""
MAX_OUTPUTS = 30
"""With more outputs a penalty has few steps, on from where those of the one before ended."""
FEW_SOLVER_STEPS = 8
"""These few steps."""
MAX_DENSE_CELLS = 30_000_000
"""Numbers up to which zeros are multiplied too where there are many outputs."""
MAX_ROWS = 100_000
"""The model has few parameters: more rows than this change little."""


class OutOfTimeError(Exception):
    """Raised inside the solver to leave it with what it has."""


class Solution(NamedTuple):
    """The parameters that the solver found."""

    weights: Floats
    """Shape (parameters of the design, outputs)."""
    bias: Floats
    """Shape (outputs,)."""


@dataclass(frozen=True, slots=True)
class RowLoss:
    """The loss of rows and its slope, each row counting as its weight says."""

    goal: Objective
    weights: Floats | None

    def __call__(self, raw_prediction: Floats, target: Floats) -> tuple[float, Floats]:
        """Returns the summed loss, and its slope by raw prediction, shape (n, width)."""
        losses, slope = _row_losses(raw_prediction, target, self.goal)
        if self.weights is None:
            return float(losses.sum()), slope
        return float(losses @ self.weights), slope * self.weights[:, None]


def fit_additive(request: FitRequest) -> FittedModel:
    """Fits with falling penalties while the held-out loss falls; `rounds` counts penalties.

    Args:
        request: What to fit, and until when.

    Returns:
        The fitted model.
    """
    data, valid, rounds = request.data, request.valid, request.rounds
    settings, deadline = request.settings, request.deadline
    train = request.train[:: max(1, len(request.train) // MAX_ROWS)]
    seen = data.features[train]
    shape = _shape(data, seen, settings)
    design = _design(shape, data, train)
    basis = _basis(shape, seen, design.shape[1], data.later)
    design = _laid_out(design @ basis, data.goal)
    outside = None if valid is None else (_design(shape, data, valid) @ basis).tocsr()
    target = target_columns(data.goal, data.target[train])
    weights = np.zeros((design.shape[1], data.goal.width))
    loss_of = RowLoss(data.goal, data.weights_of(train))
    best, best_loss, used = Solution(weights, starting_raw_prediction(data.goal, target)), np.inf, 1
    every = best
    for count, penalty in enumerate(_penalties(data.goal, rounds), start=1):
        every = found = _solve(design, target, loss_of, penalty, every, deadline)
        for _ in range(SPARSE_REFITS if settings.get("sparse") else 0):
            found = _sparser(design, target, loss_of, penalty, found, deadline)
        if outside is None or valid is None:
            best, used = found, rounds or 1
            continue
        loss = data.goal.loss(outside @ found.weights + found.bias, data.y[valid])
        if loss < best_loss:
            best, best_loss, used = found, loss, count
        if loss > best_loss * 1.001 or deadline.expired():
            break
    model = Solution(basis @ best.weights, best.bias)
    return FittedModel(
        used,
        lambda rows: np.asarray(_design(shape, data, rows) @ model.weights + model.bias),
        lambda: CompiledModel(
            np.zeros(data.goal.width), (AdditiveModel(_finished(shape, *model)),)
        ),
        _cost(shape, data.encoder.parts()),
    )


def _cost(shape: Additive, columns: Collection[Simple]) -> Latency:
    features = len(shape.smooth) + len(shape.level)
    cost = SMALL_LATENCY_US + FEATURE_LATENCY_US * features if shape.is_small() else LATENCY_US
    texts = sum(isinstance(column, TextColumn) for column in columns)
    return Latency(cost + TERMS_LATENCY_US * texts, BATCH_LATENCY_US)


def _penalties(goal: Objective, rounds: int | None) -> tuple[float, ...]:
    """Returns the penalties to fit with: where steps are few, a refit goes the whole way too."""
    if rounds is None or goal.width > MAX_OUTPUTS:
        return PENALTIES[:rounds]
    return PENALTIES[rounds - 1 : rounds]


def _shape(data: FoldData, seen: Features, settings: Settings) -> Additive:
    """Lays out the weights: for each number between its knots, and for each level of a category."""
    smooth: list[int] = []
    level: list[int] = []
    sizes: list[int] = []
    for at, column in data.placed():
        if isinstance(column, CategoryColumn):
            level.append(at)
            sizes.append(len(column.levels) + 2)
        else:
            read = column.counts if isinstance(column, TextColumn) else column.width
            smooth.extend(range(at, at + read))
    made = sum(column.width for column in data.encoder.columns)
    smooth.extend(range(made, data.features.shape[1]))
    steps = settings.get("steps", 0)
    knots = [
        _knots(seen[:, feature], settings, 0 if feature in data.later else steps)
        for feature in smooth
    ]
    padded, counts = as_table(knots)
    widths = np.concatenate([counts + 1, np.array(sizes, dtype=np.int64)])
    starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
    nothing = np.zeros((0, data.goal.width))
    return Additive(
        nothing, nothing.sum(axis=0), np.array(smooth, dtype=np.int64), padded, counts,
        starts[: len(smooth)], np.array(level, dtype=np.int64), starts[len(smooth) : -1],
        int(starts[-1]),
    )  # fmt: skip


def _knots(values: NDArray[np.float32], settings: Settings, steps: int) -> Floats:
    """Returns where a feature's function may bend: at each value if these are at most `steps`."""
    known = values[~np.isnan(values)].astype(np.float64)
    if not len(known):
        return np.zeros(1)
    own, most = np.unique(known), int(settings.get("knots", 10))
    if len(own) <= steps:
        return own
    knots = np.unique(np.quantile(known, np.linspace(0.0, 1.0, most)))
    reach = settings.get("reach", STRAIGHT_REACH) if most == STRAIGHT_KNOTS else 0.0
    beyond = reach * (knots[-1] - knots[0])
    return np.asarray(knots + beyond * np.linspace(-1.0, 1.0, len(knots)))


def _design(shape: Additive, data: FoldData, rows: Rows) -> Any:
    places, shares = shape.design(data.features[rows])
    starts = np.arange(len(rows) + 1) * places.shape[1]
    size = (len(rows), shape.terms_at)
    design = sparse.csr_matrix((shares.ravel(), places.ravel(), starts), shape=size)
    if data.terms is not None:
        design = sparse.hstack([design, data.terms[rows]], format="csr")
    return design


def _laid_out(design: Any, goal: Objective) -> Any:
    """Fills zeros in where there are many outputs: whole matrices are multiplied much quicker."""
    few = goal.width <= MAX_OUTPUTS or design.shape[0] * design.shape[1] > MAX_DENSE_CELLS
    return design.tocsr() if few else design.toarray()


def _basis(shape: Additive, seen: Features, size: int, later: Collection[int]) -> Any:
    """Returns what fitted weights stand for, (size, size + smooth): hats, levels, terms, slopes.

    A slope is a straight line over a feature's knots, in standard deviations of its values, so
    that the penalty of a function falls on what is not straight in it. That of time hardly
    costs, so that a trend is not taken for one of the days of a month.
    """
    own = np.ones(size)
    own[shape.terms_at :] = TERM_EASE**0.5
    knots, slopes = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    for feature, at, count, places in zip(
        shape.smooth, shape.smooth_at, shape.counts, shape.knots, strict=True
    ):
        own[at : at + count] = BEND_PENALTY**-0.5
        known = seen[:, feature][~np.isnan(seen[:, feature])].astype(np.float64)
        centre, spread = (known.mean(), known.std() or 1.0) if len(known) else (0.0, 1.0)
        knots.append(np.arange(at, at + count))
        slopes.append((places[:count] - centre) / spread * (TERM_EASE if feature in later else 1.0))
    owner = np.repeat(np.arange(len(shape.smooth)), shape.counts)
    lines = np.concatenate(slopes), (np.concatenate(knots), owner)
    tilts = sparse.csr_matrix(lines, shape=(size, len(shape.smooth)))
    return sparse.hstack([sparse.diags(own), tilts], format="csr")


def _solve(
    design: Any,
    target: Floats,
    loss_of: RowLoss,
    penalty: float,
    start: Solution,
    deadline: Deadline,
) -> Solution:
    """Minimises the penalised loss by L-BFGS; the best step so far where time runs out."""
    from scipy import optimize  # noqa: PLC0415 - heavy; a plan needs it not

    rows, width = target.shape
    turned = design.T.tocsr() if sparse.issparse(design) else design.T
    best = [np.concatenate([start.weights.ravel(), start.bias])]

    def cost(flat: Floats) -> tuple[float, Floats]:
        weights, bias = flat[:-width].reshape(-1, width), flat[-width:]
        loss, slope = loss_of(design @ weights + bias, target)
        steep = turned @ slope + penalty * weights
        value = loss + penalty / 2 * float((weights * weights).sum())
        return value / rows, np.concatenate([steep.ravel(), slope.sum(axis=0)]) / rows

    def watch(flat: Floats) -> None:
        best[0] = flat
        if deadline.expired():
            raise OutOfTimeError

    try:
        steps = SOLVER_STEPS if width <= MAX_OUTPUTS else FEW_SOLVER_STEPS
        options = {"maxiter": steps, "ftol": 1e-8}
        found = optimize.minimize(
            cost, best[0], jac=True, method="L-BFGS-B", callback=watch, options=options
        )
        best[0] = found.x
    except OutOfTimeError:
        pass
    return Solution(best[0][:-width].reshape(-1, width), best[0][-width:])


def _sparser(
    design: Any,
    target: Floats,
    loss_of: RowLoss,
    penalty: float,
    found: Solution,
    deadline: Deadline,
) -> Solution:
    """Solves again, each weight penalised by its square over its size before.

    Repeated, that is a penalty on sizes (Grandvalet 1998, adaptive ridge), as the lasso has.
    """
    size = np.abs(found.weights).max(axis=1)
    ease = sparse.diags(np.sqrt(size / (size.max() or 1.0)))
    begun = Solution(np.zeros_like(found.weights), found.bias)
    eased = _solve(design @ ease, target, loss_of, penalty, begun, deadline)
    return Solution(np.asarray(ease @ eased.weights), eased.bias)


def _row_losses(raw_prediction: Floats, target: Floats, goal: Objective) -> tuple[Floats, Floats]:
    """Returns the loss of each row, shape (n,), and its slope, shape (n, width)."""
    if goal.task == "regression":
        slope = raw_prediction - target
        return (slope * slope).sum(axis=1) / 2, slope
    probabilities = goal.inverse_link(raw_prediction)
    if goal.task == "binary":
        losses = np.logaddexp(0.0, np.where(target > 0, -raw_prediction, raw_prediction))
        return losses.sum(axis=1), probabilities[:, 1:] - target
    told = (probabilities * target).sum(axis=1)
    return -np.log(np.maximum(told, 1e-300)), probabilities - target


def _finished(shape: Additive, weights: Floats, bias: Floats) -> Additive:
    rest = {name: getattr(shape, name) for name in shape.__slots__}
    return Additive(**{**rest, "weights": weights, "bias": bias})


def _entries(table: TableShape) -> list[Entry]:
    straight = {"knots": STRAIGHT_KNOTS}
    if table.has_many_classes:
        return [Entry(20, "Linear straight", straight), Entry(70, "Linear")]
    if table.is_slow:
        return [Entry(90, "Linear")]
    found = [
        Entry(20, "Linear"),
        Entry(140, "Linear coarse", {"knots": 4}),
        Entry(141, "Linear fine", {"knots": 20}),
    ]
    if table.is_later:
        found.append(Entry(30, "Linear seasonal", SEASONAL))
        found.append(Entry(32, "Linear over seasonal lines", lines=SEASONAL))
    if table.rows <= MAX_ROWS_STRAIGHT:
        found.append(Entry(70, "Linear straight", straight))
        if table.rows <= ROWS_PER_FEATURE_SPARSE * len(table.kinds):
            found.append(Entry(71, "Linear sparse", {**straight, "sparse": True}))
    return found


register(
    Family(
        "Linear",
        fit_additive,
        _entries,
        {"knots": (3, 6, 15, 25)},
        distributions=("scipy",),
    )
)
