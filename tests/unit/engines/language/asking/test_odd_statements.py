"""What a model may write, however odd, is read, ruled out or offered; it never ends a question."""

from dataclasses import replace
from functools import partial

import pytest
from tests.unit.engines.language.llm.made import view

from modelwright.engines.language.arbiter.arbiter import Answer, Arbiter, Choices, Refused
from modelwright.engines.language.arbiter.results import Result
from modelwright.engines.language.bindings import bindings
from modelwright.engines.language.checks import checking
from modelwright.engines.language.checks.words import QuestionWords
from modelwright.engines.language.conversation.reader import ConversationReader
from modelwright.engines.language.llm.names import UnreadableSql, restored
from modelwright.engines.language.readers import Candidate, Exchange
from modelwright.engines.sql import failures
from modelwright.engines.sql.statement_validation import validate_statement

from .conftest import Data, Open

QUESTION = "total amount by status of orders with more than 2 items in 2024"
DEEP = 15
ODD = (
    "SELECT o.amount FROM orders AS o JOIN items AS o ON o.order_id = o.order_id",
    "SELECT amount FROM orders, orders",
    "SELECT amount FROM orders JOIN orders ON true",
    "SELECT (SELECT a.amount FROM orders a, items a) FROM orders",
    "WITH a AS (SELECT 1 AS amount), a AS (SELECT 2 AS amount) SELECT amount FROM a",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT * FROM n",
    "WITH orders AS (SELECT * FROM orders) SELECT amount FROM orders",
    "WITH a AS (SELECT * FROM b), b AS (SELECT * FROM a) SELECT * FROM a",
    "FROM orders",
    "FROM orders SELECT status, sum(amount) GROUP BY ALL ORDER BY ALL",
    "SELECT * EXCLUDE (amount) FROM orders",
    "SELECT * REPLACE (amount * 2 AS amount) FROM orders",
    "SELECT COLUMNS('am.*') FROM orders",
    "SELECT orders.* FROM orders JOIN items USING (order_id)",
    "SELECT x.* FROM orders",
    "SELECT nothing FROM orders",
    "SELECT amount FROM nowhere",
    "SELECT amount + order_id + discount_pct FROM orders",
    "SELECT sum(amount + discount_pct + 1) FROM orders GROUP BY status",
    "SELECT amount - order_id - discount_pct, amount * 2 * 3, amount / 2 / 3 FROM orders",
    "SELECT 1 + 2 + 3, (amount + 1) + (amount + 2) + (amount + 3) FROM orders",
    "SELECT status || status || status FROM orders",
    "SELECT * FROM orders WHERE amount + order_id + discount_pct > 3",
    "SELECT * FROM orders WHERE status = 'open' OR amount > 2 OR amount < 1 OR status IS NULL",
    "SELECT sum(amount) / count(*) / count(DISTINCT status) FROM orders",
    "SELECT count(status) / count(DISTINCT status) / 2 FROM orders",
    "SELECT amount",
    "SELECT 1",
    "VALUES (1, 2), (3, 4)",
    "TABLE orders",
    "(SELECT amount FROM orders)",
    "((SELECT amount FROM orders) UNION (SELECT quantity FROM items))",
    "SELECT amount FROM orders UNION BY NAME SELECT quantity FROM items",
    "SELECT amount FROM orders EXCEPT ALL SELECT quantity FROM items",
    "SELECT amount FROM (SELECT amount FROM orders)",
    "SELECT * FROM (orders JOIN items USING (order_id))",
    "SELECT * FROM orders NATURAL JOIN items",
    "SELECT * FROM orders POSITIONAL JOIN items",
    "SELECT * FROM orders ASOF JOIN items ON orders.order_id >= items.order_id",
    "SELECT * FROM orders SEMI JOIN items USING (order_id)",
    "SELECT * FROM orders ANTI JOIN items ON items.order_id = orders.order_id",
    (
        "SELECT * FROM orders LEFT JOIN LATERAL (SELECT max(quantity) q FROM items i"
        " WHERE i.order_id = orders.order_id) ON true"
    ),
    "SELECT unnest([1, 2, 3]) AS i, amount FROM orders",
    "SELECT u FROM unnest([1, 2]) AS t(u)",
    "SELECT range FROM range(5)",
    "SELECT {'a': amount}.a FROM orders",
    "SELECT list_transform([amount], x -> x + 1) FROM orders",
    "SELECT list(amount ORDER BY amount)[1] FROM orders",
    "SELECT amount::decimal(9,2)::varchar || status FROM orders",
    "SELECT sum(amount) FILTER (WHERE status = 'open') FROM orders",
    "SELECT sum(amount) OVER w FROM orders WINDOW w AS (PARTITION BY status ORDER BY 1)",
    "SELECT status FROM orders QUALIFY row_number() OVER (PARTITION BY status ORDER BY amount) = 1",
    "SELECT status, sum(amount) FROM orders GROUP BY GROUPING SETS ((status), ())",
    "SELECT status, sum(amount) FROM orders GROUP BY CUBE (status, gift) HAVING count(*) > 2",
    "SELECT status, sum(amount) FROM orders GROUP BY 9",
    "SELECT status FROM orders ORDER BY 9 LIMIT 3",
    "SELECT status FROM orders LIMIT 50%",
    "SELECT status FROM orders USING SAMPLE 3",
    "SELECT status FROM orders TABLESAMPLE 10%",
    "SELECT DISTINCT ON (status) status, amount FROM orders ORDER BY status, amount",
    "PIVOT orders ON status USING sum(amount)",
    "SELECT * FROM orders PIVOT (sum(amount) FOR status IN ('open', 'paid'))",
    "UNPIVOT orders ON amount, discount_pct INTO NAME n VALUE v",
    "SELECT CASE status WHEN 'open' THEN 1 END FROM orders",
    "SELECT amount FROM orders WHERE (status, gift) IN (('open', 'yes'))",
    "SELECT amount FROM orders WHERE (status, gift) = ('open', 'yes')",
    "SELECT amount FROM orders WHERE status IN (SELECT status FROM orders)",
    "SELECT amount FROM orders WHERE amount > ALL (SELECT quantity FROM items)",
    "SELECT amount FROM orders WHERE status SIMILAR TO 'o.*' AND status NOT ILIKE '%x'",
    "SELECT amount FROM orders WHERE order_date BETWEEN SYMMETRIC DATE '2024-12-31' AND '2024-1-1'",
    "SELECT amount FROM orders WHERE order_date = '2024-02-31'",
    "SELECT amount FROM orders WHERE extract(year FROM order_date) = 99999999999999999999",
    "SELECT amount FROM orders WHERE order_date > now() - INTERVAL 999999 YEAR",
    "SELECT amount FROM orders WHERE amount > 1e999 OR amount = 'NaN'::double",
    "SELECT amount FROM orders WHERE status = $1 AND gift = ? AND agent = :name",
    "SELECT amount FROM orders WHERE status = 'it''s' || e'\\n' || $$x$$",
    'SELECT "amount", "no "" such" FROM "orders"',
    'SELECT "" FROM orders',
    "SELECT amount AS status, status AS amount FROM orders ORDER BY status",
    "SELECT amount AS a, a + 1 AS b, b + 1 AS a FROM orders",
    "SELECT main.orders.amount FROM main.orders",
    "SELECT memory.main.orders.amount FROM memory.main.orders",
    "SELECT a.b.c.d.e FROM orders",
    "SELECT count(*), count(DISTINCT (status, gift)) FROM orders",
    "SELECT count(DISTINCT orders) FROM orders",
    "SELECT orders FROM orders",
    "SELECT sum(sum(amount)) FROM orders",
    "SELECT sum(*) FROM orders",
    "SELECT no_such_function(amount, *) FROM orders",
    "SELECT amount FROM 'orders.parquet'",
    "SELECT amount FROM read_csv('/etc/passwd')",
    "SELECT amount FROM orders -- and a comment",
    "SELECT /* amount */ amount /* FROM items */ FROM orders",
    "SELECT amount FROM orders; SELECT quantity FROM items",
    "INSERT INTO orders SELECT * FROM orders",
    "DELETE FROM orders",
    "WITH gone AS (DELETE FROM orders RETURNING *) SELECT * FROM gone",
    "SET threads = 1",
    "EXPLAIN SELECT amount FROM orders",
    "DESCRIBE orders",
    "SUMMARIZE orders",
    "SELECT",
    "SELECT amount FROM orders WHERE",
    "SELECT (((amount FROM orders",
    "no sql at all",
    "",
    ";",
    "\x00",
    "SELECT '\ud83d\ude00', amount FROM orders".encode("utf-16", "surrogatepass").decode("utf-16"),
    "SELECT " + "(" * DEEP + "amount" + ")" * DEEP + " FROM orders",
    "SELECT amount FROM orders WHERE " + " OR ".join(f"amount = {i}" for i in range(50)),
    "SELECT amount FROM " + "(SELECT * FROM " * DEEP + "orders" + ")" * DEEP,
    "SELECT " + "-" * 5000 + "1",
    "SELECT " + "NOT " * 3000 + "true",
)


def allowed(data: Data, sql: str) -> Result:
    """Runs what the sandbox would run, and tells why not of all else."""
    try:
        return data.run(validate_statement(sql, [one.name for one in data.tables], data.store))
    except failures.Refused as why:
        return Result(error=str(why))


def test_is_checked(shop: Open) -> None:
    data = shop("orders", "items")
    request = data.request(QUESTION)
    said = QuestionWords(request)
    for sql in ODD:
        assert isinstance(checking.check(sql, request), list), sql
        used = checking.used_columns(sql, data.catalog)
        assert used >= checking.tested_columns(sql, said), sql


def test_is_given_real_names_or_refused() -> None:
    given = []
    for sql in ODD:
        try:
            given.append(restored(sql, view()))
        except UnreadableSql:
            continue
    assert "SELECT amount FROM nowhere" in given


@pytest.mark.parametrize("names", [("orders",), ("orders", "items")])
def test_ends_in_a_decision(shop: Open, names: tuple[str, ...]) -> None:
    data = shop(*names)
    request = data.request(QUESTION)
    for sql in ODD:
        outcomes = [Candidate(sql, "a model", min_logprob=-0.01)]
        decision = Arbiter().decide(request, outcomes, partial(allowed, data))
        assert isinstance(decision, Answer | Choices | Refused), sql


def test_teaches_nothing_that_it_does_not_say(shop: Open) -> None:
    data = shop("orders", "items")
    request = data.request(QUESTION)
    for sql in ODD:
        assert isinstance(bindings(request, sql, data.linker), list), sql


def test_is_changed_by_a_second_turn_or_left(shop: Open) -> None:
    data = shop("orders", "items")
    reader = ConversationReader(data.linker, [data.rules(), data.grammar()])
    for sql in ODD[::3]:
        turn = (Exchange("total amount by status in 2024", sql),)
        request = replace(data.request("total amount by status in 2025"), conversation=turn)
        assert reader.read(request), sql
