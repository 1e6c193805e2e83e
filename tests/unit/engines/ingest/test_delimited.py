"""Delimited text: dialects, encodings, packing, headers, and the line on which a file breaks."""

import csv
import gzip
import io
import random
from typing import Any

import pytest
import zstandard

from modelwright.engines.ingest.table import Bounds, BrokenFile

ROWS = [["name", "n"], ["Zoë, the 1st", "1"], ['said "hi"', "2"], ["two\nlines", "3"]]
READ = [("Zoë, the 1st", 1), ('said "hi"', 2), ("two\nlines", 3)]


def text(delimiter: str = ",", quoting: Any = csv.QUOTE_MINIMAL, end: str = "\n") -> str:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=end).writerows(ROWS)
    return out.getvalue()


class TestDialect:
    @pytest.mark.parametrize("delimiter", list(",;\t|^~\x01\x1f"))
    @pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    def test_is_found_for_any_delimiter(self, ingest: Any, delimiter: str, quoting: Any):
        found = ingest(text(delimiter, quoting))
        assert found.names == ["name", "n"]
        assert found.rows == READ
        assert found.table.format == ("tsv" if delimiter == "\t" else "csv")

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_is_found_for_any_end_of_line(self, ingest: Any, end: str):
        assert ingest(text(quoting=csv.QUOTE_ALL, end=end)).rows == READ

    def test_of_old_macs_is_taken_in_a_single_column(self, ingest: Any):
        assert ingest("a\r1\r2\r").rows == [(1,), (2,)]

    @pytest.mark.parametrize("shift", range(4))
    def test_inside_quotes_is_kept_wherever_blocks_end(self, ingest: Any, shift: int):
        cells = ["x" * shift + "\r\n\r\n\r\ny"] * 40
        text = "a,b\r\n" + "".join(f'1,"{cell}"\r\n' for cell in cells)
        assert ingest(text, bounds=Bounds(max_cell_bytes=37)).values(1) == cells

    def test_needs_no_end_after_the_last_line(self, ingest: Any):
        assert ingest("a,b\n1,2\n3,4").rows == [(1, 2), (3, 4)]

    def test_does_not_mistake_decimal_commas_for_the_delimiter(self, ingest: Any):
        found = ingest("a;b\n1,5;2,5\n3,5;4,5\n")
        assert found.rows == [(1.5, 2.5), (3.5, 4.5)]
        assert found.table.notices == ("Numbers are read with a decimal comma (1.234,5).",)

    def test_takes_single_quotes_where_all_cells_have_them(self, ingest: Any):
        assert ingest("'a','b'\n'x, y','1'\n'z','2'\n").rows == [("x, y", 1), ("z", 2)]

    def test_takes_single_quotes_where_the_rows_are_uneven_without(self, ingest: Any):
        found = ingest("a,b\n'x, y',1\nz,2\nit's,3\n'','4'\n")
        assert found.rows == [("x, y", 1), ("z", 2), ("it's", 3), (None, 4)]

    def test_uneven_rows_with_apostrophes_stay_broken(self, ingest: Any):
        with pytest.raises(BrokenFile, match="Line 3 has 3 cells"):
            ingest("a,b\n'tis,1\nit's,2,3\n")

    def test_leaves_apostrophes_alone(self, ingest: Any):
        assert ingest("a,b\nit's,1\n'tis,2\n").rows == [("it's", 1), ("'tis", 2)]

    def test_takes_backslashes_before_quotes(self, ingest: Any):
        assert ingest('a,b\n"say \\"hi\\", ok",1\n').rows == [('say "hi", ok', 1)]

    def test_leaves_backslashes_alone_elsewhere(self, ingest: Any):
        assert ingest('a,b\n"C:\\temp",1\nD:\\,2\n').rows == [("C:\\temp", 1), ("D:\\", 2)]

    def test_leaves_quotes_inside_unquoted_cells(self, ingest: Any):
        assert ingest('a,b\n5" pipe,1\n').rows == [('5" pipe', 1)]

    def test_obeys_a_line_that_names_the_delimiter(self, ingest: Any):
        assert ingest("sep=;\na;b\n1,1;2\n").rows == [(1.1, 2)]

    def test_of_one_column_keeps_empty_lines_as_missing(self, ingest: Any):
        assert ingest("a\n1\n\n3\n").rows == [(1,), (None,), (3,)]

    def test_of_one_column_of_sentences_has_one_column(self, ingest: Any):
        found = ingest("review\nI liked it, really\nNo: never again\nso, so, so\n")
        assert found.names == ["review"]
        assert found.values() == ["I liked it, really", "No: never again", "so, so, so"]

    def test_skips_empty_lines_of_several_columns(self, ingest: Any):
        assert ingest("\n\na,b\n\n1,2\n\n3,4\n\n").rows == [(1, 2), (3, 4)]

    def test_of_a_quoted_number_is_a_number(self, ingest: Any):
        assert ingest('a,b\n"1","2.5"\n').rows == [(1, 2.5)]


class TestCells:
    ALPHABET = "ab1 0.-,;\t|\"'\\\n\r#é€😀\x00\x1f\u2028"

    @pytest.mark.parametrize("seed", range(15))
    def test_come_back_as_they_were_written(self, ingest: Any, seed: int):
        chance = random.Random(seed)
        rows = [
            [f"x{''.join(chance.choices(self.ALPHABET, k=chance.randrange(12)))}" for _ in "abc"]
            for _ in range(60)
        ]
        out = io.StringIO(newline="")
        csv.writer(out, delimiter=chance.choice(",;\t|"), quoting=csv.QUOTE_ALL).writerows(
            [["a", "b", "c"], *rows]
        )
        found = ingest(out.getvalue(), bounds=Bounds(max_cell_bytes=1000))
        assert [list(row) for row in found.rows] == rows

    def test_come_back_with_zero_bytes_at_any_place(self, ingest: Any):
        plain = ["x" * 30, "y" * 40, "z" * 30]
        rows = [
            ["x\0a", "y" * 12 + "\n" + "y" * 30, "z" * 30] if n % 7 == 3 else plain
            for n in range(40)
        ]
        out = io.StringIO(newline="")
        csv.writer(out, delimiter="|").writerows([["a", "b", "c"], *rows])
        for size in range(300, 340):
            found = ingest(out.getvalue(), bounds=Bounds(max_cell_bytes=size))
            assert [list(row) for row in found.rows] == rows


class TestEncoding:
    @pytest.mark.parametrize(
        "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "latin-1"]
    )
    def test_is_found(self, ingest: Any, encoding: str):
        assert ingest(text().encode(encoding)).rows == READ

    @pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16-le", "utf-16-be"])
    def test_is_found_when_the_first_letter_beyond_ascii_comes_late(
        self, ingest: Any, encoding: str
    ):
        body = "a;b\n" + "x;1\n" * 300_000 + "Zoë €;2\n" + "x;1\n" * 200_000
        found = ingest(body.encode(encoding))
        assert found.rows[300_000] == ("Zoë €", 2)
        assert found.table.rows == 500_001

    def test_of_unused_windows_bytes_loses_nothing(self, ingest: Any):
        assert ingest(b"a,b\n\x81\xe9,1\n").rows == [("\x81é", 1)]

    def test_of_damaged_utf8_is_refused_with_the_line(self, broken: Any):
        refusal = broken("a,b\né,1\nö,2\n".encode() + b"\xff,3\n")
        assert (refusal.line, refusal.expected) == (4, "UTF-8")

    def test_of_damaged_utf16_is_refused(self, broken: Any):
        assert "UTF-16" in broken("a,b\n".encode("utf-16") + b"\x00\xd8\x00\xd8,\x00").reason

    def test_may_split_a_character_anywhere(self, ingest: Any):
        for shift in range(4):
            pad = "x" * (2**20 - 8 + shift)
            assert ingest(f"a,b\n{pad}é😀,1\n").rows == [(f"{pad}é😀", 1)]


class TestPacking:
    @pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
    def test_is_undone(self, ingest: Any, pack: Any):
        assert ingest(pack(text().encode("utf-16")), "t.csv.gz").rows == READ

    def test_of_several_members_is_undone(self, ingest: Any):
        parts = gzip.compress(b"a,b\n1,2\n") + gzip.compress(b"3,4\n")
        assert ingest(parts).rows == [(1, 2), (3, 4)]

    @pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
    def test_cut_short_is_refused(self, broken: Any, pack: Any):
        noise = "".join(f"{random.Random(n).random()},x\n" for n in range(20_000))
        packed = pack(("a,b\n" + noise).encode())
        assert "cut short" in broken(packed[: len(packed) // 2]).reason

    def test_twice_is_refused(self, broken: Any):
        assert "twice" in broken(gzip.compress(gzip.compress(b"a,b\n1,2\n"))).reason


class TestTitles:
    @pytest.mark.parametrize(
        "above", ["Report\n", "Report;;\n", "Report\nby, of;31.12.2024\n\n", "# made by us\n\n"]
    )
    def test_are_left_out(self, ingest: Any, above: str):
        found = ingest(above + "name;age;place\nAnn;31;Faro\nBob;;Oslo\nCid;33;\n")
        assert found.names == ["name", "age", "place"]
        assert found.rows == [("Ann", 31, "Faro"), ("Bob", None, "Oslo"), ("Cid", 33, None)]

    def test_are_told(self, ingest: Any):
        names = "name;age;place\nAnn;31;Faro\nBob;;Oslo\n"
        assert ingest(names).table.notices == ()
        assert ingest(";;\n" + names).table.notices == ()
        assert ingest("Report;;\n" + names).table.notices == (
            "The first line stands above the names of the columns ('Report') and is left out.",
        )
        lines = "The first 2 lines stand above the names of the columns ('Report', 'by, of')"
        found = ingest("Report\nby, of;31.12.2024\n\n" + names)
        assert found.table.notices == (f"{lines} and are left out.",)

    def test_do_not_move_the_line_of_a_break(self, broken: Any):
        refused = broken("Report\n\nname,age,place\n" + "Ann,31,Faro\n" * 30 + "Bob,3\n")
        assert refused.line == 34
        assert "2 cells" in refused.reason

    def test_are_not_seen_in_rows_with_gaps(self, ingest: Any):
        assert len(ingest("a,b,c,d\n1,,,\n,2,,\n3,4,5,6\n").rows) == 3

    def test_are_not_seen_where_names_would_be_numbers(self, ingest: Any):
        assert len(ingest("a,,\n1,2,3\n4,5,6\n").rows) == 2


class TestHeader:
    def test_without_rows_is_a_table_of_no_rows(self, ingest: Any):
        found = ingest("a,b,c\n")
        assert (found.names, found.table.rows) == (["a", "b", "c"], 0)
        assert {(c.type, c.nullable, c.unique) for c in found.table.columns} == {
            ("string", False, False)
        }

    def test_gives_each_column_its_own_name(self, ingest: Any):
        found = ingest("a,a,A,,b ,a_2\n1,2,3,4,5,x\n")
        assert found.names == ["a", "a_3", "A_4", "column_4", "b", "a_2"]

    def test_may_hold_hostile_names(self, ingest: Any):
        found = ingest('"a""; drop table t; --","x\ny\x00z",😀,\'\n1,2,3,x\n')
        assert found.names == ['a"; drop table t; --', "x y z", "😀", "'"]
        assert [column.unique for column in found.table.columns] == [True] * 4

    def test_is_cut_where_a_name_is_endless(self, ingest: Any):
        assert len(ingest(f"{'x' * 5000},b\n1,2\n").names[0]) == 255

    def test_is_made_up_where_all_is_numbers(self, ingest: Any):
        found = ingest("5.1,3.5\n4.9,3.0\n")
        assert found.names == ["column_1", "column_2"]
        assert found.table.rows == 2

    def test_is_made_up_where_the_first_row_fits_the_others(self, ingest: Any):
        found = ingest("5.1,3.5,setosa\n4.9,3.0,setosa\n6.3,2.8,virginica\n")
        assert (found.names[2], found.table.rows) == ("column_3", 3)

    def test_may_hold_years(self, ingest: Any):
        found = ingest("country,2019,2020\nFR,1.5,2\nDE,3,4\n")
        assert found.names == ["country", "2019", "2020"]

    @pytest.mark.parametrize(
        "text",
        ["land,1952,1957\nA,1252.5,1385.2\nB,4079,4616\n", "land,2021\nA,-1.5\nB,30.25\n"],
    )
    def test_may_hold_years_that_lie_apart(self, ingest: Any, text: str):
        assert ingest(text).names == text.partition("\n")[0].split(",")

    @pytest.mark.parametrize("text", ["A,1999\nB,2001\nC,1987\n", "A,1850,1950\nB,1851,1975\n"])
    def test_is_made_up_where_all_numbers_are_years(self, ingest: Any, text: str):
        assert ingest(text).names[0] == "column_1"

    def test_is_made_up_where_a_first_row_lacks_a_number(self, ingest: Any):
        found = ingest("3,?,gas,?\n3,111,gas,5000\n1,154,diesel,16500\n")
        assert found.names[1:] == ["column_2", "column_3", "column_4"]
        assert found.rows[0] == (3, None, "gas", None)

    def test_may_be_a_word_for_missing_values(self, ingest: Any):
        assert ingest("missing\n1\n2\n").names == ["missing"]

    def test_of_texts_over_texts_is_the_first_row(self, ingest: Any):
        assert ingest("name,city\nBob,Paris\n").names == ["name", "city"]

    def test_needs_no_delimiter_at_the_end_where_the_rows_have_one(self, ingest: Any):
        found = ingest("a,b,c\n1,2,x,\n3,4,y,\n")
        assert found.names == ["a", "b", "c", "column_4"]
        assert found.rows == [(1, 2, "x", None), (3, 4, "y", None)]

    def test_may_end_with_a_delimiter_where_the_rows_do_not(self, ingest: Any):
        found = ingest("a,b,c,\n1,2,x\n3,4,y\n")
        assert (found.names, found.rows) == (["a", "b", "c"], [(1, 2, "x"), (3, 4, "y")])

    def test_need_not_name_the_numbers_of_rows(self, ingest: Any):
        found = ingest('"mpg"\t"cyl"\n"1"\t21\t6\n"2"\t22.8\t4\n"3"\t21.4\t6\n')
        assert found.names == ["column_1", "mpg", "cyl"]
        assert found.rows == [(1, 21.0, 6), (2, 22.8, 4), (3, 21.4, 6)]

    def test_need_not_name_numbers_of_rows_that_begin_with_zero(self, ingest: Any):
        found = ingest("carat,cut\n0,1.12,Fair\n1,0.5,Good\n2,0.7,Fair\n")
        assert (found.names, found.rows[0]) == (["column_1", "carat", "cut"], (0, 1.12, "Fair"))

    def test_does_not_lend_its_names_to_numbers_that_a_comma_tore(self, broken: Any):
        fault = broken("name,price\nA,1,50\nB,2,75\n")
        assert (fault.line, fault.expected) == (2, "2 cells")

    def test_of_another_width_does_not_move_the_line_of_a_break(self, broken: Any):
        assert broken("a,b,c\n" + "1,2,x,\n" * 300 + "3,4,y,9,9\n").line == 302

    def test_may_span_lines(self, ingest: Any):
        assert ingest('"first\nname",b\nx,1\n').names == ["first name", "b"]
