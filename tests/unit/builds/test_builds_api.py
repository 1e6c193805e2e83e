import tomllib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.api_helpers import error_of
from tests.factories import CHURN, ModelSide

from modelwright.core.config.settings import Settings
from modelwright.engines.language.rules.intents.unsupported import unsupported_wish
from modelwright.usage.domain import Kind
from modelwright.usage.service import Usage

pytestmark = pytest.mark.usefixtures("in_process_children")
ROWS = range(200)
DAY = [f"2024-{1 + i // 28:02}-{1 + i % 28:02}" for i in ROWS]
LEFT = ["yes" if i * 7 % 5 < 2 else "no" for i in ROWS]
NOW = "2026-03-02T12:00:00Z"


@pytest.fixture
def churn(model_side: ModelSide) -> str:
    return model_side.upload(CHURN)


class TestCreate:
    def test_answers_with_a_waiting_job(self, api: TestClient, churn: str) -> None:
        answer = api.post("/models/churn", json={"intent": "Predict churn", "dataset_id": churn})
        body = answer.json()
        job_id = body.pop("job_id")
        assert body == {
            "status": "PENDING",
            "model_name": "churn",
            "model_version": "v1.0",
            "created_at": NOW,
        }
        job = api.get(f"/jobs/{job_id}").json()
        assert (job["kind"], job["status"], job["model_name"]) == ("build", "PENDING", "churn")

    def test_keeps_all_that_was_said(self, api: TestClient, churn: str) -> None:
        said = {
            "name": "Leavers",
            "description": "Who leaves",
            "tags": ["crm"],
            "input_schema": {"age": "integer"},
            "output_schema": {"churn": "boolean"},
        }
        api.post("/models/m", json={"intent": "Predict churn", "dataset_id": churn, **said, "z": 1})
        model = api.get("/models/m").json()
        assert {member: model[member] for member in said} == said

    def test_takes_a_dataset_by_name_and_by_label(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        first = model_side.upload(CHURN, name="leavers")
        second = model_side.upload(CHURN, name="leavers")
        for name, dataset_id, upload_id in (
            ("a", "leavers", second),
            ("b", "leavers@v1.0", first),
            ("c", first, first),
        ):
            body = {"intent": "Predict churn", "dataset_id": dataset_id}
            assert api.post(f"/models/{name}", json=body).status_code == 200
            assert api.get(f"/models/{name}").json()["dataset_id"] == upload_id

    def test_keeps_the_dataset_from_deletion(self, api: TestClient, churn: str) -> None:
        api.post("/models/m", json={"intent": "Predict churn", "dataset_id": churn})
        answer = api.delete(f"/uploads/{churn}")
        assert answer.status_code == 409
        assert "m" in error_of(answer)["message"]
        users = api.get(f"/uploads/{churn}").json()["models_using_this"]
        assert [(user["model_name"], user["version"]) for user in users] == [("m", "v1.0")]

    def test_refuses_a_taken_name(
        self, api: TestClient, other_account_client: TestClient, churn: str
    ) -> None:
        body = {"intent": "Predict churn", "dataset_id": churn}
        api.post("/models/churn", json=body)
        answer = api.post("/models/churn", json=body)
        assert answer.status_code == 409
        assert error_of(answer)["code"] == "conflict"
        assert "churn" in error_of(answer)["message"]
        assert error_of(other_account_client.post("/models/churn", json=body))["status"] == 404

    def test_gives_a_name_to_one_of_many_at_once(
        self, api: TestClient, model_side: ModelSide, churn: str
    ) -> None:
        body = {"intent": "Predict churn", "dataset_id": churn}
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda _: api.post("/models/m", json=body), range(8)))
        assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
        assert api.get("/jobs?kind=build").json()["pagination"]["total"] == 1
        assert api.get("/models/m/versions").json()["pagination"]["total"] == 1

    @pytest.mark.parametrize("field", ["intent", "dataset_id"])
    def test_needs_intent_and_dataset(self, api: TestClient, churn: str, field: str) -> None:
        body = {"intent": "Predict churn", "dataset_id": churn}
        del body[field]
        answer = api.post("/models/m", json=body)
        assert answer.status_code == 400
        assert error_of(answer)["code"] == "invalid_request"
        assert field in error_of(answer)["message"]

    @pytest.mark.parametrize(
        ("member", "value"),
        [
            ("intent", 5),
            ("intent", "  "),
            ("intent", None),
            ("intent", "x" * 2001),
            ("intent", "a\u0000"),
            ("dataset_id", ["x"]),
            ("name", ""),
            ("name", 5),
            ("description", {}),
            ("tags", "crm"),
            ("tags", [5]),
            ("input_schema", []),
            ("input_schema", {}),
            ("input_schema", {"age": "number"}),
            ("input_schema", {"zip": "string"}),
            ("output_schema", {"churn": "text"}),
            ("output_schema", {"churn": "string", "age": "integer"}),
            ("output_schema", {}),
            ("output_schema", {"leaves": "string"}),
            ("target", "leaves"),
            ("target", 5),
            ("task", "clustering"),
            ("metric", "accurracy"),
            ("max_iterations", 0),
            ("max_iterations", "5"),
            ("max_iterations", True),
            ("max_iterations", 1.5),
        ],
    )
    def test_refuses_wrong_members(
        self, api: TestClient, churn: str, member: str, value: Any
    ) -> None:
        body = {"intent": "Predict churn", "dataset_id": churn, member: value}
        answer = api.post("/models/m", json=body)
        assert answer.status_code == 422
        assert error_of(answer)["code"] == "validation_error"
        assert member in error_of(answer)["message"]
        assert api.get("/models/m").status_code == 404

    @pytest.mark.parametrize("name", ["build-logs", "-x", "a b", "x" * 101, "é"])
    def test_refuses_a_bad_name(self, api: TestClient, churn: str, name: str) -> None:
        answer = api.post(f"/models/{name}", json={"intent": "Predict churn", "dataset_id": churn})
        assert answer.status_code == 422
        assert "model_name" in error_of(answer)["message"]

    @pytest.mark.parametrize("dataset_id", ["nothing", "upload_1", "", "leavers@v9.9"])
    def test_names_a_dataset_that_is_not_there(self, api: TestClient, dataset_id: str) -> None:
        body = {"intent": "Predict churn", "dataset_id": dataset_id}
        answer = api.post("/models/m", json=body)
        assert answer.status_code == 404
        assert "dataset_id" in error_of(answer)["message"]

    def test_refuses_a_dataset_that_is_not_complete(self, api: TestClient) -> None:
        declared = {"files": [{"filename": "a.csv", "content_type": "text/csv"}]}
        upload_id = api.post("/data/upload", json=declared).json()["upload_id"]
        answer = api.post("/models/m", json={"intent": "x", "dataset_id": upload_id})
        assert answer.status_code == 409


@pytest.mark.usefixtures("no_usage_flush")
class TestCredits:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"enforce_credits": True})

    def test_used_up_refuse_new_builds(
        self, api: TestClient, model_side: ModelSide, churn: str
    ) -> None:
        body = {"intent": "Predict churn", "dataset_id": churn}
        assert api.post("/models/a", json=body).status_code == 200
        model_side.container.service(Usage).record(model_side.account_id, Kind.BUILD_MINUTES, 1000)
        for path in ("/models/b", "/models/a/retrain", "/models/a/versions"):
            answer = api.post(path, json=body)
            assert answer.status_code == 403
            assert error_of(answer)["code"] == "forbidden"


class TestRetrain:
    def test_raises_the_minor_number(
        self, api: TestClient, model_side: ModelSide, churn: str
    ) -> None:
        model_side.ready("m")
        body = api.post("/models/m/retrain").json()
        assert api.get(f"/jobs/{body.pop('job_id')}").json()["status"] == "PENDING"
        assert body == {
            "status": "PENDING",
            "model_name": "m",
            "new_version": "v1.1",
            "created_at": NOW,
        }
        assert api.post("/models/m/retrain", json={}).json()["new_version"] == "v1.2"
        api.post("/models/m/versions", json={"dataset_id": churn})
        assert api.post("/models/m/retrain", json={}).json()["new_version"] == "v2.1"
        versions = api.get("/models/m/versions").json()["versions"]
        assert [version["version"] for version in versions] == [5, 4, 3, 2, 1]

    def test_takes_the_newest_version_of_the_dataset(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        first = model_side.upload(CHURN, name="leavers")
        api.post("/models/m", json={"intent": "Predict churn", "dataset_id": "leavers"})
        second = model_side.upload(CHURN, name="leavers")
        api.post("/models/m/retrain")
        assert api.get("/models/m").json()["dataset_id"] == second
        api.post("/models/m/retrain", json={"upload_id": first})
        assert api.get("/models/m").json()["dataset_id"] == first

    def test_takes_the_same_upload_where_it_has_no_name(
        self, api: TestClient, model_side: ModelSide, churn: str
    ) -> None:
        model_side.upload(CHURN)
        api.post("/models/m", json={"intent": "Predict churn", "dataset_id": churn})
        api.post("/models/m/retrain")
        assert api.get("/models/m").json()["dataset_id"] == churn

    def test_replaces_the_intent_by_the_goal(self, api: TestClient, model_side: ModelSide) -> None:
        model_side.draft("m")
        api.post("/models/m/retrain", json={"goal": "Predict age"})
        assert api.get("/models/m").json()["intent"] == "Predict age"

    @pytest.mark.parametrize(
        ("path", "source"), [("retrain", "upload_id"), ("versions", "dataset_id")]
    )
    def test_refuses_data_without_what_it_predicts(
        self, api: TestClient, model_side: ModelSide, path: str, source: str
    ) -> None:
        model_side.ready("m")
        renamed = model_side.upload(CHURN.replace("churn", "left"))
        answer = api.post(f"/models/m/{path}", json={source: renamed})
        assert answer.status_code == 422
        [detail] = error_of(answer)["details"]
        assert detail["field"] == source
        assert "no column 'churn'; the columns are plan, age, left" in detail["message"]
        assert len(api.get("/models/m/versions").json()["versions"]) == 1
        anew = {source: renamed, "target": "left"}
        assert api.post(f"/models/m/{path}", json=anew).status_code == 200

    def test_leaves_a_ready_version_in_service(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        model_side.ready("m")
        api.post("/models/m/retrain")
        model = api.get("/models/m").json()
        assert (model["status"], model["model_version"]) == ("READY", "v1.0")
        assert api.get("/models/m/v1.1/status").json()["status"] == "DRAFT"

    @pytest.mark.parametrize(
        ("body", "status", "field"),
        [
            ({"upload_id": "nothing"}, 404, "upload_id"),
            ({"upload_id": 5}, 422, "upload_id"),
            ({"goal": ""}, 422, "goal"),
            ({"metric": "speed"}, 422, "metric"),
            ({"metric": "rmse"}, 422, "'rmse' does not fit a binary task"),
            (
                {"goal": "Predict the age", "task": "regression", "metric": "f1"},
                422,
                "rmse, mae, r2",
            ),
            ({"max_iterations": -1}, 422, "max_iterations"),
            ([], 422, "body"),
        ],
    )
    def test_refuses_wrong_members(
        self, api: TestClient, model_side: ModelSide, body: Any, status: int, field: str
    ) -> None:
        model_side.ready("m")
        answer = api.post("/models/m/retrain", json=body)
        assert answer.status_code == status
        assert field in error_of(answer)["message"]

    def test_at_once_gives_every_version_its_own_number(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        model_side.ready("m")
        with ThreadPoolExecutor(6) as pool:
            answers = list(pool.map(lambda _: api.post("/models/m/retrain"), range(6)))
        labels = {answer.json()["new_version"] for answer in answers}
        assert labels == {f"v1.{minor}" for minor in range(1, 7)}


class TestCreateVersion:
    def test_raises_the_major_number(
        self, api: TestClient, model_side: ModelSide, churn: str
    ) -> None:
        model_side.ready("m")
        api.post("/models/m/retrain")
        body = api.post("/models/m/versions", json={"dataset_id": churn}).json()
        assert body.pop("job_id").startswith("job_")
        assert body.pop("version_id").startswith("ver_")
        assert body == {
            "status": "PENDING",
            "model_name": "m",
            "model_version": "v2.0",
            "version": 3,
            "created_at": NOW,
        }

    def test_keeps_intent_and_schemas_unless_given(self, api: TestClient, churn: str) -> None:
        schemas = {"input_schema": {"age": "integer"}, "output_schema": {"churn": "boolean"}}
        said = {"intent": "Predict churn", "dataset_id": churn, **schemas}
        api.post("/models/m", json=said)
        api.post("/models/m/versions", json={"dataset_id": churn})
        model = api.get("/models/m").json()
        assert {member: model[member] for member in said} == said
        api.post("/models/m/versions", json={"dataset_id": churn, "intent": "Predict age"})
        assert api.get("/models/m").json()["intent"] == "Predict age"

    def test_needs_a_dataset(self, api: TestClient, model_side: ModelSide) -> None:
        model_side.ready("m")
        answer = api.post("/models/m/versions", json={})
        assert answer.status_code == 400
        assert "dataset_id" in error_of(answer)["message"]

    def test_says_which_inherited_column_the_dataset_lacks(
        self, api: TestClient, model_side: ModelSide, churn: str
    ) -> None:
        said = {"intent": "x", "dataset_id": churn, "output_schema": {"churn": "boolean"}}
        api.post("/models/m", json=said)
        other = model_side.upload("a,b\n1,2\n")
        answer = api.post("/models/m/versions", json={"dataset_id": other})
        assert answer.status_code == 422
        assert "output_schema: there is no column 'churn'" in error_of(answer)["message"]


class TestPlan:
    def test_tells_target_and_task_and_stores_nothing(
        self, api: TestClient, read_only_client: TestClient, churn: str
    ) -> None:
        body = {"intent": "Predict churn", "dataset_id": churn}
        plan = read_only_client.post("/models/m/plan", json=body).json()
        assert (plan["target"], plan["task"]) == ("churn", "binary")
        assert plan["reasons"]
        assert api.get("/models/m").status_code == 404
        assert api.get("/jobs?kind=build").json()["pagination"]["total"] == 0

    def test_refuses_an_intent_that_fits_no_column(self, api: TestClient, churn: str) -> None:
        body = {"intent": "Predict the weather in Paris", "dataset_id": churn}
        answer = api.post("/models/m/plan", json=body)
        assert answer.status_code == 422
        assert error_of(answer)["code"] == "validation_error"
        assert "churn" in error_of(answer)["message"]
        assert "`target`" in error_of(answer)["message"]
        assert error_of(answer)["details"][0]["field"] == "intent"

    def test_tells_what_it_found_and_why(self, api: TestClient, model_side: ModelSide) -> None:
        lines = [f"{i},7,{i * 37 % 100},{i * 37 % 100},{DAY[i]},{LEFT[i]},{LEFT[i]}" for i in ROWS]
        head = "ticket_id,same,minutes,again,opened,left,gone"
        planted = model_side.upload("\n".join([head, *lines]) + "\n")
        body = {"intent": "Who will leave us?", "dataset_id": planted, "target": "left"}
        plan = api.post("/models/m/plan", json=body).json()
        reasons = {one["column"]: one["reason"] for one in plan["left_out"]}
        assert set(reasons) == {"ticket_id", "same", "again", "gone"}
        assert all(reasons.values())
        assert set(plan["features"]) == {"minutes", "opened"}
        assert any("in the order of opened" in said for said in plan["warnings"])

    @pytest.mark.parametrize(
        ("members", "told"),
        [
            ({"target": "age"}, {"target": "age", "task": "regression", "metric": "rmse"}),
            ({"target": "age", "metric": "mae"}, {"metric": "mae"}),
            ({"task": "multiclass"}, {"target": "churn", "task": "multiclass"}),
            ({"output_schema": {"age": "float"}}, {"target": "age", "output_type": "float"}),
            ({"input_schema": {"age": "integer"}}, {"features": ["age"]}),
            ({"max_iterations": 4}, {"max_iterations": 4}),
        ],
    )
    def test_is_overridden_by_the_request(
        self, api: TestClient, churn: str, members: dict[str, Any], told: dict[str, Any]
    ) -> None:
        body = {"intent": "Predict churn", "dataset_id": churn, **members}
        plan = api.post("/models/m/plan", json=body).json()
        assert {member: plan[member] for member in told} == told

    @pytest.mark.parametrize(
        ("members", "field"),
        [
            ({"target": "nothing"}, "target"),
            ({"target": ""}, "target"),
            ({"target": 5}, "target"),
            ({"task": "guessing"}, "task"),
            ({"task": "regression"}, "task"),
            ({"target": "age", "task": "binary"}, "task"),
            ({"metric": "beauty"}, "metric"),
            ({"metric": "rmse"}, "metric"),
            ({"max_iterations": 0}, "max_iterations"),
            ({"max_iterations": 1001}, "max_iterations"),
            ({"max_iterations": "many"}, "max_iterations"),
            ({"input_schema": {}}, "input_schema"),
            ({"input_schema": {"nothing": "float"}}, "input_schema"),
            ({"input_schema": {"age": "string"}}, "input_schema"),
            ({"input_schema": {"age": "colour"}}, "input_schema"),
            ({"input_schema": {"churn": "string"}}, "input_schema"),
            ({"output_schema": {}}, "output_schema"),
            ({"output_schema": {"nothing": "float"}}, "output_schema"),
            ({"output_schema": {"churn": "float"}}, "output_schema"),
            ({"output_schema": {"churn": "string", "age": "float"}}, "output_schema"),
        ],
    )
    def test_refuses_a_bad_override_by_its_field(
        self, api: TestClient, churn: str, members: dict[str, Any], field: str
    ) -> None:
        body = {"intent": "Predict churn", "dataset_id": churn, **members}
        answer = api.post("/models/m/plan", json=body)
        assert answer.status_code == 422
        detail = error_of(answer)["details"][0]
        assert detail["field"].partition(".")[0] == field
        assert detail["message"]

    def test_checks_its_members_as_create_does(self, api: TestClient, churn: str) -> None:
        assert (
            api.post("/models/-/plan", json={"intent": "x", "dataset_id": churn}).status_code == 422
        )
        assert api.post("/models/m/plan", json={"intent": "x"}).status_code == 400
        answer = api.post("/models/m/plan", json={"intent": "x", "dataset_id": "nothing"})
        assert answer.status_code == 404


class TestEvaluation:
    """How rows are held out, how they count, and when a class is said."""

    def test_is_planned_as_is_asked(self, api: TestClient, churn: str) -> None:
        body = {
            "intent": "Predict churn",
            "dataset_id": churn,
            "split": {"by": "random"},
            "costs": {"false_positive": 1, "false_negative": 3},
        }
        plan = api.post("/models/m/plan", json=body).json()
        assert plan["split_by"] == "random"
        assert plan["threshold"] == 0.25
        assert "a false positive costs 1 and a false negative 3" in plan["reasons"][-1]

    @pytest.mark.parametrize(
        ("members", "field"),
        [
            ({"split": {"by": "luck"}}, "split"),
            ({"split": {"by": "group"}}, "split"),
            ({"split": {"by": "column"}}, "split"),
            ({"split": {"by": "random", "column": "age"}}, "split"),
            ({"costs": {"false_positive": 1, "false_negative": 1e-300}}, "costs"),
            ({"costs": {"false_positive": 1e-12, "false_negative": 1e12}}, "costs"),
            ({"split": {"by": "group", "column": "shoe"}}, "split"),
            ({"threshold": 1.0}, "threshold"),
            ({"costs": {"false_positive": 1}}, "costs"),
            ({"costs": {"false_positive": 0, "false_negative": 1}}, "costs"),
            ({"sample_weight": "shoe"}, "sample_weight"),
            ({"sample_weight": "churn"}, "sample_weight"),
        ],
    )
    def test_that_cannot_be_is_refused_by_its_field(
        self, api: TestClient, churn: str, members: dict[str, Any], field: str
    ) -> None:
        body = {"intent": "Predict churn", "dataset_id": churn, **members}
        answer = api.post("/models/m/plan", json=body)
        assert answer.status_code in {400, 422}
        assert error_of(answer)["details"][0]["field"].partition(".")[0] == field

    @pytest.mark.parametrize("split", [{"by": "group"}, {"by": "random", "column": "age"}])
    def test_a_build_is_refused_before_it_takes_the_name(
        self, api: TestClient, churn: str, split: dict[str, str]
    ) -> None:
        body = {"name": "n", "intent": "Predict churn", "dataset_id": churn, "split": split}
        answer = api.post("/models/split-of-nothing", json=body)
        assert answer.status_code == 422
        assert error_of(answer)["details"][0]["field"] == "split"
        assert api.get("/models/split-of-nothing").status_code == 404


WISHES = tomllib.loads(
    (Path(__file__).parents[1] / "engines/language/unsupported_wishes.toml").read_text("utf-8")
)
KINDS = sorted(WISHES.keys() - {"ordinary"})


class TestUnmetWishes:
    """A wish that no model meets is refused by its name, whichever operation it is sent to."""

    @pytest.mark.parametrize("kind", KINDS)
    def test_are_refused_by_name_as_a_plan_and_as_a_build(
        self, api: TestClient, churn: str, worker: Callable[[], int], kind: str
    ) -> None:
        body = {"intent": WISHES[kind][0], "dataset_id": churn}
        wish = unsupported_wish(body["intent"], ("plan", "age", "churn"))
        assert wish is not None
        answer = api.post("/models/m/plan", json=body)
        assert answer.status_code == 422
        error = error_of(answer)
        assert (error["code"], error["details"][0]["field"]) == ("validation_error", "intent")
        for said in (wish.named, wish.instead):
            assert said in error["message"]
        assert api.get("/models/m").status_code == 404
        assert api.post("/models/m", json=body).status_code == 200
        worker()
        model = api.get("/models/m").json()
        assert (model["status"], model["metrics"]) == ("ERROR", {})
        assert wish.named in model["error"]
        assert wish.instead in model["error"]


class TestSaidBesideTheTarget:
    """What an intent says of columns and metric is in the plan, or refused by its field."""

    def test_is_planned_and_told(self, api: TestClient, churn: str) -> None:
        intent = "Predict churn without using the age, optimising for F1"
        plan = api.post("/models/m/plan", json={"intent": intent, "dataset_id": churn}).json()
        assert (plan["target"], plan["features"], plan["metric"]) == ("churn", ["plan"], "f1")
        assert "The intent says not to learn from age." in plan["reasons"]

    def test_is_read_where_the_target_is_named_too(self, api: TestClient, churn: str) -> None:
        body = {"intent": "Using only the plan", "target": "churn", "dataset_id": churn}
        assert api.post("/models/m/plan", json=body).json()["features"] == ["plan"]

    @pytest.mark.parametrize("named", [{}, {"target": "churn"}])
    def test_a_word_for_no_column_is_refused(
        self, api: TestClient, churn: str, named: dict[str, str]
    ) -> None:
        body = {"intent": "Predict churn without using the horoscope", **named}
        answer = api.post("/models/m/plan", json={**body, "dataset_id": churn})
        assert answer.status_code == 422
        [detail] = error_of(answer)["details"]
        assert detail["field"] == "intent"
        assert "horoscope" in detail["message"]
        assert "`input_schema`" in detail["message"]

    def test_a_metric_of_another_task_is_refused(self, api: TestClient, churn: str) -> None:
        body = {"intent": "Predict churn, minimising RMSE", "dataset_id": churn}
        answer = api.post("/models/m/plan", json=body)
        assert answer.status_code == 422
        assert error_of(answer)["details"][0]["field"] == "intent"
        assert "'rmse' does not fit a binary task" in error_of(answer)["message"]

    @pytest.mark.parametrize(
        ("intent", "field", "given"),
        [
            ("Predict churn, split by plan", "split", {"split": {"by": "random"}}),
            ("Predict churn at a cutoff of 0.3", "threshold", {"threshold": 0.3}),
            ("Predict churn within ten minutes of training", "max_iterations",
             {"max_iterations": 3}),
        ],
    )  # fmt: skip
    @pytest.mark.parametrize("named", [{}, {"target": "churn"}])
    def test_what_a_field_says_is_refused_in_words_alone(
        self,
        api: TestClient,
        churn: str,
        intent: str,
        field: str,
        given: dict[str, Any],
        named: dict[str, str],
    ) -> None:
        body = {"intent": intent, "dataset_id": churn, **named}
        answer = api.post("/models/m/plan", json=body)
        assert answer.status_code == 422
        [detail] = error_of(answer)["details"]
        assert detail["field"] == "intent"
        assert f"`{field}`" in detail["message"]
        plan = api.post("/models/m/plan", json={**body, **given})
        assert plan.json()["target"] == "churn"

    def test_the_field_comes_first(self, api: TestClient, churn: str) -> None:
        body = {"intent": "Predict churn without using the horoscope, optimising for F1"}
        fields = {"input_schema": {"age": "integer"}, "metric": "recall"}
        plan = api.post("/models/m/plan", json={**body, **fields, "dataset_id": churn}).json()
        assert (plan["features"], plan["metric"]) == (["age"], "recall")


class TestPlanQuoted:
    """A build that quotes a plan is of that plan, or is refused."""

    def test_builds_what_was_planned(self, api: TestClient, churn: str) -> None:
        body = {"intent": "Predict churn", "dataset_id": churn}
        plan_id = api.post("/models/m/plan", json=body).json()["plan_id"]
        answer = api.post("/models/m", json={**body, "name": "Leavers", "plan_id": plan_id})
        assert answer.status_code == 200

    @pytest.mark.parametrize(
        "other", [{"intent": "Predict age"}, {"target": "age"}, {"metric": "f1"}]
    )
    def test_refuses_another_wish(self, api: TestClient, churn: str, other: dict[str, str]) -> None:
        body = {"intent": "Predict churn", "dataset_id": churn}
        plan_id = api.post("/models/m/plan", json=body).json()["plan_id"]
        answer = api.post("/models/m", json={**body, **other, "plan_id": plan_id})
        assert answer.status_code == 409
        assert error_of(answer)["details"][0]["field"] == "plan_id"
        assert "Plan again" in error_of(answer)["message"]
        assert api.get("/models/m").status_code == 404

    def test_refuses_a_newer_version_of_the_data(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        model_side.upload(CHURN, name="leavers")
        body = {"intent": "Predict churn", "dataset_id": "leavers"}
        plan_id = api.post("/models/m/plan", json=body).json()["plan_id"]
        model_side.upload(CHURN, name="leavers")
        answer = api.post("/models/m", json={**body, "plan_id": plan_id})
        assert error_of(answer)["status"] == 409


class TestLogs:
    def test_are_oldest_first_and_may_be_of_one_job(
        self,
        api: TestClient,
        other_account_client: TestClient,
        model_side: ModelSide,
        worker: Callable[[], int],
    ) -> None:
        small = model_side.upload("a,b\n1,x\n")
        jobs = [
            api.post(f"/models/{name}", json={"intent": "Predict b", "dataset_id": small}).json()
            for name in ("one", "two")
        ]
        worker()
        everything = api.get("/models/build-logs").json()
        stamps = [line["timestamp"] for line in everything["logs"]]
        assert stamps == sorted(stamps)
        assert everything["pagination"]["limit"] == 100
        mine = api.get("/models/build-logs", params={"job_id": jobs[1]["job_id"]}).json()["logs"]
        assert {line["job_id"] for line in mine} == {jobs[1]["job_id"]}
        assert {line["model_name"] for line in mine} == {"two"}
        assert set(mine[0]) == {"job_id", "model_name", "timestamp", "level", "message"}
        assert mine[0]["level"] == "INFO"
        page = api.get("/models/build-logs?limit=1&offset=1").json()
        assert page["logs"] == everything["logs"][1:2]
        assert other_account_client.get("/models/build-logs").json()["logs"] == []

    def test_take_up_to_a_thousand(self, api: TestClient) -> None:
        assert api.get("/models/build-logs?limit=1000").status_code == 200
        assert api.get("/models/build-logs?limit=1001").status_code == 422

    def test_name_a_job_that_is_no_build(
        self, api: TestClient, other_account_client: TestClient, model_side: ModelSide, churn: str
    ) -> None:
        body = {"intent": "Predict churn", "dataset_id": churn}
        build = api.post("/models/m", json=body).json()["job_id"]
        processing = api.get("/jobs?kind=processing").json()["jobs"][0]["job_id"]
        for client, job_id in ((api, "job_1"), (api, processing), (other_account_client, build)):
            answer = client.get("/models/build-logs", params={"job_id": job_id})
            assert answer.status_code == 404
            assert "job_id" in error_of(answer)["message"]
