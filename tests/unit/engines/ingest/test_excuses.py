"""A notice excuses what it concerns, and nothing else."""

import pytest
from tests.unit.engines.ingest.excuses import excuse

RIGHT = [["id:i", "price:f"], ["1", "2.5"], ["2", "3.5"]]
OTHER_TYPE = [["id:i", "price:s"], ["1", "2,5"], ["2", "3,5"]]
OTHER_ROWS = [["id:i", "price:f"], ["1", "2.5"], ["2", "3.5"], ["", "6.0"]]
OF_PRICE = "price ('2,5') holds numbers as people write them and stays as it is: name the type"


@pytest.mark.parametrize(
    ("read", "notice", "is_one"),
    [
        (OTHER_TYPE, OF_PRICE, True),
        (OTHER_TYPE, OF_PRICE.replace("price", "day"), False),
        (OTHER_TYPE, "The first line stands above the names of the columns ('x')", False),
        (
            OTHER_TYPE,
            "A quote is opened and never closed, and is read as a character (line 2).",
            True,
        ),
        (OTHER_ROWS, OF_PRICE, False),
        (OTHER_ROWS, "There are no words in row 3, unlike in the others: they may be sums.", True),
    ],
)
def test_a_notice_has_to_be_of_the_fault(read: list[list[str]], notice: str, is_one: bool):
    assert excuse(RIGHT, read, [notice]) is is_one
