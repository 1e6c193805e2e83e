"""Which columns join the tables of a session."""

from datetime import date, datetime
from time import perf_counter

from tests.questions.question_sets import counted

from modelwright.engines.language.rules.answering.questions import Answerable, Reader
from modelwright.engines.language.rules.columns.schema import TableFacts, find_keys


def test_days_and_moments_are_no_keys() -> None:
    days = [date(2025, 1, at) for at in range(1, 29)]
    moments = [datetime(2025, 1, at, 8, 30) for at in range(1, 29)]  # noqa: DTZ001 - naive, as in files
    visits = TableFacts("visits", (
        counted("visit_id", "integer", list(range(28))),
        counted("member_id", "integer", [at % 7 for at in range(28)]),
        counted("checked_in", "date", moments),
    ))  # fmt: skip
    members = TableFacts("members", (
        counted("member_id", "integer", list(range(28))), counted("joined", "date", days),
    ))  # fmt: skip
    keys = [(key.table, key.column, key.to_table) for key in find_keys([visits, members])]
    assert keys == [("visits", "member_id", "members")]
    answer = Reader([visits, members]).read("how many visits are there?", date(2026, 11, 24))
    assert isinstance(answer, Answerable)


def test_who_stands_over_whom_is_of_no_other_table() -> None:
    clients = TableFacts("clients", (counted("client_id", "integer", list(range(1, 31))),))
    staff = TableFacts("staff", (
        counted("staff_id", "integer", list(range(1, 21))),
        counted("manager_id", "integer", [None, None, *(1 + at % 2 for at in range(18))]),
    ))  # fmt: skip
    assert find_keys([clients, staff]) == []


def test_names_alike_but_for_a_number_join_what_nothing_else_does() -> None:
    items = TableFacts("items", (
        counted("item_id", "integer", list(range(60))),
        counted("order_id", "integer", [at % 30 for at in range(60)]),
    ))  # fmt: skip
    orders = TableFacts("orders", (
        counted("order_id", "integer", list(range(30))),
        counted("customer_id", "integer", [at % 9 for at in range(30)]),
    ))  # fmt: skip
    keys = [(key.table, key.column) for key in find_keys([items, orders])]
    assert keys == [("items", "order_id")]


def test_who_leads_is_joined_though_those_who_work_are_as_well() -> None:
    projects = TableFacts("projects", (
        counted("project_id", "integer", list(range(1, 9))),
        counted("lead_id", "integer", [1 + at % 5 for at in range(8)]),
    ))  # fmt: skip
    employees = TableFacts("employees", (counted("emp_id", "integer", list(range(1, 31))),))
    hours = TableFacts("hours", (
        counted("emp_id", "integer", [1 + at % 30 for at in range(90)]),
        counted("project_id", "integer", [1 + at % 8 for at in range(90)]),
    ))  # fmt: skip
    keys = {
        (key.table, key.column, key.to_table) for key in find_keys([projects, employees, hours])
    }
    assert ("projects", "lead_id", "employees") in keys


def test_of_wide_tables_are_found_soon() -> None:
    values = list(range(200))
    wide = [
        TableFacts(table, tuple(
            counted(f"{table}_{at}_reading", "integer", values) for at in range(500)
        ))
        for table in ("left", "right", "upper", "lower")
    ]  # fmt: skip
    started = perf_counter()
    find_keys(wide)
    assert perf_counter() - started < 20  # comparing all values of all columns takes minutes
