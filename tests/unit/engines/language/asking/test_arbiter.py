"""What questions end in: answers, choices and refusals, and none of them by chance."""

from dataclasses import replace

import pytest

from modelwright.engines.language.arbiter.arbiter import (
    Answer,
    Arbiter,
    Choices,
    Decision,
    Refused,
    wants_samples,
)
from modelwright.engines.language.arbiter.reading import Reading
from modelwright.engines.language.arbiter.results import Result, same_result
from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code
from modelwright.engines.language.readers import Candidate, Cannot, Exchange, Failed, Outcome

from .conftest import Data, Make, Open


def decide(data: Data, question: str, *more: Outcome) -> Decision:
    request = data.request(question)
    read = [*data.rules().read(request), *data.grammar().read(request), *more]
    return Arbiter().decide(request, read, data.run)


def likeliest(decision: Decision) -> Reading:
    """What is answered, or offered first."""
    assert not isinstance(decision, Refused), decision
    return decision.reading if isinstance(decision, Answer) else decision.readings[0]


def rows(decision: Decision) -> list[list[object]]:
    assert isinstance(decision, Answer), decision
    return sorted([list(row) for row in decision.reading.result.rows], key=str)


class TestAnswers:
    @pytest.mark.parametrize(
        ("question", "sql"),
        [
            ("total amount by status", "SELECT status, sum(amount) FROM orders GROUP BY 1"),
            ("how many orders are open", "SELECT count(*) FROM orders WHERE status = 'open'"),
            ("average amount of paid orders", "SELECT avg(amount) FROM orders WHERE status='paid'"),
            ("highest amount", "SELECT max(amount) FROM orders"),
        ],
    )
    def test_what_both_readers_read_alike(self, shop: Open, question: str, sql: str) -> None:
        data = shop("orders")
        wanted = sorted([list(row) for row in data.run(sql).rows], key=str)
        decision = decide(data, question)
        assert rows(decision) == wanted
        assert isinstance(decision, Answer)
        assert set(decision.reading.read_by) == {"rules", "grammar"}

    def test_the_same_question_ends_alike_every_time(self, shop: Open) -> None:
        data = shop("orders")
        first, second = (decide(data, "total amount by status") for _ in range(2))
        assert first == second

    def test_a_reader_that_failed_is_told(self, shop: Open) -> None:
        decision = decide(shop("orders"), "highest amount", Failed("model", "It is away."))
        assert isinstance(decision, Answer)
        assert decision.warnings == ("model: It is away.",)


class TestGrains:
    """What a reader adds up over a join that repeats rows is added up over its own rows."""

    @pytest.mark.parametrize(
        ("question", "read", "right"),
        [
            (
                "total amount of orders with pen",
                (
                    "select sum(orders.amount) from orders join items on items.order_id ="
                    " orders.order_id where items.product = 'pen'"
                ),
                (
                    "select sum(amount) from orders where order_id in"
                    " (select order_id from items where product = 'pen')"
                ),
            ),
            (
                "total amount and total quantity by status",
                (
                    "select orders.status, sum(orders.amount) as a, sum(items.quantity) as q from"
                    " orders join items on items.order_id = orders.order_id group by orders.status"
                ),
                (
                    "select status, sum(amount), sum(q) from orders left join (select order_id,"
                    " sum(quantity) as q from items group by 1) using (order_id) group by status"
                ),
            ),
        ],
    )
    def test_the_result_is_right(self, shop: Open, question: str, read: str, right: str) -> None:
        data = shop("orders", "items")
        assert not same_result(data.run(read), data.run(right))
        (reading,) = Arbiter().judge(
            data.request(question), [Candidate(read, "model", "")], data.run
        )
        assert same_result(reading.result, data.run(right)), reading.best.sql
        assert Code.FAN_OUT not in {one.code for one in reading.findings}

    def test_what_has_no_right_sum_is_a_fault(self, shop: Open) -> None:
        read = (
            "select items.product, sum(orders.amount) from orders join items on items.order_id ="
            " orders.order_id group by items.product"
        )
        data = shop("orders", "items")
        (reading,) = Arbiter().judge(
            data.request("total amount by product"), [Candidate(read, "model", "")], data.run
        )
        assert reading.is_faulty


class TestChoices:
    def test_readings_that_differ(self, shop: Open) -> None:
        other = Candidate("select avg(amount) from orders", "model", "The mean.")
        third = Candidate("select max(amount) from orders", "other model", "The largest.")
        decision = decide(shop("orders"), "how large are the orders", other, third)
        assert isinstance(decision, Choices)
        assert len(decision.readings) > 1
        told = [one.probability for one in decision.readings]
        assert told == sorted(told, reverse=True)

    def test_a_column_taken_by_a_vague_word_is_offered_with_its_rival(self, shop: Open) -> None:
        data = shop("orders")
        request = data.request("how many orders in 2024")
        due = (
            "select count(*) from orders where due_date >= '2024-01-01' and due_date < '2025-01-01'"
        )
        readings = Arbiter().judge(request, [Candidate(due, "model", "By due date.")], data.run)
        assert len(readings) > 1
        assert any("order_date" in one.best.sql for one in readings)

    @pytest.mark.parametrize(
        "question",
        ["average temperature by station", "highest temperature", "temperature on 2025-01-03"],
    )
    def test_columns_that_a_word_names_alike_are_asked_back(
        self, shop: Open, question: str
    ) -> None:
        decision = decide(shop("readings"), question)
        assert isinstance(decision, Choices)
        named = {"min_temp", "mean_temp", "max_temp"}
        told = [{one for one in named if one in each.best.sql} for each in decision.readings]
        assert sorted(told, key=str) == sorted(({one} for one in named), key=str)

    def test_one_of_two_keys_that_nothing_names_is_asked_back(self, shop: Open) -> None:
        decision = decide(shop("trips", "stations"), "number of trips by place")
        assert isinstance(decision, Choices)
        keys = {"origin_id", "destination_id"}
        told = [{one for one in keys if one in each.best.sql} for each in decision.readings]
        assert {"origin_id"} in told
        assert {"destination_id"} in told

    def test_two_that_would_each_be_answered(self, shop: Open) -> None:
        data = shop("items")
        request = data.request("how many pens were ordered")
        rows = Candidate("select count(*) from items where product = 'pen'", "grammar", "Rows.")
        pens = Candidate(
            "select sum(quantity) from items where product = 'pen'",
            "rules",
            "Pens.",
            confidence=1.0,
        )
        judge = Arbiter(0.5)
        assert isinstance(judge.decide(request, [pens], data.run), Answer)
        decision = judge.decide(request, [rows, pens], data.run)
        assert isinstance(decision, Choices)
        assert {one.best.sql for one in decision.readings} == {rows.sql, pens.sql}


class TestMisread:
    """What is known to tell something else is not even offered."""

    @pytest.mark.parametrize(
        ("tables", "question"),
        [
            (("staff",), "staff older than Ben"),
            (("staff",), "staff who earn more than their manager"),
            (("trips", "stations"), "places with no trips"),
            (("trips", "stations"), "trips from Oslo to Molde"),
            (("customers",), "who reports to Customer 12"),
        ],
    )
    def test_is_refused(self, shop: Open, tables: tuple[str, ...], question: str) -> None:
        assert isinstance(decide(shop(*tables), question), Refused)

    def test_by_the_other_key_is_offered_by_the_right_one(self, shop: Open) -> None:
        data = shop("trips", "stations")
        decision = decide(data, "total passengers of trips to Molde")
        right = data.run(
            "select sum(passengers) from trips join stations on destination_id = station_id"
            " where place = 'Molde'"
        )
        told = decision.readings if isinstance(decision, Choices) else ()
        told = (decision.reading,) if isinstance(decision, Answer) else told
        assert [same_result(one.result, right) for one in told] == [True]


class TestTurned:
    """An order that nobody read is at most offered."""

    @pytest.mark.parametrize(
        "question", ["cheapest item", "the three cheapest items", "list items cheapest first"]
    )
    def test_is_never_the_answer(self, shop: Open, question: str) -> None:
        decision = decide(shop("items"), question)
        if isinstance(decision, Answer):
            assert set(decision.reading.read_by) & {"rules", "grammar"}
            assert "DESC" not in decision.reading.best.sql


class TestSamples:
    """What a model draws where it is not sure, and how it counts."""

    RIGHT = "SELECT status, count(*) FROM orders GROUP BY status"
    OTHER = "SELECT status, sum(amount) FROM orders GROUP BY status"

    def judged(self, data: Data, *more: Outcome) -> dict[str, float]:
        readings = Arbiter().judge(data.request("orders by status"), more, data.run)
        return {one.best.sql: one.probability for one in readings}

    def test_that_agree_make_it_surer_and_others_less_sure(self, shop: Open) -> None:
        data, told = shop("orders"), Candidate(self.RIGHT, "model", min_logprob=-1.0)
        alone = self.judged(data, told)[self.RIGHT]
        same = Candidate(self.RIGHT, "model", samples=4)
        other = Candidate(self.OTHER, "model", samples=4)
        assert self.judged(data, told, same)[self.RIGHT] > alone
        assert self.judged(data, told, other)[self.RIGHT] < alone

    def test_that_refuse_are_doubts_and_no_refusal(self, shop: Open) -> None:
        data, told = shop("orders"), Candidate(self.RIGHT, "model", min_logprob=-1.0)
        refusing = Cannot("model", "It has none.", not_understood=True, samples=4)
        alone = self.judged(data, told)[self.RIGHT]
        assert 0 < self.judged(data, told, refusing)[self.RIGHT] < alone

    def test_that_fail_are_not_told(self, shop: Open) -> None:
        failed = Failed("model", "It wrote SQL that cannot be run.", samples=1)
        decision = decide(shop("orders"), "highest amount", failed)
        assert isinstance(decision, Answer)
        assert decision.warnings == ()

    @pytest.mark.parametrize(
        "again",
        [Candidate(RIGHT, "model", samples=4), Candidate(RIGHT, "another", min_logprob=-0.01)],
    )
    def test_and_second_models_offer_and_never_answer(self, shop: Open, again: Candidate) -> None:
        data, told = shop("orders"), Candidate(self.RIGHT, "model", min_logprob=-0.01)
        first = decide(data, "number of orders by status", told)
        assert isinstance(first, Answer)
        second = decide(data, "number of orders by status", told, again)
        assert isinstance(second, Choices)
        assert same_result(second.readings[0].result, first.reading.result)

    def test_a_second_model_answers_where_the_first_is_away(self, shop: Open) -> None:
        data, told = shop("orders"), Candidate(self.RIGHT, "model", min_logprob=-0.01)
        away = Failed("another model", "It is away.")
        assert isinstance(decide(data, "number of orders by status", away, told), Answer)

    def test_are_wanted_of_a_model_that_read_where_nothing_is_sure(self, shop: Open) -> None:
        data = shop("orders")
        told, drawn = Candidate(self.RIGHT, "model"), Candidate(self.OTHER, "model", samples=1)
        unsure = Refused("It is not understood.")
        assert wants_samples("model", [told], unsure)
        assert not wants_samples("model", [told, drawn], unsure)
        assert not wants_samples("model", [Cannot("model", "It has none.")], unsure)
        assert not wants_samples("other", [told], unsure)
        assert not wants_samples("model", [told], decide(data, "highest amount"))


class TestConversations:
    """A choice that was taken holds for what follows."""

    DUE = "select count(*) from orders where due_date >= '2024-01-01' and due_date < '2025-01-01'"

    def readings(self, data: Data, question: str, before: str) -> list[str]:
        request = data.request(question)
        request = replace(request, conversation=[Exchange("how many orders in 2024", before)])
        read = [*data.rules().read(request), *data.grammar().read(request)]
        return [one.best.sql for one in Arbiter().judge(request, read, data.run)]

    @pytest.mark.parametrize("date", ["due_date", "order_date"])
    def test_the_column_that_was_taken_is_taken_again_and_no_other_is_offered(
        self, shop: Open, date: str
    ) -> None:
        before = self.DUE.replace("due_date", date)
        found = self.readings(shop("orders"), "how many orders in 2024 by status", before)
        assert found
        other = {"due_date": "order_date", "order_date": "due_date"}[date]
        assert all(date in one and other not in one for one in found)

    def test_what_follows_must_be_surer_as_it_may_be_compiled_wrongly(self, shop: Open) -> None:
        request = shop("orders").request("how many orders in 2024")
        follows = replace(request, conversation=[Exchange("how many orders", self.DUE)])
        assert Arbiter().least(follows, []) > Arbiter().least(request, [])
        assert Arbiter(1.0).least(follows, []) <= 1

    def test_another_column_that_is_named_is_taken(self, shop: Open) -> None:
        question = "how many orders with a due date in 2024"
        before = self.DUE.replace("due_date", "order_date")
        found = self.readings(shop("orders"), question, before)
        assert "due_date" in found[0]


class TestRefusals:
    @pytest.mark.parametrize("wish", ["forecast revenue next month", "predict the amount"])
    def test_a_wish_for_a_model_is_refused_by_its_name(self, shop: Open, wish: str) -> None:
        decision = decide(shop("orders"), wish)
        assert isinstance(decision, Refused)
        assert wish.split(maxsplit=1)[0] in decision.why

    def test_that_the_tables_cannot_answer_is_not_overruled(self, shop: Open) -> None:
        decision = decide(shop("orders"), "highest amount", Cannot("model", "No column tells it."))
        assert isinstance(decision, Refused)
        assert decision.why == "No column tells it."

    def test_nonsense(self, shop: Open) -> None:
        assert isinstance(decide(shop("orders"), "colourless green ideas sleep"), Refused)


class TestNeverSilentlyWrong:
    """Kinds of questions that were answered wrongly without a word."""

    NO_ORDERS = """
        SELECT name FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders)"""
    WITH_PEN = """
        SELECT sum(amount) FROM orders
        WHERE order_id IN (SELECT order_id FROM items WHERE product = 'pen')"""
    SHIPPED = """
        SELECT order_id FROM orders JOIN addresses ON shipping_address_id = address_id
        WHERE town = 'Lyon'"""
    REPORTING = """
        SELECT s.name FROM staff s JOIN staff m ON s.manager_id = m.emp_id WHERE m.name = 'Ada'"""
    TOP = "SELECT status, count(*) FROM orders GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 2"
    NOTHING = "SELECT 1 WHERE false"

    @pytest.mark.parametrize(
        ("tables", "question", "right"),
        [
            (("customers", "orders"), "which customers have no orders", NO_ORDERS),
            (("orders", "items"), "total amount of orders with pen", WITH_PEN),
            (("orders", "addresses"), "orders shipped to Lyon", SHIPPED),
            (("staff",), "who reports to Ada?", REPORTING),
            (("orders", "customers"), "number of orders by status, top 2", TOP),
            (("orders", "customers"), "average amount of orders with ink", NOTHING),
        ],
    )
    def test_is_right_or_asks_back(
        self, shop: Open, tables: tuple[str, ...], question: str, right: str
    ) -> None:
        data = shop(*tables)
        decision = decide(data, question)
        if isinstance(decision, Answer):
            assert same_result(decision.reading.result, data.run(right)), decision.reading.best.sql

    def test_figures_of_some_are_not_those_of_all(self, shop: Open) -> None:
        data = shop("orders")
        decision = decide(data, "average discount by status of orders with any discount")
        right = data.run(
            "select status, avg(discount_pct) from orders where discount_pct > 0 group by 1"
        )
        if isinstance(decision, Answer):
            assert same_result(decision.reading.result, right)

    def test_who_was_born_is_told_by_the_date_of_birth(self, shop: Open) -> None:
        data = shop("pupils")
        decision = decide(data, "which pupils were born in 2009")
        right = data.run("select name from pupils where year(birth_date) = 2009")
        told = decision.readings if isinstance(decision, Choices) else ()
        told = (decision.reading,) if isinstance(decision, Answer) else told
        assert any(same_result(one.result, right) for one in told)

    def test_a_year_of_people_is_not_that_of_their_birth(self, shop: Open) -> None:
        assert not isinstance(decide(shop("pupils"), "how many pupils in 2009"), Answer)

    def test_a_date_that_is_only_shown_says_nothing_of_a_period(self, shop: Open) -> None:
        decision = decide(shop("clerks"), "people hired in January 2018")
        assert isinstance(decision, Answer)
        assert decision.warnings == ()

    def test_a_month_without_data_says_where_they_end(self, shop: Open) -> None:
        decision = decide(shop("orders"), "how many orders last month?")
        assert isinstance(decision, Refused)
        assert decision.why == "The data of order_date end on 2025-12-21, before “last month”."


class TestSameResult:
    ONE = Result(("a", "b"), [["x", 1], ["y", 2.0]])

    @pytest.mark.parametrize(
        ("other", "is_same"),
        [
            (Result(("n", "k"), [[2, "y"], [1, "x"]]), True),
            (Result(("k",), [["y"], ["x"]]), True),
            (Result(("a", "b"), [["x", 2], ["y", 1]]), False),
            (Result(("a", "b"), [["x", 1]]), False),
            (Result(error="It does not run."), False),
            (Result(("a", "b"), [["x", 1], ["y", 2.0000000001]]), True),
            (Result(("a", "b"), [["x", 1], ["y", 2.0]], is_cut=True), False),
        ],
    )
    def test_columns_are_matched_by_content(self, other: Result, *, is_same: bool) -> None:
        assert same_result(self.ONE, other) is is_same
        assert same_result(other, self.ONE) is is_same


def test_where_rows_are_is_offered_by_their_places(shop: Open) -> None:
    decision = decide(shop("pumps"), "where are most pumps")
    assert isinstance(decision, Choices)
    read = [one.best.sql for one in decision.readings]
    assert [('"town"' in one, '"country"' in one, '"pump"' in one) for one in read] == [
        (True, False, False),
        (False, True, False),
    ]


def test_where_a_named_row_is_puts_no_place_in_its_test(shop: Open) -> None:
    request = shop("pumps").request("where does Pump 7 stand")
    found = check("select pump from pumps where pump = 'Pump 7'", request)
    assert Code.WRONG_KEY not in {one.code for one in found}


@pytest.mark.parametrize(
    ("tables", "question", "by_kind"),
    [
        ("pumps", "towns in order of litres", "select town, sum(litres) from pumps group by 1"),
        (
            "ledger",
            "branches in order of costs",
            "select branch, sum(costs) from ledger group by 1",
        ),
    ],
)
def test_kinds_in_the_order_of_their_rows_are_asked_back_about(
    shop: Open, tables: str, question: str, by_kind: str
) -> None:
    data = shop(tables)
    decision = decide(data, question)
    assert isinstance(decision, Choices), decision
    right = data.run(f"{by_kind} order by 2")
    assert any(same_result(one.result, right) for one in decision.readings), decision
    assert not any("DISTINCT" in one.best.sql for one in decision.readings)


def test_what_has_one_row_each_is_listed_in_their_order(shop: Open) -> None:
    data = shop("pumps")
    read = decide(data, "pump in order of litres")
    assert isinstance(read, Answer), read
    assert same_result(read.reading.result, data.run("select pump from pumps order by litres"))


@pytest.mark.parametrize(
    ("tables", "question", "right"),
    [
        ("rides", "rides in order of length", "select * from rides order by length"),
        ("visits", "places in order of average fee",
         "select place, avg(fee) from visits group by 1 order by 2 desc"),
        ("visits", "list the places in order", "select distinct place from visits order by 1"),
    ],
)  # fmt: skip
def test_what_is_put_in_order_is_told_in_it(
    shop: Open, tables: str, question: str, right: str
) -> None:
    data = shop(tables)
    read = decide(data, question)
    assert isinstance(read, Answer), read
    assert "ORDER BY" in read.reading.best.sql
    assert same_result(read.reading.result, data.run(right))


@pytest.mark.parametrize("question", ["which places are in order", "are the places in order"])
def test_what_is_in_order_is_no_list_that_is(shop: Open, question: str) -> None:
    assert not isinstance(decide(shop("visits"), question), Answer)


GROVE = {
    "trees": """
        select i as tree_id, (1900 + i % 60)::int as planted_year,
        (3 + i % 20)::double as height,
        ['oak', 'elm'][1 + i % 2] as kind, date '2024-01-01' + i::int as measured_on
        from range(1, 121) t(i)"""
}


class TestPeriodsOutside:
    @pytest.mark.parametrize(
        ("question", "right"),
        [
            (
                "how many trees in 1930",
                "select count(*) from trees where planted_year = 1930",
            ),
            (
                "average height before 1910",
                "select avg(height) from trees where planted_year < 1910",
            ),
        ],
    )
    def test_are_offered_by_the_numbers_of_years_that_hold_them(
        self, make: Make, question: str, right: str
    ) -> None:
        data = make(GROVE)
        decision = decide(data, question)
        assert isinstance(decision, Choices), decision
        assert [same_result(one.result, data.run(right)) for one in decision.readings] == [True]
        assert decision.why.startswith("The data of measured_on begin on 2024-01-02")

    @pytest.mark.parametrize("question", ["how many trees in 2031", "trees measured in 1801"])
    def test_that_no_date_holds_are_refused(self, make: Make, question: str) -> None:
        decision = decide(make(GROVE), question)
        assert isinstance(decision, Refused), decision
        assert "The data of measured_on" in decision.why

    def test_within_are_not_asked_back_about(self, make: Make) -> None:
        decision = decide(make(GROVE), "how many trees in 2024")
        assert rows(decision) == [[120]]

    @pytest.mark.parametrize("question", ["how many clerks came in 2022", "clerks of 2022"])
    def test_that_another_date_holds_are_no_answer(self, shop: Open, question: str) -> None:
        decision = decide(shop("clerks"), question)
        told = decision.readings if isinstance(decision, Choices) else ()
        assert not isinstance(decision, Answer), decision
        assert all("hire_date" not in one.best.sql.partition("WHERE")[2] for one in told)
