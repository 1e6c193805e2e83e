"""Real builds of real tables, in real child processes but where a test says otherwise."""

import json
import zipfile
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import date, timedelta
from html import escape
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from fastapi.testclient import TestClient
from tests.factories import CHURN, ModelSide, make_runner

import modelwright_client
from modelwright.builds.tasks import BuildVersion
from modelwright.core.config.settings import Settings
from modelwright.jobs.domain import Lane
from modelwright.models.domain import BuildResult
from modelwright.storage.object_store import ObjectStore
from modelwright.uploads.domain import FileColumn, TableFile
from modelwright.uploads.service import Uploads
from modelwright_runtime import ARTIFACT, MANIFEST

PENGUINS = Path(modelwright_client.__file__).parent / "demo" / "penguins.csv"
Worker = Callable[[], int]
SOON = 30
"""Half of the seconds that a build has which is not stopped."""


@pytest.fixture
def penguins(model_side: ModelSide) -> str:
    return model_side.upload(PENGUINS)


def start(api: TestClient, name: str, **body: Any) -> dict[str, Any]:
    answer = api.post(f"/models/{name}", json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def judged(*without: str) -> str:
    """A table with a class, a number, a column of weights and one that says what is held out."""
    columns = {
        "age": [row * 37 % 60 for row in range(160)],
        "bill": [round(row * 53 % 97 / 7, 2) for row in range(160)],
        "weight": [1 + row % 3 for row in range(160)],
        "part": ["test" if row % 5 == 0 else "train" for row in range(160)],
        "churn": ["yes" if row * 37 % 60 > 35 else "no" for row in range(160)],
    }
    kept = {name: one for name, one in columns.items() if name not in without}
    rows = zip(*kept.values(), strict=True)
    return "\n".join([",".join(kept), *(",".join(map(str, row)) for row in rows)]) + "\n"


def test_units_of_a_file_are_told_where_rows_are_described_and_refused(
    api: TestClient, model_side: ModelSide, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tables(uploads: Uploads, db: Any, upload_id: str) -> list[TableFile]:
        return [
            replace(one, columns=tuple(map(in_dollars, one.columns)))
            for one in plain(uploads, db, upload_id)
        ]

    def in_dollars(column: FileColumn) -> FileColumn:
        return replace(column, unit="$" if column.name == "bill" else "")

    plain = Uploads.tables
    monkeypatch.setattr(Uploads, "tables", tables)
    table = model_side.upload(judged("weight", "part"))
    start(api, "churn", intent="Predict churn", max_iterations=1, dataset_id=table)
    worker()
    inputs = api.get("/models/churn/v1.0/describe").json()["inputs"]
    assert {name: one["unit"] for name, one in inputs.items()} == {"age": None, "bill": "$"}
    answer = api.post("/models/churn/v1.0/infer", json={"age": 30, "bill": "\u20ac 7"})
    assert answer.status_code == 422
    assert "`bill` must be a number in $, not a string" in answer.json()["error"]["message"]


class TestBuild:
    def test_makes_a_version_that_is_ready_and_honest(
        self, api: TestClient, model_side: ModelSide, penguins: str, worker: Worker
    ) -> None:
        wish = {"intent": "Predict the species of a penguin", "max_iterations": 2}
        started = start(api, "penguins", **wish, dataset_id=penguins)
        worker()
        state = api.get("/models/penguins/v1.0/status").json()
        assert (state["status"], state["build_progress"], state["error"]) == ("READY", 100, None)
        model = api.get("/models/penguins").json()
        assert model["output_schema"] == {"species": "string"}
        assert {"bill_length_mm", "island"} <= set(model["input_schema"])
        assert model["metrics"]["accuracy"] > 0.9
        assert {"precision", "recall", "f1_score"} <= set(model["metrics"])
        described = api.get("/models/penguins/v1.0/describe").json()
        assert described["training_info"]["dataset_size"] == 344
        assert described["training_info"]["training_time_minutes"] < 1
        plan = described["plan"]
        assert (plan["target"], plan["task"]) == ("species", "multiclass")
        job = api.get(f"/jobs/{started['job_id']}").json()
        assert (job["status"], job["progress"]) == ("COMPLETED", 100)
        assert (job["model_name"], job["plan"]) == ("penguins", plan)
        logs = api.get("/models/build-logs", params={"job_id": started["job_id"]}).json()
        assert logs["pagination"]["total"] == len(logs["logs"]) >= 2
        assert any("species" in line["message"] for line in logs["logs"])
        assert {line["model_name"] for line in logs["logs"]} == {"penguins"}
        lines = api.get(f"/jobs/{started['job_id']}/logs").json()["logs"]
        said = {line["message"] for line in lines}
        left = {f"Left out {one['column']}: {one['reason']}" for one in plan["left_out"]}
        assert {*plan["reasons"], *left, *plan["warnings"]} <= said
        assert plan["reasons"]

    @pytest.mark.usefixtures("in_process_children")
    def test_run_twice_ends_as_once(
        self, api: TestClient, model_side: ModelSide, penguins: str, worker: Worker
    ) -> None:
        start(api, "penguins", intent="Predict the species", dataset_id=penguins, max_iterations=1)
        worker()
        before = api.get("/models/penguins/v1.0/status").json()
        with model_side.transaction() as db:
            version = model_side.models.read(db, "penguins").shown
            model_side._enqueue(db, version)
        assert worker() == 1
        assert api.get("/models/penguins/v1.0/status").json() == before

    @pytest.mark.usefixtures("in_process_children")
    def test_stacks_files_with_the_same_columns(
        self, api: TestClient, model_side: ModelSide, worker: Worker
    ) -> None:
        head, *rows = PENGUINS.read_text().splitlines()
        halves = ["\n".join([head, *rows[0::2]]) + "\n", "\n".join([head, *rows[1::2]]) + "\n"]
        upload_id = model_side.upload(*halves)
        start(api, "p", intent="Predict species", dataset_id=upload_id, max_iterations=1)
        worker()
        info = api.get("/models/p/v1.0/describe").json()["training_info"]
        assert info["dataset_size"] == 344

    @pytest.mark.usefixtures("in_process_children")
    def test_says_which_of_different_files_it_needs(
        self, api: TestClient, model_side: ModelSide, worker: Worker
    ) -> None:
        upload_id = model_side.upload(PENGUINS, "shop,sales\n" + "a,1\nb,2\n" * 10)
        start(api, "p", intent="Predict the species", dataset_id=upload_id)
        worker()
        state = api.get("/models/p/v1.0/status").json()
        assert state["status"] == "ERROR"
        assert "penguins.csv" in state["error"]
        assert "upload it alone" in state["error"]

    def test_of_an_intent_that_fits_no_column_names_the_candidates(
        self, api: TestClient, model_side: ModelSide, penguins: str, worker: Worker
    ) -> None:
        started = start(api, "p", intent="Predict the weather in Paris", dataset_id=penguins)
        worker()
        model = api.get("/models/p").json()
        assert model["status"] == "ERROR"
        assert "species" in model["error"]
        assert model["metrics"] == {}
        assert api.get(f"/jobs/{started['job_id']}").json()["status"] == "FAILED"

    def test_of_too_few_rows_says_so(
        self, api: TestClient, model_side: ModelSide, worker: Worker
    ) -> None:
        upload_id = model_side.upload("a,b\n1,x\n2,y\n3,x\n")
        start(api, "p", intent="Predict b", dataset_id=upload_id)
        worker()
        assert "rows" in api.get("/models/p").json()["error"]

    def test_pins_what_the_request_fixes(
        self, api: TestClient, model_side: ModelSide, penguins: str, worker: Worker
    ) -> None:
        start(
            api,
            "p",
            intent="Guess something",
            dataset_id=penguins,
            output_schema={"body_mass_g": "float"},
            input_schema={"species": "string", "flipper_length_mm": "integer"},
            metric="mae",
            max_iterations=2,
        )
        worker()
        model = api.get("/models/p").json()
        assert model["status"] == "READY", model["error"]
        assert set(model["input_schema"]) == {"species", "flipper_length_mm"}
        assert model["output_schema"] == {"body_mass_g": "float"}
        assert model["metrics"]["accuracy"] is None
        assert model["metrics"]["mae"] > 0
        assert api.get("/models/p/v1.0/describe").json()["plan"]["metric"] == "mae"

    @pytest.mark.usefixtures("in_process_children")
    def test_that_fails_leaves_a_ready_model_in_service(
        self, api: TestClient, model_side: ModelSide, penguins: str, worker: Worker
    ) -> None:
        start(api, "p", intent="Predict the species", dataset_id=penguins, max_iterations=1)
        worker()
        api.post("/models/p/retrain", json={"goal": "Predict the weather in Paris"})
        assert api.get("/models/p").json()["status"] == "READY"
        worker()
        model = api.get("/models/p").json()
        assert (model["status"], model["model_version"]) == ("READY", "v1.0")
        assert api.get("/models/p/v1.1/status").json()["status"] == "ERROR"


@pytest.mark.usefixtures("in_process_children")
class TestWarnings:
    def test_of_what_was_learnt_are_in_the_log_the_description_and_the_card(
        self, api: TestClient, model_side: ModelSide, worker: Worker
    ) -> None:
        """The last of the days, on which it is judged, are of another world."""
        noise = [row * 37 % 101 / 100 for row in range(300)]
        days = (
            f"{date(2023, 1, 1) + timedelta(row)},{row * 53 % 89},{some + 50 * (row >= 240):.2f}"
            for row, some in enumerate(noise)
        )
        upload_id = model_side.upload("\n".join(["day,visits,sales", *days]) + "\n")
        wish = {"intent": "Predict sales", "split": {"by": "time"}, "max_iterations": 1}
        job_id = start(api, "sales", **wish, dataset_id=upload_id)["job_id"]
        worker()
        described = api.get("/models/sales/v1.0/describe").json()
        [warning] = [one for one in described["warnings"] if one.startswith("r2 is -")]
        assert warning not in described["plan"]["warnings"]
        logs = api.get(f"/jobs/{job_id}/logs").json()["logs"]
        assert set(described["warnings"]) <= {line["message"] for line in logs}
        assert warning in api.get("/models/sales/v1.0/card").json()["limits"]

    def test_of_a_rare_class_are_mended_by_a_threshold_that_predictions_keep(
        self, api: TestClient, model_side: ModelSide, worker: Worker
    ) -> None:
        rows = [
            f"{row * 37 % 101},{'fraud' if row % 6 == 0 and row * 37 % 101 > 60 else 'fine'}"
            for row in range(1200)
        ]
        upload_id = model_side.upload("\n".join(["amount,kind", *rows]) + "\n")
        wish = {"intent": "Predict the kind", "target": "kind", "max_iterations": 1}
        job_id = start(api, "p", **wish, dataset_id=upload_id)["job_id"]
        worker()
        described = api.get("/models/p/v1.0/describe").json()
        [warning] = [one for one in described["warnings"] if "ever called fraud" in one]
        assert "`threshold` or `costs`" in warning
        lines = {line["message"] for line in api.get(f"/jobs/{job_id}/logs").json()["logs"]}
        assert warning in lines
        assert warning in api.get("/models/p/v1.0/card").json()["limits"]

        api.post("/models/p/retrain", json={"threshold": 0.05})
        worker()
        mended = api.get("/models/p/v1.1/describe").json()
        assert not [one for one in mended["warnings"] if "ever called fraud" in one]
        assert mended["plan"]["threshold"] == 0.05
        assert api.get("/models/p").json()["metrics"]["threshold"] == pytest.approx(0.05)
        assert api.get("/models/p/v1.1/card").json()["metrics"]["threshold"] == pytest.approx(0.05)
        asked = [{"amount": amount} for amount in range(0, 101, 5)]
        for version, from_ in (("v1.0", 0.5), ("v1.1", 0.05)):
            path = f"/models/p/{version}/predictions?include=probabilities"
            for item in api.post(path, json=asked).json():
                is_said = item["prediction"]["kind"] == "fraud"
                assert is_said == (item["probabilities"]["fraud"] > from_)
        called = [one["prediction"]["kind"] for one in api.post(path, json=asked).json()]
        assert {"fraud", "fine"} == set(called)


@pytest.mark.usefixtures("in_process_children")
class TestRetrain:
    def test_keeps_what_the_intent_said_unless_a_field_or_a_goal_says_otherwise(
        self, api: TestClient, model_side: ModelSide, worker: Worker
    ) -> None:
        data = model_side.upload(judged())
        intent = "Predict churn without the bill and the part, optimising for F1"
        start(api, "p", intent=intent, max_iterations=1, dataset_id=data)
        worker()
        changes = [
            {},
            {"metric": "recall"},
            {"goal": "Predict churn using only the bill"},
            {"goal": "Predict churn"},
        ]
        plans = [api.get("/models/p/v1.0/describe").json()["plan"]]
        for number, change in enumerate(changes, 1):
            api.post("/models/p/retrain", json=change)
            worker()
            plans.append(api.get(f"/models/p/v1.{number}/describe").json()["plan"])
        assert [(plan["features"], plan["metric"]) for plan in plans] == [
            (["age", "weight"], "f1"),
            (["age", "weight"], "f1"),
            (["age", "weight"], "recall"),
            (["bill"], "recall"),
            (["age", "bill", "weight", "part"], "recall"),
        ]

    def test_carries_over_what_wrong_answers_cost(
        self, api: TestClient, model_side: ModelSide, worker: Worker
    ) -> None:
        churn, costs = model_side.upload(CHURN), {"false_positive": 1.0, "false_negative": 3.0}
        wish = {"intent": "Predict churn", "costs": costs, "max_iterations": 1}
        start(api, "p", **wish, dataset_id=churn)
        worker()
        api.post("/models/p/retrain", json={"upload_id": churn})
        worker()
        for label in ("v1.0", "v1.1"):
            card = api.get(f"/models/p/{label}/card").json()
            for plan in (api.get(f"/models/p/{label}/describe").json()["plan"], card["plan"]):
                assert (plan["threshold"], plan["costs"]) == (0.25, costs)
            assert card["metrics"]["threshold"] == 0.25
            assert card["metrics"]["costs"] == costs
            page = api.get(f"/models/p/{label}/card", params={"format": "html"}).text
            assert "a false positive costs 1 and a false negative 3" in page

    @pytest.mark.parametrize(
        ("before", "after", "kept"),
        [
            ({"costs": {"false_positive": 1, "false_negative": 3}}, {"threshold": 0.4}, 0.4),
            ({"threshold": 0.4}, {"costs": {"false_positive": 1, "false_negative": 3}}, 0.25),
            ({"threshold": 0.4}, {}, 0.4),
        ],
    )
    def test_a_threshold_and_costs_given_anew_replace_each_other(
        self,
        api: TestClient,
        model_side: ModelSide,
        worker: Worker,
        before: dict[str, Any],
        after: dict[str, Any],
        kept: float,
    ) -> None:
        churn = model_side.upload(CHURN)
        wish = {"intent": "Predict churn", "max_iterations": 1}
        start(api, "p", **wish, **before, dataset_id=churn)
        worker()
        answer = api.post("/models/p/retrain", json={**after, "upload_id": churn})
        assert answer.status_code == 200, answer.text
        worker()
        state = api.get("/models/p/v1.1/status").json()
        assert state["status"] == "READY", state["error"]
        plan = api.get("/models/p/v1.1/describe").json()["plan"]
        assert plan["threshold"] == kept
        assert (plan["costs"] is None) == ("threshold" in {**before, **after} and kept != 0.25)

    @pytest.mark.parametrize(
        ("before", "unfit"),
        [
            (
                {
                    "threshold": 0.4,
                    "metric": "roc_auc",
                    "sample_weight": "weight",
                    "split": {"by": "column", "column": "part"},
                },
                {
                    "metric": "The metric 'roc_auc' does not fit a regression task. Choose one of"
                    " rmse, mae, r2.",
                    "split": "There is no column `part`. The columns are age, bill, weight, churn.",
                    "threshold": "`threshold` is for a target of two classes, and this is a"
                    " regression task.",
                    "sample_weight": "`weight` is what to predict. Name another column.",
                },
            ),
            (
                {"costs": {"false_positive": 1, "false_negative": 3}},
                {"costs": "`costs` is for a target of two classes, and this is a regression task."},
            ),
        ],
    )
    def test_leaves_out_what_does_not_fit_any_more_and_says_so(
        self,
        api: TestClient,
        model_side: ModelSide,
        worker: Worker,
        before: dict[str, Any],
        unfit: dict[str, str],
    ) -> None:
        wish = {"intent": "Predict churn", "target": "churn", "max_iterations": 1}
        start(api, "p", **wish, **before, dataset_id=model_side.upload(judged()))
        worker()
        changes = {"target": "weight", "upload_id": model_side.upload(judged("part"))}
        answer = api.post("/models/p/retrain", json=changes)
        assert answer.status_code == 200, answer.text
        worker()
        state = api.get("/models/p/v1.1/status").json()
        assert state["status"] == "READY", state["error"]
        said = [
            f"The version before was built with `{name}`, which is left out now: {why}"
            for name, why in unfit.items()
        ]
        lines = api.get(f"/jobs/{answer.json()['job_id']}/logs").json()["logs"]
        plan = api.get("/models/p/v1.1/describe").json()["plan"]
        card = api.get("/models/p/v1.1/card").json()
        for told in (plan["warnings"], card["plan"]["warnings"], [one["message"] for one in lines]):
            assert [one for one in told if "left out now" in one] == said
        page = api.get("/models/p/v1.1/card", params={"format": "html"}).text
        assert all(escape(sentence) in page for sentence in said)

    def test_is_judged_as_the_version_before(
        self, api: TestClient, model_side: ModelSide, worker: Worker
    ) -> None:
        judging = {"split": {"by": "column", "column": "part"}, "sample_weight": "weight"}
        wish = {"intent": "Predict churn", "target": "churn", "max_iterations": 1, "threshold": 0.3}
        upload_id = model_side.upload(judged())
        start(api, "p", **wish, **judging, dataset_id=upload_id)
        worker()
        api.post("/models/p/retrain", json={"upload_id": upload_id})
        worker()
        plan = api.get("/models/p/v1.1/describe").json()["plan"]
        assert (plan["split_by"], plan["split_column"]) == ("column", "part")
        assert (plan["sample_weight"], plan["threshold"]) == ("weight", 0.3)
        assert not [one for one in plan["warnings"] if "left out now" in one]

        api.post("/models/p/retrain", json={"target": "part", "upload_id": upload_id})
        worker()
        plan = api.get("/models/p/v1.2/describe").json()["plan"]
        assert (plan["target"], plan["sample_weight"]) == ("part", "weight")
        assert (plan["split_by"], plan["threshold"]) == ("random", None)
        left_out = [one for one in plan["warnings"] if "left out now" in one]
        split, threshold = left_out
        assert "`split`, which is left out now: `part` is what to predict." in split
        assert "`threshold`, which is left out now: it is for churn, and part is" in threshold

        api.post("/models/p/retrain", json={})
        worker()
        plan = api.get("/models/p/v1.3/describe").json()["plan"]
        assert (plan["target"], plan["threshold"]) == ("part", None)

    def test_refuses_what_is_given_and_does_not_fit(
        self, api: TestClient, model_side: ModelSide, worker: Worker
    ) -> None:
        wish = {"intent": "Predict churn", "max_iterations": 1}
        start(api, "p", **wish, dataset_id=model_side.upload(judged()))
        worker()
        answer = api.post("/models/p/retrain", json={"sample_weight": "wieght"})
        assert answer.status_code == 422
        assert "did you mean 'weight'" in answer.json()["error"]["message"]

    def test_predicts_the_same_though_the_intent_fits_another_column_now(
        self, api: TestClient, model_side: ModelSide, penguins: str, worker: Worker
    ) -> None:
        wish: dict[str, Any] = {"intent": "Predict the kind", "max_iterations": 1}
        start(api, "p", **wish, dataset_id=penguins, target="species")
        worker()
        named = PENGUINS.read_text().replace("island", "kind", 1)
        start(api, "q", **wish, dataset_id=model_side.upload(named))
        api.post("/models/p/retrain", json={"upload_id": model_side.upload(named)})
        worker()
        assert api.get("/models/q").json()["output_schema"] == {"kind": "string"}
        again = api.get("/models/p").json()
        assert (again["model_version"], again["output_schema"]) == ("v1.1", {"species": "string"})
        plan = api.get("/models/p/v1.1/describe").json()["plan"]
        assert "lacks what the version before learnt from: island." in " ".join(plan["warnings"])


class TestCancel:
    def test_before_it_begins_leaves_an_error(
        self, api: TestClient, penguins: str, worker: Worker
    ) -> None:
        started = start(api, "p", intent="Predict the species", dataset_id=penguins)
        assert api.post(f"/jobs/{started['job_id']}/cancel").status_code == 200
        worker()
        state = api.get("/models/p/v1.0/status").json()
        assert state["status"] == "ERROR"
        assert "cancelled" in state["error"]


class TestLate:
    def test_tells_of_the_model_that_lies_there(self, tmp_path: Path, settings: Settings) -> None:
        """A later one may have been written after the process chose its answer."""
        names = [one.name for one in fields(BuildResult)]
        with zipfile.ZipFile(tmp_path / ARTIFACT, "w") as kept:
            kept.writestr(MANIFEST, json.dumps(dict.fromkeys(names, "later")))
        step: Any = SimpleNamespace(child=lambda *_, **__: dict.fromkeys(names, "before"))
        nobody: Any = None
        build = BuildVersion(nobody, nobody, settings, nobody)
        assert build._fit(step, {"folder": str(tmp_path), "tables": []}).algorithm == "later"


class TestStopping:
    @pytest.mark.parametrize("way", ["cancel", "delete"])
    def test_a_build_that_runs_ends_at_once_and_leaves_nothing(
        self, api: TestClient, model_side: ModelSide, penguins: str, way: str
    ) -> None:
        started = start(api, "p", intent="Predict the species", dataset_id=penguins)
        runner = make_runner(model_side.container)
        job = runner.claim(Lane.BUILD)
        assert job is not None
        step = runner.begin(job)
        others = set(psutil.Process().children(recursive=True))
        thread = Thread(target=runner.carry_out, args=(job, step))
        thread.start()
        while not step.has_news:
            assert thread.is_alive()
        children = set(psutil.Process().children(recursive=True)) - others
        assert children
        if way == "cancel":
            api.post(f"/jobs/{started['job_id']}/cancel")
        else:
            api.delete("/models/p")
        runner.attend([step], renew=False)
        thread.join(SOON)
        assert not thread.is_alive()
        assert psutil.wait_procs(children, timeout=SOON)[1] == []
        assert not step.scratch.exists()
        assert api.get(f"/jobs/{started['job_id']}").json()["status"] == "CANCELLED"
        assert list(model_side.container.service(ObjectStore).keys("artifacts")) == []  # type: ignore[type-abstract]
        model = api.get("/models/p")
        if way == "delete":
            assert model.status_code == 404
        else:
            assert (model.json()["status"], model.json()["error"]) == ("ERROR", "It was cancelled.")


@pytest.mark.usefixtures("in_process_children")
class TestDelete:
    def test_stops_the_build_and_leaves_nothing(
        self, api: TestClient, model_side: ModelSide, penguins: str, worker: Worker
    ) -> None:
        started = start(api, "p", intent="Predict the species", dataset_id=penguins)
        api.delete("/models/p")
        worker()
        assert api.get(f"/jobs/{started['job_id']}").json()["status"] == "CANCELLED"
        assert list(model_side.container.service(ObjectStore).keys("artifacts")) == []  # type: ignore[type-abstract]
        assert api.delete(f"/uploads/{penguins}").status_code == 200

    def test_takes_the_artifact_along_once_it_leaves_the_trash(
        self, api: TestClient, model_side: ModelSide, penguins: str, worker: Worker
    ) -> None:
        start(api, "p", intent="Predict the species", dataset_id=penguins, max_iterations=1)
        worker()
        objects = model_side.container.service(ObjectStore)  # type: ignore[type-abstract]
        assert list(objects.keys("artifacts"))
        api.delete("/models/p")
        assert list(objects.keys("artifacts"))
        api.delete("/trash")
        assert list(objects.keys("artifacts")) == []
