"""Two figures that a question puts together: added, divided, or asked back."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices, Refused
from modelwright.engines.language.rules.mentions.units import adds_to

from .conftest import Data, Make
from .test_arbiter import decide

TABLES = {
    "pays": """
        select i as worker_id, ['Works', 'Office'][1 + i % 2] as dept,
        (1000 + i * 7)::int as base_pay,
        case when i % 5 = 0 then null else (i * 13 % 90)::int end as bonus
        from range(1, 121) t(i)""",
    "lessons": """
        select i as lesson_id, ['math', 'piano'][1 + i % 2] as subject,
        [1.0, 1.5, 2.0][1 + i % 3]::double as hours, (20 + i * 7 % 60)::int as price
        from range(1, 121) t(i)""",
    "parties": """
        select i as party_id, ['Oak', 'Elm'][1 + i % 2] as hall,
        case when i % 3 > 0 then (20 + i * 7 % 60)::int end as catering,
        case when i % 4 > 0 then (2 + i * 5 % 11)::int end as tip_amount,
        case when i % 7 > 0 then (300 + i * 13 % 500)::int end as price,
        [0, 50, 100][1 + i % 3] as deposit, (i % 9)::int as discount_pct
        from range(1, 121) t(i)""",
    "plots": """
        select i as plot_id, ['rye', 'oat'][1 + i % 2] as crop, (1 + i * 7 % 30)::double as area_ha,
        (3 + i * 11 % 90)::double as yield_t, (100 + i * 3)::double as price_eur
        from range(1, 121) t(i)""",
}


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("pays", "total pay including bonus",
         "select sum(base_pay) + sum(bonus) from pays"),
        ("pays", "total base pay plus bonus by dept",
         "select dept, sum(base_pay) + sum(bonus) from pays group by 1"),
        ("lessons", "average price per hour by subject",
         "select subject, avg(price / hours) from lessons group by 1"),
        ("lessons", "average price per hour", "select sum(price) / sum(hours) from lessons"),
        ("plots", "average yield per hectare by crop",
         "select crop, sum(yield_t) / sum(area_ha) from plots group by 1"),
        ("plots", "average price per square meter",
         "select avg(price_eur / area_ha) / 1e4 from plots"),
    ],
)  # fmt: skip
def test_where_it_can_be_meant_in_two_ways_both_are_offered(
    make: Make, table: str, question: str, sql: str
) -> None:
    data = make({table: TABLES[table]})
    decision = decide(data, question)
    assert isinstance(decision, Choices)
    assert told(data, sql) in [told(data, one.best.sql) for one in decision.readings]


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("lessons", "price per hour by subject",
         "select subject, sum(price) / sum(hours) from lessons group by 1"),
        ("plots", "price per acre",
         "select sum(price_eur) / (sum(area_ha) * 2.471053814671653) from plots"),
    ],
)  # fmt: skip
def test_one_over_the_other(make: Make, table: str, question: str, sql: str) -> None:
    data = make({table: TABLES[table]})
    decision = decide(data, question)
    assert isinstance(decision, Answer)
    assert told(data, decision.reading.best.sql) == told(data, sql)


@pytest.mark.parametrize("question", ["total pay and bonus", "average pay and bonus by dept"])
def test_one_of_both_is_only_offered(make: Make, question: str) -> None:
    decision = decide(make({"pays": TABLES["pays"]}), question)
    assert isinstance(decision, Choices)
    assert "“pay”" in decision.why


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("total catering including tip amount",
         "select sum(coalesce(catering, 0) + coalesce(tip_amount, 0)) from parties"),
        ("total tip amount plus catering by hall",
         "select hall, sum(ifnull(catering, 0) + ifnull(tip_amount, 0)) from parties group by 1"),
        ("average catering including tip amount",
         "select avg(catering + coalesce(tip_amount, 0)) from parties"),
        ("total price including deposit",
         "select sum(coalesce(price, 0) + coalesce(deposit, 0)) from parties"),
    ],
)  # fmt: skip
def test_rows_that_have_only_one_of_both_are_in_a_total(
    make: Make, question: str, sql: str
) -> None:
    data = make({"parties": TABLES["parties"]})
    decision = decide(data, question)
    assert isinstance(decision, Choices)
    assert told(data, decision.readings[0].best.sql) == told(data, sql)


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("plots", "total area plus yield"),
        ("plots", "total price including yield by crop"),
        ("parties", "total price plus discount pct"),
    ],
)
def test_figures_in_other_units_are_never_added(make: Make, table: str, question: str) -> None:
    decision = decide(make({table: TABLES[table]}), question)
    assert isinstance(decision, Refused)


@pytest.mark.parametrize(
    ("name", "other", "expected"),
    [
        ("length_ft", "weight_tons", False),
        ("way_km", "walk_miles", False),
        ("fee_eur", "toll_usd", False),
        ("fee_eur", "toll_euro", True),
        ("price", "discount_pct", False),
        ("tips", "weight_kg", False),
        ("price", "deposit", True),
        ("home_goals", "away_goals", True),
        ("paid_hours", "free_hours", True),
    ],
)
def test_amounts_of_one_unit_add_up(name: str, other: str, expected: bool) -> None:
    assert (adds_to(name, other), adds_to(other, name)) == (expected, expected)


def told(data: Data, sql: str) -> list[tuple[object, ...]]:
    return sorted(
        tuple(round(one, 6) if isinstance(one, float) else one for one in row)
        for row in data.run(sql).rows
    )


@pytest.mark.parametrize("question", ["average insurance value", "total freight charge"])
def test_a_figure_that_is_not_called_so_is_no_answer(make: Make, question: str) -> None:
    select = "select i as parcel_no, (3 + i * 7 % 60)::double as fee_usd from range(1, 121) t(i)"
    assert not isinstance(decide(make({"parcels": select}), question), Answer)


@pytest.mark.parametrize(
    "question", ["correlation between runs and fee", "correlation between fee and runs"]
)
def test_a_figure_that_shares_its_word_with_another_is_told(make: Make, question: str) -> None:
    select = """
        select i as player_no, (i * 7 % 50)::int as "Runs", (i * 11 % 900)::int as "CRuns",
        (100 + i * 3)::double as "Fee" from range(1, 121) t(i)"""
    decision = decide(make({"players": select}), question)
    assert isinstance(decision, Answer), decision
