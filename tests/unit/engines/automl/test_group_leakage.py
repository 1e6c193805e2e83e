"""Subjects of many rows are said where their rows are alike in the target, and only there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.planning.group_leakage import intraclass

Write = Callable[..., Path]
PEOPLE = 60
EACH = 8
"""Rows of each person."""
WHO = np.repeat(np.arange(PEOPLE) * 7 + 3, EACH)


def told(path: Path) -> list[str]:
    warnings = make_plan([path], "", seconds=10, target="y").warnings
    return [one for one in warnings if "alike in y" in one]


def drawn(between: float, *, classes: bool) -> Any:
    """Gives truths that differ by `between` from one subject to the next and by 1 within."""
    maker = np.random.default_rng(2)
    values = np.repeat(maker.normal(size=PEOPLE) * between, EACH) + maker.normal(size=len(WHO))
    return np.where(values > 0, "yes", "no") if classes else values


@pytest.mark.parametrize("classes", [False, True])
@pytest.mark.parametrize("name", ["patient_id", "Subject", "customerId", "subject#"])
def test_subjects_alike_in_the_target_are_said(write: Write, name: str, classes: bool):
    x = np.random.default_rng(1).normal(size=len(WHO))
    [said] = told(write(**{name: WHO, "x": x, "y": drawn(5.0, classes=classes)}))
    assert said.startswith(f"Rows with the same {name} are alike in y; if the model is to predict")


@pytest.mark.parametrize("classes", [False, True])
def test_subjects_that_differ_by_chance_are_not(write: Write, classes: bool):
    x = np.random.default_rng(1).normal(size=len(WHO))
    assert not told(write(patient_id=WHO, x=x, y=drawn(0.0, classes=classes)))


@pytest.mark.parametrize("people", [PEOPLE, 600])
def test_a_quarter_of_the_variance_is_said_where_chance_does_not_make_it(write: Write, people: int):
    maker = np.random.default_rng(5)
    who = np.repeat(np.arange(people), 2 if people == PEOPLE else 4)
    y = maker.normal(size=people)[who] * 0.33**0.5 + maker.normal(size=len(who))
    path = write(patient_id=[f"p{one}" for one in who], x=maker.normal(size=len(who)), y=y)
    assert bool(told(path)) == (people == 600)


def test_only_what_is_named_as_a_subject_counts(write: Write):
    x = np.random.default_rng(1).normal(size=len(WHO))
    assert not told(write(shade=[f"s{one}" for one in WHO], x=x, y=drawn(5.0, classes=False)))


def test_the_column_whose_rows_are_most_alike_is_named(write: Write):
    x = np.random.default_rng(1).normal(size=len(WHO))
    clinics = WHO // 20
    path = write(clinic_id=clinics, patient_id=WHO, x=x, y=drawn(5.0, classes=False))
    assert "patient_id" in told(path)[0]


def test_rows_without_a_target_do_not_count(write: Write):
    truth = [None if place % 3 else one for place, one in enumerate(drawn(5.0, classes=False))]
    x = np.random.default_rng(1).normal(size=len(WHO))
    assert told(write(patient_id=WHO, x=x, y=truth))


def test_subjects_with_one_known_row_each_are_not_said(write: Write):
    truth = [one if place % EACH == 0 else None for place, one in enumerate(range(len(WHO)))]
    x = np.random.default_rng(1).normal(size=len(WHO))
    assert not told(write(patient_id=WHO, x=x, y=truth))


def test_the_correlation_is_the_share_of_variance_between_groups():
    maker = np.random.default_rng(0)
    groups = np.repeat(np.arange(4000), 5)
    values = np.repeat(maker.normal(size=4000), 5) + maker.normal(size=20_000)
    assert intraclass(groups, values[:, None]) == pytest.approx(0.5, abs=0.03)
    assert intraclass(groups, maker.normal(size=(20_000, 2))) == pytest.approx(0, abs=0.03)
    assert intraclass(groups, groups[:, None].astype(np.float64)) == pytest.approx(1)
    assert intraclass(groups, np.ones((20_000, 1))) == 0
    assert intraclass(np.zeros(5, np.int64), np.arange(5.0)[:, None]) == 0
