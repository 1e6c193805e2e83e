"""Columns of text that write numbers or dates, read as those."""

from collections.abc import Sequence
from dataclasses import replace

from modelwright.engines.facts import ColumnFacts, Value
from modelwright.engines.language.plan import MARKS
from modelwright_client.predictor.amounts import Written, written_in
from modelwright_client.predictor.moments import moment_of, order_of, pattern_of


def as_numbers(facts: ColumnFacts, more: Sequence[Value]) -> ColumnFacts | None:
    """Reads a text column that holds mostly numbers as those numbers.

    Those of a unit that is a word are asked for by it, and stay what they are.
    """
    if facts.type != "string" or not facts.top:
        return None
    written = written_in("1,234.5", [str(value) for value, _ in facts.top])
    if not set("".join(written.unit)) <= set(MARKS):
        return None
    known = [(_number(str(value), written), times) for value, times in facts.top]
    numbers = [(value, times) for value, times in known if value is not None]
    if sum(times for _, times in numbers) < 0.9 * sum(times for _, times in known):
        return None
    ends = [value for value, _ in numbers]
    ends += [one for one in (_number(str(value), written) for value in more) if one is not None]
    low, high = min(ends), max(ends)
    return replace(facts, type="float", minimum=low, maximum=high, top=tuple(numbers))


def as_dates(
    facts: ColumnFacts, more: Sequence[Value]
) -> tuple[ColumnFacts | None, tuple[str, ...]]:
    """Reads a text column of dates in one order of year, month and day as those dates."""
    texts = [str(value) for value, _ in facts.top] if facts.type == "string" else []
    texts += [str(value) for value in more] if texts else []
    order = order_of(texts)
    patterns = {pattern_of(text, order) for text in texts} if order else {None}
    if None in patterns:
        return None, ()
    top = tuple(
        (moment_of(str(value), order).replace(tzinfo=None), times) for value, times in facts.top
    )
    days = [moment_of(text, order).replace(tzinfo=None) for text in texts]
    read = replace(facts, type="date", minimum=min(days), maximum=max(days), top=top)
    return read, tuple(sorted(filter(None, patterns)))


def _number(text: str, written: Written) -> float | None:
    if text[:1] == "0" and text[1:2].isdigit():
        return None
    for read in (float, written.read):
        try:
            return None if "(" in text else read(text)
        except ValueError:
            continue
    return None
