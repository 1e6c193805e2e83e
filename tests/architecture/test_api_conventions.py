"""The page of the API's conventions says what the code does."""

import importlib
import re
from pathlib import Path

import pytest

from modelwright.core.errors import ErrorType
from modelwright.core.http.context import Level
from modelwright.core.http.idempotency import MAX_LENGTH
from modelwright.core.limits.contract import LIMITS
from modelwright.jobs import domain as jobs

PAGE = (Path(__file__).parents[2] / "docs/reference/api-conventions.md").read_text("utf-8")
STATES = re.findall(r"<!-- states: ([\w.]+) -->\n\n((?:\|.*\n)+)", PAGE)


def rows(table: str) -> list[tuple[str, ...]]:
    lines = table.strip().splitlines()[2:]
    return [tuple(cell.strip().strip("`") for cell in line.strip("|").split("|")) for line in lines]


def section(title: str) -> str:
    return re.split(r"^## ", PAGE.split(f"## {title}\n")[1], maxsplit=1, flags=re.MULTILINE)[0]


@pytest.mark.parametrize(("module", "table"), STATES)
def test_the_states_of_a_resource_are_those_of_its_domain(module: str, table: str) -> None:
    moves = importlib.import_module(module).TRANSITIONS
    known = {(begun.value, event.value, ended.value) for (begun, event), ended in moves.items()}
    assert set(rows(table)) == known


def test_four_resources_have_their_states() -> None:
    assert len(STATES) == 4


def test_every_status_of_an_error_is_explained() -> None:
    told = [int(status) for status, _ in rows(section("Errors").strip().split("\n\n")[1])]
    assert told == sorted({kind.value[0] for kind in ErrorType})


def test_levels_are_those_of_keys() -> None:
    table = re.search(r"\| level \|.*?\n\n", PAGE, re.DOTALL)
    assert table
    assert [level for level, _ in rows(table[0])] == [level.word for level in Level]


def test_jobs_have_the_states_that_are_named() -> None:
    text = section("Work in the background")
    assert all(f"`{status.value}`" in text for status in jobs.Status)


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Idempotency", f"up to {MAX_LENGTH} characters. For {LIMITS.idempotency_hours} hours"),
        ("Paging", f"has {LIMITS.page} entries, or {LIMITS.page_max} of"),
        ("Predictions", f"`predictions` up to {LIMITS.batch_rows:,} in"),
        ("Sessions and queries", f"has {LIMITS.query_seconds:g} seconds"),
        ("Analyses and exports", f"removed after {LIMITS.export_days} days"),
    ],
)
def test_numbers_are_those_of_the_limits(title: str, said: str) -> None:
    assert said in " ".join(section(title).split())
