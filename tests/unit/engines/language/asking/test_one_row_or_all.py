"""What is asked of one row, of rows that are no persons, in another unit, per something else."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices

from .conftest import Make
from .test_arbiter import decide, likeliest

TABLES = {
    "concerts": """
        select i + 1 as "Concert", ['Nell Ott', 'Abe Fry', 'Una Bay'][1 + i % 3] as "Conductor",
        ['Elm Hall', 'Old Mill'][1 + i // 3 % 2] as "Venue", (i * i % 397)::int as "Seats Sold",
        (40 + i * 7 % 140)::int as "Rehearsal Minutes", (i % 6)::int as "Nights Away",
        (12 + i % 30)::double as "Price Per Seat", (3 + i % 11)::double as "Piano Height cm"
        from range(0, 120) t(i)""",
    "repairs": """
        select 'R' || i as "Docket No", ['Ike Lund', 'Oda Moss', 'Pia Nash'][1 + i % 3]
        as "Mechanic", ['Jon Ash', 'Eve Dahl', 'Flo Gant', 'Gil Hart'][1 + i % 4] as "Customer",
        ['brake', 'chain', 'wheel'][1 + i // 2 % 3] as "Part", (i * 13 % 90)::double as "Bill",
        (15 + i * 11 % 300)::int as "Idle Minutes" from range(0, 130) t(i)""",
}


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("concerts", "who conducted the concert with the most seats sold",
         'select "Conductor" from concerts order by "Seats Sold" desc limit 1'),
        ("concerts", "which conductor has the most seats sold",
         'select "Conductor" from concerts group by 1 order by sum("Seats Sold") desc limit 1'),
        ("concerts", "total nights away in weeks", 'select sum("Nights Away") / 7 from concerts'),
        ("concerts", "total nights away", 'select sum("Nights Away") from concerts'),
        ("concerts", "minimum rehearsal minutes by conductor, bottom 2",
         'select "Conductor" from concerts group by 1 order by min("Rehearsal Minutes"), 1'),
        ("concerts", "average seats sold by conductor, bottom 1",
         'select "Conductor" from concerts group by 1 order by avg("Seats Sold") limit 1'),
        ("concerts", "average price per seat", 'select avg("Price Per Seat") from concerts'),
    ],
)  # fmt: skip
def test_are_answered_rightly(make: Make, table: str, question: str, sql: str) -> None:
    data = make({table: TABLES[table]})
    decision = decide(data, question)
    assert str(likeliest(decision).result.rows[0][0])[:12] == str(data.run(sql).rows[0][0])[:12]


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("concerts", "how many subscribers do we have"),
        ("concerts", "hours of rehearsal by conductor"),
        ("concerts", "hours of rehearsal per venue"),
        ("concerts", "average piano height in kg"),
        ("concerts", "price per person"),
        ("concerts", "price per night"),
        ("repairs", "idle over 4 hours"),
    ],
)
def test_are_never_answered_with_something_else(make: Make, table: str, question: str) -> None:
    decision = decide(make({table: TABLES[table]}), question)
    assert not isinstance(decision, Answer), decision.reading.best.sql


def test_one_of_two_persons_is_asked_back(make: Make) -> None:
    decision = decide(make({"repairs": TABLES["repairs"]}), "who had the most brake repairs")
    assert isinstance(decision, Choices)
    told = " ".join(one.best.sql for one in decision.readings)
    assert '"Mechanic"' in told
    assert '"Customer"' in told


GAMES = """
    select i + 1 as "No", ['Foxes', 'Owls', 'Kites', 'Larks'][1 + i % 4] as "Team",
    ['Tomb', 'Lab', 'Heist'][1 + i // 4 % 3] as "Room", (31 + i * 7 % 29)::int as "Minutes",
    ['yes', 'no', 'yes'][1 + i // 5 % 3] as "Escaped", (20 + i % 9)::double as "Price per Person",
    (2 + i * 11 % 37)::double as "Upkeep kEUR",
    (1 + i % 12)::double as "Royalty %" from range(0, 120) t(i)"""


@pytest.mark.parametrize(
    "question",
    [
        "price per team",
        "average minutes of teams that escaped",
        "upkeep in euros by room",
        "royalty earned by room",
        "percent of tombs escaped by Owls",
        "how many games have an upkeep over 5000 euros",
    ],
)
def test_what_may_be_of_something_else_is_asked_back(make: Make, question: str) -> None:
    decision = decide(make({"games": GAMES}), question)
    assert not isinstance(decision, Answer), decision.reading.best.sql


@pytest.mark.parametrize(
    "question", ["average minutes by room", "average price per person by team", "total upkeep"]
)
def test_groups_and_rates_that_are_asked_for_are_told(make: Make, question: str) -> None:
    assert isinstance(decide(make({"games": GAMES}), question), Answer)


BILLS = """
    select 'B' || i as "Bill Ref", date '2025-01-01' + i::int as "Service Date",
    ['Ada Bo', 'Cid Du', 'Eva Fo'][1 + i % 3] as "Director", (8 + i * 37 % 211)::int as "Guests",
    ['burial', 'cremation'][1 + i // 3 % 2] as "Kind",
    ['paid', 'open', 'instalments'][1 + i // 2 % 3] as "Payment" from range(0, 120) t(i)"""


@pytest.mark.parametrize(
    "question",
    [
        "who led the service with the most guests",
        "how many bills were paid in instalments",
        "percent of burials paid in instalments",
    ],
)
def test_a_verb_is_no_value_and_a_date_nobody(make: Make, question: str) -> None:
    decision = decide(make({"bills": BILLS}), question)
    assert not isinstance(decision, Answer), decision.reading.best.sql


def test_values_that_are_told_together_are_taken_together(make: Make) -> None:
    data = make({"bills": BILLS})
    decision = decide(data, "how many bills are paid or open")
    assert isinstance(decision, Answer)
    assert decision.reading.result.rows[0][0] == 80
