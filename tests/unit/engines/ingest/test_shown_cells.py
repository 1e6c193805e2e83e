"""What workbooks show beside their values: bounded, and no reason to refuse what can be read."""

import io
import struct
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import olefile
import pytest

from modelwright.engines.ingest import shown_cells
from modelwright.engines.ingest.binary_excel import _records
from modelwright.engines.ingest.calamine import NOT_SHOWN
from modelwright.engines.ingest.cell_range import LAST_COLUMN, LAST_ROW
from modelwright.engines.ingest.name_evidence import tells_names
from modelwright.engines.ingest.old_excel import shown_in_xls
from modelwright.engines.ingest.open_document import shown_in_ods
from modelwright.engines.ingest.shown_cells import ShownCells
from modelwright.engines.ingest.table import Bounds, BrokenFile

FILES = Path(__file__).parent / "corpus" / "files"
SOON_SECONDS = 30.0
NAMES = "urn:oasis:names:tc:opendocument:xmlns"


def open_document(path: Path, rows: str) -> Path:
    content = (
        f'<office:document-content xmlns:office="{NAMES}:office:1.0"'
        f' xmlns:table="{NAMES}:table:1.0"><table:table table:name="S">{rows}</table:table>'
        "</office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("content.xml", content)
    return path


def rewritten(name: str, change: Callable[[str, bytes], bytes | None]) -> bytes:
    """A workbook of the corpus with other parts; None takes one away."""
    out = io.BytesIO()
    with zipfile.ZipFile(FILES / name) as read, zipfile.ZipFile(out, "w") as written:
        for part in read.namelist():
            if (content := change(part, read.read(part))) is not None:
                written.writestr(part, content)
    return out.getvalue()


class TestBounds:
    def test_hidden_rows_are_those_of_a_sheet(self, tmp_path: Path):
        row = '<table:table-row table:visibility="collapse" table:number-rows-repeated="100000"/>'
        began = time.monotonic()
        shown = shown_in_ods(open_document(tmp_path / "t", row * 10_000), Bounds(), "S")
        assert shown.hidden_rows == set(range(1, LAST_ROW + 1))
        assert time.monotonic() - began < SOON_SECONDS

    def test_columns_that_are_named_again_and_again_cost_nothing(self):
        shown, began = ShownCells(), time.monotonic()
        for _ in range(200_000):
            shown.hide_columns(0, 2**16)
        assert shown.hidden_columns == set(range(LAST_COLUMN + 1))
        assert time.monotonic() - began < SOON_SECONDS

    @pytest.mark.parametrize("ending", ["xls", "xlsb", "ods"])
    def test_of_too_many_zeros_none_are_kept_and_that_is_told(
        self, ingest: Any, monkeypatch: pytest.MonkeyPatch, ending: str
    ):
        kept = ingest(FILES / f"pad.{ending}")
        monkeypatch.setattr(shown_cells, "MOST_PADDED", 1)
        found = ingest(FILES / f"pad.{ending}")
        assert any("zeros before them are texts" in one for one in kept.table.notices)
        assert any("more than 1 numbers with zeros" in one for one in found.table.notices)
        assert "integer" in found.types
        assert found.types != kept.types

    def test_records_are_read_however_they_come(self):
        part = bytes([0, 3]) + b"abc" + bytes([0x80, 0x01, 0x80, 0x01]) + b"x" * 128 + bytes([5, 0])
        wanted = [(0, b"abc"), (128, b"x" * 128), (5, b"")]
        for size in (1, 2, 7, 1000):
            pieces = [part[at : at + size] for at in range(0, len(part), size)]
            assert list(_records(pieces)) == wanted
        with pytest.raises(ValueError, match="within a record"):
            list(_records([part[:50]]))

    def test_long_cells_without_blanks_take_no_time(self):
        began = time.monotonic()
        rows = [[f"{one}" * 100_000] for one in ("ab", "cd1", "EfG", "aB_")]
        assert isinstance(tells_names(rows), bool)
        assert time.monotonic() - began < SOON_SECONDS


class TestDamage:
    @pytest.mark.parametrize(
        ("name", "part"),
        [
            ("pad.xlsb", "xl/styles.bin"),
            ("pad.xlsb", "xl/worksheets/sheet1.bin"),
        ],
    )
    def test_is_told_where_the_values_can_be_read(self, ingest: Any, name: str, part: str):
        whole = ingest(FILES / name)

        def torn(at: str, content: bytes) -> bytes:
            return content + b"\x85\x01\xff" if at == part else content

        found = ingest(rewritten(name, torn), name)
        assert NOT_SHOWN in found.table.notices
        assert (found.names, found.table.rows) == (whole.names, whole.table.rows)
        assert NOT_SHOWN not in whole.table.notices

    def test_a_part_that_is_refused_refuses_no_workbook(self, ingest: Any):
        """As by a document type, which calamine passes over."""

        def typed(at: str, content: bytes) -> bytes:
            head, mark, rest = content.partition(b"?>")
            return head + mark + b"<!DOCTYPE x>" + rest if at == "content.xml" else content

        found = ingest(rewritten("pad.ods", typed), "t.ods")
        assert NOT_SHOWN in found.table.notices
        assert found.names == ingest(FILES / "pad.ods").names

    def test_what_unpacks_to_too_much_is_refused(self, ingest: Any):
        def grown(at: str, content: bytes) -> bytes:
            return content + b" " * 2**20 if at == "content.xml" else content

        with pytest.raises(BrokenFile, match="unpacks to more"):
            ingest(rewritten("pad.ods", grown), "t.ods", Bounds(max_expanded_bytes=2**20))

    def test_a_directory_that_descends_for_ever_is_one(self, tmp_path: Path):
        path = tmp_path / "t.xls"
        path.write_bytes(deep_directory(3_996))
        with pytest.raises(RecursionError), olefile.OleFileIO(path):
            pass
        assert shown_in_xls(path, "S") is None


def deep_directory(entries: int) -> bytes:
    """A compound file of storages that stand one below the other."""
    nothing, end, of_table = 2**32 - 1, 2**32 - 2, 2**32 - 3
    sectors = entries * 128 // 512
    tables = -(-sectors // 126)
    head = struct.pack("<8s16x5H6x", olefile.MAGIC, 0x3E, 3, 0xFFFE, 9, 6)
    head += struct.pack("<9I", 0, tables, tables, 0, 4096, end, 0, end, 0)
    places = [*range(tables), *[nothing] * (109 - tables)]
    chain = [*range(tables + 1, tables + sectors), end]
    table = [*[of_table] * tables, *chain]
    table += [nothing] * (tables * 128 - len(table))
    directory = b""
    for at in range(entries):
        name = f"e{at}".encode("utf-16-le") + bytes(2)
        below = at + 1 if at + 1 < entries else nothing
        told = struct.pack("<HBB3I", len(name), 1 if at else 5, 1, nothing, nothing, below)
        directory += name.ljust(64, b"\0") + told + bytes(36) + struct.pack("<IQ", end, 0)
    return head + struct.pack("<109I", *places) + struct.pack(f"<{len(table)}I", *table) + directory
