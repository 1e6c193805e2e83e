"""An intent about some rows only is refused by the words that tell of them."""

import pytest

from modelwright.engines.facts import ColumnFacts, ColumnType, Value
from modelwright.engines.language.rules.intents.intents import Target, Unclear, find_target


def column(
    name: str, kind: ColumnType = "integer", distinct: int = 90, *values: Value
) -> ColumnFacts:
    top = tuple((value, 100) for value in values or (1, 2))
    return ColumnFacts(name, kind, 1000, 0, distinct, top[0][0], top[-1][0], top)


JOURNEYS = [
    column("journey_id", "integer", 1000),
    column("age"),
    column("mode", "string", 4, "bus", "train", "car", "bike"),
    column("city", "string", 3, "Graz", "Lyon", "New Porto"),
    column("customer_type", "string", 3, "gold", "silver", "red card"),
    column("sex", "string", 2, "girl", "boy"),
    column("diabetic", "string", 2, "Yes", "No"),
    column("has_seat", "boolean", 2, False, True),
    column("is_holiday", "integer", 2, 0, 1),
    column("fare", "float", 800),
    column("travel_minutes"),
    column("complained", "string", 2, "Yes", "No"),
]


@pytest.mark.parametrize(
    ("intent", "told"),
    [
        ("predict age of travellers who complained", "of travellers who complained"),
        ("predict the fare of bus journeys", "of bus journeys"),
        ("predict the fare in Graz", "in Graz"),
        ("predict the fare of trips from New Porto", "of trips from New Porto"),
        ("predict the fare for gold customers", "for gold customers"),
        ("predict the travel minutes of boys", "of boys"),
        ("predict the fare of diabetic passengers", "of diabetic passengers"),
        ("predict the fare for travellers with a seat", "for travellers with a seat"),
        ("predict the fare on holidays", "on holidays"),
        ("predict the fare for those older than 30.", "for those older than 30"),
        (
            "predict the fare of people who do not need their seat",
            "of people who do not need their seat",
        ),
        ("predict the fare for travellers older than 65", "for travellers older than 65"),
        ("predict the fare among people with an age below 30", "among people with an age below 30"),
        ("predict the fare for travellers over 80", "for travellers over 80"),
        ("predict the fare by bus or train", "by bus or train"),
        ("predict the duration by bus or train", "by bus or train"),
        ("predict the fare for red card holders only", "for red card holders only"),
    ],
)
def test_it_is_refused_with_the_words(intent: str, told: str) -> None:
    found = find_target(intent, JOURNEYS)
    assert isinstance(found, Unclear), found
    assert f'"{told}"' in found.sentence
    assert "a model of some rows only" in found.sentence
    assert "Make a dataset of the rows" in found.sentence


@pytest.mark.parametrize(
    ("intent", "target"),
    [
        ("predict the fare of a journey", "fare"),
        ("predict the fare of a bus journey", "fare"),
        ("predict the fare of the gold customer", "fare"),
        ("predict the fare for each city", "fare"),
        ("predict the fare from mode, city and age", "fare"),
        ("predict the fare for girl or boy", "fare"),
        ("predict if the fare is above 100", "fare"),
        ("predict the fare of travellers", "fare"),
        ("bus or train?", "mode"),
        ("predict whether it is bus or train", "mode"),
        ("predict the mode of travellers", "mode"),
        ("will a traveller complain", "complained"),
        ("which travellers complain", "complained"),
        ("predict who complains", "complained"),
        ("tell girl from boy", "sex"),
    ],
)
def test_what_is_asked_of_all_or_of_one_is_planned(intent: str, target: str) -> None:
    found = find_target(intent, JOURNEYS)
    assert isinstance(found, Target), found
    assert found.column == target


def test_a_value_that_all_rows_have_is_none_of_some() -> None:
    columns = [one for one in JOURNEYS if one.name != "city"]
    columns.append(column("city", "string", 1, "Graz"))
    assert isinstance(find_target("predict the fare in Graz", columns), Target)


@pytest.mark.parametrize("told", ["new rows", "new records", "new data", "the other cases"])
def test_rows_that_come_are_no_value_of_the_same_root(told: str) -> None:
    columns = [
        column("length_min"),
        column("topic", "string", 4, "news", "rowing", "recording", "casing"),
    ]
    found = find_target(f"I want to predict length_min for {told}", columns)
    assert isinstance(found, Target)
    assert found.column == "length_min"
