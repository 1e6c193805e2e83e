"""What a retraining inherits and the new data does not fit any more, option by option."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import ModelSide

Worker = Callable[[], int]
Columns = dict[str, list[Any]]
ROWS = 160


def columns() -> Columns:
    """A table with a class, weights, groups, days and marks of rows to hold out."""
    return {
        "age": [row * 37 % 60 for row in range(ROWS)],
        "bill": [round(row * 53 % 97 / 7, 2) for row in range(ROWS)],
        "w": [1 + row % 3 for row in range(ROWS)],
        "site": [f"s{row * 7 % 20}" for row in range(ROWS)],
        "day": [f"2024-{1 + row // 28:02}-{1 + row % 28:02}" for row in range(ROWS)],
        "part": ["test" if row % 5 == 0 else "train" for row in range(ROWS)],
        "left": ["go" if row * 37 % 60 > 35 else "stay" for row in range(ROWS)],
    }


def csv(table: Columns) -> str:
    rows = zip(*table.values(), strict=True)
    return "\n".join([",".join(table), *(",".join(map(str, row)) for row in rows)]) + "\n"


def changed(**others: Any) -> Columns:
    """The table with other columns; None takes one away."""
    return {name: one for name, one in (columns() | others).items() if one is not None}


def of(*values: Any) -> list[Any]:
    """The values in turn, for all rows."""
    return [values[row % len(values)] for row in range(ROWS)]


COSTS = {"false_positive": 1, "false_negative": 3}
BY_SITE = {"split": {"by": "group", "column": "site"}}
BY_DAY = {"split": {"by": "time", "column": "day"}}
BY_PART = {"split": {"by": "column", "column": "part"}}
UNFIT: dict[str, tuple[dict[str, Any], Columns, str]] = {
    "weights are gone": ({"sample_weight": "w"}, changed(w=None), "no column `w`"),
    "weights are words": ({"sample_weight": "w"}, changed(w=of("low", "high")), "must be numbers"),
    "weights are negative": ({"sample_weight": "w"}, changed(w=of(1, -1)), "not negative"),
    "weights are 0": ({"sample_weight": "w"}, changed(w=of(0)), "No row counts"),
    "weights are 0 where there is a target": (
        {"sample_weight": "w"},
        changed(w=of(0, 0, 2), left=of("go", "stay", "", "stay", "go", "")),
        "No row counts",
    ),
    "groups are gone": (BY_SITE, changed(site=None), "no column `site`"),
    "groups are few": (BY_SITE, changed(site=of("a", "b", "c")), "has 3 groups"),
    "groups with a target are few": (
        BY_SITE,
        changed(
            site=[f"s{row // 16}" for row in range(ROWS)],
            left=[("go", "stay")[row % 2] if row < 64 else "" for row in range(ROWS)],
        ),
        "has 4 groups",
    ),
    "times are gone": (BY_DAY, changed(day=None), "no column `day`"),
    "times are no dates": (BY_DAY, changed(day=of("early", "late")), "no column of dates"),
    "times are all the same": (BY_DAY, changed(day=of("2024-01-01")), "no column of dates"),
    "marks are gone": (BY_PART, changed(part=None), "no column `part`"),
    "marks are other words": (BY_PART, changed(part=of("a", "b")), "Write `test` there"),
    "marks are of nearly all rows": (
        BY_PART, changed(part=["train", *of("test")[1:]]), "159 of 160"
    ),
    "threshold of two classes": ({"threshold": 0.3}, changed(left=of(*"abc")), "multiclass task"),
    "costs of two classes": ({"costs": COSTS}, changed(left=of(*"abc")), "multiclass task"),
    "threshold of another class": (
        {"threshold": 0.3}, changed(left=of("left", "there", "there")), "it is for left = go"
    ),
    "costs of another class": (
        {"costs": COSTS}, changed(left=of("left", "there", "there")), "it is for left = go"
    ),
    "a task of two classes": ({"task": "binary"}, changed(left=of(*"abc")), "has 3 values"),
}  # fmt: skip


@pytest.fixture
def first(api: TestClient, model_side: ModelSide, worker: Worker) -> Callable[..., None]:
    def built(**more: Any) -> None:
        wish = {"intent": "Predict left", "target": "left", "max_iterations": 1}
        body = {**wish, **more, "dataset_id": model_side.upload(csv(columns()))}
        answer = api.post("/models/m", json=body)
        assert answer.status_code == 200, answer.text
        worker()
        assert api.get("/models/m/v1.0/status").json()["status"] == "READY"

    return built


@pytest.mark.usefixtures("in_process_children")
class TestRetrain:
    @pytest.mark.parametrize("case", UNFIT)
    def test_goes_on_without_what_does_not_fit_and_says_so(
        self,
        api: TestClient,
        model_side: ModelSide,
        worker: Worker,
        first: Callable[..., None],
        case: str,
    ) -> None:
        options, table, why = UNFIT[case]
        first(**options)
        answer = api.post("/models/m/retrain", json={"upload_id": model_side.upload(csv(table))})
        assert answer.status_code == 200, answer.text
        worker()
        state = api.get("/models/m/v1.1/status").json()
        assert state["status"] == "READY", state["error"]
        plan = api.get("/models/m/v1.1/describe").json()["plan"]
        [said] = [one for one in plan["warnings"] if "left out now" in one]
        [field] = options
        assert f"`{field}`, which is left out now" in said
        assert why in said

    @pytest.mark.parametrize(
        ("given", "table", "field", "why"),
        [
            (
                {"input_schema": {"age": "integer"}},
                changed(age=of("young", "old")),
                "input_schema",
                "says 'age' is integer, but the data holds string; the version before was asked",
            ),
            (
                {"input_schema": {"age": "integer"}},
                changed(age=None),
                "input_schema",
                "there is no column 'age'",
            ),
            (
                {"target": None, "output_schema": {"left": "string"}},
                changed(left=of(1, 0)),
                "output_schema",
                "says 'left' is string, but the data holds integer; the version before was asked",
            ),
        ],
    )
    def test_refuses_at_once_what_is_predicted_or_learnt_from(
        self,
        api: TestClient,
        model_side: ModelSide,
        first: Callable[..., None],
        given: dict[str, Any],
        table: Columns,
        field: str,
        why: str,
    ) -> None:
        first(**given)
        answer = api.post("/models/m/retrain", json={"upload_id": model_side.upload(csv(table))})
        assert answer.status_code == 422
        error = answer.json()["error"]
        assert error["details"][0]["field"] == field
        assert why in error["message"]

    @pytest.mark.parametrize("case", [one for one in UNFIT if "another class" not in one])
    def test_refuses_the_same_where_it_is_given(
        self, api: TestClient, model_side: ModelSide, case: str
    ) -> None:
        options, table, _ = UNFIT[case]
        body = {"intent": "Predict left", "target": "left", **options}
        body["dataset_id"] = model_side.upload(csv(table))
        answer = api.post("/models/m/plan", json=body)
        assert answer.status_code == 422
        assert answer.json()["error"]["details"][0]["field"] in options
