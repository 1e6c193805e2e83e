"""People who are asked for: told by their name or key, never by a kind of person."""

import pytest

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.arbiter.arbiter import Answer, Choices, Decision
from modelwright.engines.language.rules.mentions.rows import names_doers

from .conftest import Make
from .test_arbiter import decide

TABLES = {
    "credits": """
        select ['male : single', 'female : married', 'male : divorced'][1 + i % 3]
        as personal_status, ['car', 'tv'][1 + i % 2] as purpose, (500 + i * 37 % 9000)::int
        as amount, (19 + i * 7 % 50)::int as age from range(1, 201) t(i)""",
    "credit_files": """
        select i as file_id, ['male : single', 'female : married'][1 + i % 2] as person_type,
        (500 + i * 37 % 9000)::int as amount, (19 + i * 7 % 50)::int as age
        from range(1, 201) t(i)""",
    "crew": """
        select i as emp_id, 'Ann ' || chr((65 + i % 26)::int) || i as emp_nm,
        ['Baker', 'Clerk', 'Welder'][1 + i % 3] as job_title, ['Works', 'Office'][1 + i % 2]
        as dept, (i * 37 % 97)::int as overtime_hours, (1000 + i * 7)::int as pay
        from range(1, 101) t(i)""",
    "crew_keys": """
        select i as worker_id, ['Baker', 'Clerk', 'Welder'][1 + i % 3] as job_title,
        ['Works', 'Office'][1 + i % 2] as dept, (i * 37 % 97)::int as overtime_hrs,
        (i * 53 % 103)::int as bonus from range(1, 101) t(i)""",
    "members": """
        select 'M' || (1000 + i) as member_no, ['Ann', 'Bob', 'Cy', 'Dee'][1 + i % 4] || ' '
        || ['Berg', 'Koch', 'Lang'][1 + i // 4 % 3] as full_nm, 150 + (i * 37 % 47)::int as ht_cm
        from range(1, 121) t(i)""",
    "payslips": """
        select i as staff_no, ['Ann', 'Bob', 'Cy', 'Dee'][1 + i % 4] as staff_nm,
        (1000 + i * 37 % 997)::double as gross_pay_gbp from range(1, 121) t(i)""",
    "looms": """
        select i as weave_id, ['Big Loom', 'Old Loom', 'Hand Loom'][1 + i % 3] as loom,
        ['Ina Holt', 'Omar Reed', 'Pia', 'Li Wen'][1 + i * i % 4 + i % 2] as weaver,
        (i * 37 % 101)::int as threads, (i * 53 % 97)::double as wool_cost
        from range(1, 101) t(i)""",
    "plans": """
        select ['Yes', 'No'][1 + i % 2] as partner, ['y', 'n'][1 + i // 3 % 2] as existing_customer,
        ['monthly', 'yearly'][1 + i % 2] as contract, (i * 37 % 97)::double as charges,
        i % 5 = 0 as employee from range(1, 201) t(i)""",
    "crates": """
        select i as crate_id, ['Red', 'Blue', 'Green'][1 + i % 3] as container,
        (i * 37 % 101)::int as weight_kg from range(1, 101) t(i)""",
    "couriers": """
        select i as ride_id, ['Ina', 'Omar', 'Pia'][1 + i * i % 3] as driver,
        (i * 37 % 101)::int as km from range(1, 101) t(i)""",
}


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("credits", "who has the largest amount"),
        ("credits", "who borrowed the most"),
        ("credits", "who is the oldest"),
        ("credit_files", "who has the largest amount"),
        ("credit_files", "who is the youngest borrower"),
    ],
)
def test_a_kind_of_person_is_not_somebody(make: Make, table: str, question: str) -> None:
    decision = decide(make({table: TABLES[table]}), question)
    assert isinstance(decision, Choices)
    assert not any("person" in sql.partition("FROM")[0] for sql in offered(decision))


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("crew", "Which 3 employees worked the most overtime",
         "select emp_nm from crew order by overtime_hours desc, emp_id limit 3"),
        ("crew", "Which employee has the highest pay",
         "select emp_nm from crew order by pay desc limit 1"),
        ("crew", "who has the highest pay", "select emp_nm from crew order by pay desc limit 1"),
        ("members", "who is the tallest member",
         "select full_nm from members order by ht_cm desc, member_no limit 1"),
        ("payslips", "who has the highest gross pay",
         "select staff_nm from payslips order by gross_pay_gbp desc limit 1"),
        ("crew_keys", "Which 3 employees worked the most overtime",
         "select worker_id from crew_keys order by overtime_hrs desc, worker_id limit 3"),
        ("crew_keys", "who has the highest bonus",
         "select worker_id from crew_keys order by bonus desc limit 1"),
        ("looms", "who wove the most threads",
         "select weaver from looms group by 1 order by sum(threads) desc limit 1"),
        ("looms", "who has the highest wool cost",
         "select weaver from looms group by 1 order by sum(wool_cost) desc limit 1"),
        ("couriers", "who has the most km",
         "select driver from couriers group by 1 order by sum(km) desc limit 1"),
    ],
)  # fmt: skip
def test_rows_are_told_by_their_name_or_key(
    make: Make, table: str, question: str, sql: str
) -> None:
    data = make({table: TABLES[table]})
    decision = decide(data, question)
    wanted = [row[0] for row in data.run(sql).rows]
    told = [data.run(one) for one in offered(decision)]
    assert wanted in [list(column) for one in told for column in zip(*one.rows, strict=True)]


@pytest.mark.parametrize(
    "question",
    [
        "who pays the most",
        "who has the highest charges",
        "who has the most charges in total",
        "who is charged the most per month",
    ],
)
def test_yes_and_no_are_nobody(make: Make, question: str) -> None:
    decision = decide(make({"plans": TABLES["plans"]}), question)
    assert not isinstance(decision, Answer)
    flags = ("partner", "existing_customer", "employee")
    assert not any(one in sql.partition("FROM")[0] for sql in offered(decision) for one in flags)


@pytest.mark.parametrize("question", ["who has the highest weight", "who has the least weight"])
def test_a_number_of_rows_is_nobody(make: Make, question: str) -> None:
    assert not isinstance(decide(make({"crates": TABLES["crates"]}), question), Answer)


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("weaver", ("Ina Holt", "Omar Reed"), True),
        ("lead_artist", ("Li", "Pia"), True),
        ("container", ("Red", "Blue"), False),
        ("boiler", ("B-12", "B-14"), False),
        ("loom", ("Ina Holt", "Omar Reed"), False),
    ],
)
def test_who_did_it_stands_in_a_column_called_so_that_holds_names(
    name: str, values: tuple[str, ...], expected: bool
) -> None:
    top = tuple((value, 1) for value in values)
    facts = ColumnFacts(name, "string", len(top), 0, len(top), None, None, top)
    assert names_doers(facts) is expected


def offered(decision: Decision) -> list[str]:
    if isinstance(decision, Answer):
        return [decision.reading.best.sql]
    return [one.best.sql for one in decision.readings] if isinstance(decision, Choices) else []


@pytest.mark.parametrize("question", ["how many bad risks", "median amount of good risks"])
def test_which_of_two_numbers_is_bad_is_not_guessed(make: Make, question: str) -> None:
    loans = """
        select (i % 10 > 2)::int as credit_risk, (250 + i * 37 % 9000)::int as amount,
        ['own', 'rent'][1 + i % 2] as housing from range(1, 201) t(i)"""
    assert not isinstance(decide(make({"loans": loans}), question), Answer)
