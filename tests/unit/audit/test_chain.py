"""The chain of the audit log: whoever tampers with it as the owner of the database is found out."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
import typer
from fastapi.testclient import TestClient
from sqlalchemy import text
from typer.testing import CliRunner

from modelwright.audit.service import HEAD, Audit, Verification
from modelwright.bootstrap.container import Container, build_container
from modelwright.cli.commands import register
from modelwright.core.clock import FrozenClock, SystemClock
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.limits.store import MemoryRateLimitStore
from modelwright.server.app import create_app
from modelwright.storage.object_store import ObjectStore

BODY = {"name": "a", "permission_level": "read_only"}


@pytest.fixture
def five(api: TestClient) -> list[str]:
    """Makes five entries; gives what each is about."""
    return [api.post("/auth/api-keys", json=BODY).json()["key_id"] for _ in range(5)]


@pytest.fixture
def sql(container: Container) -> Callable[[str], None]:
    """Does what only the owner of the database can: past the triggers."""

    def run(statement: str) -> None:
        with container.database.transaction(ALL_ACCOUNTS) as db:
            if db.connection().dialect.name == "sqlite":
                db.execute(text("drop trigger if exists audit_update"))
                db.execute(text("drop trigger if exists audit_delete"))
            else:
                db.execute(text("drop trigger if exists audit_refuse on audit"))
            db.execute(text(statement))

    return run


def verified(container: Container) -> Verification:
    with container.database.transaction(ALL_ACCOUNTS, write=False) as db:
        return container.service(Audit).verify(db)


def carry_out(container: Container, name: str) -> None:
    duty = next(duty for duty in container.duties if duty.name == name)
    with container.database.transaction(ALL_ACCOUNTS) as db:
        duty.carry_out(db)


class TestVerify:
    def test_finds_nothing_in_a_log_as_it_was_written(self, container: Container, five: list[str]):
        carry_out(container, "audit.keep_head")
        found = verified(container)
        assert (found.faults, found.entries, found.kept_head) == ((), len(five), 5)

    def test_of_an_empty_log_finds_nothing(self, container: Container):
        assert verified(container).faults == ()

    @pytest.mark.parametrize(
        "change", ["actor = 'x'", "at = '2001-01-01 00:00:00'", "resource = ''", "key_id = null"]
    )
    def test_names_an_entry_that_was_changed(
        self, container: Container, five: list[str], sql: Callable[[str], None], change: str
    ):
        sql(f"update audit set {change} where sequence = 3")
        [fault] = verified(container).faults
        assert fault.startswith("Entry 3 (aud_")
        assert fault.endswith("was changed.")

    def test_names_those_that_are_missing(
        self, container: Container, five: list[str], sql: Callable[[str], None]
    ):
        sql("delete from audit where sequence in (2, 3)")
        assert verified(container).faults == ("Entries 2 to 3 are missing.",)

    def test_names_the_first_when_it_is_missing(
        self, container: Container, five: list[str], sql: Callable[[str], None]
    ):
        sql("delete from audit where sequence = 1")
        assert verified(container).faults == ("Entry 1 is missing.",)

    def test_names_those_that_changed_places(
        self, container: Container, five: list[str], sql: Callable[[str], None]
    ):
        for was, becomes in ((2, 99), (3, 2), (99, 3)):
            sql(f"update audit set sequence = {becomes} where sequence = {was}")
        faults = verified(container).faults
        assert any(fault.startswith("Entry 2 ") and "changed" in fault for fault in faults)
        assert any(fault.startswith("Entry 3 ") and "changed" in fault for fault in faults)

    def test_names_one_that_was_put_in_beside(
        self, container: Container, five: list[str], sql: Callable[[str], None]
    ):
        sql(
            "insert into audit (entry_id, at, account_id, actor, operation, resource, path,"
            " address, request_id) select 'aud_zzz', at, account_id, actor, operation, resource,"
            " path, address, request_id from audit where sequence = 1"
        )
        found = verified(container)
        assert found.faults == ("The entry aud_zzz was put in beside the chain.",)

    def test_finds_a_tail_that_was_cut_off(
        self, container: Container, five: list[str], sql: Callable[[str], None]
    ):
        sql("delete from audit where sequence = 5")
        assert verified(container).faults == ("Entry 5 is missing at the end.",)

    def test_finds_a_tail_that_was_cut_off_with_the_database_s_own_end(
        self, container: Container, five: list[str], sql: Callable[[str], None]
    ):
        carry_out(container, "audit.keep_head")
        sql("delete from audit where sequence >= 4")
        sql("update audit_heads set sequence = 3")
        sql("update audit_heads set digest = (select digest from audit where sequence = 3)")
        assert verified(container).faults == ("Entries 4 to 5 are missing at the end.",)

    def test_finds_a_log_that_was_written_anew(
        self, container: Container, api: TestClient, five: list[str], sql: Callable[[str], None]
    ):
        carry_out(container, "audit.keep_head")
        sql("delete from audit")
        sql("delete from audit_heads")
        for _ in range(6):
            api.post("/auth/api-keys", json=BODY)
        [fault] = verified(container).faults
        assert fault.startswith("Entry 5 (aud_")
        assert "not the one that the store knows" in fault

    def test_finds_an_end_in_the_store_that_nobody_signed(
        self, container: Container, five: list[str]
    ):
        with container.service(ObjectStore).writer(HEAD) as writer:  # type: ignore[type-abstract]
            writer.write(b'{"sequence": 5, "digest": "", "signature": ""}')
            writer.commit()
        assert "not signed by us" in verified(container).faults[0]

    def test_tells_of_entries_from_before_the_chain(
        self, container: Container, five: list[str], sql: Callable[[str], None]
    ):
        sql(
            "insert into audit (entry_id, at, account_id, actor, operation, resource, path,"
            " address, request_id) select 'aud_000', at, account_id, actor, operation, resource,"
            " path, address, request_id from audit where sequence = 1"
        )
        found = verified(container)
        assert (found.faults, found.unchained, found.entries) == ((), 1, 5)


class TestWriters:
    def test_at_the_same_time_make_one_chain(
        self,
        container: Container,
        as_key: Callable[[str], TestClient],
        make_key: Callable[..., str],
    ):
        clients = [as_key(make_key(f"user{number}@example.org")) for number in range(4)]

        def write(client: TestClient) -> None:
            for _ in range(10):
                assert client.post("/auth/api-keys", json=BODY).status_code == 200

        threads = [threading.Thread(target=write, args=[client]) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        found = verified(container)
        assert (found.faults, found.entries) == ((), 40)

    def test_one_that_fails_leaves_no_gap(self, container: Container, five: list[str]):
        def write_and_fail() -> None:
            with container.database.transaction(ALL_ACCOUNTS) as db:
                container.service(Audit).record_command(db, "users.create", "user_1", "a")
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            write_and_fail()
        with container.database.transaction(ALL_ACCOUNTS) as db:
            container.service(Audit).record_command(db, "users.create", "user_1", "a\0b")
        found = verified(container)
        assert (found.faults, found.entries) == ((), 6)


class TestFailClosed:
    @pytest.fixture
    def broken(self, five: list[str], sql: Callable[[str], None]) -> None:
        """Nothing can be written at the end of the chain: its next place is taken."""
        sql("update audit_heads set sequence = 1")

    @pytest.mark.usefixtures("broken")
    def test_what_cannot_be_recorded_is_not_done(self, api: TestClient):
        before = api.get("/auth/api-keys").json()["pagination"]["total"]
        answer = api.post("/auth/api-keys", json=BODY)
        assert answer.status_code >= 500, answer.text
        assert "audit log" in answer.json()["error"]["message"]
        assert api.get("/auth/api-keys").json()["pagination"]["total"] == before

    @pytest.mark.usefixtures("broken")
    def test_is_done_all_the_same_where_the_operator_said_so(
        self, api: TestClient, settings: Settings, clock: FrozenClock
    ):
        lax = build_container(
            settings.model_copy(update={"audit_required": False}),
            clock=clock,
            counters=MemoryRateLimitStore(clock),
        )
        client = TestClient(create_app(lax), headers=dict(api.headers))
        assert client.post("/auth/api-keys", json=BODY).status_code == 200
        lax.database.close()


class TestPruning:
    @pytest.fixture
    def pruned(self, api: TestClient, container: Container, clock: FrozenClock) -> None:
        days = container.settings.audit_retention_days
        clock.moment = SystemClock().now() - timedelta(days=days)
        for _ in range(3):
            api.post("/auth/api-keys", json=BODY)
            clock.advance(days=1)
        clock.moment = SystemClock().now() + timedelta(hours=25)
        carry_out(container, "audit.sweep")

    @pytest.mark.usefixtures("pruned")
    def test_leaves_a_signed_anchor_that_the_chain_hangs_from(
        self, container: Container, api: TestClient
    ):
        api.post("/auth/api-keys", json=BODY)
        found = verified(container)
        assert (found.faults, found.pruned, found.entries) == ((), 2, 2)

    @pytest.mark.usefixtures("pruned")
    def test_an_anchor_that_somebody_made_is_found(
        self, container: Container, sql: Callable[[str], None]
    ):
        sql("delete from audit where sequence = 3")
        sql("update audit_anchors set sequence = 3")
        assert verified(container).faults[0].endswith("was not signed by this server.")


class TestCommand:
    @pytest.mark.usefixtures("command_line")
    def test_names_what_it_finds_and_fails(
        self, container: Container, five: list[str], sql: Callable[[str], None]
    ):
        app = typer.Typer()
        register(app)
        carry_out(container, "audit.keep_head")
        good = CliRunner().invoke(app, ["audit", "--verify"])
        assert (good.exit_code, "5 entries are as they were written" in good.output) == (0, True)
        sql("update audit set actor = 'x' where sequence = 2")
        bad = CliRunner().invoke(app, ["audit", "--verify"])
        assert bad.exit_code == 1
        assert bad.output.startswith("Entry 2 (aud_")

    @pytest.mark.usefixtures("command_line", "five")
    def test_shows_those_of_an_account_and_of_a_resource(self, five: list[str]):
        app = typer.Typer()
        register(app)
        one = CliRunner().invoke(app, ["audit", "--resource", five[2]])
        assert one.output.count("keys.create") == 1
        all_ = CliRunner().invoke(app, ["audit", "--account", "ana@example.org"])
        assert all_.output.count("keys.create") == 5
        nobody = CliRunner().invoke(app, ["audit", "--account", "nobody@example.org"])
        assert nobody.exit_code == 1
