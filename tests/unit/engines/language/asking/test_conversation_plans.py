"""What is said after an answer, read as a change of one part of the statement that answered."""

from dataclasses import replace

import pytest

from modelwright.engines.language.arbiter.results import same_result
from modelwright.engines.language.conversation import compile_follow_up
from modelwright.engines.language.conversation_parts import changed_parts
from modelwright.engines.language.conversation_plans import ConversationReader
from modelwright.engines.language.readers import Candidate, Cannot, Exchange, Outcome

from .conftest import TODAY, Data, Open

TOTAL = "total amount by status"
BY_STATUS = 'SELECT "status", sum("amount") AS "total_amount" FROM "orders" GROUP BY "status"'
IN_2024 = "year(order_date) = 2024"
DAYS_OF_2024 = "order_date >= DATE '2024-01-01' AND order_date < DATE '2025-01-01'"
DAYS_OF_2025 = DAYS_OF_2024.replace("2025-", "2026-").replace("2024-", "2025-")


def follow(data: Data, earlier: str, sql: str, said: str) -> Outcome:
    """Reads a turn that is said after an answer."""
    whole = compile_follow_up(earlier, said, data.linker, TODAY)
    assert whole is not None
    request = replace(data.request(whole), conversation=(Exchange(earlier, sql),))
    reader = ConversationReader(data.linker, [data.rules(), data.grammar()])
    (outcome,) = reader.read(request)
    return outcome


CHANGES = [
    (TOTAL, BY_STATUS, "only Bob",
     "select status, sum(amount) from orders where agent = 'Bob' group by 1"),
    (TOTAL, BY_STATUS, "and in 2024?",
     f"select status, sum(amount) from orders where {IN_2024} group by 1"),
    (TOTAL, BY_STATUS, "only orders with amount over 100",
     "select status, sum(amount) from orders where amount > 100 group by 1"),
    (TOTAL, BY_STATUS, "what about the average?",
     "select status, avg(amount) from orders group by 1"),
    (TOTAL, BY_STATUS, "average discount pct instead",
     "select status, avg(discount_pct) from orders group by 1"),
    (TOTAL, BY_STATUS, "by agent", "select agent, sum(amount) from orders group by 1"),
    (TOTAL, BY_STATUS, "and by agent too",
     "select status, agent, sum(amount) from orders group by 1, 2"),
    (TOTAL, BY_STATUS, "top 2 only",
     "select status, sum(amount) s from orders group by 1 order by s desc limit 2"),
    ("total amount for Bob", "SELECT sum(amount) FROM orders WHERE agent = 'Bob'",
     "and for Ann?", "select sum(amount) from orders where agent = 'Ann'"),
    ("total amount in 2024", f"SELECT sum(amount) FROM orders WHERE {DAYS_OF_2024}",
     "and 2025?", f"select sum(amount) from orders where {DAYS_OF_2025}"),
    ("total amount in 2024", f"SELECT sum(amount) FROM orders WHERE {IN_2024}",
     "the year before", "select sum(amount) from orders where year(order_date) = 2023"),
    ("orders above 150", "SELECT * FROM orders WHERE amount > 150",
     "how many are there?", "select count(*) from orders where amount > 150"),
    ("top 5 agents by amount",
     "SELECT agent, sum(amount) s FROM orders GROUP BY 1 ORDER BY s DESC LIMIT 5",
     "make it 2", "select agent, sum(amount) s from orders group by 1 order by s desc limit 2"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("earlier", "sql", "said", "right"), CHANGES, ids=[f"{one[0]} … {one[2]}" for one in CHANGES]
)
def test_one_part_is_changed(shop: Open, earlier: str, sql: str, said: str, right: str) -> None:
    data = shop("orders")
    read = follow(data, earlier, sql, said)
    assert isinstance(read, Candidate), read
    assert same_result(data.run(read.sql), data.run(right)), read.sql


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("only Lyon", "where city = 'Lyon'"),
        ("and in 2024?", f"where {IN_2024}"),
    ],
)
def test_what_was_chosen_before_is_kept(shop: Open, said: str, right: str) -> None:
    """The figure and the key that answered are kept, though the words alone mean others."""
    data = shop("orders", "customers")
    chosen = (
        "SELECT billing_address_id, median(amount) AS usual FROM orders"
        " JOIN customers ON orders.customer_id = customers.customer_id GROUP BY 1"
    )
    read = follow(data, "usual amount by address", chosen, said)
    wanted = (
        "select billing_address_id, median(amount) from orders"
        f" join customers using (customer_id) {right} group by 1"
    )
    assert isinstance(read, Candidate), read
    assert same_result(data.run(read.sql), data.run(wanted)), read.sql


def test_a_condition_on_another_table_joins_it(shop: Open) -> None:
    data = shop("orders", "customers")
    read = follow(data, TOTAL, BY_STATUS, "only customers in Rome")
    wanted = (
        "select status, sum(amount) from orders join customers using (customer_id)"
        " where city = 'Rome' group by 1"
    )
    assert isinstance(read, Candidate), read
    assert same_result(data.run(read.sql), data.run(wanted)), read.sql


@pytest.mark.parametrize(
    ("earlier", "sql", "said"),
    [
        (TOTAL, "", "by agent"),
        (TOTAL, "WITH t AS (SELECT 1) SELECT * FROM t", "by agent"),
        (TOTAL, "SELECT count(*), sum(amount) FROM orders", "what about the average?"),
        (TOTAL, "no SQL at all (", "by agent"),
        ("total amount in 2024", "SELECT sum(amount) FROM orders", "and 2025?"),
        ("total amount for Bob", "SELECT sum(amount) FROM orders", "and for Ann?"),
    ],
)
def test_what_has_no_one_place_is_left_alone(shop: Open, earlier: str, sql: str, said: str) -> None:
    read = follow(shop("orders"), earlier, sql, said)
    assert isinstance(read, Cannot)
    assert read.not_understood


def test_questions_are_compared_word_by_word(shop: Open) -> None:
    linker = shop("orders").linker

    def parts(earlier: str, whole: str) -> list[tuple[str, str]]:
        return [(one.old, one.new) for one in changed_parts(earlier, whole, linker, TODAY)]

    assert parts("total amount of Bob in 2024?", "total amount of Bob in 2025") == [
        ("2024", "2025")
    ]
    assert parts("total amount", "total amount for Bob") == [("", "for Bob")]
    assert parts("Total amount", "total amount?") == []
