"""The database opens while others write to it."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

from sqlalchemy import text

from modelwright.core.db import Database, after_commit


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
