"""Every attack is refused by what it says, or bounded in time and memory by what it does."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import duckdb
import pytest

from modelwright.engines.sql.executor import Rows
from modelwright.engines.sql.failures import QueryFailed, Refused
from modelwright.engines.sql.statement_validation import validate_statement

LINES = (Path(__file__).parent / "attacks.jsonl").read_text("utf-8").splitlines()
ATTACKS = [json.loads(line) for line in LINES]
HUGE = {
    "a very long statement": "SELECT " + "1+" * 60_000 + "1",
    "deep brackets": "SELECT " + "(" * 20_000 + "1" + ")" * 20_000,
    "deep calls": "SELECT " + "abs(" * 3_000 + "1" + ")" * 3_000,
}
DEEP = {
    "deep subqueries": "SELECT * FROM " + "(SELECT * FROM " * 4_000 + "sales" + ")" * 4_000,
    "deep CTEs": "WITH a AS (" * 3_500 + "SELECT 1" + ") SELECT 1" * 3_500,
    "a long union": "SELECT 1" + " UNION ALL SELECT 1" * 4_500,
}
Ask = Callable[..., Rows]
SECONDS = 0.3
"""How long a query may take."""
SOON = 10.0
"""Seconds in which it has certainly ended; without a limit it would take far longer."""
TELLTALE = re.compile(r"/(home|root|usr|tmp|var)/|\.parquet|memory\.main|duckdb_|pg_|system\.")


def kind(expected: str) -> dict[str, str]:
    return {one["name"]: one["sql"] for one in ATTACKS if one["expect"] == expected}


REFUSED = kind("refused") | HUGE
BOUNDED = kind("bounded") | DEEP


class TestRefuse:
    @pytest.mark.parametrize("sql", REFUSED.values(), ids=REFUSED.keys())
    def test_what_a_query_may_not_say_is_refused(self, ask: Ask, sql: str):
        with pytest.raises(Refused) as refusal:
            ask(sql)
        assert refusal.value.message.endswith(".") or refusal.value.message
        assert refusal.value.position is None or 0 <= refusal.value.position <= len(sql)
        own = refusal.value.message
        for word in re.findall(r'"([^"]*)"', own):
            own = own.replace(word, "") if word.lower() in sql.lower() else own
        assert not TELLTALE.search(own)
        assert refusal.value.suggestion is None or not TELLTALE.search(refusal.value.suggestion)

    def test_the_suite_is_large(self):
        assert len(ATTACKS) >= 100
        assert len({one["sql"] for one in ATTACKS}) == len(ATTACKS)

    def test_the_session_still_answers_rightly(self, ask: Ask):
        assert ask("SELECT count(*), sum(quantity) FROM sales").rows == [[8, 24]]


class TestBound:
    @pytest.mark.parametrize("sql", BOUNDED.values(), ids=BOUNDED.keys())
    def test_what_a_query_may_not_do_is_stopped(self, ask: Ask, sql: str, folder: Path):
        started = monotonic()
        told = ""
        try:
            ask(sql, seconds=SECONDS)
        except QueryFailed as failure:
            told = failure.message
        for secret in (str(folder), sys.prefix, "memory.main", "session-data"):
            assert secret not in told
        assert monotonic() - started < SOON
        assert ask("SELECT 1").rows == [[1]]


class TestLeaveNothingBehind:
    def test_after_all_attacks_on_the_guard_only_the_tables_are_there(self, ask: Ask):
        for sql in kind("refused").values():
            with pytest.raises(Refused):
                ask(sql)
        assert ask("SHOW TABLES").rows == [["customers"], ["sales"]]

    def test_the_guard_alone_refuses_them_too(self, tables: dict[str, Path]):
        connection = duckdb.connect()
        for sql in kind("refused").values():
            with pytest.raises(Refused):
                validate_statement(sql, list(tables), connection)
