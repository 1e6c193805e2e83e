"""A name that is one of the rows that are counted, and one of what they belong to."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices

from .conftest import Make
from .test_arbiter import decide

TABLES = {
    "kitchens": """
        select i as kitchen_id, ['Saffron', 'Ember', 'Tidewater', 'Juniper'][i] as title
        from range(1, 5) t(i)""",
    "dishes": """
        select i as dish_id, 1 + i % 4 as kitchen_id, case when i = 40 then 'Saffron'
        when i = 50 then 'Nettle' else 'Dish ' || i end as title,
        ['vegan', 'meat'][1 + i // 4 % 2] as diet from range(1, 121) t(i)""",
}
"""Dish 40, of the second kitchen, is called as the first kitchen is."""


def test_what_counted_rows_belong_to_is_asked_where_both_are_called_so(make: Make) -> None:
    decision = decide(make(TABLES), "how many vegan dishes does Saffron have")
    assert isinstance(decision, Choices)


EMBER = (
    "select count(*) from dishes join kitchens using (kitchen_id) where kitchens.title = 'Ember'"
)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how many vegan dishes does Ember have", f"{EMBER} and diet = 'vegan'"),  # a kitchen only
        ("how many dishes are called Nettle", "select count(*) from dishes where title = 'Nettle'"),
        ("how many dishes are called Saffron", "select count(*) from dishes where dish_id = 40"),
    ],
)
def test_what_calls_one_of_them_is_answered(make: Make, question: str, sql: str) -> None:
    data = make(TABLES)
    decision = decide(data, question)
    assert isinstance(decision, Answer)
    assert data.run(decision.reading.best.sql).rows == data.run(sql).rows
