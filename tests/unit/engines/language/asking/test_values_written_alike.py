"""Values of one stem in two columns: that which is written as it is said is meant."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer

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
