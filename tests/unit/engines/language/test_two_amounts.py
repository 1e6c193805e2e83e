"""One amount over another: as a share of it, divided by it, or for each of its units.

Names of amounts may begin with `total`, which is no word of its own then.
"""

import random
from datetime import date

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, reader_of, store_of

from modelwright.engines.language.rules.answering.questions import Answerable, Reader

TODAY = date(2026, 11, 25)
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


@pytest.fixture(scope="module")
def shifts() -> Asked:
    chance = random.Random(21)
    columns = {
        "line": "string", "total_output": "float", "scrap_weight": "float",
        "machine_hours": "float", "energy_cost": "float",
    }  # fmt: skip
    rows = [
        (chance.choice(["A", "B", "C"]), round(chance.uniform(50, 900), 1),
         round(chance.uniform(1, 40), 1), round(chance.uniform(1, 9), 1),
         round(chance.uniform(5, 300), 2)) for _ in range(200)
    ]  # fmt: skip
    return store_of("shifts", columns, rows), reader_of("shifts", columns, rows)


SHARE = "100.0 * sum(scrap_weight) / sum(total_output)"
COST = "sum(energy_cost) / sum(machine_hours)"


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("scrap weight as a percent of total output", f"select {SHARE} from shifts"),
        ("scrap weight as a share of total output by line",
         f"select line, {SHARE} from shifts group by 1"),
        ("ratio of scrap weight to total output per line",
         "select line, sum(scrap_weight) / sum(total_output) from shifts group by 1"),
        ("ratio of total output to machine hours",
         "select sum(total_output) / sum(machine_hours) from shifts"),
        ("what percentage of total output is scrap weight", f"select {SHARE} from shifts"),
        ("energy cost divided by machine hours", f"select {COST} from shifts"),
        ("total energy cost divided by total output by line",
         "select line, sum(energy_cost) / sum(total_output) from shifts group by 1"),
        ("energy cost / machine hours by line",
         f"select line, {COST} from shifts group by 1"),
        ("energy cost per machine hour", f"select {COST} from shifts"),
        ("energy cost per machine hour by line", f"select line, {COST} from shifts group by 1"),
    ],
)  # fmt: skip
def test_one_is_told_over_the_other(shifts: Asked, question: str, right: str) -> None:
    answers_as(shifts, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("number of shifts of line A/B by line",
         "select line, count(*) from shifts where line in ('A', 'B') group by 1"),
        ("total output by line", "select line, sum(total_output) from shifts group by 1"),
    ],
)  # fmt: skip
def test_what_is_no_division_is_none(shifts: Asked, question: str, right: str) -> None:
    answers_as(shifts, question, right, TODAY)


def test_a_name_that_begins_with_total_is_said_once(shifts: Asked) -> None:
    read = shifts[1].read("ratio of scrap weight to total output", TODAY)
    assert isinstance(read, Answerable)
    assert "divided by total output" in read.interpretation
