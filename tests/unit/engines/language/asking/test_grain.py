"""Measures over joined tables are added up over the rows of their own table: right results."""

import duckdb
import pytest

from modelwright.engines.language.catalog.meaning import Catalog, CatalogColumn, CatalogTable, Role
from modelwright.engines.language.grain import at_own_grain

TABLES = {
    "regions": "(region_id int, region text)",
    "clients": "(client_id int, region_id int, credit int)",
    "orders": "(order_id int, client_id int, amount int, state text)",
    "items": "(item_id int, order_id int, product text, pieces int)",
    "payments": "(payment_id int, order_id int, paid int)",
}
ROWS = {
    "regions": "(1, 'north'), (2, 'south'), (3, null)",
    "clients": "(1, 1, 100), (2, 1, 50), (3, 2, 70), (4, 3, 5)",
    "orders": "(1, 1, 10, 'open'), (2, 1, 20, 'done'), (3, 2, 40, 'done'), (4, 3, 80, 'open')",
    "items": "(1, 1, 'pen', 1), (2, 1, 'ink', 2), (3, 2, 'pen', 4), (4, 2, 'pen', 8),"
    " (5, 4, 'ink', 16)",
    "payments": "(1, 1, 5), (2, 1, 5), (3, 2, 20), (4, 4, 30), (5, 4, 50)",
}
KEYS = {("regions", "region_id"), ("clients", "client_id"), ("orders", "order_id")}
KEYS |= {("items", "item_id"), ("payments", "payment_id")}
CLIENTS = "clients JOIN regions ON clients.region_id = regions.region_id"
ORDERS = "orders JOIN clients ON orders.client_id = clients.client_id"
ITEMS = "orders JOIN items ON items.order_id = orders.order_id"


@pytest.fixture(scope="module")
def store() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect()
    for name, columns in TABLES.items():
        made.execute(f"create table {name} {columns}")
        made.execute(f"insert into {name} values {ROWS[name]}")
    return made


@pytest.fixture(scope="module")
def catalog(store: duckdb.DuckDBPyConnection) -> Catalog:
    tables = []
    for name in TABLES:
        columns = [row[0] for row in store.execute(f"describe {name}").fetchall()]
        seen = tuple(CatalogColumn(one, one, one, Role.DIMENSION) for one in columns)
        tables.append(CatalogTable(name, name, seen))
    return Catalog(tuple(tables))


def rewritten(sql: str, catalog: Catalog) -> str | None:
    return at_own_grain(sql, catalog, lambda table, column: (table, column) in KEYS)


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        # a table that nothing needs is left out
        (f"SELECT sum(orders.amount) FROM {ITEMS}", [(150,)]),
        # a condition on the many side takes each row once, whatever number of rows meet it
        (f"SELECT sum(orders.amount) AS s FROM {ITEMS} WHERE items.product = 'pen'", [(30,)]),
        (
            (f"SELECT sum(orders.amount) FROM {ITEMS} WHERE items.product = 'pen'"
            " AND items.pieces > 1 AND orders.state = 'done'"),
            [(20,)],
        ),
        # two measures of two grains, in all and by what both lead to
        (f"SELECT sum(orders.amount) AS a, sum(items.pieces) AS p FROM {ITEMS}", [(150, 31)]),
        (
            ("SELECT regions.region, sum(orders.amount) AS a, sum(items.pieces) AS p, count(*) AS n"
            f" FROM {ORDERS} JOIN items ON items.order_id = orders.order_id"
            " JOIN regions ON clients.region_id = regions.region_id"
            " GROUP BY regions.region ORDER BY a DESC"),
            [("south", 80, 16, 1), ("north", 70, 15, 4)],
        ),
        # two many sides of one table, each of which repeats the other
        (
            ("SELECT orders.state, sum(items.pieces) AS p, sum(payments.paid) AS paid FROM orders"
            " JOIN items ON items.order_id = orders.order_id"
            " JOIN payments ON payments.order_id = orders.order_id"
            " GROUP BY orders.state ORDER BY orders.state"),
            [("done", 12, 20), ("open", 19, 90)],
        ),
        # a ratio of two grains; groups that one grain alone has
        (
            ("SELECT clients.client_id, sum(clients.credit) AS c, count(orders.order_id) AS n"
            f" FROM {ORDERS} GROUP BY clients.client_id ORDER BY 1"),
            [(1, 100, 2), (2, 50, 1), (3, 70, 1), (4, 5, 0)],
        ),
        (
            f"SELECT 1.0 * sum(items.pieces) / sum(orders.amount) AS share FROM {ITEMS}",
            [(pytest.approx(31 / 150),)],
        ),
        # conditions on groups, the first of them
        (
            ("SELECT orders.state, sum(orders.amount) AS a, sum(items.pieces) AS p"
            f" FROM {ITEMS} GROUP BY orders.state HAVING sum(items.pieces) > 12"
            " ORDER BY sum(orders.amount) DESC LIMIT 1"),
            [("open", 90, 19)],
        ),
        # groups without a name meet as well
        (
            ("SELECT regions.region, sum(clients.credit) AS c, sum(orders.amount) AS a"
            f" FROM {CLIENTS} JOIN orders ON orders.client_id = clients.client_id"
            " GROUP BY regions.region ORDER BY c"),
            [(None, 5, None), ("south", 70, 80), ("north", 150, 70)],
        ),
        # columns that no table is written before
        (f"SELECT state, sum(amount) AS a FROM {ITEMS} GROUP BY state ORDER BY a",
         [("done", 60), ("open", 90)]),
    ],
)  # fmt: skip
def test_each_measure_is_added_up_at_its_own_grain(
    store: duckdb.DuckDBPyConnection, catalog: Catalog, sql: str, rows: list[tuple[object, ...]]
) -> None:
    made = rewritten(sql, catalog)
    assert made is not None
    assert store.execute(made).fetchall() == rows
    assert store.execute(sql).fetchall() != rows, "the case shows nothing"


@pytest.mark.parametrize(
    "sql",
    [
        # nothing is repeated, or may be
        "SELECT sum(amount) FROM orders",
        f"SELECT sum(items.pieces), count(*) FROM {ITEMS}",
        f"SELECT max(orders.amount), count(DISTINCT orders.order_id) FROM {ITEMS}",
        # an order belongs to several products: there is no right sum of orders by product
        f"SELECT items.product, sum(orders.amount) FROM {ITEMS} GROUP BY items.product",
        # what is not understood is left to the checks
        ("SELECT sum(orders.amount) FROM orders LEFT JOIN items ON items.order_id = orders.order_id"
        " WHERE items.item_id IS NULL"),
        "SELECT sum(orders.amount) FROM orders, items WHERE items.order_id = orders.order_id",
        f"SELECT sum(orders.amount) OVER () FROM {ITEMS}",
        f"SELECT DISTINCT sum(orders.amount) FROM {ITEMS}",
        f"SELECT sum(orders.amount) FROM {ITEMS} WHERE items.pieces > (SELECT 1)",
        "SELECT FROM WHERE",
    ],
)  # fmt: skip
def test_other_statements_stay_as_they_are(catalog: Catalog, sql: str) -> None:
    assert rewritten(sql, catalog) is None
