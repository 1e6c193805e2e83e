"""Questions that are read by what people said of the data."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from modelwright.core.clock import FrozenClock

Answer = dict[str, Any]
Correct = Callable[..., Answer]
Ask = Callable[..., Any]
REVENUE = {"table": "table0", "expression": "sum(quantity * unit_price)", "synonyms": ["takings"]}
BASKET = {
    "table": "table0",
    "expression": "sum(quantity * unit_price) / count(distinct customer_id)",
}
CANCELLED = {"tables": {"table0": {"default_filter": "status <> 'cancelled'"}}}


def by_city(answer: Any) -> dict[str, float]:
    assert answer.status_code == 200, answer.text
    return {row[0]: round(float(row[1]), 2) for row in answer.json()["rows"]}


class TestSynonyms:
    def test_make_a_question_work_that_was_refused(self, correct: Correct, ask: Ask):
        question = "total quantity by burgh"
        assert ask(question).status_code == 422
        correct(tables={"table0": {"columns": {"city": {"synonyms": ["burgh"]}}}})
        assert by_city(ask(question)) == {"Oslo": 9, "Rome": 5, "Bari": 8}
        correct(tables={"table0": {"columns": {"city": {"synonyms": None}}}})
        assert ask(question).status_code == 422


class TestMetrics:
    def test_a_sum_is_answered_by_its_name(self, correct: Correct, ask: Ask):
        correct(metrics={"revenue": REVENUE})
        answer = ask("total revenue by city")
        assert by_city(answer) == {"Oslo": 76, "Rome": 42, "Bari": 23.5}
        assert "revenue is sum(quantity * unit_price)" in answer.json()["interpretation"]

    def test_by_a_synonym_too(self, correct: Correct, ask: Ask):
        correct(metrics={"revenue": REVENUE})
        assert by_city(ask("total takings by city")) == {"Oslo": 76, "Rome": 42, "Bari": 23.5}

    def test_a_ratio_is_computed_as_a_whole_not_averaged(self, correct: Correct, ask: Ask):
        correct(metrics={"spend per customer": BASKET})
        answer = ask("average spend per customer by city")
        assert by_city(answer)["Oslo"] == 76, answer.text
        assert by_city(answer)["Rome"] == 21

    def test_counts_the_rows_that_its_filter_takes(self, correct: Correct, ask: Ask):
        correct(metrics={"revenue": {**REVENUE, "filter": "status = 'paid'"}})
        assert by_city(ask("total revenue by city")) == {"Oslo": 26, "Rome": 34.5, "Bari": 23}


class TestDefaultFilter:
    def test_is_applied_and_said(self, correct: Correct, ask: Ask):
        correct(**CANCELLED)
        answer = ask("total quantity by city")
        assert by_city(answer) == {"Oslo": 4, "Rome": 5, "Bari": 8}
        assert "status <> 'cancelled' count, as by default" in answer.json()["interpretation"]
        assert "cancelled" in answer.json()["generated_sql"]

    def test_is_left_out_and_said_where_the_question_speaks_of_its_column(
        self, correct: Correct, ask: Ask
    ):
        correct(**CANCELLED)
        answer = ask("total quantity by status")
        assert by_city(answer) == {"paid": 15, "cancelled": 5, "open": 2}
        assert "is left out" in answer.json()["interpretation"]

    def test_is_not_put_into_sql_that_somebody_wrote(self, correct: Correct, ask: Ask):
        correct(**CANCELLED)
        answer = ask("SELECT count(*) FROM table0", query_type="sql")
        assert answer.json()["rows"] == [[10]]


class TestCalendar:
    def test_weeks_begin_on_the_day_that_was_said(self, correct: Correct, ask: Ask):
        correct(first_day_of_week=7)
        answer = ask("total quantity by week in January 2024")
        assert answer.status_code == 200, answer.text
        assert [row[1] for row in answer.json()["rows"]] == [2, 6]

    def test_the_day_is_told_in_the_zone_that_was_said(
        self, correct: Correct, ask: Ask, clock: FrozenClock
    ):
        correct(time_zone="Pacific/Kiritimati")
        clock.moment = datetime(2024, 5, 5, 12, tzinfo=UTC)
        answer = ask("total quantity since yesterday")
        assert "2024-05-05" in answer.text, answer.text

    def test_a_fiscal_year_begins_in_the_month_that_was_said(self, correct: Correct, ask: Ask):
        correct(first_month_of_fiscal_year=4)
        answer = ask("total quantity in fiscal year 2024")
        told = answer.json()
        choice = told["error"]["details"][-1] if "error" in told else told
        assert choice["rows"] == [[8]], answer.text
        assert "2023-04-01" in choice["generated_sql"]
        assert "2024-04-01" in choice["generated_sql"]
