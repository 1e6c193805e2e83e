"""Groups are shown with what they are grouped by."""

import pytest
from sqlglot import parse_one

from modelwright.engines.language.llm.group_keys import show_group_keys


def shown(sql: str) -> str:
    tree = parse_one(sql, dialect="duckdb")
    show_group_keys(tree)
    return tree.sql(dialect="duckdb")


class TestGroupKeys:
    def test_are_put_in_front(self) -> None:
        assert shown("SELECT AVG(price) FROM d GROUP BY cut, color") == (
            "SELECT cut, color, AVG(price) FROM d GROUP BY cut, color"
        )

    @pytest.mark.parametrize(
        "sql",
        [
            "SELECT cut, AVG(price) FROM d GROUP BY cut",
            "SELECT cut AS kind, COUNT(*) FROM d GROUP BY cut",
            "SELECT cut FROM d GROUP BY cut, color",
            "SELECT YEAR(day) AS y, COUNT(*) FROM d GROUP BY y",
            "SELECT AVG(price), cut FROM d GROUP BY 2",
            "SELECT AVG(price) FROM d",
        ],
    )
    def test_are_not_shown_twice(self, sql: str) -> None:
        assert shown(sql) == sql
