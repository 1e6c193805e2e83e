"""Files of many kinds: each is read rightly, refused, or read with a notice, as its case says."""

from pathlib import Path

import pytest
from tests.unit.engines.ingest.corpus_cases import Case, cases, judge, meets, read

CASES = list(cases())


@pytest.mark.parametrize("case", CASES, ids=[f"{case.kind}: {case.name}" for case in CASES])
def test_a_file_is_read_as_it_has_to_be(case: Case, tmp_path: Path):
    outcome = read(case, tmp_path)
    assert meets(case, outcome), (judge(case, outcome), outcome)
