"""SQL over the snake_case view is mapped back to real names, and missing joins are added."""

from datetime import date

import pytest
from tests.unit.engines.language.llm.made import CATALOG, ITEMS, ORDERS, column, store, view

from modelwright.engines.language.catalog.meaning import Catalog, Relationship
from modelwright.engines.language.llm.names import UnreadableSql, restored
from modelwright.engines.language.llm.schema_view import snake_case
from modelwright.engines.language.readers import ValueLink
from modelwright.engines.language.rules.columns.schema import TableFacts


class TestSnakeCase:
    @pytest.mark.parametrize(
        ("name", "seen"),
        [("Order Date (UTC)", "order_date_utc"), ("OrderDate", "order_date"),
         ("2nd try", "c_2nd_try"), ("Größe", "grosse"), ("%", "column_1"), ("a" * 99, "a" * 48)],
    )  # fmt: skip
    def test_needs_no_quotes(self, name: str, seen: str):
        assert snake_case(name, "column_1") == seen


class TestView:
    def test_names_are_unique_and_not_reserved(self):
        names = [one.alias for one in view().by_alias["orders"].columns]
        assert names == ["order_id", "order_date_utc", "customer", "card_number", "group_"]

    def test_two_columns_of_one_name_stay_apart(self):
        table = TableFacts("t", (*ORDERS.columns[:1], *ORDERS.columns[:1]))
        assert [one.alias for one in view(table).tables[0].columns] == ["order_id", "order_id_2"]

    def test_types_are_of_the_catalog_or_by_the_values(self):
        types = [one.sql_type for one in view().by_alias["orders"].columns]
        assert types == ["INTEGER", "DATE", "VARCHAR", "VARCHAR", "VARCHAR"]


class TestRestored:
    @pytest.mark.parametrize(
        ("sql", "rows"),
        [
            ("SELECT customer FROM orders ORDER BY order_date_utc DESC", [("Zoe",), ("Ann",)]),
            ("SELECT o.customer FROM orders AS o WHERE o.group_ = 'b'", [("Zoe",)]),
            (("SELECT orders.customer, SUM(line_items.unit_price) AS total FROM orders"
             " JOIN line_items ON line_items.order_id = orders.order_id"
             " GROUP BY orders.customer ORDER BY total DESC"), [("Zoe", 99.0), ("Ann", 12.0)]),
            ("SELECT customer FROM orders JOIN line_items USING (order_id) WHERE unit_price = 7",
             [("Ann",)]),
            (("WITH totals AS (SELECT order_id, SUM(unit_price) AS total FROM line_items"
              " GROUP BY 1) SELECT order_id FROM totals ORDER BY total DESC LIMIT 1"), [(2,)]),
            ("SELECT order_date_utc FROM (SELECT * FROM orders) WHERE group_ = 'a'",
             [(date(2024, 1, 5),)]),
            ("SELECT s.customer FROM (SELECT o.*, 1 AS k FROM orders AS o) AS s ORDER BY 1",
             [("Ann",), ("Zoe",)]),
            (("SELECT customer FROM orders WHERE NOT EXISTS (SELECT 1 FROM line_items WHERE"
             " line_items.order_id = orders.order_id AND unit_price > 50)"), [("Ann",)]),
            ("SELECT COUNT(DISTINCT customer) AS customer FROM orders ORDER BY customer", [(2,)]),
            ("SELECT order_id FROM orders UNION SELECT item_id FROM line_items ORDER BY 1",
             [(1,), (2,), (3,)]),
            (("SELECT customer, ROW_NUMBER() OVER (ORDER BY order_date_utc DESC) AS rn FROM orders"
             " QUALIFY rn = 1"), [("Zoe", 1)]),
            (("SELECT customer FROM orders WHERE order_id = (SELECT order_id FROM line_items"
             " WHERE unit_price = 99)"), [("Zoe",)]),
        ],
    )  # fmt: skip
    def test_runs_over_the_real_tables(self, sql: str, rows: list[tuple[object, ...]]):
        assert store().execute(restored(sql, view())).fetchall() == rows

    def test_leaves_sql_alone_where_names_are_as_they_are(self):
        plain = view(TableFacts("t", (column("a"),)), catalog=Catalog(()))
        sql = "select a  from t"
        assert restored(sql, plain) == sql

    @pytest.mark.parametrize(
        "sql", ["", "no sql at all (", "DROP TABLE orders", "SELECT 1; SELECT 2", "(" * 5000]
    )
    def test_refuses_what_is_not_one_select(self, sql: str):
        with pytest.raises(UnreadableSql):
            restored(sql, view())


class TestMissingJoins:
    @pytest.mark.parametrize(
        "sql",
        [
            "SELECT orders.customer FROM orders WHERE line_items.unit_price = 99",
            "SELECT orders.customer FROM line_items WHERE line_items.unit_price = 99",
            "SELECT customer FROM orders WHERE unit_price = 99",
            "SELECT customer FROM line_items WHERE unit_price > 50",
            "SELECT customer FROM orders WHERE unit_price > (SELECT AVG(unit_price) FROM orders)",
            (
                "SELECT orders.customer FROM orders WHERE orders.order_id IN"
                " (SELECT orders.order_id FROM orders WHERE line_items.unit_price = 99)"
            ),
        ],
    )
    def test_are_added_along_the_key(self, sql: str):
        assert store().execute(restored(sql, view())).fetchall() == [("Zoe",)]

    def test_a_result_that_is_compared_is_of_the_table_that_is_read(self):
        sql = (
            "SELECT orders.customer FROM orders WHERE orders.order_id NOT IN"
            " (SELECT orders.order_id FROM line_items WHERE line_items.unit_price > 50)"
        )
        assert store().execute(restored(sql, view())).fetchall() == [("Ann",)]

    def test_a_result_that_is_compared_is_the_key_where_it_has_another_name(self):
        items = TableFacts("Line Items", (column("Item ID"), column("Order"), ITEMS.columns[2]))
        key = Relationship("Line Items", "Order", "table0", "Order ID")
        seen = view(ORDERS, items, catalog=Catalog(CATALOG.tables, (key,)))
        sql = (
            "SELECT orders.customer FROM orders WHERE orders.order_id NOT IN"
            " (SELECT orders.order_id FROM line_items WHERE line_items.unit_price > 50)"
        )
        assert '(SELECT line_items."Order"' in restored(sql, seen)

    def test_are_not_added_for_a_column_that_the_query_names_itself(self):
        sql = (
            "SELECT orders.customer, COUNT(*) AS unit_price FROM orders GROUP BY 1"
            " ORDER BY unit_price"
        )
        assert "JOIN" not in restored(sql, view())

    def test_are_not_added_where_a_query_around_reads_the_table(self):
        sql = (
            "SELECT orders.customer FROM orders WHERE EXISTS (SELECT 1 FROM line_items"
            " WHERE line_items.order_id = orders.order_id AND line_items.unit_price = 7)"
        )
        assert restored(sql, view()).count("JOIN") == 0

    def test_take_the_first_of_two_keys_between_two_tables(self):
        routes = TableFacts("routes", (column("origin_id"), column("goal_id")))
        places = TableFacts("places", (column("place_id"), column("size")))
        keys = tuple(
            Relationship("routes", one, "places", "place_id") for one in ("origin_id", "goal_id")
        )
        seen = view(routes, places, catalog=Catalog((), keys))
        sql = restored("SELECT COUNT(*) FROM routes WHERE places.size = 3", seen)
        assert "JOIN places ON routes.origin_id = places.place_id" in sql

    def test_are_not_guessed_where_two_ways_lead_over_other_tables(self):
        visits = TableFacts("visits", (column("guest_id"), column("guide_id")))
        guests = TableFacts("guests", (column("guest_id"), column("town_id")))
        guides = TableFacts("guides", (column("guide_id"), column("town_id")))
        towns = TableFacts("towns", (column("town_id"), column("size")))
        keys = (
            Relationship("visits", "guest_id", "guests", "guest_id"),
            Relationship("visits", "guide_id", "guides", "guide_id"),
            Relationship("guests", "town_id", "towns", "town_id"),
            Relationship("guides", "town_id", "towns", "town_id"),
        )
        seen = view(visits, guests, guides, towns, catalog=Catalog((), keys))
        assert "JOIN" not in restored("SELECT COUNT(*) FROM visits WHERE towns.size = 3", seen)

    def test_are_not_guessed_where_no_key_leads_there(self):
        apart = view(ORDERS, TableFacts("other", (ITEMS.columns[2],)))
        assert "JOIN" not in restored("SELECT other.unit_price FROM orders", apart)


class TestValues:
    ZOE = (ValueLink("zoe", (0, 3), "table0", "Customer", "Zoe"),)

    @pytest.mark.parametrize(
        "sql",
        [
            "SELECT order_id FROM orders WHERE customer = 'zoe'",
            "SELECT order_id FROM orders WHERE group_ = 'Zoe'",
            "SELECT DISTINCT line_items.order_id FROM line_items WHERE line_items.item_id = 'Zoe'",
        ],
    )
    def test_are_compared_with_the_column_that_holds_them(self, sql: str):
        assert store().execute(restored(sql, view(), self.ZOE)).fetchall() == [(2,)]

    def test_of_several_columns_stay_with_the_one_that_was_written(self):
        both = (*self.ZOE, ValueLink("zoe", (0, 3), "table0", "group", "Zoe"))
        sql = restored("SELECT order_id FROM orders WHERE group_ = 'zoe'", view(), both)
        assert "\"group\" = 'Zoe'" in sql

    def test_that_nothing_links_stay(self):
        sql = restored("SELECT order_id FROM orders WHERE customer = 'nobody'", view(), self.ZOE)
        assert "'nobody'" in sql


class TestYears:
    """A column of years is compared with a year, whose first or last day small models write."""

    TABLE = TableFacts(
        "t",
        (
            column("Year", "integer", 1950, 2020),
            column("day", "date", date(1950, 1, 1), date(2020, 1, 1)),
        ),
    )

    @pytest.mark.parametrize(
        ("condition", "meant"),
        [
            ("year >= '1980-01-01'", '"Year" >= 1980'),
            ("year >= '1980-01-01' AND year < '1990-01-01'", '"Year" >= 1980 AND "Year" < 1990'),
            ("year BETWEEN DATE '1980-01-01' AND DATE '1989-12-31'",
             '"Year" BETWEEN 1980 AND 1989'),
            ("day >= '1980-01-01'", "day >= '1980-01-01'"),
            ("year > '1980-06-30'", "\"Year\" > '1980-06-30'"),
        ],
    )  # fmt: skip
    def test_are_written_in_place_of_days(self, condition: str, meant: str):
        sql = restored(f"SELECT day FROM t WHERE {condition}", view(self.TABLE))
        assert sql == f"SELECT day FROM t WHERE {meant}"
