"""What verified questions teach of words, and what they do not."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from modelwright.engines.language.bindings import Binding, bindings
from modelwright.engines.language.catalog.meaning import Metric
from modelwright.engines.language.catalog.readings import as_readers_see
from modelwright.engines.language.linking.linking import Linker
from modelwright.engines.language.readers import ReadRequest

Open = Callable[..., Any]


def learnt(shop: Open, tables: str, question: str, sql: str) -> list[Binding]:
    data = shop(*tables.split())
    return bindings(data.request(question), sql, data.linker)


@pytest.mark.parametrize(
    ("tables", "question", "sql", "binding"),
    [
        (
            "orders",
            "total gubbins by status",
            "SELECT status, sum(amount) FROM orders GROUP BY status",
            Binding("orders", "amount", "gubbins"),
        ),
        (
            "orders",
            "total amount by current stage",
            "SELECT status, sum(amount) FROM orders GROUP BY status",
            Binding("orders", "status", "current stage"),
        ),
        (
            "orders",
            "how many settled orders were there in 2024",
            (
                "SELECT count(*) FROM orders WHERE status = 'paid'"
                " AND order_date >= '2024-01-01' AND order_date < '2025-01-01'"
            ),
            Binding("orders", "status", "settled", "paid"),
        ),
        (
            "orders",
            "orders with a bargainlevel of more than 5",
            "SELECT * FROM orders WHERE discount_pct > 5",
            None,  # all columns are shown: none of them is left over
        ),
        (
            "orders customers",
            "total amount by burgh",
            (
                "SELECT c.city, sum(o.amount) FROM orders o JOIN customers c"
                " ON o.customer_id = c.customer_id GROUP BY 1"
            ),
            Binding("customers", "city", "burgh"),
        ),
    ],
)
def test_words_that_nothing_explained_are_bound(
    shop: Open, tables: str, question: str, sql: str, binding: Binding | None
) -> None:
    assert learnt(shop, tables, question, sql) == ([binding] if binding else [])


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        # two columns for one phrase, one column for two phrases
        ("total gubbins by stage", "SELECT status, sum(amount) FROM orders GROUP BY status"),
        ("total bounty per crew of orders", "SELECT agent, sum(amount) FROM orders GROUP BY 1"),
        # every word is explained
        ("total amount by status", "SELECT status, sum(amount) FROM orders GROUP BY status"),
        # a number that nobody named: `large` is no name of the column
        ("number of huge orders", "SELECT count(*) FROM orders WHERE amount > 150"),
        # a value that is part of something computed
        (
            "average spoilage by agent",
            (
                "SELECT agent, avg(CASE WHEN status = 'cancelled' THEN 1 ELSE 0 END) FROM orders"
                " GROUP BY agent"
            ),
        ),
        ("total surplus by agent", "SELECT agent, sum(amount * 0.2) FROM orders GROUP BY agent"),
        # all but a value
        ("number of unsettled orders", "SELECT count(*) FROM orders WHERE status <> 'paid'"),
        # a word that names another column, which the SQL does not use
        ("total discount by status", "SELECT status, sum(amount) FROM orders GROUP BY status"),
        # no SQL at all
        ("total takings by status", "SELECT FROM WHERE"),
    ],
)
def test_nothing_is_bound_where_it_is_not_certain(shop: Open, question: str, sql: str) -> None:
    assert learnt(shop, "orders", question, sql) == []


def test_words_are_bound_to_the_metric_that_is_computed(shop: Open) -> None:
    data = shop("items")
    revenue = Metric("revenue", "items", "sum(quantity * unit_price)")
    catalog = replace(data.catalog, metrics=(revenue,))
    tables, catalog, _ = as_readers_see(data.tables, catalog, {})
    linker = Linker(tables, catalog)
    asked = "turnover by product"
    links = linker.link(asked, data.request(asked).today)
    request = ReadRequest(asked, tables, catalog, data.request(asked).today, links)
    sql = "SELECT product, sum((quantity * unit_price)) FROM items GROUP BY product"
    assert bindings(request, sql, linker) == [Binding("items", "revenue", "turnover")]
