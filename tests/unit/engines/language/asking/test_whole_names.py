"""People are told by their whole name."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices
from modelwright.engines.language.arbiter.results import same_result
from modelwright.engines.language.catalog.meaning import Catalog, CatalogColumn, CatalogTable, Role
from modelwright.engines.language.readers import NameLink
from modelwright.engines.language.whole_names import told_whole, with_whole_names

from .conftest import Make
from .test_deeds_and_things import decided


def catalog(*names: str) -> Catalog:
    columns = tuple(CatalogColumn(one, one, one, Role.DIMENSION) for one in names)
    return Catalog((CatalogTable("people", "people", columns),))


SERVED = (
    "SELECT w.first_name, COUNT(*) FROM bills AS b JOIN waiters AS w"
    " ON b.waiter_id = w.waiter_id GROUP BY w.first_name"
)


def waiters() -> Catalog:
    columns = catalog("waiter_id", "first_name", "last_name").tables[0].columns
    return Catalog((CatalogTable("waiters", "waiters", columns, key="waiter_id"),))


PLACES = {
    "patients": """
        select i as patient_id, ['Ada', 'Bo', 'Cy', 'Di'][1 + i % 4] as first_name,
        ['Berg', 'Koch', 'Lang'][1 + i % 3] as last_name,
        case when i % 5 > 0 then 'p' || i || '@post.example' end as email
        from range(1, 61) t(i)""",
    "consults": """
        select i as consult_id, 1 + i * i % 47 as patient_id, (20 + i * 37 % 301)::double as fee
        from range(1, 301) t(i)""",
}


MANY_CONSULTS = (
    "select first_name, last_name from patients natural join consults"
    " group by patient_id, 1, 2 having count(*) > 12"
)
MOST_PAID = (
    "select first_name, last_name from patients natural join consults"
    " group by patient_id, 1, 2 order by sum(fee) desc limit 4"
)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("which patients have more than 12 consults", MANY_CONSULTS),
        ("top 4 patients by total fee", MOST_PAID),
    ],
)
def test_two_persons_called_alike_are_two_groups(make: Make, question: str, sql: str) -> None:
    data = make(PLACES)
    decision = decided(data, question)
    assert isinstance(decision, Answer | Choices)
    readings = decision.readings if isinstance(decision, Choices) else (decision.reading,)
    assert [same_result(one.result, data.run(sql)) for one in readings] == [True]


class TestGivenNames:
    def test_the_family_name_is_told_as_well(self) -> None:
        people = catalog("first_name", "last_name", "age")
        told = with_whole_names("SELECT first_name FROM people ORDER BY age LIMIT 1", people)
        assert told == 'SELECT first_name, "last_name" FROM people ORDER BY age LIMIT 1'

    def test_the_interpretation_says_so(self) -> None:
        told = told_whole(
            "The first_name of people, oldest first.", catalog("first_name", "last_name")
        )
        assert told == "The first_name and last_name of people, oldest first."
        assert told_whole("The age of people.", catalog("age")) == "The age of people."

    def test_of_a_joined_table(self) -> None:
        people = catalog("FirstName", "LastName")
        told = with_whole_names("SELECT p.FirstName, o.day FROM orders AS o, people AS p", people)
        assert told == 'SELECT p.FirstName, p."LastName", o.day FROM orders AS o, people AS p'

    @pytest.mark.parametrize(
        "sql",
        [
            "SELECT first_name, last_name FROM people",
            "SELECT last_name FROM people",
            "SELECT first_name, count(*) FROM people GROUP BY first_name",
            "SELECT DISTINCT first_name FROM people",
            "SELECT * FROM people",
            "SELECT max(first_name) FROM people",
            "SELECT first_name FROM others",
        ],
    )
    def test_nothing_else_is_added(self, sql: str) -> None:
        assert with_whole_names(sql, catalog("first_name", "last_name")) == sql

    def test_groups_of_what_leads_to_persons_are_persons(self) -> None:
        told = with_whole_names(SERVED, waiters())
        assert told == (
            'SELECT w.first_name, w."last_name", COUNT(*) FROM bills AS b JOIN waiters AS w'
            ' ON b.waiter_id = w.waiter_id GROUP BY w.first_name, w."last_name", w."waiter_id"'
        )

    def test_given_names_that_are_asked_for_stay_groups(self) -> None:
        asked = NameLink("first name", (0, 10), "waiters", "first_name")
        assert with_whole_names(SERVED, waiters(), [asked]) == SERVED

    def test_tables_without_family_names_stay(self) -> None:
        sql = "SELECT first_name FROM people"
        assert with_whole_names(sql, catalog("first_name", "age")) == sql
