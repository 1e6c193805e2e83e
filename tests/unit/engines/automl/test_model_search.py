"""A race over a handful of rows, with models that only say how good they are told to be."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from modelwright.engines.automl.estimators.estimator import Estimator, FitRequest
from modelwright.engines.automl.estimators.family import FAMILIES, Family
from modelwright.engines.automl.estimators.fitted_model import CompiledModel, FittedModel, Latency
from modelwright.engines.automl.estimators.fold_data import FoldData
from modelwright.engines.automl.search import final_ensemble, model_search
from modelwright.engines.automl.search.ensemble_selection import (
    LATENCY_BUDGET_US,
    LatencyPenalty,
    select,
)
from modelwright.engines.automl.search.executors import ThreadExecutor
from modelwright.engines.automl.search.final_ensemble import refittable
from modelwright.engines.automl.search.model_search import (
    VARIATION_BATCH,
    VARIATION_PATIENCE,
    ModelSearch,
)
from modelwright.engines.automl.search.portfolio import BASELINE, Candidate
from modelwright_runtime.columns import NumberColumn
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.objective import Objective

ROWS = 400
MAKER = np.random.default_rng(0)
TRUTH = MAKER.normal(size=ROWS)
NOISE = MAKER.normal(size=ROWS)
MANY = tuple(range(1_000_000))


def estimator(noise: Callable[[Any], float]) -> Estimator:
    """Gives models that are off by the same noise, as much of it as their setting `p` says."""

    def fit(request: FitRequest) -> FittedModel:
        told = TRUTH + NOISE * noise(request.settings["p"])
        return FittedModel(
            1, lambda rows: told[rows][:, None], lambda: CompiledModel(np.zeros(1)), Latency(1, 1)
        )

    return fit


def run(
    monkeypatch: pytest.MonkeyPatch,
    fit: Estimator,
    grid: tuple[Any, ...],
    workers: int = 1,
    name: str = "mine",
    others: Sequence[Candidate] = (),
    most: int | None = 1000,
) -> ModelSearch:
    """Runs a search of one candidate, whose variations are drawn from a grid, and of others."""
    monkeypatch.setattr(
        model_search, "portfolio", lambda *_, **__: [Candidate(name, fit, {"p": -1}), *others]
    )
    for number, one in enumerate([fit, *(one.estimator for one in others)]):
        family = Family("Mine", one, search_space={"p": grid})
        monkeypatch.setitem(FAMILIES, f"Mine {number}", family)
    monkeypatch.setattr(model_search, "ROWS_PER_VARIATION", 1)
    dealt = np.arange(ROWS) % 3
    folds = [(np.flatnonzero(dealt != one), np.flatnonzero(dealt == one)) for one in range(3)]
    encoder = Encoder((NumberColumn("x", "float", gaps=False),))
    features = np.zeros((ROWS, 1), dtype=np.float32)
    fold_data = FoldData(
        Objective("regression"), encoder, ("number",), features, None, TRUTH, TRUTH, 0, 1
    )  # fmt: skip
    found = ModelSearch(
        folds, [np.arange(0)] * 3, lambda _: fold_data, time.monotonic() + 600, 1.0,
        ThreadExecutor(workers), 0.0, most, lambda *_: None, lambda _: None,
    )  # fmt: skip
    found.run()
    return found


class TestVariations:
    @pytest.mark.parametrize("workers", [1, 3])
    def test_end_after_six_turns_that_gave_the_blend_none(
        self, monkeypatch: pytest.MonkeyPatch, workers: int
    ):
        found = run(monkeypatch, estimator(lambda _: 0.05), MANY, workers)
        assert list(found.entry_order)[:2] == [BASELINE.name, "mine"]
        assert len(found.entry_order) == 2 + VARIATION_PATIENCE * VARIATION_BATCH
        assert found.weights() == {"mine": 1.0}
        assert set(found.active) <= {BASELINE.name, "mine"}

    def test_are_drawn_as_many_at_a_time_as_fits_run_side_by_side_where_the_clock_decides(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        found = run(monkeypatch, estimator(lambda _: 0.05), MANY, 8, most=None)
        assert len(found.entry_order) == 2 + VARIATION_PATIENCE * 8

    def test_go_on_after_one_that_the_blend_wants(self, monkeypatch: pytest.MonkeyPatch):
        seen: dict[int, int] = {}
        better = 2 * VARIATION_BATCH + 2  # in the third turn

        def noise(drawn: int) -> float:
            return 0.01 if seen.setdefault(drawn, len(seen)) == better else 0.05

        found = run(monkeypatch, estimator(noise), MANY)
        assert len(found.entry_order) == 2 + (3 + VARIATION_PATIENCE) * VARIATION_BATCH
        [wanted] = found.weights()
        assert found.entry_order[wanted] == better + 1

    def test_are_drawn_only_once_in_a_race_also_when_they_fail(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        def noise(drawn: int) -> float:
            if drawn == 2:
                raise ValueError("two is too many")
            return 0.05

        found = run(monkeypatch, estimator(noise), (-1, 1, 2))
        told = [one.candidate.settings.get("p") for one in found.trials.values()]
        assert len(told) == 3
        assert set(told[1:]) == {-1, 1}
        assert len(found.failed) == 1
        assert len(found.entry_order) == 4


class TestCut:
    @pytest.mark.parametrize(("noise", "folds"), [(0.5, 1), (0.05, 3)])
    def test_is_followed_only_where_it_is_not_far_behind(
        self, monkeypatch: pytest.MonkeyPatch, noise: float, folds: int
    ):
        def slow(request: FitRequest) -> FittedModel:
            if request.rounds is None:  # not when all folds are fitted again
                object.__setattr__(request.deadline, "moment", 0.0)
            return estimator(lambda _: noise)(request)

        quick = Candidate("quick", estimator(lambda _: 0.05), {"p": -1})
        found = run(monkeypatch, slow, (-1,), others=[quick])
        assert len(found.trials["mine"].fitted) == folds
        assert ("mine" in found.active) == (folds == 3)

    @pytest.mark.parametrize("late", ["mine", "quick"])
    def test_is_compared_by_folds_that_have_come(self, monkeypatch: pytest.MonkeyPatch, late: str):
        quick = Candidate("quick", estimator(lambda _: 0.05), {"p": -1})
        found = run(monkeypatch, estimator(lambda _: 0.05), (-1,), others=[quick])
        found.active, found.timed_out = ["mine", "quick"], {"mine"}
        del found.trials["mine"].fitted[2]
        found.trials[late].raw_prediction[found.folds[0][1]] = np.nan
        assert not found._should_drop("mine")
        assert found.active == ["mine", "quick"]

    def test_has_no_more_seconds_for_another_fold(self, monkeypatch: pytest.MonkeyPatch):
        found = run(monkeypatch, estimator(lambda _: 0.05), (-1,))
        mine = found.trials["mine"]
        mine.seconds[0] = 300.0
        assert found._stop(mine.candidate).remaining() > 300
        found.timed_out.add("mine")
        assert found._stop(mine.candidate).remaining() < 300


def test_variations_are_drawn_of_the_blend_over_all_folds(monkeypatch: pytest.MonkeyPatch):
    drawn: list[list[str]] = []
    monkeypatch.setattr(model_search, "comparison_folds", lambda _: 1)

    def mutate(number: int, seed: int, parents: Sequence[Candidate]) -> Candidate:
        drawn.append([one.name for one in parents])
        return BASELINE

    def fit(request: FitRequest) -> FittedModel:
        assert request.valid is not None
        off = 0.1 if request.valid[0] == 0 else 5.0
        told = TRUTH + NOISE * (off if request.settings["p"] else 0.5)
        return FittedModel(
            1, lambda rows: told[rows][:, None], lambda: CompiledModel(np.zeros(1)), Latency(1, 1)
        )

    monkeypatch.setattr(model_search, "RESETTLE_MAX_ROWS", 0)
    monkeypatch.setattr(model_search, "DROP_LOSS_RATIO", 10.0)
    monkeypatch.setattr(model_search, "mutate", mutate)
    run(monkeypatch, fit, (-1,), name="early", others=[Candidate("late", fit, {"p": 0})])
    assert drawn[0] == ["late"]


class TestSettling:
    def raced(self, monkeypatch: pytest.MonkeyPatch) -> tuple[ModelSearch, list[int | None]]:
        """Runs a race of one whose folds find 1, 4 and 7 rounds where they are judged."""
        given: list[int | None] = []

        def fit(request: FitRequest) -> FittedModel:
            valid, rounds = request.valid, request.rounds
            given.append(rounds)
            assert (valid is None) == (rounds is not None)
            used = rounds or 1 + 3 * (0 if valid is None else int(valid[0]))
            told = TRUTH + NOISE / (20 if rounds is None else 2)
            return FittedModel(
                used,
                lambda rows: told[rows][:, None],
                lambda: CompiledModel(np.zeros(1)),
                Latency(1, 1),
            )

        return run(monkeypatch, fit, (-1,)), given

    def test_folds_of_few_rows_are_judged_with_the_rounds_of_all(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        found, given = self.raced(monkeypatch)
        assert given == [None, None, None, 4, 4, 4]
        raw_prediction = found.trials["mine"].raw_prediction[:, 0]
        assert np.array_equal(raw_prediction, TRUTH + NOISE / 2)
        assert {one.rounds for one in found.trials["mine"].fitted.values()} == {4}

    def test_of_many_rows_they_are_not(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(model_search, "RESETTLE_MAX_ROWS", ROWS // 2)
        found, given = self.raced(monkeypatch)
        assert given == [None, None, None]
        assert np.array_equal(found.trials["mine"].raw_prediction[:, 0], TRUTH + NOISE / 20)

    def test_a_fold_that_the_clock_cuts_stays_as_it_was(self, monkeypatch: pytest.MonkeyPatch):
        def fit(request: FitRequest) -> FittedModel:
            if cut := request.rounds is not None and not request.train[0]:
                object.__setattr__(request.deadline, "moment", 0.0)
            told = TRUTH + NOISE / (2 if cut else 20)
            return FittedModel(
                4,
                lambda rows: told[rows][:, None],
                lambda: CompiledModel(np.zeros(1)),
                Latency(1, 1),
            )

        found = run(monkeypatch, fit, (-1,))
        assert np.array_equal(found.trials["mine"].raw_prediction[:, 0], TRUTH + NOISE / 20)
        assert not found.timed_out
        assert not found.failed


class TestRefittable:
    def raced(self, monkeypatch: pytest.MonkeyPatch) -> ModelSearch:
        """Runs a race of two that are off by as much, each in its own way; one is slow."""
        other = np.random.default_rng(1).normal(size=ROWS)

        def fit(request: FitRequest) -> FittedModel:
            told = TRUTH + (NOISE if request.settings["p"] else other) / 5
            return FittedModel(
                1,
                lambda rows: told[rows][:, None],
                lambda: CompiledModel(np.zeros(1)),
                Latency(1, 1),
            )

        found = run(monkeypatch, fit, (0,), name="slow")
        found.active = ["slow", next(name for name in found.trials if name.startswith("Mine"))]
        assert len(refittable(found, found.deadline)) == 2
        found.trials["slow"].seconds[0] = 10_000.0
        assert len(refittable(found, found.deadline)) == 2, (
            "with a cap on the candidates the clock is not asked"
        )
        found.max_candidates = None
        return found

    def test_leaves_out_what_there_is_no_time_for(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(final_ensemble, "MAX_LOSS_RATIO", 2.0)
        found = self.raced(monkeypatch)
        assert "slow" not in refittable(found, found.deadline)
        assert "slow" in refittable(found, found.deadline + 20_000)

    def test_is_everything_where_the_rest_is_much_worse(self, monkeypatch: pytest.MonkeyPatch):
        found = self.raced(monkeypatch)
        assert "slow" in refittable(found, found.deadline)


class TestPrices:
    @pytest.mark.parametrize(("reading", "members"), [(0.0, 2), (80.0, 1)])
    def test_the_second_of_two_alike_must_earn_its_time_where_rows_are_read_slowly(
        self, monkeypatch: pytest.MonkeyPatch, reading: float, members: int
    ):
        """Together they are a fiftieth better."""
        other = 0.92 * NOISE + 0.39 * np.random.default_rng(1).normal(size=ROWS)

        def fit(off: Any) -> Estimator:
            told = (TRUTH + off / 5)[:, None]
            fitted = FittedModel(
                1, lambda rows: told[rows], lambda: CompiledModel(np.zeros(1)), Latency(45, 1)
            )
            return lambda *_: fitted

        monkeypatch.setattr(FoldData, "reading", lambda _: reading)
        found = run(monkeypatch, fit(NOISE), (-1,), others=[Candidate("two", fit(other), {})])
        assert len(found.weights().keys() & {"mine", "two"}) == members

    def test_the_cheap_one_of_two_equals_wins_in_a_race_of_both(self):
        raw_prediction = (TRUTH + NOISE / 5)[:, None]
        raw_predictions = {"dear": raw_prediction, "cheap": raw_prediction}
        costs = {"dear": Latency(LATENCY_BUDGET_US - 1, 0), "cheap": Latency(1, 0)}
        assert select(raw_predictions, TRUTH, Objective("regression"), LatencyPenalty(costs)) == {
            "cheap": 1.0
        }

    @pytest.mark.parametrize(("cost", "kept"), [(10.0, {"one", "two"}), (800.0, {"one"})])
    def test_a_member_beyond_the_room_must_earn_it(self, cost: float, kept: set[str]):
        """Both are off by as much, each in its own way: together they are three tenths better."""
        other = np.random.default_rng(1).normal(size=ROWS)
        raw_predictions = {"one": (TRUTH + NOISE / 5)[:, None], "two": (TRUTH + other / 5)[:, None]}
        costs = {
            "one": Latency(
                LATENCY_BUDGET_US - cost if cost < LATENCY_BUDGET_US else LATENCY_BUDGET_US, 0
            ),
            "two": Latency(cost, 0),
        }
        assert (
            select(raw_predictions, TRUTH, Objective("regression"), LatencyPenalty(costs)).keys()
            == kept
        )

    @pytest.mark.parametrize(("cost", "kept"), [(5.0, {"one", "two"}), (5000.0, {"one"})])
    def test_one_that_is_slow_among_many_must_earn_it_too(self, cost: float, kept: set[str]):
        other = np.random.default_rng(1).normal(size=ROWS)
        raw_predictions = {"one": (TRUTH + NOISE / 5)[:, None], "two": (TRUTH + other / 5)[:, None]}
        costs = {"one": Latency(1, 1), "two": Latency(1, cost)}
        assert (
            select(raw_predictions, TRUTH, Objective("regression"), LatencyPenalty(costs)).keys()
            == kept
        )

    def test_one_that_earns_it_is_taken_beyond_the_room(self):
        raw_predictions = {"rough": (TRUTH + NOISE)[:, None], "fine": (TRUTH + NOISE / 10)[:, None]}
        costs = {"rough": Latency(1, 0), "fine": Latency(LATENCY_BUDGET_US + 400, 0)}
        assert select(raw_predictions, TRUTH, Objective("regression"), LatencyPenalty(costs)) == {
            "fine": 1.0
        }
