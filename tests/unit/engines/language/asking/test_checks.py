"""Each check catches the fault that is planted for it, and passes right SQL."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code, Severity
from modelwright.engines.language.checks.outcome import check_outcome

from .conftest import Open

PLANTED = tomllib.loads((Path(__file__).parent / "planted_faults.toml").read_text("utf-8"))["fault"]
BY_RESULT = {Code.EMPTY_RESULT, Code.PERIOD_OUTSIDE}


@pytest.mark.parametrize("fault", PLANTED, ids=lambda one: f"{one['code']}: {one['question']}")
class TestPlanted:
    def test_is_caught(self, shop: Open, fault: dict[str, Any]) -> None:
        data = shop(*fault["tables"])
        found = check(fault["wrong"], data.request(fault["question"]))
        assert fault["code"] in {one.code.value for one in found}

    def test_is_not_seen_in_right_sql(self, shop: Open, fault: dict[str, Any]) -> None:
        data = shop(*fault["tables"])
        found = check(fault["right"], data.request(fault["question"]))
        assert fault["code"] not in {one.code.value for one in found}
        assert data.run(fault["right"]).ran


def test_every_check_of_sql_has_a_planted_fault() -> None:
    planted = {one["code"] for one in PLANTED}
    assert {code.value for code in Code} - planted == {one.value for one in BY_RESULT}


def test_rows_that_a_join_leaves_out_are_counted_and_told(shop: Open) -> None:
    data = shop("customers", "refunds")
    sql = "select city, sum(refund) from refunds r join customers c using (customer_id) group by 1"
    found = [
        one
        for one in check(sql, data.request("total refund by city"))
        if one.code is Code.ORPHANS_LEFT_OUT
    ]
    lost = "select count(*) from refunds anti join customers using (customer_id)"
    [[count]] = data.run(lost).rows
    assert [one.severity for one in found] == [Severity.NOTE]
    assert found[0].message.startswith(f"{count} rows of refunds are left out: their customer_id")


class TestOutcome:
    def test_a_period_after_the_data_is_told(self, shop: Open) -> None:
        data = shop("orders")
        request = data.request("how many orders last month")
        (found,) = check_outcome(request, frozenset({("orders", "order_date")}), is_empty=True)
        assert (found.code, found.severity) == (Code.PERIOD_OUTSIDE, Severity.NOTE)
        assert "2025-12-21" in found.message

    def test_a_period_before_the_data_is_told(self, shop: Open) -> None:
        request = shop("orders").request("how many orders in 1999")
        (found,) = check_outcome(request, frozenset({("orders", "order_date")}), is_empty=True)
        assert "begin on 2024-01-04" in found.message

    def test_a_filter_that_leaves_nothing_is_told(self, shop: Open) -> None:
        request = shop("orders").request("orders over 100000")
        (found,) = check_outcome(request, frozenset({("orders", "amount")}), is_empty=True)
        assert found.code is Code.EMPTY_RESULT

    def test_nothing_is_told_of_what_is_found(self, shop: Open) -> None:
        request = shop("orders").request("how many orders in 2024")
        used = frozenset({("orders", "order_date")})
        assert not list(check_outcome(request, used, is_empty=False))


def test_years_that_have_a_row_each_may_be_listed_by_their_rows(shop: Open) -> None:
    data = shop("weddings")
    request = data.request("years with more than 500 weddings")
    assert not check("select * from weddings where weddings > 500", request)


@pytest.mark.parametrize(
    ("tables", "question", "sql"),
    [
        (
            "orders",
            "orders other than open and paid",
            "select * from orders where status not in ('open', 'paid')",
        ),
        (
            "orders",
            "number of orders other than open",
            "select count(*) from orders where status <> 'open'",
        ),
        (
            "orders",
            "orders neither open nor paid",
            "select * from orders where not (status = 'open' or status = 'paid')",
        ),
        (
            "customers",
            "how many customers over 60 live in Oslo",
            "select count(*) from customers where age > 60 and city = 'Oslo'",
        ),
        ("visits", "days with a fee above 40", "select distinct day from visits where fee > 40"),
        (
            "clerks",
            "how many clerks in 2018 by hire date",
            "select count(*) from clerks where year(hire_date) = 2018",
        ),
    ],
)
def test_right_sql_in_other_forms_has_no_fault(
    shop: Open, tables: str, question: str, sql: str
) -> None:
    data = shop(tables)
    assert data.run(sql).ran
    found = check(sql, data.request(question))
    assert not [one for one in found if one.severity is Severity.FAULT]


@pytest.mark.parametrize(
    "where", ["amount > true", "amount > 2 * discount_pct", "not (amount > 5)"]
)
def test_tests_of_any_form_are_checked(shop: Open, where: str) -> None:
    data = shop("orders")
    found = check(f"select * from orders where {where}", data.request("orders over 5"))
    assert not [one for one in found if one.message.startswith("All rows")]
