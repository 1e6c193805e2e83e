"""Rows that tie at a limit are all right."""

import duckdb
from benchmarks.asking.ties import golds

from modelwright_client.result_comparison import same_result


def test_rows_that_tie_at_a_limit_are_all_right() -> None:
    store = duckdb.connect()
    store.execute("create table t as select * from (values ('a', 3), ('b', 2), ('c', 2)) v(n, k)")

    found = list(golds("select n from t order by k desc limit 2", store))

    assert [("a",), ("b",)] in found
    assert [("a",), ("c",)] in found
    assert not any(same_result(gold, [("b",), ("c",)]) for gold in found)
