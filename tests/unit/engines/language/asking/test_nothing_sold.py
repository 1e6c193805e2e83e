"""What costs, is sold or bought, where no table tells of money or of sales."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer

from .conftest import Make
from .test_arbiter import decide

TABLES = {
    "wells": """
        select 'Well ' || i as name, ['north', 'south'][1 + i % 2] as county,
        (1900 + i)::int as year_drilled, (20 + i * 7 % 90)::int as depth_m
        from range(1, 81) t(i)""",
    "hatchings": """
        select i as batch_id, ['Ada', 'Bo', 'Cy'][1 + i % 3] as breeder,
        (5 + i * 7 % 30)::int as chicks, (3 + i * 11 % 20)::double as feed_cost
        from range(1, 81) t(i)""",
    "sales": """
        select i as sale_id, ['Ada', 'Bo', 'Cy'][1 + i % 3] as seller,
        (5 + i * 7 % 30)::int as chicks, (3 + i * 11 % 20)::double as price
        from range(1, 81) t(i)""",
}


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("wells", "what did it cost to drill Well 7"),
        ("wells", "how much did Well 7 cost"),
        ("hatchings", "how many chicks were sold"),
        ("hatchings", "who sold the most chicks"),
        ("hatchings", "how many chicks were bought"),
    ],
)
def test_is_not_answered(make: Make, table: str, question: str) -> None:
    decision = decide(make({table: TABLES[table]}), question)
    assert not isinstance(decision, Answer), decision.reading.best.sql


def test_sales_are(make: Make) -> None:
    data = make({"sales": TABLES["sales"]})
    decision = decide(data, "how many chicks were sold")
    assert isinstance(decision, Answer)
    assert decision.reading.result.rows == data.run("select sum(chicks) from sales").rows


def test_a_cost_is_told_by_its_column(make: Make) -> None:
    decision = decide(make({"hatchings": TABLES["hatchings"]}), "what did batch 7 cost")
    read = decision.reading.best.sql if isinstance(decision, Answer) else "feed_cost"
    assert "feed_cost" in read
