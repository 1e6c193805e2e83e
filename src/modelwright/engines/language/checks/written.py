"""Names that are written as columns are and are none, and units that a figure is not told in.

Who writes a name or a unit means exactly that; the nearest column is no answer then.
"""

from collections.abc import Collection, Iterator

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault, note
from modelwright.engines.language.checks.statement import Place, Statement
from modelwright.engines.language.checks.unexplained import is_named, with_unit
from modelwright.engines.language.checks.words import QuestionWords, number_of
from modelwright.engines.language.rules.mentions.units import (
    currency,
    differs,
    fits,
    is_measured,
    is_physical,
    is_told_in,
    lasts,
    lasts_hours,
    measures,
    measures_else,
    unit_at,
)
from modelwright.engines.language.rules.text.lexicon import concepts_of_name, spelled_out
from modelwright.engines.language.rules.text.numbers import compared_numbers
from modelwright.engines.language.rules.text.words import name_parts, squeezed, stem
from modelwright.engines.language.vocabulary import aggregates, any_case, phrase_pattern, word_set

_WRITTEN = any_case(r"(?<![\w.'\"-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w-])")
_SAYS_LITTLE = word_set("checks.says_little")
"""What a written name may have more than its column's, and mean no other."""
_OF_NUMBERS = frozenset({"count"})
"""What says as little of a column of numbers: the `page_count` of pages."""
_IN = any_case(r"\bin\s+(?:the\s+)?$")
_OF = any_case(r"\s+of\b")
_BEFORE_TIMES = frozenset({"by", "per", "each", "every", "last", "past", "next", "few"})
"""What makes of a unit a group or a period."""
_SQUARES = frozenset({"square", "sq", "nautical"})
"""What makes another unit of the one that follows."""
_SHORTEST_UNIT = 4
"""Letters of the shortest unit that is told by itself: `has` are no hectares."""
_IN_SIGN = any_case(r"\bin\s+(?P<sign>[$€£¥])(?!\s*\d)")
_GLUED = any_case(r"[a-z]{2,}")
_SIGN = any_case(r"[$€£¥]")
_MANY = any_case(r"\b(?:how\s+many|number\s+of)\s+$")
_NUMBER_FOLLOWS = any_case(r"\W*\d")
_COMPUTED = (exp.Mul, exp.Div, exp.IntDiv)


def check_written_names(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `body_mg` that is told by body_mass_g: no column is called so."""
    written = [one.group() for one in _WRITTEN.finditer(said.request.question)]
    if not written:
        return
    known = {squeezed(one) for one in _all_names(said)}
    values = {squeezed(one.text) for one in said.request.links.values}
    values |= {squeezed(one.name) for one in sql.find_all(exp.Literal)}
    for text in written:
        if squeezed(text) not in known and not any(squeezed(text) in value for value in values):
            yield from _find_guessed(sql, text)


def _find_guessed(sql: Statement, text: str) -> Iterator[Finding]:
    """Finds that the SQL reads another column for a written name; a shorter name is only noted."""
    parts = {stem(part) for part in spelled_out(text)}
    taken = [(one, {stem(p) for p in spelled_out(one[1])}) for one in sorted(sql.columns)]
    if any(told == parts for _, told in taken):
        return
    alike = [one[1] for one, told in taken if _is_shorter(parts, told, _says_little(sql, one))]
    near = [name for (_, name), told in taken if told & parts]
    message = f"No column is called “{text}”"
    message += f"; {(alike or near)[0]} was taken." if alike or near else "."
    make = note if alike else fault
    yield make(Code.NAME_GUESSED, message, text)


def _all_names(said: QuestionWords) -> Iterator[str]:
    catalog = said.request.catalog
    for table in catalog.tables:
        yield from (table.name, table.alias, *table.row_nouns)
        for column in table.columns:
            yield from (column.name, column.alias, column.label, *column.synonyms)
            yield f"{table.name}_{column.name}"
    yield from (one.name for one in catalog.metrics)


def _says_little(sql: Statement, place: Place) -> frozenset[str]:
    is_number = sql.role(place) is Role.MEASURE
    return _SAYS_LITTLE | _OF_NUMBERS if is_number else _SAYS_LITTLE


def _is_shorter(parts: set[str], told: set[str], little: Collection[str]) -> bool:
    """Whether a written name is one cut short, or has only more that says little."""
    return parts < told or (told < parts and parts - told <= set(map(stem, little)))


def check_units(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `total miles` that are kilometres, and minutes told for hours."""
    if sql.find(*_COMPUTED) is not None:
        return
    ranking = [one for one in sql.aggregates if one.find_ancestor(exp.Order)]
    figures = sorted(_figures(sql, ranking))
    values = {one.name.casefold() for one in sql.find_all(exp.Literal) if one.is_string}
    for one in _IN_SIGN.finditer(said.request.question):
        told = [each[1] for each in figures if differs(currency(one["sign"]), with_unit(sql, each))]
        if told:
            message = f"“{one.group()}” is not computed: {told[0]} is told as it is."
            yield fault(Code.OTHER_UNIT, message, one["sign"])
    texts = [word.text for word in said.all]
    for at, word in enumerate(said.all):
        unit, end = unit_at(texts, at)
        if word.text in values or not _asks_unit(said, at, end):
            continue
        told = [one[1] for one in figures if _is_of_other(unit, with_unit(sql, one))]
        if told and not any(word.text in name_parts(name) for _, name in figures):
            raw = said.request.question[word.start : said.all[end - 1].end]
            message = f"“{raw}” are not computed: {told[0]} is told as it is."
            yield fault(Code.OTHER_UNIT, message, raw)


def _is_of_other(unit: str, name: str) -> bool:
    """Whether a figure is told in another unit, or in none of the kind that is asked for."""
    if differs(unit, name) or measures_else(unit, name):
        return True
    return bool(currency(unit) and not is_told_in(unit, name))


def check_compared_units(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds acres compared with percent, euros with a column of dollars, stones with a count."""
    values = {one.name.casefold() for one in sql.find_all(exp.Literal) if one.is_string}
    for raw, number, unit in _measured_numbers(said):
        tests = [one for one in sql.tests if any(_is_number(each, number) for each in one.literals)]
        places = [one for test in tests for one in test.columns if sql.role(one) is Role.MEASURE]
        odd = [one for one in places if not _may_be_of(said, sql, one, unit)]
        if tests and not any(one.columns for one in tests) and is_physical(unit):
            if unit not in values:
                yield fault(Code.OTHER_UNIT, f"“{raw}” was compared with a count.", raw)
        elif odd and len(odd) == len(places):
            message = f"“{raw}” was compared with {odd[0][1]}, which is not measured so."
            yield fault(Code.OTHER_UNIT, message, raw)


def check_untold_units(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `more than 5 years` held against a tenure of months: the column tells no unit.

    Ages are told in years, by whatever name.
    """
    for raw, number, unit in _measured_numbers(said):
        tests = [one for one in sql.tests if any(_is_number(each, number) for each in one.literals)]
        for place in {place for test in tests for place in test.columns} if lasts(unit) else ():
            name = with_unit(sql, place)
            is_told = is_measured(name) or any(map(lasts, name_parts(name)))
            is_told = is_told or "age" in concepts_of_name(name)
            if sql.role(place) is Role.MEASURE and not is_told:
                message = f"{place[1]} tells no unit; “{raw}” was compared as it is."
                yield doubt(Code.OTHER_UNIT, message, raw)


def _measured_numbers(said: QuestionWords) -> Iterator[tuple[str, float, str]]:
    """Yields every number that has a unit, as it is written: `€500`, `500 euros`, `2 stone`."""
    question, found = said.request.question, said.all
    texts = [word.text for word in found]
    for one in compared_numbers(question):
        end = next((at for at, word in enumerate(found) if word.start >= one.end), len(found))
        unit, after = unit_at(texts, end) if end < len(texts) else ("", end)
        sign = _SIGN.search(question[one.number_start : one.end + 2])
        glued = _GLUED.match(question, one.end)
        if sign or glued:
            unit = currency(sign.group()) if sign else glued.group().lower() if glued else ""
            after = end
        if measures(unit):
            raw = question[one.number_start : max(one.end, found[after - 1].end)]
            yield from ((raw, number, unit) for number in (one.number, one.upper) if number)


def _may_be_of(said: QuestionWords, sql: Statement, place: Place, unit: str) -> bool:
    return fits(unit, with_unit(sql, place), is_named=is_named(said, sql, place))


def _is_number(literal: exp.Expression, number: float) -> bool:
    return isinstance(literal, exp.Literal) and literal.is_number and float(literal.name) == number


def check_ranked_units(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds the `longest ride in miles` that is the one of most minutes, with its miles."""
    order = sql.tree.args.get("order")
    if order is None or not sql.limits:
        return
    ranked = {name for _, name in sql.places(order.expressions[0])}
    shown = {name for _, name in _figures(sql)}
    texts = [word.text for word in said.all]
    for at, word in enumerate(said.all):
        unit, end = unit_at(texts, at)
        if not _asks_unit(said, at, end):
            continue
        told = {name for name in shown if is_told_in(unit, name)}
        if told and ranked and not ranked & told:
            message = f"“{word.raw}” does not rank: {min(ranked)} does."
            yield fault(Code.RANKED_BY_OTHER, message, word.raw)


def _figures(sql: Statement, beside: Collection[exp.Expression] = ()) -> set[Place]:
    """The measures that are told or aggregated, but for some aggregates: ranks have no unit."""
    select = sql.tree
    shown = [*select.selects] if isinstance(select, exp.Select) else []
    left = [one for one in sql.aggregates if not any(one is each for each in beside)]
    places = {place for one in [*shown, *left] for place in sql.places(one)}
    columns = {place: sql.catalog.column(*place) for place in places}
    return {place for place, one in columns.items() if one and one.role is Role.MEASURE}


def _asks_unit(said: QuestionWords, at: int, end: int) -> bool:
    """Whether words say in what a figure is told: `in miles`, `total miles`, `hours of work`."""
    word, question = said.all[at], said.request.question
    before = question[: word.start]
    if _NUMBER_FOLLOWS.match(question, said.all[end - 1].end):
        return False
    computes = any(
        one.end() == len(before.rstrip())
        for each in aggregates()
        for one in phrase_pattern(each.words).finditer(before.rstrip())
    )
    if _is_bare_unit(said, at, end):
        return True
    return before.endswith("_") or computes or bool(_IN.search(before) or _MANY.search(before))


def _is_bare_unit(said: QuestionWords, at: int, end: int) -> bool:
    """Whether a unit stands without a number, as what is told: `hours per driver`."""
    word, before = said.all[at], said.all[at - 1].text if at else ""
    is_unit = is_physical(word.text) or lasts_hours(word.text)
    if not is_unit or len(word.text) < _SHORTEST_UNIT or before in _SQUARES:
        return False
    is_many = word.text.endswith("s") or _OF.match(said.request.question, said.all[end - 1].end)
    return bool(is_many) and number_of(before) is None and before not in _BEFORE_TIMES


CHECKS = (
    check_written_names,
    check_units,
    check_compared_units,
    check_untold_units,
    check_ranked_units,
)
