"""Tables of an observatory: who did what, how often, in total, and what is denied by a prefix."""

import random
from datetime import date, timedelta
from typing import Any

import duckdb
import pytest
from tests.questions.question_sets import same
from tests.unit.engines.language.tables import reader_of, store_of, tables_of

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader

TODAY = date(2026, 11, 24)
COLUMNS: dict[str, dict[str, Any]] = {
    "telescopes": {
        "telescope_id": "integer", "telescope_name": "string", "site": "string",
        "mirror_cm": "integer", "number_filters": "integer",
    },
    "observers": {
        "observer_id": "integer", "observer_name": "string", "country": "string",
        "registered": "date", "trained": "boolean",
    },
    "observations": {
        "observation_id": "integer", "telescope_id": "integer", "observer_id": "integer",
        "observed_on": "date", "exposures": "integer", "target": "string", "state": "string",
        "published_on": "date",
    },
}  # fmt: skip
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


def rows() -> dict[str, list[tuple[Any, ...]]]:
    chance = random.Random(11)
    sites = ["Paranal", "Teide", "Teide", "Mauna Kea", "Mauna Kea", "Paranal"]
    telescopes: list[tuple[Any, ...]] = [
        (at + 1, name, sites[at], chance.randint(40, 900), chance.randint(2, 9))
        for at, name in enumerate(["Lynx", "Heron", "Osprey", "Marten", "Plover", "Stoat"])
    ]
    names = [f"{first} {last}" for first in ("Ines", "Aldo", "Birk") for last in ("Roth", "Sand")]
    observers: list[tuple[Any, ...]] = [
        (at, chance.choice(names), chance.choice(["Chile", "Spain", "Japan"]),
         date(2019, 1, 1) + timedelta(chance.randrange(1500)), chance.random() < 0.6)
        for at in range(1, 25)
    ]  # fmt: skip
    observations: list[tuple[Any, ...]] = []
    for at in range(1, 301):
        day = date(2025, 1, 1) + timedelta(chance.randrange(680))
        state = chance.choice(["reviewed", "raw", "published"])
        told = day + timedelta(30) if state != "raw" and chance.random() < 0.5 else None
        who, by = chance.randint(1, 20), chance.randint(1, 5)
        what = chance.choice(["comet", "nebula", "pulsar"]) if who % 3 else "comet"
        observations.append((at, by, who, day, chance.randint(1, 90), what, state, told))
    return {"telescopes": telescopes, "observers": observers, "observations": observations}


@pytest.fixture(scope="module")
def sky() -> Asked:
    return tables_of(COLUMNS, rows())


DONE = "observations join observers using (observer_id) join telescopes using (telescope_id)"
RIGHT = [
    ("how many comets were observed in 2026?",
     "select count(*) from observations where target = 'comet' and year(observed_on) = 2026"),
    ("names of observers with more than 14 observations",
     f"select observer_name from {DONE} group by observer_id, 1 having count(*) > 14"),
    ("how many observers are untrained?", "select count(*) from observers where not trained"),
    ("how many untrained observers are there?", "select count(*) from observers where not trained"),
    ("number of comet observations per month in 2026",
     ("select date_trunc('month', observed_on), count(*) from observations"
      " where target = 'comet' and year(observed_on) = 2026 group by 1")),
    ("how many nebulas were observed per quarter?",
     ("select date_trunc('quarter', observed_on), count(*) from observations"
      " where target = 'nebula' group by 1")),
    ("which telescope has the most exposures in total?",
     f"select telescope_name from {DONE} group by 1 order by sum(exposures) desc limit 1"),
    ("which telescope has the most exposures on average?",
     f"select telescope_name from {DONE} group by 1 order by avg(exposures) desc limit 1"),
    ("telescopes that made more than 2800 exposures altogether",
     f"select telescope_name from {DONE} group by 1 having sum(exposures) > 2800"),
    ("the three telescopes with the highest exposures in total, names only",
     f"select telescope_name from {DONE} group by 1 order by sum(exposures) desc limit 3"),
    ("the id of the observation with the most exposures and the name of its telescope",
     f"select observation_id, telescope_name from {DONE} order by exposures desc limit 1"),
    ("which telescopes have a mirror larger than any telescope in Teide?",
     ("select telescope_name from telescopes where mirror_cm >"
      " (select max(mirror_cm) from telescopes where site = 'Teide')")),
    ("telescopes in Teide with a mirror smaller than that of every telescope in Paranal",
     ("select telescope_name from telescopes where site = 'Teide' and mirror_cm <"
      " (select min(mirror_cm) from telescopes where site = 'Paranal')")),
    ("names of the observers who observed nebula and pulsar",
     ("select observer_name from observers where observer_id in"
      " (select observer_id from observations where target = 'nebula') and observer_id in"
      " (select observer_id from observations where target = 'pulsar')")),
    ("number of observations at each site whose exposures are above the average",
     (f"select site, count(*) from {DONE} where exposures >"
      " (select avg(exposures) from observations) group by 1")),
    ("names of the observers who observed a nebula but never a pulsar",
     ("select observer_name from observers where observer_id in"
      " (select observer_id from observations where target = 'nebula') and observer_id not in"
      " (select observer_id from observations where target = 'pulsar')")),
    ("total exposures of untrained observers by site",
     f"select site, sum(exposures) from {DONE} where not trained group by 1"),
    ("average exposures per observation for each country",
     f"select country, avg(exposures) from {DONE} group by 1"),
    ("which site has the largest number of observations?",
     f"select site from {DONE} group by 1 order by count(*) desc limit 1"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "truth"), RIGHT)
def test_over_several_tables(sky: Asked, question: str, truth: str) -> None:
    store, reader = sky
    answer = reader.read(question, TODAY)
    assert isinstance(answer, Answerable), answer
    right, given = store.execute(truth).fetchall(), store.execute(answer.sql).fetchall()
    assert same(right, given, wider=True), (answer.sql, right, given)


@pytest.mark.parametrize(
    "question",
    ["the largest telescope and the name of its site", "who observed the most comets in 2026?"],
)
def test_what_ranks_by_nothing_known_is_refused(sky: Asked, question: str) -> None:
    assert isinstance(sky[1].read(question, TODAY), NotUnderstood)


def test_namesakes_are_told(sky: Asked) -> None:
    answer = sky[1].read("names of observers with more than 14 observations", TODAY)
    assert isinstance(answer, Answerable)
    assert "those of one name told apart by observer id" in answer.interpretation


ONE = {
    "tie_no": "string", "status": "string", "outcome": "string", "issued_on": "date",
    "seat": "string", "repairs": "integer", "depth": "float", "magnitude": "float",
}  # fmt: skip
WHERE = [
    ("how many tickets are unchecked?", "status <> 'checked'"),
    ("how many tickets are inactive?", "outcome <> 'active'"),
    ("how many tickets are not inactive?", "outcome = 'active'"),
    ("how many tickets have tie no 7?", "tie_no = '7'"),
    ("how many issued tickets are there?", "status = 'issued'"),
    ("number of tickets neither issued nor checked", "status not in ('issued', 'checked')"),
    ("how many did not arrive and have status checked?",
     "outcome = 'did not arrive' and status = 'checked'"),
    ("how many tickets are shallower than the average?",
     "depth < (select avg(depth) from tickets)"),
    ("how many tickets are weaker than 5?", "magnitude < 5"),
    ("how many tickets ended in a draw?", "outcome = 'draw'"),
]  # fmt: skip


@pytest.fixture(scope="module")
def tickets() -> Asked:
    chance = random.Random(3)
    kinds = ["issued", "checked", "lost"]
    made: list[tuple[Any, ...]] = []
    for at in range(160):
        status = chance.choice(kinds)
        day = date(2026, 1, 1) + timedelta(at) if status != "lost" and at % 3 else None
        outcome = chance.choice(["active", "did not arrive", "draw"])
        numbers = round(chance.uniform(1, 90), 1), round(chance.uniform(3, 8), 1)
        made.append(
            (str(chance.randint(1, 9)), status, outcome, day, f"row {at % 20}", at % 7, *numbers)
        )
    return store_of("tickets", ONE, made), reader_of("tickets", ONE, made)


@pytest.mark.parametrize(("question", "where"), WHERE)
def test_the_rows_are_those_that_are_meant(tickets: Asked, question: str, where: str) -> None:
    store, reader = tickets
    answer = reader.read(question, TODAY)
    assert isinstance(answer, Answerable), answer
    truth = store.execute(f"select count(*) from tickets where {where}").fetchall()
    assert same(truth, store.execute(answer.sql).fetchall()), answer.sql


@pytest.mark.parametrize("verb", ["has", "had", "recorded", "found", "reported"])
def test_the_most_of_a_count_is_a_sum(tickets: Asked, verb: str) -> None:
    store, reader = tickets
    answer = reader.read(f"which status {verb} the most repairs?", TODAY)
    assert isinstance(answer, Answerable)
    truth = "select status from tickets group by 1 order by sum(repairs) desc limit 1"
    assert same(store.execute(truth).fetchall(), store.execute(answer.sql).fetchall(), wider=True)
    assert "SUM" in answer.sql
