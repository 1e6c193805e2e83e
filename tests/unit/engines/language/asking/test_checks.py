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


@pytest.mark.parametrize(
    "question",
    [
        "weddings in 1990 and 2000",
        "weddings in 1990, in 2000",
        "weddings 1990 2000",
        "weddings of 1990 compared with those of 2000",
        "what was the difference in weddings of 1990 in 2000",
    ],
)
def test_years_that_are_listed_or_compared_may_be_any_of_them(shop: Open, question: str) -> None:
    sql = "select year, weddings from weddings where year in (1990, 2000)"
    found = check(sql, shop("weddings").request(question))
    assert Code.OTHER_DATE not in {one.code for one in found}


class TestOutcome:
    def test_a_period_after_the_data_is_told(self, shop: Open) -> None:
        data = shop("orders")
        request = data.request("how many orders last month")
        (found,) = check_outcome(request, frozenset({("orders", "order_date")}), is_empty=True)
        assert (found.code, found.severity) == (Code.PERIOD_OUTSIDE, Severity.FAULT)
        assert "2025-12-21" in found.message

    def test_a_period_before_the_data_is_told(self, shop: Open) -> None:
        request = shop("orders").request("how many orders in 1999")
        (found,) = check_outcome(request, frozenset({("orders", "order_date")}), is_empty=True)
        assert "begin on 2024-01-04" in found.message

    @pytest.mark.parametrize(
        "question", ["orders in 2024 compared to 2030", "orders that were not in 2030"]
    )
    def test_a_period_beside_one_with_data_and_a_denied_one_are_only_told(
        self, shop: Open, question: str
    ) -> None:
        request = shop("orders").request(question)
        used = frozenset({("orders", "order_date")})
        found = list(check_outcome(request, used, is_empty=False))
        assert {(one.code, one.severity) for one in found} == {(Code.PERIOD_OUTSIDE, Severity.NOTE)}

    def test_a_period_is_held_by_no_date_that_is_not_tested(self, shop: Open) -> None:
        request = shop("clerks").request("how many clerks came in 2022")
        (found,) = check_outcome(request, frozenset({("clerks", "hire_date")}), is_empty=True)
        assert (found.code, found.severity) == (Code.PERIOD_OUTSIDE, Severity.FAULT)

    def test_a_period_that_another_date_holds_that_is_tested_is_told_of(self, shop: Open) -> None:
        request = shop("clerks").request("how many clerks left in 2022")
        used = frozenset({("clerks", "hire_date"), ("clerks", "leave_date")})
        (found,) = check_outcome(request, used, is_empty=False)
        assert (found.code, found.severity) == (Code.PERIOD_OUTSIDE, Severity.NOTE)

    @pytest.mark.parametrize(
        ("question", "told"),
        [
            ("total weddings in 2031", "The data of year end in 2010, before “in 2031”."),
            ("total weddings in 1899", "The data of year begin in 1951, after “in 1899”."),
            ("total weddings since 2012", "The data of year end in 2010, before “since 2012”."),
        ],
    )
    def test_a_year_outside_numbers_that_are_years_is_told(
        self, shop: Open, question: str, told: str
    ) -> None:
        request = shop("weddings").request(question)
        (found,) = check_outcome(request, frozenset({("weddings", "year")}), is_empty=False)
        assert (found.code, found.severity) == (Code.PERIOD_OUTSIDE, Severity.FAULT)
        assert found.message == told

    def test_years_within_the_data_are_not_told(self, shop: Open) -> None:
        request = shop("weddings").request("total weddings in 2010 and in the 1990s")
        assert not list(check_outcome(request, frozenset({("weddings", "year")}), is_empty=False))

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


@pytest.mark.parametrize(
    ("tables", "question", "sql"),
    [
        ("members", "how many children do the employees have", "select count(*) from members"),
        ("members", "number of calls that patients made", "select count(*) from members"),
        ("members", "which country has no locker", "select * from members where locker = 'No'"),
        ("members", "city with the largest locker", "select * from members where locker = 'large'"),
        ("trips", "how many passengers were tourists", "select sum(passengers) from trips"),
        ("weddings", "how many people were there in 1960",
         "select count(*) from weddings where year = 1960"),
        ("customers", "who served Customer 7", "select * from customers where name = 'Customer 7'"),
        ("members", "how many teachers are there", "select count(*) from members"),
        ("customers", "religion by city", "select city, count(*) from customers group by city"),
        ("items", "how many people use an ink",
         "select count(*) from items where product = 'ink'"),
        ("items", "where is the pen", "select * from items where product = 'pen'"),
        ("visits", "which norther had the highest fee",
         "select * from visits where place = 'north' order by fee desc limit 1"),
        ("members", "what is the name of the first member",
         "select * from members order by member_id limit 1"),
        ("readings", "readings by hour", "select hour(day), count(*) from readings group by 1"),
        ("stations", "how many stations were sold", "select count(*) from stations"),
        ("orders", "how many orders in 2024", "select count(*) from orders where amount = 2024"),
        ("items", "headcount by product", "select product, count(*) from items group by 1"),
        ("rides", "sales by rider", "select rider, count(*) from rides group by 1"),
        ("items", "profit by product", "select product, count(*) from items group by 1"),
        ("rides", "how many rides were completed", "select count(*) from rides"),
        ("rides", "available rides by rider", "select rider, count(*) from rides group by 1"),
        ("rides", "number of rides with a return", "select count(*) from rides"),
        ("bouts", "give me the bouts that ended in a draw", "select * from bouts"),
        ("bouts", "how many bouts were a draw", "select count(*) from bouts"),
        ("rides", "find a run of rides", "select * from rides"),
        ("rides", "which rides have a return", "select * from rides"),
        ("rides", "which rides are on", "select * from rides"),
        ("rides", "which rides are used", "select * from rides"),
        ("visits", "which places are paid", "select distinct place from visits"),
        ("rides", "which rides are in order", "select * from rides order by length"),
        ("rides", "rides in order of length", "select * from rides"),
        ("rides", "average length of rides that are off", "select avg(length) from rides"),
        ("rides", "rides won by Ann", "select * from rides where rider = 'Ann'"),
        ("rides", "rides in use", "select * from rides"),
        ("visits", "how many present visits", "select count(*) from visits"),
        ("parcels", "how many parcels do we currently have", "select count(*) from parcels"),
        ("bouts", "how many current bouts", "select count(*) from bouts"),
    ],
)  # fmt: skip
def test_what_no_column_holds_is_a_fault(shop: Open, tables: str, question: str, sql: str) -> None:
    data = shop(tables)
    assert data.run(sql).ran
    found = check(sql, data.request(question))
    assert [one for one in found if one.severity is Severity.FAULT]


@pytest.mark.parametrize(
    ("tables", "question", "sql"),
    [
        ("members", "how many patients have no locker",
         "select count(*) from members where locker = 'No'"),
        ("customers", "customers by city", "select city, count(*) from customers group by city"),
        ("customers", "how many people live in Oslo",
         "select count(*) from customers where city = 'Oslo'"),
        ("customers", "where does Customer 7 live",
         "select * from customers where name = 'Customer 7'"),
        ("visits", "which north visits had the highest fee",
         "select * from visits where place = 'north' order by fee desc limit 1"),
        ("customers", "which city has most customers",
         "select city from customers group by city order by count(*) desc limit 1"),
        ("trips", "how many passengers travelled", "select sum(passengers) from trips"),
        ("weddings", "which year had the most weddings",
         "select year from weddings order by weddings desc limit 1"),
        ("weddings", "number of weddings in 1960",
         "select weddings from weddings where year = 1960"),
        ("customers", "who is the oldest", "select name from customers order by age desc limit 1"),
        ("customers", "name of the youngest customer",
         "select name from customers order by age limit 1"),
        ("items", "how many pens were sold",
         "select sum(quantity) from items where product = 'pen'"),
        ("orders", "orders over 150 in 2024",
         "select * from orders where amount > 150 and year(order_date) = 2024"),
        ("items", "which pens have a quantity over 2",
         "select * from items where product = 'pen' and quantity > 2"),
        ("weddings", "how many rows are before 1960",
         "select count(*) from weddings where year < 1960"),
        ("customers", "bar chart of customers by city",
         "select city, count(*) from customers group by city"),
        ("customers", "overview of customers by city",
         "select city, count(*) from customers group by city"),
        ("clerks", "which worker has the highest pay",
         "select * from clerks order by pay desc limit 1"),
        ("orders", "how many orders were paid", "select count(*) from orders where status='paid'"),
        ("orders", "how many open orders are in the data",
         "select count(*) from orders where status = 'open'"),
        ("lodgings", "how many rooms were sold", "select count(*) from lodgings"),
        ("districts", "trend of sales",
         "select date_trunc('month', day), sum(sales) from districts group by 1 order by 1"),
        ("orders", "sales by status", "select status, count(*) from orders group by 1"),
        ("ledger", "which branch costs most",
         "select branch from ledger group by 1 order by sum(costs) desc limit 1"),
        ("rides", "draw a chart of rides by rider", "select rider, count(*) from rides group by 1"),
        ("rides", "how many rides are available in the data", "select count(*) from rides"),
        ("rides", "rides in order of length", "select * from rides order by length"),
        ("rides", "how many rides are in each month",
         "select month(day), count(*) from rides group by 1"),
        ("rides", "rides completed in March 2024",
         "select * from rides where day >= '2024-03-01' and day < '2024-04-01'"),
        ("bouts", "how many bouts were won", "select count(*) from bouts where result = 'win'"),
        ("visits", "which place are most visits in",
         "select place from visits group by place order by count(*) desc limit 1"),
        ("visits", "what places are the visits in", "select distinct place from visits"),
        ("visits", "which places are available", "select distinct place from visits"),
        ("visits", "which months are available",
         "select date_trunc('month', day), count(*) from visits group by 1 order by 1"),
        ("visits", "which places are present", "select distinct place from visits"),
        ("visits", "which places are used in 2024",
         "select distinct place from visits where year(day) = 2024"),
        ("visits", "available places", "select distinct place from visits"),
        ("visits", "places used", "select distinct place from visits"),
        ("visits", "places in use", "select distinct place from visits"),
        ("visits", "present visits by place", "select place, count(*) from visits group by 1"),
        ("visits", "please present the visits by place",
         "select place, count(*) from visits group by 1"),
        ("pumps", "how many pumps do we currently have", "select count(*) from pumps"),
        ("pumps", "how many pumps are there currently in Oslo",
         "select count(*) from pumps where town = 'Oslo'"),
        ("visits", "which place is used most",
         "select place from visits group by place order by count(*) desc limit 1"),
        ("visits", "most used place",
         "select place from visits group by place order by count(*) desc limit 1"),
        ("rides", "I want a report of rides by rider",
         "select rider, count(*) from rides group by 1"),
        ("rides", "can I have a report of rides per rider",
         "select rider, count(*) from rides group by 1"),
        ("rides", "let me have a look at rides by rider",
         "select rider, count(*) from rides group by 1"),
        ("rides", "please run a report on rides by rider",
         "select rider, count(*) from rides group by 1"),
        ("rides", "average length of a drive", "select avg(length) from rides"),
        ("rides", "how long does a drive take on average", "select avg(length) from rides"),
    ],
)  # fmt: skip
def test_what_a_column_holds_is_none(shop: Open, tables: str, question: str, sql: str) -> None:
    data = shop(tables)
    assert data.run(sql).ran
    found = check(sql, data.request(question))
    assert not [one for one in found if one.severity is Severity.FAULT]


@pytest.mark.parametrize(
    ("tables", "question", "sql"),
    [
        ("readings", "mean temp trend",
         "select date_trunc('month', day), avg(mean_temp) from readings group by 1 order by 1"),
        ("readings", "mean_temp by station",
         "select station, avg(mean_temp) from readings group by 1"),
        ("districts", "sales trend",
         "select date_trunc('month', day), sum(sales) from districts group by 1 order by 1"),
        ("districts", "which districts lose money",
         "select district from districts group by 1 having sum(profit) < 0"),
    ],
)  # fmt: skip
def test_the_usual_way_to_put_rows_together_is_no_doubt(
    shop: Open, tables: str, question: str, sql: str
) -> None:
    found = check(sql, shop(tables).request(question))
    assert not [one for one in found if one.code in {Code.AGGREGATE_ADDED, Code.THING_LEFT_OUT}]


@pytest.mark.parametrize(("asked", "is_used"), [("price", True), ("cost", True), ("rent", False)])
def test_money_of_another_kind_is_no_price(shop: Open, asked: str, *, is_used: bool) -> None:
    request = shop("items").request(f"average {asked} by product")
    found = check("select product, avg(unit_price) from items group by product", request)
    assert (asked not in {word for one in found for word in one.words}) is is_used
