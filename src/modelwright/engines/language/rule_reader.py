"""The built-in rules as one reader among others: deterministic, without a model.

It needs no model and answers at once: an installation without one still reads questions.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from modelwright.engines.facts import Value
from modelwright.engines.language.catalog.meaning import (
    Calendar,
    Catalog,
    CatalogColumn,
    CatalogTable,
    Role,
)
from modelwright.engines.language.linking.phrases import BY_CUT, BY_DENIAL, cuts_short
from modelwright.engines.language.readers import (
    Candidate,
    Cannot,
    Outcome,
    ReadRequest,
    names_read,
)
from modelwright.engines.language.row_nouns import singular
from modelwright.engines.language.rules.answering.follow_ups import FOLLOWS, UNTOLD
from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood
from modelwright.engines.language.rules.answering.questions import Reader as Rules
from modelwright.engines.language.rules.columns.schema import Key, TableFacts, find_keys
from modelwright.engines.language.rules.mentions.units import currency
from modelwright.engines.language.rules.text.commands import without_commands
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.words import squeezed, stem, words
from modelwright.engines.language.vocabulary import any_case

RULES = "rules"
JOINED = "rules over joined tables"
"""Who reads a question on several tables as one of a single table with all that it leads to."""
SHORTEST_TELLING = 3
"""A shorter value is told with the name of its column: `tier P`."""
BY_VALUES = 0.65
"""How strong a key is that names do not tell."""
OTHER_CALENDAR = "The rules know no other weeks and fiscal years than the usual ones."
_WEEKS = any_case(
    r"\b(?:last|this|next|past|previous|current|coming)\s+(?:\w+\s+)?weeks?\b"
    r"|\bweeks? (?:of|ago)\b"
)
"""Weeks that begin on some day; rows counted by week are put right after reading."""
_BUT = any_case(r"\bbut\s+$")
"""What leads to a denial: nothing is left out where a value says no instead."""
_IN_CURRENCY = any_case(r"\s+in\s+(?:us\s+)?(?P<word>[a-z]+)\b")
_FISCAL = any_case(r"\b(?:fiscal|financial|fy\d*)\b")
NOT_ALONE = frozenset({FOLLOWS, UNTOLD})
"""What has no answer by itself, whoever reads it: a model that is asked would only guess."""


_NEITHER = any_case(r"\b(with|ha(?:ve|s|d|ving)) neither (?:an? )?(\w+(?: \w+){0,2}) nor (?:an? )?")
"""`With neither sugar nor fat` has no sugar and no fat."""


class RuleReader:
    """Reads questions of one session's tables by rules; the tables are indexed once."""

    name = RULES

    def __init__(
        self,
        tables: Sequence[TableFacts],
        values: Mapping[tuple[str, str], Sequence[Value]] | None = None,
        catalog: Catalog | None = None,
    ) -> None:
        self._rules = Rules(tables, values, keys=_keys(tables, catalog) if catalog else None)
        self._calendar = catalog.calendar if catalog else Calendar()
        self._synonyms = _synonyms(catalog) if catalog else {}

    def read(self, request: ReadRequest) -> Sequence[Outcome]:
        """Reads one question.

        Args:
            request: The question; of its tables only those that the reader was made with are read.

        Returns:
            One candidate, or why there is none; beside a value that says no the question as it was
            asked is read as well, as what is denied there may stand with another condition.

        Raises:
            TooLong: The reading was stopped.
        """
        if _counts_otherwise(request.question, self._calendar):
            return [Cannot(RULES, OTHER_CALENDAR, not_understood=True)]
        told = _with_values(request)
        asked = [told] if told.question == request.question else [told, request]
        outcomes = [self._outcome(one) for one in asked]
        found = [one for one in outcomes if isinstance(one, Candidate)]
        found = list({one.sql: one for one in reversed(found)}.values())[::-1]
        return [*(found or outcomes[:1]), *self._joined(told)]

    def _joined(self, request: ReadRequest) -> list[Outcome]:
        """Reads a question on several tables as one of a single table with all that it leads to."""
        question = self._in_known_words(request)
        read = self._rules.read_joined(question, request.today, request.stopped)
        return [_candidate(one, JOINED) for one in read]

    def _outcome(self, request: ReadRequest) -> Outcome:
        read = self._rules.read(self._in_known_words(request), request.today, request.stopped)
        if isinstance(read, NotUnderstood):
            is_judged = read.sentence in NOT_ALONE
            return Cannot(RULES, read.sentence, read.suggestions, not_understood=not is_judged)
        return _candidate(read, RULES)

    def _in_known_words(self, request: ReadRequest) -> str:
        """Writes a question in the words that the rules know."""
        question = _NEITHER.sub(r"\1 no \2 and no ", _in_whole_names(request))
        question = _in_whole_roles(self._in_own_words(question), request.catalog)
        question = _without_told_currency(question, request.catalog)
        return without_commands(question, names_read(request))

    def _in_own_words(self, question: str) -> str:
        """Puts columns' names in place of what people call them: the rules know names only."""
        if not self._synonyms:
            return question
        longest_first = sorted(self._synonyms, key=len, reverse=True)
        pattern = rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b"
        return re.sub(
            pattern,
            lambda match: self._synonyms[match.group().casefold()],
            question,
            flags=re.IGNORECASE,
        )


def _keys(tables: Sequence[TableFacts], catalog: Catalog) -> list[Key]:
    """Returns the keys of a catalog as the rules join along them, those that names tell first."""
    named = find_keys(tables) if len(tables) > 1 else []
    strength = {(one.table, one.column, one.to_table): one.strength for one in named}
    return [
        Key(
            one.table,
            one.column,
            one.to_table,
            one.to_column,
            strength.get((one.table, one.column, one.to_table), BY_VALUES),
        )
        for one in catalog.relationships
        if one.table != one.to_table
    ]


def _with_values(request: ReadRequest) -> ReadRequest:
    """Puts values that say no in place of what denies the rest of them: `with No pool`."""
    denied = {one.span: one for one in request.links.values if one.quality == BY_DENIAL}
    question = request.question
    for (start, end), one in sorted(denied.items(), reverse=True):
        having = "with" if one.text.casefold().startswith(("with", "no")) else "have"
        before = _BUT.sub("and ", question[:start])
        question = f"{before}{having} {one.value}{question[end:]}"
    return request if not denied else replace(request, question=question)


def _in_whole_names(request: ReadRequest) -> str:
    """Puts columns' names in place of words that they cut short: `horTh` of hormone therapy."""
    question = request.question
    cut = [one for one in request.links.names if one.quality == BY_CUT and one.column]
    for one in sorted(cut, key=lambda link: -link.span[0]):
        start, end = one.span
        if cuts_short(one.column or "", [squeezed(word) for word in one.text.split()]):
            question = f"{question[:start]}{one.column}{question[end:]}"
    return question


def _in_whole_roles(question: str, catalog: Catalog) -> str:
    """Writes what keys are for as one word where their names do: `drop-off` of dropoff_id.

    Where a column is called so as well, the word would mean it: `pickup` of a pickup date.
    """
    roles = {word.text for key in catalog.relationships for word in words(key.role)}
    columns = (one for table in catalog.tables for one in table.columns if one.role is not Role.ID)
    roles -= {part for one in columns for part in spelled_out(one.name)}
    for one, other in reversed(list(pairwise(words(question))) if roles else ()):
        together = f"{one.text}{other.text.removesuffix('s')}"
        if together in roles:
            question = f"{question[: one.start]}{together}{question[other.end :]}"
    return question


def _without_told_currency(question: str, catalog: Catalog) -> str:
    """Leaves out `in dollars` where a column is told in them by its catalog: the rules know names.

    That the figure is of that column, and of no other currency, is checked of every reading.
    """
    units = [one.unit.lower() for table in catalog.tables for one in table.columns]
    told = set(filter(None, map(currency, units)))
    return _IN_CURRENCY.sub(
        lambda match: "" if currency(match["word"].lower()) in told else match.group(), question
    )


def _synonyms(catalog: Catalog) -> dict[str, str]:
    """Returns the column or value that each synonym means; none of one that means several.

    Names that hold a synonym mean themselves: a `spend per customer` is not the spend.
    """
    columns = [one for table in catalog.tables for one in table.columns]
    told = [pair for column in columns for pair in _of_column(column)]
    if len(catalog.tables) > 1:
        names = [*(one.name for one in catalog.tables), *(one.name for one in columns)]
        called = {stem(part) for name in names for part in spelled_out(name)}
        told += [pair for table in catalog.tables for pair in _other_nouns(table, called)]
    meant: dict[str, set[str]] = {}
    for synonym, name in told:
        meant.setdefault(synonym, set()).add(name)
    sure = {said: next(iter(names)) for said, names in meant.items() if len(names) == 1}
    labels = {one.label.casefold() for one in columns}
    return sure | {one: one for one in labels if sure.keys() & set(one.split())}


def _of_column(column: CatalogColumn) -> Iterator[tuple[str, str]]:
    """Yields the synonyms of a column and of its values, with what each means."""
    for synonym in column.synonyms:
        yield synonym.casefold(), column.name
    for one in column.value_synonyms:
        tells = isinstance(one.value, str) and len(one.value) >= SHORTEST_TELLING
        yield one.words.casefold(), str(one.value) if tells else f"{column.name} {one.value}"


def _other_nouns(table: CatalogTable, called: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yields other names of a table's rows, in both numbers: `cars` for those of vehicles.

    What a table or a column is `called`, the rules know by themselves.
    """
    parts = spelled_out(table.name)
    if len(parts) > 1 or not parts[0].endswith("s"):
        return
    for noun in table.row_nouns:
        if stem(noun) not in called:
            yield noun.casefold(), parts[0]
            yield singular(noun.casefold()), singular(parts[0])


def _counts_otherwise(question: str, calendar: Calendar) -> bool:
    """Returns whether a question speaks of times that the rules count in another way."""
    usual = Calendar()
    weeks = calendar.first_day_of_week != usual.first_day_of_week and _WEEKS.search(question)
    months = calendar.first_month_of_fiscal_year != usual.first_month_of_fiscal_year
    return bool(weeks or (months and _FISCAL.search(question)))


def _candidate(read: Answerable, reader: str) -> Candidate:
    chart = read.chart
    if chart is not None:
        chart = replace(chart, width=(read.plan.get("group") or [{}])[0].get("width"))
    return Candidate(
        read.sql,
        reader,
        read.interpretation,
        read.confidence,
        ignored_words=read.ignored,
        chart=chart,
    )
