"""Wishes that no model can meet, told by their form on tables whose columns sound like them."""

import pytest
from tests.questions.intents import facts

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.intents.intents import Target, Unclear, find_target


def column(name: str, kind: str = "float", distinct: int = 500, *values: object) -> ColumnFacts:
    return facts({"name": name, "type": kind, "distinct": distinct, "values": values}, 1000)


def yes_or_no(name: str) -> ColumnFacts:
    return column(name, "string", 2, "No", "Yes")


HIVES = [
    column("hive_no", "integer", 1000),
    column("Honey Kg"),
    column("Feed Weeks"),
    column("Swarm Type", "string", 4, "prime", "cast"),
    column("cluster_count", "integer", 40),
    column("inspected_on", "date", 300),
    column("Tool Used", "string", 3, "smoker", "brush"),
    column("days_to_queen", "integer", 60),
    yes_or_no("Sealed?"),
    yes_or_no("queen_alive"),
    yes_or_no("needs_return"),
]


def refusal(intent: str) -> str:
    found = find_target(intent, HIVES)
    assert isinstance(found, Unclear), found
    return found.sentence


def target(intent: str) -> str | None:
    found = find_target(intent, HIVES)
    return found.column if isinstance(found, Target) else None


@pytest.mark.parametrize(
    ("intent", "named"),
    [
        ("honey per feed week", "a figure that is made from a column"),
        ("honey kg as a share of feed weeks", "a figure that is made from a column"),
        ("how long a hive stays with us from now", "survival"),
        ("how many weeks till the queen lays, though some have not yet", "survival"),
        ("what kinds of hives do we have", "clustering"),
        ("swarms that come in pairs", "association rules"),
        ("is it the feed that brings on the honey", "causal"),
        ("which tool would get them calmest", "optimisation"),
        ("the ideal number of feed weeks", "optimisation"),
        ("how many swarms in the run-up to summer", "forecast"),
        ("honey expected at Christmas", "forecast"),
        ("does a feeder calm them", "causal"),
        ("is smoke what calms the bees", "causal"),
        ("hives of much the same temperament", "clustering"),
        ("hives that are nothing like the rest", "anomaly"),
        ("where should we put the hives", "optimisation"),
        ("who should get the next hive", "optimisation"),
        ("does smoke make people leave", "causal"),
        ("reminders to the keepers", "generation"),
        ("the most honey a hive could give", "quantile"),
        ("swarms in each week of the summer", "forecast"),
        ("honey readings nobody should trust", "anomaly"),
        ("which hive goes to which keeper", "recommendation"),
        ("honey in the poorest ten percent of hives", "quantile"),
        ("kilos of wax per hundred kilos of honey", "a figure that is made from a column"),
    ],
)
def test_a_form_is_refused_by_its_name_whatever_columns_there_are(intent: str, named: str) -> None:
    assert named in refusal(intent)


@pytest.mark.parametrize(
    ("intent", "column_name"),
    [
        ("how many kilos of honey", "Honey Kg"),
        ("number of clusters", "cluster_count"),
        ("what kind of swarm is it", "Swarm Type"),
        ("unsealed hives", "Sealed?"),
        ("is the queen still alive", "queen_alive"),
        ("weeks of feed before the winter sets in", "Feed Weeks"),
        ("tell me the tool used from the honey and the feed weeks", "Tool Used"),
    ],
)
def test_a_plain_intent_that_sounds_like_one_is_planned(intent: str, column_name: str) -> None:
    assert target(intent) == column_name


def test_an_unknown_kind_is_no_outcome_of_another_column() -> None:
    assert target("is it a bumblebee or not") is None


def test_what_was_done_is_no_date_where_no_time_is_asked() -> None:
    assert target("how was it inspected") != "inspected_on"
