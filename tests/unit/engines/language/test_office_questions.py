"""Questions as analysts of an office ask them: amounts, periods, states, and what isn't there."""

from datetime import date
from typing import Any

import duckdb
import pytest
from tests.questions.question_sets import same
from tests.unit.engines.language.tables import reader_of, store_of

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader

TODAY = date(2024, 11, 20)
COLUMNS = {
    "case_id": "integer", "opened_on": "date", "resolved_on": "date", "agent": "string",
    "topic": "string", "channel": "string", "revenue": "float", "unit_cost": "float",
    "stock": "integer", "reorder_level": "integer", "quantity": "integer", "no_show": "string",
}  # fmt: skip
ROWS: list[tuple[Any, ...]] = [
    (
        100 + at,
        date(2023 + at % 2, 1 + at % 12, 1 + at % 28),
        None if at % 5 == 0 else date(2024, 11, 1),
        ("Nadia", "Viktor", "Soren")[(at * at) % 3],
        ("Login", "Billing", "Refund")[at % 3],
        ("Email", "Chat", "Phone")[at // 3 % 3],
        10.5 * at + 3,
        1.25 * (at % 7),
        at % 9,
        at % 4 + 2,
        at % 6 + 1,
        "Yes" if at % 4 == 0 else "No",
    )
    for at in range(72)
]


@pytest.fixture(scope="module")
def store() -> duckdb.DuckDBPyConnection:
    return store_of("cases", COLUMNS, ROWS)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of("cases", COLUMNS, ROWS)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("revenue per month in 2024",
         ("select date_trunc('month', opened_on), sum(revenue) from cases"
          " where year(opened_on) = 2024 group by 1")),
        ("share of revenue by channel",
         ("select channel, 100.0 * sum(revenue) / (select sum(revenue) from cases) from cases"
          " group by 1")),
        ("what percentage of revenue came from Chat?",
         "select 100.0 * sum(revenue) filter (channel = 'Chat') / sum(revenue) from cases"),
        ("share of refund cases in the phone channel",
         ("select 100.0 * count_if(topic = 'Refund') / count(*) from cases"
          " where channel = 'Phone'")),
        ("who is our best agent?",
         "select agent from cases group by 1 order by sum(revenue) desc limit 1"),
        ("who is our busiest agent?",
         "select agent from cases group by 1 order by count(*) desc limit 1"),
        ("how many cases are still open?", "select count(*) from cases where resolved_on is null"),
        ("how many unresolved cases are there?",
         "select count(*) from cases where resolved_on is null"),
        ("cases opened last quarter by topic",
         ("select topic, count(*) from cases where opened_on >= '2024-07-01'"
          " and opened_on < '2024-10-01' group by 1")),
        ("how many billing or refund cases came in via chat?",
         "select count(*) from cases where topic in ('Billing', 'Refund') and channel = 'Chat'"),
        ("how does revenue differ between email and phone?",
         "select channel, sum(revenue) from cases where channel in ('Email', 'Phone') group by 1"),
        ("breakdown of topics", "select topic, count(*) from cases group by 1"),
        ("case numbers with stock below the reorder level",
         "select case_id from cases where stock < reorder_level"),
        ("revenue range by topic",
         "select topic, min(revenue), max(revenue) from cases group by 1"),
        ("yoy growth in revenue",
         ("select year(opened_on), 100.0 * (sum(revenue)"
          " / lag(sum(revenue)) over (order by year(opened_on)) - 1) from cases group by 1")),
        ("no show rate per agent",
         "select agent, 100.0 * count_if(no_show = 'Yes') / count(*) from cases group by 1"),
        ("revenue in March vs April 2024",
         ("select date_trunc('month', opened_on), sum(revenue) from cases"
          " where opened_on >= '2024-03-01' and opened_on < '2024-05-01' group by 1")),
        ("3 most expensive cases by unit cost",
         "select unit_cost from cases order by unit_cost desc limit 3"),
        ("which month had the highest total revenue",
         ("select date_trunc('month', opened_on), sum(revenue) from cases"
          " group by 1 order by 2 desc limit 1")),
        ("which month had the lowest average unit cost",
         ("select date_trunc('month', opened_on), avg(unit_cost) from cases"
          " group by 1 order by 2 limit 1")),
        ("unit cost by topic", "select topic, avg(unit_cost) from cases group by 1"),
    ],
)  # fmt: skip
def test_office_words_give_what_is_meant(
    store: duckdb.DuckDBPyConnection, reader: Reader, question: str, gold: str
):
    answer = reader.read(question, TODAY)
    assert isinstance(answer, Answerable), answer
    told = store.execute(answer.sql).fetchall()
    assert same(store.execute(gold).fetchall(), told, wider=True), answer.sql


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("average revenue by mood", "mood"),
        ("how many cases are from narnia?", "narnia"),
        ("how many purple cases are there by topic?", "purple"),
        ("running total of revenue", "running total"),
        ("which cases are below their reorder level?", "below their reorder level"),
    ],
)
def test_what_was_not_read_and_changes_the_answer_is_refused(
    reader: Reader, question: str, named: str
):
    answer = reader.read(question, TODAY)
    assert isinstance(answer, NotUnderstood), answer
    assert f'"{named}"' in answer.sentence
    assert all(isinstance(reader.read(one, TODAY), Answerable) for one in answer.suggestions)


def test_words_that_were_left_out_are_told(reader: Reader):
    answer = reader.read("revenue of purple cases by topic", TODAY)
    assert isinstance(answer, Answerable)
    assert answer.interpretation.endswith('Not used: "purple".')
