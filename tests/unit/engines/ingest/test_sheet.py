"""Excel: what cells, formats and sheets become, compared with an independent writer and reader."""

import io
import zipfile
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from functools import partial
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import python_calamine
from openpyxl.worksheet.worksheet import Worksheet

moment = partial(datetime, tzinfo=None)
HEADER = ["id", "code", "price", "ok", "day", "moment", "text"]
ROWS = [
    [1, "007", 1.5, True, date(2024, 2, 29), moment(2024, 1, 5, 10, 30), "Zoë & <co>\nline"],
    [2, "12", 2, False, date(1900, 1, 1), moment(1999, 12, 31, 23, 59, 59), None],
]


def workbook(rows: Sequence[Any], merged: Iterable[str] = (), **given: Any) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    for row in rows:
        sheet.append(row)
    for address, value in given.items():
        sheet[address] = value
    for span in merged:
        sheet.merge_cells(span)
    return saved(book)


def saved(book: openpyxl.Workbook) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def rewritten(data: bytes, part: str, change: Any) -> bytes:
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, change(content) if name == part else content)
    return out.getvalue()


SHEET = "xl/worksheets/sheet1.xml"


class TestSheet:
    def test_becomes_a_typed_table(self, ingest: Any):
        found = ingest(workbook([HEADER, *ROWS]), "t.xlsx")
        assert found.table.format == "xlsx"
        assert found.names == HEADER
        assert found.types == ["integer", "string", "float", "boolean", "date", "date", "string"]
        assert found.rows == [tuple(row) for row in ROWS]

    def test_agrees_with_another_reader(self, ingest: Any, tmp_path: Path):
        rows = [HEADER] + [
            [
                n,
                f"{n:05}",
                n / 3,
                n % 2 == 0,
                date(2020, 1, 1 + n % 28),
                moment(2020, 1, 1, n % 23 + 1, n % 60),
                f"t{n % 9}",
            ]
            for n in range(5000)
        ]
        path = tmp_path / "book.xlsx"
        path.write_bytes(workbook(rows))
        other = python_calamine.CalamineWorkbook.from_path(path).get_sheet_by_index(0).to_python()
        found = ingest(path, "t.xlsx")
        assert [list(row) for row in found.rows] == other[1:]

    def test_is_known_by_its_bytes(self, ingest: Any):
        assert ingest(workbook([["a"], [1]]), "t.csv").table.format == "xlsx"

    def test_is_the_first_of_the_workbook(self, ingest: Any):
        book = openpyxl.Workbook()
        assert isinstance(book.active, Worksheet)
        book.active.append(["second"])
        book.create_sheet("front", 0).append(["first"])
        assert ingest(saved(book), "t.xlsx").names == ["first"]

    def test_leaves_out_rows_and_columns_that_hold_nothing(self, ingest: Any):
        found = ingest(
            workbook([[], [None, "a", None, "b"], [], [None, 1, None, 2], [None, 3]]), "t.xlsx"
        )
        assert (found.names, found.rows) == (["a", "b"], [(1, 2), (3, None)])

    def test_leaves_out_a_title(self, ingest: Any):
        found = ingest(workbook([["Report 2024"], [], ["a", "b", "c"], [1, 2, 3]]), "t.xlsx")
        assert (found.names, found.rows) == (["a", "b", "c"], [(1, 2, 3)])
        assert found.table.notices == (
            "The first line stands above the names of the columns ('Report 2024') and is left out.",
        )

    def test_leaves_out_all_that_stands_above_the_names(self, ingest: Any):
        above = [["Report 2024"], ["exported", "2018-01-31"], []]
        below = [["a", "b", "c", "d"], [1, 2, 3, 4], [5, 6, 7, 8]]
        found = ingest(workbook([*above, *below]), "t.xlsx")
        assert (found.names, found.rows) == (["a", "b", "c", "d"], [(1, 2, 3, 4), (5, 6, 7, 8)])

    def test_names_columns_without_a_header(self, ingest: Any):
        found = ingest(workbook([[None, "a"], [1, 2], [3, 4]]), "t.xlsx")
        assert (found.names, found.rows) == (["column_1", "a"], [(1, 2), (3, 4)])

    def test_takes_in_columns_that_begin_late(self, ingest: Any):
        found = ingest(workbook([["a"], *[[n] for n in range(1000)]], E900="late"), "t.xlsx")
        assert found.names == ["a", "column_2"]
        assert found.values(1)[898] == "late"

    def test_has_words_of_merged_cells_in_each_of_their_rows(self, ingest: Any):
        rows = [
            ["region", "shop", "day", "sales", "bonus"],
            ["North", "Ulm", date(2024, 1, 5), 1, 10],
            [None, "Aue", None, 2, None],
            [],
            [None, "Jena", None, 3, None],
            ["South", "Rom", date(2024, 2, 5), 4, 20],
            [None, "Bari", date(2024, 3, 5), 5, None],
        ]
        merged = ["A2:A5", "C2:C3", "E2:E5", "A6:A7", "B9:B11", "A1:B1"]
        found = ingest(workbook(rows, merged), "t.xlsx")
        assert found.rows == [
            ("North", "Ulm", date(2024, 1, 5), 1, 10),
            ("North", "Aue", date(2024, 1, 5), 2, None),
            ("North", "Jena", None, 3, None),
            ("South", "Rom", date(2024, 2, 5), 4, 20),
            ("South", "Bari", date(2024, 3, 5), 5, None),
        ]
        assert any("merged" in one for one in found.table.notices)

    def test_of_groups_and_names_in_merged_cells_has_the_names(self, ingest: Any):
        rows = [["shop", "2024", None], [None, "Jan", "Feb"], ["Ulm", 1, 2], ["Aue", 3, 4]]
        found = ingest(workbook(rows, ["A1:A2", "B1:C1"]), "t.xlsx")
        assert found.names == ["shop", "Jan", "Feb"]
        assert found.rows == [("Ulm", 1, 2), ("Aue", 3, 4)]

    def test_of_names_that_groups_repeat_has_the_groups_before_them(self, ingest: Any):
        above = [
            ["Sales"],
            ["shop", "Jan", None, "Feb", None],
            [None, "units", "eur", "units", "eur"],
        ]
        rows = [[f"s{at}", at, at / 2, at + 1, at / 4] for at in range(1, 5)]
        found = ingest(workbook([*above, *rows], ["A2:A3", "B2:C2", "D2:E2"]), "t.xlsx")
        assert found.names == ["shop", "Jan units", "Jan eur", "Feb units", "Feb eur"]
        assert found.rows == [tuple(row) for row in rows]

    def test_with_a_header_alone_has_no_rows(self, ingest: Any):
        assert ingest(workbook([["a", "b"]]), "t.xlsx").table.rows == 0

    def test_without_cells_is_refused(self, broken: Any):
        assert "empty" in broken(workbook([]), "t.xlsx").reason


class TestCell:
    @pytest.mark.parametrize(
        ("value", "number_format", "kind", "read"),
        [
            (45296.4375, "yyyy-mm-dd hh:mm", "date", moment(2024, 1, 5, 10, 30)),
            (45296, "d. mmmm yyyy", "date", date(2024, 1, 5)),
            (45296, "[$-407]dd/mm/yy;@", "date", date(2024, 1, 5)),
            (45296, "mmm", "date", date(2024, 1, 5)),
            (0.4375, "hh:mm:ss", "string", "10:30:00"),
            (0.4375, "[h]:mm", "string", "10:30:00"),
            (1.4375, "[hh]:mm:ss", "string", "34:30:00"),
            (0.03125, "[mm]:ss", "string", "00:45:00"),
            (400.5, "[h]:mm:ss;@", "string", "9612:00:00"),
            (1.5, '0.00 "days"', "float", 1.5),
            (5, "0.00%", "integer", 5),
            (5, "[Red]0", "integer", 5),
            (5, 'General" sold"', "integer", 5),
            (-5, "yyyy-mm-dd", "integer", -5),
            (1e20, "General", "float", 1e20),
        ],
    )
    def test_is_a_date_by_its_format(
        self, ingest: Any, value: float, number_format: str, kind: str, read: Any
    ):
        book = openpyxl.Workbook()
        assert isinstance(book.active, Worksheet)
        book.active.append(["v"])
        book.active.append([value])
        book.active["A2"].number_format = number_format
        found = ingest(saved(book), "t.xlsx")
        assert (found.types, found.values()) == ([kind], [read])

    def test_counts_from_1904_where_the_workbook_does(self, ingest: Any):
        book = openpyxl.Workbook()
        book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
        assert isinstance(book.active, Worksheet)
        book.active.append(["day"])
        book.active.append([date(2024, 1, 5)])
        assert ingest(saved(book), "t.xlsx").values() == [date(2024, 1, 5)]

    def test_of_an_error_is_missing(self, ingest: Any):
        assert ingest(workbook([["a"], [1], ["#N/A"], ["#DIV/0!"]]), "t.xlsx").values() == [
            1,
            None,
            None,
        ]

    def test_of_a_time_is_its_text(self, ingest: Any):
        assert ingest(workbook([["a"], [time(9, 5, 7)]]), "t.xlsx").values() == ["09:05:07"]

    def test_of_a_text_of_digits_stays_text(self, ingest: Any):
        found = ingest(workbook([["a", "b"], ["12", "x"], ["13", "y"]]), "t.xlsx")
        assert found.values() == ["12", "13"]

    def test_of_a_text_in_a_column_of_numbers_makes_it_text(self, ingest: Any):
        assert ingest(workbook([["a"], [1], ["two"], [2.5]]), "t.xlsx").values() == [
            "1",
            "two",
            "2.5",
        ]

    def test_of_a_missing_word_in_a_column_of_numbers_is_missing(self, ingest: Any):
        assert ingest(workbook([["a"], [1], ["n/a"], [3]]), "t.xlsx").values() == [1, None, 3]

    @pytest.mark.parametrize(
        ("cell", "read"),
        [
            (
                (
                    b'<c r="A2" t="inlineStr"><is><r><t>a</t></r><r><t> b</t></r>'
                    b"<rPh><t>no</t></rPh></is></c>"
                ),
                "a b",
            ),
            (b'<c t="str"><f>A1&amp;"x"</f><v>_x0041_x</v></c>', "Ax"),
            (b'<c t="str"><v>_xD800__xdfff_</v></c>', "_xD800__xdfff_"),
            (b'<c r="A2" t="d"><v>2024-01-05</v></c>', date(2024, 1, 5)),
            (b'<c r="A2" t="b"><v>1</v></c>', True),
            (b'<c r="A2"><v>1E-3</v></c>', 0.001),
            (b'<c r="A2"><v>1234567890123456789</v></c>', "1234567890123456789"),
        ],
    )
    def test_is_read_in_any_spelling(self, ingest: Any, cell: bytes, read: Any):
        data = rewritten(workbook([["head"], ["here"]]), SHEET, lambda xml: _with(xml, cell))
        assert ingest(data, "t.xlsx").values() == [read]


def _with(xml: bytes, cell: bytes) -> bytes:
    start = xml.index(b'<row r="2"')
    inner = xml.index(b">", start) + 1
    return xml[:inner] + cell + xml[xml.index(b"</row>", inner) :]


class TestBreak:
    @pytest.mark.parametrize(
        "change",
        [
            lambda xml: xml[: len(xml) // 2],
            lambda xml: _with(xml, b'<c r="A2" t="s"><v>99</v></c>'),
            lambda xml: _with(xml, b'<c r="A2"><v>many</v></c>'),
            lambda xml: _with(xml, b'<c r="ZZZZ2"><v>1</v></c>'),
            lambda xml: b'<!DOCTYPE x [<!ENTITY a "b">]>' + xml,
        ],
    )
    def test_of_the_sheet_is_refused(self, broken: Any, change: Any):
        refusal = broken(rewritten(workbook([["a"], [1]]), SHEET, change), "t.xlsx")
        assert "damaged" in refusal.reason

    def test_of_the_styles_is_refused(self, broken: Any):
        def change(xml: bytes) -> bytes:
            return xml.replace(b'numFmtId="0"', b'numFmtId="none"')

        data = rewritten(workbook([["a"], [1]]), "xl/styles.xml", change)
        assert "damaged" in broken(data, "t.xlsx").reason

    def test_of_the_zip_is_refused(self, broken: Any):
        assert "damaged" in broken(workbook([["a"], [1]])[:3000], "t.xlsx").reason

    @pytest.mark.parametrize(
        ("part", "what"),
        [
            ("data.csv", "ZIP archive"),
            ("content.xml", "OpenDocument"),
            ("xl/workbook.bin", ".xlsb"),
        ],
    )
    def test_of_other_archives_says_what_they_are(self, broken: Any, part: str, what: str):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr(part, b"x")
        assert what in broken(out.getvalue(), "t.xlsx").reason


def test_numbers_stored_as_texts_among_numbers_are_numbers(ingest: Any):
    rows = [[n if n % 9 else str(n), n / 4 if n % 7 else f" {n / 4}", f"{n:03}"] for n in range(50)]
    found = ingest(workbook([["n", "price", "code"], *rows]), "t.xlsx")
    assert found.types == ["integer", "float", "string"]
    assert found.values() == list(range(50))
    codes = [[n if n % 9 else f"0{n}"] for n in range(50)]
    assert ingest(workbook([["code"], *codes]), "t.xlsx").types == ["string"]
    assert ingest(workbook([["code"], *[[str(n)] for n in range(50)]]), "t.xlsx").types == [
        "string"
    ]
