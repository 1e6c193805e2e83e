"""The database opens while others write to it."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

from modelwright.core.db import Database


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
