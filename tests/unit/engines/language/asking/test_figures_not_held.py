"""Figures, names and sales that no column holds: never answered by one that sounds like it."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer

from .conftest import Make
from .test_arbiter import decide

TABLES = {
    "kilns": """
        select i as firing_no, ['North', 'South'][1 + i % 2] as kiln,
        (800 + i * 37 % 400)::int as peak_c, (i * 53 % 97)::double as glaze_loss,
        (20 + i * 7 % 31)::double as draft_avg from range(1, 61) t(i)""",
    "permits": """
        select 'PM' || (1000 + i) as permit_no, ['noise', 'parade', 'market'][1 + i * i % 3]
        as stall_category, (30 + i * 7 % 41)::double as fee_eur,
        date '2025-01-01' + (i * 5)::int as issued_on from range(1, 61) t(i)""",
    "rents": """
        select 'R' || (1000 + i) as rent_ref, ['van', 'lift'][1 + i * i % 2] as thing,
        (12 + i * 7 % 49)::int as term_m from range(1, 61) t(i)""",
    "paintings": """
        select i as lot_no, ['oil', 'ink'][1 + i % 2] as medium,
        (300 + i * 37 % 997)::double as price_eur from range(1, 61) t(i)""",
}


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("kilns", "what did the glaze cost"),
        ("kilns", "what does a glaze loss cost"),
        ("kilns", "average humidity per kiln"),
        ("permits", "what is the name of the stall with most permits"),
        ("permits", "how many permits were sold"),
        ("kilns", "what did the kiln cost"),
        ("kilns", "which firm built the kilns"),
        ("paintings", "do visitors like ink"),
        ("paintings", "how many shops are there"),
        ("rents", "how many kilometres do the vans have"),
    ],
)
def test_what_no_column_holds_is_not_answered(make: Make, table: str, question: str) -> None:
    decision = decide(make({table: TABLES[table]}), question)
    assert not isinstance(decision, Answer), decision


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("kilns", "what is the average draft"),
        ("permits", "average fee per stall category"),
        ("paintings", "how many paintings were sold"),
        ("paintings", "what do ink paintings cost on average"),
    ],
)
def test_what_a_column_holds_is_answered(make: Make, table: str, question: str) -> None:
    decision = decide(make({table: TABLES[table]}), question)
    assert isinstance(decision, Answer), decision
