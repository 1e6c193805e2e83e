"""People are told by their whole name."""

import pytest

from modelwright.engines.language.catalog import Catalog, CatalogColumn, CatalogTable, Role
from modelwright.engines.language.whole_names import told_whole, with_whole_names


def catalog(*names: str) -> Catalog:
    columns = tuple(CatalogColumn(one, one, one, Role.DIMENSION) for one in names)
    return Catalog((CatalogTable("people", "people", columns),))


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

    def test_tables_without_family_names_stay(self) -> None:
        sql = "SELECT first_name FROM people"
        assert with_whole_names(sql, catalog("first_name", "age")) == sql
