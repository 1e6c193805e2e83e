"""Which columns join the tables of a session."""

from datetime import date, datetime
from time import perf_counter

from tests.questions.question_sets import counted

from modelwright.engines.language.catalog.inference import infer_catalog
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


def test_who_does_something_is_of_the_table_of_persons() -> None:
    """Though numbers of jumps hold those of pilots, and of planes those of riggers, as well."""
    flights = TableFacts("flights", (
        counted("flight_id", "integer", list(range(1, 26))),
        counted("plane_id", "integer", [1 + at % 9 for at in range(25)]),
        counted("pilot_instructor_id", "integer", [1 + at % 7 for at in range(25)]),
        counted("ground_manager_id", "integer", [None, *(2 + at % 5 for at in range(24))]),
    ))  # fmt: skip
    jumps = TableFacts("jumps", (
        counted("jump_id", "integer", list(range(1, 91))),
        counted("flight_id", "integer", [1 + at % 25 for at in range(90)]),
        counted("jumper_id", "integer", [5 + at % 30 for at in range(90)]),
    ))  # fmt: skip
    planes = TableFacts("planes", (
        counted("plane_id", "integer", list(range(1, 41))),
        counted("rigger_id", "integer", [1 + at % 8 for at in range(40)]),
    ))  # fmt: skip
    people = TableFacts("people", (counted("person_id", "integer", list(range(1, 41))),))
    every = [planes, jumps, flights, people]
    wanted = {
        ("flights", "plane_id", "planes"), ("flights", "pilot_instructor_id", "people"),
        ("flights", "ground_manager_id", "people"), ("jumps", "flight_id", "flights"),
        ("jumps", "jumper_id", "people"), ("planes", "rigger_id", "people"),
    }  # fmt: skip
    for tables in (every, every[::-1]):
        found = [(key.table, key.column, key.to_table) for key in find_keys(tables)]
        assert sorted(found) == sorted(wanted)
        keys = infer_catalog(tables).relationships
        assert sorted((key.table, key.column, key.to_table) for key in keys) == sorted(wanted)


def test_who_stands_over_persons_is_one_of_them() -> None:
    staff = TableFacts("staff", (
        counted("staff_id", "integer", list(range(1, 21))),
        counted("manager_id", "integer", [None, None, *(1 + at % 2 for at in range(18))]),
    ))  # fmt: skip
    patients = TableFacts("patients", (counted("patient_id", "integer", list(range(1, 31))),))
    keys = infer_catalog([patients, staff]).relationships
    assert [(key.column, key.to_table) for key in keys] == [("manager_id", "staff")]


def test_who_does_something_for_clients_is_of_the_table_of_those_who_work() -> None:
    """A guest's referrer is a guest: whoever stands over clients may be one of them."""
    guests = TableFacts("guests", (
        counted("guest_id", "integer", list(range(1, 61))),
        counted("front_desk_agent_id", "integer", [1 + at % 4 for at in range(60)]),
        counted("referrer_id", "integer", [None, *(1 + at % 7 for at in range(59))]),
    ))  # fmt: skip
    workers = TableFacts("workers", (
        counted("worker_id", "integer", list(range(1, 10))),
        counted("surname", "string", [f"Worker {at}" for at in range(9)]),
    ))  # fmt: skip
    keys = {(key.column, key.to_table) for key in infer_catalog([guests, workers]).relationships}
    assert keys == {("front_desk_agent_id", "workers"), ("referrer_id", "guests")}


def test_a_row_that_leads_nowhere_parts_no_long_tables() -> None:
    """Of long tables not all values are known; `points` are more than those who may have them."""
    members = TableFacts("members", (counted("member_no", "integer", list(range(1, 2001))),))
    stays = TableFacts("stays", (
        counted("stay_no", "integer", list(range(1, 5001))),
        counted("member_no", "integer", [1 + at % 1990 for at in range(4998)] + [99_999, 0]),
    ))  # fmt: skip
    logs = TableFacts("logs", (
        counted("log_no", "integer", list(range(1, 9001))),
        counted("member_points", "integer", [at // 2 for at in range(9000)]),
    ))  # fmt: skip
    keys = [(key.table, key.column, key.to_table) for key in find_keys([members, stays, logs])]
    assert keys == [("stays", "member_no", "members")]


def test_who_does_something_is_of_those_persons_of_whom_most_are_named() -> None:
    """Numbers from 1 to 11 are those of some members as well; but all of the coaches."""
    members = TableFacts("members", (
        counted("member_id", "integer", list(range(1, 301))),
        counted("email", "string", [f"m{at}@club.example" for at in range(300)]),
    ))  # fmt: skip
    coaches = TableFacts("coaches", (
        counted("coach_id", "integer", list(range(1, 13))),
        counted("called", "string", [f"Coach {at}" for at in range(12)]),
    ))  # fmt: skip
    lessons = TableFacts("lessons", (
        counted("lesson_id", "integer", list(range(1, 401))),
        counted("booker_id", "integer", [1 + at % 280 for at in range(400)]),
        counted("instructor_id", "integer", [1 + at % 11 for at in range(400)]),
    ))  # fmt: skip
    wanted = {("booker_id", "members"), ("instructor_id", "coaches")}
    for tables in ([members, coaches, lessons], [lessons, coaches, members]):
        assert {(key.column, key.to_table) for key in find_keys(tables)} == wanted
