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
MOSTLY_RIGHT = {
    pollution.no_empty_last_cells,
    pollution.quotes_not_doubled,
    pollution.row_names_without_a_name,
}
"""Files of which some are refused, where nothing tells the truth from another table."""
MOST_REFUSED = 2
"""So many of them are, of the sample."""


@pytest.mark.parametrize("kind", POLLUTIONS, ids=lambda kind: kind.__name__)
def test_no_pollution_is_read_wrongly_without_a_word(kind: Pollution, tmp_path: Path):
    verdicts = Counter(judge(polluted(kind, seed), tmp_path) for seed in range(SEEDS))
    assert verdicts["silently wrong"] == verdicts["wrong line"] == 0
    if kind in MOSTLY_RIGHT:
        assert verdicts["right"] >= SEEDS - MOST_REFUSED
        assert verdicts["right"] + verdicts["refused"] == SEEDS
    elif kind not in DOUBTFUL:
        assert verdicts["right"] == SEEDS
