"""Rows that are none of the data: names said again, a sum or notes at the foot."""

import io
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.facts import notices_of
from modelwright.engines.ingest.non_data_rows import is_note
from modelwright.engines.ingest.table import Bounds
from modelwright.engines.profiling.table_profile import profile

HEAD = ["day", "shop", "units", "price"]
ROWS: list[list[Any]] = [
    [f"2026-01-{day:02}", "NSW"[day % 3], day, day / 4] for day in range(1, 29)
]
SUM = [sum(row[place] for row in ROWS) for place in (2, 3)]
TOTAL = ["Total", None, *SUM]
TYPES = ["date", "string", "integer", "float"]


def written(rows: list[list[Any]], mark: str = ",") -> str:
    lines = (mark.join("" if cell is None else str(cell) for cell in row) for row in rows)
    return "\n".join(lines) + "\n"


def test_a_long_cell_is_looked_at_once() -> None:
    assert not is_note(["1," * 100_000], 5)
    assert is_note(["1," * 100_000 + "as said above"], 5)


def workbook(rows: list[list[Any]]) -> bytes:
    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        first = date.fromisoformat(row[0]) if str(row[0]).startswith("2026") else row[0]
        book.active.append([first, *row[1:]])
    book.save(out)
    return out.getvalue()


@pytest.fixture(params=["csv", "xlsx"])
def table(request: pytest.FixtureRequest, ingest: Any) -> Any:
    """Ingests rows as either kind of file."""

    def run(rows: list[list[Any]]) -> Any:
        if request.param == "csv":
            return ingest(written(rows))
        return ingest(workbook(rows), "t.xlsx")

    return run


class TestSum:
    def test_at_the_foot_is_left_out_and_said(self, table: Any):
        found = table([HEAD, *ROWS, TOTAL])
        assert (found.table.rows, found.types) == (28, TYPES)
        said = "The last row ('Total') adds up the rows above it and is left out."
        assert found.table.notices == (said,)
        assert notices_of([found.path]) == [said]

    @pytest.mark.parametrize(
        "label", ["TOTAL:", "Grand Total", "Sum", "Totals", "Summe", "Total 2026", "Gesamtsumme"]
    )
    def test_has_many_names(self, table: Any, label: str):
        assert table([HEAD, *ROWS, [label, *TOTAL[1:]]]).table.rows == 28

    def test_may_stand_above_notes(self, table: Any):
        found = table([HEAD, *ROWS, TOTAL, ["Source: till", None, None, None]])
        assert (found.table.rows, found.types) == (28, TYPES)
        assert "'Total', 'Source: till'" in found.table.notices[0]

    def test_may_be_written_with_units_and_thousands(self, ingest: Any):
        rows = [[f"shop {n}", f"$1,{n:03}.50"] for n in range(10, 30)]
        total = sum(1000.5 + n for n in range(10, 30))
        found = ingest(written([["shop", "sales"], *rows, ["Total", f"${total:,.2f}"]], ";"))
        assert found.table.rows == 20

    def test_may_be_rounded(self, table: Any):
        rows = [[row[0], row[1], row[2], row[2] / 7] for row in ROWS]
        whole = sum(row[3] for row in rows)
        assert table([HEAD, *rows, ["Total", None, None, round(whole, 1)]]).table.rows == 28

    @pytest.mark.parametrize(
        "last",
        [
            ["Total", None, SUM[0] + 1, SUM[1] + 1],
            ["Totally new", None, *SUM],
            ["2026-02-01", "Total", *SUM],
            ["Total", None, None, None],
        ],
    )
    def test_that_is_none_stays(self, table: Any, last: list[Any]):
        found = table([HEAD, *ROWS, last])
        assert found.table.rows == 29 or last[2:] == [None, None]

    def test_in_the_middle_stays(self, table: Any):
        found = table([HEAD, *ROWS[:14], ["Total", None, 105, 26.25], *ROWS[14:]])
        assert found.table.rows == 29
        assert "day is read as text" in found.table.notices[0]
        assert "'Total' in row 15" in found.table.notices[0]

    def test_is_found_in_files_of_many_blocks(self, ingest: Any):
        rows = [[f"shop {n}", n] for n in range(5000)]
        text = written([["shop", "n"], *rows, ["Total", sum(range(5000))]])
        found = ingest(text, bounds=Bounds(max_cell_bytes=512))
        assert (found.table.rows, found.rows[-1]) == (5000, ("shop 4999", 4999))

    def test_is_told_by_plans_and_profiles(self, table: Any, tmp_path: Path):
        found = table([HEAD, *ROWS, TOTAL])
        plan = make_plan([found.path], "predict price", seconds=10)
        assert plan.warnings[0] == found.table.notices[0]
        insights = profile(found.path, "basic", scratch=tmp_path).insights
        assert found.table.notices[0] in [one.message for one in insights]


class TestNotes:
    def test_that_would_spoil_a_column_are_left_out(self, table: Any):
        notes = [["Source: till", None, None, None], ["Made by hand", None, None, None]]
        found = table([HEAD, *ROWS, *notes])
        assert (found.table.rows, found.types) == (28, TYPES)
        assert found.table.notices == (
            "The last 2 lines are notes ('Source: till', 'Made by hand') and are left out.",
        )

    def test_in_lines_of_their_own_are_left_out(self, ingest: Any):
        found = ingest(written([HEAD, *ROWS]) + "\nSource: till\n")
        assert (found.table.rows, found.types) == (28, TYPES)
        assert found.table.notices == ("The last line is a note ('Source: till') and is left out.",)

    def test_may_hold_the_delimiter(self, ingest: Any):
        found = ingest(written([HEAD, *ROWS]) + "\nSource: till, made by hand\n")
        assert (found.table.rows, found.types) == (28, TYPES)

    def test_below_a_sum_leave_both_out(self, ingest: Any):
        found = ingest(written([HEAD, *ROWS, TOTAL]) + "Source: till\n")
        assert (found.table.rows, found.types) == (28, TYPES)
        assert len(found.table.notices) == 2

    @pytest.mark.parametrize("last", ["2026-02", "17", "shop-17", "2026-02-01,N"])
    def test_are_no_rows_cut_short(self, broken: Any, last: str):
        refusal = broken(written([HEAD, *ROWS]) + last)
        assert refusal.line == 30

    def test_in_the_middle_break_the_file(self, broken: Any):
        text = written([HEAD, *ROWS]) + "Source: till\n" + written(ROWS)
        assert broken(text).line == 30

    def test_beyond_a_few_break_the_file(self, broken: Any):
        assert broken(written([HEAD, *ROWS]) + "Source: till\n" * 11).line == 30

    def test_below_a_word_for_a_sum_leave_both_out(self, table: Any):
        rows = [[row[1], f"{row[1]}x", *row[2:]] for row in ROWS]
        notes = [["Total", None, None, None], ["Source: till", None, None, None]]
        found = table([["a", "b", "c", "d"], *rows, *notes])
        assert found.table.rows == 28

    @pytest.mark.parametrize("number", [1, 30])
    def test_of_nothing_are_left_out(self, ingest: Any, number: int):
        found = ingest(written([HEAD, *ROWS, TOTAL, *[[None] * 4] * number]))
        assert (found.table.rows, found.types) == (28, TYPES)
        rows = "row is empty and is" if number == 1 else "30 rows are empty and are"
        assert found.table.notices[0] == f"The last {rows} left out."
        assert ingest(written([HEAD, *ROWS[:9], [None] * 4, *ROWS[9:]])).table.rows == 28

    def test_in_a_column_of_words_stay(self, table: Any):
        rows = [[row[1], f"{row[1]}x", *row[2:]] for row in ROWS]
        found = table([["a", "b", "c", "d"], *rows, ["Source: till", None, None, None]])
        assert found.table.rows == 29


class TestNames:
    def test_of_groups_above_those_of_columns_are_titles(self, table: Any):
        groups = ["When and where", None, "What", None]
        found = table([groups, HEAD, *ROWS])
        assert (found.names, found.types) == (HEAD, TYPES)
        found = table([["Where", None, "What", "Paid"], HEAD, *ROWS])
        assert (found.names, found.types) == (HEAD, TYPES)

    @pytest.mark.parametrize("above", [[], [["Sales", None, None, None]]])
    def test_that_repeat_below_groups_are_told_apart_by_these(self, table: Any, above: Any):
        rows = [[row[1], *row[2:], row[2]] for row in ROWS]
        groups, parts = ["shop", "2025", None, "2026"], [None, "units", "price", "units"]
        found = table([*above, groups, parts, *rows])
        assert found.names == ["shop", "2025 units", "2025 price", "2026 units"]
        assert (found.table.rows, found.types) == (28, ["string", "integer", "float", "integer"])

    def test_that_are_parts_of_one_group_are_told_with_it(self, table: Any):
        found = table([["day", "Where", "What", None], [None, None, *HEAD[2:]], *ROWS])
        names = ["day", "Where", "What units", "What price"]
        assert (found.names, found.types) == (names, TYPES)

    def test_below_questions_are_answers_that_a_number_of_the_row_has_none_of(self, table: Any):
        asked = ["id", "Where to?", "Which?", None]
        answers = [None, "Response", "Train", "Bus"]
        found = table([asked, answers, [7, "Rome", "Train", None], [8, "Oslo", None, "Bus"]])
        assert found.names == ["id", "Response", "Train", "Bus"]
        assert found.values() == [7, 8]

    def test_with_groups_may_leave_the_first_column_without(self, table: Any):
        groups, parts = [None, "shop", None, "bias", None], [None, "units", "mean", "mean", "n"]
        found = table([groups, parts, [1, 2, 0.5, 0.25, 9], [2, 3, 0.75, 0.5, 4]])
        assert found.names == ["column_1", "shop units", "shop mean", "bias mean", "bias n"]
        assert found.table.notices == ("Two lines together name the columns.",)

    def test_with_a_blank_are_no_groups(self, table: Any):
        rows = [[f"n{at}", *row[1:]] for at, row in enumerate(ROWS)]
        found = table([[None, *HEAD[1:]], *rows])
        assert (found.names[1:], found.table.rows) == (HEAD[1:], 28)
        rows[0] = [*rows[0][:2], "see below", "a gift"]
        found = table([[None, *HEAD[1:]], *rows])
        assert (found.names[1:], found.table.rows) == (HEAD[1:], 28)
        rows = [[row[1], "see below" if not at else row[2], row[1]] for at, row in enumerate(ROWS)]
        found = table([["shop", "units", None], *rows])
        assert (found.names[:2], found.table.rows) == (["shop", "units"], 28)

    def test_said_again_are_left_out(self, table: Any):
        found = table([HEAD, *ROWS[:9], HEAD, *ROWS[9:20], HEAD, *ROWS[20:]])
        assert (found.table.rows, found.types) == (28, TYPES)
        assert found.table.notices == (
            "2 rows repeat the names of the columns (rows 10, 22 of the data) and are left out.",
        )

    def test_said_again_in_another_order_are_refused_with_their_line(self, broken: Any):
        rows = [["oak\nor elm", "x", "a"], ["fir", "y", "b"]]
        text = 'tree,mark,note\n"oak\nor elm",x,a\n\nfir,y,b\nmark,note,tree\nx,a,yew\n'
        refusal = broken(text)
        assert f"Row {len(rows) + 1} of the data names the columns once more" in refusal.reason
        assert refusal.line == 6
        assert broken("Trees of the park\n\n" + text).line == 8

    def test_said_again_above_a_sum_leave_both_out(self, table: Any):
        found = table([HEAD, *ROWS[:9], HEAD, *ROWS[9:], TOTAL])
        assert (found.table.rows, found.types) == (28, TYPES)
        assert len(found.table.notices) == 2

    def test_as_values_of_one_column_stay(self, table: Any):
        found = table([["a", "b"], ["x", "y"], ["a", "z"], ["w", "b"]])
        assert found.table.rows == 3
        assert not any("repeat" in one for one in found.table.notices)
