"""Wishes that cannot be met are refused by their name, with what can be done instead."""

import tomllib
from pathlib import Path

import pytest

from modelwright.engines.facts import ColumnFacts, ColumnType
from modelwright.engines.language.rules.intents.intents import Unclear, find_target
from modelwright.engines.language.rules.intents.unsupported import (
    unsupported_wish,
    unsupported_wishes,
)

CASES = tomllib.loads(
    Path(__file__).with_name("unsupported_wishes.toml").read_text(encoding="utf-8")
)
KINDS = sorted(CASES.keys() - {"ordinary"})
WORDINGS = [(kind, text) for kind in KINDS for text in CASES[kind]]
ENOUGH_WORDINGS = 150
NAMES = (
    "churn", "age", "plan", "revenue", "visits", "postcode", "price", "size", "rooms", "address",
    "delay", "returned",
)  # fmt: skip
"""Columns of a table that wishes about columns and rows are said of by their names."""


def column(name: str, kind: ColumnType = "float", distinct: int = 900) -> ColumnFacts:
    return ColumnFacts(name, kind, 1000, 0, distinct, 0.0, 99.5, ((1.0, 3), (2.0, 2)))


def test_every_kind_has_its_wordings():
    assert sorted({wish.kind for wish in unsupported_wishes()}) == KINDS
    assert len(WORDINGS) >= ENOUGH_WORDINGS


def test_the_docs_list_each_with_what_to_do_instead():
    page = (Path(__file__).parents[4] / "docs/reference/unsupported-wishes.md").read_text("utf-8")
    for wish in unsupported_wishes():
        assert f"| {wish.named} |" in page
        assert wish.instead in page


@pytest.mark.parametrize(("kind", "text"), WORDINGS)
def test_a_wording_is_refused_by_the_name_of_its_kind(kind: str, text: str):
    found = unsupported_wish(text, NAMES)
    assert found is not None
    assert found.kind == kind


@pytest.mark.parametrize("names", [(), NAMES], ids=["unnamed", "named"])
@pytest.mark.parametrize("text", CASES["ordinary"])
def test_an_ordinary_wish_that_sounds_like_one_is_none(text: str, names: tuple[str, ...]):
    assert unsupported_wish(text, names) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("predict the remaining useful life", "RUL"),
        ("predict rain tomorrow", "RainTomorrow"),
        ("score each payment for suspicious activity", "is_fraud"),
        ("how many fish will die in the coming week?", "deaths_7d"),
        ("predict the 90th percentile latency", "latency_p90"),
        ("visits over the next two weeks", "visits_14d"),
        ("sales in the coming month", "sold_30d"),
        ("load for the next 24 hours", "load_24h"),
    ],
)
def test_a_column_that_holds_what_is_asked_for_can_be_predicted(text: str, name: str):
    assert unsupported_wish(text) is not None
    assert unsupported_wish(text, ["size", name]) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("visits over the next 90 days", "visits_14d"),
        ("sales in the coming week", "sold_30d"),
        ("revenue for the next two months", "3D"),
        ("predict the daily takings for the next 14 days as a time series", "back_14d"),
    ],
)
def test_a_column_of_another_span_holds_no_forecast(text: str, name: str):
    found = unsupported_wish(text, ["size", name])
    assert found is not None
    assert found.kind == "forecast"


class TestFindTarget:
    def test_says_what_is_asked_for_and_what_to_do_instead(self):
        answer = find_target(
            "forecast revenue for the next 12 months", [column("revenue"), column("cost")]
        )
        assert isinstance(answer, Unclear)
        assert "a forecast of times that are yet to come" in answer.sentence
        assert "Make a table with a row for each past time" in answer.sentence

    def test_plans_it_as_nothing_else_though_a_column_is_called_by_its_name(self):
        columns = [column("yield_pct"), column("temp"), column("press")]
        answer = find_target("find the best temp and press to maximise yield_pct", columns)
        assert isinstance(answer, Unclear)
        assert "optimisation" in answer.sentence
