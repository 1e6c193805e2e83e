"""The database opens while others write to it."""

import re
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from modelwright.core.db import EVERYONE, Database, after_commit
from modelwright.core.ids import AccountId
from modelwright.jobs import leases
from modelwright.jobs.service import Jobs
from modelwright.jobs.tables import JobLogRow
from modelwright.wiring import House


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


class TestFaults:
    def test_tell_no_values_since_they_are_logged(self, house: House):
        with (
            pytest.raises(DBAPIError) as told,
            house.database.transaction(EVERYONE) as db,
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


class TestTexts:
    def test_with_nul_which_values_of_data_may_have_can_be_told_of(self, house: House):
        with house.database.transaction(EVERYONE) as db:
            job_id = house.service(Jobs).enqueue(db, "export", "x", account_id=AccountId("user_1"))
            said = "It has 'op\0en' and more."
            line = {"job_id": job_id, "timestamp": house.clock.now(), "level": "INFO"}
            leases.say(db, [JobLogRow(account_id="user_1", message=said, **line)])
        with house.database.transaction(EVERYONE) as db:
            [row] = db.scalars(select(JobLogRow))
            assert re.fullmatch("It has 'op.en' and more.", row.message, re.DOTALL)
