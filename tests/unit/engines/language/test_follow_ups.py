"""Questions that go on from an earlier one: each is read by itself, so they are refused."""

from datetime import date

import pytest
from tests.unit.engines.language.tables import reader_of

from modelwright.engines.language.rules.answering.follow_ups import FOLLOWS, UNTOLD
from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader

TODAY = date(2026, 11, 25)
COLUMNS = {"race": "string", "club": "string", "run_on": "date", "minutes": "integer"}
ROWS = [
    (("Marathon", "Relay")[at % 2], ("Comets", "Hares", "Otters")[at % 3],
     date(2024 + at % 3, 5, 1), 30 + at % 90)
    for at in range(240)
]  # fmt: skip


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of("results", COLUMNS, ROWS)


@pytest.mark.parametrize(
    "question",
    [
        "and by club?",
        "only in 2025",
        "the same for Hares",
        "why?",
        "Sort that by minutes",
        "top 3 of those",
        "how many of them are there?",
        "which of these is the fastest?",
        "what about the Relay?",
        "now by month",
        "and which of these is the fastest?",
        "now show it by club",
        "break it down by club",
        "group by club instead",
        "the previous question but by club",
        "by club?",
        "in 2025?",
        "without the Relay",
        "for Hares only",
        "compared to last year",
        "in descending order",
    ],
)
def test_are_refused(reader: Reader, question: str) -> None:
    found = reader.read(question, TODAY)
    assert isinstance(found, NotUnderstood), found.sql
    assert found.sentence == FOLLOWS
    assert found.suggestions


@pytest.mark.parametrize(
    "question",
    [
        "Results of those clubs that are called Hares",
        "In 2025, how many results were there by club?",
        "By club, what is the average number of minutes?",
        "without the Relay, average minutes by club",
        "Only show results from 2025",
        "which club had the lowest minutes in the same race, Relay",
        "minutes by club",
        "in which race did the Hares have the lowest minutes?",
        "And how many results are there by club?",
        "now show the average minutes by club",
        "but which club had the lowest minutes?",
        "minutes of the last results of the Hares",
    ],
)
def test_whole_questions_are_not_taken_for_them(reader: Reader, question: str) -> None:
    found = reader.read(question, TODAY)
    assert isinstance(found, Answerable) or found.sentence != FOLLOWS


def test_reasons_are_asked_of_no_table_that_holds_none(reader: Reader) -> None:
    found = reader.read("why did the minutes of the Hares fall in 2025?", TODAY)
    assert isinstance(found, NotUnderstood), found.sql
    assert found.sentence == UNTOLD
