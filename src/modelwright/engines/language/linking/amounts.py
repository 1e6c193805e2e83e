"""Numbers that stand with the name of a column: `with 1980 employees` is no year.

Without it 1980 beside a number of employees is read as a year, and tests a date.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from modelwright.engines.language.catalog.meaning import Catalog, Role
from modelwright.engines.language.readers import NameLink
from modelwright.engines.language.vocabulary import aggregates, any_case, cue_words, find_cues

_NUMBER = r"[$€£]?(?P<number>\d[\d,]*(?:\.\d+)?)"
_BEFORE = any_case(
    r"\b(?:with|having|has|have|had|whose|where)\s+(?:(?:an?|the|exactly|about|only|just)\s+)*"
    rf"{_NUMBER}\s+$"
)
"""`With 1980` before the name."""
_ANY_NUMBER = any_case(rf"(?<![\w.,-]){_NUMBER}\s+$")
_HAVING = any_case(
    r"\b(?:with|having|has|have|had|whose|where|and)\s+(?:(?!by\b|per\b)(?P<between>\w+)\s+)?$"
)
"""`With a` before a name that a number follows."""
_OF_MANY = cue_words("superlative_high") | cue_words("superlative_low") | cue_words("sum")
_OF_MANY |= {word for one in aggregates() for word in one.words}
"""What is told of several rows: `the highest fare of 2025` is that of a year."""
_BEHIND = any_case(
    rf"\s+(?:(?:of|is|are|was|were|being|at|equals?|equal\s+to|exactly)\s+)+{_NUMBER}(?![\w-])"
)
_BEHIND_BARE = any_case(rf"\s+{_NUMBER}(?![\w-])(?!\s*[%$€£])")
_WHOSE = any_case(r"\b(?:with|having|whose|where)\s+$")
"""Right before a name that a bare number follows: `with attendance 2000`."""
_EQUALS = any_case(rf"\s*==?\s*{_NUMBER}(?![\w-])")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of a question that is one of a named column."""

    text: str
    """The number with the name, as they stand."""
    span: tuple[int, int]
    """Where the number stands."""
    value: float
    places: frozenset[tuple[str, str]]
    """The tables and columns that the name may mean."""
    is_unlinked: bool = False
    """Whether it follows the name at once: `with attendance 2000`."""
    is_bare: bool = False
    """Whether it stands behind `of` without an article, as years do too: `with sales of 2023`."""


def find_amounts(question: str, names: Sequence[NameLink], catalog: Catalog) -> list[Amount]:
    """Finds the numbers that a name right beside them says the column of.

    Args:
        question: As it was asked.
        names: The names that its words were linked to.
        catalog: Tells which columns hold amounts.

    Returns:
        Them in the order of their names; none beside a name that is also that of a table, a date
        or a kind.
    """
    found: list[Amount] = []
    for span in sorted({one.span for one in names}):
        meant = [one for one in names if one.span == span]
        columns = [catalog.column(one.table, one.column or "") for one in meant]
        if all(one is not None and one.role is Role.MEASURE for one in columns):
            places = frozenset((one.table, str(one.column)) for one in meant)
            found += _beside(question, span, places)
    return found


def _beside(
    question: str, span: tuple[int, int], places: frozenset[tuple[str, str]]
) -> Iterator[Amount]:
    start, end = span
    having = _HAVING.search(question[:start])
    before, behind = _number_before(question, span), _number_behind(question, span, having)
    for one in (before, behind):
        if one is not None:
            number = one.span("number")
            text = question[min(number[0], start) : max(number[1], end)]
            value = float(one.group("number").replace(",", ""))
            is_bare = one is behind and having is not None and not having["between"]
            is_bare = is_bare and question[end : number[0]].split() == ["of"]
            is_unlinked = one is behind and not question[end : number[0]].strip(" $€£")
            yield Amount(text, number, value, places, is_unlinked, is_bare)


def _number_before(question: str, span: tuple[int, int]) -> re.Match[str] | None:
    """Returns the number right before a name: `1980 employees`, `over 100 employees`."""
    start, end = span
    number = _ANY_NUMBER.search(question[:start])
    if number is None:
        return None
    said = question[: number.start("number")]
    cues = [*find_cues("above", said), *find_cues("below", said)]
    if any(said[one.end :].strip("$€£ ") == "" for one in cues):
        return number
    return None if _is_compared_itself(question, end) else _BEFORE.search(question[:start])


def _number_behind(
    question: str, span: tuple[int, int], having: re.Match[str] | None
) -> re.Match[str] | None:
    """Returns the number right behind a name: `employees = 5`, `with an age of 30`.

    Args:
        question: The question.
        span: Where the name stands, in characters.
        having: `with` and what stands between it and the name, if it stands before it.

    Returns:
        The number with what ties it to the name.
    """
    start, end = span
    behind = _EQUALS.match(question, end)
    if behind is None and having and (having["between"] or "").casefold() not in _OF_MANY:
        behind = _BEHIND.match(question, end)
    if behind is None and _WHOSE.search(question[:start]):
        behind = _BEHIND_BARE.match(question, end)
    return behind


def _is_compared_itself(question: str, end: int) -> bool:
    """`With 2019 sales over 500`: the name has another number, so this one may be a year."""
    cues = [one for name in ("above", "below") for one in find_cues(name, question)]
    return any(question[end : one.start].strip() == "" for one in cues if one.start >= end)
