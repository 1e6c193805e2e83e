"""How a model is judged: naive rules, splits that a request asks for, weights and thresholds."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.unit.engines.automl.conftest import build, rows_of

from modelwright.engines.automl.planning import row_copies
from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.planning.plan import Plan, PlanError
from modelwright.engines.automl.planning.row_copies import drawn_one_by_one, row_numbers
from modelwright.engines.automl.reporting.model_report import _more_often_right, _of_fit
from modelwright.engines.automl.reporting.naive_baselines import naive_predictions
from modelwright.engines.automl.search.splits import holdout_mask, make_folds
from modelwright.engines.automl.search.training_data import read_training_data
from modelwright_runtime.predictor import Predictor

MAKER = np.random.default_rng(1)
DAYS = np.datetime64("2022-01-01") + np.arange(500)


def plan(path: Path, **options: Any) -> Plan:
    return make_plan([path], "", **{"target": "y", "seconds": 60.0, **options})


def measures(centre: Any) -> dict[str, Any]:
    """Measures what subjects have, row by row, with a little noise."""
    measured = centre + MAKER.normal(size=centre.shape) / 20
    return {f"f{at}": one for at, one in enumerate(measured.T)}


class TestNaiveRules:
    def test_are_the_row_before_the_last_one_learnt_from_and_a_season_before(self):
        y = np.tile(np.arange(7.0), 10)
        held = np.arange(63, 70)
        found = naive_predictions(y, np.arange(70.0), held)
        assert found["last_value"].tolist() == y[62:69].tolist()
        assert set(found["last_known"]) == {y[62]}
        assert found["season"].tolist() == y[held].tolist()

    def test_of_several_series_at_once_are_none(self):
        times = np.repeat(np.arange(20.0), 5)
        assert naive_predictions(MAKER.normal(size=100), times, np.arange(90, 100)) == {}

    def test_a_random_walk_is_not_predicted_better_than_by_its_last_value(
        self, write: Any, tmp_path: Path
    ):
        walk = 100 + np.random.default_rng(7).normal(size=500).cumsum()
        path = write(day=pa.array(DAYS), y=walk)
        result = build(path, tmp_path / "model", max_iterations=2)
        last = result.metrics["baseline"]["last_value"]
        steps = np.abs(np.diff(walk))
        assert last["mae"] == pytest.approx(steps[-83:].mean(), rel=0.1)
        assert result.metrics["better_than_baseline"] is False
        assert any("value of the row before" in one for one in result.report["warnings"])

    def test_of_classes_that_stay_as_they_were_are_set_beside_a_model(
        self, write: Any, tmp_path: Path
    ):
        maker = np.random.default_rng(8)
        state = np.cumsum(maker.random(500) < 0.06) % 2
        path = write(day=pa.array(DAYS), x=maker.normal(size=500), y=np.where(state, "up", "down"))
        result = build(path, tmp_path / "model", max_iterations=2, split={"by": "time"})
        assert result.metrics["baseline"]["last_value"]["accuracy"] > 0.85
        assert result.metrics["better_than_baseline"] is False
        (said,) = [one for one in result.report["warnings"] if "value of the row before" in one]
        assert "Columns of earlier values of the target" in said

    def test_of_a_rare_class_do_not_speak_against_a_model(self):
        naive = {"last_value": {"accuracy": 0.98}, "last_known": {"accuracy": 0.99}}
        assert _more_often_right(naive, 0.99, 0.985) == []
        assert _more_often_right({"last_value": {"accuracy": 0.95}}, 0.6, 0.7) == ["last_value"]

    @pytest.mark.parametrize("label", [False, True])
    def test_rows_in_time_that_are_held_out_at_random_are_warned_of(self, write: Any, label: bool):
        walk = np.random.default_rng(7).normal(size=500).cumsum()
        path = write(day=pa.array(DAYS), x=walk, y=np.where(walk > 0, "a", "b") if label else -walk)
        for split, is_said in (("random", True), ("time", False)):
            warnings = plan(path, split={"by": split}).warnings
            assert any("rows held out at random" in one for one in warnings) == is_said


class TestWarnings:
    def test_name_an_r2_below_zero_and_intervals_that_are_too_narrow(self):
        told = {"r2": -0.4, "interval": {"level": 0.9, "coverage": 0.55}}
        first, second = _of_fit(told)
        assert first.startswith("r2 is -0.4 on rows it never saw")
        assert "hold 55%" in second
        assert _of_fit({"r2": 0.4, "interval": {"level": 0.9, "coverage": 0.86}}) == []
        assert _of_fit({"r2": -1.15e-05}) == []

    def test_of_a_build_name_them_where_what_was_held_out_is_another_world(
        self, write: Any, tmp_path: Path
    ):
        level = np.where(np.arange(500) < 400, 0.0, 20.0)
        path = write(day=pa.array(DAYS), x=MAKER.normal(size=500), y=level + MAKER.normal(size=500))
        by_time = {"by": "time"}
        result = build(path, tmp_path / "m", max_iterations=1, all_folds=True, split=by_time)
        assert result.metrics["r2"] < 0
        said = " ".join(result.report["warnings"])
        assert f"r2 is {result.metrics['r2']:.3g} on rows it never saw" in said
        assert "take them for too narrow" in said

    def test_name_a_class_that_is_never_said_and_what_mends_it(self, write: Any, tmp_path: Path):
        rare = MAKER.random(2000) < 0.02
        path = write(x=MAKER.normal(size=2000), y=np.where(rare, "fraud", "fine"))
        result = build(path, tmp_path / "model", max_iterations=1)
        (said,) = [one for one in result.report["warnings"] if "ever called fraud" in one]
        assert "`threshold` or `costs`" in said


class TestThreshold:
    @pytest.fixture
    def path(self, write: Any) -> Path:
        x = MAKER.normal(size=1500)
        y = np.where(x + MAKER.normal(size=1500) > 1.8, "yes", "no")
        return write(x=x, y=y)

    def test_settles_from_which_probability_on_a_class_is_said(self, path: Path, tmp_path: Path):
        result = build(path, tmp_path / "model", max_iterations=1, threshold=0.1)
        assert result.metrics["threshold"] == pytest.approx(0.1)
        answers = Predictor.load(tmp_path / "model").predict_many(rows_of(path, 500))
        named = [one.result["y"] == "yes" for one in answers]
        assert named == [one.probabilities[1] > 0.1 for one in answers]
        assert 0 < sum(named) < 500

    def test_comes_from_what_wrong_answers_cost(self, path: Path, tmp_path: Path):
        costs = {"false_positive": 1.0, "false_negative": 9.0}
        result = build(path, tmp_path / "model", max_iterations=1, costs=costs)
        assert result.metrics["threshold"] == pytest.approx(0.1)
        table = result.metrics["confusion_matrix"]
        rows = sum(map(sum, table))
        assert result.metrics["cost_per_row"] == pytest.approx(
            (table[0][1] + 9 * table[1][0]) / rows
        )

    def test_is_refused_of_a_number_and_beside_costs(self, write: Any, path: Path):
        other = write("other", x=MAKER.normal(size=300), y=MAKER.normal(size=300))
        with pytest.raises(PlanError, match="regression task"):
            plan(other, threshold=0.3)
        with pytest.raises(PlanError, match="not both"):
            plan(path, threshold=0.3, costs={"false_positive": 1.0, "false_negative": 2.0})


class TestSplit:
    @pytest.fixture
    def path(self, write: Any) -> Path:
        match = np.repeat(np.arange(40), 12)
        centre = MAKER.normal(size=(40, 4))[match]
        return write(
            Match=[f"P{one:03d}" for one in match],
            **{
                f"f{at}": one
                for at, one in enumerate((centre + MAKER.normal(size=centre.shape) / 20).T)
            },
            part=np.where(np.arange(480) >= 400, "test", "train"),
            y=np.array(["well", "sick"])[MAKER.integers(0, 2, 40)][match],
        )

    def test_by_group_keeps_its_rows_on_one_side(self, path: Path):
        made = plan(path, split={"by": "group", "column": "Match"})
        assert made.split_by == "group"
        assert "Match" not in made.features
        training = read_training_data([path], made)
        held = holdout_mask(training.y, 0, None, training.groups)
        groups = np.asarray(training.groups)
        assert 0 < held.sum() < len(held)
        assert not set(groups[held]) & set(groups[~held])
        for train, valid in make_folds(training.y, 1, None, groups):
            assert not set(groups[train]) & set(groups[valid])

    def test_by_group_is_honest_of_noise(self, path: Path, tmp_path: Path):
        told = build(path, tmp_path / "random", max_iterations=1)
        asked = build(
            path, tmp_path / "group", max_iterations=1, split={"by": "group", "column": "Match"}
        )
        assert told.metrics["accuracy"] > 0.9
        assert asked.metrics["accuracy"] < 0.8

    def test_by_the_user_s_own_column_holds_out_what_it_marks(self, path: Path, tmp_path: Path):
        result = build(
            path, tmp_path / "own", max_iterations=1, split={"by": "column", "column": "part"}
        )
        assert result.report["held_out_rows"] == 80
        assert "part" not in result.input_schema

    def test_by_time_holds_out_the_latest_rows_of_classes_too(self, write: Any, tmp_path: Path):
        path = write(day=pa.array(DAYS), x=MAKER.normal(size=500), y=["a", "b"] * 250)
        made = plan(path, split={"by": "time"})
        assert made.later_by == ("day",)
        assert build(path, tmp_path / "time", max_iterations=2, split={"by": "time"}).metrics

    def test_at_random_is_taken_though_rows_are_in_order(self, write: Any):
        path = write(day=pa.array(DAYS), y=MAKER.normal(size=500).cumsum())
        assert plan(path).later_by == ("day",)
        assert plan(path, split={"by": "random"}).later_by == ()

    @pytest.mark.parametrize(
        ("split", "said"),
        [
            ({"by": "group"}, "needs the `column`"),
            ({"by": "group", "column": "none"}, "no column `none`"),
            ({"by": "group", "column": "part"}, "has 2 groups"),
            ({"by": "group", "column": "y"}, "is what to predict"),
            ({"by": "column", "column": "Match"}, "Write `test` there"),
            ({"by": "time"}, "Name it as the `column`"),
        ],
    )
    def test_that_cannot_be_is_refused(self, path: Path, split: Any, said: str):
        with pytest.raises(PlanError, match=said) as refused:
            plan(path, split=split)
        assert refused.value.field == "split"


class TestSubjects:
    def test_are_found_by_the_data_whatever_they_are_called(self, write: Any):
        case = np.repeat(np.arange(40), 10)
        centre = MAKER.normal(size=(40, 3))[case]
        columns = {
            f"m{at}": one for at, one in enumerate((centre + MAKER.normal(size=centre.shape) / 9).T)
        }
        path = write(zyx=[f"k{one}" for one in case], **columns, y=centre.sum(axis=1))
        (said,) = [one for one in plan(path).warnings if "Rows with the same zyx" in one]
        assert '{"by": "group", "column": "zyx"}' in said

    def test_are_no_kinds_of_which_rows_differ(self, write: Any):
        kind = MAKER.integers(0, 30, 900)
        path = write(
            kind=[f"k{one}" for one in kind], a=MAKER.normal(size=900), b=MAKER.normal(size=900),
            y=MAKER.normal(size=30)[kind] * 3 + MAKER.normal(size=900) / 5,
        )  # fmt: skip
        assert not [one for one in plan(path).warnings if "Rows with the same" in one]


class TestDecisions:
    @pytest.mark.parametrize(
        "wish", [{"threshold": 0.3}, {"costs": {"false_positive": 3, "false_negative": 7}}]
    )
    def test_name_the_class_that_they_are_of(self, write: Any, wish: dict[str, Any]):
        path = write(x=MAKER.normal(size=300), y=["fine", "fraud", "fine"] * 100)
        [said] = [one for one in plan(path, **wish).reasons if "probability" in one]
        assert said.startswith("fraud, the positive class, is said from a probability of 0.3 on")


class TestCopies:
    def test_never_lie_on_both_sides_of_a_split(self, write: Any):
        x, z = MAKER.normal(size=(2, 300))
        y = x + MAKER.normal(size=300)
        path = write(x=np.tile(x, 3), z=np.tile(z, 3), y=np.tile(y, 3))
        made = plan(path)
        assert made.copies
        training = read_training_data([path], made)
        groups = np.asarray(training.groups)
        assert len(set(groups)) == 300
        held = holdout_mask(training.y, 0, None, groups)
        assert not set(groups[held]) & set(groups[~held])

    @pytest.mark.parametrize("classes", [False, True])
    @pytest.mark.parametrize(("rows", "times"), [(100, 10), (50, 20), (150, 6)])
    def test_do_not_make_columns_tell_of_the_target(
        self, write: Any, rows: int, times: int, classes: bool
    ):
        maker = np.random.default_rng(rows)
        x, z, noise = maker.normal(size=(3, rows))
        y = np.where(noise > 0, "a", "b") if classes else noise
        columns = {"x": x, "z": z, "y": y}
        path = write(**{name: np.tile(one, times) for name, one in columns.items()})
        made = plan(path)
        assert made.features == ("x", "z")
        assert not [one for one in made.warnings if "alone tells" in one]

    def test_hide_no_column_that_was_written_from_the_target(self, write: Any):
        maker = np.random.default_rng(6)
        x, y = maker.normal(size=300), maker.choice(["a", "b"], 300)
        columns = {"x": x, "after": np.where(y == "a", 3.5, 9.25), "y": y}
        made = plan(write(**{name: np.tile(one, 5) for name, one in columns.items()}))
        assert made.features == ("x",)

    @pytest.mark.parametrize(
        "as_often", ["three times", "up to four times", "once with its number"]
    )
    def test_of_rows_of_digits_lie_on_one_side_too(self, write: Any, tmp_path: Path, as_often: str):
        maker = np.random.default_rng(5)
        times = {"three times": 3, "once with its number": 2}.get(as_often)
        rows = np.repeat(np.arange(400), times or maker.integers(1, 5, 400))
        rows = maker.permutation(rows)
        digits = maker.integers(0, 10, (400, 3))[rows]
        columns = {f"d{at}": one for at, one in enumerate(digits.T)}
        noise = np.where(maker.random(400) < 0.5, "yes", "no")[rows]
        number = {"row_id": np.arange(len(rows))} if as_often == "once with its number" else {}
        path = write(**number, **columns, y=noise)
        made = plan(path)
        assert any("rows are the same as an earlier one" in one for one in made.warnings)
        training = read_training_data([path], made)
        groups = np.asarray(training.groups)
        held = holdout_mask(training.y, 0, None, groups)
        assert not set(groups[held]) & set(groups[~held])
        result = build(path, tmp_path / "model", max_iterations=1)
        assert result.metrics["accuracy"] < 0.6

    def test_of_dense_rows_are_told_from_what_few_values_make_alike(self, write: Any):
        maker = np.random.default_rng(6)
        a, b = maker.integers(0, 3, (2, 2000))
        y = np.where(a + maker.normal(size=2000) > 1, "yes", "no")
        assert not plan(write("once", a=a, b=b, y=y)).copies
        twice = write("twice", a=np.tile(a, 2), b=np.tile(b, 2), y=np.tile(y, 2))
        made = plan(twice)
        assert (made.copies, made.repetitions) == (True, 2)
        groups = np.asarray(read_training_data([twice], made).groups)
        assert np.bincount(groups).tolist() == [2] * 2000

    @pytest.mark.parametrize("seed", range(5))
    def test_are_not_seen_in_rows_drawn_one_by_one(self, seed: int):
        maker = np.random.default_rng(seed)
        for share in (maker.dirichlet(np.full(900, 0.3)), np.full(700, 1 / 700)):
            drawn = maker.choice(len(share), 1500, p=share)
            assert drawn_one_by_one(np.unique(drawn, return_counts=True)[1])

    def test_of_a_table_too_large_to_compare_are_found_wherever_they_lie(
        self, write: Any, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(row_copies, "MAX_CELLS_COMPARED", 3000)
        x = MAKER.normal(size=3000)
        y = x + MAKER.normal(size=3000)
        made = plan(write(x=np.tile(x, 2), y=np.tile(y, 2)))
        assert made.copies

    def test_are_numbered_alike(self):
        table = pa.table({"a": [1, 1, None, None, 1], "b": ["x", "x", "x", "x", "y"]})
        first, second, third, fourth, fifth = row_numbers(table)
        assert first == second
        assert third == fourth
        assert len({first, third, fifth}) == 3


class TestSampleWeight:
    def test_counts_rows_as_it_says(self, write: Any, tmp_path: Path):
        x = MAKER.normal(size=1200)
        first = np.arange(1200) % 2 == 0
        y = np.where(first, 10.0, 0.0) + x + MAKER.normal(size=1200) / 5
        path = write(x=x, w=np.where(first, 1.0, 0.0), y=y)
        result = build(path, tmp_path / "model", max_iterations=2, sample_weight="w")
        assert "w" not in result.input_schema
        answers = Predictor.load(tmp_path / "model").predict_many([{"x": 0.0}, {"x": 1.0}])
        assert answers[0].result["y"] == pytest.approx(10.0, abs=1.0)
        assert result.metrics["weighted"]["rmse"] < 1.5

    @pytest.mark.parametrize("label", [False, True])
    @pytest.mark.parametrize("counts", ["held out", "learnt from"])
    @pytest.mark.parametrize("split", ["column", "time"])
    def test_of_one_side_alone_is_refused_by_the_plan(
        self, write: Any, split: str, counts: str, label: bool
    ):
        late = np.arange(300) >= 250
        x = MAKER.normal(size=300)
        path = write(
            x=x, t=np.arange(300) // 50, part=np.where(late, "test", "train"),
            w=np.where(late == (counts == "held out"), 1.0, np.nan if label else 0.0),
            y=np.where(x > 0, "a", "b") if label else x,
        )  # fmt: skip
        wish = {"by": split, "column": {"column": "part", "time": "t"}[split]}
        other = {"held out": "learnt from", "learnt from": "held out"}[counts]
        with pytest.raises(PlanError, match=f"No row counts of those that are {other}") as refused:
            plan(path, split=wish, sample_weight="w")
        assert refused.value.field == "sample_weight"

    @pytest.mark.parametrize("many", [1, 2])
    def test_of_too_few_rows_is_refused_by_a_sentence(self, write: Any, tmp_path: Path, many: int):
        x = MAKER.normal(size=300)
        y = x + MAKER.normal(size=300)
        path = write(x=x, w=np.where(np.arange(300) < many, 1.0, 0.0), y=y)
        with pytest.raises(
            PlanError, match=r"No row counts of those|Too few rows count"
        ) as refused:
            build(path, tmp_path / "model", max_iterations=1, sample_weight="w")
        assert refused.value.field == "sample_weight"

    @pytest.mark.parametrize("split", [{"by": "time", "column": "t"}, {"by": "random"}])
    def test_of_the_latest_rows_alone_leaves_out_folds_that_do_not_count(
        self, write: Any, tmp_path: Path, split: dict[str, str]
    ):
        x = MAKER.normal(size=400)
        at = np.arange(400)
        path = write(x=x, t=at // 5, w=np.where(at >= 300, 1.0, 0.0), y=x + MAKER.normal(size=400))
        result = build(path, tmp_path / "model", max_iterations=3, sample_weight="w", split=split)
        assert result.metrics["weighted"]["rmse"] < 2.0

    def test_of_no_number_or_below_zero_is_refused(self, write: Any):
        x = MAKER.normal(size=100)
        path = write(x=x, w=x, label=[f"n{one}" for one in range(100)], y=x * 2)
        for name in ("w", "label"):
            with pytest.raises(PlanError, match="not negative") as refused:
                plan(path, sample_weight=name)
            assert refused.value.field == "sample_weight"


def test_what_a_plan_says_comes_back_from_json(write: Any):
    path = write(x=MAKER.normal(size=400), y=["a", "b"] * 200)
    made = plan(path, threshold=0.3, split={"by": "random"})
    assert Plan.from_json(made.to_json()) == made
