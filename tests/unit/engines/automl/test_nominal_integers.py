"""Integers that name things are found, read as categories too, and kept in an artifact."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pyarrow import parquet, table
from tests.unit.engines.automl.conftest import Built, Write, build, rows_of
from tests.unit.engines.automl.test_artifact import (
    members_of,
    refused,
    with_array,
    with_json,
)

from modelwright.engines.automl.planning.nominal_integers import names_things
from modelwright_runtime import WITH_NAMES
from modelwright_runtime.columns import NominalIntegerColumn
from modelwright_runtime.predictor import Predictor

ROWS = 4000
MAKER = np.random.default_rng(7)
SHOP = MAKER.integers(1000, 1200, ROWS)
EFFECT = MAKER.normal(size=200)
NOISE = MAKER.normal(size=ROWS)


def found(values: NDArray[np.generic], target: NDArray[np.float64]) -> bool:
    return names_things(values.astype(np.float32), target[:, None], 3)


class TestNamesThings:
    def test_where_each_value_has_a_mean_of_its_own(self):
        assert found(SHOP, EFFECT[SHOP - 1000] + NOISE)

    def test_where_values_are_missing(self):
        some = np.where(MAKER.random(ROWS) < 0.2, np.nan, SHOP)
        assert found(some, EFFECT[SHOP - 1000] + NOISE)

    def test_for_classes(self):
        target = (EFFECT[SHOP - 1000] + NOISE > 1).astype(np.float64)
        assert found(SHOP, target)

    @pytest.mark.parametrize(
        "shape",
        [
            lambda count: 0.0 * count, lambda count: count / 50.0,
            lambda count: np.sin(count / 20.0), lambda count: (count > 1090) * 3.0,
            lambda count: (count % 100 > 90) * 3.0,
        ],
        ids=["nothing", "a line", "a wave", "a step", "spikes"],
    )  # fmt: skip
    def test_not_where_values_beside_tell_it(self, shape: "np.ufunc"):
        assert not found(SHOP, shape(SHOP) + NOISE)

    def test_not_where_there_is_hardly_a_row_a_value(self):
        value = MAKER.permutation(ROWS)
        assert not found(value, MAKER.normal(size=ROWS)[value])

    def test_not_of_numbers_that_a_slot_would_round(self):
        assert not found(SHOP + 2**25, EFFECT[SHOP - 1000] + NOISE)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Gives a table in which shops count for much, and what is built of it."""
    folder = tmp_path_factory.mktemp("shops")
    size = np.random.default_rng(8).normal(size=ROWS)
    y = 2 * EFFECT[SHOP - 1000] + size + NOISE
    path = folder / "shops.parquet"
    parquet.write_table(table({"shop": SHOP, "size": size, "y": y}), path)
    return path, folder, build(path, folder, max_iterations=1)


class TestBuild:
    def test_is_nearly_as_good_as_the_noise_allows(self, built: Built):
        assert built[2].metrics["rmse"] < 1.25

    def test_reads_them_both_ways(self, built: Built):
        predictor = Predictor.load(built[1])
        assert isinstance(predictor.columns[0], NominalIntegerColumn)
        assert predictor.manifest["format"] == WITH_NAMES
        assert predictor.input_schema["shop"] == "integer"
        assert 0.5 < built[2].feature_importance["shop"] < 1

    def test_answers_for_shops_that_are_new_or_unknown(self, built: Built):
        predictor = Predictor.load(built[1])
        rows = [{"shop": shop, "size": 0.0} for shop in (1000, 5, -3, 2**60)]
        for row in rows:
            [one] = predictor.predict_many([row])
            assert abs(one.result["y"]) < 10
            [told] = predictor.explain_many([row], [one])
            whole = told["base"] + sum(told["contributions"].values())
            assert whole == pytest.approx(told["sum"], abs=1e-6)

    def test_are_not_sought_among_floats(self, built: Built, write: Write, tmp_path: Path):
        rows = rows_of(built[0], ROWS)
        path = write(shop=[row["shop"] + 0.0 for row in rows], y=[row["y"] for row in rows])
        build(path, tmp_path / "made", max_iterations=1)
        assert not isinstance(Predictor.load(tmp_path / "made").columns[0], NominalIntegerColumn)

    def test_are_not_read_twice_where_a_category_names_them(
        self, built: Built, write: Write, tmp_path: Path
    ):
        rows = rows_of(built[0], ROWS)
        columns = {name: [row[name] for row in rows] for name in ("shop", "size", "y")}
        path = write(**columns, name_of_shop=[f"no {row['shop']}" for row in rows])
        build(path, tmp_path / "made", max_iterations=1)
        kinds = {one.name: one.kind for one in Predictor.load(tmp_path / "made").columns}
        assert kinds == {"shop": "number", "size": "number", "name_of_shop": "category"}

    @pytest.mark.parametrize("level", ["x", "1.0", "01", 7, None, "1_0"])
    def test_levels_that_are_no_whole_numbers_are_refused(
        self, built: Built, tmp_path: Path, level: object
    ):
        def change(told: dict[str, list[dict[str, list[object]]]]) -> None:
            told["columns"][0]["levels"][0] = level

        refused(tmp_path, with_json(members_of(built), change), "shop")

    def test_a_table_that_does_not_fit_is_refused(self, built: Built, tmp_path: Path):
        content = with_array(members_of(built), "arrays.npz", "table.0", lambda one: one[1:])
        refused(tmp_path, content, "shop")

    def test_a_float_is_of_no_kind_that_names_things(self, built: Built, tmp_path: Path):
        members = members_of(built)
        assert json.loads(members["model.json"])["columns"][0]["kind"] == "coded"

        def change(told: dict[str, list[dict[str, str]]]) -> None:
            told["columns"][0]["type"] = "float"

        refused(tmp_path, with_json(members, change), "shop")
