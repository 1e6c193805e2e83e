"""What words of everyday questions leave open, or say of columns that bear other names.

The tables are those of clubs, help desks, clinics and stores.
"""

import pytest

from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code

from .conftest import Make


@pytest.mark.parametrize(
    ("names", "question", "taken", "is_asked"),
    [
        ("sleep_total sleep_rem", "animals with sleep over 9", "sleep_total", False),
        ("sleep_total sleep_rem", "animals with sleep over 9", "sleep_rem", True),
        ("asking_price price_per_m2", "flats with a price over 9", "asking_price", False),
        ("asking_price price_per_m2", "flats with a price over 9", "price_per_m2", True),
        ("total_cost unit_cost", "parts with a cost over 9", "total_cost", True),
        ("home_goals away_goals", "games with over 9 goals", "home_goals", True),
    ],
)
def test_a_whole_and_an_amount_are_meant_before_a_part_and_a_rate(
    make: Make, names: str, question: str, taken: str, *, is_asked: bool
) -> None:
    columns = ", ".join(f"(i * 7 % 40)::double as {one}" for one in names.split())
    data = make({"held": f"select i as held_id, {columns} from range(60) t(i)"})
    found = check(f"select * from held where {taken} > 9", data.request(question))
    assert (Code.AMBIGUOUS_NAME in {one.code for one in found}) is is_asked
