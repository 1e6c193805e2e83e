"""Tables side by side on one sheet: the key beside the data is left out, and a choice is named."""

import io
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import openpyxl
import pytest
from tests.unit.engines.ingest.test_read_options import read

from modelwright.engines.ingest.side_by_side import blocks_of

ORDERS: list[list[Any]] = [["id", "name", "v"], *([n, f"n{n}", n * 1.5] for n in range(1, 9))]
CITIES: list[list[Any]] = [["city", "people"], *([f"C{n}", n * 1000] for n in range(1, 6))]
CELLS = [list(row) for row in CITIES[1:]]


def workbook(*placed: tuple[int, int, list[list[Any]]]) -> bytes:
    """Makes a sheet with tables at rows and columns, counted from 1."""
    book, out = openpyxl.Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Data"
    for top, left, rows in placed:
        for down, row in enumerate(rows):
            for along, value in enumerate(row):
                sheet.cell(top + down, left + along, value)
    book.save(out)
    return out.getvalue()


@pytest.fixture
def found(ingest: Any) -> Callable[..., Any]:
    return lambda *placed: ingest(workbook(*placed), "t.xlsx")


BESIDE = {
    "below the same line": ((1, 1, ORDERS), (1, 5, CITIES)),
    "above it": ((3, 1, ORDERS), (1, 5, CITIES)),
    "with titles": ((1, 1, [["Orders"], [], *ORDERS]), (1, 5, [["Cities"], [], *CITIES])),
    "a key of the codes": ((1, 1, ORDERS), (3, 5, [["Code", "Means"], ["A", "x"], ["B", "y"]])),
}


@pytest.mark.parametrize("placed", BESIDE.values(), ids=BESIDE.keys())
def test_the_smaller_one_is_no_part_of_the_data(found: Any, placed: Any):
    it = found(*placed)
    assert (it.names, it.table.rows) == (["id", "name", "v"], 8)
    assert any("Other tables stand beside the one in A:C (E:F)" in one for one in it.table.notices)


def test_two_of_one_height_are_read_as_one_and_told(found: Any):
    it = found((1, 1, ORDERS[:6]), (1, 5, CITIES))
    assert it.names == ["id", "name", "v", "city", "people"]
    assert any("all is read as one table" in one for one in it.table.notices)


def test_a_column_that_is_left_blank_parts_no_table(found: Any):
    it = found((1, 1, [[row[0], row[1], None, row[2]] for row in ORDERS]))
    assert (it.names, it.table.notices) == (["id", "name", "v"], ())


def test_thousands_of_blank_columns_are_looked_at_once():
    rows = [dict.fromkeys(range(0, 4000, 2), 1) for _ in range(200)]
    begun = process_time()
    assert len(blocks_of(rows)) == 2000
    assert process_time() - begun < 20  # each block by itself would take minutes


def test_remarks_that_end_anywhere_stay(found: Any):
    it = found((1, 1, ORDERS), (1, 5, [["remark"], ["ok"]]))
    assert it.names == ["id", "name", "v", "remark"]


@pytest.mark.parametrize("sheet", ["Data!E1:F6", "data!E:F", "1!E:F", "E1:F6", "'Data'!$E$1:$F$6"])
def test_the_cells_that_are_said_are_read(tmp_path: Path, sheet: str):
    content = workbook((1, 1, ORDERS), (1, 5, CITIES))
    names, rows = read(tmp_path, content, "t.xlsx", sheet=sheet)
    assert (names, [list(row) for row in rows]) == (["city", "people"], CELLS)


def test_a_table_below_another_can_be_chosen(ingest: Any, tmp_path: Path):
    content = workbook((1, 1, ORDERS), (12, 1, CITIES))
    it = ingest(content, "t.xlsx")
    assert it.table.rows == 8
    assert any("Name its cells as sheet" in one for one in it.table.notices)
    names, rows = read(tmp_path, content, "t.xlsx", sheet="Data!A12:B17")
    assert (names, [list(row) for row in rows]) == (["city", "people"], CELLS)


def test_the_empty_column_between_those_of_a_text_is_told(ingest: Any):
    rows = "".join(f"{n},{n}.5,,C{n},{n}\n" for n in range(1, 7))
    it = ingest(f"id,v,,city,people\n{rows}")
    assert any("'id' to 'v' from 'city' to 'people'" in one for one in it.table.notices)
    assert ingest("id,v,,city\n" + "1,2,,a\n2,3,,b\n3,4,,c\n").table.notices == ()
