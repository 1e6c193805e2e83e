"""Units that a figure is told in, said after a question: `in feet`, `and in hours for Ann?`.

A unit is never a value: it stands in no other's place. What it is said with is made whole first,
and then told in that unit; what none of the named amounts can be told in is left to be refused.
"""

import re
from collections.abc import Callable

from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.conversation.turns import Turn
from modelwright.engines.language.conversation.words import END, LED
from modelwright.engines.language.rules.mentions.units import (
    differs,
    is_counted,
    is_same_unit,
    lasts,
    measures,
    unit_at,
)
from modelwright.engines.language.vocabulary import any_case, word_set

_UNCONVERTED = word_set("small_words.unconverted_units")
_IN = any_case(
    r"\b(?:in|into|to)\s+(?P<unit>(?:(?:sq|square|cubic|nautical|degrees)\s+)?[a-z]+)"
    r"(?=\W*$|\s*[,?]|\s+(?:please|instead|now|again|by|per|for|of|and|with|only|from|in|on|at)\b)"
)
_BARE = any_case(r"^(?:the )?(?P<unit>(?:(?:sq|square) )?[a-z]{3,})(?: please| instead)?$")
_SAYS_NO_MORE = any_case(
    r"^(?:(?:please|instead|now|again|and|but|ok(?:ay)?|then|so|also|only|just|convert(?:ed)?"
    r"|express(?:ed)?|change|switch|turn|put|told|tell|give|show|say|can|could|you|me|i|want|need"
    r"|what|how|about|much|many|long|tall|high|large|big|heavy|far|wide|deep|is|are|was|were|do"
    r"|it|that|this|those|these|them|they|the|same|result|figures?|numbers?|values?|answer)\b"
    r"|[\s,?!.])*$"
)
_ORDER = any_case(r",\s+(?:top|bottom|sorted|ordered|highest|lowest|\w+est) ")


def in_unit(turn: Turn, said: str, compiled: Callable[[str], str | None]) -> str | None:
    """Makes the whole question of a turn that names a unit.

    Args:
        turn: The earlier question and the turn.
        said: What was said, all of it.
        compiled: Makes the whole question of what is said beside the unit.

    Returns:
        The whole question; None where nothing that it names can be told in that unit.
    """
    unit = _unit_of(turn, said)
    if unit is None:
        return None
    beside = " ".join(f"{said[: unit.start()]} {said[unit.end() :]}".split())
    whole = turn.earlier if _SAYS_NO_MORE.match(beside) else compiled(beside)
    if whole is None or not _can_be_told(turn, whole, unit["unit"]):
        return None
    return _with_unit(turn, whole, unit["unit"])


def is_of_a_unit(turn: Turn, said: str) -> bool:
    """Returns whether a turn names a unit that a figure is to be told in."""
    return _unit_of(turn, said) is not None


def _unit_of(turn: Turn, text: str) -> re.Match[str] | None:
    found = next((one for one in _IN.finditer(text) if _is_unit(turn, text, one)), None)
    if found is not None:
        return found
    bare = LED.sub("", END.sub("", text))
    some = _BARE.match(bare)
    names_column = some and any(one.column for one in turn.links(bare).names)
    if some is None or names_column or lasts(some["unit"]) or not _is_unit(turn, bare, some):
        return None
    return re.search(rf"(?P<unit>{re.escape(some['unit'])})", text)


def _is_unit(turn: Turn, text: str, some: re.Match[str]) -> bool:
    """Whether words are a unit, and not the very value of a column, or a part of one."""
    parts = some["unit"].lower().split()
    unit, end = unit_at(parts, 0)
    known = end == len(parts) and measures(unit) and not is_counted(unit)
    if not known and parts[-1] not in _UNCONVERTED:
        return False
    start, stop = some.span("unit")
    return not any(
        str(one.value).casefold() == one.text.casefold()
        for one in turn.links(text).values
        if one.span[0] <= start and stop <= one.span[1]
    )


def _can_be_told(turn: Turn, whole: str, said: str) -> bool:
    """Whether a named amount is of what the unit measures; what is computed may be, if none is."""
    unit, _ = unit_at(said.lower().split(), 0)
    catalog = turn.linker.catalog
    amounts = [
        one.column
        for one in turn.links(whole).names
        if one.column
        and (column := catalog.column(one.table, one.column)) is not None
        and column.role is Role.MEASURE
    ]
    return not amounts or any(differs(unit, one) or is_same_unit(unit, one) for one in amounts)


def _with_unit(turn: Turn, whole: str, unit: str) -> str:
    """Tells a question in a unit, in the place of the one that it tells."""
    old = next((one for one in _IN.finditer(whole) if _is_unit(turn, whole, one)), None)
    if old is not None:
        return f"{whole[: old.start('unit')]}{unit}{whole[old.end('unit') :]}"
    order = _ORDER.search(whole)
    end = order.start() if order else len(whole)
    return f"{whole[:end]} in {unit}{whole[end:]}"
