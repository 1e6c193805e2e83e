"""Intents find columns whose names are words cut short."""

import pytest

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.intents.abbreviated import abbreviated
from modelwright.engines.language.rules.intents.intents import Target, find_target


def columns(*names: str) -> list[ColumnFacts]:
    return [ColumnFacts(one, "float", 1000, 0, 900, 0.0, 99.5, ()) for one in names]


TABLE = columns("lotsz", "recroom", "HtRate", "wtkg", "bldpres", "age")


@pytest.mark.parametrize(
    ("intent", "name"),
    [
        ("estimate the heart rate", "HtRate"),
        ("is there a recreation room", "recroom"),
        ("how high is the blood pressure", "bldpres"),
        ("lot size of the house", "lotsz"),
        ("size of the lot", "lotsz"),
    ],
)
def test_words_cut_short_are_found(intent: str, name: str) -> None:
    found = abbreviated(intent, TABLE)
    assert found is not None
    assert found.name == name


def test_an_intent_is_planned_by_them() -> None:
    target = find_target("is there a recreation room", TABLE)
    assert isinstance(target, Target)
    assert target.column == "recroom"


@pytest.mark.parametrize(
    "intent", ["predict the age", "how tall", "the room", "rate of hearts", ""]
)
def test_other_words_find_none(intent: str) -> None:
    assert abbreviated(intent, TABLE) is None


def test_two_that_fit_are_none() -> None:
    assert abbreviated("the heart rate", columns("HtRate", "HeaRat")) is None
