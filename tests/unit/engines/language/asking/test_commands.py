"""Verbs that tell to show a figure are no rows of the columns that are called after them."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer
from modelwright.engines.language.arbiter.results import same_result
from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code

from .conftest import Data, Make
from .test_arbiter import decide

LETTINGS = """
    select i as letting_id, ['quay', 'mill', 'park'][1 + i % 3] as area,
    case when i % 4 = 0 then 'No' else 'Yes' end as returned,
    case when i % 5 = 0 then 'No' else 'Yes' end as listed,
    (200 + i * 7 % 90)::double as rent from range(120) t(i)"""


def lettings(make: Make) -> Data:
    return make({"lettings": LETTINGS})


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("for each area return number of lettings", "select area, count(*) from lettings group by"),
        ("per area return the count of lettings", "select area, count(*) from lettings group by"),
        ("list the average rent by area", "select area, avg(rent) from lettings group by"),
        ("return average rent per area", "select area, avg(rent) from lettings group by"),
        (
            "for each area return number of returned lettings",
            "select area, count(*) from lettings where returned = 'Yes' group by",
        ),
        (
            "returned lettings by area",
            "select area, count(*) from lettings where returned = 'Yes' group by",
        ),
    ],
)
def test_a_figure_is_that_of_all_rows_that_are_told(make: Make, question: str, right: str) -> None:
    data = lettings(make)
    decision = decide(data, question)
    assert isinstance(decision, Answer), decision
    assert same_result(decision.reading.result, data.run(f"{right} area")), decision


@pytest.mark.parametrize(
    ("question", "is_command"),
    [
        ("for every area return the number of lettings", True),
        ("return rate by area", False),
        ("return count by area", False),
        ("how many lettings did people return by area", False),
    ],
)
def test_rows_of_what_a_verb_tells_to_do_are_a_fault(
    make: Make, question: str, *, is_command: bool
) -> None:
    sql = "select area, count(*) from lettings where returned = 'Yes' group by area"
    found = check(sql, lettings(make).request(question))
    assert (Code.OTHER_KIND in {one.code for one in found}) == is_command
