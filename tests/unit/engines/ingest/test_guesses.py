"""Guesses that are made of a file, and that each of them is said."""

import io
import re
import zipfile
from datetime import date
from typing import Any

import pytest

from modelwright.engines.ingest.table import Bounds

CITIES = {
    "cp1252": "Málaga|São Paulo|Logroño|Düsseldorf|Besançon|Nîmes",
    "cp1250": "Łódź|Kraków|Gdańsk|Świdnica|Częstochowa|Wałbrzych",
    "cp1251": "Москва|Казань|Омск|Новосибирск|Пермь|Тула",
    "cp1253": "Αθήνα|Θεσσαλονίκη|Πάτρα|Ηράκλειο|Λάρισα|Βόλος",
    "cp1254": "İstanbul|İzmir|Şırnak|Muğla|Çanakkale|Iğdır",  # noqa: RUF001
    "koi8_r": "Москва|Казань|Омск|Новосибирск|Пермь|Тула",
    "cp866": "Москва|Казань|Омск|Новосибирск|Пермь|Тула",
    "mac_roman": "Orléans|Besançon|Nîmes|Köln|Düsseldorf|Fürth",
    "cp850": "Köln|Düsseldorf|München|Fürth|Zürich|Lübeck",
    "gbk": "北京|上海|广州|深圳|成都|武汉",
    "big5": "台北|高雄|臺中|新竹縣|基隆|嘉義",
    "shift_jis": "東京|大阪|カメラ|北海道|名古屋|札幌",
    "euc_jp": "東京|大阪|カメラ|北海道|名古屋|札幌",
    "euc_kr": "서울|부산|대구|인천|광주|대전",
}


class TestEncoding:
    @pytest.mark.parametrize("encoding", CITIES)
    def test_is_told_by_the_words(self, ingest: Any, encoding: str):
        cities = CITIES[encoding].split("|") * 4
        text = "city;n\n" + "".join(f"{city};{n}\n" for n, city in enumerate(cities))
        found = ingest(text.encode(encoding))
        assert found.values() == cities
        assert any("is not UTF-8 and is read as" in one for one in found.table.notices)

    def test_that_fits_as_well_is_named_too(self, ingest: Any):
        content = "name,n\nŠimek,1\nDvořák,2\n".encode("cp1250")
        said = (
            "The text is not UTF-8 and is read as Windows-1250 (Šimek Dvořák); it may also be"
            " Windows-1252 (Šimek Dvoøák): name the encoding if that is right."
        )
        assert ingest(content).table.notices == (said,)
        assert "may also be" not in "".join(
            ingest("city,n\nKöln,1\n".encode("cp1252")).table.notices
        )


class TestBlanksWithoutWidth:
    SIGNS = "\u200b\u200c\u2060\ufeff\u00ad"

    @pytest.mark.parametrize("sign", SIGNS)
    def test_around_names_and_values_are_none_of_them(self, ingest: Any, sign: str):
        text = f"n,{sign}city{sign},k\n1,{sign}Bern,{sign}\n2,Bern{sign},{sign}7{sign}\n3,Chur,8\n"
        found = ingest(text)
        assert (found.names, found.types) == (["n", "city", "k"], ["integer", "string", "integer"])
        assert found.rows == [(1, "Bern", None), (2, "Bern", 7), (3, "Chur", 8)]

    def test_alone_are_no_value_in_a_quoted_cell_either(self, ingest: Any):
        found = ingest(f'n,city\n1,"{self.SIGNS}"\n2,"a 12" pipe"\n')
        assert found.values(1) == [None, 'a 12" pipe']


class TestRepairs:
    def test_of_quotes_that_are_not_doubled_name_their_lines(self, ingest: Any):
        found = ingest('n,size,x\n1,"a 12" pipe",5\n2,"b",6\n3,"c 3" nail",7\n')
        assert found.values(1) == ['a 12" pipe', "b", 'c 3" nail']
        assert found.table.notices == (
            "Quotes inside a quoted cell are not doubled, and are read as they are (lines 2, 4).",
        )

    def test_of_a_quote_that_is_never_closed_name_its_line(self, ingest: Any, broken: Any):
        found = ingest('n,size,x\n1,a,5\n2,"b,6\n3,c,7\n4,d",8\n')
        assert found.values(1) == ["a", '"b', "c", 'd"']
        said = "A quote is opened and never closed, and is read as a character (line 3)."
        assert found.table.notices == (said,)
        assert broken('n,size,x\n1,a,5\n2,"b,6\n3,c,7\n').line == 3


class TestOneCellALine:
    LINES = tuple(f"Jones, Al went, home {n}" if n % 3 else f"Nobody, {n}" for n in range(30))

    def test_is_told_where_most_lines_hold_a_delimiter(self, ingest: Any):
        found = ingest("\n".join(["note", *self.LINES]) + "\n")
        assert found.values() == list(self.LINES)
        said = (
            "Each line is read as one cell, although most lines hold ',': name the delimiter if it"
            " parts cells."
        )
        assert found.table.notices == (said,)

    def test_is_not_where_few_do(self, ingest: Any):
        lines = [f"Went home, {n}" if n % 3 == 0 else f"Nobody {n}" for n in range(30)]
        found = ingest("\n".join(["note", *lines]) + "\n")
        assert (found.values(), found.table.notices) == (lines, ())


ESCAPED = "都市,n\n東京,1\n大阪,2\n"
MARKLESS = "город;n\n" + "".join(f"{city};1\n" for city in CITIES["cp1251"].split("|"))
CHINESE = "城市,价格\n北京,1\n上海,2\n广州,3\n"


class TestEscapes:
    def test_of_japanese_are_read_and_told(self, ingest: Any):
        found = ingest(ESCAPED.encode("iso2022_jp"))
        assert (found.names, found.values()) == (["都市", "n"], ["東京", "大阪"])
        assert "read as ISO-2022-JP" in found.table.notices[0]

    @pytest.mark.parametrize(
        ("encoding", "text"), [("utf-7", "ö,n\nKöln,1\nFürth,2\n"), ("hz", CHINESE)]
    )
    def test_that_nobody_should_guess_are_told(self, ingest: Any, encoding: str, text: str):
        found = ingest(text.encode(encoding))
        assert "may be" in found.table.notices[0]
        assert f"name the encoding {encoding}" in found.table.notices[0]

    def test_are_no_telephone_numbers(self, ingest: Any):
        found = ingest("tel,n\n+49-30-12345,1\n+4915112345678,2\n+abc-def,3\n")
        assert found.table.notices == ()


class TestUnmarkedUnicode:
    @pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
    @pytest.mark.parametrize("text", [MARKLESS, CHINESE])
    def test_is_read(self, ingest: Any, encoding: str, text: str):
        found = ingest(text.encode(encoding))
        assert found.names == re.split("[;,]", text.splitlines()[0])
        assert found.table.read_as["encoding"] == encoding

    def test_is_not_seen_in_zero_bytes(self, ingest: Any):
        assert ingest("id,name\n1,a\0b\n2,c\n").names == ["id", "name"]


class TestOddValues:
    DAYS = "".join(f"{n},2024-01-{n:02}\n" for n in range(1, 29))

    @pytest.mark.parametrize(
        "odd", ["0000-00-00", "2023-02-30", "2024-13-01", "*****", "n/d", "(blank)"]
    )
    def test_that_say_nothing_are_gaps(self, ingest: Any, odd: str):
        found = ingest(f"n,day\n{self.DAYS}29,{odd}\n")
        assert (found.types, found.rows[-1]) == (["integer", "date"], (29, None))
        assert odd in found.table.notices[0]
        assert found.rows[0] == (1, date(2024, 1, 1))

    def test_that_say_nothing_are_told_with_their_rows(self, ingest: Any):
        odd = {3, 6, 7, 10, 13, 16, 18}
        days = ("0000-00-00" if n in odd else f"2024-01-{n:02}" for n in range(1, 29))
        text = "n,day\n" + "".join(f"{n},{day}\n" for n, day in enumerate(days))
        bounds = Bounds(max_cell_bytes=64)
        said = (
            "In day, '0000-00-00' is no day of the calendar: empty in rows 3, 6, 7, 10, 13 and"
            " 2 more."
        )
        assert ingest(text).table.notices == (said,)
        assert ingest(text, bounds=bounds).table.notices == (said,)
        found = ingest(f"n,day\n{self.DAYS}29,2023-02-30\n")
        assert found.table.notices == (
            "In day, '2023-02-30' is no day of the calendar: empty in row 29.",
        )

    def test_that_say_something_stay_and_are_told(self, ingest: Any):
        rows = "".join(f"{n},{n}.5\n" for n in range(30))
        found = ingest(f"a,b\n{rows}31,twelve\n")
        assert (found.types, found.rows[-1]) == (["integer", "string"], (31, "twelve"))
        assert "'twelve' in row 31" in found.table.notices[0]

    def test_are_not_sought_in_codes(self, ingest: Any):
        found = ingest("part,n\n" + "".join(f"{n:04},1\n{n}E{n},2\n" for n in range(1, 30)))
        assert (found.types[0], found.table.notices) == ("string", ())

    def test_exponents_beside_decimals_are_numbers(self, ingest: Any):
        assert ingest("x\n1.5\n40E5\n2\n").types == ["float"]


class TestHeader:
    @pytest.mark.parametrize("line", ["m,kg", "height of it,weight of it", "--,----", "[m],[kg]"])
    def test_is_not_followed_by_a_line_that_describes_it(self, ingest: Any, line: str):
        found = ingest(f"h,w\n{line}\n" + "".join(f"1.{n},{n}\n" for n in range(20)))
        assert (found.names, found.types) == (["h", "w"], ["float", "integer"])
        assert "line below the names" in found.table.notices[0]

    def test_torn_decimal_commas_are_no_names_of_rows(self, broken: Any):
        assert broken("name,price\nA,1,50\nB,2,75\nC,3,20\nD,4,10\n").line == 2


class TestTimes:
    def test_of_other_zones_are_told(self, ingest: Any):
        found = ingest("at,n\n2024-01-01T00:00:00+02:00,1\n2024-01-02T00:00:00+02:00,2\n")
        assert "kept and shown in UTC" in found.table.notices[0]
        assert ingest("at,n\n2024-01-01T00:00:00Z,1\n").table.notices == ()


class TestSums:
    def test_among_the_rows_are_told(self, ingest: Any):
        rows = [f"shop {n},{n}\n" for n in range(20)]
        found = ingest("".join(["shop,n\n", *rows[:10], "Subtotal,45\n", *rows[10:]]))
        assert found.table.rows == 21
        (notice,) = found.table.notices
        assert notice.startswith("Row 11 looks like a sum of others")
        assert notice.endswith("take it out of the file and upload that, or totals count twice.")


def test_a_column_of_nothing_in_a_long_file_is_read(ingest: Any):
    found = ingest("1,\n" * 200_000, bounds=Bounds(max_cell_bytes=2**16))
    assert (found.table.rows, found.types) == (200_000, ["integer", "string"])


def test_a_workbook_of_open_document_is_read(ingest: Any):
    def cell(value: str, kind: str) -> str:
        shown = f' office:value="{value}"' if kind == "float" else ""
        head = f'<table:table-cell office:value-type="{kind}"{shown}>'
        return f"{head}<text:p>{value}</text:p></table:table-cell>"

    rows = [[("a", "string"), ("b", "string")], [("x", "string"), ("1.5", "float")]]
    lines = (
        f"<table:table-row>{''.join(cell(*one) for one in row)}</table:table-row>" for row in rows
    )
    names = "urn:oasis:names:tc:opendocument:xmlns"
    content = (
        f'<?xml version="1.0"?><office:document-content xmlns:office="{names}:office:1.0"'
        f' xmlns:table="{names}:table:1.0" xmlns:text="{names}:text:1.0"><office:body>'
        f'<office:spreadsheet><table:table table:name="S">{"".join(lines)}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    out, kind = io.BytesIO(), "application/vnd.oasis.opendocument.spreadsheet"
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("mimetype", kind)
        packed.writestr("META-INF/manifest.xml", f'<manifest xmlns="{names}:manifest:1.0"/>')
        packed.writestr("content.xml", content)
    found = ingest(out.getvalue(), "t.ods")
    assert (found.names, found.rows) == (["a", "b"], [("x", 1.5)])
