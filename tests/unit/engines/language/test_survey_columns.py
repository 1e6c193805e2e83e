"""Questions of a survey whose columns are the questions that were asked."""

import random
from datetime import date, datetime, timedelta

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, reader_of, store_of

from modelwright.engines.language.rules.answering.questions import NotUnderstood, Reader

TODAY = date(2026, 11, 25)
Asked = tuple[duckdb.DuckDBPyConnection, Reader]
SCORE = "How likely are you to recommend the course to a friend?"
SESSIONS = "How many sessions did you attend?"
ROOM = "How satisfied are you with the room?"


@pytest.fixture(scope="module")
def survey() -> Asked:
    chance = random.Random(31)
    columns = {
        "Submitted at": "time", "Ticket type": "string", ROOM: "string", SCORE: "integer",
        SESSIONS: "integer", "Will you come again next year?": "string",
    }  # fmt: skip
    rows = [
        (datetime(2026, 9, 1) + timedelta(minutes=50 * at),  # noqa: DTZ001
         chance.choice(["Early bird", "Regular"]),
         chance.choice(["Satisfied", "Neutral", "Dissatisfied"]), chance.randint(0, 10),
         chance.randint(1, 14), chance.choice(["Yes", "No"])) for at in range(300)
    ]  # fmt: skip
    return store_of("feedback", columns, rows), reader_of("feedback", columns, rows)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("average likelihood to recommend", f'select avg("{SCORE}") from feedback'),
        ("average number of sessions attended", f'select avg("{SESSIONS}") from feedback'),
        ("ticket type breakdown", 'select "Ticket type", count(*) from feedback group by 1'),
        ("satisfaction with room by ticket type",
         f'select "Ticket type", "{ROOM}", count(*) from feedback group by 1, 2'),
        ("average sessions by room satisfaction",
         f'select "{ROOM}", avg("{SESSIONS}") from feedback group by 1'),
    ],
)  # fmt: skip
def test_survey(survey: Asked, question: str, right: str) -> None:
    answers_as(survey, question, right, TODAY)


def test_a_time_within_a_name_tests_no_date(survey: Asked) -> None:
    read = survey[1].read("% coming again next year by ticket type", TODAY)
    assert isinstance(read, NotUnderstood), read
    assert "coming" in read.sentence
