"""What a number counts stands behind it; what happened never is denied once; days are days."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer
from modelwright.engines.language.arbiter.results import same_result

from .conftest import Make
from .test_arbiter import decide

TABLES = {
    "parcels": """
        select 'PX-' || (3000 + i) as "Parcel Ref", ['Ada Lunn', 'Bo Kerr', 'Cal Roe'][1 + i % 3]
        as "Courier", ['Hythe', 'Rye', 'Deal'][1 + i // 3 % 3] as "Depot",
        (i * 7 % 40)::int as "Stops", ['Yes', 'No'][1 + i % 2] as "Insured",
        date '2025-01-06' + ((i % 4) * 60)::int as "Dispatch Date",
        case when i % 5 = 0 then null else 4 + i % 9 end::double as "Surcharge"
        from range(0, 150) t(i)""",
    "leases": """
        select i + 1 as "Row", ['Ivo', 'Jo', 'Kit', 'Lu', 'May'][1 + i % 5] as "Tenant",
        ['hall', 'loft', 'shed'][1 + i // 5 % 3] as "Unit Kind",
        case when i % 5 in (1, 3) then 1 else i // 5 % 2 end::int as "Settled",
        case when i % 5 in (0, 1) then 'cheque' else ['cheque', 'transfer'][1 + i // 5 % 2] end
        as "Means", date '2025-02-01' + i::int as "Let On",
        (300 + i * 13 % 500)::double as "Rent" from range(0, 120) t(i)""",
}


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("parcels", "couriers with more than 24 insured parcels",
         """select "Courier" from parcels where "Insured" = 'Yes' group by 1
         having count(*) > 24"""),
        ("parcels", "depots with more than 10 parcels",
         'select "Depot" from parcels group by 1 having count(*) > 10'),
        ("parcels", "how many parcels have more than 20 stops",
         'select count(*) from parcels where "Stops" > 20'),
        ("parcels", "number of parcels per dispatch date",
         'select "Dispatch Date", count(*) from parcels group by 1'),
        ("parcels", "total surcharge by dispatch date",
         'select "Dispatch Date", sum("Surcharge") from parcels group by 1'),
        ("parcels", "how many parcels were insured in Rye",
         """select count(*) from parcels where "Insured" = 'Yes' and "Depot" = 'Rye'"""),
        ("leases", "which tenants never settled by transfer",
         """select distinct "Tenant" from leases where "Tenant" not in
         (select "Tenant" from leases where "Settled" = 1 and "Means" = 'transfer')"""),
        ("leases", "which unit kinds were let in March 2025 to Ivo",
         """select distinct "Unit Kind" from leases where "Tenant" = 'Ivo'
         and "Let On" >= date '2025-03-01' and "Let On" < date '2025-04-01'"""),
    ],
)  # fmt: skip
def test_are_answered_rightly(make: Make, table: str, question: str, sql: str) -> None:
    data = make({table: TABLES[table]})
    decision = decide(data, question)
    assert isinstance(decision, Answer)
    assert same_result(decision.reading.result, data.run(sql)), decision.reading.best.sql


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("parcels", "depots with more than 20 dispatched parcels"),
        ("parcels", "couriers with over 30 dispatch dates"),
        ("leases", "kinds with more than 400 tenants"),
    ],
)
def test_a_number_of_things_is_no_amount_of_something_else(
    make: Make, table: str, question: str
) -> None:
    decision = decide(make({table: TABLES[table]}), question)
    assert not isinstance(decision, Answer), decision.reading.best.sql
