"""Which models race, and how variations of the good ones are drawn."""

import numpy as np
import pytest

from modelwright.engines.automl.estimators.additive_model import (
    MAX_ROWS_STRAIGHT,
    ROWS_PER_FEATURE_SPARSE,
    STRAIGHT_KNOTS,
)
from modelwright.engines.automl.estimators.baseline import fit_baseline
from modelwright.engines.automl.estimators.families import FAMILIES
from modelwright.engines.automl.estimators.family import TableShape
from modelwright.engines.automl.estimators.lightgbm import (
    BASE_SETTINGS,
    MIN_CLASSES_FEW_ROUNDS,
    MIN_ROWS_FINEST,
)
from modelwright.engines.automl.estimators.network import MAX_FEATURES_NETWORK, fit_network
from modelwright.engines.automl.search.portfolio import Candidate, mutate, portfolio
from modelwright.engines.automl.search.splits import fold_counts, holdout_mask, make_folds

VARIED = {one.fit: one for one in FAMILIES.values() if one.search_space}
PARENTS = [Candidate("mine", estimator, {"seldom": 1}) for estimator in VARIED]
FEW_ROWS = 400
"""So few that all candidates of few rows race too, for as many features as there are below."""


class TestPortfolio:
    @pytest.mark.parametrize(
        ("kinds", "width", "rows", "later", "racing"),
        [
            (
                ("number",) * 99 + ("statistic",), 1, FEW_ROWS, True,
                ("LightGBM, Linear, Linear seasonal, LightGBM over seasonal lines, Linear over"
                " seasonal lines, CatBoost over lines, ExtraTrees over lines, CatBoost, ExtraTrees,"
                " Network, Network deep, Linear straight, Linear sparse, CatBoost codes, XGBoost,"
                " LightGBM fine, LightGBM fine drawn, LightGBM small, LightGBM large, LightGBM"
                " slow, ExtraTrees smooth, LightGBM extra, CatBoost deep, Linear coarse, Linear"
                " fine, Network by value"),
            ),
            (
                ("number",), 5, 8000, False,
                ("LightGBM, Linear, CatBoost, ExtraTrees, Network, Network deep, XGBoost, LightGBM"
                " fine, LightGBM fine drawn, LightGBM small, LightGBM large, LightGBM slow,"
                " ExtraTrees smooth, LightGBM quick, LightGBM extra, Linear coarse, Linear fine,"
                " Network by value"),
            ),
            (
                ("number",), 10, 30_000, False,
                "LightGBM, Network, Network deep, ExtraTrees, LightGBM large, Linear",
            ),
            (
                ("number",), 40, 1000, False,
                "ExtraTrees, Linear straight, Network, Linear, LightGBM",
            ),
        ],
        ids=["all of one output", "some classes", "many rows of classes", "many classes"],
    )  # fmt: skip
    def test_races_in_this_order(
        self, kinds: tuple[str, ...], width: int, rows: int, *, later: bool, racing: str
    ):
        found = portfolio(kinds, width, rows, later=later)
        assert ", ".join(one.name for one in found) == racing

    def test_begins_each_name_with_that_of_the_family(self):
        for table in (TableShape(("number",), 1, 400, True), TableShape(("number",), 40, 400)):
            for family in FAMILIES.values():
                assert all(one.name.startswith(family.name) for one in family.entries(table))

    @pytest.mark.parametrize("width", [1, 7, 40])
    def test_names_each_contender_once(self, width: int):
        names = [one.name for one in portfolio(("number", "statistic"), width, 1000)]
        assert len(names) == len(set(names)) >= 3

    @pytest.mark.parametrize(
        ("features", "networks"), [(MAX_FEATURES_NETWORK, 3), (MAX_FEATURES_NETWORK + 1, 0)]
    )
    def test_leaves_networks_out_of_wide_tables(self, features: int, networks: int):
        found = [one.estimator for one in portfolio(("number",) * features, 1, 1000)]
        assert found.count(fit_network) == networks

    def test_has_fewer_contenders_where_many_rows_have_many_classes(self):
        assert len(portfolio(("number",), 26, 10_000)) < len(portfolio(("number",), 26, 1000))
        assert len(portfolio(("number",), 1, 250_000)) >= len(portfolio(("number",), 1, 1000))

    def test_has_a_model_without_bends_where_rows_are_few(self):
        few, many = (
            min(one.settings.get("knots", 10) for one in portfolio(("number",), 1, rows))
            for rows in (MAX_ROWS_STRAIGHT, MAX_ROWS_STRAIGHT + 1)
        )
        assert few == STRAIGHT_KNOTS < many

    def test_has_a_model_of_few_weights_where_slots_have_few_rows(self):
        def races(features: int, rows: int) -> bool:
            found = portfolio(("number",) * features, 1, rows)
            return any(one.settings.get("sparse") for one in found)

        assert races(20, ROWS_PER_FEATURE_SPARSE * 20)
        assert not races(20, ROWS_PER_FEATURE_SPARSE * 20 + 1)
        assert not races(MAX_ROWS_STRAIGHT, MAX_ROWS_STRAIGHT + 1)

    def test_has_trees_of_many_leaves_where_rows_may_be_nearly_alike(self):
        few, many = (
            max(one.settings.get("num_leaves", 0) for one in portfolio(("number",), 1, rows))
            for rows in (MIN_ROWS_FINEST, MIN_ROWS_FINEST + 1)
        )
        assert few < many

    def test_has_random_trees_of_few_rounds_where_classes_are_many(self):
        few, many = (
            [one.settings for one in portfolio(("number",), width, 1000)]
            for width in (MIN_CLASSES_FEW_ROUNDS - 1, MIN_CLASSES_FEW_ROUNDS)
        )
        (quick,) = [one for one in many if one not in few]
        (slow,) = [one for one in few if one.get("extra_trees")]
        assert quick["extra_trees"]
        assert quick["learning_rate"] > BASE_SETTINGS["learning_rate"]
        assert quick["num_leaves"] < slow["num_leaves"]


class TestVariation:
    def test_is_the_same_for_the_same_number_seed_and_parents(self):
        first, second = ([mutate(at, 5, PARENTS) for at in range(20)] for _ in range(2))
        assert first == second
        assert first != [mutate(at, 6, PARENTS) for at in range(20)]

    def test_changes_a_parent_within_the_grid_of_its_family(self):
        drawn = [mutate(at, 0, PARENTS) for at in range(40)]
        assert {one.estimator for one in drawn} == set(VARIED)
        for one in drawn:
            name, grid = VARIED[one.estimator].name, VARIED[one.estimator].search_space
            assert one.name.startswith(name)
            changed = {key: value for key, value in one.settings.items() if key != "seldom"}
            assert changed
            assert one.settings["seldom"] == 1
            assert all(value in grid[key] for key, value in changed.items())

    def test_varies_boosting_where_no_parent_can_be_varied(self):
        assert mutate(0, 0, [Candidate("Constant", fit_baseline)]).name.startswith("LightGBM")


class TestFoldsFor:
    @pytest.mark.parametrize(("rows", "dealt"), [(50, (8, 8)), (5000, (5, 5)), (50_000, (5, 3))])
    def test_gives_fewer_folds_for_more_rows(self, rows: int, dealt: tuple[int, int]):
        assert fold_counts(rows) == dealt


class TestFoldsOf:
    def test_gives_each_row_of_few_to_one_fold(self):
        folds = make_folds(np.arange(50.0), 0)
        assert np.array_equal(np.sort(np.concatenate([valid for _, valid in folds])), np.arange(50))
        assert all(np.intersect1d(train, valid).size == 0 for train, valid in folds)

    @pytest.mark.parametrize("rare", [1, 2, 3, 5])
    @pytest.mark.parametrize("rows", [400, 20_000])
    def test_judges_on_no_fold_whose_rows_are_all_alike(self, rows: int, rare: int):
        truth = np.zeros(rows)
        truth[:rare] = 1
        for seed in range(5):
            folds = make_folds(truth, seed)
            assert folds
            assert all(truth[valid].any() for _, valid in folds)

    def test_takes_all_parts_where_every_row_is_alike(self):
        assert len(make_folds(np.zeros(400), 0)) == 8


class TestHeldOut:
    @pytest.mark.parametrize("rare", [2, 3, 5])
    def test_keeps_some_rows_of_a_rare_class_on_both_sides(self, rare: int):
        truth = np.zeros(20_000)
        truth[:rare] = 1
        for seed in range(5):
            held = holdout_mask(truth, seed)
            assert truth[held].any()
            assert truth[~held].any()
            assert held.mean() == pytest.approx(1 / 6, abs=0.001)
