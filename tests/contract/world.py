"""One application in which every operation was carried out for real, and what each answered."""

import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pyotp
from fastapi.testclient import TestClient
from tests.contract.walking import told_of
from tests.factories import CHURN, make_runner, next_job

from modelwright.api_keys.service import Keys
from modelwright.bootstrap.container import Container
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.http.context import Level, Tier
from modelwright.core.ids import new_id
from modelwright.machines.domain import MachinePart
from modelwright.machines.service import Machines
from modelwright.users.console_sessions import SignIn
from modelwright.users.service import Users

EMAIL = "ana@example.org"
PASSWORD = "correct horse battery"
RECORDS = b'[{"id": 1, "city": "Oslo"}, {"id": 2, "city": null}]'
ROW = {"plan": "basic", "age": 30}
UNREADABLE = (b'{"plan": ', b'{"plan": "\xff"}', b"[" * 100_000, b'{"plan": "\\ud800"}', b"")
"""Bodies that nobody can read."""
SOON = 60.0


class World:
    """Carries operations out by their name and keeps what they answered."""

    origins: tuple[str, ...] = ("http://testserver/",)
    """What addresses in answers begin with."""
    caller = "testclient"
    """The address that requests come from."""

    def __init__(self, container: Container, running: Any) -> None:
        self.container = container
        self._running = running
        self.answers: dict[str, list[httpx2.Response]] = defaultdict(list)
        self.unreadable: list[httpx2.Response] = []
        self.anonymous_client = self._client()
        self.api = self._client(self._key(Level.READ_WRITE))
        self.admin = self._client(self._key(Level.ADMIN))
        self.stranger = self._client(self._key(Level.READ_WRITE, "ben@example.org"))
        self._places = {
            told["operationId"]: (verb, path)
            for path, verbs in self._paths().items()
            for verb, told in verbs.items()
        }
        self._runner = make_runner(container)

    def _paths(self) -> dict[str, Any]:
        """The paths of the OpenAPI document."""
        return dict(told_of(self._running.app)["paths"])

    def host(self) -> Any:
        """What brings replicas up when it is turned."""
        return self.container.host()

    def do(
        self,
        name: str,
        body: Any = None,
        *,
        client: TestClient | None = None,
        query: str = "",
        headers: dict[str, str] | None = None,
        **path: str,
    ) -> Any:
        """Sends one request to an operation; keeps the answer and returns its JSON."""
        verb, template = self._places[name]
        url = template.format(**path) + query
        answer = (client or self.api).request(verb, url, json=body, headers=headers)
        assert answer.status_code == 200, f"{name}: {answer.text}"
        self.answers[name].append(answer)
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        return answer.json() if is_json else None

    def sign_in_elsewhere(self, browser: TestClient) -> None:
        """Leads a browser to the sign-in provider and back."""
        left = browser.get("/console/oidc")
        back = browser.get(httpx.get(left.headers["location"]).headers["location"])
        assert (left.status_code, back.status_code) == (303, 303), back.text
        self.answers["users.leave"].append(left)
        self.answers["users.arrive"].append(back)

    def work(self) -> None:
        """Carries out what waits."""
        runner = self._runner
        while job := next_job(runner):
            self._runner.carry_out(job, self._runner.begin(job))

    def upload(self, files: dict[str, bytes], **members: Any) -> str:
        """Takes files all the way from the declaration to their tables."""
        declared = [{"filename": name, "content_type": "text/csv"} for name in files]
        upload = self.do("uploads.create", {"files": declared, **members})
        for file in upload["files"]:
            answer = self.anonymous_client.put(
                file["presigned_url"], content=files[file["filename"]]
            )
            self.answers["storage.put"].append(answer)
        listed = [
            {name: one[name] for name in ("filename", "object_key")} for one in upload["files"]
        ]
        self.do(
            "uploads.confirm",
            {"upload_id": upload["upload_id"], "status": "complete", "files": listed},
        )
        self.work()
        return str(upload["upload_id"])

    def _key(self, level: Level, email: str = EMAIL) -> str:
        with self.container.database.transaction(ALL_ACCOUNTS) as db:
            users = self.container.service(Users)
            account = users.for_key(db, email)
            users.amend(db, account.user_id, tier=Tier.ENTERPRISE.name.lower())
            keys = self.container.service(Keys)
            return keys.issue(db, account.user_id, email, "tour", level, None).secret

    def _client(self, key: str = "") -> TestClient:
        client = TestClient(
            self._running.app,
            raise_server_exceptions=False,
            follow_redirects=False,
            headers={"x-api-key": key} if key else None,
        )
        client.portal = self._running.portal
        return client


def tour(world: World) -> None:
    """Carries out every operation at least once, in the states that answer differently."""
    _keys_and_accounts(world)
    _uploads(world)
    _models(world)
    _questions(world)
    _databases(world)
    _jobs(world)
    _trash(world)
    for _ in range(2):  # behind all work: nothing brings these up
        world.do("deployments.deploy", model_name="churn")
    world.do("audit.list", client=world.admin)
    world.do("users.list", client=world.admin)
    _machines(world)


def _keys_and_accounts(world: World) -> None:
    body = {"name": "reporting", "permission_level": "read_only", "expiration_days": 3}
    key = world.do("keys.create", body)
    world.anonymous_client.get("/auth/user", headers={"x-api-key": key["key"]})
    world.do("keys.read", keyId=key["key_id"])
    world.do("keys.amend", {"name": "reports", "expiration_days": None}, keyId=key["key_id"])
    world.do("keys.rotate", {"overlap_hours": 1}, keyId=key["key_id"])
    world.do("keys.revoke", keyId=key["key_id"])
    world.do("keys.read", keyId=key["key_id"])
    world.do("keys.list")
    world.do("users.me")
    world.do("usage.read")
    world.do("health.read", client=world.anonymous_client)
    with world.container.database.transaction(ALL_ACCOUNTS) as db:
        account = world.container.service(Users).find(db, EMAIL)
        world.container.service(SignIn).set_password(db, account.user_id, PASSWORD)
    browser = world._client()
    session = world.do("users.sign_in", {"email": EMAIL, "password": PASSWORD}, client=browser)
    world.do("users.session", client=browser)
    other = world._client()
    world.do("users.sign_in", {"email": EMAIL, "password": PASSWORD}, client=other)
    opened = world.do("users.sessions")["sessions"]
    world.do("users.end_session", console_session_id=opened[0]["console_session_id"])
    world.do("audit.security")
    world.do("signing.keys")
    token = {"X-CSRF-Token": session["csrf_token"]}
    change = {"current_password": PASSWORD, "password": PASSWORD + "!"}
    begun = world.do("users.begin_second_factor", {"password": PASSWORD})
    moment = world.container.clock.now()
    code = pyotp.TOTP(begun["secret"]).at(moment)
    recovery = world.do("users.confirm_second_factor", {"code": code})["recovery_codes"]
    world.do("users.second_factor")
    world.do("users.disable_second_factor", {"code": recovery[0]})
    session = world.do("users.change_password", change, client=browser, headers=token)
    token = {"X-CSRF-Token": session["csrf_token"]}
    world.do("users.sign_out", client=browser, headers=token)
    world.do("users.ways", client=browser)
    world.sign_in_elsewhere(browser)


def _uploads(world: World) -> None:
    waiting = world.do(
        "uploads.create", {"files": [{"filename": "late.csv", "content_type": "text/csv"}]}
    )
    world.do("uploads.resume")
    _parts(world)
    given_up = {"upload_id": waiting["upload_id"], "status": "failed", "files": []}
    world.do("uploads.confirm", given_up)
    broken = world.upload({"broken.csv": b""}, name="broken", description="nothing in it")
    records = world.upload({"cities.json": RECORDS, "more.csv": b"a,b\n1,x\n"})
    for filename in ("cities.json", "more.csv"):
        world.do("datasets.preview", upload_id=records, filename=filename)
    again = {"delimiter": ",", "types": {"a": "string"}}
    world.do("uploads.reparse", again, upload_id=records, filename="more.csv")
    world.work()
    for upload_id in (waiting["upload_id"], broken, records):
        world.do("uploads.read", upload_id=upload_id)
    world.do("uploads.delete", upload_id=broken)
    world.do("uploads.list")


def _parts(world: World) -> None:
    file = {"filename": "a.csv", "content_type": "text/csv", "size_bytes": 4}
    upload = world.do("uploads.create", {"files": [file]})
    place = {"upload_id": upload["upload_id"], "filename": "a.csv"}
    (part,) = world.do("uploads.missing_parts", **place)["parts"]
    world.anonymous_client.put(part["presigned_url"], content=b"a\n1\n")
    world.do("uploads.progress", **place)
    world.do("uploads.complete_file", {}, **place)
    world.do("uploads.delete", upload_id=upload["upload_id"])


def _trash(world: World) -> None:
    gone = [world.upload({"gone.csv": CHURN.encode()}) for _ in range(3)]
    for upload_id in gone:
        world.do("uploads.delete", upload_id=upload_id)
    world.do("trash.list")
    world.do("trash.restore", {}, item_id=gone[0])
    world.do("trash.purge", item_id=gone[1])
    world.do("trash.empty")
    for _ in range(2):  # these stay there
        left = world.upload({"left.csv": CHURN.encode()})
        world.do("uploads.delete", upload_id=left)
    world.do("trash.list")


def _models(world: World) -> None:
    world.upload({"churn.csv": CHURN.encode()}, name="churn")
    upload_id = world.upload({"churn.csv": CHURN.encode()}, name="churn")
    world.do("datasets.versions", dataset_name="churn")
    world.do("catalog.read", dataset_name="churn")
    said = {"tables": {"churn": {"columns": {"plan": {"synonyms": ["tariff"]}}}}}
    world.do("catalog.update", said, dataset_name="churn")
    wish = {"intent": "Predict churn", "dataset_id": "churn", "max_iterations": 1}
    world.do("builds.plan", wish, model_name="churn")
    world.do("builds.create", {**wish, "tags": ["tour"]}, model_name="churn")
    version: dict[str, Any] = {"model_name": "churn", "model_version": "v1.0"}
    _look_at(world, version)
    world.work()
    _look_at(world, version)
    world.do("uploads.read", upload_id=upload_id)
    world.do("models.card", **version)
    world.do("builds.artifact", **version)
    world.do("models.amend", {"description": "Who leaves"}, model_name="churn")
    seen = world.do("predictions.infer", ROW, **version)["request_id"]
    world.do("monitoring.feedback", {"request_id": seen, "actual": "no"}, **version)
    world.do("monitoring.read", **version)
    world.do("scoring.start", {"upload_id": upload_id}, **version)
    world.do("predictions.many", [ROW, {"plan": "pro", "age": 41}], **version)
    _deployments(world)
    world.do("builds.retrain", {"max_iterations": 1}, model_name="churn")
    world.work()
    _endpoints(world)
    world.do("builds.create_version", {"dataset_id": upload_id}, model_name="churn")
    world.do("builds.create", {**wish, "dataset_id": upload_id}, model_name="doomed")
    for job in world.do("jobs.list", query="?status=PENDING")["jobs"]:
        world.do("jobs.cancel", job_id=job["job_id"])
    world.do("models.delete", model_name="doomed")
    world.do("builds.create", {**wish, "dataset_id": upload_id}, model_name="Another")
    world.do("models.list")


def _look_at(world: World, version: dict[str, Any]) -> None:
    name = version["model_name"]
    world.do("models.read", model_name=name)
    world.do("models.versions", model_name=name)
    world.do("models.status", **version)
    world.do("models.describe", **version)


def _deployments(world: World) -> None:
    host = world.host()
    try:
        made = world.do("deployments.deploy", {"environment": "staging"}, model_name="churn")

        def shown() -> list[dict[str, Any]]:
            return list(world.do("deployments.list", model_name="churn")["deployments"])

        _turn_until(host.turn, lambda: shown()[0]["status"] == "ACTIVE")
        where = {"deployment_id": made["deployment_id"]}
        world.do("deployments.infer", ROW, **where)
        world.do("deployments.infer", [ROW], **where)
        world.unreadable = [world.api.post(made["endpoint"], content=it) for it in UNREADABLE]
        world.do("models.read", model_name="churn")
        world.do("deployments.undeploy", model_name="churn", **where)
        _turn_until(host.turn, lambda: shown() == [])
    finally:
        host.close()


def _endpoints(world: World) -> None:
    where: dict[str, Any] = {"model_name": "churn", "environment": "production"}
    world.do("endpoints.promote", {"model_version": "v1.1"}, **where)
    world.do("endpoints.rollback", **where)
    world.do("endpoints.read", **where)
    world.do("endpoints.history", **where)
    world.do("endpoints.list", model_name="churn")
    world.do("endpoints.infer", ROW, model_name="churn")
    world.do("endpoints.many", [ROW, ROW], model_name="churn")


def _turn_until(turn: Callable[[], None], true: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < end
        turn()
        time.sleep(0.02)


def _questions(world: World) -> None:
    upload_id = world.do("uploads.list", query="?status=complete&limit=1")["uploads"][0][
        "upload_id"
    ]
    world.do("sessions.create", {"upload_id": upload_id})
    session = world.do("sessions.create", {"upload_id": upload_id})["session_id"]
    world.do("sessions.use", {"upload_id": upload_id})
    asked = {"session_id": session, "max_results": 5}
    table = {**asked, "query_type": "sql", "query": "select plan, age from churn"}
    world.do("queries.ask", table)
    words = {
        **asked,
        "query_type": "natural_language",
        "query": "average age by plan as a bar chart",
    }
    for question in ("number of rows by plan", "how many rows are there", words["query"]):
        query_id = world.do("queries.ask", {**words, "query": question})["query_id"]
        world.do("queries.verify", query_id=query_id)
    world.do("queries.list", session_id=session)
    world.do("queries.verified")
    world.do("queries.unverify", query_id=query_id)
    analysis = world.do("analysis.create", {"upload_id": upload_id})["job_id"]
    export = world.do("exports.create", {"upload_id": upload_id, "format": "csv"})["export_id"]
    world.work()
    world.do("analysis.read", job_id=analysis)
    picture = world.do("analysis.visualizations")["visualizations"][0]["data_url"]
    world.do("analysis.visualization", filename=picture.rpartition("/")[2])
    made = world.do("exports.read", export_id=export)["files"][0]
    world.do("exports.download", export_id=export, filename=made["filename"])
    world.answers["storage.get"].append(world.anonymous_client.get(made["download_url"]))
    world.do("sessions.read", session_id=session)
    world.do("sessions.list")
    world.do("sessions.end", session_id=session)


def make_shop(folder: Path) -> None:
    """Makes a small SQLite database to connect to."""
    folder.mkdir()
    with closing(sqlite3.connect(folder / "shop.db")) as db:
        db.executescript("create table cities (name text)")
        db.executescript("create table orders (id integer); insert into orders values (1)")


def _databases(world: World) -> None:
    body = {"name": "shop", "type": "sqlite", "database": "shop.db"}
    world.do("connections.create", body)
    used = world.do("connections.create", body)["connection_id"]
    other = world.do("connections.create", body)["connection_id"]
    world.do("connections.list")
    world.do("connections.tables", connection_id=used)
    wish = {"connection_id": used, "table": "orders", "dataset_name": "orders"}
    ingestion = world.do("ingestions.create", wish)["ingestion_id"]
    world.work()
    world.do("ingestions.read", ingestion_id=ingestion)
    world.do("connections.read", connection_id=used)
    world.do("ingestions.retrigger", ingestion_id=ingestion)
    for _ in range(2):
        world.do("ingestions.create", wish)
    world.do("ingestions.list")
    world.do("ingestions.delete", ingestion_id=ingestion)
    world.do("connections.delete", connection_id=other)


def _machines(world: World) -> None:
    """Has another machine say that it is there."""
    here = world.container.service(Machines)
    other = replace(here.here, machine_id=new_id("machine"), name="another")
    with world.container.database.transaction(ALL_ACCOUNTS) as db:
        here.beat(db, MachinePart.API)
        Machines(world.container.clock, other).beat(db, MachinePart.WORKER)
    world.do("machines.list", client=world.admin)


def _jobs(world: World) -> None:
    for job in world.do("jobs.list", query="?limit=100")["jobs"]:
        world.do("jobs.read", job_id=job["job_id"])
        if job["status"] == "COMPLETED":
            world.do("jobs.logs", job_id=job["job_id"])
    done = world.do("jobs.list", query="?kind=build&status=COMPLETED")["jobs"][0]["job_id"]
    world.do("builds.logs", query=f"?job_id={done}")
    world.do("jobs.follow", job_id=done, headers={"Last-Event-ID": "0"})
