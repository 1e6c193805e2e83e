"""Titles that are kinds, names that are parts of longer ones, and the head of two names."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer

from .conftest import Data, Make
from .test_arbiter import decide

TOURS = {
    "guides": """
        select i as guide_id, 'Guide ' || i as guide_name,
        ['Junior', 'Senior', 'Chief'][1 + i % 3] as title, (90 + i * 7 % 60)::double as daily_rate
        from range(1, 25) t(i)""",
    "routes": """
        select i as route_id, ['Dunes', 'Fjord', 'Gorge', 'Heath', 'Marsh'][i] as route,
        ['coast', 'inland'][1 + i % 2] as landscape from range(1, 6) t(i)""",
    "tours": """
        select i as tour_id, 1 + i * 5 % 24 as guide_id, 1 + i * 3 % 5 as route_id,
        (2 + i * 11 % 17)::int as guests, (1 + i % 6)::int as days, (20 + i % 9)::double as rate,
        date '2024-01-01' + i::int as led_on, ['yes', 'no'][1 + i % 4 // 3] as private
        from range(1, 301) t(i)""",
}
GUIDES = "tours join guides using (guide_id)"
ROUTES = "tours join routes using (route_id)"


@pytest.fixture(scope="module")
def tours(make: Make) -> Data:
    return make(TOURS)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("total guests by title", f"select title, sum(guests) from {GUIDES} group by 1"),
        (
            "total guests of private tours per guide in 2024",
            (
                f"select guide_name, sum(guests) from {GUIDES} where private = 'yes'"
                " and year(led_on) = 2024 group by 1"
            ),
        ),
        (
            "what share of the guests is private for each title",
            (
                "select title, 100.0 * sum(guests) filter (where private = 'yes') / sum(guests)"
                f" from {GUIDES} group by 1"
            ),
        ),
        ("average daily rate by title", "select title, avg(daily_rate) from guides group by 1"),
        ("average rate by title", f"select title, avg(rate) from {GUIDES} group by 1"),
        (
            "total guests by route landscape",
            f"select landscape, sum(guests) from {ROUTES} group by 1",
        ),
        ("total guests by route", f"select route, sum(guests) from {ROUTES} group by 1"),
    ],
)
def test_are_told_from_what_names_the_rows(tours: Data, question: str, sql: str) -> None:
    decision = decide(tours, question)
    assert isinstance(decision, Answer), decision
    wanted = sorted(map(tuple, tours.run(sql).rows))
    assert sorted(map(tuple, decision.reading.result.rows)) == wanted
