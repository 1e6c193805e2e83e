"""Which column an intent asks to predict, and by which kind of task; never a guess."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.lexicon import foreign, lexicon
from modelwright.engines.language.linking import CONCEPT, Name, Term, alike, coverage, names
from modelwright.engines.language.phrasing import target_phrase
from modelwright.engines.language.tasks import Task, task_of
from modelwright.engines.language.words import fold, squeezed, stem, words

__all__ = ["Target", "Task", "Unclear", "find_target", "task_of"]

THRESHOLD = 0.4
MARGIN = 0.025
_LEAST_EXPLAINED = 0.3
_UNKNOWN = 0.4
_STRANGE = 0.45
"""Taken off when the intent is about something the table holds no word of."""
_MOST_NAMED = 5
_LONGEST_VALUE = 4
_YES_NO = re.compile(
    r"\b(whether|if|will|is|are|does|do|did|can|probability|likelihood|likely|chances?|risk|detect|flag"
    r"|spot|who|diagnose|identify|decide)\b"
)
_HOW_MUCH = re.compile(
    r"\b(how (much|many|long|old|far|late|high|heavy|tall|strong|expensive|costly|big|large|fast"
    r"|deep|hot|cold|soon|often)|prices?|costs?|amounts?|regression"
    r"|what (?!method|means|way|kind|type)\w+ .*\b(pay|cost|earn|weigh|spend|borrow)s?)\b"
)
_EITHER = re.compile(r"\b(or not|(good|safe) or (bad|risky)|bad or good|yes or no)\b")
_SET_APART = re.compile(r"[(\"']([^()\"']+)[)\"']")
_TRIVIAL_VALUES = frozenset({"yes", "no", "true", "false", "other", "unknown", "none", "nan", ""})


@dataclass(frozen=True, slots=True)
class Target:
    """The column to predict, the task, and why both."""

    column: str
    task: Task
    reason: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Unclear:
    """No column fits, or several do: candidates, and a sentence saying what to write instead."""

    candidates: tuple[str, ...]
    sentence: str


def find_target(intent: str, columns: Sequence[ColumnFacts]) -> Target | Unclear:
    """Finds the column an intent means; without one clear column the answer is `Unclear`.

    Columns named as inputs ("from the age …", "based on …") are not the target.
    """
    if not columns:
        return Unclear((), "The table has no columns to predict.")
    known = names([column.name for column in columns])
    said = _forgiving(target_phrase(intent, _things(known, columns)), known)
    held = frozenset(term.stem for name in known for term in name.terms)
    strange = _STRANGE * foreign([word.stem for word in words(intent)], held)
    scored = sorted(
        (
            (_score(intent, said, name, column) - strange, -at, column)
            for at, (name, column) in enumerate(zip(known, columns, strict=True))
        ),
        key=lambda one: one[:2],
        reverse=True,
    )
    best, _, column = scored[0]
    if best < THRESHOLD:
        column_or_none = _generic(intent, said, columns)
        if column_or_none is None or strange:
            return _no_fit(intent, columns)
        return _target(column_or_none, intent, 0.5, "the only column named as a target")
    rivals = [one for score, _, one in scored if score > best - MARGIN]
    if len(rivals) > 1:
        return _tie(rivals)
    return _target(column, intent, min(1.0, best), f'"{_quoted(said)}" names it')


def _target(column: ColumnFacts, intent: str, confidence: float, why: str) -> Target:
    task = task_of(column, intent)
    reason = f"{column.name} is what to predict: {why}; {column.distinct} values make it {task}."
    return Target(column.name, task, reason, round(confidence, 3))


def _score(intent: str, said: Sequence[Term], name: Name, column: ColumnFacts) -> float:
    if _spelled_exactly(column.name, said) or _set_apart(column.name, intent):
        return 1.5
    named, explained = coverage(said, name)
    by_value = _values(said, column)
    if by_value:
        mass = sum(word.weight for word in said)
        told = sum(word.weight * by_value.get(at, 0.0) for at, word in enumerate(said))
        explained = min(1.0, explained + told / mass)
        named = max(named, 0.95 if len(by_value) > 1 else 0.6)
    if explained < _LEAST_EXPLAINED:
        return 0.0
    unlikely = 0.4 if _identifies(name, column) else 0.0
    return 0.45 * named + 0.55 * explained + _shape(intent, column) - unlikely


def _forgiving(said: Sequence[Term], known: Sequence[Name]) -> list[Term]:
    """Words unknown to the table weigh less before a known one: "the card holder's income"."""
    spelt = {part.stem for name in known for part in name.terms}
    linked = [
        (word.stem not in lexicon().qualifiers or word.stem in spelt)
        and max(alike(word, part) for name in known for part in name.terms) >= CONCEPT
        for word in said
    ]
    return [
        replace(word, weight=word.weight * _UNKNOWN)
        if not linked[at] and any(linked[at + 1 :])
        else word
        for at, word in enumerate(said)
    ]


def _identifies(name: Name, column: ColumnFacts) -> bool:
    return name.terms[-1].stem == "id" and column.distinct > column.rows // 2


def _things(known: Sequence[Name], columns: Sequence[ColumnFacts]) -> frozenset[str]:
    """What the rows are, as told by the identifiers: `ticket_id` makes them tickets."""
    keys = [name for name, column in zip(known, columns, strict=True) if _identifies(name, column)]
    return frozenset(term.stem for name in keys for term in name.terms[:-1])


def _spelled_exactly(name: str, said: Sequence[Term]) -> bool:
    """A name that no ordinary sentence holds, written as it stands, is meant."""
    peculiar = "_" in name or any(letter.isupper() for letter in name[1:])
    inside = {part.text for part in said if part.weight > 0.5}  # noqa: PLR2004 - the half that counts
    return peculiar and fold(name) in inside


def _set_apart(name: str, intent: str) -> bool:
    """A name in brackets or quotes, as in `how sour is it (pH)`, is meant."""
    return any(squeezed(apart) == squeezed(name) for apart in _SET_APART.findall(intent))


def _shape(intent: str, column: ColumnFacts) -> float:
    text = fold(intent)
    numeric = column.type in {"integer", "float"} and column.distinct > 2  # noqa: PLR2004 - a pair
    shape = 0.0
    if _EITHER.search(text):
        shape += 0.15 if column.distinct == 2 else -0.15  # noqa: PLR2004 - a pair
    elif _HOW_MUCH.search(text):
        shape += 0.06 if numeric else -0.12
    elif _YES_NO.search(text):
        shape += 0.06 if column.distinct == 2 else 0.0  # noqa: PLR2004 - a pair
    if column.distinct <= 1:
        shape -= 0.1
    if column.type == "date" or (column.type == "string" and column.distinct > 0.5 * column.rows):
        shape -= 0.15
    return shape


def _values(said: Sequence[Term], column: ColumnFacts) -> dict[int, float]:
    """Finds the words of the phrase that are values of the column."""
    if column.type not in {"string", "boolean"} or column.distinct > 200:  # noqa: PLR2004 - an id
        return {}
    values = {stem(squeezed(str(value))) for value, _ in column.top} - _TRIVIAL_VALUES
    found: dict[int, float] = {}
    for at in range(len(said)):
        for length in range(1, _LONGEST_VALUE + 1):
            run = said[at : at + length]
            joined = stem(_thousands("".join(squeezed(word.text) for word in run)))
            if len(joined) > 2 and not joined.isdigit() and joined in values:  # noqa: PLR2004
                found |= dict.fromkeys(range(at, at + len(run)), 0.8)
    return found


def _thousands(text: str) -> str:
    """Writes 50000 as 50k, as the values of income bands do."""
    return text[:-3] + "k" if text.isdigit() and text.endswith("000") else text


def _generic(
    intent: str, said: Sequence[Term], columns: Sequence[ColumnFacts]
) -> ColumnFacts | None:
    """A yes-or-no intent goes to the one two-valued column named like a target."""
    known = [c for c in columns if squeezed(c.name) in lexicon().generic_targets]
    if len(known) != 1 or not said or not _YES_NO.search(fold(intent)):
        return None
    return known[0] if known[0].distinct == 2 else None  # noqa: PLR2004 - a pair


def _quoted(said: Sequence[Term]) -> str:
    return " ".join(word.text for word in said if word.weight >= 0.25)  # noqa: PLR2004


def _tie(rivals: Sequence[ColumnFacts]) -> Unclear:
    listed = [one.name for one in rivals[:_MOST_NAMED]]
    return Unclear(
        tuple(listed),
        f"The intent fits {_or(listed)} equally well. Name the column, for example"
        f' "Predict {listed[0]}".',
    )


def _no_fit(intent: str, columns: Sequence[ColumnFacts]) -> Unclear:
    listed = [one.name for one in sorted(columns, key=_unlikely)][:_MOST_NAMED]
    short = " ".join(intent.split())[:80]
    return Unclear(
        tuple(listed),
        f'No column of the table fits "{short}". Columns that could be predicted are {_or(listed)};'
        f' name one, for example "Predict {listed[0]}".',
    )


def _unlikely(column: ColumnFacts) -> tuple[bool, bool, int]:
    lone = column.type == "date" or column.distinct <= 1
    many = column.type == "string" and column.distinct > 20  # noqa: PLR2004 - too many classes
    spoken = {word.stem for word in words(column.name.replace("_", " "))}
    targetlike = squeezed(column.name) in lexicon().generic_targets or "id" in spoken
    return (lone or many, "id" in spoken, 0 if targetlike else min(column.distinct, 50))


def _or(listed: Sequence[str]) -> str:
    return listed[0] if len(listed) == 1 else ", ".join(listed[:-1]) + " or " + listed[-1]
