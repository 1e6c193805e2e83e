"""The plainest question: one column, perhaps aggregated, of the rows that meet some conditions."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from modelwright.engines.language.rules.columns.index import Column, Index, ref
from modelwright.engines.language.rules.lookups.aggregate_clues import aggregate_clues
from modelwright.engines.language.rules.lookups.clues import Wanted, possible_conditions
from modelwright.engines.language.rules.lookups.ranking import probability, score, weights
from modelwright.engines.language.rules.lookups.select_clues import all_select_clues
from modelwright.engines.language.rules.mentions.mentions import Question
from modelwright.engines.language.rules.plans.plan import Condition, Measure, Plan
from modelwright.engines.language.rules.text.numbers import compared_numbers
from modelwright.engines.language.rules.text.stopping import heeding
from modelwright.engines.language.vocabulary import word_set

SURE = 0.5
"""How likely a text is a condition at least that is taken for one."""
LIKELY = 0.12
"""A number that is compared is a condition on some column, so less is needed."""
TOLD = 0.02
"""A number that is said of a column is a condition on it."""
LOOKED_UP = 0.3
"""A look-up without a condition is rare."""
_NONE = "none"
_BUT = word_set("negation.but")
_BETWEEN = word_set("lookups.between_values")
_NOWHERE: Mapping[str, float] = {}


def choose_conditions(
    question: Question,
    possible: Sequence[Wanted],
    home: Mapping[str, float] = _NOWHERE,
    least: float = SURE,
) -> list[Wanted]:
    """Keeps the likely conditions, one for each run of words, the likeliest first.

    `home` favours the tables that explain more of the question; in one table, of values alike the
    one of more rows is taken.
    """
    told = (
        (probability("condition", one.features), one) for one in heeding(question.stopped, possible)
    )
    ranked = sorted(
        ((sure, one) for sure, one in told if sure >= least or "number" in one.features),
        key=lambda pair: (
            -pair[0] - home.get(pair[1].column.table, 0.0),
            0 if home or "number" in pair[1].features else -_row_count(pair[1]),
        ),
    )
    kept: list[Wanted] = []
    for sure, one in heeding(question.stopped, ranked):
        free = all(one.end <= other.start or other.end <= one.start for other in kept)
        twice = any(other.column is one.column and other.op == one.op for other in kept)
        if sure >= _enough(one, least) and free and (not twice or _beside(question, one, kept)):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)


def _row_count(one: Wanted) -> int:
    """In how many rows of a large table a text stands."""
    return 0 if one.column.listed else one.column.times(one.value)


def _enough(one: Wanted, least: float) -> float:
    """How likely a condition is at least that is taken."""
    if "number" not in one.features:
        return least
    if one.op != "=":
        return LIKELY
    return TOLD if _told_beside(one) else least


def _told_beside(one: Wanted) -> bool:
    """`A population of 80000` tests the population, whether any row has it or not."""
    named = one.features.get("named", 0.0) > 0.8  # noqa: PLR2004 - all but whole
    return named and bool(one.features.get("linked"))


def _beside(question: Question, one: Wanted, kept: Sequence[Wanted]) -> bool:
    """`red and white`: two values of a column with nothing but a joining word between."""
    for other in kept:
        low, high = sorted((one, other), key=lambda each: each.start)
        between = {word.text for word in question.words[low.end : high.start]}
        joined = between <= _BETWEEN or between & _BUT
        if other.column is one.column and joined:
            return True
    return False


def choose_select(
    question: Question, columns: Sequence[Column], conditions: Sequence[Wanted]
) -> Column:
    """The column that is most likely asked for."""
    spans = [(one.start, one.end) for one in conditions]
    used = frozenset(one.column.at for one in conditions)
    clues = all_select_clues(question, columns, spans, used)
    places = heeding(question.stopped, range(len(columns)))
    best = max(places, key=lambda at: score("select", clues[at]))
    return columns[best]


def choose_aggregate(
    question: Question, column: Column, conditions: int, *, single: bool = False
) -> str:
    """The likeliest of none, max, min, count, sum and avg.

    Of a single row all but the count say the same, so only they together weigh against it.
    """
    clues = aggregate_clues(question, column, conditions)
    scores = {name: score(f"aggregate {name}", clues) for name in _aggregates()}
    best = max(scores, key=lambda name: scores[name])
    if not single or best != "count":
        return best
    others = {name: math.exp(least) for name, least in scores.items() if name != "count"}
    return best if math.exp(scores[best]) > sum(others.values()) else _NONE


def _picks_one(chosen: Sequence[Wanted]) -> bool:
    """Whether a condition is met by one row alone."""
    return any(
        one.op == "=" and any(value == one.value and times == 1 for value, times in known)
        for one in chosen
        for known in [one.column.facts.top]
    )


@lru_cache(maxsize=1)
def _aggregates() -> tuple[str, ...]:
    prefix = "aggregate "
    return tuple(name.removeprefix(prefix) for name in weights() if name.startswith(prefix))


def looked_up(question: Question, index: Index) -> tuple[Plan, float]:
    """The plan of a plain look-up in one table, and how sure its conditions are."""
    numbers = compared_numbers(question.text)
    possible = possible_conditions(question, numbers, index.columns)
    chosen = choose_conditions(question, possible, least=LOOKED_UP)
    column = choose_select(question, index.columns, chosen)
    kind = choose_aggregate(question, column, len(chosen), single=_picks_one(chosen))
    if kind in {"sum", "avg"} and not column.number:
        kind = _NONE
    measure = Measure(None if kind == _NONE else kind, ref(column))  # type: ignore[arg-type]
    where: list[tuple[Condition, ...]] = [
        (Condition(ref(one.column), one.op, one.value, one.upper),) for one in chosen
    ]
    sure = min((probability("condition", one.features) for one in chosen), default=0.0)
    return Plan([column.table], [as_stored(measure)], where), sure


def as_stored(one: Measure) -> Measure:
    """A column that is only shown keeps its text."""
    if one.aggregate is not None or one.ref is None:
        return one
    return replace(one, ref=replace(one.ref, textual=False))
