"""What is brought in becomes an upload like any other; what goes wrong leaves nothing behind."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import make_runner, next_job
from tests.unit.connections.conftest import SQLITE
from tests.unit.connections.servers import PASSWORD, Server, cutting

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.jobs.domain import Lane
from modelwright.storage.object_store import ObjectStore

pytestmark = pytest.mark.usefixtures("in_process_children")
URL = "/database/ingest"
COLUMNS = {"id": "integer", "city": "string", "price": "float", "day": "date"}
ROWS = [
    ["1", "Oslo", "9.5", "2024-01-05"],
    ["2", 'Bad, "Ems"', "", "2024-02-29"],
    ["3", "", "7.0", ""],
]
Brought = Callable[..., tuple[dict[str, str], list[list[str]]]]
BringIn = Callable[..., dict[str, Any]]
Connect = Callable[..., str]


@pytest.fixture(params=["postgresql", "mariadb", "sqlite"])
def any_database(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The body that stores a database with the table of orders, of each type in turn."""
    if request.param == "sqlite":
        return SQLITE
    return request.getfixturevalue(request.param).body()


class TestBringingIn:
    def test_a_table_comes_whole(
        self, any_database: dict[str, Any], connect: Connect, brought: Brought
    ):
        assert brought(connect(any_database), table="orders") == (COLUMNS, ROWS)

    def test_a_query_comes_as_it_answers(
        self, any_database: dict[str, Any], connect: Connect, brought: Brought
    ):
        query = "-- the dear ones\nselect city, price * 2 as twice from orders where id = 1;\n"
        columns, rows = brought(connect(any_database), query=query)
        assert (columns, rows) == ({"city": "string", "twice": "float"}, [["Oslo", "19.0"]])

    def test_no_rows_are_a_table_too(
        self, any_database: dict[str, Any], connect: Connect, brought: Brought
    ):
        columns, rows = brought(connect(any_database), query="select * from orders where id > 9")
        assert (list(columns), rows) == (list(COLUMNS), [])

    def test_the_answer_tells_how_it_stands(
        self, api: TestClient, connect: Connect, worker: Callable[[], int]
    ):
        connection_id = connect()
        body = {"connection_id": connection_id, "table": "orders", "dataset_name": "mine"}
        asked = api.post(URL, json=body).json()
        assert asked["ingestion_id"].startswith("ing_")
        assert (asked["status"], asked["upload_id"], asked["rows"]) == ("pending", None, None)
        job = api.get(f"/jobs/{asked['job_id']}").json()
        assert (job["kind"], job["status"]) == ("ingestion", "PENDING")
        worker()
        told = api.get(f"{URL}/{asked['ingestion_id']}").json()
        assert (told["status"], told["rows"], told["error"]) == ("completed", 3, None)
        assert api.get(f"/jobs/{asked['job_id']}").json()["progress"] == 100
        upload = api.get(f"/uploads/{told['upload_id']}").json()
        assert (upload["name"], upload["files"][0]["filename"]) == ("mine", "orders.parquet")
        stored = api.get(f"/database/connections/{connection_id}").json()
        assert stored["last_used_at"] is not None

    def test_every_run_is_a_new_version_of_the_dataset(
        self, api: TestClient, connect: Connect, bring_in: BringIn, worker: Callable[[], int]
    ):
        first = bring_in(connect(), table="orders")
        again = api.post(f"{URL}/{first['ingestion_id']}/retrigger").json()
        assert (again["status"], again["upload_id"]) == ("pending", first["upload_id"])
        worker()
        second = api.get(f"{URL}/{first['ingestion_id']}").json()
        assert second["upload_id"] != first["upload_id"]
        versions = api.get("/uploads/datasets/orders/versions").json()["versions"]
        assert [one["version"] for one in versions] == ["v1.1", "v1.0"]

    def test_a_name_with_a_schema_finds_its_table(
        self, postgresql: Server, connect: Connect, brought: Brought
    ):
        postgresql.run(
            'create schema if not exists "Far"; drop table if exists "Far"."a.b ""c";'
            'create table "Far"."a.b ""c" as select 7 as x'
        )
        assert brought(connect(postgresql.body()), table='Far.a.b "c')[1] == [["7"]]


class TestTypes:
    def test_of_postgresql(self, postgresql: Server, connect: Connect, brought: Brought):
        columns, rows = brought(
            connect(postgresql.body()),
            query="""
            select 1::int2 as a, 2.5::float4 as b, true as c, date '2024-02-29' as d,
              timestamptz '2024-01-01 12:00:00.5+02' as e, timestamp '2024-01-01 01:02:03' as f,
              12.340::numeric as g, 5::numeric(20,0) as h, 7::numeric(9,0) as i,
              '{"a": 1}'::jsonb as j, array[1,2] as k, '\\xff00'::bytea as l,
              gen_random_uuid() is null as m, interval '1 day' as n, E'a\\nb,"c"' as o,
              null::text as p, ''::text as q, 'infinity'::date as r, 'NaN'::float8 as s,
              1 as a, 'b' as "A"
            """,
        )
        assert columns == {
            **dict.fromkeys(("a", "h", "i", "a_2"), "integer"),
            **dict.fromkeys(("b", "g", "s"), "float"),
            **dict.fromkeys(("c", "m"), "boolean"),
            **dict.fromkeys(("d", "e", "f", "r"), "date"),
            **dict.fromkeys(("j", "k", "l", "n", "o", "p", "q", "A_3"), "string"),
        }
        told = dict(zip(columns, rows[0], strict=True))
        assert told["e"].startswith("2024-01-01")
        assert "10:00:00.5" in told["e"]
        assert (told["l"], told["k"], told["j"]) == ("ff00", "[1,2]", '{"a": 1}')
        assert (told["o"], told["p"], told["r"], told["s"]) == ('a\nb,"c"', "", "", "")
        assert (told["h"], told["n"]) == ("5", "P1D")

    def test_null_and_empty_are_told_apart(
        self,
        any_database: dict[str, Any],
        connect: Connect,
        bring_in: BringIn,
        container: Container,
    ):
        query = "select city from orders where id = 3 union all select null"
        standing = bring_in(connect(any_database), query=query)
        assert values(container, standing["upload_id"]) == [("",), (None,)]

    def test_of_mariadb(self, mariadb: Server, connect: Connect, brought: Brought):
        mariadb.run(
            "use shop; drop table if exists kinds; set sql_mode = '';"
            "create table kinds (a tinyint(1), b bigint unsigned, c decimal(9,2), d decimal(30,0),"
            " e datetime(3), f date, g time, h bit(1), i bit(9), j enum('x','y'), k text,"
            " l blob, m year, n varchar(9), o double, p timestamp null);"
            "insert into kinds values (1, 18446744073709551615, 1.50, 12, '2024-01-01 01:02:03.5',"
            " '2024-02-29', '10:00:00', b'1', b'101', 'y', '[1]', x'ff00', 2024, 'né', 0.1,"
            " '2024-01-01 00:00:00'),"
            "(null, null, null, null, '0000-00-00', '2024-00-10', null, null, null, null, null,"
            " null, null, null, null, null)"
        )
        columns, rows = brought(connect(mariadb.body()), table="kinds")
        assert columns == {
            **dict.fromkeys(("a", "b", "d", "i", "m"), "integer"),
            **dict.fromkeys(("c", "o"), "float"),
            **dict.fromkeys(("e", "f", "p"), "date"),
            **dict.fromkeys(("g", "j", "k", "l", "n"), "string"),
            "h": "boolean",
        }
        told = dict(zip(columns, rows[0], strict=True))
        assert (told["b"], told["d"], told["i"]) == ("18446744073709551615", "12", "5")
        assert (told["l"], told["n"], told["j"]) == ("ff00", "né", "y")
        assert set(rows[1]) == {""}

    def test_of_sqlite_are_settled_by_all_values(
        self, folder: Path, connect: Connect, brought: Brought
    ):
        with closing(sqlite3.connect(folder / "shop.db")) as db:
            db.execute("create table kinds (a, b, c, d, e, f, g)")
            db.executemany(
                "insert into kinds values (?, ?, ?, ?, ?, ?, ?)",
                [
                    (1, 1, 1, "2024-02-29", "2024-01-01T01:02:03.25", None, b"\xff"),
                    (2, 2.5, "x", "2024-02-28", "2024-01-01 01:02:03", None, None),
                ],
            )
            db.commit()
        columns, rows = brought(connect(), table="kinds")
        assert columns == {
            "a": "integer",
            "b": "float",
            "c": "string",
            "d": "date",
            "e": "date",
            "f": "string",
            "g": "string",
        }
        assert rows[0][:4] == ["1", "1.0", "1", "2024-02-29"]
        assert rows[0][6] == "ff"

    def test_columns_of_sqlite_without_a_value_are_texts_as_those_of_files(
        self, connect: Connect, brought: Brought
    ):
        columns, rows = brought(connect(), query="select id, null as n from orders where id > 9")
        assert (columns, rows) == ({"id": "string", "n": "string"}, [])

    def test_days_that_there_are_not_stay_texts(
        self, folder: Path, connect: Connect, brought: Brought
    ):
        query = "select '2024-02-31' as a, '2024-13-01' as b, '2024-01-01 25:00:00' as c"
        columns, rows = brought(connect(), query=query)
        assert set(columns.values()) == {"string"}
        assert rows == [["2024-02-31", "2024-13-01", "2024-01-01 25:00:00"]]

    def test_wide_tables_of_sqlite_come_too(self, folder: Path, connect: Connect, brought: Brought):
        names = ", ".join(f"c{place}" for place in range(700))
        with closing(sqlite3.connect(folder / "shop.db")) as db:
            db.execute(f"create table wide ({names})")
            db.execute(f"insert into wide values ({', '.join(['1'] * 700)})")
            db.commit()
        assert len(brought(connect(), table="wide")[0]) == 700


class TestRefusals:
    @pytest.mark.parametrize(
        ("members", "status", "field"),
        [
            ({}, 400, "table"),
            ({"table": "a", "query": "select 1"}, 422, "query"),
            ({"query": "delete from orders"}, 422, "query"),
            ({"query": "/* select */ drop table orders"}, 422, "query"),
            ({"query": ""}, 422, "query"),
            ({"table": ""}, 422, "table"),
            ({"table": 5}, 422, "table"),
            ({"table": "a", "dataset_name": ""}, 422, "dataset_name"),
            ({"table": "a", "schedule": "every day"}, 422, "schedule"),
            ({"table": "a", "schedule": "61 * * * *"}, 422, "schedule"),
            ({"table": "a", "schedule": "0 0 30 2 *"}, 422, "schedule"),
        ],
    )
    def test_what_cannot_be_asked_names_the_field(
        self,
        api: TestClient,
        connect: Connect,
        members: dict[str, Any],
        status: int,
        field: str,
    ):
        body = {"connection_id": connect(), "dataset_name": "a", **members}
        answer = api.post(URL, json=body)
        assert answer.status_code == status, answer.text
        assert answer.json()["error"]["details"][0]["field"] == field

    def test_a_retrigger_while_it_is_under_way_is_409(self, api: TestClient, connect: Connect):
        body = {"connection_id": connect(), "dataset_name": "a", "table": "orders"}
        made = api.post(URL, json=body).json()["ingestion_id"]
        answer = api.post(f"{URL}/{made}/retrigger")
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "resource_conflict")


class TestFailing:
    @pytest.fixture(autouse=True)
    def _nothing_is_left(self, api: TestClient, container: Container) -> Iterator[None]:
        yield
        assert api.get("/uploads").json()["uploads"] == []
        objects = container.service(ObjectStore)  # type: ignore[type-abstract]
        assert list(objects.keys("uploads")) == []

    def test_a_missing_table_is_named(
        self,
        any_database: dict[str, Any],
        api: TestClient,
        connect: Connect,
        bring_in: BringIn,
    ):
        told = bring_in(connect(any_database), table="not_there")
        assert told["status"] == "failed"
        assert "There is no table 'not_there'" in told["error"]
        job = api.get(f"/jobs/{told['job_id']}").json()
        assert (job["status"], job["error"]) == ("FAILED", told["error"])

    def test_a_mistake_in_a_query_is_told_in_the_databases_words(
        self, any_database: dict[str, Any], connect: Connect, bring_in: BringIn
    ):
        told = bring_in(connect(any_database), query="select nothing_like_it from orders")
        assert told["status"] == "failed"
        assert "nothing_like_it" in told["error"]

    @pytest.mark.parametrize(
        "query",
        [
            "select 1); drop table orders; --",
            "select 1) as q; commit; drop table orders; select * from (select 1",
            "with gone as (delete from orders returning *) select * from gone",
            "select set_config('transaction_read_only', 'off', false)",
            "select nextval('counting')",
        ],
    )
    def test_nothing_is_ever_written_to_postgresql(
        self, postgresql: Server, connect: Connect, bring_in: BringIn, query: str
    ):
        postgresql.run("create sequence if not exists counting")
        told = bring_in(connect(postgresql.body()), query=query)
        assert told["status"] == "failed", told
        postgresql.run("do $$ begin assert (select count(*) from orders) = 3; end $$")

    @pytest.mark.parametrize(
        "query",
        [
            "select 1) as q; drop table orders; -- ",
            "select 1 into outfile 'stolen'",
            "select sleep(0) from orders for update nowait wait",
            "values (load_file('/etc/passwd')",
        ],
    )
    def test_nothing_is_ever_written_to_mariadb(
        self, mariadb: Server, connect: Connect, bring_in: BringIn, query: str
    ):
        told = bring_in(connect(mariadb.body()), query=query)
        assert told["status"] == "failed", told
        mariadb.run("use shop; select 1 from orders")

    @pytest.mark.parametrize(
        "query",
        [
            "select 1); drop table orders; --",
            "select load_extension('x')",
            "select * from pragma_database_list",
            "select writefile('x', 'y')",
            "select readfile('/etc/passwd')",
        ],
    )
    def test_sqlite_reads_rows_and_nothing_else(
        self, connect: Connect, bring_in: BringIn, query: str
    ):
        assert bring_in(connect(), query=query)["status"] == "failed"

    def test_a_row_that_is_too_long_is_told(
        self, postgresql: Server, connect: Connect, bring_in: BringIn
    ):
        told = bring_in(connect(postgresql.body()), query="select repeat('x', 60000000) as words")
        assert told["error"] == "A row is longer than 16 MB."

    @pytest.mark.parametrize("kind", ["postgresql", "mariadb"])
    def test_a_connection_that_drops_half_way_fails_the_run(
        self,
        kind: str,
        request: pytest.FixtureRequest,
        connect: Connect,
        bring_in: BringIn,
    ):
        server: Server = request.getfixturevalue(kind)
        server.run(
            ("use shop;" if kind == "mariadb" else "")
            + "create table if not exists long_one as select a.id, repeat('x', 200) as words"
            " from orders a, orders b, orders c, orders d, orders e, orders f, orders g, orders h"
        )
        with cutting(server.port, after=400_000) as port:
            body = server.body(port=port, options={"sslmode": "disable"})
            told = bring_in(connect(body), table="long_one")
        assert told["status"] == "failed"
        words = "server closed the connection|Lost connection|connection.*lost|read"
        assert any(word.lower() in told["error"].lower() for word in words.split("|")), told

    def test_a_password_that_was_changed_is_told_at_the_connection_too(
        self, postgresql: Server, api: TestClient, connect: Connect, bring_in: BringIn
    ):
        postgresql.run("create role fleeting login superuser password 'first-one'")
        made = connect(postgresql.body(username="fleeting", password="first-one"))
        postgresql.run("alter role fleeting password 'second-one'")
        told = bring_in(made, table="orders")
        assert told["status"] == "failed"
        assert "password authentication failed" in told["error"]
        stored = api.get(f"/database/connections/{made}").json()
        assert (stored["status"], stored["error"]) == ("failed", told["error"])
        postgresql.run("alter role fleeting password 'first-one'")
        assert bring_in(made, table="not_there")["status"] == "failed"
        postgresql.run("drop role fleeting")

    def test_no_password_is_in_any_log_or_answer(
        self,
        postgresql: Server,
        connect: Connect,
        bring_in: BringIn,
        api: TestClient,
        capfd: pytest.CaptureFixture[str],
    ):
        made = connect(postgresql.body())
        told = bring_in(made, query=f"select '{PASSWORD}'::int")
        assert told["status"] == "failed"
        assert PASSWORD not in told["error"]
        heard = capfd.readouterr()
        assert PASSWORD not in heard.out + heard.err
        logs = api.get(f"/jobs/{told['job_id']}/logs").text
        assert PASSWORD not in logs


class TestRetrying:
    def test_a_run_that_is_begun_again_fills_one_upload(
        self,
        api: TestClient,
        container: Container,
        connect: Connect,
        monkeypatch: pytest.MonkeyPatch,
        clock: FrozenClock,
    ):
        body = {"connection_id": connect(), "dataset_name": "a", "table": "orders"}
        made = api.post(URL, json=body).json()["ingestion_id"]
        objects = container.service(ObjectStore)  # type: ignore[type-abstract]
        storing = type(objects).put_file
        broken = iter([True])

        def put_file(self: Any, key: str, source: Path) -> None:
            storing(self, key, source)
            if key.startswith("uploads/") and next(broken, False):
                raise OSError("the storage went away")

        monkeypatch.setattr(type(objects), "put_file", put_file)
        runner = make_runner(container)
        job = runner.claim(Lane.INGESTION)
        assert job
        runner.carry_out(job, runner.begin(job))
        assert api.get(f"{URL}/{made}").json()["status"] == "running"
        clock.advance(seconds=5)
        while job := next_job(runner):
            runner.carry_out(job, runner.begin(job))
        told = api.get(f"{URL}/{made}").json()
        uploads = api.get("/uploads").json()["uploads"]
        assert [one["upload_id"] for one in uploads] == [told["upload_id"]]
        assert uploads[0]["status"] == "complete"


class TestSchedule:
    def start_due(self, container: Container) -> None:
        duty = next(duty for duty in container.duties if duty.name == "ingestions.start_due")
        with container.database.transaction(ALL_ACCOUNTS) as db:
            duty.carry_out(db)

    def test_runs_when_its_time_has_come_and_once_for_times_that_were_missed(
        self,
        api: TestClient,
        container: Container,
        clock: FrozenClock,
        connect: Connect,
        bring_in: BringIn,
        worker: Callable[[], int],
    ):
        made = bring_in(connect(), table="orders", schedule="30 * * * *")["ingestion_id"]
        assert api.get(f"{URL}/{made}").json()["next_run_at"] == "2026-03-02T12:30:00Z"
        self.start_due(container)
        assert worker() == 0
        clock.advance(minutes=30)
        self.start_due(container)
        self.start_due(container)
        assert worker() == 2
        clock.advance(hours=5)
        self.start_due(container)
        worker()
        self.start_due(container)
        assert worker() == 0
        told = api.get(f"{URL}/{made}").json()
        assert (told["status"], told["next_run_at"]) == ("completed", "2026-03-02T18:30:00Z")
        assert len(api.get("/uploads").json()["uploads"]) == 3

    def test_waits_for_a_run_that_is_under_way(
        self, api: TestClient, container: Container, clock: FrozenClock, connect: Connect
    ):
        body = {"connection_id": connect(), "dataset_name": "a", "table": "orders"}
        made = api.post(URL, json=body | {"schedule": "* * * * *"}).json()
        clock.advance(minutes=3)
        self.start_due(container)
        told = api.get(f"{URL}/{made['ingestion_id']}").json()
        assert told["job_id"] == made["job_id"]


class TestListAndDelete:
    def test_deleting_keeps_what_was_brought_in(
        self, api: TestClient, connect: Connect, bring_in: BringIn
    ):
        told = bring_in(connect(), table="orders", schedule="* * * * *")
        gone = api.delete(f"{URL}/{told['ingestion_id']}").json()
        assert (gone["ingestion_id"], gone["status"]) == (told["ingestion_id"], "deleted")
        assert api.get(f"{URL}/{told['ingestion_id']}").status_code == 404
        assert api.get(f"/uploads/{told['upload_id']}").json()["status"] == "complete"

    def test_deleting_stops_a_run_that_waits(
        self, api: TestClient, connect: Connect, worker: Callable[[], int]
    ):
        body = {"connection_id": connect(), "dataset_name": "a", "table": "orders"}
        told = api.post(URL, json=body).json()
        api.delete(f"{URL}/{told['ingestion_id']}")
        worker()
        assert api.get(f"/jobs/{told['job_id']}").json()["status"] == "CANCELLED"
        assert api.get("/uploads").json()["uploads"] == []


def values(container: Container, upload_id: str) -> list[tuple[Any, ...]]:
    """Reads the one table of an upload."""
    import pyarrow.parquet as pq

    objects = container.service(ObjectStore)  # type: ignore[type-abstract]
    with objects.local(f"tables/{upload_id}/1.parquet") as path:
        columns = [column.to_pylist() for column in pq.read_table(path).columns]
    return list(zip(*columns, strict=True))
