"""Classes that case or blanks alone part: one class where they are words, said in the plan."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet, table
from tests.unit.engines.automl.conftest import build

from modelwright.engines.automl.monitoring.online_counts import Bins, Watch
from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.planning.plan import Plan
from modelwright_runtime.predictor import Predictor

Write = Callable[..., Path]
ROWS = 400
MAKER = np.random.default_rng(7)
X = MAKER.normal(size=ROWS)
LEFT = X + MAKER.normal(size=ROWS) / 3 > 0


def spelt(yes: list[str], no: list[str]) -> list[str]:
    """Spells the first of the classes in all these ways, the first of them most often."""
    return [
        names[max(0, at % 7 - 7 + len(names))]
        for at, names in enumerate(np.where(LEFT, "yes", "no").tolist())
        for names in [yes if names == "yes" else no]
    ]


def plan(path: Path, **wishes: Any) -> Plan:
    return make_plan([path], "", seconds=10, target="y", **wishes)


class TestPlan:
    @pytest.mark.parametrize(
        ("yes", "no", "read"),
        [
            (["Yes", "yes", " YES "], ["No", "no"], {"yes": "Yes", " YES ": "Yes", "no": "No"}),
            (["Y", "y"], ["N", "N "], {"y": "Y", "N ": "N"}),
            (["A", "A "], ["B"], {"A ": "A"}),
            (["very good", "Very  good"], ["bad"], {"Very  good": "very good"}),
        ],
    )
    def test_reads_spellings_as_the_commonest_one(
        self, write: Write, yes: list[str], no: list[str], read: dict[str, str]
    ):
        made = plan(write(x=X, y=spelt(yes, no)))
        assert (made.task, made.spellings) == ("binary", read)
        [said] = made.warnings
        other, first = min(read.items())
        assert f"called by its commonest spelling ({other!r} as {first!r}" in said

    @pytest.mark.parametrize(
        ("yes", "no"),
        [
            (["Yes", "Y", "yes"], ["No", "n"]),
            (["TRUE", "1"], ["0", "False"]),
            (["t", "Y"], ["n"]),
            (["ja", "Ja", "yes"], ["nein"]),
            (["VRAI"], ["FAUX", "non"]),
        ],
    )
    def test_reads_all_ways_to_say_yes_and_no(self, write: Write, yes: list[str], no: list[str]):
        made = plan(write(x=X, y=spelt(yes, no)))
        assert (made.task, made.positive_class) == ("binary", yes[0])
        assert made.spellings == dict.fromkeys(yes[1:], yes[0]) | dict.fromkeys(no[1:], no[0])

    @pytest.mark.parametrize("gap", ["N/A", "?", "NA", ".", "-", " ", "NULL"])
    def test_takes_words_that_say_nothing_for_gaps(self, write: Write, gap: str):
        made = plan(write(x=X, y=spelt(["left", gap], ["right"])))
        assert (made.task, made.spellings) == ("binary", {gap: ""})
        assert "rows have no y and are not learnt from" in made.warnings[0]
        assert repr(gap) in made.warnings[1]

    @pytest.mark.parametrize(
        ("yes", "no"),
        [
            (["+", "-"], ["0"]),
            (["EU", "NA"], ["SA"]),
            (["mild", "None"], ["bad"]),
            (["flu", "unknown"], ["cold"]),
            (["paid", "N/A"], ["N/A"]),
        ],
    )
    def test_keeps_words_that_may_be_classes(self, write: Write, yes: list[str], no: list[str]):
        assert plan(write(x=X, y=spelt(yes, no))).spellings == {}

    def test_leaves_short_values_that_case_may_tell_apart(self, write: Write):
        made = plan(write(x=X, y=spelt(["A", "a"], ["mW", "MW"])))
        assert (made.task, made.spellings) == ("multiclass", {})
        [said] = made.warnings
        assert "differ in case alone ('A' and 'a'; 'MW' and 'mW')" in said

    def test_says_nothing_of_values_that_differ(self, write: Write):
        made = plan(write(x=X, y=spelt(["yes"], ["no"])))
        assert (made.spellings, made.warnings) == ({}, ())


class TestBuild:
    @pytest.fixture(scope="class")
    @staticmethod
    def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
        folder = tmp_path_factory.mktemp("spelt")
        path = folder / "spelt.parquet"
        y = spelt(["Yes", "yes ", "YES"], ["No", "no"])
        parquet.write_table(table({"x": X, "y": y}), path)
        found = build(path, folder, max_iterations=1)
        assert found.dataset_size == ROWS
        assert found.metrics["accuracy"] > 0.8
        return folder

    def test_answers_by_the_commonest_spelling(self, folder: Path):
        predictor = Predictor.load(folder)
        answers = predictor.predict_many([{"x": -3.0}, {"x": 3.0}])
        assert [one.result for one in answers] == [{"y": "No"}, {"y": "Yes"}]
        assert list(predictor.classes) == ["No", "Yes"]

    def test_takes_truths_in_every_spelling(self, folder: Path):
        numbers = Watch.read(folder).numbers()
        assert numbers == {"No": 0, "no": 0, "Yes": 1, "yes ": 1, "YES": 1}


RED = ("red", "Red", " RED ")


@pytest.fixture(scope="module")
def predictor(tmp_path_factory: pytest.TempPathFactory) -> Predictor:
    folder = tmp_path_factory.mktemp("feature")
    names = [RED[at % 7 % 3] if right else "blue" for at, right in enumerate(X > 0)]
    units = ["mW" if at % 2 else "MW" for at in range(ROWS)]
    columns = {"colour": names, "unit": units, "y": np.where(LEFT, "go", "stay").tolist()}
    parquet.write_table(table(columns), folder / "t.parquet")
    build(folder / "t.parquet", folder / "model", all_folds=True)
    return Predictor.load(folder / "model")


class TestFeature:
    """Levels of a category that differ in case or blanks alone are one level."""

    def test_is_answered_alike_in_all_spellings(self, predictor: Predictor):
        rows = [{"colour": one, "unit": "mW"} for one in (*RED, "rED", "green")]
        probabilities = [one.probabilities.tolist() for one in predictor.predict_many(rows)]
        assert probabilities == [predictor.predict_one(row).probabilities.tolist() for row in rows]
        assert (
            probabilities[0]
            == probabilities[1]
            == probabilities[2]
            == probabilities[3]
            != probabilities[4]
        )

    def test_is_watched_alike_in_all_spellings(self):
        levels = {"red": 0.6, "mW": 0.4}
        bins = Bins.of({"kind": "category", "levels": levels, "other": 0, "missing": 0})
        assert bins.count([*RED, "mW", "MW", None]) == [3, 1, 1, 1]

    def test_has_its_commonest_spelling(self, predictor: Predictor):
        colour, unit = predictor.columns
        assert set(colour.levels) == {"red", "blue"}  # type: ignore[union-attr]
        assert set(unit.levels) == {"mW", "MW"}  # type: ignore[union-attr]


class TestSingles:
    """Classes that a single row has are left out: none can be learnt and checked."""

    @pytest.mark.parametrize("before", [None, {"target": "y", "task": "binary", "features": ["x"]}])
    @pytest.mark.parametrize(
        ("names", "slip"),
        [(["no", "yes"], "yse"), ([0, 1], 7), ([0.0, 1.0], 7.0), (["0", "1"], "")],
    )
    def test_leave_a_pair_a_pair(
        self, write: Write, before: dict[str, object] | None, names: list[object], slip: object
    ):
        y = [names[int(left)] for left in LEFT]
        y[17] = slip
        made = make_plan([write(x=X, y=y)], "Predict y", target="y", before=before, seconds=10)
        assert (made.task, made.spellings) == ("binary", {str(slip): ""})
        said = " ".join(made.warnings)
        if slip:
            assert f"a single row has ({str(slip)!r})" in said
            assert "no y and" not in said

    def test_are_neither_learnt_nor_answered(self, write: Write, tmp_path: Path):
        y = np.where(LEFT, 1, 0)
        y[17] = 7
        made = build(write(x=X, y=y.tolist()), tmp_path / "artifact", max_iterations=1)
        predictor = Predictor.load(tmp_path / "artifact")
        assert list(predictor.classes) == [0, 1]
        assert made.dataset_size == ROWS - 1
        assert Watch.read(tmp_path / "artifact").numbers() == {0: 0.0, 1: 1.0}

    def test_stay_where_several_classes_are_asked_for(self, write: Write):
        y = [*spelt(["yes"], ["no"])]
        y[17] = "yse"
        made = plan(write(x=X, y=y), task="multiclass")
        assert (made.task, made.spellings) == ("multiclass", {})

    def test_stay_where_they_are_many_or_hardly_another_is_left(self, write: Write):
        names = [f"n{at}" if at < 40 else "abc"[at % 3] for at in range(ROWS)]
        assert plan(write(x=X, y=names)).spellings == {}
        y = ["yes"] * ROWS
        y[17] = "no"
        made = plan(write(x=X, y=y))
        assert (made.task, made.spellings) == ("binary", {})
