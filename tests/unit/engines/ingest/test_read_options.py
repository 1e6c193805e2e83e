"""What the owner of a file says of it takes the place of what would be guessed."""

import io
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow.parquet as pq
import pytest

from modelwright.engines.ingest.converting import convert
from modelwright.engines.ingest.read_options import ReadOptions
from modelwright.engines.ingest.table import Bounds, BrokenFile


def read(folder: Path, content: str | bytes, name: str = "t.csv", **options: Any) -> Any:
    source, target = folder / "source", folder / "target"
    source.write_bytes(content if isinstance(content, bytes) else content.encode())
    convert(
        source,
        target,
        name=name,
        content_type="",
        bounds=Bounds(),
        scratch=folder,
        options=ReadOptions(**options),
    )
    table = pq.read_table(target)
    return table.column_names, [tuple(row.values()) for row in table.to_pylist()]


def test_the_delimiter_is_the_one_that_is_said(tmp_path: Path):
    assert read(tmp_path, "a|b;c\n1|2;3\n4|5;6\n", delimiter=";")[0] == ["a|b", "c"]
    assert read(tmp_path, "a\tb\n1\t2\n", delimiter="tab")[0] == ["a", "b"]


def test_the_encoding_is_the_one_that_is_said(tmp_path: Path):
    content = "city,n\nKöln,1\n".encode("mac_roman")
    assert read(tmp_path, content, encoding="Mac Roman")[1] == [("Köln", 1)]
    with pytest.raises(BrokenFile, match="encoding: there is none named 'klingon'"):
        read(tmp_path, content, encoding="klingon")


def test_rows_above_the_data_are_counted_as_said(tmp_path: Path):
    text = "made,by us\nx,y\nm,kg\n1,2\n3,4\n"
    assert read(tmp_path, text, skip_rows=1, header_rows=2) == (["x m", "y kg"], [(1, 2), (3, 4)])
    names, rows = read(tmp_path, "a,b\nc,d\n", header_rows=0)
    assert (names, rows) == (["column_1", "column_2"], [("a", "b"), ("c", "d")])
    with pytest.raises(BrokenFile, match="header_rows"):
        read(tmp_path, "a,b\n", header_rows=5)


def test_numbers_are_written_as_said(tmp_path: Path):
    assert read(tmp_path, 'a,b\n"1,234",x\n"2,500",y\n', decimal=",")[1] == [
        (1.234, "x"),
        (2.5, "y"),
    ]
    assert read(tmp_path, "a;b\n1,5;x\n2,5;y\n", decimal=".")[1][0] == ("1,5", "x")


def test_null_values_are_gaps(tmp_path: Path):
    text = "a,b\n1,x\n-999,y\nabc,z\n"
    assert read(tmp_path, text, null_values=("-999", "abc"))[1] == [
        (1, "x"),
        (None, "y"),
        (None, "z"),
    ]


def test_null_values_are_gaps_where_they_are_numbers_too(tmp_path: Path):
    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in (["a", "b"], [1, -9], [-9, 0.5], [3, 9]):
        book.active.append(row)
    book.save(out)
    rows = [(1, None), (None, 0.5), (3, 9.0)]
    assert read(tmp_path, out.getvalue(), "t.xlsx", null_values=("-9",))[1] == rows
    text = '[{"a": 1, "b": -9}, {"a": -9.0, "b": 0.5}, {"a": 3, "b": 9}]'
    assert read(tmp_path, text, "t.json", null_values=("-9",))[1] == rows
    assert read(tmp_path, '[{"a": true}, {"a": false}]', "t.json", null_values=("1",))[1] == [
        (True,),
        (False,),
    ]


@pytest.mark.parametrize(
    ("column", "kind", "value"),
    [("zip", "integer", "007"), ("ok", "boolean", "ja"), ("day", "date", "soon")],
)
def test_a_value_that_is_none_of_its_type_is_named(
    tmp_path: Path, column: str, kind: str, value: str
):
    text = "zip,ok,day\n12,ja,2024-01-01\n007,nein,soon\n"
    with pytest.raises(BrokenFile, match=f"cannot be read as {kind}: '{value}' is none"):
        read(tmp_path, text, types={column: kind})


def test_cells_of_a_sheet_that_hold_nothing_are_named(tmp_path: Path):
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["a"])
    book.save(out)
    with pytest.raises(BrokenFile, match="There is nothing in Sheet!Z1:Z9"):
        read(tmp_path, out.getvalue(), "t.xlsx", sheet="Sheet!Z1:Z9")


def test_a_delimiter_that_parts_nothing_is_told(tmp_path: Path):
    source = tmp_path / "source"
    source.write_text("a;b\n1;2\n3;4\n5;6\n")
    table = convert(
        source,
        tmp_path / "target",
        name="t.csv",
        content_type="",
        bounds=Bounds(),
        scratch=tmp_path,
        options=ReadOptions(delimiter="|"),
    )
    assert [one for one in table.notices if "although most lines hold ';'" in one]


def test_types_are_kept_or_the_file_is_refused(tmp_path: Path):
    text = "code,n\n12,1\n34,2\n56,x\n78,4\n"
    assert read(tmp_path, text, types={"code": "string"})[1][0][0] == "12"
    assert read(tmp_path, text, types={"code": "float"})[1][0][0] == 12.0
    with pytest.raises(BrokenFile, match="'n' cannot be read as integer: 'x' is none"):
        read(tmp_path, text, types={"n": "integer"})
    with pytest.raises(BrokenFile, match="no column 'm'"):
        read(tmp_path, text, types={"m": "integer"})


def test_the_sheet_is_the_one_that_is_said(tmp_path: Path):
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["a", "b"])
    book.active.append([1, 2])
    other = book.create_sheet("Other")
    other.append(["c", "d"])
    other.append([3, 4])
    book.save(out)
    for sheet in ("other", "2"):
        assert read(tmp_path, out.getvalue(), "t.xlsx", sheet=sheet) == (["c", "d"], [(3, 4)])
    with pytest.raises(BrokenFile, match="no sheet 'Third'"):
        read(tmp_path, out.getvalue(), "t.xlsx", sheet="Third")


@pytest.mark.parametrize("encoding", ["utf-7", "iso2022_jp", "utf-16-le", "cp500"])
def test_an_encoding_in_which_ascii_is_something_else_can_be_said(tmp_path: Path, encoding: str):
    content = "city,n\nBonn,1\n".encode(encoding)
    assert read(tmp_path, content, encoding=encoding) == (["city", "n"], [("Bonn", 1)])


def test_an_option_that_says_nothing_of_a_file_is_told(tmp_path: Path):
    source = tmp_path / "source"
    source.write_text('[{"a": 1}, {"a": 2}]')
    table = convert(
        source,
        tmp_path / "target",
        name="t.json",
        content_type="",
        bounds=Bounds(),
        scratch=tmp_path,
        options=ReadOptions(delimiter=";", header_rows=2),
    )
    said = "JSON is read without delimiter, header_rows, which are passed over."
    assert table.notices == (said,)


def test_a_type_that_only_some_zones_forbid_is_refused_with_why(tmp_path: Path):
    text = "at,n\n2024-01-01T10:00:00,1\n2024-01-01T11:00:00Z,2\n2024-01-01T12:00:00,3\n"
    with pytest.raises(BrokenFile, match="some of its times name a zone and others do not"):
        read(tmp_path, text, types={"at": "date"})
