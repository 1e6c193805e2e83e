"""Things that are counted, ranked and compared by what rows of other tables tell of them."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices, Refused
from modelwright.engines.language.arbiter.results import same_result

from .conftest import Data, Make
from .test_deeds_and_things import decided

GARDENS = {
    "plants": """
        select i as plant_id, 'Plant ' || i as name, ['rose', 'fern', 'iris'][1 + i % 3] as kind,
        (3 + i % 7)::double as list_price from range(1, 61) t(i)""",
    "growers": """
        select i as grower_id, 'Grower ' || i as name, ['Oslo', 'Rome'][1 + i % 2] as town
        from range(1, 13) t(i)""",
    "plant_growers": """
        select distinct 1 + i * 7 % 60 as plant_id, 1 + i // 7 % 12 as grower_id
        from range(200) t(i)""",
    "deliveries": """
        select i as delivery_id, 1 + i * i % 53 as plant_id, (1 + i * 37 % 19)::int as units_sold,
        (5 + i * 13 % 97)::double as proceeds, date '2025-01-01' + (i * 2)::int as delivered_on,
        1 + i % 4 as from_shed_id, 1 + i * 3 % 4 as to_shed_id from range(1, 301) t(i)""",
    "sheds": """
        select i as shed_id, 'Shed ' || i as shed from range(1, 5) t(i)""",
}


@pytest.fixture
def gardens(make: Make) -> Data:
    return make(GARDENS)


SOLD = "from plants p join deliveries d using (plant_id)"
GROWN = "from plants p join plant_growers using (plant_id) join growers g using (grower_id)"


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        (
            "plants with more than 6 deliveries",
            f"select p.name {SOLD} group by p.plant_id, 1 having count(*) > 6",
        ),
        (
            "how many plants have more than 6 deliveries",
            f"select count(*) from (select plant_id {SOLD} group by 1 having count(*) > 6)",
        ),
        (
            "plants with more deliveries than average",
            f"""with n as (select p.name, count(*) as n {SOLD} group by p.plant_id, 1)
            select name from n where n > (select avg(n) from n)""",
        ),
        (
            "plants that received fewer deliveries than the average plant",
            f"""with n as (select p.name, count(*) as n {SOLD} group by p.plant_id, 1)
            select name from n where n < (select avg(n) from n)""",
        ),
        (
            "plants with more than 2 growers",
            f"select p.name {GROWN} group by plant_id, 1 having count(distinct grower_id) > 2",
        ),
        (
            "list all plants with more than 2 growers",
            f"select p.name {GROWN} group by plant_id, 1 having count(distinct grower_id) > 2",
        ),
        (
            "how many growers have more than 8 plants",
            f"""select count(*) from (select grower_id {GROWN} group by 1
            having count(distinct plant_id) > 8)""",
        ),
        (
            "best selling 4 plants",
            f"select p.name {SOLD} group by p.plant_id, 1 order by sum(units_sold) desc, 1 limit 4",
        ),
        (
            "the 3 worst selling plants",
            f"select p.name {SOLD} group by p.plant_id, 1 order by sum(units_sold), 1 limit 3",
        ),
    ],
)
def test_it_is_read_first(gardens: Data, question: str, sql: str) -> None:
    decision = decided(gardens, question)
    assert isinstance(decision, Answer | Choices)
    first = decision.reading if isinstance(decision, Answer) else decision.readings[0]
    assert same_result(first.result, gardens.run(sql)), first.best.sql


@pytest.mark.parametrize(
    "question",
    ["which shed gets the most parcels", "which plant is delivered more often than its id"],
)
def test_nothing_is_ranked_by_keys(gardens: Data, question: str) -> None:
    decision = decided(gardens, question)
    offered = decision.readings if isinstance(decision, Choices) else ()
    assert isinstance(decision, Choices | Refused)
    told = [one.best.sql.partition("ORDER BY")[2] for one in offered]
    assert not any("shed_id" in one.partition(",")[0] for one in told)
