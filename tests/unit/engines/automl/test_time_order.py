"""Rows in the order of time: found, held out as the latest, and predicted beyond what was seen."""

import datetime as dt
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from tests.unit.engines.automl.conftest import Built, Write, build, rows_of

from modelwright.engines.automl.estimators.additive_model import SEASONAL, fit_additive
from modelwright.engines.automl.estimators.compilation import compile_model
from modelwright.engines.automl.estimators.estimator import Deadline, Estimator, FitRequest
from modelwright.engines.automl.estimators.extra_trees import fit_extra_trees
from modelwright.engines.automl.estimators.lightgbm import fit_lightgbm
from modelwright.engines.automl.estimators.linear_trend import fit_over_trend
from modelwright.engines.automl.estimators.network import fit_network
from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.planning.plan import Plan, PlanError
from modelwright.engines.automl.search.splits import holdout_mask, make_folds
from modelwright.engines.automl.search.training_data import read_training_data
from modelwright_runtime.intervals import Interval
from modelwright_runtime.predictor import Predictor

MONTHS = 144
AT = np.arange(MONTHS)
MONTH = (np.datetime64("2012-01") + AT).astype("datetime64[D]")
YEAR = 2012 + AT // 12
NUMBER = AT % 12 + 1
SALES = (
    200
    + 2.0 * AT
    + 20 * np.sin(2 * np.pi * AT / 12)
    + np.random.default_rng(0).normal(0, 6, MONTHS)
)
KNOWN = 120


def plan(path: Path, **wishes: Any) -> Plan:
    return make_plan([path], "", target="y", seconds=10, **wishes)


class TestPlan:
    def test_holds_out_the_latest_rows_and_says_so(self, write: Write):
        made = plan(write(month=MONTH, y=SALES))
        assert (made.later_by, made.split) == (("month",), "the latest rows by month")
        assert "rows later than those they learn from" in " ".join(made.reasons)
        assert "held out at random" not in " ".join(made.warnings)
        assert Plan.from_json(made.to_json()) == made

    def test_finds_the_order_of_several_series_one_after_the_other(self, write: Write):
        shop = np.repeat(["north", "south", "west"], MONTHS)
        path = write(shop=shop, month=np.tile(MONTH, 3), y=np.tile(SALES, 3) + 0.5 * (shop > "o"))
        assert plan(path).later_by == ("month",)

    @pytest.mark.parametrize("backwards", [False, True])
    def test_finds_the_order_of_years_with_numbers_of_months(self, write: Write, backwards: bool):
        order = AT[::-1] if backwards else AT
        path = write(month=NUMBER[order], Year=YEAR[order], y=SALES[order])
        assert plan(path).later_by == ("Year", "month")

    @pytest.mark.parametrize("form", ["%b", "%B"])
    def test_finds_the_order_of_years_with_names_of_months(self, write: Write, form: str):
        names = [month.item().strftime(form) for month in MONTH]
        assert plan(write(Year=YEAR, month=names, y=SALES)).later_by == ("Year", "month")
        kinds = np.where(AT % 2, "Mar", "odd")
        assert plan(write(Year=YEAR, month=kinds, y=SALES)).later_by == ()

    def test_takes_years_that_count_up_for_no_identifier(self, write: Write):
        made = plan(write(year=1871 + AT, y=SALES))
        assert (made.features, made.later_by) == (("year",), ("year",))

    def test_needs_more_than_a_few_moments_in_order(self, write: Write):
        person = np.repeat(np.arange(24), 6)
        assert plan(write(person=person, year=np.tile(2015 + AT[:6], 24), y=SALES)).later_by == ()
        assert plan(write(year=np.sort(2015 + AT % 9), y=SALES)).later_by == ()

    def test_needs_an_order(self, write: Write):
        mixed = np.random.default_rng(0).permutation(MONTHS)
        assert plan(write(month=MONTH[mixed], y=SALES[mixed])).later_by == ()

    def test_has_rows_held_out_at_random_without_the_dates(self, write: Write):
        path = write(month=MONTH, x=AT % 7, y=SALES)
        assert plan(path, input_schema={"x": "integer"}).later_by == ()

    def test_leaves_classes_to_a_warning(self, write: Write):
        made = plan(write(month=MONTH, y=np.where(AT % 3, "low", "high")))
        assert made.later_by == ()
        assert "in the order of month" in " ".join(made.warnings)


class TestSplit:
    def test_holds_out_the_latest_rows_and_parts_no_moment(self):
        times = np.random.default_rng(0).permutation(np.repeat(AT, 5)).astype(float)
        held = holdout_mask(times, 0, times)
        assert times[~held].max() < times[held].min()
        assert 0.1 < held.mean() < 0.2

    def test_judges_each_fold_on_later_rows_the_first_on_the_latest(self):
        times = np.random.default_rng(0).permutation(np.repeat(AT, 5)).astype(float)
        folds = make_folds(times, 0, times)
        assert all(times[train].max() < times[valid].min() for train, valid in folds)
        starts = [times[valid].min() for _, valid in folds]
        assert starts == sorted(starts, reverse=True)
        assert len(folds[0][0]) + len(folds[0][1]) == len(times)

    def test_deals_rows_at_random_where_all_have_one_moment(self):
        folds = make_folds(SALES, 0, np.zeros(MONTHS))
        assert sorted(np.concatenate([valid for _, valid in folds])) == [*range(MONTHS)]

    @pytest.mark.parametrize("unknown", [1, 5, 60])
    def test_leaves_rows_without_a_moment_out_of_the_cuts(self, unknown: int):
        times = np.r_[np.full(unknown, -np.inf), np.repeat(AT, 5)].astype(float)
        held = holdout_mask(times, 0, times)
        assert held.sum() == MONTHS * 5 // 6
        for train, valid in make_folds(times, 0, times):
            assert np.isfinite(times[train]).any()
            assert np.isfinite(times[valid]).all()

    @pytest.mark.parametrize("unknown", [2, 40])
    def test_deals_rows_at_random_where_all_known_have_one_moment(self, unknown: int):
        times = np.r_[np.full(unknown, -np.inf), np.zeros(MONTHS)]
        folds = make_folds(np.arange(len(times), dtype=float), 0, times)
        assert sorted(np.concatenate([valid for _, valid in folds])) == [*range(len(times))]

    @pytest.mark.parametrize(
        ("early", "late", "unknown", "fits"),
        [
            (1, 599, 0, False),
            (3, 597, 0, False),
            (19, 581, 0, False),
            (20, 580, 0, True),
            (0, 598, 2, False),
            (19, 541, 40, False),
            (20, 540, 40, True),
            (11, 11, 0, False),
            (18, 4, 0, True),
        ],
    )
    @pytest.mark.parametrize("kind", ["number", "date", "class"])
    def test_needs_rows_before_the_latest_to_learn_from(
        self, write: Write, early: int, late: int, unknown: int, fits: bool, kind: str
    ):
        year = np.r_[np.full(early, 2023), np.full(late, 2024)].tolist()
        when = [dt.date(one, 1, 1) for one in year] if kind == "date" else year
        x = np.random.default_rng(0).normal(size=early + late + unknown)
        y = np.where(x > 0, "a", "b") if kind == "class" else x
        path = write(t=pa.array([None] * unknown + when), x=x[::-1], y=y)
        asked = {"by": "time", "column": "t"}
        said = f"By `t`, {early} of {len(x)} rows that have a target are before the latest"
        if fits:
            assert plan(path, split=asked).later_by == ("t",)
            return
        with pytest.raises(PlanError, match=said) as refused:
            plan(path, split=asked)
        assert refused.value.field == "split"

    def test_is_at_random_where_rows_in_order_have_no_target_yet(self, write: Write):
        later = np.r_[np.full(200, 9), 10 + AT]
        path = write(
            year=2000 + later,
            x=np.random.default_rng(0).normal(size=len(later)),
            y=pa.array([*np.arange(200.0), *[None] * MONTHS]),
        )
        made = plan(path)
        assert (made.later_by, made.split_by) == ((), "random")

    def test_of_few_years_of_rows_each_builds(self, write: Write, tmp_path: Path):
        year = np.repeat([2023, 2024], [20, 180])
        x = np.random.default_rng(0).normal(size=200)
        path = write(year=year, x=x, y=np.where(x > 0, "a", "b"))
        wish: dict[str, Any] = {"split": {"by": "time", "column": "year"}, "max_iterations": 1}
        assert build(path, tmp_path / "model", **wish).report["held_out_rows"] == 180

    def test_takes_rows_without_a_moment_for_the_earliest(self):
        times = np.where(AT % 10, AT, -np.inf)
        assert not holdout_mask(times, 0, times)[~np.isfinite(times)].any()


@pytest.mark.parametrize("family", [fit_lightgbm, fit_extra_trees, fit_additive, fit_network])
def test_a_member_over_lines_compiles_to_its_numbers(write: Write, family: Estimator):
    path = write(month=MONTH, y=SALES)
    training = read_training_data([path], plan(path))
    train, rows = np.arange(KNOWN), np.arange(MONTHS)
    training.fit_encoder(train)
    fold_data, stop = training.fold_data(0, train), Deadline(time.monotonic() + 600)
    fitted = fit_over_trend(family, SEASONAL, FitRequest(fold_data, train, None, 5, stop, {}))
    model = compile_model(training.goal, fold_data.encoder, [(1.0, fitted.compiled())]).opened()
    assert (
        np.abs(model.raw_prediction(fold_data.features) - fitted.raw_prediction(rows)).max() < 1e-6
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("trend")
    path = folder / "table.parquet"
    parquet.write_table(pa.table({"month": MONTH[:KNOWN], "y": SALES[:KNOWN]}), path)
    return path, folder / "model", build(path, folder / "model", max_iterations=4)


def test_intervals_are_learnt_from_five_folds_and_three_answered_far_ahead(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    seen: list[int] = []
    learn = Interval.fit

    def noted(raw_prediction: Any, target: Any) -> Interval:
        seen.append(len(raw_prediction))
        return learn(raw_prediction, target)

    monkeypatch.setattr(Interval, "fit", noted)
    path = write(month=MONTH[:KNOWN], y=SALES[:KNOWN])
    build(path, tmp_path / "model", max_iterations=1, all_folds=True)
    assert seen[-1] == (5 + 3) * (KNOWN * 5 // 6 // 10)


class TestModel:
    def test_goes_on_beyond_what_was_seen(self, built: Built):
        later = [{"month": str(month)} for month in MONTH[KNOWN:]]
        given = [one.result["y"] for one in Predictor.load(built[1]).predict_many(later)]
        off = np.sqrt(np.mean(np.subtract(given, SALES[KNOWN:]) ** 2))
        assert off < 10.0
        assert off < 1.5 * built[2].metrics["rmse"]

    def test_has_metrics_of_the_latest_rows_alone(self, built: Built):
        assert built[2].report["held_out_rows"] == KNOWN // 6
        assert built[2].metrics["rmse"] < 20.0

    def test_explains_its_answers_to_the_last_bit(self, built: Built):
        rows = [*rows_of(built[0], 3), {"month": str(MONTH[-1])}]
        for told in Predictor.load(built[1]).predict(rows, include=["explanation"]):
            parts = told["explanation"]
            whole = parts["base"] + sum(parts["contributions"].values())
            assert whole == pytest.approx(parts["sum"], abs=1e-9)

    def test_goes_no_further_than_its_bounds(self, built: Built):
        [far] = Predictor.load(built[1]).predict([{"month": "2999-01-01"}])
        assert SALES.max() < far["prediction"]["y"] < SALES.max() + 2 * np.ptp(SALES)


@pytest.mark.parametrize("grows", [False, True])
def test_logarithms_of_later_rows_are_to_save_more_than_chance_may(write: Write, grows: bool):
    """On this walk they save 3 % of the loss, as they do by chance on every other one."""
    months, maker = np.arange(100), np.random.default_rng(1)
    walk = np.abs(100 + np.cumsum(maker.normal(0, 12, 100))) + 5
    growth = np.exp(3 + 0.03 * months) * (1 + 0.05 * maker.normal(size=100))
    month = (np.datetime64("2012-01") + months).astype("datetime64[D]")
    path = write(month=month, y=growth if grows else walk)
    training = read_training_data([path], plan(path))
    training.fit_encoder(months)
    training.choose_target_transform(
        make_folds(training.y, 1, training.times), Deadline(time.monotonic() + 60)
    )
    assert training.goal.scale.log == grows
