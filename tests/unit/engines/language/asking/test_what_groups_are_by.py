"""What groups are made by, and what only says how they are ranked, counted or dated."""

import pytest

from .conftest import Data, Make
from .test_ends_of_times import answered, values

WAGONS = """
    select i as wagon_id, ['Hopper, steel', 'Tank, brass', 'Flat, oak'][1 + i % 3] as "Wagon Label",
    ['Leeds', 'York', 'Hull'][1 + i * i % 3] as depot, (1880 + i * 37 % 131)::int as "Year Built",
    date '1975-01-05' + (i * 61)::int as "Acquired On",
    ['bought', 'built', 'swapped'][1 + i // 4 % 3] as "Acquisition Way",
    (9 + i * 13 % 57)::double as "Weight t", date '2024-01-03' + (i * 7 % 190)::int as checked_on,
    (1000 + i * 31 % 700)::int as tickets, (4000 + i * 17 % 900)::int as seats,
    ['green', 'blue', 'black'][1 + i % 3] as livery
    from range(1, 241) t(i)"""
MOST = """from wagons group by 1, 2 qualify row_number() over
    (partition by depot order by count(*) desc, "Wagon Label") = 1"""


@pytest.fixture(scope="module")
def wagons(make: Make) -> Data:
    return make({"wagons": WAGONS})


@pytest.mark.parametrize(
    ("question", "column", "way"),
    [
        ("oldest wagon in each depot (by year built)", "Year Built", "asc"),
        ("what is the oldest wagon of each depot by year built", "Year Built", "asc"),
        ("newest wagon in each depot (by year built)", "Year Built", "desc"),
        ("latest wagon in each depot by checked on", "checked_on", "desc"),
    ],
)
def test_what_is_first_is_told_by_what_is_named(
    wagons: Data, question: str, column: str, way: str
) -> None:
    read = wagons.rules().read(wagons.request(question))
    sql = " ".join(getattr(read[0], "sql", "").split())
    assert f'PARTITION BY "depot" ORDER BY "{column}" {way.upper()}' in sql


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("average weight per decade of acquisition",
         """year("Acquired On") // 10 * 10, avg("Weight t") from wagons group by 1"""),
        ("number of wagons per year of acquisition and depot",
         """year("Acquired On"), depot, count(*) from wagons group by 1, 2"""),
        ("which depot is named most often, and how many times",
         "depot, count(*) from wagons group by 1 order by 2 desc limit 1"),
        ("for each depot, which wagon label is the most common and how many times",
         f"""depot, "Wagon Label", count(*) {MOST}"""),
        ("how many depots have at least 2 different liveries",
         """count(*) from (select depot from wagons group by 1
         having count(distinct livery) >= 2)"""),
        ("tickets as % of seats per depot",
         "depot, 100.0 * sum(tickets) / sum(seats) from wagons group by 1"),
        ("tickets in percent of seats by depot",
         "depot, 100.0 * sum(tickets) / sum(seats) from wagons group by 1"),
    ],
)  # fmt: skip
def test_groups_are_those_that_are_asked_for(wagons: Data, question: str, sql: str) -> None:
    assert answered(wagons, question) == values(wagons, f"select {sql}")


def test_a_dash_ends_what_is_ranked(wagons: Data) -> None:
    (read, *_) = wagons.rules().read(wagons.request("heaviest wagon - depot and weight"))
    assert "GROUP BY" not in getattr(read, "sql", "")
