"""Which kind of learning a column asks for: its values decide first, the wording second."""

import re
from collections.abc import Mapping
from typing import Literal

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.text.lexicon import lexicon, spelled_out
from modelwright.engines.language.rules.text.words import stem, words

Task = Literal["binary", "multiclass", "regression"]
ANSWERS: Mapping[Task, str] = {
    "binary": "one of two",
    "multiclass": "one of several",
    "regression": "a number",
}
"""What the answers of a task are, in plain words."""

BINARY_VALUES = 2
"""How many values make a column one of yes or no."""
_MOST_CODES = 10
"""Whole numbers of so few values are codes rather than counts."""
MOST_CLASSES = 30
"""More values than these are no classes."""
_SAYS_CLASS = re.compile(
    r"\b(classif\w*|categor\w*|which|whether|why|where|class(es)?|kinds?|types?|label\w*|multi-?class)\b",
    re.IGNORECASE,
)
_NOT_SO = re.compile(r"\b(?:not|instead of|rather than) (?:as |into |an? )*\w+", re.IGNORECASE)
"""What an answer is not to be."""
_SAYS_NUMBER = re.compile(
    r"\b(how (much|many|old|long|far|late|often|good|well|bad)|number of|as a number"
    r"|scores?(?! (?:us|our|the|an?|this)\b)|scale|points|numeric\w*"
    r"|regress\w*|amount|forecast|average)\b",
    re.IGNORECASE,
)


def task_of(column: ColumnFacts, wording: str = "") -> Task:
    """Names the task of predicting a column; refuses nothing, a constant counts as binary."""
    if column.distinct <= BINARY_VALUES:
        return "binary"
    if column.type in {"string", "boolean"}:
        return "multiclass"
    if column.type == "date" or not _whole(column) or column.distinct > MOST_CLASSES:
        return "regression"
    return "multiclass" if _leaning(column, wording) > 0 else "regression"


def _whole(column: ColumnFacts) -> bool:
    if column.type == "integer":
        return True
    values = [value for value, _ in column.top]
    return bool(values) and all(
        isinstance(v, int | float) and float(v).is_integer() for v in values
    )


def _leaning(column: ColumnFacts, wording: str) -> float:
    """Weighs codes against counts: above 0 the whole numbers are classes."""
    wording = _NOT_SO.sub("", wording)
    parts = {stem(part) for part in spelled_out(column.name)}
    head = stem(spelled_out(column.name)[-1])
    lean = 0.5 if column.distinct <= _MOST_CODES else -1.5
    lean += 1.0 * bool(parts & lexicon().class_words) - 1.5 * bool(parts & lexicon().count_words)
    lean += 0.5 * (head in lexicon().class_words) - 0.5 * (head in lexicon().count_words)
    lean += 2.5 * bool(_SAYS_CLASS.search(wording)) - 2.5 * bool(_SAYS_NUMBER.search(wording))
    plain = {word.stem for word in words(wording)} - parts
    return lean - 0.25 * bool(plain & {"estimat", "foreca"}) + (0.25 if _spread(column) else -0.25)


def _spread(column: ColumnFacts) -> bool:
    """Codes mostly run from 0 or 1 without gaps."""
    low, high = column.minimum, column.maximum
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return False
    return low in {0, 1} and high - low + 1 == column.distinct
