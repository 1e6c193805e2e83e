from typing import Any

import pytest

from modelwright.builds.rules import misfit, unknown_columns, wish_again
from modelwright.models.rules import Wish

BEFORE = Wish(
    "Predict churn",
    "upload_1",
    output_schema={"churn": "string"},
    input_schema={"age": "integer"},
    metric="f1",
)


class TestWishAgain:
    def test_keeps_what_is_not_given(self) -> None:
        assert wish_again(BEFORE, {"intent": None, "metric": None}) == BEFORE

    def test_takes_what_is_given(self) -> None:
        again = wish_again(BEFORE, {"intent": "Predict age", "metric": "mae"})
        assert (again.intent, again.metric, again.upload_id) == ("Predict age", "mae", "upload_1")
        assert again.output_schema == {"churn": "string"}

    def test_a_target_named_anew_takes_the_older_output_schema_away(self) -> None:
        again = wish_again(BEFORE, {"target": "age"})
        assert (again.target, again.output_schema) == ("age", None)
        back = wish_again(again, {"output_schema": {"churn": "string"}})
        assert (back.target, back.output_schema) == (None, {"churn": "string"})


class TestUnknownColumns:
    @pytest.mark.parametrize(
        ("wish", "field"),
        [
            ({"input_schema": {"age": "integer", "zip": "string"}}, "input_schema"),
            ({"output_schema": {"left": "string"}}, "output_schema"),
            ({"target": "left"}, "target"),
        ],
    )
    def test_are_named_with_their_member(self, wish: dict[str, Any], field: str) -> None:
        found = unknown_columns(Wish("x", "u", **wish), ["age", "churn"])
        assert found is not None
        assert found[0] == field
        assert "age, churn" in found[1]

    def test_are_none_where_all_are_there(self) -> None:
        assert unknown_columns(BEFORE, ["age", "churn"]) is None


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
        why = misfit(tables)
        assert why is None if said is None else said in (why or "")
