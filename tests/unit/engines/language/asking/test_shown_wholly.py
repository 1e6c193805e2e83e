"""Things told by key and name together, and the figure that they are ranked or tested by."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer
from modelwright.engines.language.arbiter.results import same_result

from .conftest import Data, Make
from .test_arbiter import decide, likeliest

RIDES = """
    select i as ride_id, 'D-' || (100 + i * i % 23) as "Dealer No",
    ['Arno', 'Bea', 'Cleo', 'Dirk'][1 + i * i % 23 % 4] as "Dealer Name",
    case when i = 7 then 'Renamed' else 'Depot ' || (i % 5) end as "Depot Name",
    'P' || (i % 5) as "Depot ID", ['van', 'bus'][1 + i % 2] as kind,
    (100 + i * 37 % 91)::double as amount, (1 + i % 9)::int as weight_t
    from range(1, 161) t(i)"""
CREW = """
    select 'W' || i as worker_id, ['Ann', 'Ben', 'Cat'][1 + i % 3] as first_name,
    ['Ash', 'Birch', 'Cole', 'Dane'][1 + i % 4] as last_name, ['deck', 'hold'][1 + i % 2] as post,
    (2000 + i * 53 % 997)::int as wage from range(1, 61) t(i)"""


@pytest.fixture(scope="module")
def rides(make: Make) -> Data:
    return make({"rides": RIDES})


@pytest.fixture(scope="module")
def crew(make: Make) -> Data:
    return make({"crew": CREW})


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        (
            "dealers with more than 6 rides",
            (
                'select "Dealer No", any_value("Dealer Name"), count(*) from rides group by 1'
                " having count(*) > 6"
            ),
        ),
        (
            "top 3 dealers by number of rides",
            (
                'select "Dealer No", any_value("Dealer Name"), count(*) from rides group by 1'
                ' order by count(*) desc, "Dealer No" limit 3'
            ),
        ),
        (
            "total amount by dealer",
            'select "Dealer No", any_value("Dealer Name"), sum(amount) from rides group by 1',
        ),
        ("how many dealers are there", 'select count(distinct "Dealer No") from rides'),
        (
            "which kind has the highest average amount",
            "select kind, avg(amount) from rides group by 1 order by 2 desc limit 1",
        ),
    ],
)
def test_things_are_told_by_key_and_name_and_figure(rides: Data, question: str, sql: str) -> None:
    decision = decide(rides, question)
    assert isinstance(decision, Answer)
    told = decision.reading.result
    wanted = rides.run(sql)
    assert same_result(told, wanted), decision.reading.best.sql
    assert len(told.columns) >= len(wanted.columns)


def test_names_that_are_asked_for_make_the_groups(rides: Data) -> None:
    decision = decide(rides, "total amount by dealer name")
    assert isinstance(decision, Answer)
    assert "Dealer No" not in decision.reading.best.sql


def test_a_name_that_was_changed_parts_no_groups(make: Make) -> None:
    data = make({"rides": RIDES.replace("'P' || (i % 5)", "'P' || (i % 25)")})
    decision = decide(data, "total amount by depot")
    assert isinstance(decision, Answer)
    assert len(decision.reading.result.rows) == len(
        data.run('select distinct "Depot ID" from rides').rows
    )


def test_persons_called_alike_are_told_by_their_key(crew: Data) -> None:
    decision = decide(crew, "which 3 workers have the highest wage")
    assert isinstance(decision, Answer)
    wanted = crew.run(
        "select worker_id, first_name, last_name, wage from crew order by wage desc limit 3"
    )
    assert len(decision.reading.result.columns) == len(wanted.columns)
    assert same_result(decision.reading.result, wanted)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        (
            "dealers with an amount over 180",
            'select distinct "Dealer No", "Dealer Name" from rides where amount > 180',
        ),
        (
            "list the dealers with van rides",
            """select distinct "Dealer No", "Dealer Name" from rides where kind = 'van'""",
        ),
        ("rides with an amount over 180", "select * from rides where amount > 180"),
    ],
)
def test_things_that_are_asked_for_are_listed_once(rides: Data, question: str, sql: str) -> None:
    decision = decide(rides, question)
    assert isinstance(decision, Answer)
    assert same_result(decision.reading.result, rides.run(sql)), decision.reading.best.sql


GIGS = """
    select i as gig_no, ['Arena', 'Barn', 'Cellar', 'Dome'][1 + i % 4] as hall,
    ['Leeds', 'York'][1 + i % 2] as town, (100 + i % 4 * 50)::int as seats,
    (20 + i * 37 % 71)::int as sold, date '2025-01-01' + i::int as played_on
    from range(1, 81) t(i)"""


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("list the halls with their town and seats", 4),
        ("show halls and towns", 4),
        ("list the halls with their seats sold", 80),
        ("show all gigs", 80),
    ],
)
def test_things_that_rows_tell_the_same_of_are_listed_once(
    make: Make, question: str, rows: int
) -> None:
    reading = likeliest(decide(make({"gigs": GIGS}), question))
    assert len(reading.result.rows) == rows, reading.best.sql
