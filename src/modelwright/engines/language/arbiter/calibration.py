"""How likely a reading is right: a logistic regression over few clues, fitted by `fit.py`.

Readers are sure of themselves in ways that cannot be compared; by one measure of all of them it is
decided whether to answer, to offer a choice or to refuse.
"""

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

from modelwright.engines.language.checks.findings import Code, Finding, Severity
from modelwright.engines.language.readers import Candidate, Cannot, Outcome

RULES = "rules"
JOINED = "rules over joined tables"
GRAMMAR = "grammar"
SWAPPED = "another column"
"""Who is told to have read what nobody read: a reading with a rival in the place of a column."""
TURNED = "the other end"
"""Who is told to have read what nobody read: the other end of an order that words leave open."""
REREAD = "another way"
"""Who is told to have read what nobody read: what a finding says that may be meant as well."""
NOBODY = frozenset({SWAPPED, TURNED, REREAD})
MANY_PARTS = "many parts"
"""The clue that a question has clauses."""
ALONE = "one built-in reader alone"
"""The clue that the other built-in readers could not read it."""
CONVERSATION = "conversation"
"""Who changes one part of the statement that was answered before."""
BUILT_IN = frozenset({RULES, JOINED, GRAMMAR})
SURE_LOGPROB = -0.3
"""The lowest log-probability of a token in SQL that a model hardly doubts."""
MEASURED_WITHIN = 0.02
"""Shares of a hundred readings or so are known no nearer than this."""
_PARTED = re.compile(r"[,;:]\s|\s[-\u2013\u2014]\s")
"""What stands between the clauses of a question, and not within a number."""
MAX_COUNTED = 3
"""More findings of one kind count as so many."""


Precision = tuple[tuple[float, float], ...]
"""Pairs: of readings at least so likely, such a share was right; likeliest last."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The fitted weights, and what precision each probability gives."""

    bias: float
    clues: dict[str, float]
    precision: dict[str, Precision] = field(default_factory=dict)
    """By who reads what, as `setting` names it."""

    def threshold(
        self, right_of_answered: float, *, has_models: bool = False, several: bool = False
    ) -> float:
        """Returns how likely a reading must be so that such a share of answers is right.

        Where no probability gives so many right ones, those are answered that come as near to the
        best share as it was measured.
        """
        measured = self.precision.get(setting(has_models=has_models, several=several), ())
        best = max((share for _, share in measured), default=1.0)
        wanted = min(right_of_answered, best - MEASURED_WITHIN)
        found = [least for least, share in measured if share >= wanted]
        return min(found, default=right_of_answered)


@lru_cache(maxsize=1)
def weights() -> Weights:
    """Returns the weights that ship."""
    raw = json.loads((files(__package__) / "weights.json").read_text("utf-8"))
    precision = {
        name: tuple((float(least), float(share)) for least, share in pairs)
        for name, pairs in raw["precision"].items()
    }
    return Weights(raw["bias"], raw["clues"], precision)


def setting(*, has_models: bool, several: bool) -> str:
    """Names what a precision is measured of: by whom questions are read, and on how many tables."""
    read_by = "with language models" if has_models else "built-in readers"
    return f"{read_by}, {'several tables' if several else 'one table'}"


def clues_of(
    question: str,
    candidates: Sequence[Candidate],
    findings: Sequence[Finding],
    outcomes: Sequence[Outcome],
    *,
    tables: int,
) -> dict[str, float]:
    """Tells what speaks for and against readings of one question that give the same result.

    Args:
        question: As it was asked.
        candidates: The readings that agree, the best first.
        findings: What the checks found of the best.
        outcomes: What all readers answered.
        tables: How many tables the session has.

    Returns:
        Named numbers, most of them 0 or 1.
    """
    return (
        _who_read(candidates, outcomes, tables=tables)
        | _what_was_found(findings)
        | _how_sure(candidates)
        | _samples(candidates, outcomes)
        | _shape(candidates[0])
        | {MANY_PARTS: float(bool(_PARTED.search(question)))}
    )


def _who_read(
    candidates: Sequence[Candidate], outcomes: Sequence[Outcome], *, tables: int
) -> dict[str, float]:
    """Tells which readers read it so, which otherwise, and which nothing."""
    readers = {one.reader for one in candidates if not one.samples}
    others = {one.reader for one in outcomes if isinstance(one, Candidate) and not one.samples}
    others -= readers
    silent = {one.reader for one in outcomes} - readers - others
    built_in = readers & BUILT_IN
    beside = BUILT_IN | {CONVERSATION}
    models = readers - beside - NOBODY
    return {
        "both built-in readers agree": float(len(built_in) > 1),
        "the built-in readers differ": float(bool(built_in and others & BUILT_IN)),
        ALONE: float(len(built_in) == 1 and bool(silent & BUILT_IN)),
        "the grammar alone": float(readers == {GRAMMAR}),
        "models that agree with built-in readers": float(len(models) if built_in else 0),
        "models that agree with each other": float(max(0, len(models) - 1)),
        "models alone": float(bool(models) and not built_in),
        "nobody read it so": float(readers <= {SWAPPED, REREAD}),
        "nobody read the other end": float(readers == {TURNED}),
        "as before but for a part": float(CONVERSATION in readers),
        "otherwise than before": float(CONVERSATION in others),
        "models that differ": float(len(others - beside)),
        "models that gave nothing": float(len(silent - beside)),
        "several tables": float(tables > 1),
        "an aggregate that the rules lack": float(readers == {GRAMMAR} and _is_new(candidates[0])),
        "a chart is drawn": float(any(one.chart for one in candidates)),
    }


def _what_was_found(findings: Sequence[Finding]) -> dict[str, float]:
    """Counts the faults and doubts of each kind."""
    clues: dict[str, float] = {}
    open_ones = [one for one in findings if one.severity is not Severity.NOTE]
    for one in open_ones:
        name = f"{one.severity}: {one.code}"
        clues[name] = min(clues.get(name, 0.0) + 1, MAX_COUNTED)
    return clues | {"nothing found": float(not open_ones)}


def _how_sure(candidates: Sequence[Candidate]) -> dict[str, float]:
    """Tells what the readers themselves doubted."""
    ignored = len(candidates[0].ignored_words)
    clues: dict[str, float] = {"words the reader ignored": min(ignored, MAX_COUNTED)}
    sure = [one.confidence for one in candidates if one.reader == RULES and one.confidence]
    if sure:
        clues["doubt of the rules"] = round(1 - max(sure), 3)
    logs = [one.min_logprob for one in candidates if one.min_logprob is not None]
    if logs:
        clues["doubt of the model"] = round(min(3.0, -max(logs)), 3)
        clues["the model is sure"] = float(max(logs) >= SURE_LOGPROB)
    return clues


def _samples(candidates: Sequence[Candidate], outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Tells how many of the samples of models read it so, where any were drawn."""
    drawn = sum(one.samples for one in outcomes)
    if not drawn:
        return {}
    agree = sum(one.samples for one in candidates)
    read = sum(one.samples for one in outcomes if isinstance(one, Candidate))
    refuse = sum(one.samples for one in outcomes if isinstance(one, Cannot))
    return {
        "samples that agree": agree / drawn,
        "samples that differ": (read - agree) / drawn,
        "samples that refuse": refuse / drawn,
        "samples alone": float(all(one.samples for one in candidates)),
    }


def _is_new(candidate: Candidate) -> bool:
    """Whether the rules could not read it: their silence on such an aggregate says nothing."""
    return any(made in candidate.sql.upper() for made in ("STDDEV", "VAR_SAMP", "MODE("))


def _shape(candidate: Candidate) -> dict[str, float]:
    sql = candidate.sql.upper()
    return {
        "joins": float(" JOIN " in sql),
        "nested": float(sql.count("SELECT") > 1),
        "looks up without aggregate": float(
            not any(one in sql for one in ("COUNT(", "SUM(", "AVG(", "GROUP BY", "MIN(", "MAX("))
        ),
        "tests": float(min(sql.count(" AND ") + (" WHERE " in sql), MAX_COUNTED)),
    }


def probability(clues: dict[str, float], fitted: Weights | None = None) -> float:
    """Returns the probability that readings with such clues are right."""
    fitted = fitted or weights()
    score = fitted.bias + sum(fitted.clues.get(name, 0.0) * told for name, told in clues.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


__all__ = ["Code", "Weights", "clues_of", "probability", "weights"]
