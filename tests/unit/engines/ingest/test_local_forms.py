"""Numbers and dates as people write them: kept with a notice, and read where types say so."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from modelwright.engines.facts import ColumnType, notices_of
from modelwright.engines.ingest.converting import convert
from modelwright.engines.ingest.read_options import ReadOptions
from modelwright.engines.ingest.table import Bounds, BrokenFile

Read = Callable[..., tuple[list[Any], tuple[str, ...]]]
FIRST = date(2024, 1, 31)
SECOND = date(2024, 3, 2)
MORNING = datetime(2024, 1, 31, 8, 30)  # noqa: DTZ001 - as it stands
NOON = datetime(2024, 3, 2, 12, 45)  # noqa: DTZ001 - as it stands
DAYS = {
    "31.01.2024;02.03.2024": (FIRST, SECOND),
    "31.1.24;2.3.24": (FIRST, SECOND),
    "01/31/2024;03/02/2024": (FIRST, SECOND),
    "31/01/2024;02/03/2024": (FIRST, SECOND),
    "31-Jan-2024;02-Mar-2024": (FIRST, SECOND),
    "Jan 31, 2024;Mar 2, 2024": (FIRST, SECOND),
    "31 janvier 2024;2 mars 2024": (FIRST, SECOND),
    "31. Januar 2024;2. März 2024": (FIRST, SECOND),
    "31 de enero de 2024;2 de marzo de 2024": (FIRST, SECOND),
    "31 января 2024;2 марта 2024": (FIRST, SECOND),
    "31 Ocak 2024;2 Mart 2024": (FIRST, SECOND),
    "2024年1月31日;2024年3月2日": (FIRST, SECOND),
    "2024.01.31.;2024.03.02.": (FIRST, SECOND),
    "2024/01/31;2024/03/02": (FIRST, SECOND),
    "20240131;20240302": (FIRST, SECOND),
    "45322;45353": (FIRST, SECOND),
    "Mi, 31.01.2024;Sa, 02.03.2024": (FIRST, SECOND),
    "2024-01;2024-03": (date(2024, 1, 1), date(2024, 3, 1)),
    "1/31/2024 8:30 AM;3/2/2024 12:45 PM": (MORNING, NOON),
    "31.01.2024 08:30;02.03.2024 12:45": (MORNING, NOON),
    "2024-1-31 8:30;2024-3-2 12:45": (MORNING, NOON),
    "2024-01-31 08:30:00,25;2024-03-02 12:45:00,5": (
        MORNING.replace(microsecond=250_000),
        NOON.replace(microsecond=500_000),
    ),
    "Wed, 31 Jan 2024 08:30:00 GMT;Sat, 02 Mar 2024 12:45:00 GMT": (
        MORNING.replace(tzinfo=UTC),
        NOON.replace(tzinfo=UTC),
    ),
}
NUMBERS = {
    "1,234;12,345": (1234.0, 12345.0),
    "1 234,50;12 345,00": (1234.5, 12345.0),
    "1\u202f234,50;12\u202f345,00": (1234.5, 12345.0),
    "1'234.50;999.99": (1234.5, 999.99),
    "12%;7.5%": (12.0, 7.5),
    "$1,200.50;$15.00": (1200.5, 15.0),
    "1.200,50 €;15,00 €": (1200.5, 15.0),
    "R$ 1.234,50;R$ 15,00": (1234.5, 15.0),
    "₹1,25,000.50;₹12,000.00": (125000.5, 12000.0),
    "(12.50);7.00": (-12.5, 7.0),
    "12,50-;7,00": (-12.5, 7.0),
    "\u221212.5;7.0": (-12.5, 7.0),
    "+12;-7": (12.0, -7.0),
    "١٢٣;٤٥٦": (123.0, 456.0),
    "\uff11\uff12;\uff13": (12.0, 3.0),
}
TEXTS = [
    "+4930123456;+4930765432",
    "978-3-16-148410-0;080442957X",
    "12-34-56;98-76-54",
    "1.10.0;1.9.2",
    "$12.50;€7.00",
    "01234;98765",
    "08:30;12:45",
    "12d;34f",
    "4111 1111 1111 1111;5500 0000 0000 0004",
]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def run(values: str, wanted: ColumnType | None = None) -> tuple[list[Any], tuple[str, ...]]:
        source, target = tmp_path / "source", tmp_path / "target.parquet"
        rows = "".join(f"x\t{value}\n" for value in values.split(";"))
        source.write_text(f"name\tdate\n{rows}", encoding="utf-8")
        table = convert(
            source,
            target,
            name="t.tsv",
            content_type="",
            bounds=Bounds(),
            scratch=tmp_path,
            options=ReadOptions(types={"date": wanted} if wanted else {}),
        )
        return pq.read_table(target)["date"].to_pylist(), table.notices

    return run


@pytest.mark.parametrize("values", DAYS)
def test_dates_are_read_where_their_type_is_said(read: Read, values: str):
    assert tuple(read(values, "date")[0]) == DAYS[values]


@pytest.mark.parametrize("values", NUMBERS)
def test_numbers_are_read_where_their_type_is_said(read: Read, values: str):
    assert tuple(read(values, "float")[0]) == NUMBERS[values]


@pytest.mark.parametrize("values", [*DAYS, *NUMBERS])
def test_what_is_written_stays_with_a_notice(read: Read, values: str):
    found, notices = read(values)
    kept = [str(one) for one in found] == values.split(";")
    assert any("in types" in one for one in notices) if kept else notices


@pytest.mark.parametrize(
    ("values", "found", "said"),
    [
        ("31.01.2024;02.03.2024", [FIRST, SECOND], "date ('31.01.2024' as 2024-01-31)"),
        ("1.2.2024;3.4.2024", [date(2024, 2, 1), date(2024, 4, 3)], "('1.2.2024' as 2024-02-01)"),
        ("24 %;0 %;-5 %", [24, 0, -5], "date ('24 %' as 24) is read as numbers, in percent"),
        ("12,5 %;7 %", [12.5, 7.0], "('12,5 %' as 12.5)"),
        ("12%;k.A.;7.25%", [12.0, None, 7.25], "('12%' as 12)"),
        ("$1,234.50;$15", [1234.5, 15.0], "('$1,234.50' as 1234.5) is read as numbers, in $"),
        ("€ 12,50;€ 7,00", [12.5, 7.0], "('€ 12,50' as 12.5) is read as numbers, in EUR"),
        ("1.234,50 EUR;k.A.;99,00 EUR", [1234.5, None, 99.0], "read as numbers, in EUR"),
        ("CHF 1'234.50;CHF 2.05", [1234.5, 2.05], "in CHF"),
        ("($99.00);$1.50", [-99.0, 1.5], "in $"),
        ("$1,200;$950;$1,012,400", [1200, 950, 1012400], "('$1,200' as 1200)"),
        ("1.200 €;950,5 €;12.400 €", [1200, 950.5, 12400], "('1.200 €' as 1200)"),
        ("$0.125;$1.125;$2", [0.125, 1.125, 2], "('$0.125' as 0.125)"),
        ("₹1,25,000;₹2,000;₹1,00,000", [125000, 2000, 100000], "in INR"),
        ("£1,234,567;£2,345,678", [1234567, 2345678], "in GBP"),
        ("1,234.50;12,000.00;7.25", [1234.5, 12000.0, 7.25], "as 1234.5) is read as numbers: name"),
        ("1 234,50;99,00;1 007,25", [1234.5, 99.0, 1007.25], "('1 234,50' as 1234.5)"),
        ("1,234,567;87,054;1,000", [1234567, 87054, 1000], "('1,234,567' as 1234567)"),
        ("CAD-100;CAD-250.50", [-100, -250.5], "in CAD"),
        ("CAD-100;CAD250", [-100, 250], "in CAD"),
        ("CAD -100;CAD -250", [-100, -250], "in CAD"),
        ("$-100;$-250", [-100, -250], "in $"),
        ("100- EUR;250- EUR", [-100, -250], "in EUR"),
        ("EUR (100);EUR (250)", [-100, -250], "in EUR"),
        ("12.50 TRY;3 TRY", [12.5, 3], "in TRY"),
        ("12.50 eur;3 Eur", [12.5, 3], "in EUR"),
    ],
)
def test_what_has_one_reading_is_read(read: Read, values: str, found: list[Any], said: str):
    kept, notices = read(values)
    assert kept == found
    (notice,) = notices
    assert said in notice
    assert "name the type string in types to keep the texts" in notice
    assert read(values, "string") == (values.split(";"), ())


@pytest.mark.parametrize(
    "values",
    [
        "31.01.24;02.03.24",
        "01.31.2024;03.02.2024",
        "30.02.2024;01.02.2024;02.02.2024;03.02.2024;04.02.2024;05.02.2024",
        "31.01.2024;offen;02.03.2024;04.03.2024",
        "1,234 %;5,678 %",
        "1,5 %;2.5 %",
        "24 %;7",
        "24 %;offen;7 %;8 %",
        "$1,234;$5,678",
        "€1.459;€1.609;€0",
        "$12.50;15.00",
        "$12.50;€15.00",
        "$1.2M;$500K",
        "12,50 €;7.00 €",
        "1,234;5,678",
        "12,5 kg;7 kg",
        "1.234.567;987.654",
        "rs1;rs23",
        "CAD-100;CAD-250",
        "EUR-100;EUR-7",
        "100-CAD;7-CAD",
        "100-€;7-€",
        "EUR - 100;EUR - 7",
        "EUR(100);EUR(7)",
        "(EUR100);(EUR7)",
        "3 try;4 try",
        "30 sek;45 sek",
        "3 Cad;4 Cad",
        "4 trys;3 trys",
        "$1.125;$2;$3.875",
        "1.509 €;2 €",
        "$1,200;$950;$12,400",
        "1.200 €;950 €;12.400 €",
        "12CAD;7CAD",
    ],
)
def test_what_has_two_readings_or_other_words_stays_text(read: Read, values: str):
    assert read(values)[0] == values.split(";")


@pytest.mark.parametrize(
    "values",
    [
        "52.520,13;48.137,11;40.713,74",
        "30,113.405;31,121.474",
        "10,100,200;20,110,220",
        "10,100,200;300,400",
        "255,000,128;128,064,000",
        "10,20,300;1,000,200",
    ],
)
def test_lists_of_numbers_stay_texts(ingest: Any, values: str):
    result = ingest("n,v\n" + "".join(f'x,"{one}"\n' for one in values.split(";")))
    assert [row[1] for row in result.rows] == values.split(";")
    (notice,) = result.table.notices
    assert "name the type float in types" in notice


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # Another column of amounts proves the mark.
        ("a;b\n1.509 €;1,5 €\n2 €;3 €\n", [1509, 2]),
        ("a;b\n1.509 €;€1.5\n2 €;€3\n", [1.509, 2]),
        ("a;b\n$1,234;12.5 %\n$5,678;7 %\n", [1234, 5678]),
        # Two columns that prove either mark prove none.
        ("a;b;c\n1.509 €;1,5 €;$1.5\n2 €;3 €;$2\n", None),
        # Plain numbers of the file have commas.
        ("a;b\n1.509 €;1,5\n2 €;3,25\n", [1509, 2]),
        # Points of plain numbers tell only what is likely without them.
        ("a;b\n$1,200;1.5\n$950;3.25\n", [1200, 950]),
        ("a;b\n1.200 €;52.52\n950 €;48.13\n", None),
        ("a;b\n1,509 €;52.52\n2 €;48.13\n", None),
        # What is likely and what others prove differ.
        ("a;b\n1.200 €;€1.5\n950 €;€3\n", None),
    ],
)
def test_marks_are_told_by_other_columns(ingest: Any, text: str, found: list[float] | None):
    result = ingest(text)
    kept = [row[0] for row in result.rows]
    if found is None:
        assert kept == [line.split(";")[0] for line in text.splitlines()[1:]]
        assert any(
            "a ('" in one and "name the type float in types" in one for one in result.table.notices
        )
    else:
        assert kept == found


def test_the_likelier_reading_is_taken_where_the_type_is_said(read: Read):
    assert read("1.200 €;950 €;12.400 €", "float")[0] == [1200, 950, 12400]
    assert read("1.509 €;2 €", "float")[0] == [1.509, 2]


@pytest.mark.parametrize("values", TEXTS)
def test_codes_stay_without_a_word(read: Read, values: str):
    assert read(values) == (values.split(";"), ())


@pytest.mark.parametrize("values", ["1.9;1.10", "3.10;12.9", "-1.50;2.5"])
def test_numbers_that_may_be_versions_are_told(read: Read, values: str):
    (notice,) = read(values)[1]
    assert "versions or codes" in notice


@pytest.mark.parametrize("values", ["4.323;-2.380", "12.50;9.25", "102.070;99.125", "1.5;2.5"])
def test_numbers_of_equally_many_decimals_are_no_versions(read: Read, values: str):
    assert not any("versions" in notice for notice in read(values)[1])


def test_days_and_months_that_cannot_be_told_apart_are_refused(read: Read):
    with pytest.raises(BrokenFile, match="either the day or the month"):
        read("01/02/2024;03/04/2024", "date")
    assert "name the type date" in read("01/02/2024;03/04/2024")[1][0]


def test_days_and_months_first_in_turn_are_told(read: Read):
    values, notices = read("31/01/2024;01/31/2024")
    assert values == ["31/01/2024", "01/31/2024"]
    assert "holds dates as people write them" in notices[0]
    with pytest.raises(BrokenFile, match="either the day or the month"):
        read("31/01/2024;01/31/2024", "date")


def test_points_and_commas_before_decimals_in_turn_are_told(read: Read):
    values, notices = read("1,5;2.5;3,5;4,25")
    assert values == ["1,5", "2.5", "3,5", "4,25"]
    assert "holds numbers as people write them" in notices[0]
    with pytest.raises(BrokenFile, match="cannot be read as float"):
        read("1,5;2.5;3,5;4,25", "float")


@pytest.mark.parametrize("huge", ["1.5E999", "1.5D999", "-1,5e400"])
def test_exponents_beyond_doubles_are_not_infinite(read: Read, huge: str):
    rest = "2,5e3" if "," in huge else "2.5E3"
    assert read(f"{huge};{rest}")[0] == [huge, rest]
    with pytest.raises(BrokenFile, match="cannot be read as float"):
        read(f"{huge};{rest}", "float")


def test_days_that_never_were_are_told_and_are_gaps(read: Read):
    days = ";".join(f"{day:02}.02.2024" for day in range(1, 11))
    said = "In date, '30.02.2024' is no day of the calendar (row 11)."
    assert said in read(f"{days};30.02.2024")[1]
    values, notices = read(f"{days};30.02.2024;00.00.0000", "date")
    assert values[-2:] == [None, None]
    assert values[0] == date(2024, 2, 1)
    said = "'30.02.2024', '00.00.0000' is no day of the calendar (rows 11, 12)."
    assert said in "".join(notices)


def test_words_for_nothing_are_gaps_among_them(read: Read):
    assert read("31.01.2024;k.A.;02.03.2024", "date")[0] == [FIRST, None, SECOND]


@pytest.mark.parametrize(
    ("values", "wanted", "unit"),
    [
        ("$1,234.50;$15", None, "$"),
        ("12,50 zł;1 007,00 zł", None, "PLN"),
        ("24 %;7 %", None, "%"),
        ("$1,234;$5,678", "float", "$"),
        ("1,234.50;99.00", None, ""),
        ("24 %;7 %", "string", ""),
        ("31.01.2024;02.03.2024", None, ""),
    ],
)
def test_the_unit_of_what_is_read_is_kept(
    tmp_path: Path, values: str, wanted: ColumnType | None, unit: str
):
    source = tmp_path / "t.tsv"
    rows = "".join(f"x\t{value}\n" for value in values.split(";"))
    source.write_text(f"name\tdate\n{rows}", encoding="utf-8")
    table = convert(
        source,
        tmp_path / "t.parquet",
        name="t.tsv",
        content_type="",
        bounds=Bounds(),
        scratch=tmp_path,
        options=ReadOptions(types={"date": wanted} if wanted else {}),
    )
    assert [column.unit for column in table.columns] == ["", unit]


def test_what_has_one_reading_is_told_of_the_upload_alone(tmp_path: Path):
    """A model that is trained on the table is not warned of it."""
    source, target = tmp_path / "t.csv", tmp_path / "t.parquet"
    rows = "".join(f"{at};31.01.2024;{at} %;x{at % 2}\n" for at in range(30))
    source.write_text(f"no;day;rebate;kind\n{rows}Total;;;\n", encoding="utf-8")
    table = convert(
        source, target, name="t.csv", content_type="", bounds=Bounds(), scratch=tmp_path
    )
    kept = notices_of([target])
    assert [one for one in table.notices if "is read as" not in one] == kept
    assert ["left out" in one for one in kept] == [True]
    assert len(table.notices) == len(kept) + 2


class TestWordsAmongLocalForms:
    """A word among amounts or dates does not hide them, and what the notice says can be done."""

    TEXT = (
        "no;sum;day\n1;1.234,56;31.12.2024\n2;siehe Beleg;15.01.2024\n3;99,00;offen\n"
        "4;7,10;1.2.2024\n"
    )

    def test_both_are_told(self, ingest: Any):
        notices = ingest(self.TEXT).table.notices
        assert any("sum ('1.234,56')" in one and "'siehe Beleg'" in one for one in notices)
        assert any("day ('31.12.2024')" in one and "'offen'" in one for one in notices)

    def test_what_the_notice_says_reads_them(self, ingest: Any):
        found = ingest(
            self.TEXT,
            null_values=("siehe Beleg", "offen"),
            types={"sum": "float", "day": "date"},
        )
        assert [row[1] for row in found.rows] == [1234.56, None, 99.0, 7.1]
        assert [str(row[2]) for row in found.rows] == [
            "2024-12-31",
            "2024-01-15",
            "None",
            "2024-02-01",
        ]


def marked(folder: Path, **options: Any) -> tuple[list[str], str]:
    """Reads a file with two marks before decimals; returns the columns' types and the notices."""
    source = folder / "source"
    rows = ["city;price;weight;fee", "Oslo;1,5;12.25;€2.50", "Rome;2,75;3.5;€13.25"]
    source.write_text("\n".join([*rows, "Bern;3,1;7.75;€7.10\n"]))
    read = convert(
        source,
        folder / "t.parquet",
        name="t.csv",
        content_type="",
        bounds=Bounds(),
        scratch=folder,
        options=ReadOptions(**options),
    )
    return [column.type for column in read.columns], " ".join(read.notices)


def test_numbers_with_another_mark_than_was_said_are_told(tmp_path: Path):
    types, notices = marked(tmp_path, decimal=",")
    assert types == ["string", "float", "string", "string"]
    assert "weight ('12.25') holds numbers without the mark ','" in notices
    assert "fee ('€2.50') holds numbers without the mark ','" in notices


def test_columns_are_read_by_the_marks_that_they_have(tmp_path: Path):
    assert marked(tmp_path, types={"price": "float"})[0] == ["string", "float", "float", "float"]


def test_a_type_against_the_mark_that_was_said_is_refused_by_decimal(tmp_path: Path):
    with pytest.raises(BrokenFile, match=r"decimal: '12\.25' in column 'weight'"):
        marked(tmp_path, decimal=",", types={"weight": "float"})
