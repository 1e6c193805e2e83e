"""Strings that write times of day or durations: learnt from and predicted as numbers."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet, table
from tests.unit.engines.automl.conftest import Built, Write, build, rows_of

from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright_runtime import WITH_TIMES
from modelwright_runtime.number_parsing import NumberFormat, form_of
from modelwright_runtime.predictor import Predictor

ROWS = 1200
MAKER = np.random.default_rng(3)
MINUTES = MAKER.integers(0, 24 * 60, ROWS)
SECONDS = MAKER.integers(60, 90_000, ROWS)
LOAD = np.sin(MINUTES / 240) * 5 + SECONDS / 9000 + MAKER.normal(size=ROWS) * 0.3


def clock(seconds: int) -> str:
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def columns() -> dict[str, Any]:
    return {
        "at": [f"{one // 60:02}:{one % 60:02}" for one in MINUTES],
        "took": [clock(one) for one in SECONDS],
        "load": LOAD,
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("times")
    path = folder / "times.parquet"
    parquet.write_table(table(columns()), path)
    return path, folder, build(path, folder, max_iterations=2, target="load")


class TestReading:
    @pytest.mark.parametrize(
        ("text", "hours"),
        [
            ("08:30", 8.5),
            ("8:30 PM", 20.5),
            ("12:15 a.m.", 0.25),
            (" 123:45 ", 123.75),
            ("-1:30", -1.5),
            ("01:30:36", 1.51),
            ("00:00:01.800", 0.0005),
            ("2 days 06:00:00", 54.0),
            ("1 day, 6:00:00", 30.0),
            ("-1 days +18:00:00", -6.0),
        ],
    )
    def test_gives_the_first_part_and_what_the_others_add(self, text: str, hours: float):
        form = form_of([text])
        assert form == ("1:30:00" if text.count(":") > 1 else "1:30")
        assert NumberFormat(form).read(text) == pytest.approx(hours)

    @pytest.mark.parametrize(
        "texts",
        [["3:2"], ["08:61"], ["13:00 PM"], ["0:30 am"], ["10:20:30:40"], ["1 day, 6:00"], ["a:30"]],
    )
    def test_refuses_what_is_no_time(self, texts: list[str]):
        assert form_of(texts) is None

    def test_does_not_guess_what_hours_and_minutes_are_beside_seconds(self):
        assert form_of(["4:13", "1:02:33"]) is None
        with pytest.raises(ValueError, match="no time"):
            NumberFormat("1:30").read("1:02:33")


class TestPlan:
    def test_reads_them_as_numbers_however_many_differ(self, built: Built):
        plan = make_plan([built[0]], "", target="load", seconds=60)
        assert plan.kinds == {"at": "1:30", "took": "1:30:00"}
        assert not plan.left_out
        assert "at, took: texts, read as the dates or numbers they write." in plan.reasons

    def test_predicts_them_as_numbers_and_says_of_which_unit(self, write: Write):
        plan = make_plan([write(**columns())], "predict took", seconds=60)
        assert (plan.task, plan.output_type) == ("regression", "float")
        assert "write times as in 1:30:00; those are predicted, as 1.5." in plan.reasons[0]


class TestModel:
    def test_answers_times_as_the_table_writes_them(self, built: Built):
        predictor = Predictor.load(built[1])
        rows = rows_of(built[0], ROWS)
        given = np.array([one.result["load"] for one in predictor.predict_many(rows)])
        assert np.sqrt(np.mean((given - LOAD) ** 2)) < 0.6 * LOAD.std()
        assert (
            predictor.predict_one(rows[0]).result == predictor.predict([rows[0]])[0]["prediction"]
        )
        assert predictor.manifest["format"] == WITH_TIMES

    def test_says_how_they_are_written(self, built: Built):
        predictor = Predictor.load(built[1])
        problem = predictor.check({"at": "half past", "took": "0:00:10"})
        assert problem is not None
        assert "`at` must be a string such as 1:30, as in the training data" in problem.message


def test_times_of_a_file_identify_no_rows(tmp_path: Path):
    path = tmp_path / "one.parquet"
    exact = [clock(int(one)) for one in MAKER.permutation(86_400)[:ROWS]]
    parquet.write_table(table({"exact": exact, "load": LOAD}), path)
    assert make_plan([path], "", target="load", seconds=60).features == ("exact",)
