"""Units that are said after a question: they are told, and stand in no value's place."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer
from modelwright.engines.language.conversation.follow_up import compile_follow_up

from .conftest import TODAY, Make
from .test_arbiter import decide

PIERS = """
    select i as pier_id, ['Ruritania', 'Elbonia', 'Freedonia'][1 + i % 3] as country,
    ['stone', 'timber'][1 + i % 2] as material, ['Ray Pound', 'Ida Holm'][1 + i // 2 % 2] as keeper,
    (10 + i * 7 % 120)::double as height_m, (5 + i % 40)::double as weight_kg,
    (30 + i * 11 % 300)::int as minutes, (100 + i * 3)::int as visitors
    from range(1, 121) t(i)"""
EARLIER = "average height in Ruritania"


@pytest.mark.parametrize(
    ("earlier", "said", "whole"),
    [
        (EARLIER, "in feet", f"{EARLIER} in feet"),
        (EARLIER, "and in feet?", f"{EARLIER} in feet"),
        (EARLIER, "in metres please", f"{EARLIER} in metres"),
        (EARLIER, "what is that in centimetres?", f"{EARLIER} in centimetres"),
        (EARLIER, "convert to yards", f"{EARLIER} in yards"),
        (EARLIER, "feet please", f"{EARLIER} in feet"),
        (EARLIER, "and in feet for Elbonia?", "average height in Elbonia in feet"),
        (EARLIER, "by keeper in feet", f"{EARLIER} by keeper in feet"),
        ("average height in feet in Elbonia", "in metres", "average height in metres in Elbonia"),
        ("average height in feet", "in Sylvania", None),
        ("total minutes of Ray Pound", "in hours", "total minutes of Ray Pound in hours"),
        ("total minutes by country, top 2", "in hours", "total minutes by country in hours, top 2"),
        ("average weight of timber piers", "in pounds", "average weight of timber piers in pounds"),
        ("average weight of timber piers", "in stone", "average weight of stone piers"),
        (EARLIER, "in kilograms", None),
        (EARLIER, "in thousands", None),
        (EARLIER, "in euros", None),
        (EARLIER, "in fahrenheit", None),
        ("total visitors in Elbonia", "in hours", None),
    ],
)
def test_a_unit_is_no_value(make: Make, earlier: str, said: str, whole: str | None) -> None:
    linker = make({"piers": PIERS}).linker
    assert compile_follow_up(earlier, said, linker, TODAY) == whole


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("total hectares in acres", "select sum(hectares) / 0.40468564224 from meadows"),
        ("total miles in km", "select sum(miles) * 1.609344 from meadows"),
        ("total hectares in hectares", "select sum(hectares) from meadows"),
    ],
)
def test_a_column_that_is_called_as_its_unit_is_converted(
    make: Make, question: str, sql: str
) -> None:
    data = make({
        "meadows": """
            select i as meadow_id, (1 + i % 30)::double as hectares, (2 + i % 9)::double as miles
            from range(1, 121) t(i)"""
    })  # fmt: skip
    decision = decide(data, question)
    assert isinstance(decision, Answer)
    ((told,),), ((right,),) = data.run(decision.reading.best.sql).rows, data.run(sql).rows
    assert told == pytest.approx(right)
