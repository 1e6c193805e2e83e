"""Workbooks: what stands around a table on its sheet, and what is not read, is told."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from tests.unit.engines.ingest.test_read_options import read

Rows = list[list[Any]]


@pytest.fixture
def workbook(ingest: Any) -> Callable[..., Any]:
    def run(rows: Rows, change: Callable[[Any], None] = lambda _: None) -> Any:
        made = openpyxl.Workbook()
        for row in rows:
            made.active.append(row)
        change(made)
        written = io.BytesIO()
        made.save(written)
        return ingest(written.getvalue(), "t.xlsx")

    return run


def test_a_title_above_two_columns_names_none(workbook: Any):
    found = workbook([["Report 2024"], [], ["t", "x"], [1, 2.5], [2, 3.5], [3, 4.5], [4, 5.5]])
    assert (found.names, found.types) == (["t", "x"], ["integer", "float"])
    assert "Report 2024" in found.table.notices[0]


def test_units_below_the_names_are_no_row(workbook: Any):
    found = workbook([["t", "x"], ["s", "mm"], [1, 2.5], [2, 3.5], [3, 4.5]])
    assert (found.types, found.table.rows) == (["integer", "float"], 3)
    assert "'s', 'mm'" in found.table.notices[0]


def test_a_hidden_sheet_is_named(workbook: Any):
    def hide(made: Any) -> None:
        made.create_sheet("Secret").append(["a", "b"])
        made["Secret"].sheet_state = "hidden"

    found = workbook([["t", "x"], [1, 2], [3, 4]], hide)
    assert found.table.notices == ("Hidden, and not read unless named as sheet: 'Secret'.",)


def test_texts_of_a_local_form_are_told(workbook: Any):
    found = workbook([["d", "v"], ["31.01.2024", "1,234.50"], ["02.03.2024", "12.00"]])
    assert [one for one in found.table.notices if "in types" in one][1:]


def test_rows_and_columns_that_are_hidden_are_read_and_told(workbook: Any):
    def hide(made: Any) -> None:
        made.active.row_dimensions[3].hidden = True
        made.active.column_dimensions["B"].hidden = True

    found = workbook([["t", "x"], [1, 2], [3, 4], [5, 6]], hide)
    assert (found.names, found.table.rows) == (["t", "x"], 3)
    said = "1 row and the column B are hidden in the sheet and are read like the others."
    assert found.table.notices == (said,)


CODES: Rows = [["code", "n"], [1067, 1], [4109, 2], [80331, 3]]


def shown_with_zeros(made: Any) -> None:
    for row in range(2, 5):
        made.active.cell(row, 1).number_format = "00000"


def test_numbers_that_are_shown_with_zeros_are_codes(workbook: Any):
    found = workbook(CODES, shown_with_zeros)
    assert found.types == ["string", "integer"]
    assert found.values() == ["01067", "04109", "80331"]
    assert "texts: code ('01067')" in found.table.notices[0]


def test_they_are_numbers_where_that_is_said(workbook: Any, tmp_path: Path):
    written = io.BytesIO()
    made = openpyxl.Workbook()
    for row in CODES:
        made.active.append(row)
    shown_with_zeros(made)
    made.save(written)
    rows = read(tmp_path, written.getvalue(), "t.xlsx", types={"code": "integer"})[1]
    assert rows == [(1067, 1), (4109, 2), (80331, 3)]


def test_numbers_with_as_many_digits_as_are_shown_stay_numbers(workbook: Any):
    def show(made: Any) -> None:
        made.active.cell(2, 1).number_format = made.active.cell(3, 1).number_format = "0000"

    found = workbook([["year", "n"], [2023, 1], [2024, 2]], show)
    assert (found.types, found.table.notices) == (["integer", "integer"], ())
