"""Columns that stand in the SQL by a part of their name, or by none: the words mean another thing.

Of `members under 18` nobody asks the visits, and `exits per office` are no ages at exit.
"""

import re
from collections.abc import Iterator
from itertools import product

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import (
    Additivity,
    CatalogColumn,
    CatalogTable,
    Role,
)
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.statement import Statement
from modelwright.engines.language.checks.unexplained import is_named
from modelwright.engines.language.checks.words import QuestionWords, facts_of, number_of
from modelwright.engines.language.grammar.items import ENDS_OF_DOING, adds_up_what_is_done
from modelwright.engines.language.rules.columns.value_shapes import reaches
from modelwright.engines.language.rules.mentions.rows import names_people
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.vocabulary import (
    aggregates,
    any_case,
    cue_words,
    phrase_pattern,
    word_set,
)

_AGED = any_case(
    r"\b(?P<who>[a-z]+) (?:(?:that |who )?are )?(?:aged )?"
    r"(?P<told>(?:under|over|below|above|(?:old|young)er than) (?P<number>\d{1,3}))"
    r"(?=\W*$|[,;]? (?:and|or|who|that|with|without|in|at|by|per|from|on|have|has|had)\b)"
)
_OF_BIRTH = word_set("checks.of_birth")
_OF_AGES = _OF_BIRTH | {"age", "ages"}
_AVERAGED = phrase_pattern(next(one.words for one in aggregates() if one.name == "avg"))
_RATE_OF_DEED = any_case(r"\b\w+(?:ion|ance|ence|ment|ancy) rates?\b")
_BEST_DOING = any_case(rf"\b(?:{'|'.join(ENDS_OF_DOING)})[\s-](?P<doing>\w+ing)\b")
_SIDES = re.compile(r"\b(?P<one>[a-z][\w-]*) (?:vs\.?|versus|against) (?P<two>[a-z][\w-]*)")
_OLDEST = any_case(r"\b(?P<how>oldest|youngest)\s+(?:\w+\s+)?(?P<who>[a-z]+)\b")
LARGE = 1000
"""Of smaller numbers a word tells what they are of; nearly anything reaches so far."""
OLDEST = 120
"""Years; a larger number is no age."""


def check_ages(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `members under 18` that are those with fewer than 18 of something nobody named."""
    for told in _AGED.finditer(said.request.question):
        number = number_of(told["number"])
        if number is None or number > OLDEST:
            continue
        for test in sql.tests:
            is_told = any(one.is_number and float(one.name) == number for one in test.literals)
            for place in test.columns if is_told else ():
                table = sql.catalog.table(place[0])
                is_other = not _tells_ages(place[1]) and not is_named(said, sql, place)
                if is_other and table is not None and _are_of_an_age(table, told["who"]):
                    message = f"“{told['told']}” may be an age, and {place[1]} is none."
                    yield fault(Code.COMPARISON_TURNED, message, told["told"])


def check_oldest(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds the `oldest employee` told by when people were hired: no column tells ages."""
    order = sql.tree.args.get("order")
    for told in _OLDEST.finditer(said.request.question) if order is not None and sql.limits else ():
        for _, name in sql.places(order.expressions[0]) if names_people(told["who"]) else ():
            if not _tells_ages(name) and not is_named(said, sql, (sql.tables[0], name)):
                message = f"“{told['how']}” may be an age, and {name} is none."
                yield fault(Code.RANKED_BY_OTHER, message, told["how"])


def _are_of_an_age(table: CatalogTable, who: str) -> bool:
    """Whether a word calls people whose age is told, or rows that were born."""
    ages = [one.name for one in table.columns if _tells_ages(one.name)]
    is_born = any(set(spelled_out(name)) <= _OF_BIRTH | {"date", "of", "on"} for name in ages)
    is_row = stem(who.casefold()) in {stem(noun) for noun in table.row_nouns}
    return bool(ages) and (names_people(who) or (is_born and is_row))


def _tells_ages(name: str) -> bool:
    return not _OF_AGES.isdisjoint(part.casefold() for part in spelled_out(name))


def check_parts_of_dates(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `exits per office` told by the average age at exit: rows that have a date of exit."""
    usual = cue_words("means_average") - {"per"}
    if _AVERAGED.search(said.request.question) or usual & {word.text for word in said.all}:
        return
    for one in sql.find_all(exp.Avg):
        place = sql.place(one.this)
        table = sql.catalog.table(place[0]) if place else None
        if place is None or table is None:
            continue
        parts = {stem(part) for part in spelled_out(place[1])}
        told = parts & said.stems
        if told and told < parts and told <= _parts_of_dates(table):
            message = f"Nothing says that {place[1]} is averaged."
            words = [word.raw for word in said.all if word.stem in told]
            yield fault(Code.FIGURE_FROM_NOWHERE, message, *words)


def _parts_of_dates(table: CatalogTable) -> set[str]:
    dates = (one.name for one in table.columns if one.role is Role.DATE)
    return {stem(part) for name in dates for part in spelled_out(name)}


def check_rates_of_deeds(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds a `cancellation rate` told by the average nightly rate of what was cancelled."""
    told = _RATE_OF_DEED.search(said.request.question)
    if told is None:
        return
    for one in sql.find_all(exp.Avg):
        place = sql.place(one.this)
        parts = {stem(part) for part in spelled_out(place[1])} if place else set()
        if place and len(parts) > 1 and parts & said.stems == {stem("rate")}:
            message = f"“{told.group()}” is a share, and {place[1]} is none."
            yield fault(Code.OTHER_UNIT, message, told.group())


def check_ranks_of_deeds(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds the `best selling` book told by the highest price, where a column adds up what is sold.

    Other amounts of what is sold, such as the revenue, tell it as well.
    """
    told = _BEST_DOING.search(said.request.question)
    if told is None:
        return
    columns = [one for table in sql.catalog.tables for one in table.columns]
    adding = [one for one in columns if adds_up_what_is_done(one, told["doing"].casefold())]
    for order in sql.find_all(exp.Order) if adding else ():
        ranked = order.expressions[0].this
        column = _ranked(sql, ranked) if isinstance(ranked, exp.Column) else None
        if column is not None and column.additivity is not Additivity.SUM:
            message = f"“{told.group()}” is told by {adding[0].name}, not by {column.name}."
            yield fault(Code.OTHER_UNIT, message, told.group())


def check_large_numbers(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `houses under 400000` told by the price that was asked, where that paid reaches so far.

    Nothing but its numbers speaks of the column.
    """
    for test in sql.tests:
        large = [float(one.name) for one in test.literals if one.is_number]
        if len(test.columns) != 1 or not large or min(large) < LARGE or test.aggregated:
            continue
        ((table, name),) = test.columns
        column, of = sql.catalog.column(table, name), sql.catalog.table(table)
        if column is None or of is None or column.role is not Role.MEASURE:
            continue
        if is_named(said, sql, (table, name)):
            continue
        others = [
            one.name
            for one in of.columns
            if one.role is Role.MEASURE and one.name != name
            if (facts := facts_of(said.request, table, one.name))
            and all(reaches(facts, each) for each in large)
        ]
        if others:
            message = f"{name} was taken; {' or '.join(others)} may be meant."
            yield doubt(Code.AMBIGUOUS_NAME, message, name, *others)


def _ranked(sql: Statement, one: exp.Column) -> CatalogColumn | None:
    """Returns the column that an order is by, also where it is called as a result."""
    place = sql.place(one) or next(
        (sql.place(each.unalias()) for each in sql.tree.selects if each.alias_or_name == one.name),
        None,
    )
    column = sql.catalog.column(*place) if place else None
    return column if column is not None and column.role is Role.MEASURE else None


def check_sides_of_names(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `sold vs asking price` that tells one of two columns that differ in this word."""
    columns = [(table.name, one.name) for table in sql.catalog.tables for one in table.columns]
    parts = {place: frozenset(spelled_out(place[1])) for place in columns if place[0] in sql.tables}
    for told in _SIDES.finditer(said.request.question.casefold()):
        one, two = told["one"], told["two"]
        for first, second in product(parts, parts):
            is_pair = one in parts[first] and two in parts[second] and len(parts[first]) > 1
            alike = parts[first] - {one} == parts[second] - {two}
            if is_pair and alike and len({first, second} & sql.columns) == 1:
                message = f"“{told.group()}” are not set against each other."
                yield fault(Code.COMPARISON_DROPPED, message, told.group())


def check_sides(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `weekly vs one-off` that looks at one of both kinds, and takes the other for a time."""
    for told in _SIDES.finditer(said.request.question.casefold()):
        sides = {told["one"], told["two"]}
        for test in sql.tests:
            held = {one.name.casefold() for one in test.literals}
            facts = facts_of(said.request, *test.columns[0]) if test.columns else None
            values = {str(value).casefold() for value, _ in facts.top} if facts else set()
            if sides <= values and len(sides & held) == 1:
                message = f"“{told.group()}” are not set against each other."
                yield fault(Code.COMPARISON_DROPPED, message, told.group())


CHECKS = (
    check_ages,
    check_oldest,
    check_parts_of_dates,
    check_rates_of_deeds,
    check_ranks_of_deeds,
    check_large_numbers,
    check_sides,
    check_sides_of_names,
)
