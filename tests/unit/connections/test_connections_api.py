"""Stored databases over HTTP."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr
from sqlalchemy import text
from tests.ports import free_port
from tests.unit.connections.conftest import SQLITE
from tests.unit.connections.servers import PASSWORD, Server

from modelwright.bootstrap.container import Container, build_container
from modelwright.core.config.settings import Settings
from modelwright.core.http.context import Tier
from modelwright.server.app import create_app

pytestmark = pytest.mark.usefixtures("in_process_children")
URL = "/database/connections"


def refusal(answer: Any, status: int, field: str) -> str:
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["details"][0]["field"] == field, error
    assert PASSWORD not in answer.text
    assert "Traceback" not in answer.text
    return str(error["message"])


class TestCreate:
    def test_a_postgresql_is_stored_without_showing_its_password(
        self, api: TestClient, postgresql: Server
    ):
        answer = api.post(URL, json=postgresql.body(options={"sslmode": "require"}))
        assert answer.status_code == 200, answer.text
        told = answer.json()
        assert told["connection_id"].startswith("conn_")
        assert (told["status"], told["error"], told["last_used_at"]) == ("connected", None, None)
        assert told["options"] == {"sslmode": "require"}
        assert (told["host"], told["port"]) == ("127.0.0.1", postgresql.port)
        assert "password" not in told
        assert api.get(f"{URL}/{told['connection_id']}").json() == told
        assert PASSWORD not in api.get(URL).text

    def test_a_certificate_is_checked_against_the_authorities_that_the_operator_names(
        self, api: TestClient, postgresql: Server, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setenv("SSL_CERT_FILE", str(postgresql.certificate))
        checked = {"sslmode": "verify-full"}
        body = postgresql.body(host="localhost", options=checked)
        assert api.post(URL, json=body).status_code == 200
        refusal(api.post(URL, json=postgresql.body(options=checked)), 422, "host")

    def test_a_mariadb_is_stored(self, api: TestClient, mariadb: Server):
        answer = api.post(URL, json=mariadb.body())
        assert (answer.status_code, answer.json()["status"]) == (200, "connected")

    def test_a_sqlite_file_is_stored(self, api: TestClient):
        told = api.post(URL, json=SQLITE).json()
        assert (told["status"], told["host"], told["username"]) == ("connected", None, None)

    def test_a_name_that_no_file_can_have_is_no_file(self, api: TestClient):
        answer = api.post(URL, json={**SQLITE, "database": "0" * 1000})
        refusal(answer, 422, "database")

    def test_the_password_is_sealed_at_rest(
        self, container: Container, postgresql: Server, connect: Callable[..., str]
    ):
        connect(postgresql.body())
        connect(postgresql.body())
        with container.database.engine.connect() as db:
            rows = db.execute(text("select * from connections")).mappings().all()
        assert PASSWORD not in str(rows)
        assert len({row["sealed"] for row in rows}) == 2
        assert (container.settings.data_dir / "secret.key").stat().st_mode & 0o777 == 0o600

    def test_a_secret_of_the_operator_s_seals_it_for_every_machine(
        self, settings: Settings, make_key: Callable[..., str], postgresql: Server
    ):
        def machine(name: str, secret: str) -> TestClient:
            told = {"data_dir": settings.data_dir.parent / name, "secret_key": SecretStr(secret)}
            told |= {"database_url": settings.database}
            container = build_container(settings.model_copy(update=told))
            assert not (container.settings.data_dir / "secret.key").exists()
            return TestClient(create_app(container), headers={"x-api-key": key})

        key = make_key()
        here, there, stranger = machine("a", "x"), machine("b", "x"), machine("c", "y")
        made = here.post(URL, json=postgresql.body()).json()["connection_id"]
        assert there.get(f"{URL}/{made}/tables").status_code == 200
        answer = stranger.get(f"{URL}/{made}/tables")
        assert answer.status_code == 409
        assert "password" in answer.json()["error"]["message"]

    def test_a_repeated_request_is_answered_as_the_first(self, api: TestClient, folder: Path):
        first = api.post(URL, json=SQLITE, headers={"Idempotency-Key": "a"})
        (folder / "shop.db").unlink()
        again = api.post(URL, json=SQLITE, headers={"Idempotency-Key": "a"})
        assert again.json() == first.json()
        assert len(api.get(URL).json()["connections"]) == 1

    def test_a_creation_counts_as_one_request(
        self, as_key: Callable[[str], TestClient], make_key: Callable[..., str]
    ):
        basic = as_key(make_key("basic@example.org", tier=Tier.BASIC))
        assert basic.post(URL, json=SQLITE).status_code == 200
        assert basic.get(URL).headers["x-ratelimit-remaining"] == "98"


class TestRefusals:
    def test_a_wrong_password_is_422_with_the_drivers_reason(
        self, api: TestClient, postgresql: Server
    ):
        answer = api.post(URL, json=postgresql.body(password="wrong-one"))
        told = 'password: password authentication failed for user "owner".'
        assert refusal(answer, 422, "password") == told
        assert "wrong-one" not in answer.text
        assert api.get(URL).json()["connections"] == []

    def test_a_wrong_password_of_mariadb_is_422(self, api: TestClient, mariadb: Server):
        answer = api.post(URL, json=mariadb.body(password="wrong-one"))
        assert "Access denied for user 'owner'" in refusal(answer, 422, "password")
        assert "wrong-one" not in answer.text

    @pytest.mark.parametrize("kind", ["postgresql", "mysql"])
    def test_a_port_where_nobody_listens_is_422(self, api: TestClient, kind: str):
        body = {"name": "a", "type": kind, "host": "127.0.0.1", "database": "a", "username": "a"}
        answer = api.post(URL, json=body | {"port": free_port()})
        assert "refused" in refusal(answer, 422, "host")

    @pytest.mark.parametrize("kind", ["postgresql", "mysql"])
    def test_a_host_without_an_address_is_422(self, api: TestClient, kind: str):
        body = {"name": "a", "type": kind, "database": "a", "username": "a"}
        answer = api.post(URL, json=body | {"host": "nowhere.invalid"})
        assert "nowhere.invalid has no address" in refusal(answer, 422, "host")

    def test_an_unknown_database_is_422(self, api: TestClient, postgresql: Server, mariadb: Server):
        for server in (postgresql, mariadb):
            answer = api.post(URL, json=server.body(database="not_there"))
            assert "not_there" in refusal(answer, 422, "database")

    def test_a_reason_is_told_without_the_tries_it_came_by(
        self, api: TestClient, postgresql: Server
    ):
        answer = api.post(URL, json=postgresql.body(host="localhost", port=free_port()))
        told = refusal(answer, 422, "host")
        assert told.startswith("host: Connection refused. Is the server running")

    @pytest.mark.parametrize("kind", ["oracle", "", "POSTGRESQL", "sqlite3"])
    def test_an_unknown_type_is_422(self, api: TestClient, kind: str):
        assert "type" in refusal(api.post(URL, json=SQLITE | {"type": kind}), 422, "type")

    @pytest.mark.parametrize("field", ["name", "type", "database"])
    def test_what_every_type_needs_is_400_without(self, api: TestClient, field: str):
        body = {name: value for name, value in SQLITE.items() if name != field}
        refusal(api.post(URL, json=body), 400, field)

    @pytest.mark.parametrize("field", ["host", "username"])
    def test_what_servers_need_is_400_without(
        self, api: TestClient, postgresql: Server, field: str
    ):
        body = postgresql.body()
        del body[field]
        refusal(api.post(URL, json=body), 400, field)

    @pytest.mark.parametrize("field", ["database", "username"])
    def test_a_name_of_several_lines_is_422(self, api: TestClient, field: str):
        """It would be sent to whatever listens there, which may obey its second line."""
        body = SQLITE | {"type": "postgresql", "host": "127.0.0.1", "username": "a"}
        answer = api.post(URL, json=body | {field: "a\r\nMAIL FROM:<a@example.org>"})
        assert "control characters" in refusal(answer, 422, field)

    @pytest.mark.parametrize(
        "option",
        ["sslkey", "sslcert", "sslrootcert", "service", "passfile", "options", "host", "hostaddr"],
    )
    def test_options_that_open_files_or_lead_elsewhere_are_422(
        self, api: TestClient, postgresql: Server, option: str
    ):
        answer = api.post(URL, json=postgresql.body(options={option: "/etc/passwd"}))
        assert "sslmode" in refusal(answer, 422, f"options.{option}")

    @pytest.mark.parametrize(
        "option", ["local_infile", "init_command", "read_default_file", "unix_socket", "ssl_ca"]
    )
    def test_options_of_mysql_that_open_files_are_422(
        self, api: TestClient, mariadb: Server, option: str
    ):
        answer = api.post(URL, json=mariadb.body(options={option: "1"}))
        refusal(answer, 422, f"options.{option}")

    def test_a_certificate_that_nobody_signed_is_refused_where_it_is_to_be_checked(
        self, api: TestClient, postgresql: Server, mariadb: Server
    ):
        for server in (postgresql, mariadb):
            body = server.body(host="localhost", options={"sslmode": "verify-full"})
            refusal(api.post(URL, json=body), 422, "host")

    def test_a_mariadb_without_tls_is_refused_where_tls_is_required(
        self, api: TestClient, mariadb: Server
    ):
        answer = api.post(URL, json=mariadb.body(options={"sslmode": "require"}))
        assert "SSL" in refusal(answer, 422, "host")

    @pytest.mark.parametrize(
        "host", ["/var/run/postgresql", "a,b", "a b", "@socket", "user@host", "", "a/b", "a\0"]
    )
    def test_sockets_and_lists_are_no_hosts(self, api: TestClient, postgresql: Server, host: str):
        refusal(api.post(URL, json=postgresql.body(host=host)), 422, "host")

    @pytest.mark.parametrize("port", [0, 65536, -1, "5432", 1.5])
    def test_a_port_out_of_bounds_is_422(self, api: TestClient, postgresql: Server, port: Any):
        refusal(api.post(URL, json=postgresql.body(port=port)), 422, "port")

    def test_nothing_is_tried_for_who_may_not_store(
        self, read_only_client: TestClient, anonymous_client: TestClient, postgresql: Server
    ):
        body = postgresql.body(password="wrong-one")
        assert read_only_client.post(URL, json=body).status_code == 403
        assert anonymous_client.post(URL, json=body).status_code == 401


class TestSqliteFiles:
    @pytest.mark.parametrize(
        "path", ["../secret.db", "/etc/passwd", "a/../../secret.db", "..", ".", "a\0.db"]
    )
    def test_ways_out_of_the_folder_are_422(self, api: TestClient, folder: Path, path: str):
        (folder.parent / "secret.db").write_bytes((folder / "shop.db").read_bytes())
        refusal(api.post(URL, json=SQLITE | {"database": path}), 422, "database")

    def test_links_are_422(self, api: TestClient, folder: Path):
        (folder / "link.db").symlink_to(folder / "shop.db")
        (folder / "way").symlink_to(folder)
        for path in ("link.db", "way/shop.db"):
            message = refusal(api.post(URL, json=SQLITE | {"database": path}), 422, "database")
            assert "symbolic" in message

    def test_what_is_no_database_is_422(self, api: TestClient, folder: Path):
        (folder / "notes.txt").write_text("nothing of this is a database" * 100)
        answer = api.post(URL, json=SQLITE | {"database": "notes.txt"})
        assert "not a database" in refusal(answer, 422, "database")

    def test_folders_are_422(self, api: TestClient, folder: Path):
        (folder / "sub").mkdir()
        refusal(api.post(URL, json=SQLITE | {"database": "sub"}), 422, "database")

    def test_names_are_taken_as_they_are(self, api: TestClient, folder: Path):
        (folder / "sub").mkdir()
        (folder / "shop.db").rename(folder / "sub" / "a?mode=rw&b#c%41.db")
        body = SQLITE | {"database": "sub/a?mode=rw&b#c%41.db"}
        assert api.post(URL, json=body).status_code == 200


class TestTables:
    def test_names_tables_and_views_that_may_be_read(
        self, api: TestClient, postgresql: Server, connect: Callable[..., str]
    ):
        postgresql.run(
            'create schema if not exists other; create table if not exists other."Odd name" ();'
            "create or replace view other.near as select 1 as a; analyze orders"
        )
        told = api.get(f"{URL}/{connect(postgresql.body())}/tables").json()
        found = {one["name"]: (one["schema"], one["kind"]) for one in told["tables"]}
        assert found["orders"] == ("public", "table")
        assert found["other.Odd name"] == ("other", "table")
        assert found["other.near"] == ("other", "view")
        assert next(one["rows"] for one in told["tables"] if one["name"] == "orders") == 3
        assert told["pagination"]["total"] == len(told["tables"])

    def test_comes_in_pages(
        self, api: TestClient, folder: Path, mariadb: Server, connect: Callable[..., str]
    ):
        mariadb.run("use shop; create table if not exists a (x int)")
        told = api.get(f"{URL}/{connect(mariadb.body())}/tables", params={"limit": 1}).json()
        assert [one["name"] for one in told["tables"]] == ["a"]
        assert told["pagination"]["has_more"] is True

    def test_a_database_that_is_gone_is_503(
        self, api: TestClient, folder: Path, connect: Callable[..., str]
    ):
        made = connect()
        (folder / "shop.db").unlink()
        answer = api.get(f"{URL}/{made}/tables")
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (503, "service_unavailable")
        assert error["message"].startswith("The database cannot be read now: There is no file")


class TestDelete:
    def test_answers_and_is_gone(self, api: TestClient, connect: Callable[..., str]):
        made = connect()
        told = api.delete(f"{URL}/{made}").json()
        assert (told["connection_id"], told["status"]) == (made, "deleted")
        assert told["deleted_at"].endswith("Z")
        assert api.get(f"{URL}/{made}").status_code == 404
        assert api.delete(f"{URL}/{made}").status_code == 404

    def test_one_that_a_schedule_uses_is_409(self, api: TestClient, connect: Callable[..., str]):
        made = connect()
        body = {"connection_id": made, "table": "orders", "dataset_name": "orders"}
        scheduled = api.post("/database/ingest", json=body | {"schedule": "0 4 * * *"}).json()
        answer = api.delete(f"{URL}/{made}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "resource_conflict")
        assert scheduled["ingestion_id"] in answer.json()["error"]["message"]
        api.delete(f"/database/ingest/{scheduled['ingestion_id']}")
        assert api.delete(f"{URL}/{made}").status_code == 200

    def test_what_it_brings_in_now_is_stopped(
        self,
        api: TestClient,
        connect: Callable[..., str],
        worker: Callable[[], int],
    ):
        made = connect()
        body = {"connection_id": made, "table": "orders", "dataset_name": "orders"}
        waiting = api.post("/database/ingest", json=body).json()
        assert api.delete(f"{URL}/{made}").status_code == 200
        worker()
        standing = api.get(f"/database/ingest/{waiting['ingestion_id']}").json()
        assert (standing["status"], standing["upload_id"]) == ("failed", None)
        again = api.post(f"/database/ingest/{waiting['ingestion_id']}/retrigger")
        assert again.status_code == 409
