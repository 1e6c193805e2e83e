"""Excel: that only the first sheet is read is told where there are others to read."""

import io
import zipfile
from typing import Any

import openpyxl

SAID = "Only the first sheet is read; name another one as sheet to read that instead: "


def workbook(*further: str, state: str = "visible") -> bytes:
    book = openpyxl.Workbook()
    for name in ("Orders", *further):
        sheet = book.create_sheet(name)
        sheet.append(["id", "price"])
        sheet.append([1, 2.5])
        sheet.sheet_state = "visible" if name == "Orders" else state
    book.create_sheet("Empty")
    del book["Sheet"]
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def notices(ingest: Any, data: bytes) -> tuple[str, ...]:
    found = ingest(data, "t.xlsx")
    assert found.table.rows == 1
    told: tuple[str, ...] = found.table.notices
    return told


def test_they_are_named(ingest: Any):
    assert notices(ingest, workbook("Customers")) == (f"{SAID}'Customers'.",)
    assert notices(ingest, workbook(*"ABCDE")) == (f"{SAID}'A', 'B', 'C' and 2 more.",)


def test_empty_ones_are_not_and_hidden_ones_are_told_apart(ingest: Any):
    assert notices(ingest, workbook()) == ()
    told = notices(ingest, workbook("Lists", state="hidden"))
    assert told == ("Hidden, and not read unless named as sheet: 'Lists'.",)


def test_a_broken_one_keeps_nobody_from_the_first(ingest: Any):
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook("Broken"))) as old,
        zipfile.ZipFile(out, "w") as new,
    ):
        for name in old.namelist():
            is_broken = name == "xl/worksheets/sheet2.xml"
            new.writestr(name, b"<nonsense" if is_broken else old.read(name))
    assert notices(ingest, out.getvalue()) == ()
