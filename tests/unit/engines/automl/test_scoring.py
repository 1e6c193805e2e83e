"""Scoring of Arrow batches: the numbers of `predict_many`, and refusals that name the row."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from tests.unit.engines.automl.conftest import Built, rows_of

from modelwright.engines.automl.scoring import RowTypeError, Scorer
from modelwright_runtime.predictor import Predictor


def batch_of(path: Path, **replaced: Any) -> pa.RecordBatch:
    table = parquet.read_table(path)
    for name, values in replaced.items():
        table = table.set_column(table.schema.get_field_index(name), name, pa.array(values))
    return table.combine_chunks().to_batches()[0]


class TestScore:
    def test_gives_the_numbers_of_predict_many(self, built: Built):
        path, folder, _ = built
        predictor = Predictor.load(folder)
        rows = rows_of(path, 600)
        answers = predictor.predict_many(rows)
        scorer = Scorer(predictor, ("probabilities", "interval"))
        added = dict(scorer.score(batch_of(path), 0))
        assert added.pop("prediction").to_pylist() == [one.result["y"] for one in answers]
        if predictor.classes:
            expected = np.array([one.probabilities for one in answers]).T
            assert list(added) == [f"probability_{one}" for one in predictor.classes]
        else:
            ends = [predictor.interval(one) for one in answers]
            expected = np.array([[end[side] for end in ends if end] for side in ("low", "high")])
            assert list(added) == ["interval_low", "interval_high"]
        found = np.array([values.to_numpy() for values in added.values()])
        np.testing.assert_array_equal(found, expected)

    def test_explains_as_explain_does(self, built: Built):
        path, folder, _ = built
        predictor = Predictor.load(folder)
        row = rows_of(path, 3)[2]
        told = predictor.explain(row, predictor.predict_one(row))
        added = dict(Scorer(predictor, ("explanation",)).score(batch_of(path).slice(0, 3), 0))
        assert added["explanation_base"][2].as_py() == pytest.approx(told["base"], abs=1e-9)
        for name, value in told["contributions"].items():
            assert added[f"contribution_{name}"][2].as_py() == pytest.approx(value, abs=1e-9)

    def test_reads_values_that_spell_the_type(self, built: Built):
        path, folder, _ = built
        plain = batch_of(path)
        spelt = batch_of(
            path,
            count=[f" {one}" for one in plain["count"].to_pylist()],
            member=[str(one) for one in plain["member"].to_pylist()],
            opened=[one.isoformat() for one in plain["opened"].to_pylist()],
            place=plain["place"].dictionary_encode(),
        )
        scorer = Scorer(Predictor.load(folder), ("probabilities",))
        assert scorer.score(spelt, 0) == scorer.score(plain, 0)


class TestMisfits:
    @pytest.mark.parametrize(
        ("column", "value", "says"),
        [
            ("count", "many", "an integer, not a string"),
            ("count", 2.5, "an integer, not the number 2.5"),
            ("count", None, "required"),
            ("member", 1, "true or false"),
            ("size", "wide", "a number, not a string"),
            ("size", "$5.50", "name the type float of this column in types"),
            ("opened", "soon", "a date or date-time"),
            ("opened", 5, "a date or date-time"),
        ],
    )
    def test_names_the_row_and_the_column(self, built: Built, column: str, value: Any, says: str):
        path, folder, _ = built
        values = batch_of(path)[column].to_pylist()
        if isinstance(value, str):
            values = [None if one is None else str(one) for one in values]
        elif value is not None:
            values = [value] * 600
        values[7] = value
        first = 1007 if isinstance(value, str) or value is None else 1000
        wrong = batch_of(path, **{column: values})
        with pytest.raises(
            RowTypeError, match=rf"row {first} \(counted from 0\): `{column}`.*{says}"
        ):
            Scorer(Predictor.load(folder)).score(wrong, 1000)

    def test_names_a_missing_column(self, built: Built):
        path, folder, _ = built
        table = pa.Table.from_batches([batch_of(path)]).drop_columns(["place"])
        with pytest.raises(RowTypeError, match="column `place` is missing"):
            Scorer(Predictor.load(folder)).score(table.combine_chunks().to_batches()[0], 0)

    def test_takes_gaps_where_training_had_them_also_as_nan(self, built: Built):
        path, folder, _ = built
        sizes = batch_of(path)["size"].to_pylist()
        assert None in sizes
        as_nan = [float("nan") if one is None else one for one in sizes]
        scorer = Scorer(Predictor.load(folder))
        assert scorer.score(batch_of(path, size=as_nan), 0) == scorer.score(batch_of(path), 0)

    def test_takes_infinities_as_training_does(self, built: Built):
        path, folder, _ = built
        endless, largest = (
            batch_of(path, size=[None, one, -one, *[0.5] * 597]) for one in (np.inf, 3.0e38)
        )
        scorer = Scorer(Predictor.load(folder), ("probabilities", "interval", "explanation"))
        assert scorer.score(endless, 0) == scorer.score(largest, 0)
