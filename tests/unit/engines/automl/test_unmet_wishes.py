"""Tables that invite a wish no learner meets, and one that flatters a model: what a plan says."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.engines.automl.conftest import Write, build

from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.planning.plan import PlanError

ROWS = 240
MATCHES = 120
EACH = 6
"""Rows of each match."""


def patients(maker: Any) -> dict[str, Any]:
    return {
        "patient": np.arange(ROWS),
        "age": maker.integers(20, 90, ROWS),
        "treatment": maker.choice(["drug", "placebo"], ROWS),
        "months": maker.exponential(20, ROWS).round(1),
        "event": maker.integers(0, 2, ROWS),
    }


def loans(maker: Any) -> dict[str, Any]:
    numbers = {name: maker.normal(size=ROWS) for name in ("income", "debt")}
    return {**numbers, "survey_weight": maker.random(ROWS), "default": maker.integers(0, 2, ROWS)}


def ratings(maker: Any) -> dict[str, Any]:
    return {
        "user_id": maker.integers(0, 60, ROWS),
        "movie_id": maker.integers(0, 80, ROWS),
        "rating": maker.integers(1, 6, ROWS),
    }


def purchases(maker: Any) -> dict[str, Any]:
    return {
        "txn_id": np.arange(ROWS),
        "customer_id": maker.integers(0, 50, ROWS),
        "product": maker.choice(["kettle", "coffee", "filter"], ROWS),
        "amount": maker.exponential(20, ROWS).round(2),
    }


def questions(maker: Any) -> dict[str, Any]:
    words = ["index", "join", "loop", "chart", "date", "report"]
    return {
        "question": [" ".join(maker.choice(words, 8)) for _ in range(ROWS)],
        "tags": maker.choice(["python", "sql", "python;sql", "python;r"], ROWS),
        "votes": maker.integers(0, 20, ROWS),
    }


def runs(maker: Any) -> dict[str, Any]:
    names = ("temp", "press", "flow", "yield_pct", "purity", "viscosity")
    return {name: maker.normal(size=ROWS) for name in names}


WISHES = [
    (patients, "survival analysis of the patients by treatment",
     "survival analysis with censored durations", "within 90 days"),
    (loans, "predict default using survey_weight as sample weight",
     "weights of rows, said in words", "`sample_weight`"),
    (ratings, "recommend movies to users",
     "recommendations of items to users", "score each pair"),
    (purchases, "Predict customer lifetime value",
     "what customers will be worth in times that are yet to come", "a row for each customer"),
    (purchases, "which products are bought together",
     "what goes together in baskets", "how often two products stand in one order"),
    (purchases, "find unusual transactions",
     "rows that are unusual", "payments above ten times the average"),
    (questions, "predict the tags (multi-label)",
     "several labels for one row", "yes or no for each label"),
    (runs, "find the best temp and press to maximise yield_pct",
     "the best settings", "many combinations of settings"),
    (runs, "predict yield_pct, purity and viscosity",
     "asks for yield_pct, purity and viscosity", 'for example "Predict yield_pct"'),
]  # fmt: skip
"""A table, a wish, what its refusal calls it, and what it says to do instead."""


@pytest.mark.parametrize(("table", "wish", "named", "instead"), WISHES)
def test_a_wish_that_nothing_meets_is_refused_by_its_name_with_what_to_do(
    write: Write, table: Any, wish: str, named: str, instead: str
):
    path = write(**table(np.random.default_rng(3)))
    with pytest.raises(PlanError) as refused:
        make_plan([path], wish, seconds=60.0)
    assert refused.value.field == "intent"
    assert named in str(refused.value)
    assert instead in str(refused.value)


def test_a_column_of_such_a_table_can_still_be_predicted(write: Write):
    made = make_plan([write(**ratings(np.random.default_rng(3)))], "Predict rating", seconds=60.0)
    assert made.target == "rating"


def test_noise_of_groups_is_told_by_the_plan_and_chance_where_groups_are_held_out(
    write: Write, tmp_path: Path
):
    maker = np.random.default_rng(4)
    match = np.repeat(np.arange(MATCHES), EACH)
    measured = maker.normal(size=(MATCHES, 6))[match] + maker.normal(size=(len(match), 6)) / 20
    diagnosis = np.array(["sick", "well"])[np.arange(MATCHES) % 2][match]
    path = write(
        Match=[f"P{one:03d}" for one in match],
        **{f"f{at}": column for at, column in enumerate(measured.T)},
        diagnosis=diagnosis,
    )
    wish: dict[str, Any] = {"max_iterations": 1, "target": "diagnosis"}
    warnings = make_plan([path], "", seconds=60.0, **wish).warnings
    (said,) = [one for one in warnings if "alike in diagnosis" in one]
    assert said.startswith("Rows with the same Match are alike")
    assert '`split` {"by": "group", "column": "Match"}' in said
    flattered = build(path, tmp_path / "random", **wish).metrics
    honest = build(
        path, tmp_path / "group", split={"by": "group", "column": "Match"}, **wish
    ).metrics
    assert flattered["accuracy"] > 0.95
    assert honest["accuracy"] == pytest.approx(0.5, abs=0.15)
    assert honest["better_than_baseline"] is False
