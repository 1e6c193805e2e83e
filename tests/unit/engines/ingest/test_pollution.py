"""A sample of the polluted files; `make bench` reads all of them."""

from collections import Counter
from pathlib import Path

import pytest
from tests.unit.engines.ingest import pollution
from tests.unit.engines.ingest.pollution import POLLUTIONS, Pollution, judge, polluted

SEEDS = 6
DOUBTFUL = {
    pollution.a_delimiter_less,
    pollution.a_delimiter_more,
    pollution.a_quote_before_a_cell,
    pollution.a_row_cut_by_a_line_end,
    pollution.a_wider_table_below,
    pollution.another_delimiter_in_a_row,
    pollution.another_table_below,
    pollution.cut_off,
    pollution.two_files_of_other_order,
}
"""Files that nobody can tell the truth of: they are refused, or read with a notice."""


@pytest.mark.parametrize("kind", POLLUTIONS, ids=lambda kind: kind.__name__)
def test_no_pollution_is_read_wrongly_without_a_word(kind: Pollution, tmp_path: Path):
    verdicts = Counter(judge(polluted(kind, seed), tmp_path) for seed in range(SEEDS))
    assert verdicts["silently wrong"] == verdicts["wrong line"] == 0
    if kind not in DOUBTFUL:
        assert verdicts["right"] >= SEEDS // 2
