"""Small files that claim to be enormous are refused, quickly and within bounded memory."""

import gzip
import io
import json
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from modelwright.engines.ingest.table import BrokenFile

MIB = 2**20
MOST_MEMORY = 1000
CHILD = """
import json, os, signal, sys
from pathlib import Path
import pyarrow
from modelwright.engines.ingest.converting import convert
from modelwright.engines.ingest.table import Bounds, BrokenFile

def told(folder, name, bounds):
    try:
        table = convert(Path(folder) / name, Path(folder) / "out", name=name, content_type="",
                        bounds=Bounds(**bounds), scratch=Path(folder))
        said = f"{table.rows} rows"
    except BrokenFile as broken:
        said = broken.reason
    peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
    return [said, int(peak.split()[1]) // 1024]

pyarrow.array([])  # which loads pandas
for line in sys.stdin:
    if not os.fork():
        signal.alarm(60)
        print(json.dumps(told(*json.loads(line))), flush=True)
        os._exit(0)
    if os.wait()[1]:
        print("null", flush=True)
"""
"""Forks a process for each file, which pays for no import; it leaves as jobs do: Arrow's threads
may still be reading, and an interpreter's end aborts them."""

SaidOf = Callable[..., str]


@pytest.fixture(scope="module")
def converting() -> Iterator[subprocess.Popen[str]]:
    """What converts files, each in a process of its own."""
    with subprocess.Popen(
        [sys.executable, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        yield child
        child.kill()


@pytest.fixture
def said_of(converting: subprocess.Popen[str]) -> SaidOf:
    """Gives what is said of a file, which is read within bounded memory."""

    def said(folder: Path, name: str, **bounds: int) -> str:
        assert converting.stdin is not None
        assert converting.stdout is not None
        converting.stdin.write(json.dumps([str(folder), name, bounds]) + "\n")
        converting.stdin.flush()
        answer = json.loads(converting.stdout.readline())
        assert answer is not None, "it crashed, or took longer than a minute"
        told, megabytes = answer
        assert megabytes < MOST_MEMORY
        return str(told)

    return said


def members(pack: Callable[[bytes], bytes], start: bytes, repeated: bytes, size: int) -> bytes:
    """Packs a start, then a repeated piece up to a size, in constant time."""
    return pack(start) + pack(repeated) * (size // len(repeated))


def parquet(table: pa.Table, **options: Any) -> bytes:
    out = io.BytesIO()
    pq.write_table(table, out, **options)
    return out.getvalue()


def repeated_text(text: str, times: int) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array([0] * times, pa.int32()), pa.array([text]))


class TestPacked:
    @pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
    def test_rows_without_end_are_refused(self, tmp_path: Path, said_of: SaidOf, pack: Any):
        bomb = members(pack, b"a,b\n", b"1,2\n" * 2**22, 10 * 2**30)
        assert len(bomb) < 16 * MIB
        (tmp_path / "bomb").write_bytes(bomb)
        assert "unpacks to more than" in said_of(tmp_path, "bomb")

    @pytest.mark.parametrize("start", [b"a,b\n", b'a,b\n1,"', b'[{"a": "', b'[{"a":'])
    def test_a_cell_without_end_is_refused(self, tmp_path: Path, said_of: SaidOf, start: bytes):
        bomb = members(zstandard.compress, start, b"x" * 2**24, 2**30)
        (tmp_path / "bomb").write_bytes(bomb)
        assert said_of(tmp_path, "bomb")

    def test_json_records_without_end_are_refused(self, tmp_path: Path, said_of: SaidOf):
        bomb = members(gzip.compress, b"", b'{"a": 1}\n' * 2**18, 10 * 2**30)
        (tmp_path / "bomb").write_bytes(bomb)
        assert "unpacks to more than" in said_of(tmp_path, "bomb", max_expanded_bytes=4 * MIB)


class TestText:
    def test_a_long_cell_is_refused_with_its_line(self, tmp_path: Path, said_of: SaidOf):
        with (tmp_path / "bomb").open("wb") as file:
            file.write(b"a,b\n1,2\n3,")
            for _ in range(512):
                file.write(b"x" * MIB)
        assert "line 3" in said_of(tmp_path, "bomb")

    def test_a_header_of_100_000_columns_is_refused(self, tmp_path: Path, said_of: SaidOf):
        names = ",".join(f"c{n}" for n in range(100_000))
        row = ",".join(["1"] * 100_000)
        (tmp_path / "bomb").write_text(f"{names}\n{row}\n")
        assert "100,000 columns" in said_of(tmp_path, "bomb")

    def test_a_header_without_end_is_refused(self, tmp_path: Path, said_of: SaidOf):
        (tmp_path / "bomb").write_bytes(b"a," * (32 * MIB))
        assert "first row is longer" in said_of(tmp_path, "bomb")

    def test_10_000_columns_are_read(self, tmp_path: Path, said_of: SaidOf):
        names = ",".join(f"c{n}" for n in range(10_000))
        row = ",".join(["1"] * 10_000)
        (tmp_path / "bomb").write_text(f"{names}\n" + f"{row}\n" * 20)
        assert said_of(tmp_path, "bomb") == "20 rows"

    def test_json_of_100_000_fields_is_refused(self, tmp_path: Path, said_of: SaidOf):
        fields = ", ".join(f'"k{n}": 1' for n in range(100_000))
        (tmp_path / "bomb").write_text(f"[{{{fields}}}]")
        assert "10,000 different fields" in said_of(tmp_path, "bomb")

    def test_json_of_many_fields_in_many_short_records_is_refused(
        self, tmp_path: Path, said_of: SaidOf
    ):
        lines = "\n".join(f'{{"k{n % 9000}": 1}}' for n in range(20_000))
        (tmp_path / "bomb").write_text(lines)
        assert "unpacks" in said_of(tmp_path, "bomb")


class TestExcel:
    def workbook(self, path: Path, sheet: bytes, texts: bytes = b"") -> None:
        """Writes the least workbook whose sheet is given; long parts as one repeated block."""
        main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
        office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        relations = "".join(
            f'<Relationship Id="{name}" Type="{office}/{name}" Target="{name}.xml"/>'
            for name in ("worksheet", "sharedStrings")
        )
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as book:
            book.writestr(
                "xl/workbook.xml",
                f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
                '<sheet name="a" sheetId="1" r:id="worksheet"/></sheets></workbook>',
            )
            book.writestr(
                "xl/_rels/workbook.xml.rels", f"<Relationships>{relations}</Relationships>"
            )
            book.writestr("xl/worksheet.xml", b"<worksheet><sheetData>" + sheet)
            book.writestr("xl/sharedStrings.xml", b"<sst>" + texts + b"</sst>")

    END = b"</sheetData></worksheet>"

    def test_rows_without_end_are_refused(self, tmp_path: Path, said_of: SaidOf):
        self.workbook(tmp_path / "bomb", b"<row><c><v>1</v></c></row>" * 1_000_000 + self.END)
        assert (tmp_path / "bomb").stat().st_size < MIB
        assert "unpacks" in said_of(tmp_path, "bomb", max_expanded_bytes=8 * MIB)

    def test_more_rows_than_excel_has_are_refused(self, tmp_path: Path, said_of: SaidOf):
        self.workbook(tmp_path / "bomb", b'<row r="1048577"><c><v>1</v></c></row>' + self.END)
        assert "damaged" in said_of(tmp_path, "bomb")

    def test_a_text_repeated_without_end_is_refused(self, tmp_path: Path, said_of: SaidOf):
        cells = b'<row><c t="s"><v>0</v></c></row>' * 100_000
        self.workbook(tmp_path / "bomb", cells + self.END, b"<si><t>" + b"x" * MIB + b"</t></si>")
        assert "unpacks" in said_of(tmp_path, "bomb")

    @pytest.mark.parametrize(
        "sheet",
        [
            b"<row><c t='str'><v>" + b"x" * (64 * MIB),
            b"<row x='" + b"x" * (64 * MIB),
            b"<row>" + b"<c><v>1</v></c>" * MIB,
            b"<row>" * MIB,
        ],
    )
    def test_a_part_without_end_is_refused(self, tmp_path: Path, said_of: SaidOf, sheet: bytes):
        self.workbook(tmp_path / "bomb", sheet)
        assert "rows" not in said_of(tmp_path, "bomb")

    def test_16_384_columns_are_refused(self, tmp_path: Path, said_of: SaidOf):
        self.workbook(
            tmp_path / "bomb", b"<row>" + b"<c><v>1</v></c>" * 16_384 + b"</row>" + self.END
        )
        assert "10,000 columns" in said_of(tmp_path, "bomb")

    def test_a_claim_of_billions_of_cells_costs_nothing(self, tmp_path: Path, said_of: SaidOf):
        cells = (
            b'<row r="1"><c r="A1"><v>1</v></c></row>'
            b'<row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
        )
        self.workbook(tmp_path / "bomb", cells + self.END)
        assert said_of(tmp_path, "bomb") == "1 rows"

    def test_a_part_larger_than_it_claims_is_refused(self, tmp_path: Path, said_of: SaidOf):
        path = tmp_path / "bomb"
        self.workbook(path, b"<row><c><v>1</v></c></row>" * 100_000 + self.END)
        data = path.read_bytes()
        with zipfile.ZipFile(path) as book:
            size = book.getinfo("xl/worksheet.xml").file_size
        path.write_bytes(data.replace(struct.pack("<L", size), struct.pack("<L", 1000)))
        assert "damaged" in said_of(tmp_path, "bomb")

    def test_a_list_of_contents_without_end_is_refused(self, tmp_path: Path, said_of: SaidOf):
        end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 9, 9, 2**31, 4, 0)
        (tmp_path / "bomb").write_bytes(b"PK\x03\x04" + end)
        assert "damaged" in said_of(tmp_path, "bomb")


class TestParquet:
    def test_a_text_repeated_without_end_is_refused(self, tmp_path: Path, said_of: SaidOf):
        table = pa.table({"t": repeated_text("x" * MIB, 1_000_000)})
        (tmp_path / "bomb").write_bytes(parquet(table))
        assert (tmp_path / "bomb").stat().st_size < MIB
        assert "unpacks" in said_of(tmp_path, "bomb")

    def test_a_text_repeated_inside_lists_is_refused(self, tmp_path: Path, said_of: SaidOf):
        texts = repeated_text("x" * MIB, 1_000_000)
        table = pa.table(
            {"t": pa.ListArray.from_arrays(pa.array([0, 1_000_000], pa.int32()), texts)}
        )
        (tmp_path / "bomb").write_bytes(parquet(table))
        assert said_of(tmp_path, "bomb").startswith(("A cell is longer", "The file unpacks"))

    def test_a_long_cell_is_refused(self, tmp_path: Path, said_of: SaidOf):
        table = pa.table({"n": [1, 2], "t": ["x", "x" * (300 * MIB)]})
        (tmp_path / "bomb").write_bytes(parquet(table, use_dictionary=False))
        assert "packs too much" in said_of(tmp_path, "bomb")

    def test_a_list_without_end_is_refused(self, tmp_path: Path, said_of: SaidOf):
        zeros = pa.ListArray.from_arrays(
            pa.array([0, 70_000_000], pa.int32()), pa.nulls(70_000_000, pa.int8())
        )
        (tmp_path / "bomb").write_bytes(parquet(pa.table({"t": zeros})))
        assert "packs too much" in said_of(tmp_path, "bomb")

    def test_rows_without_end_are_refused(self, tmp_path: Path, said_of: SaidOf):
        table = pa.table(
            {"n": pa.nulls(20_000_000, pa.int64()), "m": pa.nulls(20_000_000, pa.int64())}
        )
        (tmp_path / "bomb").write_bytes(parquet(table))
        assert "unpacks" in said_of(tmp_path, "bomb", max_expanded_bytes=32 * MIB)

    def test_100_000_columns_are_refused(self, tmp_path: Path, said_of: SaidOf):
        schema = pa.schema([(f"c{n}", pa.int8()) for n in range(100_000)])
        pq.ParquetWriter(tmp_path / "bomb", schema).close()
        assert "10,000 columns" in said_of(tmp_path, "bomb")


@pytest.mark.timeout(60)
class TestPatterns:
    """What tells formats apart takes no more than a moment, whatever stands at the beginning."""

    @pytest.mark.parametrize(
        "before",
        [
            "\n" * 5000,
            "from: a\n" + "    b\n" * 2000,
            "copy" + " " * 60_000,
            "a" + " " * 60_000 + "\n",
        ],
        ids=["blank lines", "lines that go on", "a statement", "blanks"],
    )
    def test_of_formats_end(self, ingest: Any, before: str) -> None:
        with suppress(BrokenFile):
            ingest(f"{before}a,b\n1,2\n")

    def test_of_drawn_lines_end(self, ingest: Any) -> None:
        with suppress(BrokenFile):
            ingest("a|b\n" + "|" + "-" * 60_000 + "x\n")

    def test_a_table_behind_blank_lines_is_read(self, ingest: Any) -> None:
        assert ingest("\n" * 5000 + "a,b\n1,2\n3,4\n").rows == [(1, 2), (3, 4)]
