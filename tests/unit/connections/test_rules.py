"""Cron lines, sealed secrets, moves and names."""

from datetime import UTC, datetime

import pytest

from modelwright.connections.cron import Cron, CronError
from modelwright.connections.domain import (
    TRANSITIONS,
    IngestionEvent,
    IngestionRequest,
    Status,
    filename_for,
    query_fault,
)
from modelwright.connections.errors import PasswordUnreadable
from modelwright.connections.password_cipher import PasswordCipher


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


class TestCron:
    @pytest.mark.parametrize(
        ("line", "after", "comes"),
        [
            ("* * * * *", "2026-03-02T12:00:30", "2026-03-02T12:01"),
            ("0 4 * * *", "2026-03-02T12:00", "2026-03-03T04:00"),
            ("0 4 * * *", "2026-03-02T03:59:59", "2026-03-02T04:00"),
            ("0 4 * * *", "2026-03-02T04:00", "2026-03-03T04:00"),
            ("*/15 9-17 * * mon-fri", "2026-03-06T17:50", "2026-03-09T09:00"),
            ("5,35 0 1 * *", "2026-12-31T23:59", "2027-01-01T00:05"),
            ("0 0 29 2 *", "2096-03-01T00:00", "2104-02-29T00:00"),
            ("0 0 31 * *", "2026-04-01T00:00", "2026-05-31T00:00"),
            ("0 0 13 * fri", "2026-03-02T00:00", "2026-03-06T00:00"),
            ("0 0 13 * fri", "2026-03-11T00:00", "2026-03-13T00:00"),
            ("0 0 * * 7", "2026-03-02T00:00", "2026-03-08T00:00"),
            ("0 0 * * 0", "2026-03-02T00:00", "2026-03-08T00:00"),
            ("0 0 1 jan,JUL *", "2026-03-02T00:00", "2026-07-01T00:00"),
            ("10/20 * * * *", "2026-03-02T12:31", "2026-03-02T12:50"),
            ("0 0 */2 * mon", "2026-03-02T00:00", "2026-03-09T00:00"),
        ],
    )
    def test_comes_at_its_time(self, line: str, after: str, comes: str):
        assert Cron.parse(line).after(moment(after)) == moment(comes)

    @pytest.mark.parametrize(
        "line",
        [
            "",
            "* * * *",
            "* * * * * *",
            "60 * * * *",
            "* 24 * * *",
            "* * 0 * *",
            "* * 32 * *",
            "* * * 13 *",
            "* * * * 8",
            "5-1 * * * *",
            "*/0 * * * *",
            "a * * * *",
            "1,,2 * * * *",
            "-1 * * * *",
            "1- * * * *",
            "@daily",
            "99999999999999999999 * * * *",
            "² * * * *",
        ],
    )
    def test_what_is_no_cron_line_is_refused(self, line: str):
        with pytest.raises(CronError):
            Cron.parse(line)

    def test_a_day_that_never_comes_is_refused(self):
        with pytest.raises(CronError, match="never"):
            Cron.parse("0 0 30 2 *").after(moment("2026-03-02"))


class TestSeal:
    def test_opens_what_it_closed_and_never_closes_alike(self):
        seal = PasswordCipher(lambda: [b"key"])
        closed = [seal.close("pässword", "conn_1") for _ in range(2)]
        assert closed[0] != closed[1]
        assert [seal.open(one, "conn_1") for one in closed] == ["pässword"] * 2

    def test_another_key_another_row_and_a_changed_text_do_not_open(self):
        closed = PasswordCipher(lambda: [b"key"]).close("password", "conn_1")
        changed = closed[:-6] + ("AAAA" if closed[-6:-2] != "AAAA" else "BBBB") + closed[-2:]
        for seal, text, owner in (
            (PasswordCipher(lambda: [b"other"]), closed, "conn_1"),
            (PasswordCipher(lambda: [b"key"]), closed, "conn_2"),
            (PasswordCipher(lambda: [b"key"]), changed, "conn_1"),
        ):
            with pytest.raises(PasswordUnreadable):
                seal.open(text, owner)


class TestMoves:
    @pytest.mark.parametrize("status", Status)
    @pytest.mark.parametrize("verb", IngestionEvent)
    def test_only_the_table_moves(self, status: Status, verb: IngestionEvent):
        assert TRANSITIONS.get((status, verb)) == TRANSITIONS.get((status, verb))

    def test_an_ended_run_only_starts_again(self):
        for status in (Status.COMPLETED, Status.FAILED):
            verbs = [verb for verb in IngestionEvent if TRANSITIONS.get((status, verb))]
            assert verbs == [IngestionEvent.TRIGGER]


class TestWords:
    @pytest.mark.parametrize(
        "query",
        ["select 1", " \n-- x\nSELECT 1", "/* a */ with q as (select 1) table q", "((values (1)))"],
    )
    def test_what_reads_is_taken(self, query: str):
        assert query_fault(query) is None

    def test_comments_are_read_in_one_way_however_many(self):
        assert query_fault("/**/" * 20_000 + "insert")
        assert query_fault("/* a */ -- b\n" * 5_000 + "select 1") is None

    @pytest.mark.parametrize(
        "query",
        ["insert into a select 1", "selecting", "", "-- select", "call a()", "explain select 1"],
    )
    def test_what_does_not_read_is_refused(self, query: str):
        assert query_fault(query)

    @pytest.mark.parametrize(
        ("table", "filename"),
        [
            ("orders", "orders.parquet"),
            ("a/b\\c", "a_b_c.parquet"),
            ("..", "rows.parquet"),
            ("x" * 500, "x" * 200 + ".parquet"),
            (None, "dataset.parquet"),
        ],
    )
    def test_files_have_names_that_uploads_take(self, table: str | None, filename: str):
        assert filename_for(IngestionRequest("conn_1", table, None, "dataset", None)) == filename
