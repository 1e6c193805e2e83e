"""Whether each number of the question stands in the SQL, and who gives each value written there.

The question gives values by its words, links by what the tables hold, the catalog by its flags.
"""

import re
from collections.abc import Iterator
from datetime import timedelta

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.statement import Statement, Test
from modelwright.engines.language.checks.words import FACTORS, QuestionWords, glued_unit, number_of
from modelwright.engines.language.rules.mentions.places import other_names
from modelwright.engines.language.rules.mentions.units import times, unit_at
from modelwright.engines.language.rules.plans.expressions import SECONDS
from modelwright.engines.language.rules.text.lexicon import concepts_at, lexicon, spelled_out
from modelwright.engines.language.rules.text.roots import undone_word
from modelwright.engines.language.rules.text.words import squeezed, stem, words
from modelwright.engines.language.vocabulary import find_cues, word_set

FREE_NUMBERS = frozenset({0.0, 1.0, 100.0})
"""Numbers that SQL may hold without the question naming them: percentages, first rows."""
FLAG_VALUES = word_set("checks.flag_values")
_DENIALS = word_set("values.none")
NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?")
_A_DAY = timedelta(days=1)
YEAR_DIGITS = 4
"""Characters of a date in ISO that are its year."""


def check_numbers(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds numbers of the question that the SQL does not use."""
    written = _written_numbers(sql)
    text = sql.sql.lower()
    used = {raw for value, raw in said.numbers.items() if value in written}
    used |= {raw for test in sql.tests for raw, value in _in_units(said, test) if value in written}
    for value, raw in said.numbers.items():
        if raw in used or (value in FREE_NUMBERS and len(raw) > 1) or raw.lower() in text:
            continue
        if raw.lower() == "one" or _inside_link(said, raw) or f"{value:g}" in text:
            continue
        is_all = not (sql.tests or sql.limits)
        make = fault if is_all else doubt  # `plot 17` is not all plots
        yield make(Code.NUMBER_LEFT_OUT, f"The number {raw} was not used.", raw)


def _inside_link(said: QuestionWords, raw: str) -> bool:
    links = said.request.links
    told = [one.text for one in links.periods]
    told += [one.text for one in links.values] + [one.text for one in links.names]
    return any(raw.lower() in text.lower() for text in told)


def _written_numbers(sql: Statement) -> set[float]:
    found = set(map(float, sql.limits))
    for one in sql.find_all(exp.Literal):
        for part in NUMBER.findall(one.name):
            found.add(abs(float(part.replace(",", ""))))
    return found


def check_literals(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds written values that neither the question, a link nor the catalog gives."""
    for test in sql.tests:
        for literal in test.literals:
            finding = _unfounded(said, sql, test, literal)
            if finding:
                yield finding


def _unfounded(
    said: QuestionWords, sql: Statement, test: Test, literal: exp.Expression
) -> Finding | None:
    if is_founded(said, sql, test, literal):
        return _told_by_its_end(said, test, literal)
    text = literal.name.strip("%").strip() if literal.is_string else literal.name
    return doubt(Code.LITERAL_FROM_NOWHERE, f"Nothing says “{text}”.")


def _told_by_its_end(said: QuestionWords, test: Test, literal: exp.Expression) -> Finding | None:
    """Finds `not in 2024` that is not the 1st of January 2025, the first day behind it."""
    periods = said.request.links.periods
    ends = {one.end: one for one in periods if one.end and one.start != one.end - _A_DAY}
    begun = {one.start for one in periods}
    told = next((one for end, one in ends.items() if end.isoformat() == literal.name[:10]), None)
    if told is None or test.operator not in {"=", "!="} or told.end in begun:
        return None
    return fault(Code.LITERAL_FROM_NOWHERE, f"{told.end} is no day of “{told.text}”.", told.text)


def is_founded(said: QuestionWords, sql: Statement, test: Test, literal: exp.Expression) -> bool:
    """Returns whether the question, a link or the catalog gives a written value."""
    if isinstance(literal, exp.Boolean) or _is_period(said, literal.name):
        return True
    if literal.is_string:
        return _is_text_founded(said, sql, test, literal)
    return _is_number_founded(said, sql, test, literal)


def _is_text_founded(
    said: QuestionWords, sql: Statement, test: Test, literal: exp.Expression
) -> bool:
    text = literal.name.strip("%").strip()
    return (
        not text
        or _is_said(said, text)
        or _is_linked(said, test, text)
        or _is_alias(said, text)
        or _is_denied(said, test, text)
        or (squeezed(text) in FLAG_VALUES and _named_flag(said, sql, test))
        or _is_pattern_or_unit(literal)
    )


def _is_number_founded(
    said: QuestionWords, sql: Statement, test: Test, literal: exp.Expression
) -> bool:
    value = abs(float(literal.name))
    return (
        value in FREE_NUMBERS
        or _is_number_said(said, value)
        or _is_in_other_unit(said, test, value)
        or _is_calendar(literal)
        or _named_flag(said, sql, test)
        or _is_linked(said, test, f"{value:g}")
    )


def _is_number_said(said: QuestionWords, value: float) -> bool:
    """Whether a number is said: in digits, in words, as a factor (`twice`), within a word."""
    is_factor = any(FACTORS.get(word.text) == value for word in said.all)
    return value in said.numbers or is_factor or f"{value:g}" in said.squeezed


def _is_in_other_unit(said: QuestionWords, test: Test, value: float) -> bool:
    """Whether a number is said in another unit, 5000 ms of `5 s`, or turns one into another."""
    is_lapse = value in SECONDS.values() and test.node.find(exp.DateDiff) is not None
    return is_lapse or any(value == told for _, told in _in_units(said, test))


def _is_said(said: QuestionWords, text: str) -> bool:
    told = squeezed(text)
    if told and told in said.squeezed:
        return True
    stems = [word.stem for word in words(text)]
    hits = sum(one in said.stems for one in stems)
    return bool(stems) and 2 * hits >= len(stems) and hits > 0


def _is_linked(said: QuestionWords, test: Test, text: str) -> bool:
    told = squeezed(text)
    return any(
        squeezed(str(one.value)) == told
        for one in said.request.links.values
        if not test.columns or (one.table, one.column) in test.columns
    )


def _is_alias(said: QuestionWords, text: str) -> bool:
    """Whether a word stands for a value that is written otherwise: `women` of female."""
    told, value = {word.text for word in said.all}, text.casefold()
    if any(value in other_names(word) for word in told):
        return True
    return any(value in group and told & group for group in lexicon().aliases)


def _is_denied(said: QuestionWords, test: Test, text: str) -> bool:
    """Whether a value says no by itself, of a column that is denied: `without a degree`."""
    named = any((one.table, one.column) in test.columns for one in said.request.links.names)
    denies = named and find_cues("negation", said.request.question)
    return bool(denies) and squeezed(text) in _DENIALS


def _is_pattern_or_unit(literal: exp.Expression) -> bool:
    above = literal.parent
    return isinstance(above, exp.Func | exp.Anonymous | exp.Interval | exp.Var)


def _named_flag(said: QuestionWords, sql: Statement, test: Test) -> bool:
    """Whether the question names a column that says yes or no, so that its values need no name."""
    for table, name in test.columns:
        column = sql.catalog.column(table, name)
        if column is None or column.role is not Role.FLAG:
            continue
        parts = {stem(part) for part in spelled_out(name)}
        concepts = {
            one for told, _ in concepts_at(sorted(parts), lexicon().of_names) for one in told
        }
        said_of = {one for told in said.concepts.values() for one in told}
        undone = {stem(bare) for word in said.all if (bare := undone_word(word.text))}
        if parts & (said.stems | undone) or concepts & said_of or _aliased(said):
            return True
    return False


def _aliased(said: QuestionWords) -> bool:
    """Whether a word stands for a value that tables write otherwise: `women`, `men`."""
    told = {word.text for word in said.all}
    return any(told & group for group in lexicon().aliases)


def _in_units(said: QuestionWords, test: Test) -> Iterator[tuple[str, float]]:
    """Yields numbers of a question and what they are in the units of tested columns: 5000 ms."""
    texts = [word.text for word in said.all]
    for at, word in enumerate(said.all):
        number, glued = number_of(word.text), glued_unit(word.text)
        if number is not None and (glued or texts[at + 1 :]):
            unit = glued[2] if glued else unit_at(texts, at + 1)[0]
            for _, name in test.columns:
                yield word.raw, round(number * times(unit, name), 9)
        if number is not None and test.operator == "<" and test.node.find(exp.DateDiff):
            yield word.raw, number + 1  # who is 25 is so until the next birthday


def _is_calendar(literal: exp.Expression) -> bool:
    """Whether a number is compared with a piece of a date: the month of, the weekday of."""
    test = literal.parent
    kinds = exp.Extract, exp.Month, exp.Year, exp.DayOfWeek, exp.DayOfWeekIso, exp.Quarter, exp.Hour
    return test is not None and test.find(*kinds) is not None


def _is_period(said: QuestionWords, text: str) -> bool:
    ends = {
        told.isoformat()
        for one in said.request.links.periods
        for told in (one.start, one.end)
        if told
    }
    years = {one[:YEAR_DIGITS] for one in ends}
    return text[:10] in ends or text[:YEAR_DIGITS] in years or text[:YEAR_DIGITS] in said.squeezed


CHECKS = (check_numbers, check_literals)
