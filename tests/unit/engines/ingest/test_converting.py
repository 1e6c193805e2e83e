"""A conversion as a whole: refusals with their line, order, progress, and distinct values."""

from pathlib import Path
from typing import Any

import pytest

from modelwright.engines.ingest.distinct import FEW_ROWS
from modelwright.engines.ingest.table import Bounds


class TestBreak:
    def test_of_a_long_row_names_its_line(self, broken: Any):
        refusal = broken('a,b\n"x\ny",1\n1,2,3\n')
        assert (refusal.line, refusal.expected) == (4, "2 cells")
        assert "3 cells" in refusal.reason

    def test_of_a_short_row_far_down_names_its_line(self, broken: Any):
        refusal = broken("a,b\n" + "1,2\n" * 500_000 + "3\n" + "1,2\n" * 10)
        assert refusal.line == 500_002

    @pytest.mark.parametrize(
        "rest", ['x,"y\n1,2\n', '"x,1\n1,2\n', 'x,"y', 'x,"y\n' + "1,2\n" * 3_000_000]
    )
    def test_of_a_quote_never_closed_names_its_line(self, broken: Any, rest: str):
        refusal = broken("a,b\n1,2\n" + rest)
        assert refusal.line == 3
        assert "never closed" in refusal.reason

    def test_of_a_quoted_last_cell_that_ends_a_line_is_none(self, ingest: Any):
        assert ingest('a,b\n1,"x\n"\n').rows == [(1, "x\n")]
        assert ingest('a,b\n1,"x\n"').rows == [(1, "x\n")]

    def test_tells_nothing_of_the_server(self, broken: Any, tmp_path: Path):
        for content in (b"", b"a,b\n1\n", b"PAR1", b"PK\x03\x04", b"[{", b"\x1f\x8b\x00", b'a\n"'):
            assert str(tmp_path) not in broken(content).reason

    @pytest.mark.parametrize("content", [b"", b"\n\n  \n", b"\xef\xbb\xbf", b"\xff\xfe"])
    def test_of_an_empty_file_says_so(self, broken: Any, content: bytes):
        assert "empty" in broken(content).reason

    @pytest.mark.parametrize(
        ("content", "what"),
        [
            (b"%PDF-1.7\n", "PDF"),
            (b"\xd0\xcf\x11\xe0" + bytes(100), "password"),
            (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "Git LFS"),
            (b"<!DOCTYPE html><html></html>", "web page"),
            (b"\x7fELF\x01\x01\x01" + bytes(1000), "binary"),
            (b"SQLite format 3\x00", "SQLite"),
        ],
    )
    def test_of_what_is_no_table_says_what_it_is(self, broken: Any, content: bytes, what: str):
        assert what in broken(content).reason

    @pytest.mark.parametrize("name", ["t.xlsx", "T.XLS", "t.parquet"])
    @pytest.mark.parametrize("content", ["not a workbook, really", "a note\nof two lines\n"])
    def test_of_text_named_as_another_format_says_so(self, broken: Any, content: str, name: str):
        refusal = broken(content, name)
        assert refusal.reason == f"The file is named {name[1:].lower()} but holds plain text."
        assert "Excel" in refusal.expected


class TestConvert:
    def test_reads_a_table_of_text_whatever_its_name(self, ingest: Any):
        assert ingest("a,b\n1,2\n", "t.xlsx").rows == [(1, 2)]

    def test_leaves_nothing_behind_when_it_fails(self, broken: Any, tmp_path: Path):
        broken("a,b\n1,2,3\n")
        assert [path.name for path in tmp_path.iterdir()] == ["source"]

    def test_keeps_the_order_of_rows(self, ingest: Any):
        found = ingest(
            "a,b\n" + "".join(f"{n},{n % 7}\n" for n in range(100_000)),
            bounds=Bounds(max_cell_bytes=2**16),
        )
        assert found.values() == list(range(100_000))

    def test_tells_how_far_it_is(self, tmp_path: Path):
        from modelwright.engines.ingest.converting import convert

        source = tmp_path / "s"
        told: list[Any] = []
        source.write_text("a,b\n" + "1,2\n" * 1_000_000)
        convert(
            source,
            tmp_path / "t",
            name="",
            content_type="",
            bounds=Bounds(max_cell_bytes=2**18),
            scratch=tmp_path,
            progress=told.append,
        )
        assert told == sorted(told)
        assert told[-1] == 1.0
        assert len(told) > 3


class TestUnique:
    def test_is_exact_over_many_blocks(self, ingest: Any):
        rows = 300_000
        found = ingest(
            "rising,mixed,late,texts,nulls\n"
            + "".join(
                f"{n},{(m := n * 7919 % rows)},{n * 7919 % (rows - 1)},t{m},{'' if n % 2 else n}\n"
                for n in range(rows)
            ),
            bounds=Bounds(max_cell_bytes=2**18),
        )
        unique = {column.name: column.unique for column in found.table.columns}
        assert unique == {
            "rising": True,
            "mixed": True,
            "late": False,
            "texts": True,
            "nulls": True,
        }
        assert [column.nullable for column in found.table.columns] == [False] * 4 + [True]

    def test_is_exact_in_short_columns_of_several_blocks(self, ingest: Any):
        text = "a,b,a.b\n" + "".join(
            f"{n * 7919 % 9973},{n * 7919 % 9972},x{n}\n" for n in range(9973)
        )
        found = ingest(text, bounds=Bounds(max_cell_bytes=2**14))
        assert [column.unique for column in found.table.columns] == [True, False, True]

    def test_is_exact_in_several_passes_over_a_column(self, ingest: Any):
        rows = FEW_ROWS + 1
        cells = [n * 7919 % rows for n in range(rows)]
        for last, unique in ((rows, True), (17, False)):
            text = "a,b\n" + "".join(f"{cell},x\n" for cell in [*cells, last])
            found = ingest(text, bounds=Bounds(max_cell_bytes=2**16, memory_bytes=2**22))
            assert [column.unique for column in found.table.columns] == [unique, False]

    def test_tells_equal_numbers_in_any_writing(self, ingest: Any):
        assert [c.unique for c in ingest("a,b\n1.0,x\n1,y\n").table.columns] == [False, True]

    def test_needs_a_value(self, ingest: Any):
        assert [c.unique for c in ingest("a,b\n1,\n").table.columns] == [True, False]
