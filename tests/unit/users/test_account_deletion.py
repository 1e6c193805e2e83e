"""`modelwright users delete`: an account goes with all it owns, and nobody else's goes with it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from tests.factories import CHURN, ModelSide
from typer.testing import CliRunner, Result

from modelwright.audit.domain import AuditFilter
from modelwright.audit.service import Audit
from modelwright.bootstrap.container import Container
from modelwright.cli.users import users_app
from modelwright.core.clock import FrozenClock, SystemClock
from modelwright.core.db.database import ALL_ACCOUNTS, AccountOwned, Base
from modelwright.core.http.paging import Page
from modelwright.core.ids import new_id
from modelwright.jobs.domain import Kind
from modelwright.jobs.service import Jobs
from modelwright.storage.object_store import ObjectStore
from modelwright.usage.domain import Kind as Used
from modelwright.usage.service import Usage
from modelwright.users.account_deletion import LATE, AccountDeletion
from modelwright.users.service import Users

pytestmark = pytest.mark.usefixtures("command_line", "in_process_children")
ANA = "ana@example.org"


def delete(*words: str, said: str | None = None) -> Result:
    return CliRunner().invoke(users_app, ["delete", *words], input=said)


def owned(container: Container, account_id: str) -> dict[str, int]:
    """Counts the rows of an account by table."""
    tables: set[Any] = {
        mapper.local_table
        for mapper in Base.registry.mappers
        if issubclass(mapper.class_, AccountOwned)
    }
    with container.database.transaction(ALL_ACCOUNTS, write=False) as db:
        counted = {
            table.name: db.scalar(
                select(func.count()).select_from(table).where(table.c.account_id == account_id)
            )
            for table in tables
        }
    return {name: count for name, count in counted.items() if count}


def furnish(container: Container, client: TestClient, worker: Callable[[], int]) -> str:
    """Gives an account something of nearly everything; returns its id."""
    account_id = client.get("/auth/user").json()["user_id"]
    model_side = ModelSide(container, account_id)
    upload_id = model_side.upload(CHURN, name="churn")
    version = model_side.ready("churn")
    objects = container.service(ObjectStore)  # type: ignore[type-abstract]
    with objects.writer(f"artifacts/{version.version_id}/1/artifact.json") as writer:
        writer.commit()
    for path in ("/data/analyze", "/data/export", "/data/sessions"):
        assert client.post(path, json={"upload_id": upload_id}).status_code == 200
    worker()
    key = {"name": "more", "permission_level": "read_only"}
    named = {"Idempotency-Key": new_id("test")}
    assert client.post("/auth/api-keys", json=key, headers=named).status_code == 200
    container.service(Usage).flush()
    model_side.draft("waiting", upload_id)
    return account_id


class TestDelete:
    def test_everything_it_owns_goes_and_others_keep_theirs(
        self,
        container: Container,
        api: TestClient,
        other_account_client: TestClient,
        worker: Callable[[], int],
    ) -> None:
        objects = container.service(ObjectStore)  # type: ignore[type-abstract]
        others = furnish(container, other_account_client, worker)
        prefixes = ("uploads", "tables", "artifacts", "analyses", "exports")
        worker()
        theirs = {key for prefix in prefixes for key in objects.keys(prefix)}
        account_id = furnish(container, api, worker)
        kept = owned(container, others)
        assert owned(container, account_id).keys() >= kept.keys() > {"jobs", "models", "uploads"}
        told = delete(ANA, "--yes")
        assert (told.exit_code, told.output.splitlines()[-1]) == (0, f"{ANA} is gone.")
        assert owned(container, account_id) == {}
        assert owned(container, others) == kept
        assert {key for prefix in prefixes for key in objects.keys(prefix)} == theirs
        assert api.get("/models").json()["error"]["code"] == "invalid_key"
        assert other_account_client.get("/models").json()["pagination"]["total"] == 2
        listed = CliRunner().invoke(users_app, ["list"]).output
        assert ANA not in listed
        assert delete(ANA, "--yes").exit_code == 1

    def test_the_log_keeps_what_it_did_and_tells_of_its_end(
        self, container: Container, api: TestClient, worker: Callable[[], int]
    ) -> None:
        account_id = furnish(container, api, worker)
        assert delete(account_id, "--yes").exit_code == 0
        with container.database.transaction(ALL_ACCOUNTS, write=False) as db:
            sought = AuditFilter(account_id=account_id)
            entries, _ = container.service(Audit).list_(db, sought, Page(100, 0))
        assert entries[0].operation == "users.delete"
        assert (entries[0].resource, entries[0].actor) == (ANA, "command line")
        assert "keys.create" in {entry.operation for entry in entries}

    def test_its_e_mail_may_come_again_and_finds_nothing(
        self,
        container: Container,
        api: TestClient,
        worker: Callable[[], int],
        make_key: Callable[..., str],
        as_key: Callable[[str], TestClient],
    ) -> None:
        furnish(container, api, worker)
        delete(ANA, "--yes")
        again = as_key(make_key(ANA))
        assert again.get("/models").json()["pagination"]["total"] == 0
        assert again.get("/uploads").json()["pagination"]["total"] == 0

    def test_what_comes_late_is_cleared_for_a_day(
        self, container: Container, api: TestClient, clock: FrozenClock
    ) -> None:
        account_id = api.get("/auth/user").json()["user_id"]
        delete(ANA, "--yes")
        clock.moment = SystemClock().now()

        def come_late() -> None:
            container.service(Usage).record(account_id, Used.REQUESTS)
            container.service(Usage).flush()
            with container.database.transaction(account_id) as db:
                container.service(Jobs).enqueue(db, Kind.BUILD, "ver_1")

        for elapsed in (timedelta(minutes=10), LATE):
            come_late()
            assert owned(container, account_id).keys() == {"usage", "jobs"}
            clock.moment += elapsed
            with container.database.transaction(ALL_ACCOUNTS) as db:
                container.service(AccountDeletion).sweep(db)
            assert owned(container, account_id) == {}
        come_late()
        with container.database.transaction(ALL_ACCOUNTS) as db:
            container.service(AccountDeletion).sweep(db)
        assert owned(container, account_id)


class TestRefusals:
    def test_the_operator_stays(self, container: Container) -> None:
        with container.database.transaction(ALL_ACCOUNTS) as db:
            operator = container.service(Users).operator(db, container.settings.operator_email)
        told = delete(operator.email, "--yes")
        assert told.exit_code == 1
        assert "operator" in told.output
        assert self._exists(container, operator.email)

    def test_an_unknown_account_is_named(self) -> None:
        told = delete("nobody@example.org", "--yes")
        assert told.exit_code == 1
        assert "nobody@example.org" in told.output

    @pytest.mark.parametrize("said", ["n\n", "\n", ""])
    def test_without_a_yes_nothing_happens(
        self, container: Container, api: TestClient, said: str
    ) -> None:
        told = delete(ANA, said=said)
        assert told.exit_code == 1
        assert f"Delete {ANA} with its models" in told.output
        assert self._exists(container, ANA)
        assert api.get("/models").status_code == 200

    def test_a_yes_is_enough(self, container: Container, api: TestClient) -> None:
        assert delete(ANA, said="y\n").exit_code == 0
        assert api.get("/models").status_code == 401

    @staticmethod
    def _exists(container: Container, email: str) -> bool:
        def emails(db: Session) -> set[str]:
            return {user.email for user in container.service(Users).list_(db)}

        with container.database.transaction(ALL_ACCOUNTS, write=False) as db:
            return email in emails(db)
