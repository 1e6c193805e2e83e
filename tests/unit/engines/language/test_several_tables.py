"""Six tables of a kennel: which words name tables, join them, and what is shown once."""

import random
from datetime import date, timedelta
from typing import Any

import duckdb
import pytest
from tests.questions.question_sets import same
from tests.unit.engines.language.tables import tables_of

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader

TODAY = date(2026, 11, 24)
COLUMNS: dict[str, dict[str, Any]] = {
    "owners": {
        "owner_id": "integer", "full_name": "string", "town": "string", "birth_date": "date",
    },
    "dogs": {
        "dog_id": "integer", "dog_name": "string", "breed": "string", "dog_age": "integer",
        "vet_id": "integer",
    },
    "ownership": {"owner_id": "integer", "dog_id": "integer"},
    "vets": {"vet_id": "integer", "vet_name": "string", "hourly_rate": "float"},
    "dogtraining": {
        "session_id": "integer", "dog_id": "integer", "training": "string", "town": "string",
    },
    "payments": {
        "payment_id": "integer", "owner_id": "integer", "method": "string", "amount": "float",
        "paid_on": "date",
    },
}  # fmt: skip
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


def rows() -> dict[str, list[tuple[Any, ...]]]:
    chance = random.Random(11)
    towns = ["Ashby", "Corley", "Denham"]
    owners = [
        (at, f"Owner {at}", chance.choice(towns), date(1950, 1, 1) + timedelta(317 * at))
        for at in range(1, 41)
    ]
    breeds = ["Beagle", "Collie", "Poodle", "Whippet"]
    dogs = [
        (at, f"Dog {at}", chance.choice(breeds), chance.randint(1, 14), chance.choice([1, 2, None]))
        for at in range(1, 61)
    ]
    pairs = sorted({(chance.randint(1, 34), chance.randint(1, 60)) for _ in range(80)})
    skills = ["Recall", "Agility"]
    trained = [
        (at, chance.randint(1, 45), chance.choice(skills), chance.choice(towns[:2]))
        for at in range(120)
    ]
    paid = [
        (at, chance.randint(1, 40), chance.choice(["Card", "Cash"]), chance.randint(9, 990) / 10,
         date(2025, 6, 1) + timedelta(chance.randrange(500)))
        for at in range(150)
    ]  # fmt: skip
    vets = [(1, "Vera Holt", 60.0), (2, "Noel Ames", 85.0), (3, "Ines Roux", 140.0)]
    return {
        "owners": owners, "dogs": dogs, "ownership": pairs, "vets": vets, "dogtraining": trained,
        "payments": paid,
    }  # fmt: skip


@pytest.fixture(scope="module")
def kennel() -> Asked:
    return tables_of(COLUMNS, rows())


OWNED = "owners join ownership using (owner_id) join dogs using (dog_id)"
RIGHT = {
    "a verb joins": (
        "how many dogs are owned by owners from Ashby?",
        f"select count(distinct dog_id) from {OWNED} where town = 'Ashby'",
    ),
    "a verb that no list knows joins": (
        "names of the dogs walked by Owner 7",
        f"select distinct dog_name from {OWNED} where full_name = 'Owner 7'",
    ),
    "each is shown once": (
        "Which owners have a beagle or a collie?",
        f"select distinct full_name from {OWNED} where breed in ('Beagle', 'Collie')",
    ),
    "some row must be there": (
        "full names and towns of owners who have made any payments",
        "select full_name, town from owners where owner_id in (select owner_id from payments)",
    ),
    "a key that is missing": (
        "dogs without a vet", "select dog_name from dogs where vet_id is null",
    ),
    "its own age": (
        "dogs whose age is more than 9", "select dog_name from dogs where dog_age > 9",
    ),
    "two words written together": (
        "which dog has the most trainings?",
        ("select dog_name from dogs join dogtraining using (dog_id) group by dog_id, dog_name"
         " order by count(*) desc limit 1"),
    ),
    "a test of how many": (
        "owners with more than 5 payments made",
        ("select full_name from owners join payments using (owner_id)"
         " group by owner_id, full_name having count(*) > 5"),
    ),
    "kinds of rows": (
        "How many different owners have paid by card?",
        "select count(distinct owner_id) from payments where method = 'Card'",
    ),
    "the oldest": (
        "who is the oldest owner?", "select full_name from owners order by birth_date limit 1",
    ),
    "who, not what is compared": (
        "which vets charge more than the average hourly rate?",
        "select vet_name from vets where hourly_rate > (select avg(hourly_rate) from vets)",
    ),
    "how much was paid": (
        "how much was paid in cash in 2026?",
        "select sum(amount) from payments where method = 'Cash' and year(paid_on) = 2026",
    ),
    "a table among what is shown": (
        "name and vet of the oldest dog, and its breed",
        ("select dog_name, vet_name, breed from dogs join vets using (vet_id)"
         " order by dog_age desc limit 1"),
    ),
    "by a column": (
        "number of payments by town of the owner",
        "select town, count(*) from owners join payments using (owner_id) group by 1",
    ),
    "both ends": (
        "what are the minimum and maximum amount of the payments?",
        "select min(amount), max(amount) from payments",
    ),
    "both, of the other table": (
        "which dogs have trainings in both Ashby and Corley?",
        ("select dog_name from dogs where dog_id in (select dog_id from dogtraining where"
         " town = 'Ashby') and dog_id in (select dog_id from dogtraining where town = 'Corley')"),
    ),
    "a place is that of what was named last": (
        "names of the owners with trainings in Ashby",
        (f"select distinct full_name from {OWNED} join dogtraining using (dog_id)"
         " where dogtraining.town = 'Ashby'"),
    ),
    "none paid": (
        "how many owners have never paid?",
        "select count(*) from owners where owner_id not in (select owner_id from payments)",
    ),
    "the most in all": (
        "which owner has paid the most in total?",
        ("select full_name from owners join payments using (owner_id)"
         " group by owner_id, full_name order by sum(amount) desc limit 1"),
    ),
    "rows shown first": (
        "dogs older than 12 along with the name of their vet",
        "select dog_name, vet_name from dogs join vets using (vet_id) where dog_age > 12",
    ),
    "an average of each, not of both": (
        "average amount for card and cash",
        "select method, avg(amount) from payments where method in ('Card', 'Cash') group by 1",
    ),
    "the average of each breed that is named": (
        "average age of beagles and collies",
        "select breed, avg(dog_age) from dogs where breed in ('Beagle', 'Collie') group by 1",
    ),
    "of either, one average": (
        "average amount paid by card or cash",
        "select avg(amount) from payments where method in ('Card', 'Cash')",
    ),
    "both added up": (
        "total age of beagles and collies",
        "select sum(dog_age) from dogs where breed in ('Beagle', 'Collie')",
    ),
    "a list is no count": (
        "list the breed and age of each dog", "select breed, dog_age from dogs",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("question", "truth"), RIGHT.values(), ids=RIGHT.keys())
def test_is_right(kennel: Asked, question: str, truth: str) -> None:
    store, reader = kennel
    answer = reader.read(question, TODAY)
    assert isinstance(answer, Answerable), answer
    right, given = store.execute(truth).fetchall(), store.execute(answer.sql).fetchall()
    assert same(right, given), (answer.sql, right, given)


@pytest.mark.parametrize("question", ["???", "é", "most", "how much was", "never", "oldest"])
def test_what_says_nothing_never_fails(kennel: Asked, question: str) -> None:
    kennel[1].read(question, TODAY)


@pytest.mark.parametrize(
    ("question", "unread"),
    [
        ("how many payments were reversed?", '"reversed"'),
        ("payments paid by each owner", '"by each"'),
    ],
)
def test_what_was_done_and_by_whom_is_not_left_out(
    kennel: Asked, question: str, unread: str
) -> None:
    read = kennel[1].read(question, TODAY)
    assert isinstance(read, NotUnderstood), read
    assert unread in read.sentence


def test_suggestions_are_of_every_table_and_are_answered(kennel: Asked) -> None:
    read = kennel[1].read("Why is the sky blue above Zanzibar?", TODAY)
    assert isinstance(read, NotUnderstood), read
    told = [kennel[1].read(one, TODAY) for one in read.suggestions]
    tables = [tuple(one.plan["tables"]) for one in told if isinstance(one, Answerable)]
    assert len(tables) == len(told)
    assert len(set(tables)) > 2, read.suggestions
