"""Tables that are copies are given back when too many sessions hold some, and lent again."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from modelwright.engines.sql.executor import BoundedStatement
from modelwright.engines.sql.pool import Pool
from modelwright.sessions.domain import SessionInfo, SessionTable
from modelwright.sessions.executors import Executors
from modelwright.storage.errors import ObjectMissing
from modelwright.storage.memory import MemoryObjectStore
from modelwright.storage.url_signer import UrlSigner

NOW = datetime(2026, 3, 2, tzinfo=UTC)


class Lender(MemoryObjectStore):
    """Lends copies and knows which are out."""

    def __init__(self) -> None:
        super().__init__(UrlSigner(b"secret"))
        self.out: list[str] = []

    @contextmanager
    def local(self, key: str, *, is_sampled: bool = False) -> Iterator[Path]:
        """Lends a copy."""
        with super().local(key, is_sampled=is_sampled) as path:
            self.out.append(key)
            try:
                yield path
            finally:
                self.out.remove(key)


@pytest.fixture
def lender(tmp_path: Path) -> Lender:
    lender, path = Lender(), tmp_path / "t.parquet"
    for number in range(5):
        duckdb.sql(f"copy (select {number} as n) to '{path}' (format parquet)")
        lender.put_file(f"tables/{number}", path)
    return lender


@pytest.fixture
def executors(lender: Lender, tmp_path: Path) -> Iterator[Executors]:
    pool = Pool(size=1, memory_bytes=512 << 20, homes=tmp_path / "homes")
    executors = Executors(pool, lender)
    yield executors
    executors.close()


def session(number: int, *keys: str) -> SessionInfo:
    tables = keys or (f"tables/{number}",)
    return SessionInfo(
        session_id=f"sess_{number}",
        account_id="acc",
        name="s",
        upload_id="upload",
        dataset="upload",
        is_default=False,
        created_at=NOW,
        expires_at=NOW + timedelta(hours=1),
        ended_at=None,
        tables=tuple(SessionTable("t.csv", f"t{at}", key, ("n",)) for at, key in enumerate(tables)),
    )


def ask(executors: Executors, asked: SessionInfo) -> object:
    return executors.run(asked, BoundedStatement("select n from t0", max_rows=1, seconds=20)).rows


class TestLending:
    def test_the_sessions_used_last_keep_theirs_and_the_others_get_them_again(
        self, executors: Executors, lender: Lender
    ):
        answers = [ask(executors, session(number)) for number in (0, 1, 2, 3, 0)]
        assert answers[0] == answers[4] != answers[1]
        assert lender.out == ["tables/3", "tables/0"]

    def test_nothing_stays_lent_of_a_session_whose_tables_are_not_all_there(
        self, executors: Executors, lender: Lender
    ):
        with pytest.raises(ObjectMissing):
            ask(executors, session(0, "tables/0", "tables/none"))
        assert lender.out == []
