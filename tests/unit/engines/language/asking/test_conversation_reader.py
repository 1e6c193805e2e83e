"""What is said after an answer, read as a change of one part of the statement that answered."""

from dataclasses import replace

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Arbiter, Choices, Decision
from modelwright.engines.language.arbiter.results import same_result
from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code
from modelwright.engines.language.conversation.changes.conditions import drop
from modelwright.engines.language.conversation.follow_up import compile_follow_up
from modelwright.engines.language.conversation.parts import changed_parts
from modelwright.engines.language.conversation.reader import ConversationReader
from modelwright.engines.language.conversation.statement import AnsweredStatement, NoPlaceError
from modelwright.engines.language.readers import (
    Candidate,
    Cannot,
    Exchange,
    Outcome,
    Reader,
    ReadRequest,
)

from .conftest import TODAY, Data, Make, Open

TOTAL = "total amount by status"
BY_STATUS = 'SELECT "status", sum("amount") AS "total_amount" FROM "orders" GROUP BY "status"'
OFTEN = "SELECT agent, count(*) FROM orders GROUP BY 1 HAVING count(*) > 30"
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
    ("total amount in 2024",
     ("SELECT sum(amount) FROM orders WHERE order_date >= TIMESTAMP '2024-01-01 00:00:00'"
     " AND order_date < TIMESTAMP '2025-01-01 00:00:00'"),
     "and 2025?", f"select sum(amount) from orders where {DAYS_OF_2025}"),
    ("how many orders did we get in 2024", f"SELECT count(*) FROM orders WHERE {IN_2024}",
     "how many of those were cancelled",
     f"select count(*) from orders where {IN_2024} and status = 'cancelled'"),
    ("orders above 150", "SELECT * FROM orders WHERE amount > 150",
     "how many are there?", "select count(*) from orders where amount > 150"),
    ("orders with discount pct over 3 in March",
     "SELECT * FROM orders WHERE discount_pct > 3 AND month(order_date) IN (3)", "and in April?",
     "select * from orders where discount_pct > 3 and month(order_date) = 4"),
    ("how many open orders", "SELECT count(*) FROM orders WHERE status = 'open'", "list them",
     "select * from orders where status = 'open'"),
    ("number of orders by status", "SELECT status, count(*) FROM orders GROUP BY 1", "in per cent",
     "select status, 100.0 * count(*) / 240 from orders group by 1"),
    ("largest order", "SELECT * FROM orders ORDER BY amount DESC LIMIT 1", "and the smallest?",
     "select * from orders order by amount limit 1"),
    ("total amount for Bob", "SELECT sum(amount) FROM orders WHERE agent = 'Bob'",
     "for all agents", "select sum(amount) from orders"),
    ("total amount by status and agent",
     "SELECT status, agent, sum(amount) FROM orders GROUP BY 1, 2", "just by status",
     "select status, sum(amount) from orders group by 1"),
    ("total amount for Bob or open orders",
     "SELECT sum(amount) FROM orders WHERE agent = 'Bob' OR status = 'open'", "only in 2024",
     f"select sum(amount) from orders where (agent = 'Bob' or status = 'open') and {IN_2024}"),
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
        ("number of orders by agent with more than 30 orders", OFTEN, "in per cent"),
        ("total amount for Ann", "SELECT sum(amount) FROM orders WHERE agent = 'Ann'", "vs Bob"),
        ("total amount in 2024", f"SELECT sum(amount) FROM orders WHERE {IN_2024}", "vs 2025"),
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


def decide(data: Data, earlier: str, sql: str, said: str) -> tuple[Decision, Outcome]:
    """Decides on a turn that is said after an answer, as the product does."""
    whole = compile_follow_up(earlier, said, data.linker, TODAY) or said
    request = replace(data.request(whole), conversation=(Exchange(earlier, sql),))
    built_in: list[Reader] = [data.rules(), data.grammar()]
    (read,) = ConversationReader(data.linker, built_in).read(request)
    outcomes = [one for reader in built_in for one in reader.read(request)]
    return Arbiter().decide(request, [*outcomes, read], data.run), read


MARCH = "how many orders in March 2024"
IN_MARCH = "SELECT count(*) FROM orders WHERE year(order_date) = 2024 AND month(order_date) = 3"
BOB = "total amount for Bob"
TOP_AGENTS = "top 2 agents by amount"
BY_AGENT = "SELECT agent, sum(amount) AS s FROM orders GROUP BY 1"
OF_2025 = "order_date >= '2025-04-01' and order_date < '2025-05-01'"
MOMENTS = "BETWEEN '2024-01-01' AND '2024-12-31 23:59:59'"
TO_CUSTOMERS = "JOIN customers ON orders.customer_id = customers.customer_id"
BY_TWO = "total amount by agent and status"

LOSSES = {
    "a number of another column": (
        "orders", "orders with discount pct over 3 in March",
        "SELECT * FROM orders WHERE discount_pct > 3 AND month(order_date) IN (3)",
        "orders with discount pct over 3 in April",
        "select * from orders where discount_pct > 3 and month(order_date) = 4",
    ),
    "a day that is numbered as the month": (
        "orders", "how many orders on day 3 in March",
        "SELECT count(*) FROM orders WHERE day(order_date) = 3 AND month(order_date) = 3",
        "how many orders on day 3 in April",
        "select count(*) from orders where day(order_date) = 3 and month(order_date) = 4",
    ),
    "a month beside its year": (
        "orders", MARCH, IN_MARCH, "and in April 2025?",
        f"select count(*) from orders where {OF_2025}",
    ),
    "the last moment of a period": (
        "orders", "how many orders in 2024",
        f"SELECT count(*) FROM orders WHERE order_date {MOMENTS}", "and in 2025?",
        "select count(*) from orders where year(order_date) = 2025",
    ),
    "a figure of a condition on groups": (
        "orders", "total amount by agent with total amount over 2000",
        "SELECT agent, sum(orders.amount) FROM orders GROUP BY 1 HAVING sum(orders.amount) > 2000",
        "the average?",
        "select agent, avg(amount) from orders group by 1 having sum(amount) > 2000",
    ),
    "the second of two values": (
        "orders", BOB, "SELECT sum(amount) FROM orders WHERE agent = 'Bob'",
        "total amount for Ann and Cy",
        "select sum(amount) from orders where agent in ('Ann', 'Cy')",
    ),
    "the other side of OR": (
        "orders", "total amount for Bob or open",
        "SELECT sum(amount) FROM orders WHERE (agent = 'Bob' OR status = 'open')",
        "for all agents", "select sum(amount) from orders where status = 'open'",
    ),
    "what the first are counted of": (
        "orders", TOP_AGENTS, f"{BY_AGENT} ORDER BY s DESC LIMIT 2", "top 3 customer id by amount",
        "select customer_id, sum(amount) s from orders group by 1 order by s desc limit 3",
    ),
    "the other group": (
        "orders", BY_TWO, "SELECT agent, status, sum(amount) FROM orders GROUP BY 1, 2",
        "total amount by gift and status",
        "select gift, status, sum(amount) from orders group by 1, 2",
    ),
    "a figure within a sum of figures": (
        "orders", TOTAL, "SELECT status, sum(amount) / 12 FROM orders GROUP BY 1",
        "what about the average?", "select status, avg(amount) from orders group by 1",
    ),
    "rows of the first table": (
        "orders customers", "how many customers with orders",
        f"SELECT count(customers.customer_id) FROM orders {TO_CUSTOMERS}", "list them",
        "select name from customers where customer_id in (select customer_id from orders)",
    ),
    "rows without what was counted": (
        "orders", "how many orders with an agent", "SELECT count(agent) FROM orders", "list them",
        "select * from orders where agent is not null",
    ),
    "a value that is compared in small letters": (
        "orders", BOB, "SELECT sum(amount) FROM orders WHERE lower(agent) = 'bob'", "and for Ann?",
        "select sum(amount) from orders where agent = 'Ann'",
    ),
    "an order by another amount": (
        "orders", TOTAL, BY_STATUS, "sorted by discount pct", "select null",
    ),
}  # fmt: skip
"""What a change of one part would lose: tables, question, its SQL, what is said, what is right."""


@pytest.mark.parametrize("loss", LOSSES)
def test_nothing_is_lost_in_silence(shop: Open, loss: str) -> None:
    tables, earlier, sql, said, right = LOSSES[loss]
    data = shop(*tables.split())
    decision, read = decide(data, earlier, sql, said)
    if isinstance(decision, Answer):
        assert same_result(decision.reading.result, data.run(right)), decision.reading.best.sql
    if isinstance(read, Candidate):
        assert same_result(data.run(read.sql), data.run(right)), read.sql


def test_a_condition_is_dropped_with_all_its_values(shop: Open) -> None:
    data = shop("orders")
    both = "SELECT sum(amount) FROM orders WHERE agent IN ('Bob', 'Ann') AND status = 'open'"
    earlier = "total amount for Bob and Ann of open orders"
    statement = AnsweredStatement(both, data.catalog)
    (part,) = changed_parts(earlier, "total amount of open orders", data.linker, TODAY)
    assert drop(statement, part, no_probe) is not None
    wanted = data.run("select sum(amount) from orders where status = 'open'")
    assert same_result(data.run(statement.sql()), wanted)

    (less,) = changed_parts(earlier, earlier.replace("for Bob and ", ""), data.linker, TODAY)
    with pytest.raises(NoPlaceError):
        drop(AnsweredStatement(both, data.catalog), less, no_probe)


def no_probe(*_: str) -> AnsweredStatement:
    raise AssertionError


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("WHERE amount > 100", "WHERE amount < 100", "only orders with amount over 100"),
        ("WHERE agent = 'Bob'", "WHERE agent <> 'Bob'", "only Bob"),
        ("GROUP BY agent", "GROUP BY gift", "by agent"),
    ],
)
def test_readers_that_contradict_each_other_read_nothing(
    shop: Open, one: str, other: str, said: str
) -> None:
    data = shop("orders")
    whole = compile_follow_up(TOTAL, said, data.linker, TODAY) or ""
    request = replace(data.request(whole), conversation=(Exchange(TOTAL, BY_STATUS),))
    readers = [Saying(f"SELECT count(*) FROM orders {each}") for each in (one, other)]
    (outcome,) = ConversationReader(data.linker, readers).read(request)
    assert isinstance(outcome, Cannot), outcome
    assert "several ways" in outcome.reason
    (alike,) = ConversationReader(data.linker, [readers[0], readers[0]]).read(request)
    assert isinstance(alike, Candidate), alike


class Saying:
    """A reader that reads every question as one statement."""

    name = "saying"

    def __init__(self, sql: str) -> None:
        self._sql = sql

    def read(self, _: ReadRequest) -> list[Outcome]:
        return [Candidate(self._sql, self.name)]


@pytest.mark.parametrize("is_chosen", [True, False])
def test_two_readers_that_agree_on_another_reading_are_offered_beside_it(
    shop: Open, is_chosen: bool
) -> None:
    """None of both is answered, whichever is likelier by its findings."""
    data = shop("orders")
    chosen = "SELECT status, median(amount) AS usual FROM orders GROUP BY 1"
    whole = "total amount of Bob by status"
    request = data.request(whole)
    request = replace(request, conversation=(Exchange(TOTAL, chosen),) if is_chosen else ())
    kept = "SELECT status, median(amount) AS usual FROM orders WHERE agent = 'Bob' GROUP BY 1"
    anew = "SELECT status, sum(amount) FROM orders WHERE agent = 'Bob' GROUP BY 1"
    outcomes = [Candidate(anew, "rules", confidence=1.0), Candidate(anew, "grammar")]
    if is_chosen:
        outcomes.append(Candidate(kept, "conversation"))
    decision = Arbiter(0.5).decide(request, outcomes, data.run)
    if not is_chosen:
        assert isinstance(decision, Answer), decision
        return
    assert isinstance(decision, Choices), decision
    assert {"conversation"} in [set(one.read_by) for one in decision.readings]
    assert {"rules", "grammar"} in [set(one.read_by) for one in decision.readings]


def test_what_goes_on_from_a_choice_that_was_not_taken_is_left_out(shop: Open) -> None:
    data = shop("orders")
    kept = "SELECT status, median(amount) AS usual FROM orders WHERE agent = 'Bob' GROUP BY 1"
    anew = "SELECT status, sum(amount) FROM orders WHERE agent = 'Bob' GROUP BY 1"
    other = "SELECT status, max(amount) FROM orders WHERE agent = 'Bob' GROUP BY 1"
    request = replace(
        data.request("total amount of Bob by status"), conversation=(Exchange(TOTAL, BY_STATUS),)
    )
    outcomes = [Candidate(kept, "conversation"), Candidate(anew, "rules", confidence=1.0),
                Candidate(anew, "grammar")]  # fmt: skip
    arbiter = Arbiter()
    answered = arbiter.decide(request, outcomes, data.run, [anew])
    assert isinstance(answered, Answer), answered
    assert answered.reading.best.sql == kept
    assert isinstance(arbiter.decide(request, outcomes, data.run, [other]), Choices)


@pytest.mark.parametrize(
    ("turned_down", "kind"), [(None, Choices), ([], Answer)], ids=["none offered", "the only one"]
)
def test_what_goes_on_from_a_choice_in_doubt_that_was_taken_is_answered(
    shop: Open, monkeypatch: pytest.MonkeyPatch, turned_down: list[str] | None, kind: type
) -> None:
    data = shop("orders")
    monkeypatch.setattr(Arbiter, "least", lambda *_: 1.0)  # nothing is sure enough by itself
    kept = "SELECT status, median(amount) AS usual FROM orders WHERE agent = 'Bob' GROUP BY 1"
    request = data.request("total amount of Bob by status")
    request = replace(request, conversation=(Exchange(TOTAL, BY_STATUS),))
    kept_alone = [Candidate(kept, "conversation")]
    decision = Arbiter().decide(request, kept_alone, data.run, turned_down)
    assert isinstance(decision, kind)


@pytest.mark.parametrize("figure", ["median", "stddev", "sum", "avg"])
def test_a_figure_over_rows_that_a_join_repeats_is_a_fault(shop: Open, figure: str) -> None:
    data = shop("orders", "items")
    joined = "FROM orders LEFT JOIN items ON items.order_id = orders.order_id"
    found = check(f"SELECT {figure}(orders.amount) {joined}", data.request(f"{figure} amount"))
    assert Code.FAN_OUT in {one.code for one in found}
    harmless = check(f"SELECT max(orders.amount) {joined}", data.request("max amount"))
    assert Code.FAN_OUT not in {one.code for one in harmless}


def test_an_amount_that_looks_like_the_year_stays(shop: Open) -> None:
    sql = f"SELECT count(*) FROM orders WHERE amount < 2024 AND {IN_2024}"
    read = follow(shop("orders"), "how many orders with amount under 2024 in 2024", sql, "in 2025")
    assert isinstance(read, Candidate), read
    assert '"amount" < 2024 AND YEAR("orders"."order_date") = 2025' in read.sql


def test_what_is_added_is_read_of_the_rows_that_are_told(shop: Open) -> None:
    """A year after visits by guest is a year of visits, not one in which a guest was born."""
    data = shop("guests", "visits")
    sql = "SELECT g.name, sum(v.fee) FROM guests g JOIN visits v USING (guest_id) GROUP BY 1"
    assert AnsweredStatement(sql, data.catalog).finest == "visits"
    joined = sql.replace("USING (guest_id)", "ON v.guest_id = g.guest_id")
    one = follow(data, "total fee by name", joined, "only in 2024")
    assert isinstance(one, Candidate)
    assert "2024-01-01" in one.sql
    assert "born_on" not in one.sql


FELLED = {
    "felled": """
        select i as tree_id, case when i % 4 = 0 then null else 1 + i % 3 end as species_id,
        1 + i % 2 as crew_id, (1 + i % 7)::double as volume from range(1, 61) t(i)""",
    "species": """
        select i as species_id, ['oak', 'elm', 'ash'][i] as species from range(1, 4) t(i)""",
    "crews": "select i as crew_id, ['north', 'south'][i] as crew from range(1, 3) t(i)",
}
BY_SPECIES = "SELECT species, sum(volume) FROM {} GROUP BY species"
TO_SPECIES = "JOIN {} ON felled.species_id = species.species_id"


@pytest.mark.parametrize(
    "read_from",
    [f"felled {TO_SPECIES.format('species')}", f"species {TO_SPECIES.format('felled')}"],
)
def test_a_table_that_was_only_grouped_by_is_left_with_its_group(
    make: Make, read_from: str
) -> None:
    """Else trees of no known species would be left out of those of a crew."""
    data = make(FELLED)
    earlier = "total volume by species"
    read = follow(data, earlier, BY_SPECIES.format(read_from), "by crew")
    wanted = "select crew, sum(volume) from felled join crews using (crew_id) group by 1"
    assert isinstance(read, Candidate), read
    assert same_result(data.run(read.sql), data.run(wanted)), read.sql


@pytest.mark.parametrize(
    "read_from", ["felled LEFT JOIN species ON felled.species_id = species.species_id", "felled"]
)
def test_a_join_that_leaves_no_row_out_stays(make: Make, read_from: str) -> None:
    data = make(FELLED)
    statement = AnsweredStatement(f"SELECT sum(felled.volume) FROM {read_from}", data.catalog)
    before = statement.sql()
    statement.leave({"species", "felled"})
    assert statement.sql() == before
