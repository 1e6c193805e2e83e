"""Columns of text that write numbers, read as those; other spellings of one value."""

from collections.abc import Sequence
from dataclasses import replace

from modelwright.engines.facts import ColumnFacts, Value
from modelwright.engines.language.rules.columns.value_shapes import kind_of, yes_no
from modelwright.engines.language.rules.plans.plan import MARKS
from modelwright_runtime.number_parsing import COMMA, POINT, Form, NumberFormat, written_in

_NUMBERS_SHARE = 0.9
"""Which share of the rows must read as numbers."""


def as_numbers(
    facts: ColumnFacts, more: Sequence[Value], *, units: bool = False
) -> tuple[ColumnFacts | None, bool]:
    """Reads a text column that holds mostly numbers as those numbers.

    Those of a unit that is a word stay what they are unless `units` are read too. Also says whether
    a comma stands before the decimals.
    """
    if facts.type != "string" or not facts.top:
        return None, False
    point, comma = (_read_as(form, facts, more, units) for form in (POINT, COMMA))
    return (comma[0], True) if comma[1] > point[1] else (point[0], False)


def _read_as(
    form: Form, facts: ColumnFacts, more: Sequence[Value], units: bool
) -> tuple[ColumnFacts | None, int]:
    """Reads the numbers in one form, and says of how many rows it reads them."""
    written = written_in(form, [str(value) for value, _ in facts.top])
    if not (units or set("".join(written.unit)) <= set(MARKS)):
        return None, 0
    known = [(_number(str(value), written), times) for value, times in facts.top]
    numbers = [(value, times) for value, times in known if value is not None]
    rows = sum(times for _, times in numbers)
    if rows < _NUMBERS_SHARE * sum(times for _, times in known):
        return None, rows
    ends = [value for value, _ in numbers]
    ends += [one for one in (_number(str(value), written) for value in more) if one is not None]
    low, high = min(ends), max(ends)
    return replace(facts, type="float", minimum=low, maximum=high, top=tuple(numbers)), rows


def alike_in(facts: ColumnFacts) -> tuple[tuple[str, str], ...]:
    """Values of a column of kinds that are spelled otherwise, with the commonest of them.

    They are one kind: `BISCOE` and `Biscoe `, and `Y` beside `Yes` in a column of yes and no.
    """
    known = len(facts.top) == facts.distinct and 2 * facts.distinct < facts.rows
    if facts.type != "string" or not known:
        return ()
    kind = kind_of if None not in yes_no(facts) else _written
    first: dict[bool | str, str] = {}
    told = [str(value) for value, _ in sorted(facts.top, key=lambda pair: -pair[1])]
    read = [(value, first.setdefault(kind(value), value)) for value in told]
    return tuple(pair for pair in read if pair[0] != pair[1])


def _written(value: str) -> str:
    return " ".join(value.casefold().split())


def _number(text: str, written: NumberFormat) -> float | None:
    if text[:1] == "0" and text[1:2].isdigit():
        return None
    for read in (written.read,) if written.form == COMMA else (float, written.read):
        try:
            return None if "(" in text else read(text)
        except ValueError:
            continue
    return None
