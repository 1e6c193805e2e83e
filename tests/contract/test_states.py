"""The states tables of everything but models: every state, every trigger, what becomes of it.

A trigger that is in neither the contract's table nor the decisions is refused and changes nothing.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text
from tests.contract.world import make_shop
from tests.factories import CHURN, ModelSide

from modelwright.api_keys.domain import Status as KeyStatus
from modelwright.bootstrap.container import Container
from modelwright.connections.ingestions import Ingestions
from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings
from modelwright.deployments.service import Deployments
from modelwright.jobs.domain import Status as JobStatus
from modelwright.uploads.domain import Status as UploadStatus

GONE = "gone"


class Cell(NamedTuple):
    """A thing in a state, a trigger, the status of the answer, what becomes of the thing."""

    state: str
    trigger: str
    answer: int
    becomes: str


def row(trigger: str, **cells: Any) -> list[Cell]:
    """One trigger over all states: `state=answer` or `state=(answer, becomes)`; gone is 404."""
    made = []
    for state, told in {GONE: 404, **cells}.items():
        answer, becomes = told if isinstance(told, tuple) else (told, state)
        made.append(Cell(state, trigger, answer, becomes))
    return made


def named(cell: Cell) -> str:
    return f"{cell.state}-{cell.trigger}"


def status_of(answer: Any) -> int:
    """The status that the backend meant, whatever the gateway made of its line."""
    return answer.status_code if answer.is_success else answer.json()["error"]["status"]


@pytest.fixture
def settings(settings: Settings) -> Settings:
    folder = settings.data_dir / "files"
    make_shop(folder)
    return settings.model_copy(update={"sqlite_folder": folder})


@pytest.fixture
def ingestion(api: TestClient) -> dict[str, Any]:
    body = {"name": "shop", "type": "sqlite", "database": "shop.db"}
    used = api.post("/database/connections", json=body).json()["connection_id"]
    wish = {"connection_id": used, "table": "orders", "dataset_name": "orders"}
    return dict(api.post("/database/ingest", json=wish).json())


class TestUploads:
    TABLE = (
        *row(
            "complete",
            pending=(200, "processing"),
            processing=200,
            complete=200,
            failed=409,
        ),
        *row(
            "give up", pending=(200, "failed"), processing=(200, "failed"), complete=409, failed=200
        ),
        *row(
            "delete",
            pending=(200, GONE),
            processing=(200, GONE),
            complete=(200, GONE),
            failed=(200, GONE),
        ),
        *row("open a session", pending=409, processing=409, complete=200, failed=409),
        *row("use", pending=409, processing=409, complete=200, failed=409),
        *row("analyse", pending=409, processing=409, complete=200, failed=409),
        *row("export", pending=409, processing=409, complete=200, failed=409),
        *row("build", pending=409, processing=409, complete=200, failed=409),
        *row("preview", pending=409, processing=409, complete=200, failed=409),
    )

    @pytest.fixture
    def bring(
        self, api: TestClient, anonymous_client: TestClient, model_side: ModelSide
    ) -> Callable[[str], Any]:
        def carry_out(state: str) -> dict[str, Any]:
            if state == "complete":
                return dict(api.get(f"/uploads/{model_side.upload(CHURN)}").json())
            files = [{"filename": "table0.csv", "content_type": "text/csv"}]
            upload = dict(api.post("/data/upload", json={"files": files}).json())
            anonymous_client.put(upload["files"][0]["presigned_url"], content=CHURN.encode())
            if state == "processing":
                self.confirm(api, upload, "complete")
            if state == "failed":
                self.confirm(api, upload, "failed")
            if state == GONE:
                api.delete(f"/uploads/{upload['upload_id']}")
            return upload

        return carry_out

    def confirm(self, api: TestClient, upload: dict[str, Any], status: str) -> Any:
        files = [
            {"filename": file["filename"], "object_key": file["object_key"]}
            for file in upload["files"]
        ]
        body = {"upload_id": upload["upload_id"], "status": status, "files": files}
        return api.post("/uploads/status", json=body)

    def pull(self, api: TestClient, trigger: str, upload: dict[str, Any]) -> Any:
        upload_id = upload["upload_id"]
        body = {"upload_id": upload_id}
        triggers: dict[str, Callable[[], Any]] = {
            "complete": lambda: self.confirm(api, upload, "complete"),
            "give up": lambda: self.confirm(api, upload, "failed"),
            "delete": lambda: api.delete(f"/uploads/{upload_id}"),
            "open a session": lambda: api.post("/data/sessions", json=body),
            "use": lambda: api.post("/data/use-upload", json=body),
            "analyse": lambda: api.post("/data/analyze", json=body),
            "export": lambda: api.post("/data/export", json=body),
            "build": lambda: api.post(
                "/models/m", json={"intent": "Predict churn", "dataset_id": upload_id}
            ),
            "preview": lambda: api.get(f"/data/uploads/{upload_id}/files/table0.csv/preview"),
        }
        return triggers[trigger]()

    def shown(self, api: TestClient, upload: dict[str, Any]) -> str:
        told = api.get(f"/uploads/{upload['upload_id']}")
        return str(told.json()["status"]) if told.is_success else GONE

    @pytest.mark.parametrize("cell", TABLE, ids=named)
    def test_move_as_the_table_says(self, api: TestClient, bring: Callable[[str], Any], cell: Cell):
        upload = bring(cell.state)
        assert self.shown(api, upload) == cell.state
        answer = self.pull(api, cell.trigger, upload)
        assert status_of(answer) == cell.answer, answer.text
        assert self.shown(api, upload) == cell.becomes

    def test_the_table_holds_every_state(self):
        assert {cell.state for cell in self.TABLE} == {GONE, *UploadStatus}


class TestKeys:
    TABLE = (
        *row("read", active=200, expired=200, revoked=200),
        *row("amend", active=200, expired=200, revoked=409),
        *row("renew", active=200, expired=(200, "active"), revoked=409),
        *row("revoke", active=(200, "revoked"), expired=(200, "revoked"), revoked=200),
    )

    @pytest.mark.parametrize("cell", TABLE, ids=named)
    def test_move_as_the_table_says(
        self, api: TestClient, anonymous_client: TestClient, clock: FrozenClock, cell: Cell
    ):
        body = {"name": "a", "permission_level": "read_only", "expiration_days": 1}
        made = api.post("/auth/api-keys", json=body).json()
        where = f"/auth/api-keys/{made['key_id'] if cell.state != GONE else 'key_none'}"
        if cell.state == "expired":
            clock.advance(days=1)
        if cell.state == "revoked":
            api.delete(where)
        triggers: dict[str, Callable[[], Any]] = {
            "read": lambda: api.get(where),
            "amend": lambda: api.patch(where, json={"name": "b"}),
            "renew": lambda: api.patch(where, json={"expiration_days": 30}),
            "revoke": lambda: api.delete(where),
        }
        answer = triggers[cell.trigger]()
        assert status_of(answer) == cell.answer, answer.text
        used = anonymous_client.get("/models", headers={"x-api-key": made["key"]})
        works = {"active": 200, GONE: 200}.get(cell.becomes, 401)
        assert used.status_code == works
        if works == 401:
            assert used.json()["error"]["code"] == f"{cell.becomes}_key"

    def test_the_table_holds_every_state(self):
        assert {cell.state for cell in self.TABLE} == {GONE, "expired", *KeyStatus}


class TestDeployments:
    TABLE = (
        *row(
            "undeploy",
            DEPLOYING=(200, "UNDEPLOYING"),
            ACTIVE=(200, "UNDEPLOYING"),
            UNDEPLOYING=200,
            FAILED=(200, "UNDEPLOYING"),
        ),
        *row("predict", DEPLOYING=409, UNDEPLOYING=409, FAILED=409),
        *row(
            "delete the model",
            DEPLOYING=(200, GONE),
            ACTIVE=(200, GONE),
            UNDEPLOYING=(200, GONE),
            FAILED=(200, GONE),
        )[1:],
    )

    @pytest.fixture
    def bring(self, api: TestClient, model_side: ModelSide) -> Callable[[str], str]:
        def carry_out(state: str) -> str:
            model_side.ready("m")
            deployments = model_side.container.service(Deployments)
            where = str(api.post("/models/m/deploy", json={}).json()["deployment_id"])
            with model_side.transaction() as db:
                if state == "ACTIVE":
                    deployments.activate(db, where)
                if state == "FAILED":
                    deployments.fail(db, where, "No replica could start.")
            if state in {"UNDEPLOYING", GONE}:
                api.delete(f"/models/m/deployments/{where}")
            if state == GONE:
                with model_side.transaction() as db:
                    deployments.purge(db, where)
            return where

        return carry_out

    @pytest.mark.parametrize("cell", TABLE, ids=named)
    def test_move_as_the_table_says(self, api: TestClient, bring: Callable[[str], str], cell: Cell):
        deployment_id = bring(cell.state)
        assert self.shown(api, deployment_id) == cell.state
        triggers: dict[str, Callable[[], Any]] = {
            "undeploy": lambda: api.delete(f"/models/m/deployments/{deployment_id}"),
            "predict": lambda: api.post(f"/predict/{deployment_id}", json={}),
            "delete the model": lambda: api.delete("/models/m"),
        }
        answer = triggers[cell.trigger]()
        assert answer.status_code == cell.answer, answer.text
        assert self.shown(api, deployment_id) == cell.becomes

    def shown(self, api: TestClient, deployment_id: str) -> str:
        told = api.get("/models/m/deployments").json().get("deployments", [])
        found = [one["status"] for one in told if one["deployment_id"] == deployment_id]
        return str(found[0]) if found else GONE


class TestJobs:
    TABLE = row("cancel", PENDING=200, RUNNING=200, COMPLETED=409, FAILED=409, CANCELLED=409)

    @pytest.mark.parametrize("cell", TABLE, ids=named)
    def test_are_cancelled_while_they_have_not_ended(
        self, api: TestClient, container: Container, model_side: ModelSide, cell: Cell
    ):
        made = api.post("/data/analyze", json={"upload_id": model_side.upload(CHURN)}).json()
        job_id = made["job_id"] if cell.state != GONE else "job_none"
        with container.database.engine.begin() as db:
            db.execute(text("update jobs set status = :now"), {"now": cell.state})
        answer = api.post(f"/jobs/{job_id}/cancel")
        assert answer.status_code == cell.answer, answer.text
        if cell.state != GONE:
            told = api.get(f"/jobs/{job_id}").json()
            wanted = (cell.state, cell.answer == 200)
            assert (told["status"], told["cancel_requested"]) == wanted

    def test_the_table_holds_every_state(self):
        assert {cell.state for cell in self.TABLE} == {GONE, *JobStatus}


class TestSessions:
    TABLE = (
        *row("read", ready=200, ended=200, expired=200),
        *row("end", ready=(200, "ended"), ended=200, expired=200),
        *row("query", ended=409, expired=409),
        *row("history", ready=200, ended=200, expired=200),
        *row("make it the default", ready=200, ended=409, expired=409),
    )

    @pytest.mark.parametrize("cell", TABLE, ids=named)
    def test_move_as_the_table_says(
        self, api: TestClient, model_side: ModelSide, clock: FrozenClock, cell: Cell
    ):
        upload = {"upload_id": model_side.upload(CHURN)}
        session_id = api.post("/data/sessions", json=upload).json()["session_id"]
        if cell.state == "ended":
            api.delete(f"/data/sessions/{session_id}")
        if cell.state == "expired":
            clock.advance(hours=24)
        if cell.state == GONE:
            session_id = "sess_none"
        where = f"/data/sessions/{session_id}"
        asked = {"query_type": "sql", "query": "select 1", "session_id": session_id}
        triggers: dict[str, Callable[[], Any]] = {
            "read": lambda: api.get(where),
            "end": lambda: api.delete(where),
            "query": lambda: api.post("/data/query", json=asked),
            "history": lambda: api.get(f"{where}/queries"),
            "make it the default": lambda: api.post(
                "/data/use-upload", json={**upload, "session_id": session_id}
            ),
        }
        answer = triggers[cell.trigger]()
        assert answer.status_code == cell.answer, answer.text
        told = api.get(where)
        becomes = {GONE: None, "expired": "ended"}.get(cell.becomes, cell.becomes)
        assert told.json().get("status") == becomes


class TestIngestions:
    TABLE = (
        *row("read", pending=200, running=200, completed=200, failed=200),
        *row(
            "retrigger",
            pending=409,
            running=409,
            completed=(200, "pending"),
            failed=(200, "pending"),
        ),
        *row(
            "delete",
            pending=(200, GONE),
            running=(200, GONE),
            completed=(200, GONE),
            failed=(200, GONE),
        ),
    )

    def bring(
        self, container: Container, ingestion: dict[str, Any], account: str, state: str
    ) -> None:
        ingestions, ingestion_id = container.service(Ingestions), ingestion["ingestion_id"]
        with container.database.transaction(account) as db:
            if state == "running":
                ingestions.begin(db, ingestion_id, 60.0)
            if state == "failed":
                ingestions.fail(db, ingestion_id, "The database was away.")
            if state == GONE:
                ingestions.delete(db, ingestion_id)

    @pytest.mark.parametrize("cell", [c for c in TABLE if c.state != "completed"], ids=named)
    def test_move_as_the_table_says(
        self, api: TestClient, container: Container, ingestion: dict[str, Any], cell: Cell
    ):
        account = api.get("/auth/user").json()["user_id"]
        self.bring(container, ingestion, account, cell.state)
        self.check(api, ingestion, cell)

    @pytest.mark.parametrize("cell", [c for c in TABLE if c.state == "completed"], ids=named)
    def test_move_on_when_a_run_is_completed(
        self, api: TestClient, ingestion: dict[str, Any], worker: Callable[[], int], cell: Cell
    ):
        worker()
        self.check(api, ingestion, cell)

    def check(self, api: TestClient, ingestion: dict[str, Any], cell: Cell) -> None:
        where = f"/database/ingest/{ingestion['ingestion_id']}"
        triggers: dict[str, Callable[[], Any]] = {
            "read": lambda: api.get(where),
            "retrigger": lambda: api.post(f"{where}/retrigger"),
            "delete": lambda: api.delete(where),
        }
        answer = triggers[cell.trigger]()
        assert answer.status_code == cell.answer, answer.text
        told = api.get(where)
        assert (told.json()["status"] if told.is_success else GONE) == cell.becomes


class TestConnections:
    @pytest.mark.parametrize("schedule", [None, "0 3 * * *"])
    def test_are_kept_while_a_schedule_uses_them(
        self, api: TestClient, ingestion: dict[str, Any], schedule: str | None
    ):
        connection_id = ingestion["connection_id"]
        wish = {"connection_id": connection_id, "table": "orders", "dataset_name": "orders"}
        made = api.post("/database/ingest", json={**wish, "schedule": schedule}).json()
        where = f"/database/connections/{connection_id}"
        if schedule:
            refused = api.delete(where)
            assert (refused.status_code, refused.json()["error"]["code"]) == (
                409,
                "resource_conflict",
            )
            assert api.get(where).json()["status"] == "connected"
            api.delete(f"/database/ingest/{made['ingestion_id']}")
        assert api.delete(where).json()["status"] == "deleted"
        for again in (api.get(where), api.delete(where), api.get(f"{where}/tables")):
            assert again.status_code == 404
        gone = api.post(f"/database/ingest/{ingestion['ingestion_id']}/retrigger")
        assert gone.status_code == 409
        assert api.post("/database/ingest", json=wish).status_code == 404
