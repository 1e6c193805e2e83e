"""Values of one stem in two columns: that which is written as it is said is meant."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices
from modelwright.engines.language.arbiter.results import same_result
from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Severity

from .conftest import Make
from .test_arbiter import decide

CREW = """
    select i as emp_id, ['Engineering', 'Sales', 'Welding'][1 + i % 3] as department,
    ['Engineer', 'Software Engineer', 'Sales Rep', 'Welder', 'Baker'][1 + i % 5] as job_title,
    (900 + i * 17 % 400)::int as pay from range(1, 151) t(i)"""


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how many engineers", "select count(*) from crew where job_title = 'Engineer'"),
        ("average pay of welders", "select avg(pay) from crew where job_title = 'Welder'"),
        ("how many work in engineering",
         "select count(*) from crew where department = 'Engineering'"),
        ("average pay in welding", "select avg(pay) from crew where department = 'Welding'"),
        ("how many software engineers",
         "select count(*) from crew where job_title = 'Software Engineer'"),
    ],
)  # fmt: skip
def test_the_one_that_is_written_so_is_meant(make: Make, question: str, sql: str) -> None:
    data = make({"crew": CREW})
    decision = decide(data, question)
    assert isinstance(decision, Answer)
    assert data.run(decision.reading.best.sql).rows == data.run(sql).rows


TABLES = {
    "gardeners": """
        select i as gardener_id, 'Gardener ' || i as name, ['Works', 'Office'][1 + i % 2] as dept
        from range(1, 13) t(i)""",
    "hedges": """
        select i as hedge_id, (i % 24 + 2 * i % 24) // 4 + 1 as gardener_id,
        (1 + i * 7 % 40)::int as hours,
        ['finished', 'planted', 'felled'][1 + (i % 5 + i % 7) % 3] as state
        from range(1, 301) t(i)""",
}


@pytest.mark.parametrize(
    ("question", "deed", "order"),
    [
        ("which gardener finished the most hedges", "finished", "count(*) desc"),
        ("which gardener has planted the fewest hedges", "planted", "count(*)"),
    ],
)
def test_what_was_done_the_most_is_a_value_where_it_is_written_so(
    make: Make, question: str, deed: str, order: str
) -> None:
    data = make(TABLES)
    decision = decide(data, question)
    wanted = data.run(
        f"select name from gardeners join hedges using (gardener_id) where state = '{deed}'"
        f" group by 1 order by {order}, 1 limit 1"
    )
    readings = decision.readings if isinstance(decision, Choices) else []
    offered = [decision.reading] if isinstance(decision, Answer) else readings
    assert any(same_result(one.result, wanted) for one in offered)


def test_a_verb_that_a_date_is_of_is_not_somebody_s_name(make: Make) -> None:
    workers = """
        select i as worker_id, ['Hirst', 'Hired', 'Moss'][1 + i % 3] as last_name,
        date '1950-01-01' + (i * 90)::int as hire_date from range(1, 101) t(i)"""
    sql = "SELECT COUNT(*) FROM workers WHERE hire_date >= DATE '1960-01-01'"
    request = make({"workers": workers}).request("how many workers were hired after 1959")
    assert not [one for one in check(sql, request) if one.severity is Severity.FAULT]
