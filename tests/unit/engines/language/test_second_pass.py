"""Measures of columns called by their very names are answered, whatever else sounds alike."""

from datetime import date

import pytest
from tests.questions.intents import facts

from modelwright.engines.language.rules.answering.questions import Answerable, TableFacts, read

COLUMNS = [
    {"name": "PassengerId", "type": "integer", "distinct": 900},
    {"name": "Pclass", "type": "integer", "distinct": 3},
    {"name": "Survived", "type": "integer", "distinct": 2, "values": ["0", "1"]},
    {"name": "Rainfall", "type": "float", "distinct": 400},
    {"name": "MaxTemp", "type": "float", "distinct": 300},
    {"name": "RainTomorrow", "type": "string", "distinct": 2, "values": ["Yes", "No"]},
    {"name": "Daily Internet Usage", "type": "float", "distinct": 800},
    {"name": "Timestamp", "type": "date", "distinct": 900},
    {"name": "avg_sugar", "type": "float", "distinct": 300},
    {"name": "Plan", "type": "string", "distinct": 2, "values": ["One year", "Two years"]},
    {"name": "Priority", "type": "string", "distinct": 2, "values": ["High", "Low"]},
]
TABLES = [TableFacts("trips", tuple(facts(one, 900) for one in COLUMNS))]


def sql(question: str) -> str:
    found = read(question, TABLES, date(2026, 11, 22))
    assert isinstance(found, Answerable), found
    return found.sql


@pytest.mark.parametrize(
    ("question", "measure"),
    [
        ("What is the average Survived?", 'AVG("Survived")'),
        ("maximum PassengerId", 'MAX("PassengerId")'),
        ("What is the maximum of rainfall?", 'MAX("Rainfall")'),
        ("total Daily Internet Usage", 'SUM("Daily Internet Usage")'),
        ("how many distinct Rainfall are there?", 'COUNT(DISTINCT "Rainfall")'),
    ],
)
def test_are_what_is_computed_of_all_rows(question: str, measure: str):
    assert measure in sql(question)
    assert "WHERE" not in sql(question)


def test_leave_groups_and_what_is_read_already_as_they_are():
    grouped = sql("average Survived by Pclass")
    assert 'AVG("Survived")' in grouped
    assert 'GROUP BY "Pclass"' in grouped
    assert "COUNT" not in sql("what are the different Pclass?")


@pytest.mark.parametrize(
    ("question", "test"),
    [
        ("How many rows have MaxTemp above 150?", '"MaxTemp" > 150'),
        ("How many rows have avg_sugar above 150?", '"avg_sugar" > 150'),
        ("how many with MaxTemp = 50", '"MaxTemp" = 50'),
        ("how many rows where MaxTemp != 3", '"MaxTemp" <> 3'),
        (
            "average Rainfall where Daily Internet Usage is over 1000",
            '"Daily Internet Usage" > 1000',
        ),
        ("rows where Priority is not low", "\"Priority\" <> 'Low'"),
        ("How many rows have Plan One year?", "\"Plan\" = 'One year'"),
        ("how many with Plan = 'Two years'", "\"Plan\" = 'Two years'"),
        ("rows where maxtemp is between 200 and 300", '"MaxTemp" BETWEEN 200 AND 300'),
    ],
)
def test_comparisons_hold_whatever_values_there_are(question: str, test: str):
    assert test in sql(question)


def test_a_number_beside_a_name_is_no_comparison_by_itself():
    assert "WHERE" not in sql("total Rainfall over 12 months")
    assert "> 3" in sql("Priority with an average MaxTemp above 3").partition("HAVING")[2]


def test_the_highest_are_not_those_that_are_high():
    assert "WHERE" not in sql("Priority with the highest MaxTemp")
