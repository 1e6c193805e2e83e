"""Classes that case or blanks alone part: one class where they are words, said in the plan."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet, table
from tests.engines.learn.conftest import build

from modelwright.engines.learn.plan import Plan, make_plan
from modelwright.engines.learn.watching import Watch
from modelwright_client.predictor.predicting import Predictor

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


def plan(path: Path, **wishes: str) -> Plan:
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
        [(["Yes", "Y", "yes"], ["No", "n"]), (["TRUE", "1"], ["0", "False"]), (["t", "Y"], ["n"])],
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
