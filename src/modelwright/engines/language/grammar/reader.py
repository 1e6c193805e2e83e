"""Reads items into a query; a question with a word that has no place is not read at all."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product, zip_longest

from modelwright.engines.facts import Value
from modelwright.engines.language.catalog.meaning import Catalog, Relationship
from modelwright.engines.language.grammar.items import Item, Kind, is_written, items_of
from modelwright.engines.language.grammar.parse import NotReadError, Parse
from modelwright.engines.language.grammar.query import (
    Compiler,
    Field,
    Filter,
    Number,
    Query,
    UnreachableError,
    in_words,
)
from modelwright.engines.language.grammar.steps import read_query, read_rows_meant
from modelwright.engines.language.linking.linking import Linker
from modelwright.engines.language.linking.phrases import BY_PART
from modelwright.engines.language.linking.roles import meant_keys, role_is_said
from modelwright.engines.language.readers import Candidate, Cannot, Outcome, ReadRequest, names_read
from modelwright.engines.language.rules.columns.schema import TableFacts, of_persons
from modelwright.engines.language.rules.columns.typed_text import alike_in
from modelwright.engines.language.rules.groups.ranges import width_of
from modelwright.engines.language.rules.text.commands import without_commands
from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.vocabulary import any_case

GRAMMAR = "grammar"
MAX_READINGS = 4
"""So many ways to take ambiguous names are tried."""


_CHART = any_case(
    r"\b(?:(?:draw|plot|show|make|create|give me|visuali[sz]e)\s+)?"
    r"(?:as\s+|in\s+|with\s+)?(?:an?\s+)?"
    r"(?:bar|line|pie|column|scatter)\s*(?:chart|graph|plot|diagram)?s?\s*(?:of|for|showing|with)?\b"
    r"|\b(?:as\s+|in\s+)?an?\s+(?:chart|graph|plot)(?:\s+of)?\b|\b(?:chart|graph|plot)\s+(?:of\b)?"
)


_WISH = any_case(
    r"\b(?:forecast(?:s|ed|ing)?|predict(?:s|ed|ion|ions|ing)?|extrapolat\w+|anomal(?:y|ies)"
    r"|cluster(?:s|ing)?|recommendations?)\b"
)
"""What is asked of a model, not of data."""
_PERCENT = any_case(r"%\s*of\b")
_SPREAD = any_case(r"^(?:\w+\s+){0,2}(?:histogram|distribution)\s+of\s")


class GrammarReader:
    """Reads questions by a grammar that leaves no word out; deterministic, without a model."""

    name = GRAMMAR

    def __init__(
        self,
        tables: Sequence[TableFacts],
        catalog: Catalog,
        values: Mapping[tuple[str, str], Sequence[Value]] | None = None,
        linker: Linker | None = None,
    ) -> None:
        self._catalog = catalog
        self._facts = {(t.name, c.name): c for t in tables for c in t.columns}
        self._alike = {
            place: pairs for place, facts in self._facts.items() if (pairs := alike_in(facts))
        }
        self._persons = frozenset(one.name for one in tables if of_persons(one))
        self._linker = linker or Linker(tables, catalog, values)

    def read(self, request: ReadRequest) -> Sequence[Outcome]:
        """Reads one question; see `Reader`."""
        wish = self._wish(request.question)
        if wish:
            told = f"“{wish}” asks for what is not in the data; build a model to predict it."
            return [Cannot(GRAMMAR, told)]
        question, is_charted = _without_chart(_PERCENT.sub("percent of", request.question))
        question = without_commands(question, names_read(request))
        catalog, items = self._by_role(request, self._items(question, request))
        is_column = [one.kind for one in items] == [Kind.COLUMN]
        if is_column and is_charted:
            items = [Item(Kind.COUNT, ""), Item(Kind.ROWS, ""), Item(Kind.GROUP, ""), *items]
        elif is_column and _SPREAD.match(question):
            return self._spread(items[0])
        unknown = [one.text for one in items if one.kind is Kind.UNKNOWN]
        if unknown or not items:
            told = ", ".join(f'"{one}"' for one in unknown) or "the question"
            return [_cannot(f"Nothing in the tables was found for {told}.")]
        return self._outcomes(items, catalog)

    def _wish(self, question: str) -> str:
        """Returns the word that asks for a prediction, unless something is called so."""
        wish = _WISH.search(question)
        if wish is None or self._linker.phrases.names_of((stem(wish.group().lower()),)):
            return ""
        return wish.group()

    def _items(self, question: str, request: ReadRequest) -> list[Item]:
        """Parts a question into items; one that lost words is linked anew."""
        single = self._catalog.tables[0].name if len(self._catalog.tables) == 1 else None
        is_whole = question == request.question
        links = request.links if is_whole else self._linker.link(question, request.today)
        return items_of(question, self._linker.phrases, links.periods, single=single)

    def _outcomes(self, items: list[Item], catalog: Catalog) -> Sequence[Outcome]:
        """Reads items in every way they can be taken; each statement is told once."""
        found: list[Candidate] = []
        why = "It was not understood."
        for taken in _ways(items):
            try:
                found += self._candidates(taken, catalog)
            except (NotReadError, UnreachableError) as error:
                why = str(error) or why
        unique = {one.sql: one for one in reversed(found)}
        return [one for one in found if unique.pop(one.sql, None)] or [_cannot(why)]

    def _spread(self, item: Item) -> Sequence[Outcome]:
        """`Histogram of fare`: rows counted by ranges of a number."""
        hit = item.columns[0]
        facts = self._facts.get((hit.table, hit.column or ""))
        if facts is None or facts.type not in {"integer", "float"} or len(item.columns) > 1:
            return [_cannot("It is not clear what is spread.")]
        ranges = Field(hit.table, facts.name, width=width_of(facts))
        given = Filter(Field(hit.table, facts.name), "given")
        query = Query(hit.table, numbers=[Number(is_count=True)], groups=[ranges], filters=[given])
        sql = Compiler(query, self._catalog).sql()
        return [Candidate(sql, GRAMMAR, in_words(query), 0.9)]

    def _by_role(self, request: ReadRequest, items: list[Item]) -> tuple[Catalog, list[Item]]:
        """Keeps the keys that are said, and leaves out the words that only say which: `home`."""
        keys, told = meant_keys(request)
        ends = {one.to_table for one in keys if one.role and role_is_said(request, one)}
        for at, (one, behind) in enumerate(pairwise(items), start=1):
            if one.text.lower() in told:
                items[at] = _at_ends(behind, ends)  # `pickup city` is that of a place
        kept = [
            one
            for one, behind in zip_longest(items, items[1:])
            if one.text.lower() not in told
            or not (_says_little(one) or _tells_apart(one, behind, keys))
        ]
        return replace(self._catalog, relationships=keys), kept

    def _candidates(self, items: Sequence[Item], catalog: Catalog) -> list[Candidate]:
        rows = self._rows_meant(items, catalog)
        parse = Parse(list(items), catalog, self._facts, self._persons, rows)
        query = read_query(parse)
        sql = Compiler(query, catalog, self._alike).sql()
        return [
            Candidate(
                sql,
                GRAMMAR,
                in_words(query),
                round(parse.confidence, 3),
                ignored_words=(),
            )
        ]

    def _rows_meant(self, items: Sequence[Item], catalog: Catalog) -> str:
        """Finds the table whose rows a time is of: it is known when all else has been read."""
        is_timed = any(one.kind in {Kind.PERIOD, Kind.UNIT} for one in items)
        if len(catalog.tables) == 1 or not is_timed:
            return ""
        parse = Parse(list(items), catalog, self._facts, self._persons, is_timeless=True)
        try:
            return read_rows_meant(parse)
        except (NotReadError, UnreachableError):
            return ""


def _at_ends(item: Item, tables: Collection[str]) -> Item:
    """Takes a name for a column of the tables that some keys lead to, where there is one."""
    columns = tuple(one for one in item.columns if one.table in tables)
    return replace(item, columns=columns) if columns and item.kind is Kind.COLUMN else item


def _says_little(item: Item) -> bool:
    """Whether a word is no name, or only a part of one."""
    is_part = item.kind is Kind.COLUMN and item.quality <= BY_PART
    is_like = item.kind is Kind.VALUE and not is_written(item.text, item.values)
    return is_part or is_like or item.kind is Kind.UNKNOWN


def _tells_apart(item: Item, behind: Item | None, keys: Sequence[Relationship]) -> bool:
    """Whether a word tells the key to what is named behind it: `admitting doctor`, no date."""
    said = item.text.casefold()
    if behind is None or any(said in (one.column or "").casefold() for one in item.columns):
        return False
    tables = {behind.table, *(one.table for one in behind.columns)}
    return any(one.role.casefold() == said and one.to_table in tables for one in keys)


def _without_chart(question: str) -> tuple[str, bool]:
    """Leaves out the wish for a chart, and tells whether there was one."""
    rest = _CHART.sub(" ", question)
    return rest.strip(), rest != question


def _cannot(why: str) -> Cannot:
    return Cannot(GRAMMAR, why, not_understood=True)


def _ways(items: Sequence[Item]) -> list[list[Item]]:
    """Takes each ambiguous name each way, the first ways only."""
    options: list[list[Item]] = []
    for one in items:
        if one.kind is Kind.COLUMN and len(one.columns) > 1:
            options.append([replace(one, columns=(hit,)) for hit in one.columns[:MAX_READINGS]])
        elif one.kind is Kind.VALUE and len({(v.table, v.column) for v in one.values}) > 1:
            places = list(dict.fromkeys((v.table, v.column) for v in one.values))
            options.append(
                [
                    replace(one, values=tuple(v for v in one.values if (v.table, v.column) == at))
                    for at in places[:MAX_READINGS]
                ]
            )
        else:
            options.append([one])
    found = []
    for way in product(*options):
        found.append(list(way))
        if len(found) >= MAX_READINGS:
            break
    return found
