"""Rows with two dates, where no word says which: what rows are called names neither."""

import pytest

from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code

from .conftest import Data, Make

STAYS = """
    select i as stay_no, ['collie', 'poodle'][1 + i % 2] as breed,
    date '2025-01-05' + (i * 5)::int as arrived, date '2025-01-12' + (i * 5)::int as left_on,
    (10 + i % 7)::int as extras from range(1, 101) t(i)"""
IN_JUNE = """
    SELECT COUNT(*) FROM kennel_stays
    WHERE {0} >= DATE '2025-06-01' AND {0} < DATE '2025-07-01'"""


@pytest.fixture(scope="module")
def kennel(make: Make) -> Data:
    return make({"kennel_stays": STAYS})


def is_doubted(data: Data, question: str, column: str) -> bool:
    found = check(IN_JUNE.format(column), data.request(question))
    return Code.AMBIGUOUS_NAME in {one.code for one in found}


@pytest.mark.parametrize("column", ["arrived", "left_on"])
def test_neither_is_taken_without_a_doubt(kennel: Data, column: str) -> None:
    assert is_doubted(kennel, "how many stays in june 2025", column)


def test_a_verb_names_one(kennel: Data) -> None:
    assert not is_doubted(kennel, "how many dogs arrived in june 2025", "arrived")
    assert not is_doubted(kennel, "how many dogs left in june 2025", "left_on")
