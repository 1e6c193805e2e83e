"""Rows without a date of their own happened when what tells of them did, not when a thing began.

Loans of a library are of books, which have a date of their own; lines of a loan have none.
"""

import pytest

from modelwright.engines.language.arbiter.results import same_result
from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code
from modelwright.engines.language.readers import Candidate, Cannot, Reader
from modelwright.engines.language.rules.times.dated_rows import tell_when

from .conftest import Data, Make

WORKSHOP = {
    "clients": """
        select i as client_id, 'Client ' || i as client_name, ['Oslo', 'Rome', 'Bonn'][1 + i % 3]
        as town, date '2020-01-01' + (i * 31)::int as created_on from range(1, 41) t(i)""",
    "tools": """
        select i as tool_id, 'Tool ' || i as tool_name, ['saw', 'drill'][1 + i % 2] as kind,
        date '2022-01-01' + (i * 45)::int as introduced_on from range(1, 31) t(i)""",
    "loans": """
        select i as loan_id, 1 + i % 40 as client_id,
        date '2023-01-01' + (i * 5)::int as lent_on from range(1, 201) t(i)""",
    "loan_lines": """
        select i as line_id, 1 + i % 200 as loan_id, 1 + (i * 7) % 30 as tool_id,
        (1 + i % 4)::int as quantity, (3 + i % 9)::double as fee from range(1, 501) t(i)""",
}
LINES = "from loan_lines join loans using (loan_id) join tools using (tool_id)"


@pytest.fixture(scope="module")
def workshop(make: Make) -> Data:
    return make(WORKSHOP)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("total quantity in 2024",
         f"select sum(quantity) {LINES} where year(lent_on) = 2024"),
        ("total quantity by kind in 2024",
         f"select kind, sum(quantity) {LINES} where year(lent_on) = 2024 group by 1"),
        ("total quantity per month for drill",
         (f"select date_trunc('month', lent_on), sum(quantity) {LINES} where kind = 'drill'"
          " group by 1 order by 1")),
        ("average fee by town in 2024",
         (f"select town, avg(fee) {LINES} join clients using (client_id)"
          " where year(lent_on) = 2024 group by 1")),
        ("number of loans in Oslo in 2024",
         ("select count(*) from loans join clients using (client_id)"
          " where town = 'Oslo' and year(lent_on) = 2024")),
        ("how many tools introduced in 2024",
         "select count(*) from tools where year(introduced_on) = 2024"),
        ("how many clients created in 2021",
         "select count(*) from clients where year(created_on) = 2021"),
    ],
)  # fmt: skip
def test_times_are_of_what_happened_unless_another_date_is_named(
    workshop: Data, question: str, wanted: str
) -> None:
    readers: list[Reader] = [workshop.rules(), workshop.grammar()]
    for reader in readers:
        found = reader.read(workshop.request(question))
        assert isinstance(found[0], Candidate), (reader.name, found)
        assert same_result(workshop.run(found[0].sql), workshop.run(wanted)), found[0].sql


def test_a_time_of_two_things_is_not_read(make: Make) -> None:
    told = {one: WORKSHOP[one] for one in ("tools", "loan_lines")}
    depots = (
        "select i as depot_id, 'Depot ' || i as depot_name,"
        " date '2015-01-01' + (i * 9)::int as opened_on from range(1, 11) t(i)"
    )
    told["loan_lines"] = told["loan_lines"].replace(" from", ", 1 + i % 10 as depot_id from")
    data = make({**told, "depots": depots})
    (one,) = data.grammar().read(data.request("total quantity in 2024"))
    assert isinstance(one, Cannot), one


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("total quantity by kind in 2024",
         (f"select kind, sum(quantity) {LINES} where lent_on >= '2024-01-01'"
          " and lent_on < '2025-01-01' group by kind"),
         (f"select kind, sum(quantity) {LINES} where introduced_on >= '2024-01-01'"
          " and introduced_on < '2025-01-01' group by kind")),
        ("quantity of drills per month",
         (f"select date_trunc('month', lent_on), sum(quantity) {LINES} where kind = 'drill'"
          " group by 1"),
         ("select date_trunc('month', introduced_on), sum(quantity) from loan_lines"
          " join tools using (tool_id) where kind = 'drill' group by 1")),
        ("how many tools were rented out in 2024",
         (f"select count(distinct tool_id) {LINES} where lent_on >= '2024-01-01'"
          " and lent_on < '2025-01-01'"),
         ("select count(*) from tools where introduced_on >= '2024-01-01'"
          " and introduced_on < '2025-01-01'")),
        ("how many clients did we lend a saw to in 2024",
         (f"select count(distinct client_id) {LINES} where kind = 'saw'"
          " and lent_on >= '2024-01-01' and lent_on < '2025-01-01'"),
         ("select count(*) from clients where created_on >= '2024-01-01'"
          " and created_on < '2025-01-01'")),
    ],
)  # fmt: skip
def test_a_time_told_by_the_date_of_a_thing_is_doubted(
    workshop: Data, question: str, right: str, wrong: str
) -> None:
    request = workshop.request(question)
    assert Code.OTHER_DATE not in {one.code for one in check(right, request)}
    assert Code.OTHER_DATE in {one.code for one in check(wrong, request)}


@pytest.mark.parametrize(
    "question",
    [
        "how many clients in 2021",
        "how many clients joined in 2021",
        "how many clients did we get in 2021",
    ],
)
def test_rows_alone_are_dated_by_when_they_came(workshop: Data, question: str) -> None:
    sql = (
        "select count(*) from clients where created_on >= '2021-01-01'"
        " and created_on < '2022-01-01'"
    )
    found = check(sql, workshop.request(question))
    assert Code.OTHER_DATE not in {one.code for one in found}


def test_what_leads_on_tells_when(workshop: Data) -> None:
    keys = workshop.catalog.relationships
    assert tell_when(keys, ["loans", "tools"]) == ["loans"]
    assert tell_when(keys, ["clients", "loans"]) == ["loans"]
    assert tell_when(keys, ["clients", "tools"]) == ["clients", "tools"]
