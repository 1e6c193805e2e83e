"""Workbooks: what stands around a table on its sheet, and what is not read, is told."""

import io
from collections.abc import Callable
from typing import Any

import openpyxl
import pytest

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
