"""Words that could be taken for something else: a title, a town, a text of digits, a slip."""

from datetime import date, timedelta

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, reader_of, store_of

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader

TODAY = date(2026, 11, 26)
COLUMNS = {
    "Title": "string", "Plot": "string", "Genre": "string", "Model": "string", "Town": "string",
    "State": "string", "Amount of Damage": "string", "Damage Cost": "integer",
    "Time of day": "string", "Boat Size": "string", "Boat Kind": "string", "Operator": "string",
    "Make": "string", "Call Date": "date", "Speed": "integer",
    "Sales": "float", "Result": "string",
}  # fmt: skip
KINDS = ("Car Ferry 2 decks", "Night Ferry 3 decks", "Tug", "Launch 1 deck")
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


@pytest.fixture(scope="module")
def asked() -> Asked:
    rows = [
        (
            "Average" if at == 7 else f"Story {at}",
            "Comedy" if at % 24 == 1 else f"Plot {at % 24}",
            ("Comedy", "Drama", "Crime")[at // 3 % 3], "100" if at == 9 else f"M{at}",
            {11: "Texas", 12: "Southport", 13: "Texas Bay"}.get(at, f"Haven {at}"),
            ("TX", "CA", "NY")[at % 3],
            ("None", "Minor", "Substantial")[at // 2 % 3], at % 5 * 130,
            ("Day", "Night", "Dawn")[at // 4 % 3], ("Small", "Large")[at // 5 % 2],
            KINDS[at // 6 % 4], ("Business", "North Line", "South Line")[at % 3],
            ("Aker", "Damen", "Incat")[at // 7 % 3], date(2021, 1, 1) + timedelta(at * 11),
            80 + at * 7 % 90, 10.5 + at, ("Good", "Bad")[at // 8 % 2],
        )
        for at in range(120)
    ]  # fmt: skip
    return store_of("ferrycalls", COLUMNS, rows), reader_of("ferrycalls", COLUMNS, rows)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("average speed by genre", "select Genre, avg(Speed) from ferrycalls group by 1"),
        ("how many comedies", "select count(*) from ferrycalls where Genre = 'Comedy'"),
        ("how many calls in Texas", "select count(*) from ferrycalls where State = 'TX'"),
        ("how many calls in Texas Bay",
         "select count(*) from ferrycalls where Town = 'Texas Bay'"),
        ("how many calls in Haven 14", "select count(*) from ferrycalls where Town = 'Haven 14'"),
        ("models with a speed of more than 100", "select Model from ferrycalls where Speed > 100"),
        ("how many calls at night",
         "select count(*) from ferrycalls where \"Time of day\" = 'Night'"),
        ("calls with substantial damage in Texas",
         ("select * from ferrycalls where \"Amount of Damage\" = 'Substantial'"
          " and State = 'TX'")),
        ("day vs night number of calls",
         ('select "Time of day", count(*) from ferrycalls'
          " where \"Time of day\" in ('Day', 'Night') group by 1")),
        ("median speed when met by a large boat",
         "select median(Speed) from ferrycalls where \"Boat Size\" = 'Large'"),
        ("how many sales had a bad result", "select count(*) from ferrycalls where Result = 'Bad'"),
        ("median speed of ferries",
         "select median(Speed) from ferrycalls where \"Boat Kind\" like '%Ferry%'"),
        ("operators other than North Line with total damage cost over 10000",
         ("select Operator from ferrycalls where Operator <> 'North Line'"
          ' group by 1 having sum("Damage Cost") > 10000')),
        ("busiest month for calls",
         ("select date_trunc('month', \"Call Date\"), count(*) from ferrycalls group by 1"
          " order by 2 desc, 1 limit 1")),
    ],
)  # fmt: skip
def test_is_read_as_it_is_meant(asked: Asked, question: str, right: str) -> None:
    answers_as(asked, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("share of calls by large boats",
         ("select 100.0 * count(*) filter (where \"Boat Size\" = 'Large') / count(*)"
          " from ferrycalls")),
        ("share of calls made by Business operators",
         ("select 100.0 * count(*) filter (where Operator = 'Business') / count(*)"
          " from ferrycalls")),
        ("bad result rate by genre",
         ("select Genre, 100.0 * count(*) filter (where Result = 'Bad') / count(*)"
          " from ferrycalls group by 1")),
    ],
)  # fmt: skip
def test_is_a_share_of_the_rows_that_are_meant(asked: Asked, question: str, right: str) -> None:
    answers_as(asked, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("top 2 makes with most ferry calls",
         ("select Make, count(*) from ferrycalls group by 1 order by 2 desc, 1 limit 2")),
        ("which manufacturers never had a bad result",
         ("select distinct Make from ferrycalls where Make not in"
          " (select Make from ferrycalls where Result = 'Bad')")),
        ("how has speed changed over the years",
         'select year("Call Date"), avg(Speed) from ferrycalls group by 1'),
        ("states with fewer than 50 incidents",
         "select State from ferrycalls group by 1 having count(*) < 50"),
    ],
)  # fmt: skip
def test_counts_and_compares_groups(asked: Asked, question: str, right: str) -> None:
    answers_as(asked, question, right, TODAY)


def test_no_word_is_a_slip_of_one_that_begins_otherwise(asked: Asked) -> None:
    read = asked[1].read("calls outportside the summer", TODAY)
    assert isinstance(read, NotUnderstood) or "Southport" not in read.sql


def test_a_kind_is_told_by_all_its_values_or_by_none(asked: Asked) -> None:
    read = asked[1].read("how many calls by ferries with decks", TODAY)
    assert not (isinstance(read, Answerable) and "Launch 1 deck" in read.sql)


def test_a_share_in_a_year_is_of_that_year() -> None:
    columns = {"Model": "string", "Year": "integer", "Cylinders": "integer"}
    rows = [(f"M{at}", 2012 + at % 4, (3, 4, 6)[at % 3]) for at in range(90)]
    asked = store_of("cars", columns, rows), reader_of("cars", columns, rows)
    right = "select 100.0 * count(*) filter (where Cylinders = 4) / count(*) from cars"
    answers_as(asked, "share of cars with 4 cylinders in 2015", f"{right} where Year = 2015", TODAY)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("average Jitter(%)", 'select avg("Jitter(%)") from voices'),
        ("average Jitter(%) by sex", 'select Sex, avg("Jitter(%)") from voices group by 1'),
        ("% of voices with Jitter(%) above 0.5",
         'select 100.0 * count(*) filter (where "Jitter(%)" > 0.5) / count(*) from voices'),
    ],
)  # fmt: skip
def test_a_sign_in_a_name_asks_for_no_share(question: str, right: str) -> None:
    columns = {"Voice": "string", "Sex": "string", "Jitter(%)": "float"}
    rows = [(f"V{at}", "FM"[at % 2], at * 7 % 90 / 100) for at in range(90)]
    asked = store_of("voices", columns, rows), reader_of("voices", columns, rows)
    answers_as(asked, question, right, TODAY)


def test_of_values_alike_one_of_hundreds_of_rows_is_meant() -> None:
    columns = {"Owner": "string", "Source": "string", "Industry": "string"}
    rows = [
        (
            "Common" if at == 3 else f"Owner {at}",
            "energy" if at in {5, 6} else f"Source {at}",
            ("Energy", "Retail")[at % 3 == 0],
        )
        for at in range(300)
    ]
    asked = store_of("firms", columns, rows), reader_of("firms", columns, rows)
    answers_as(
        asked, "how many firms in Energy", "select count(*) from firms where Industry = 'Energy'",
        TODAY,
    )  # fmt: skip
    answers_as(
        asked, "most common industry",
        "select Industry, count(*) from firms group by 1 order by 2 desc limit 1", TODAY,
    )  # fmt: skip


@pytest.mark.parametrize("number", ["100", "85"])
def test_a_number_is_compared_with_no_column_that_nothing_names(asked: Asked, number: str) -> None:
    read = asked[1].read(f"calls taller than {number}", TODAY)
    assert isinstance(read, NotUnderstood), read.sql
    assert number in read.sentence
