"""Guesses with little to bear them out are told: names of texts, gaps, tables without a gap."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.unit.engines.ingest.test_read_options import read

from modelwright.engines.ingest import streaming
from modelwright.engines.ingest.blank_rows import BlankRows
from modelwright.engines.ingest.table import Bounds

DOUBTED = "nothing tells it from the rows below"


class TestNames:
    @pytest.mark.parametrize(
        "text",
        [
            "Berlin,yes\nParis,no\nRome,no\nBerlin,no\n",
            "Anna Meier;Hauptstr. 1\nBen Kurz;Am Ring 12\nCara Lang;Waldweg 7\n",
            "walk\ntalk\nlisten\nread\n",
            "de,Haus\nen,house\nfr,maison\nes,casa\n",
        ],
    )
    def test_that_look_like_the_rows_below_are_told(self, ingest: Any, tmp_path: Path, text: str):
        found = ingest(text)
        assert any(DOUBTED in one and "header_rows" in one for one in found.table.notices)
        names, rows = read(tmp_path, text, header_rows=0)
        assert (names[0], len(rows)) == ("column_1", len(text.splitlines()))

    @pytest.mark.parametrize(
        "text",
        [
            "color,size\nred,small\nblue,large\nred,large\n",
            "first_name,home\nAnna,Rome\nBen,Oslo\nCara,Bern\n",
            "имя,город\nАнна,Рим\nБорис,Осло\n",  # noqa: RUF001
            "Kürzel;Ort\nAB1;Bern\nCD2;Basel\nEF3;Chur\n",
            "How was it?,Why?\ngood,warm\nbad,cold\n",
            "flavour\n" + "sweet\nsour\n" * 30,
            "a,b\nx,y\nz,w\n",
        ],
    )
    def test_that_are_borne_out_are_not(self, ingest: Any, text: str):
        assert not any(DOUBTED in one for one in ingest(text).table.notices)

    def test_of_the_shared_tables_are_never_doubted(self, ingest: Any, shared: Path):
        paths = list((shared / "tabular").glob("*.csv"))
        assert paths
        for path in paths:
            assert not any(DOUBTED in one for one in ingest(path).table.notices), path.name

    def test_a_single_row_with_numbers_and_days_is_data(self, ingest: Any):
        assert ingest("Anna,5,2024-01-01\n").table.rows == 1
        assert ingest("Region,2019,2020\n").names == ["Region", "2019", "2020"]


class TestBlanks:
    def test_count_those_between_rows_only(self):
        blanks = BlankRows()
        for above, number in ((0, 2), (3, 1), (5, 2), (9, 4)):
            blanks.see(above, number)
        assert blanks.between(9) == (3, [3, 5])
        assert blanks.between(12) == (7, [3, 5, 9])

    @pytest.mark.parametrize("quoted", ["", '"x""y",1\n', '"x"y,1\n'])
    def test_lines_are_told_however_a_text_is_read(self, ingest: Any, quoted: str):
        found = ingest(f"name,n\n\n{quoted}a,1\nb,2\n\nc,3\n   \n\nd,4\n\n\n")
        row = 3 if quoted else 2
        assert found.table.rows == row + 2
        said = f"3 blank lines are left out between the others (below rows {row}, {row + 1} of"
        assert any(said in one for one in found.table.notices)

    def test_lines_around_the_rows_are_not(self, ingest: Any):
        assert ingest("\n\nname,n\na,1\nb,2\n\n\n").table.notices == ()

    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    def test_lines_are_seen_between_blocks(
        self, ingest: Any, monkeypatch: pytest.MonkeyPatch, end: str
    ):
        monkeypatch.setattr(streaming, "CHUNK_BYTES", 8)
        bounds = Bounds(max_cell_bytes=64)
        rows = [f"{n},{n}" for n in range(40)]
        for place in range(1, 40):
            text = end.join(["a,b", *rows[:place], "", *rows[place:], "", ""])
            found = ingest(text, bounds=bounds)
            assert found.table.rows == 40
            assert f"below row {place} of" in found.table.notices[0]

    def test_rows_of_delimiters_are_left_out(self, ingest: Any):
        found = ingest("name,n\na,1\n,\n , \nb,2\n,\n")
        assert found.rows == [("a", 1), ("b", 2)]
        assert any("2 blank rows are left out" in one for one in found.table.notices)

    def test_a_gap_in_a_single_column_stays(self, ingest: Any):
        assert ingest("n\n1\n\n2\n").values() == [1, None, 2]


class TestShortColumns:
    def test_that_end_together_may_be_a_table(self, ingest: Any):
        rows = "".join(f"{n},{n}.5,{'A,apple' if n < 4 else ','}\n" for n in range(1, 9))
        found = ingest(f"id,v,code,means\n{rows}")
        assert any(
            "The columns 'code' to 'means' have values" in one for one in found.table.notices
        )

    @pytest.mark.parametrize("ends", [(4, 5), (8, 8), (7, 7)])
    def test_others_are_columns(self, ingest: Any, ends: tuple[int, int]):
        cells = (
            f"{n},{n}.5,{'A' if n <= ends[0] else ''},{'B' if n <= ends[1] else ''}\n"
            for n in range(1, 9)
        )
        assert ingest("id,v,code,means\n" + "".join(cells)).table.notices == ()


class TestSigns:
    @pytest.mark.parametrize("end", ["\x1a", "\n\x1a", "\x1a\x1a\r\n"])
    def test_of_the_end_of_a_file_are_none_of_it(self, ingest: Any, end: str):
        assert ingest(f"a,b\n100,200\n300,400{end}").rows == [(100, 200), (300, 400)]

    @pytest.mark.parametrize("quoted", ["x", '"x"y'])
    def test_of_nothing_are_kept_and_told(self, ingest: Any, quoted: str):
        found = ingest(f"id,name\n1,Annabella\0\0\n2,Bob\n3,{quoted}\n")
        assert found.values(1) == ["Annabella\0\0", "Bob", quoted]
        assert any("zero bytes" in one for one in found.table.notices)

    @pytest.mark.parametrize(
        "text",
        [
            "<table border='1'><tr><td>a</td></tr></table>",
            "<rows>\n<row id='1'/></rows>",
            "{\\rtf1 a}",
        ],
    )
    def test_of_documents_are_refused_with_what_to_do(self, broken: Any, text: str):
        assert "save" in broken(text).reason


def test_maps_with_other_keys_than_texts_are_pairs(ingest: Any, tmp_path: Path):
    path = tmp_path / "maps.parquet"
    twice = pa.array([[("a", 1), ("a", 2)]], pa.map_(pa.string(), pa.int64()))
    pq.write_table(pa.table({"m": twice}), path)
    assert ingest(path, "maps.parquet").values() == ['[["a",1],["a",2]]']


def test_levels_of_an_index_without_names_are_no_remarks(ingest: Any) -> None:
    text = ",,sales,cost\nn,2023,10.5,3.5\nn,2024,11.5,4.5\ns,2023,12.5,5.5\ns,2024,13.5,6.5\n"
    said = "There are values in a column that has no name"
    assert not any(said in one for one in ingest(text).table.notices)
    beside = text.replace("cost", "cost,").replace("5\n", "5,x\n")
    assert any(f"{said} (column_5)" in one for one in ingest(beside).table.notices)
