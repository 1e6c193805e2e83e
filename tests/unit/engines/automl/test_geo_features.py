"""Latitudes with their longitudes: read as places too, built from, explained and scored."""

from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet, table
from tests.few_folds import few_folds
from tests.unit.engines.automl.conftest import Built, build, rows_of
from tests.unit.engines.automl.test_artifact import members_of, refused, with_json

from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.scoring import Scorer
from modelwright_runtime import WITH_PLACES
from modelwright_runtime.geo_features import LatLon, kilometres, kilometres_one, named_places
from modelwright_runtime.predictor import Predictor

ROWS = 1000
MAKER = np.random.default_rng(5)
NORTH = MAKER.uniform(40.6, 40.9, (2, ROWS))
EAST = MAKER.uniform(-74.1, -73.8, (2, ROWS))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Gives rides that cost by the distance, and more on one side of a slanted river."""
    folder = tmp_path_factory.mktemp("rides")
    far = kilometres((NORTH[0], EAST[0]), (NORTH[1], EAST[1]))
    river = (NORTH[0] - 40.75) > 0.6 * (EAST[0] + 73.95)
    fare = 3.0 + far + 8.0 * river + MAKER.normal(0.0, 0.5, ROWS)
    columns = {"pickup_latitude": NORTH[0], "pickup_longitude": EAST[0],
               "dropoff_latitude": NORTH[1], "dropoff_longitude": EAST[1], "y": fare}  # fmt: skip
    path = folder / "rides.parquet"
    parquet.write_table(table(columns), path)
    with few_folds():  # but of all rounds
        return path, folder, build(path, folder, max_iterations=3, all_folds=True)


@pytest.fixture(scope="module")
def predictor(built: Built) -> Predictor:
    return Predictor.load(built[1])


class TestBuild:
    def test_finds_what_distances_and_slanted_lines_tell(self, built: Built):
        assert built[2].metrics["rmse"] < 1.0

    def test_says_what_is_read_together(self, built: Built):
        told = " ".join(make_plan([built[0]], "", target="y", seconds=60).reasons)
        assert "pickup_latitude and pickup_longitude are read together" in told

    def test_is_of_the_newest_format(self, predictor: Predictor):
        assert predictor.manifest["format"] == WITH_PLACES

    def test_finds_every_column_important(self, built: Built):
        assert min(built[2].feature_importance.values()) > 0.05


class TestAnswers:
    def test_are_explained_by_the_columns_alone(self, built: Built, predictor: Predictor):
        rows = rows_of(built[0], 50)
        for told in predictor.explain_many(rows, predictor.predict_many(rows)):
            assert list(told["contributions"]) == list(predictor.input_schema)
            whole = told["base"] + sum(told["contributions"].values())
            assert whole == pytest.approx(told["sum"], abs=1e-6)

    def test_are_the_same_one_by_one_together_and_from_files(
        self, built: Built, predictor: Predictor
    ):
        rows = rows_of(built[0], 300)
        told = [one.result["y"] for one in predictor.predict_many(rows)]
        assert [predictor.predict_one(row).result["y"] for row in rows] == told
        batch = parquet.read_table(built[0]).slice(0, 300).combine_chunks().to_batches()[0]
        assert dict(Scorer(predictor).score(batch, 0))["prediction"].to_pylist() == told


@pytest.mark.parametrize(
    "places",
    [
        [{"latitude": "pickup_latitude", "longitude": "evil", "narrowing": 0.5}],
        [{"latitude": "pickup_latitude", "longitude": "pickup_longitude", "narrowing": "evil"}],
        [{"latitude": "pickup_latitude", "longitude": "pickup_longitude", "narrowing": 2.0}],
        [{"latitude": "pickup_latitude", "longitude": "pickup_longitude", "narrowing": 0.5}] * 9,
        [{}],
        7,
    ],
)
def test_that_do_not_fit_are_refused(built: Built, tmp_path: Path, places: object):
    members = members_of(built)
    refused(
        tmp_path, with_json(members, lambda told: told.update(places=places)), "not a model|lacks"
    )


class TestPlaces:
    @pytest.mark.parametrize(
        "names",
        [
            ("Latitude", "Longitude"), ("LAT", "LONG"), ("start_lat", "start_lng"),
            ("lat1", "lon1"), ("reclat", "reclong"), ("latitude_deg", "longitude_deg"),
        ],
    )  # fmt: skip
    def test_are_found_by_name(self, names: tuple[str, str]):
        assert named_places(["size", names[1], "x", names[0]]) == [names]

    @pytest.mark.parametrize("names", ["lat", "plate along", "start_lat end_lon", "late long", ""])
    def test_are_not_found_where_names_do_not_pair(self, names: str):
        assert named_places(names.split()) == []

    def test_are_apart_as_on_the_globe(self):
        here, there = (
            (np.array([0.0, 90.0]), np.zeros(2)),
            (np.array([0.0, -90.0]), np.full(2, 90.0)),
        )
        assert kilometres(here, there) == pytest.approx(6371 * np.pi * np.array([0.5, 1.0]))

    def test_are_as_far_apart_one_by_one(self):
        maker = np.random.default_rng(1)
        ends = maker.uniform(-95.0, 95.0, (4, 500)) * [[1.0], [2.0], [1.0], [2.0]]
        ends[2:, :100] = ends[:2, :100]
        ends[maker.integers(4), 100:150] = np.nan
        # Over a pole, where rounding may give a square below zero.
        ends[0, 150:250], ends[2, 150:250] = 90 + np.arange(100) / 73, 90 - np.arange(100) / 73
        ends[1, 150:250], ends[3, 150:250] = 0.0, 180.0
        far = kilometres((ends[0], ends[1]), (ends[2], ends[3]))
        told = [kilometres_one((a, b), (c, d)) for a, b, c, d in ends.T.tolist()]
        assert np.isnan(told).any()
        assert told == pytest.approx(far, rel=1e-12, abs=1e-9, nan_ok=True)

    def test_lie_along_slanted_lines_as_far_as_they_are_apart(self):
        rotated = LatLon("lat", "lon", 0.5).rotated(np.array([0.0, 1.0]), np.array([0.0, 2.0]))
        angles = np.deg2rad([30, 60, 120, 150])
        assert rotated[1] - rotated[0] == pytest.approx(np.cos(angles) + np.sin(angles))
