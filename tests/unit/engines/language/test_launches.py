"""Launches, in which no column is called by what the rows are: what fails, is first, is dearest."""

from datetime import date, datetime, timedelta
from typing import Any

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, reader_of, store_of

from modelwright.engines.language.rules.answering.questions import NotUnderstood, Reader

TODAY = date(2026, 11, 25)
COLUMNS = {
    "mission": "string", "operator": "string", "inserted_at": "time", "start_date": "time",
    "end_date": "time", "price": "float", "successful": "boolean", "injuries": "integer",
    "crew": "string", "flag": "string", "notes": "string", "seat_class": "integer",
    "winpercent": "float", "trans_amt": "float", "trans_ct": "integer",
}  # fmt: skip
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


def rows() -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for at in range(420):
        start = datetime(2019, 3, 1, 6) + timedelta(hours=53 * (at * 11 % 420))  # noqa: DTZ001
        found.append(
            (f"Heron {at}", ("Quay Co", "Mill Co", "Hill Co")[at % 3],
             datetime(2024, 1, 1, 4) + timedelta(minutes=at), start,  # noqa: DTZ001 - naive rows
             start + timedelta(minutes=40 + at * 7 % 300), 50.0 + at * 13 % 700,
             at % 6 != 1, 0 if at % 7 else at % 13,
             ("Female Crew", "Male Crew", "Mixed Crew")[at // 3 % 3],
             ("Canceled Order", "Kept Order")[at % 5 > 0],
             f"{('fog', 'clear sky', 'gale')[at % 3]} {at % 80}", at % 3 + 1,
             at % 90 / 100, at * 3.5 % 90, at % 40)
        )  # fmt: skip
    return found


@pytest.fixture(scope="module")
def launches() -> Asked:
    return store_of("flown", COLUMNS, rows()), reader_of("flown", COLUMNS, rows())


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("how many missions failed?", "select count(*) from flown where not successful"),
        ("failure rate since 2020",
         ("select 100.0 * count_if(not successful) / count(*) from flown"
          " where start_date >= '2020-01-01'")),
        ("which operator had the most failures?",
         ("select operator from flown where not successful group by 1"
          " order by count(*) desc, 1 limit 1")),
        ("number of successful missions",
         "select count(*) from flown where successful"),
    ],
)  # fmt: skip
def test_what_failed_had_no_success(launches: Asked, question: str, right: str) -> None:
    answers_as(launches, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("first launch of Quay Co",
         "select * from flown where operator = 'Quay Co' order by start_date limit 1"),
        ("last failed mission",
         "select * from flown where not successful order by start_date desc limit 1"),
        ("cheapest launch of Mill Co",
         "select * from flown where operator = 'Mill Co' order by price, mission limit 1"),
        ("most expensive mission",
         "select * from flown order by price desc, mission limit 1"),
    ],
)  # fmt: skip
def test_a_word_that_names_nothing_may_be_what_a_row_is(
    launches: Asked, question: str, right: str
) -> None:
    answers_as(launches, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("cancellation rate by operator",
         ("select operator, 100.0 * count_if(flag = 'Canceled Order') / count(*) from flown"
          " group by 1")),
        ("which operator has the highest success?",
         ("select operator from flown group by 1"
          " order by count_if(successful) / count(*) desc, 1 limit 1")),
    ],
)  # fmt: skip
def test_a_rate_is_of_the_kind_with_its_root(launches: Asked, question: str, right: str) -> None:
    answers_as(launches, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("average duration by operator",
         ("select operator, avg(date_diff('second', start_date, end_date) / 3600) from flown"
          " group by 1")),
        ("longest trip",
         ("select * from flown order by date_diff('second', start_date, end_date) desc,"
          " mission limit 1")),
        ("trips that take more than 4 hours",
         "select * from flown where date_diff('second', start_date, end_date) / 3600 > 4"),
        ("launches per weekday",
         "select dayname(start_date), count(*) from flown group by 1"),
    ],
)  # fmt: skip
def test_of_three_dates_a_time_is_from_the_start_to_the_end(
    launches: Asked, question: str, right: str
) -> None:
    answers_as(launches, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("injuries by operator", "select operator, sum(injuries) from flown group by 1"),
        ("top 2 operators by injuries",
         ("select operator, sum(injuries) from flown group by 1 order by 2 desc, 1 limit 2")),
        ("day with the highest price",
         ("select date_trunc('day', start_date), avg(price) from flown group by 1"
          " order by 2 desc, 1 limit 1")),
        ("year with the most launches",
         "select year(start_date), count(*) from flown group by 1 order by 2 desc limit 1"),
        ("average transaction count", "select avg(trans_ct) from flown"),
        ("average win percent of Quay Co",
         "select avg(winpercent) from flown where operator = 'Quay Co'"),
        ("missions with a win percent above 0.8",
         "select mission from flown where winpercent > 0.8"),
        ("how many successful launches had female crews",
         "select count(*) from flown where successful and crew = 'Female Crew'"),
        ("how many launches were by women",
         "select count(*) from flown where crew = 'Female Crew'"),
        ("missions with gale in the notes",
         "select mission from flown where notes like '%gale%'"),
        ("missions whose notes mention fog",
         "select mission from flown where notes like '%fog%'"),
    ],
)  # fmt: skip
def test_names_and_kinds_are_read(launches: Asked, question: str, right: str) -> None:
    answers_as(launches, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "unread"),
    [
        ("how many missions exploded", '"exploded"'),
        ("scrub rate by operator", '"rate"'),
    ],
)
def test_what_a_count_goes_without_is_asked_back(
    launches: Asked, question: str, unread: str
) -> None:
    read = launches[1].read(question, TODAY)
    assert isinstance(read, NotUnderstood), read
    assert unread in read.sentence


def test_what_qualifies_a_number_is_not_added_up(launches: Asked) -> None:
    answers_as(launches, "how many seats are there?", "select count(*) from flown", TODAY)


@pytest.fixture(scope="module")
def calls() -> Asked:
    """Calls of a town's office, which a column tells the type of, with no word for departments."""
    columns = {
        "Call Type": "string", "Made At": "time", "Area": "string", "Women": "integer",
        "share_women": "float", "Accident at Work": "boolean", "Reporter": "string",
        "Stage": "string", "Type of Complaint": "string",
    }  # fmt: skip
    found = [
        (("Noise", "Water", "Lamps")[at % 3], datetime(2024, 1, 1) + timedelta(hours=at * 7),  # noqa: DTZ001
         ("North", "South")[at // 2 % 2], at * 3 % 400, at % 100 / 100, at % 4 == 0,
         f"Ann {at % 150}", ("Closing", "Closed", "Open")[at % 3], ("Late", "Loud")[at % 2])
        for at in range(400)
    ]  # fmt: skip
    return store_of("town", columns, found), reader_of("town", columns, found)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("calls by area", "select Area, count(*) from town group by 1"),
        ("calls per month",
         "select date_trunc('month', \"Made At\"), count(*) from town group by 1"),
        ("call types by area",
         'select Area, count(distinct "Call Type") from town group by 1'),
        ("which area has the most calls",
         "select Area from town group by 1 order by count(*) desc, 1 limit 1"),
        ("oldest call in North",
         "select * from town where Area = 'North' order by \"Made At\" limit 1"),
        ("how many calls were closed", "select count(*) from town where Stage = 'Closed'"),
        ("how many calls are closing", "select count(*) from town where Stage = 'Closing'"),
        ("complaints per area", "select Area, count(*) from town group by 1"),
        ("how many reporters are there", "select count(distinct Reporter) from town"),
        ("how many calls have more than 70% women",
         "select count(*) from town where share_women > 0.7"),
        ("how many reporters who work in North",
         "select count(distinct Reporter) from town where Area = 'North'"),
    ],
)  # fmt: skip
def test_rows_are_called_as_their_types_are(calls: Asked, question: str, right: str) -> None:
    answers_as(calls, question, right, TODAY)


def test_groups_that_no_column_tells_are_asked_back(calls: Asked) -> None:
    read = calls[1].read("top 3 departments by number of employees", TODAY)
    assert isinstance(read, NotUnderstood), read
    assert '"departments"' in read.sentence
