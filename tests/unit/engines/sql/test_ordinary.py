"""What analysts ask works, with the results that DuckDB gives; each checked by hand once."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modelwright.engines.sql.executor import Rows

LINES = (Path(__file__).parent / "ordinary.jsonl").read_text("utf-8").splitlines()
Ask = Callable[..., Rows]
QUERIES = [json.loads(line) for line in LINES]


class TestAnswer:
    @pytest.mark.parametrize("query", QUERIES, ids=[one["name"] for one in QUERIES])
    def test_an_ordinary_query_has_the_right_result(self, ask: Ask, query: dict[str, Any]):
        result = ask(query["sql"])
        assert json.loads(result.encoded) == query["rows"]
        assert result.row_count == len(query["rows"])
        assert not result.truncated

    def test_the_suite_is_large(self):
        assert len(QUERIES) >= 40
