"""Rows without a date of their own happen when what they belong to does, not what belongs to them.

Crates sail with their voyage; each is checked several times, and its packer joined once.
"""

import pytest

from modelwright.engines.language.arbiter.results import same_result
from modelwright.engines.language.readers import Candidate, Cannot, Reader

from .conftest import Data, Make

CARGO = {
    "voyages": """
        select i as voyage_id, date '2023-02-01' + (i * 40)::int as sailed_on from range(1, 26) t(i)
        """,
    "packers": """
        select i as packer_id, 'Packer ' || i as full_name,
        date '2019-01-01' + (i * 60)::int as joined_on from range(1, 31) t(i)""",
    "crates": """
        select i as crate_id, 1 + i % 25 as voyage_id, 1 + i % 30 as packer_id,
        ['tea', 'silk'][1 + i % 2] as goods, (10 + i % 50)::double as weight
        from range(1, 121) t(i)""",
    "checks": """
        select i as check_id, 1 + i % 120 as crate_id,
        date '2023-03-01' + (i * 2)::int as checked_on
        from range(1, 401) t(i)""",
}
OF_VOYAGES = "from crates join voyages using (voyage_id)"


@pytest.fixture(scope="module")
def cargo(make: Make) -> Data:
    return make(CARGO)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("total weight by goods in 2024",
         f"select goods, sum(weight) {OF_VOYAGES} where year(sailed_on) = 2024 group by 1"),
        ("total weight per year", f"select year(sailed_on), sum(weight) {OF_VOYAGES} group by 1"),
        ("how many checks in 2024",
         "select count(*) from checks where year(checked_on) = 2024"),
    ],
)  # fmt: skip
def test_rows_are_dated_by_what_they_belong_to(cargo: Data, question: str, wanted: str) -> None:
    readers: list[Reader] = [cargo.rules(), cargo.grammar()]
    for reader in readers:
        for one in reader.read(cargo.request(question)):
            assert isinstance(one, Candidate), (reader.name, one)
            assert same_result(cargo.run(one.sql), cargo.run(wanted)), one.sql


def test_rows_are_not_dated_by_the_persons_who_made_them(make: Make) -> None:
    data = make({one: CARGO[one] for one in ("packers", "crates")})
    (one,) = data.grammar().read(data.request("total weight in 2020"))
    assert isinstance(one, Cannot), one
