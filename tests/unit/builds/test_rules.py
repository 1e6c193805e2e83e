from contextlib import nullcontext
from dataclasses import fields, replace
from typing import Any

import pytest

from modelwright.builds.domain import (
    repeat_request,
    row_type_fault,
    units_in,
    wrong_column,
    wrong_type,
)
from modelwright.engines.automl.planning.inherited_options import refuse_other_class
from modelwright.engines.automl.planning.plan import BuildOptions, PlanError
from modelwright.models.domain import BuildRequest, ModelVersionInfo
from modelwright.uploads.domain import FileColumn, TableFile

BEFORE = BuildRequest(
    "Predict churn",
    "upload_1",
    dataset_name="leavers",
    output_schema={"churn": "string"},
    input_schema={"age": "integer"},
    metric="f1",
)
KEPT = {
    "target": "churn", "task": "binary", "features": ["age"],
    "types": {"age": "integer", "churn": "string"},
}  # fmt: skip


def version(request: BuildRequest, plan: dict[str, Any] | None) -> ModelVersionInfo:
    nothing: Any = None
    told = dict.fromkeys((one.name for one in fields(ModelVersionInfo)), nothing)
    return ModelVersionInfo(**{**told, "request": request, "plan": plan})


class TestWishAgain:
    def test_keeps_what_is_not_given(self) -> None:
        changes = {"intent": None, "metric": None}
        again = repeat_request(version(BEFORE, None), changes)
        assert again == replace(BEFORE, inherited=["metric"])

    def test_takes_what_is_given(self) -> None:
        again = repeat_request(version(BEFORE, None), {"intent": "Predict age", "metric": "mae"})
        assert (again.intent, again.metric, again.upload_id) == ("Predict age", "mae", "upload_1")
        assert again.output_schema == {"churn": "string"}

    def test_a_target_named_anew_takes_the_older_output_schema_away(self) -> None:
        again = repeat_request(version(BEFORE, None), {"target": "age"})
        assert (again.target, again.output_schema) == ("age", None)
        back = repeat_request(version(again, None), {"output_schema": {"churn": "string"}})
        assert (back.target, back.output_schema) == (None, {"churn": "string"})

    @pytest.mark.parametrize(
        ("changes", "kept"),
        [
            ({"metric": "f1"}, KEPT),
            ({"task": "multiclass"}, KEPT),
            ({"intent": "Predict age"}, None),
            ({"target": "age"}, None),
            ({"output_schema": {"age": "integer"}}, None),
        ],
    )
    def test_keeps_target_and_task_unless_they_are_told_anew(
        self, changes: dict[str, Any], kept: dict[str, Any] | None
    ) -> None:
        before = version(BuildRequest("Predict churn", "u"), {**KEPT, "metric": "log_loss"})
        assert repeat_request(before, changes).before == kept

    def test_an_upload_of_no_dataset_is_of_none(self) -> None:
        again = repeat_request(version(BEFORE, None), {"upload_id": "u", "dataset_name": None})
        assert (again.upload_id, again.dataset_name) == ("u", None)


class TestWrongColumn:
    @pytest.mark.parametrize(
        ("wish", "field"),
        [
            ({"input_schema": {"age": "integer", "zip": "string"}}, "input_schema"),
            ({"output_schema": {"left": "string"}}, "output_schema"),
            ({"target": "left"}, "target"),
        ],
    )
    def test_is_named_with_its_member(self, wish: dict[str, Any], field: str) -> None:
        found = wrong_column(BuildRequest("x", "u", **wish), wish, ["age", "churn"], "dataset_id")
        assert found is not None
        assert found[0] == field
        assert "age, churn" in found[1]

    @pytest.mark.parametrize(
        ("said", "meant"),
        [("churned", "Churn"), ("CHURN", "Churn"), ("monthlycharges", "Monthly_Charges")],
    )
    def test_that_is_spelled_nearly_alike_is_asked_about(self, said: str, meant: str) -> None:
        columns = [*(f"c{at}" for at in range(50)), "Churn", "Monthly_Charges"]
        found = wrong_column(
            BuildRequest("x", "u", target=said), {"target": said}, columns, "dataset_id"
        )
        assert found is not None
        assert f"no column {said!r} (did you mean {meant!r}?)" in found[1]

    @pytest.mark.parametrize(
        ("wish", "field", "part"),
        [
            ({"input_schema": {"zip": "string"}}, "input_schema", "The version before was asked"),
            ({"target": "left"}, "target", "It is what the version before predicts"),
            ({"before": {"target": "left"}}, "upload_id", "It is what the version before predicts"),
        ],
    )
    def test_of_the_version_before_is_told_as_such(
        self, wish: dict[str, Any], field: str, part: str
    ) -> None:
        changes = {"metric": "f1", "target": None, "upload_id": "u"}
        found = wrong_column(BuildRequest("x", "u", **wish), changes, ["age", "churn"], "upload_id")
        assert found is not None
        assert found[0] == field
        assert f"the columns are age, churn. {part}" in found[1]

    def test_is_none_where_all_are_there(self) -> None:
        assert wrong_column(BEFORE, {}, ["age", "churn"], "upload_id") is None

    def test_two_columns_to_predict_contradict_each_other(self) -> None:
        wish: dict[str, Any] = {"target": "age", "output_schema": {"churn": "string"}}
        found = wrong_column(BuildRequest("x", "u", **wish), wish, ["age", "churn"], "dataset_id")
        assert found == (
            "output_schema",
            "says to predict 'churn', but target says 'age'; leave one of the two out.",
        )
        wish["target"] = "churn"
        assert (
            wrong_column(BuildRequest("x", "u", **wish), wish, ["age", "churn"], "dataset_id")
            is None
        )


class TestMisfit:
    @pytest.mark.parametrize(
        ("tables", "said"),
        [
            ({"a.csv": {"x": "integer"}}, None),
            ({"a.csv": {"x": "integer"}, "b.csv": {"x": "float"}}, None),
            ({"a.csv": {"x": "date", "y": "float"}, "b.csv": {"y": "float", "x": "date"}}, None),
            (
                {"a.csv": {"x": "date", "z": "date"}, "b.csv": {"X": "date", "z": "date"}},
                "a.csv and b.csv have different columns (a.csv lacks 'X'; b.csv lacks 'x')",
            ),
            ({"a.csv": {"x": "date", "y": "date"}, "b.csv": {"x": "date"}}, "(b.csv lacks 'y')"),
            ({"a.csv": {"x": "date"}, "b.csv": {"x": "string"}}, "'x' is date in a.csv"),
        ],
    )
    def test_says_why_tables_cannot_be_stacked(
        self, tables: dict[str, dict[str, str]], said: str | None
    ) -> None:
        why = row_type_fault(tables)
        assert why is None if said is None else said in (why or "")


class TestTypes:
    """What a schema says beside what files hold."""

    def test_that_files_do_not_agree_on_are_left_to_the_plan(self) -> None:
        request = BuildRequest("x", "u", input_schema={"a": "string"})
        given = {"input_schema": {"a": "string"}}
        several = {("a", "string"), ("a", "integer")}
        assert wrong_type(request, given, several) is None
        found = wrong_type(request, given, {("a", "integer")})
        assert found is not None
        assert "the data holds integer" in found[1]


class TestPositiveClass:
    @pytest.mark.parametrize(
        ("former", "positive", "same"),
        [
            (1, 1.0, True),
            (1.0, "1", True),
            (True, 1, True),
            (True, "true", True),
            ("yes", "Yes", True),
            (True, "yes", True),
            (0, False, True),
            ("go", "Go ", True),
            (1, 2, False),
            ("go", "stay", False),
            (True, "no", False),
            (1, 0, False),
            (1.5, 1, False),
        ],
    )
    def test_is_compared_by_what_it_means(self, former: Any, positive: Any, same: bool) -> None:
        options = BuildOptions(
            intent="", input_schema=None, output_schema=None, seconds=1.0, seed=0, metric=None,
            max_iterations=None, target=None, task=None, threshold=0.3,
            inherited=("threshold",), former_target="y", former_positive=former,
        )  # fmt: skip
        with nullcontext() if same else pytest.raises(PlanError, match="positive class"):
            refuse_other_class(options, "y", positive)


class TestUnitsOfInputs:
    @pytest.mark.parametrize(
        ("tables", "kept"),
        [
            ([{"price": "$", "rate": "%", "day": ""}], {"price": "$", "rate": "%"}),
            ([{"price": "$"}, {"price": "$"}], {"price": "$"}),
            ([{"price": "$"}, {"price": "EUR"}], {}),
            ([{"price": "$"}, {"price": ""}], {}),
            ([{"price": ""}], {}),
        ],
    )
    def test_are_kept_where_tables_agree(self, tables: list[dict[str, str]], kept: dict[str, str]):
        files = [
            TableFile(
                "t.csv",
                "key",
                1,
                tuple(FileColumn(name, "float", False, False, unit) for name, unit in one.items()),
                "csv",
                "object",
                1,
            )
            for one in tables
        ]
        assert units_in(files) == kept
