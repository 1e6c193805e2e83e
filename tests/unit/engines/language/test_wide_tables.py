"""Long questions on wide tables: read in steps that grow with the words, and stopped on request."""

import random
import sys
from itertools import count
from time import perf_counter
from types import FrameType

import pytest
from tests.questions.question_sets import counted
from tests.unit.engines.language.test_any_question import TODAY

from modelwright.engines.language.rules.answering.questions import Reader, TooLong
from modelwright.engines.language.rules.columns.schema import TableFacts
from modelwright.engines.language.rules.text.numbers import compared_numbers

PARTS = ("net", "gross", "first", "last", "north", "south", "inner", "outer", "raw", "peak")
KINDS = ("price", "cost", "weight", "height", "speed", "volume", "length", "depth", "power", "rate")
JOINING = ("by", "and", "per", "over 5", "with", "for each")
FEW, MANY = 50, 200
"""Words of a short question and of a long one."""
COLUMNS, MOST_STEPS = 600, 35


@pytest.fixture(scope="module")
def reader() -> Reader:
    chance = random.Random(1)
    columns = tuple(
        counted(
            f"{chance.choice(PARTS)} {chance.choice(KINDS)} {at}",
            "float" if at % 3 else "string",
            [chance.random() * 100 if at % 3 else chance.choice(PARTS) for _ in range(60)],
        )
        for at in range(COLUMNS)
    )
    return Reader([TableFacts("readings", columns)])


def question(words: int) -> str:
    chance = random.Random(2)
    said: list[str] = []
    while len(said) < words:
        about = f"{chance.choice(PARTS)} {chance.choice(KINDS)} {chance.choice(JOINING)}"
        said += f"the average {about}".split()
    return " ".join(said[:words])


def calls(reader: Reader, words: int) -> int:
    """Counts the calls of functions, and the steps of generators, that a reading takes."""
    seen = 0

    def see(_frame: FrameType, event: str, _told: object) -> None:
        nonlocal seen
        seen += event == "call"

    sys.setprofile(see)
    try:
        reader.read(question(words), TODAY)
    finally:
        sys.setprofile(None)
    return seen


def test_a_word_takes_no_more_than_so_many_steps_a_column(reader: Reader):
    reader.read(question(FEW), TODAY)
    for words in (FEW, MANY):
        assert calls(reader, words) < MOST_STEPS * words * COLUMNS


@pytest.mark.parametrize("steps", [1, 100, 2000])
def test_a_reading_stops_where_it_is_told_to(reader: Reader, steps: int):
    asked = count(1)
    with pytest.raises(TooLong):
        reader.read(question(MANY), TODAY, lambda: next(asked) >= steps)
    assert next(asked) == steps + 1


def test_a_reading_stops_soon_after_its_time(reader: Reader):
    reader.read(question(FEW), TODAY)
    until = perf_counter() + 0.02
    with pytest.raises(TooLong):
        reader.read(question(MANY), TODAY, lambda: perf_counter() > until)


def test_a_stop_leaves_nothing_behind(reader: Reader):
    before = reader.read(question(FEW), TODAY)
    with pytest.raises(TooLong):
        reader.read(question(FEW), TODAY, lambda: True)
    assert reader.read(question(FEW), TODAY) == before


def test_a_number_of_many_digits_is_read_at_once():
    (found,) = compared_numbers("9" * 300)
    assert found.number == float("9" * 300)
    begun = perf_counter()
    compared_numbers("rows with " + "1" * 1900)
    assert perf_counter() - begun < 5


@pytest.mark.parametrize(
    ("said", "number"),
    [("5-10 or more", -10.0), ("12,500 or more", 12500.0)],
)
def test_a_number_is_read_from_its_first_digit(said: str, number: float):
    assert [one.number for one in compared_numbers(said) if one.op == ">="] == [number]
