"""Fits the weights of the rules' rankers, which lie beside them in `lookups/weights.json`.

Nothing that answers questions imports it. `benchmarks/train_questions.py` feeds it the tuning parts
of the sets of questions.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from modelwright.engines.language.rules.answering.confidence import (
    doubt_clues,
    may_be_look_up,
    route_clues,
)
from modelwright.engines.language.rules.answering.question_plan import draft_of, plan_of
from modelwright.engines.language.rules.answering.questions import EVEN, Reader
from modelwright.engines.language.rules.columns.index import Index
from modelwright.engines.language.rules.columns.schema import TableFacts
from modelwright.engines.language.rules.lookups import ranking
from modelwright.engines.language.rules.lookups.aggregate_clues import aggregate_clues
from modelwright.engines.language.rules.lookups.clues import possible_conditions
from modelwright.engines.language.rules.lookups.lookup import looked_up
from modelwright.engines.language.rules.lookups.select_clues import all_select_clues
from modelwright.engines.language.rules.mentions.mentions import read_words
from modelwright.engines.language.rules.plans.plan import Plan
from modelwright.engines.language.rules.plans.sql import to_sql
from modelwright.engines.language.rules.text.numbers import compared_numbers

TARGET = Path(ranking.__file__).parent / "weights.json"
SEEN_AT_LEAST = 3
"""Examples that must have a clue for it to be weighed."""
WORTH_KEEPING = 0.02
"""Smallest weight of a clue that is kept."""
PAIRS_SEEN = 5
"""How often a pair of words must occur to be weighed."""
PAIRS_WORTH = 0.05
"""Smallest weight of a pair that is kept."""
CHOICE_STRENGTH = 1.0
"""How freely the weights of the selected column may move: scikit-learn's C."""
Clues = dict[str, float]
Model = dict[str, float]
Labelled = tuple[Clues, Any]


@dataclass(frozen=True, slots=True)
class LookUp:
    """A question that one column of some rows answers, and which."""

    question: str
    table: TableFacts
    conditions: frozenset[tuple[int, str, str]]
    """The place of a column, an operator, and a value as the examples write it."""
    selected: int
    """The place of the column that answers."""
    aggregate: str


def fit(
    data: Sequence[Labelled],
    strength: float,
    worth: Sequence[float] | None = None,
    *,
    seen: int = SEEN_AT_LEAST,
    least: float = WORTH_KEEPING,
) -> dict[str, Model]:
    """Fits a logistic regression over the clues seen often enough, a model for each label."""
    reader = DictVectorizer()
    table = reader.fit_transform([clues for clues, _ in data])
    often = np.asarray((table != 0).sum(0)).ravel() >= seen
    labels = np.array([label for _, label in data])
    model = LogisticRegression(C=strength, max_iter=2000)
    model.fit(table[:, often], labels, sample_weight=worth)
    names = np.array(reader.get_feature_names_out())[often]
    return {
        str(kind): {"": round(float(bias), 3)}
        | {str(n): round(float(w), 3) for n, w in zip(names, row, strict=True) if abs(w) > least}
        for kind, bias, row in zip(_kinds(model), model.intercept_, model.coef_, strict=True)
    }


def fit_choice(groups: Sequence[tuple[Sequence[Clues], int]], strength: float) -> Model:
    """Fits what sets the right one of each group apart from the others."""
    reader = DictVectorizer()
    table = reader.fit_transform([clues for group, _ in groups for clues in group]).tocsr()
    often = np.asarray((table != 0).sum(0)).ravel() >= PAIRS_SEEN
    right, wrong, start, worth = [], [], 0, []
    for group, best in groups:
        others = [start + at for at in range(len(group)) if at != best]
        right += [start + best] * len(others)
        wrong += others
        worth += [1.0 / max(1, len(others))] * len(others)
        start += len(group)
    apart = (table[right] - table[wrong])[:, often]
    signs = np.where(np.arange(len(right)) % 2, 1, -1)
    model = LogisticRegression(C=strength, max_iter=2000, fit_intercept=False)
    model.fit(apart.multiply(signs[:, None]).tocsr(), signs > 0, sample_weight=worth)
    names = np.array(reader.get_feature_names_out())[often]
    return {
        str(name): round(float(weight), 3)
        for name, weight in zip(names, model.coef_[0], strict=True)
        if abs(weight) > PAIRS_WORTH
    }


def _kinds(model: LogisticRegression) -> Sequence[Any]:
    kinds: Sequence[Any] = model.classes_
    return kinds if len(kinds) > 2 else kinds[1:]  # noqa: PLR2004 - of two one is told


def fit_rankers(look_ups: Iterable[LookUp], as_written: Callable[[Any], str]) -> dict[str, Model]:
    """Learns conditions, the selected column and the aggregate; `as_written` writes values."""
    conditions: list[Labelled] = []
    selected: list[tuple[list[Clues], int]] = []
    aggregates: list[Labelled] = []
    for one in look_ups:
        index = Index.build([one.table])
        read, numbers = read_words(one.question, index), compared_numbers(one.question)
        spans = []
        for each in possible_conditions(read, numbers, index.columns):
            right = (each.column.at, each.op, as_written(each.value)) in one.conditions
            conditions.append((each.features, right))
            spans += [(each.start, each.end)] * right
        used = frozenset(at for at, _, _ in one.conditions)
        clues = all_select_clues(read, index.columns, spans, used)
        selected.append((clues, one.selected))
        column = index.columns[one.selected]
        aggregates.append((aggregate_clues(read, column, len(spans)), one.aggregate))
    return {
        "condition": fit(conditions, 1.0)["True"],
        "select": fit_choice(selected, CHOICE_STRENGTH),
        **{f"aggregate {kind}": model for kind, model in fit(aggregates, 0.1).items()},
    }


@dataclass(frozen=True, slots=True)
class MarkedQuestion:
    """A question read both ways, and whether each reading was right."""

    source: str
    doubts: Clues
    route: Clues | None
    """What speaks for the look-up; None where there is none."""
    is_right: bool
    is_look_up_right: bool


class Trials:
    """Both readings of questions, each marked right or wrong.

    `worth` says how much a question of a source counts, and `several` which sources ask several
    tables.
    """

    def __init__(self, worth: dict[str, float], several: frozenset[str]) -> None:
        self.seen: list[MarkedQuestion] = []
        self._worth, self._several = worth, several

    def add(
        self, source: str, reader: Reader, text: str, today: date, right: Callable[[str], bool]
    ) -> None:
        """Reads a question; `right` tells whether SQL answers it."""
        index = reader._index  # noqa: SLF001 - training looks inside
        draft = draft_of(text, index, today)
        plan = plan_of(draft)
        if plan is None:
            return
        doubts, is_right = doubt_clues(draft, plan), _holds(plan, right)
        if not may_be_look_up(draft, plan):
            self.seen.append(MarkedQuestion(source, doubts, None, is_right, is_look_up_right=False))
            return
        simple, sure = looked_up(draft.question, index)
        clues = route_clues(draft, plan, simple, sure)
        self.seen.append(MarkedQuestion(source, doubts, clues, is_right, _holds(simple, right)))

    def fit_routes(self) -> dict[str, Model]:
        """Learns which reading to trust, then how far."""
        apart = [
            one
            for one in self.seen
            if one.route is not None and one.is_right != one.is_look_up_right
        ]
        pairs = [(one.route, one.is_look_up_right) for one in apart if one.route is not None]
        model = fit(pairs, 0.5, [self._worth[one.source] for one in apart])["True"]
        ranking.weights()["route"] = model
        answers: list[Labelled] = []
        look_ups: list[Labelled] = []
        several: list[Labelled] = []
        worth: list[float] = []
        for one in self.seen:
            if one.route is not None and ranking.probability("route", one.route) > EVEN:
                look_ups.append((one.route, one.is_look_up_right))
            elif one.source in self._several:
                several.append((one.doubts, one.is_right))
            else:
                answers.append((one.doubts, one.is_right))
                worth.append(self._worth[one.source])
        return {
            "route": model,
            "answer": fit(answers, 0.5, worth)["True"],
            "answer several": fit(several, 0.2)["True"],
            "look-up": fit(look_ups, 0.5)["True"],
        }


def _holds(plan: Plan, right: Callable[[str], bool]) -> bool:
    try:
        return right(to_sql(plan))
    except duckdb.Error:
        return False


def write(learnt: dict[str, Model]) -> None:
    """Writes the weights where the rules load them."""
    TARGET.write_text(json.dumps(learnt, indent=0, sort_keys=True) + "\n", "utf-8")
