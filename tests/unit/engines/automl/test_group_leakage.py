"""Subjects of many rows are said where their rows are alike in the target, and only there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.engines.automl.repeated_tables import OTHERS, SUBJECTS, Kind, made

from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.planning.repeated_subjects import intraclass

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
@pytest.mark.parametrize("name", ["patient_id", "c17", "患者番号", "shade"])
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


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", SUBJECTS, ids=lambda one: one.__name__)
def test_no_table_that_leaks_is_missed(write: Write, kind: Kind, seed: int):
    name, columns = made(kind, seed)
    [said] = told(write(**columns))
    assert said.startswith(f"Rows with the same {name} are alike in y")


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", OTHERS, ids=lambda one: one.__name__)
def test_no_other_table_is_said_to_leak(write: Write, kind: Kind, seed: int):
    assert not told(write(**made(kind, seed)[1]))


def subject_tables() -> dict[str, dict[str, Any]]:
    """Gives tables of subjects that nothing but the data tells; `k` is the column of theirs."""
    maker = np.random.default_rng(4)
    rows = len(WHO)
    k = np.repeat(maker.permutation(PEOPLE), EACH)
    noise = {"x8": maker.normal(size=rows), "x9": maker.integers(0, 5, rows)}
    y = maker.normal(size=PEOPLE)[k] * 2 + maker.normal(size=rows)
    some = np.repeat(maker.permutation(200), 2)
    fixed = {
        "x1": maker.choice(["a", "b", "c"], PEOPLE)[k],
        "x2": maker.integers(20, 80, PEOPLE)[k],
        "x3": maker.normal(size=PEOPLE)[k],
    }
    return {
        "what does not change": {"k": k, **fixed, **noise, "y": y},
        "what hardly changes": {
            "k": [f"z{one}" for one in k],
            **{f"x{at}": maker.normal(size=PEOPLE)[k] + maker.normal(size=rows) / 9 for at in "12"},
            **noise,
            "y": np.where(y > 0, "yes", "no"),
        },
        "a visit": {"k": k, "x1": np.tile(np.arange(EACH), PEOPLE), **noise, "y": y},
        "two sides": {
            "k": some,
            "x1": ["left", "right"] * 200,
            "x2": maker.normal(size=400),
            "y": maker.normal(size=200)[some] + maker.normal(size=400) / 3,
        },
    }


@pytest.mark.parametrize("told_by", subject_tables())
@pytest.mark.parametrize("is_shuffled", [False, True])
def test_subjects_are_told_by_the_data_whatever_they_are_called(
    write: Write, told_by: str, is_shuffled: bool
):
    columns = {name: np.asarray(one) for name, one in subject_tables()[told_by].items()}
    rows = np.arange(len(columns["y"]))
    if is_shuffled:
        np.random.default_rng(6).shuffle(rows)
    [said] = told(write(**{name: one[rows] for name, one in columns.items()}))
    assert said.startswith("Rows with the same k are alike in y")
    assert '`split` {"by": "group", "column": "k"}' in said


def tables_without_subjects() -> dict[str, dict[str, Any]]:
    """Gives tables of kinds and quantities that tell the target and other columns."""
    maker = np.random.default_rng(4)
    rows = 900
    kind = maker.integers(0, 30, rows)
    effect = maker.normal(size=30)[kind] * 3
    noise = {"x8": maker.normal(size=rows), "x9": maker.integers(0, 5, rows)}
    y = effect + maker.normal(size=rows)
    words = np.array([f"k{one}" for one in kind])
    hours = maker.integers(0, 40, rows)
    return {
        "kinds": {"k": words, **noise, "y": y},
        "kinds of kinds": {"k": words, "x1": kind // 4, "x2": kind // 10, **noise, "y": y},
        "kinds with a measure": {"k": words, "x1": effect + maker.normal(size=rows), "y": y},
        "a quantity": {
            "k": hours,
            "x1": hours * 2.5 + maker.normal(size=rows) / 9,
            "x2": hours // 2,
            "x3": np.sqrt(hours) + maker.normal(size=rows) / 99,
            "y": hours + maker.normal(size=rows),
        },
        "a row number": {"k": words, "x1": np.arange(rows), **noise, "y": y},
        "places on a map": {
            "k": np.repeat(np.arange(30), 30),
            "x1": np.tile(np.arange(30), 30),
            "y": np.repeat(np.sin(np.arange(30) / 5), 30) + maker.normal(size=rows) / 5,
        },
    }


@pytest.mark.parametrize("case", tables_without_subjects())
def test_kinds_and_quantities_are_no_subjects(write: Write, case: str):
    assert not told(write(**tables_without_subjects()[case]))


def test_no_real_table_of_other_things_is_told_to_have_subjects(real: tuple[Path, dict[str, Any]]):
    path, known = real
    target = known["target"]
    warnings = make_plan([path], "", seconds=10, target=target, task=known["task"]).warnings
    assert not [one for one in warnings if one.startswith("Rows with the same")]


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
