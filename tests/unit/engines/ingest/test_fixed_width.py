"""Tables whose cells are parted by runs of blanks, and texts that only look like such."""

from typing import Any

import pytest

from modelwright.engines.ingest.fixed_width import FixedWidthCells
from modelwright.engines.ingest.table import BrokenFile


class TestAligned:
    def test_columns_are_parted_by_runs_of_blanks(self, ingest: Any):
        found = ingest("name    age  height\nann      41    1.70\nbertram   9   12.50\n\n")
        assert found.names == ["name", "age", "height"]
        assert found.rows == [("ann", 41, 1.7), ("bertram", 9, 12.5)]

    def test_columns_need_no_names(self, ingest: Any):
        found = ingest(" 0.00632  18.00  1\n 0.02731   0.00 12\n 0.5       7     3\n")
        assert found.names == ["column_1", "column_2", "column_3"]
        assert found.rows == [(0.00632, 18.0, 1), (0.02731, 0.0, 12), (0.5, 7.0, 3)]

    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    def test_blanks_around_lines_say_nothing(self, ingest: Any, end: str):
        assert ingest(end.join(["  1 2  ", "3   4", "\t5 6 \t"])).rows == [(1, 2), (3, 4), (5, 6)]

    def test_cells_in_quotes_keep_their_blanks(self, ingest: Any):
        found = ingest('a    b\n"x  y"  1\n"z"     2\n')
        assert found.rows == [("x  y", 1), ("z", 2)]

    def test_rows_may_begin_with_their_numbers(self, ingest: Any):
        found = ingest('     "u"  "v"\n"1"  2.5  x\n"2"  3    y\n"3"  10   z\n')
        assert found.names == ["column_1", "u", "v"]
        assert found.values(1) == [2.5, 3.0, 10.0]

    def test_a_break_is_told_with_its_line(self, ingest: Any):
        rows = "".join(f"{n}   {n}.5   {n * n}\n" for n in range(300))
        with pytest.raises(BrokenFile, match="Line 301 has 2 cells"):
            ingest(rows + "1  2\n" + rows)

    @pytest.mark.parametrize(
        "text",
        [
            "said\nso it is\nit was so\nso be it\n",
            "at\n2024-01-05 10:00:00\n2024-01-06 11:30:00\n2024-01-07 12:00:00\n",
            "phone\n030 123456\n040 654321\n089 111111\n",
            "030 123456\n040 654321\n089 111111\n0170 22222\n",
            "2024-01-05 10:00:00\n2024-01-06 11:30:00\n2024-01-07 12:00:00\n",
            "weight\n12 kg\n13 kg\n14 kg\n",
        ],
    )
    def test_a_list_of_words_times_or_amounts_stays_one_column(self, ingest: Any, text: str):
        assert len(ingest(text).names) == 1


class TestSqueezer:
    @pytest.mark.parametrize("size", [1, 2, 3, 7])
    def test_gives_the_same_wherever_chunks_end(self, size: int):
        text = b'  a  "b  c" \r\n1 \t 2\n\n 3  "4"'
        squeeze = FixedWidthCells(100)
        chunks = [text[at : at + size] for at in range(0, len(text), size)]
        parts = [squeeze(chunk, False) for chunk in chunks]
        assert b"".join([*parts, squeeze(b"", True)]) == b'a\t"b  c"\r\n1\t2\n\n3\t"4"'

    def test_passes_a_line_on_that_is_too_long(self):
        assert FixedWidthCells(5)(b"123456789", False) == b"123456789"
