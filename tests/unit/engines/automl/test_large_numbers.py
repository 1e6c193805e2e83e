"""Numbers so large that float32 makes one of many: they are told from an origin."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from tests.unit.engines.automl.conftest import Built, Write, build, rows_of

from modelwright.engines.automl.features.encoding import fit_encoder
from modelwright.engines.automl.planning.load_columns import RawColumn
from modelwright.engines.automl.scoring import Scorer
from modelwright_runtime import WITH_ORIGINS
from modelwright_runtime.columns import NumberColumn
from modelwright_runtime.deserialisation import encoder_of
from modelwright_runtime.predictor import Predictor

ROWS = 400
BEGUN = 1_700_000_000
AT = BEGUN + 60 * np.arange(ROWS)
LOAD = np.where(np.arange(ROWS) // 10 % 2, 5.0, 0.0) + np.arange(ROWS) / 100


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("large")
    path = folder / "table.parquet"
    order = np.random.default_rng(0).permutation(ROWS)
    parquet.write_table(pa.table({"seconds": AT[order], "y": LOAD[order]}), path)
    return path, folder / "model", build(path, folder / "model", max_iterations=1)


def column(values: list[float]) -> NumberColumn:
    raw = {"x": RawColumn("number", np.array(values))}
    [found] = fit_encoder(raw, {"x": "float"}, 0, np.arange(len(values))).encoder.columns
    assert isinstance(found, NumberColumn)
    return found


class TestOrigin:
    def test_is_the_middle_of_seconds_that_are_minutes_apart(self):
        assert column(AT.astype(float).tolist()).origin == np.rint(np.median(AT))

    def test_keeps_each_value_apart_gaps_left_gaps(self):
        found = column([*AT.tolist(), np.nan])
        features = found.many([*AT.tolist(), None])
        assert len(np.unique(features[:-1])) == ROWS
        assert np.isnan(features[-1, 0])
        assert found.one(int(AT[3]))[0] == features[3, 0]

    @pytest.mark.parametrize(
        "values",
        [
            [float(one) for one in range(100)],
            [BEGUN + 86_400.0 * day for day in range(100)],
            [10.0**power for power in range(-3, 30)],
            [1e300 + step for step in range(50)],
        ],
    )
    def test_is_zero_where_it_would_tell_no_more_apart(self, values: list[float]):
        assert column(values).origin == 0.0


class TestModel:
    def test_learns_what_happens_within_minutes(self, built: Built):
        given = [
            one.result["y"] for one in Predictor.load(built[1]).predict_many(rows_of(built[0]))
        ]
        truth = [row["y"] for row in rows_of(built[0])]
        assert np.sqrt(np.mean(np.subtract(given, truth) ** 2)) < 1.0

    def test_answers_one_row_and_many_and_what_was_checked_alike(self, built: Built):
        predictor, rows = Predictor.load(built[1]), rows_of(built[0], 20)
        many = predictor.predict_many(rows)
        for row, one in zip(rows, many, strict=True):
            assert predictor.predict_one(row).result == one.result
            plain = predictor.encode_plain(row)
            assert plain is not None
            assert predictor.predictions(predictor.answer_encoded([plain]))[0].result == one.result
        [batch] = parquet.read_table(built[0]).slice(0, 20).to_batches()
        [(_, scored)] = Scorer(predictor).score(batch, 0)
        assert scored.to_pylist() == [one.result["y"] for one in many]

    def test_has_a_format_that_older_clients_refuse(self, built: Built):
        assert Predictor.load(built[1]).manifest["format"] == WITH_ORIGINS


def test_large_numbers_of_no_consequence_leave_the_format(write: Write, tmp_path: Path):
    maker = np.random.default_rng(1)
    x = maker.normal(size=ROWS)
    path = write(x=x, amount=maker.integers(0, 10**9, ROWS), y=x + maker.normal(size=ROWS) / 9)
    build(path, tmp_path / "model", max_iterations=1)
    assert Predictor.load(tmp_path / "model").manifest["format"] < WITH_ORIGINS


@pytest.mark.parametrize("origin", ["1", None, 1e300, float("nan")])
def test_an_origin_that_is_none_is_refused(origin: Any):
    told = {"kind": "number", "name": "x", "type": "float", "gaps": False, "origin": origin}
    with pytest.raises(ValueError, match="origin of 'x'"):
        encoder_of({"columns": [told], "durations": []}, {})
