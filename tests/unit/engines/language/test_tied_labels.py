"""Where rows tie at the limit of a label, any of them are a right answer."""

import duckdb
import pytest
from tests.questions.question_sets import as_right


@pytest.mark.parametrize(
    ("sql", "wanted"),
    [
        ("select a from t order by b desc limit 1", [["x"], ["y"]]),
        ("select a, count(*) as n from t group by a order by n desc, a limit 1", [["x"]]),
        ("select a from t order by b limit 2", [["x", "z"], ["y", "z"]]),
        ("select a from t order by a", [["x", "y", "z"]]),
    ],
)
def test_any_of_those_that_tie_are_right(sql: str, wanted: list[list[str]]) -> None:
    store = duckdb.connect(config={"threads": 1})
    store.execute("create table t as from (values ('x', 3), ('y', 3), ('z', 1)) made(a, b)")
    found = {tuple(sorted(row[0] for row in rows)) for rows in as_right(sql, "duckdb", store)}
    assert found == {tuple(one) for one in wanted}
