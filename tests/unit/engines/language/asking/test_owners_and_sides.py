"""The grammar over several tables: a column behind its table, what is set against each other."""

import pytest

from modelwright.engines.language.arbiter.results import same_result
from modelwright.engines.language.readers import Candidate, Cannot

from .conftest import Data, Make

FERRIES = {
    "ports": """
        select i as port_id, 'Port ' || i as port_name,
        ['Norway', 'Wales'][1 + i % 2] as country from range(1, 13) t(i)""",
    "ships": """
        select i as ship_id, 'Ship ' || i as ship_name, 1 + i % 10 as port_id,
        ['cargo', 'car', 'foot'][1 + i % 3] as type, 100 + i * 10 as capacity
        from range(1, 19) t(i)""",
    "crossings": """
        select i as crossing_id, 1 + i % 15 as ship_id, ['calm', 'rough'][1 + i % 2] as sea,
        date '2025-01-01' + i::int as crossed_on, (20 + i % 37)::int as passengers
        from range(1, 301) t(i)""",
}
CROSSINGS = "from crossings join ships using (ship_id)"


@pytest.fixture(scope="module")
def ferries(make: Make) -> Data:
    return make(FERRIES)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("average passengers per ship type",
         f"select type, avg(passengers) {CROSSINGS} group by 1"),
        ("total crossing passengers by ship type",
         f"select type, sum(passengers) {CROSSINGS} group by 1"),
        ("average ship capacity by port country",
         "select country, avg(capacity) from ships join ports using (port_id) group by 1"),
        ("total passengers of cargo vs foot",
         f"select type, sum(passengers) {CROSSINGS} where type in ('cargo', 'foot') group by 1"),
        ("compare average passengers in calm and rough",
         "select sea, avg(passengers) from crossings group by 1"),
        ("number of calm vs rough crossings per month",
         ("select date_trunc('month', crossed_on), sea, count(*) from crossings"
          " group by 1, 2 order by 1")),
        ("3 ships with the most crossings",
         (f"select ship_name, count(*) {CROSSINGS} group by 1"
          " order by 2 desc, 1 limit 3")),
        ("ships that never had a crossing",
         "select ship_name from ships where ship_id not in (select ship_id from crossings)"),
        ("ships that haven't had a crossing yet",
         "select ship_name from ships where ship_id not in (select ship_id from crossings)"),
        ("number of different sea per ship",
         f"select ship_name, count(distinct sea) {CROSSINGS} group by 1"),
    ],
)  # fmt: skip
def test_it_is_read_as_it_is_meant(ferries: Data, question: str, wanted: str) -> None:
    found = ferries.grammar().read(ferries.request(question))
    assert isinstance(found[0], Candidate), found
    assert same_result(ferries.run(found[0].sql), ferries.run(wanted)), found[0].sql


@pytest.mark.parametrize("question", ["compare ships", "cargo vs foot ships"])
def test_what_is_compared_must_be_said(ferries: Data, question: str) -> None:
    (one,) = ferries.grammar().read(ferries.request(question))
    assert isinstance(one, Cannot), one
