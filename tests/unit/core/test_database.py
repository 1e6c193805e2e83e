"""The database opens while others write to it."""

import re
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Executable, delete, func, select, text, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import aliased

from modelwright.bootstrap.container import Container
from modelwright.core.db.database import ALL_ACCOUNTS, Database, UnscopedError, after_commit
from modelwright.core.ids import AccountId
from modelwright.jobs import leases
from modelwright.jobs.orm import JobLogRecord, JobRecord
from modelwright.jobs.service import Jobs


class TestOpening:
    def test_waits_while_another_process_writes_the_new_file(self, tmp_path: Path):
        path = tmp_path / "new.sqlite"
        with closing(sqlite3.connect(path, check_same_thread=False)) as other:
            other.execute("create table t (a)")
            other.execute("begin immediate")
            ends = threading.Timer(0.2, other.rollback)
            ends.start()
            with closing(Database(f"sqlite:///{path}")) as database:
                database.engine.connect().close()
            ends.join()


class TestWall:
    @pytest.fixture(autouse=True)
    def _of_two_accounts(self, container: Container) -> None:
        for account in ("user_ana", "user_ben"):
            with container.database.transaction(account) as db:
                container.service(Jobs).enqueue(db, "export", "thing")

    def test_a_statement_of_no_account_is_refused(self, container: Container):
        with pytest.raises(UnscopedError), container.database.transaction() as db:
            db.scalars(select(JobRecord))

    def test_a_row_of_another_account_is_not_added(self, container: Container):
        line = JobLogRecord(account_id="user_ben", job_id="job", level="INFO", message="")
        with pytest.raises(UnscopedError), container.database.transaction("user_ana") as db:
            db.add(line)

    @pytest.mark.parametrize("rows", [JobRecord, aliased(JobRecord)])
    def test_rows_of_another_account_are_not_seen(
        self, container: Container, rows: type[JobRecord]
    ):
        with container.database.transaction("user_ana") as db:
            assert db.scalars(select(rows.account_id)).all() == ["user_ana"]
            assert db.scalar(select(func.count(rows.job_id))) == 1

    @pytest.mark.parametrize("change", [update(JobRecord).values(kind="build"), delete(JobRecord)])
    def test_rows_of_another_account_are_not_changed(
        self, container: Container, change: Executable
    ):
        with container.database.transaction("user_ana") as db:
            db.execute(change)
        with container.database.transaction(ALL_ACCOUNTS) as db:
            kept = db.scalars(select(JobRecord).where(JobRecord.kind == "export")).all()
            assert [row.account_id for row in kept] == ["user_ben"]


class TestFaults:
    def test_tell_no_values_since_they_are_logged(self, container: Container):
        with (
            pytest.raises(DBAPIError) as told,
            container.database.transaction(ALL_ACCOUNTS) as db,
        ):
            db.execute(text("select * from nowhere where password = :it"), {"it": "hunter2"})
        assert "hunter2" not in str(told.value)


class TestAfterCommit:
    def test_what_fails_then_fails_neither_the_transaction_nor_what_comes_next(
        self, tmp_path: Path
    ):
        done = []

        def fail() -> None:
            raise OSError("the storage is away")

        with closing(Database(f"sqlite:///{tmp_path / 'new.sqlite'}")) as database:
            with database.transaction() as db:
                db.execute(text("create table t (a)"))
                after_commit(db, fail)
                after_commit(db, lambda: done.append(1))
            with database.transaction(write=False) as db:
                assert db.execute(text("select count(*) from t")).scalar_one() == 0
        assert done == [1]

    def test_it_is_done_after_the_whole_transaction_and_not_after_a_savepoint(self, tmp_path: Path):
        """Else what is undone in the end would have lost its objects already."""
        done: list[int] = []
        with closing(Database(f"sqlite:///{tmp_path / 'new.sqlite'}")) as database:
            with database.transaction() as db:
                after_commit(db, lambda: done.append(1))
                with db.begin_nested():
                    db.execute(text("create table t (a)"))
                assert done == []
            assert done == [1]

            def write_and_fail() -> None:
                with database.transaction() as db:
                    after_commit(db, lambda: done.append(2))
                    with db.begin_nested():
                        db.execute(text("insert into t values (1)"))
                    raise ZeroDivisionError

            with pytest.raises(ZeroDivisionError):
                write_and_fail()
        assert done == [1]


class TestTexts:
    def test_with_nul_which_values_of_data_may_have_can_be_told_of(self, container: Container):
        with container.database.transaction(ALL_ACCOUNTS) as db:
            job_id = container.service(Jobs).enqueue(
                db, "export", "x", account_id=AccountId("user_1")
            )
            said = "It has 'op\0en' and more."
            line = {"job_id": job_id, "timestamp": container.clock.now(), "level": "INFO"}
            leases.add_log_line(db, [JobLogRecord(account_id="user_1", message=said, **line)])
        with container.database.transaction(ALL_ACCOUNTS) as db:
            [row] = db.scalars(select(JobLogRecord))
            assert re.fullmatch("It has 'op.en' and more.", row.message, re.DOTALL)
