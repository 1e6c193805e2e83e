"""The states table of the contract, as far as it is about models: every state, every trigger."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from fastapi.testclient import TestClient
from tests.factories import CHURN, ModelSide

from modelwright.core.state_machine import InvalidTransitionError, transition
from modelwright.models.domain import (
    TRANSITIONS,
    BuildEvent,
    Status,
)

Worker = Callable[[], int]
ABSENT = "absent"
STATES = (ABSENT, *Status)


class Move(NamedTuple):
    """One cell of the table: a model in a state, a trigger, what becomes of it."""

    state: str
    trigger: str
    answer: int
    becomes: str
    """What the model shows afterwards."""


def everywhere(trigger: str, answer: int, becomes: dict[str, str] | None = None) -> list[Move]:
    """A trigger that answers alike wherever there is a model, and 404 where there is none."""
    shown = {state: state for state in Status} | (becomes or {})
    present = [Move(state, trigger, answer, shown[state]) for state in Status]
    return [Move(ABSENT, trigger, 404, ABSENT), *present]


NEWEST_IS_SHOWN = dict.fromkeys(("DRAFT", "BUILDING", "ERROR"), "DRAFT")
"""Before there is a READY version a model shows its newest, which is the one just asked for."""

TABLE = [
    Move(ABSENT, "create", 200, "DRAFT"),
    *(Move(state, "create", 409, state) for state in Status),
    *everywhere("retrain", 200, NEWEST_IS_SHOWN),
    *everywhere("versions", 200, NEWEST_IS_SHOWN),
    *everywhere("amend", 200),
    *everywhere("delete", 200, dict.fromkeys(Status, ABSENT)),
    Move("DRAFT", "cancel", 200, "ERROR"),
    Move("BUILDING", "cancel", 200, "ERROR"),
    Move("READY", "cancel", 409, "READY"),
    Move("ERROR", "cancel", 409, "ERROR"),
    Move(ABSENT, "infer", 404, ABSENT),
    *(Move(state, "infer", 409, state) for state in Status if state is not Status.READY),
]


@pytest.fixture
def upload_id(model_side: ModelSide) -> str:
    return model_side.upload(CHURN)


@pytest.fixture
def put(model_side: ModelSide, upload_id: str, worker: Worker) -> Callable[[str], None]:
    """Brings the model `m` into a state; what has ended has no open job."""

    def bring(state: str) -> None:
        if state == ABSENT:
            return
        version = model_side.draft("m", upload_id)
        if state != Status.DRAFT:
            model_side.start(version)
        if state == Status.READY:
            model_side.finish(version)
            worker()
        if state == Status.ERROR:
            model_side.fail(version, "No column fits.")
            worker()

    return bring


@pytest.fixture
def pull(api: TestClient, upload_id: str, worker: Worker) -> Callable[[str], Any]:
    """Pulls a trigger on the model `m`."""
    build = {"intent": "Predict churn", "dataset_id": upload_id}

    def cancel() -> Any:
        jobs = api.get("/jobs?kind=build").json()["jobs"]
        answer = api.post(f"/jobs/{jobs[0]['job_id']}/cancel")
        if answer.status_code == 200:
            worker()
        return answer

    triggers: dict[str, Callable[[], Any]] = {
        "create": lambda: api.post("/models/m", json=build),
        "retrain": lambda: api.post("/models/m/retrain", json={}),
        "versions": lambda: api.post("/models/m/versions", json={"dataset_id": upload_id}),
        "amend": lambda: api.patch("/models/m", json={"description": "New"}),
        "delete": lambda: api.delete("/models/m"),
        "infer": lambda: api.post("/models/m/v1.0/infer", json={}),
        "cancel": cancel,
    }
    return lambda trigger: triggers[trigger]()


@pytest.mark.parametrize("cell", TABLE, ids=lambda cell: f"{cell.state}-{cell.trigger}")
def test_every_trigger_does_in_every_state_what_the_table_says(
    api: TestClient, put: Callable[[str], None], pull: Callable[[str], Any], cell: Move
) -> None:
    put(cell.state)
    answer = pull(cell.trigger)
    assert answer.status_code == cell.answer, answer.text
    model = api.get("/models/m")
    assert (model.json()["status"] if model.status_code == 200 else ABSENT) == cell.becomes


@pytest.mark.parametrize("trigger", ["create", "retrain", "versions"])
def test_what_starts_a_build_answers_with_a_pending_job(
    put: Callable[[str], None], pull: Callable[[str], Any], trigger: str
) -> None:
    put(ABSENT if trigger == "create" else "READY")
    assert pull(trigger).json()["status"] == "PENDING"


def test_a_deleted_model_says_so_once(
    put: Callable[[str], None], pull: Callable[[str], Any]
) -> None:
    put("READY")
    assert pull("delete").json()["status"] == "DELETED"
    assert pull("delete").status_code == 404


@pytest.mark.parametrize("verb", BuildEvent)
@pytest.mark.parametrize("state", Status)
def test_a_version_moves_as_its_build_goes_and_in_no_other_way(
    state: Status, verb: BuildEvent
) -> None:
    build_goes = {
        ("DRAFT", "start"): "BUILDING",
        ("DRAFT", "fail"): "ERROR",
        ("BUILDING", "start"): "BUILDING",
        ("BUILDING", "finish"): "READY",
        ("BUILDING", "fail"): "ERROR",
    }
    assert {(str(s), str(v)): str(to) for (s, v), to in TRANSITIONS.items()} == build_goes
    if (state, verb) in TRANSITIONS:
        assert transition(TRANSITIONS, state, verb) == build_goes[state, verb]
    else:
        with pytest.raises(InvalidTransitionError):
            transition(TRANSITIONS, state, verb)


class TestProgress:
    def test_never_falls_from_draft_to_ready(
        self, api: TestClient, model_side: ModelSide, worker: Worker, upload_id: str
    ) -> None:
        seen = []

        def look() -> None:
            seen.append(api.get("/models/m/v1.0/status").json()["build_progress"])

        version = model_side.draft("m", upload_id)
        look()
        model_side.start(version)
        look()
        model_side.finish(version)
        look()
        worker()
        look()
        assert seen == sorted(seen)
        assert (seen[0], seen[-1]) == (0, 100)


def test_the_table_holds_every_state() -> None:
    assert {cell.state for cell in TABLE} == set(STATES)
