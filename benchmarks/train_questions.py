"""Trains the rankers of questions: `python -m benchmarks.train_questions [--routes|--several]`.

`--routes` leaves the rankers of words as they are, `--several` all but how sure a reading of
several tables is.
Only tuning tables, tuning databases and the tuning half of the business questions are read.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from benchmarks import arguments, question_sets
from modelwright.engines.language.rules.answering import judging
from modelwright.engines.language.rules.answering.asking import draft_of, plan_of
from modelwright.engines.language.rules.answering.questions import EVEN, Reader
from modelwright.engines.language.rules.columns.index import Index
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
WORTH_KEEPING = 0.02
PAIRS_SEEN = 5
"""How often a pair of words must occur to be weighed."""
PAIRS_WORTH = 0.05
"""Smallest weight of a pair that is kept."""
CHOICE = 1.0
ROUTED = 1000
WORTH = {"look-up": 1.0, "business": 8.0, "spider": 1.0}
SEVERAL = frozenset({"spider", "several"})
Labelled = tuple[dict[str, float], Any]


def fit(
    data: Sequence[Labelled],
    strength: float,
    worth: Sequence[float] | None = None,
    *,
    seen: int = SEEN_AT_LEAST,
    least: float = WORTH_KEEPING,
) -> Any:
    """Fits a logistic regression over the features seen often enough."""
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


def fit_choice(
    groups: Sequence[tuple[Sequence[dict[str, float]], int]], strength: float
) -> dict[str, float]:
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
    return kinds if len(kinds) > 2 else kinds[1:]


def rankers() -> dict[str, dict[str, float]]:
    """Learns conditions, the selected column and the aggregate from the tuning tables."""
    conditions: list[Labelled] = []
    selected: list[tuple[list[dict[str, float]], int]] = []
    aggregates: list[Labelled] = []
    for question, table, _ in question_sets.look_ups(held_out=False):
        index, sql = Index.build([table]), question["sql"]
        read = read_words(question["question"], index)
        numbers = compared_numbers(question["question"])
        gold = {(at, "=><"[op], _told(value)) for at, op, value in sql["conds"]}
        spans = []
        for one in possible_conditions(read, numbers, index.columns):
            right = (one.column.at, one.op, _told(one.value)) in gold
            conditions.append((one.features, right))
            spans += [(one.start, one.end)] * right
        used = frozenset(at for at, _, _ in sql["conds"])
        clues = all_select_clues(read, index.columns, spans, used)
        selected.append((clues, sql["sel"]))
        column = index.columns[sql["sel"]]
        kind = question_sets.AGGREGATES[sql["agg"]]
        aggregates.append((aggregate_clues(read, column, len(spans)), kind))
    return {
        "condition": fit(conditions, 1.0)["True"],
        "select": fit_choice(selected, CHOICE),
        **{f"aggregate {kind}": model for kind, model in fit(aggregates, 0.1).items()},
    }


def _told(value: Any) -> str:
    found = question_sets.number(str(value))
    return question_sets.bare(value) if found is None else str(found)


class Trials:
    """Both readings of questions, each marked right or wrong."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, dict[str, float], dict[str, float] | None, bool, bool]] = []

    def add(self, name: str, reader: Reader, text: str, right: Callable[[str], bool]) -> None:
        draft = draft_of(text, reader._index, question_sets.TODAY)  # noqa: SLF001 - training looks inside
        plan = plan_of(draft)
        if plan is None:
            return
        doubts, good = judging.doubts(draft, plan), _holds(plan, right)
        if not judging.plain(draft, plan):
            self.seen.append((name, doubts, None, good, False))
            return
        simple, sure = looked_up(draft.question, reader._index)  # noqa: SLF001
        clues = judging.route(draft, plan, simple, sure)
        self.seen.append((name, doubts, clues, good, _holds(simple, right)))

    def routes(self) -> dict[str, dict[str, float]]:
        """Learns which reading to trust, then how far."""
        apart = [one for one in self.seen if one[2] is not None and one[3] != one[4]]
        pairs = [(clues, simple) for _, _, clues, _, simple in apart if clues is not None]
        model = fit(pairs, 0.5, [WORTH[one[0]] for one in apart])["True"]
        ranking.weights()["route"] = model
        answers, look_ups, several = [], [], []
        for name, doubts, clues, good, simple in self.seen:
            if clues is not None and ranking.probability("route", clues) > EVEN:
                look_ups.append((clues, simple))
            elif name in SEVERAL:
                several.append((doubts, good))
            else:
                answers.append(((doubts, good), WORTH[name]))
        worth = [each for _, each in answers]
        return {
            "route": model,
            "answer": fit([pair for pair, _ in answers], 0.5, worth)["True"],
            "answer several": fit(several, 0.2)["True"],
            "look-up": fit(look_ups, 0.5)["True"],
        }


def _holds(plan: Plan, right: Callable[[str], bool]) -> bool:
    try:
        return right(to_sql(plan))
    except duckdb.Error:
        return False


def trials() -> Trials:
    """Asks the tuning parts of the three sets."""
    seen = Trials()
    store = duckdb.connect()
    for count, (question, table, rows) in enumerate(question_sets.look_ups(held_out=False)):
        if count >= ROUTED:
            break
        question_sets.fill(store, table, rows)
        gold = question_sets.wiki_answer(question["sql"], table, rows)
        seen.add("look-up", Reader([table]), question["question"], _check(store, gold))
    known: dict[str, Any] = {}
    for one in question_sets.jsonl(question_sets.SHARED / "nl2sql" / "spider" / "questions.jsonl"):
        name = one["db_id"]
        if name not in question_sets.HELD_OUT_DATABASES:
            known[name] = known.get(name) or question_sets.database(name)
            reader, copied, gold_store = known[name]
            gold = gold_store.execute(one["sql"]).fetchall()
            seen.add("spider", reader, one["question"], _check(copied, gold))
    with tempfile.TemporaryDirectory() as folder:
        made: dict[str, Any] = {}
        for one in question_sets.jsonl(question_sets.SETS / "several.jsonl"):
            name = one["database"]
            if not one["held_out"]:
                made[name] = made.get(name) or question_sets.several(Path(folder), name)
                reader, store = made[name]
                gold = store.execute(one["sql"]).fetchall()
                seen.add("several", reader, one["question"], _check(store, gold))
        store, readers = question_sets.analysts(Path(folder))
        for one in question_sets.jsonl(question_sets.SETS / "business.jsonl"):
            if not one["held_out"]:
                gold = store.execute(one["sql"]).fetchall()
                check = _check(store, gold, wider=True)
                seen.add("business", readers[one["table"]], one["question"], check)
    return seen


def _check(store: duckdb.DuckDBPyConnection, gold: list[Any], **how: bool) -> Callable[[str], bool]:
    return lambda sql: question_sets.same(gold, store.execute(sql).fetchall(), **how)


def main() -> None:
    arguments.told(__doc__, "--routes", "--several")
    kept = {"--routes", "--several"} & set(sys.argv)
    learnt = ranking.weights() | ({} if kept else rankers())
    ranking.weights().update(learnt)
    routes = trials().routes()
    learnt |= {"answer several": routes["answer several"]} if "--several" in kept else routes
    TARGET.write_text(json.dumps(learnt, indent=0, sort_keys=True) + "\n", "utf-8")
    print({name: len(model) for name, model in learnt.items()})


if __name__ == "__main__":
    main()
