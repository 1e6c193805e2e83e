"""The rules join tables along the keys that the catalog tells, also those no name leads to."""

import pytest
from tests.unit.engines.language.asking.conftest import Make

from modelwright.engines.language.readers import Candidate

DEPOTS = """select 'DP' || lpad(i::varchar, 3, '0') as code, 'Depot ' || i as label,
    ['north', 'south', 'west'][1 + i % 3] as zone, (40 + i * 13 % 90)::int as docks
    from range(1, 41) t(i)"""
TRUCKS = """select i as truck_no, ['Mala', 'Vero', 'Tucana'][1 + i % 3] as brand,
    'DP' || lpad((1 + i % 40)::varchar, 3, '0') as garaged_at, (2 + i % 17)::int as age_years
    from range(1, 201) t(i)"""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "how many trucks per zone",
            "select zone, count(*) from trucks join depots on garaged_at = code group by 1",
        ),
        (
            "average age years by zone",
            "select zone, avg(age_years) from trucks join depots on garaged_at = code group by 1",
        ),
    ],
)
def test_rules_join_along_keys_that_only_values_tell(make: Make, question: str, told: str) -> None:
    data = make({"trucks": TRUCKS, "depots": DEPOTS})
    for read in data.rules().read(data.request(question)):
        assert isinstance(read, Candidate)
        assert sorted(data.run(read.sql).rows, key=str) == sorted(data.run(told).rows, key=str)


INVOICES = """select i as invoice_no, 1 + i % 30 as client_no, (5 + i * 7 % 60)::double as amount
    from range(1, 61) t(i)"""
LINES = """select i as line_no, 1 + i % 60 as invoice_no, 1 + i % 12 as part_no,
    1 + i % 4 as pieces from range(1, 181) t(i)"""
CLIENTS = """select i as client_no, 'Client ' || i as client_name,
    ['Oslo', 'Rome', 'Bern'][1 + i % 3] as town from range(1, 31) t(i)"""
CLERKS = """select i as clerk_no, 'Clerk ' || i as clerk_name, ['Oslo', 'Bern'][1 + i % 2] as town
    from range(1, 7) t(i)"""


def test_amounts_are_those_of_the_rows_that_hold_them_though_others_lead_further(
    make: Make,
) -> None:
    """Lines lead to invoices and clients; the amount of an invoice is not added up for each line.

    That clerks have towns as well, and nothing leads to them, hinders nobody.
    """
    data = make({"clerks": CLERKS, "clients": CLIENTS, "invoices": INVOICES, "lines": LINES})
    told = "select town, sum(amount) from invoices join clients using (client_no) group by 1"
    for read in data.rules().read(data.request("total amount by town")):
        assert isinstance(read, Candidate)
        assert sorted(data.run(read.sql).rows, key=str) == sorted(data.run(told).rows, key=str)
