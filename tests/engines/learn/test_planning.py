"""The plan: what is planted is found and said, and real tables raise no false alarm."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from modelwright.engines.learn.plan import Plan, Unplannable, make_plan

Write = Callable[..., Path]
MAKER = np.random.default_rng(0)
N = 500
X = MAKER.normal(size=N)
Y = np.where(X + MAKER.normal(size=N) > 0, "yes", "no")


def plan(path: Path, **wishes: Any) -> Plan:
    return make_plan([path], wishes.pop("intent", ""), seconds=10, **{"target": "y", **wishes})


def left_out(path: Path, **wishes: Any) -> dict[str, str]:
    return {one.column: one.reason for one in plan(path, **wishes).left_out}


class TestLeavesOut:
    def test_an_identifier_by_its_name(self, write: Write):
        found = left_out(write(x=X, customer_id=MAKER.permutation(N * 7)[:N], y=Y))
        assert found == {"customer_id": "it identifies rows"}

    def test_a_column_that_counts_the_rows(self, write: Write):
        assert "line" in left_out(write(x=X, line=np.arange(N) + 5, y=Y))

    def test_strings_that_are_all_different(self, write: Write):
        assert "code" in left_out(write(x=X, code=[f"A{i:05}" for i in range(N)], y=Y))

    def test_a_constant_and_an_empty_column(self, write: Write):
        found = left_out(write(x=X, same=np.ones(N), empty=[None] * N, y=Y))
        assert found == {"same": "it has the same value in every row", "empty": "it is empty"}

    def test_the_second_of_two_equal_columns(self, write: Write):
        assert left_out(write(x=X, again=X, y=Y)) == {"again": "it is the same as x in every row"}

    def test_a_column_written_from_a_class(self, write: Write):
        assert "flag" in left_out(write(x=X, flag=(Y == "yes").astype(int), y=Y))

    def test_a_number_written_from_a_number(self, write: Write):
        value = X * 3 + MAKER.normal(size=N)
        assert "cents" in left_out(write(x=X, cents=value * 100, y=value), task="regression")

    def test_nothing_useful_of_the_real_tables(self, real: tuple[Path, dict[str, Any]]):
        path, told = real
        made = plan(path, target=told["target"], task=told["task"])
        assert made.left_out == ()
        assert not [one for one in made.warnings if "order" in one]


class TestReads:
    def test_wordy_strings_as_text_and_few_valued_ones_as_categories(self, write: Write):
        said = [f"we saw {a} and {b} there" for a, b in MAKER.integers(0, 99, (N, 2))]
        made = plan(write(said=said, kind=MAKER.choice(["a", "b"], N), x=X, y=Y))
        assert made.kinds == {"said": "text", "kind": "category", "x": "number"}

    def test_the_positive_class_of_yes_and_no(self, write: Write):
        assert plan(write(x=X, y=Y)).positive_class == "yes"

    def test_the_rarer_class_as_positive_otherwise(self, write: Write):
        rare = np.where(X > 1.2, "b", "a")
        assert plan(write(x=X, z=MAKER.normal(size=N), y=rare)).positive_class == "b"

    def test_target_and_task_from_the_words(self, write: Write):
        made = plan(write(x=X, churn=Y), target=None, intent="Predict churn")
        assert (made.target, made.task) == ("churn", "binary")


class TestWarns:
    def test_of_rows_in_time_order(self, write: Write):
        days = np.datetime64("2024-01-01") + np.arange(N)
        assert "in the order of day" in " ".join(plan(write(x=X, day=days, y=Y)).warnings)

    def test_of_missing_targets(self, write: Write):
        some = [None if i < 9 else one for i, one in enumerate(Y)]
        assert plan(write(x=X, y=some)).warnings[0].startswith("9 rows have no y")


class TestRefuses:
    @pytest.mark.parametrize(
        ("columns", "wishes", "part"),
        [
            ({"x": X, "y": np.ones(N)}, {}, "same value in every row"),
            ({"x": X[:5], "y": X[:5]}, {}, "at least 10"),
            ({"y": Y}, {}, "no column to learn from"),
            ({"x": np.ones(N), "y": Y}, {}, "no column to learn from"),
            ({"x": X, "y": Y}, {"target": "z"}, "no column `z`"),
            ({"x": X, "y": Y}, {"task": "regression"}, "needs a number"),
            ({"x": X, "y": X}, {"task": "binary"}, "needs two"),
            ({"x": X, "y": Y}, {"task": "guessing"}, "'guessing' is not one of"),
            ({"x": X, "y": Y}, {"metric": "rmse"}, "does not fit"),
            ({"x": X, "y": [f"n{i}" for i in range(N)]}, {}, "too many to be"),
            ({"x": X, "y": Y}, {"input_schema": {"q": "float"}}, "no column `q`"),
            ({"x": X, "y": Y}, {"input_schema": {"x": "string"}}, "table holds float"),
            ({"x": X, "y": Y}, {"input_schema": {"y": "string"}}, "can't be an input"),
        ],
    )
    def test_what_no_model_can_be_made_from(
        self, write: Write, columns: dict[str, Any], wishes: dict[str, Any], part: str
    ):
        with pytest.raises(Unplannable) as refused:
            plan(write(**columns), **wishes)
        assert part in refused.value.sentence

    def test_an_intent_that_fits_no_column_naming_candidates(self, write: Write):
        with pytest.raises(Unplannable) as refused:
            plan(write(x=X, churn=Y), target=None, intent="Predict the weather on Mars")
        assert "churn" in refused.value.candidates


class TestTravels:
    def test_as_json(self, write: Write):
        made = plan(write(x=X, same=np.ones(N), y=Y), metric="f1", max_iterations=3)
        assert Plan.from_json(made.to_json()) == made

    def test_restricted_to_the_input_schema(self, write: Write):
        path = write(x=X, z=MAKER.normal(size=N), y=Y)
        assert plan(path, input_schema={"z": "float"}).features == ("z",)
