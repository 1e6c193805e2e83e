"""Reads items into a query; a question with a word that has no place is not read at all."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import pairwise, product, zip_longest

from modelwright.engines.facts import ColumnFacts, Value
from modelwright.engines.language.catalog import (
    Additivity,
    Catalog,
    CatalogColumn,
    CatalogTable,
    Relationship,
    Role,
)
from modelwright.engines.language.grammar.items import (
    ALWAYS_GROUPS,
    Item,
    Kind,
    adds_up_what_is_done,
    is_written,
    items_of,
)
from modelwright.engines.language.grammar.query import (
    Compiler,
    Field,
    Filter,
    Number,
    Query,
    Related,
    UnreachableError,
    in_words,
    linking,
    paths,
)
from modelwright.engines.language.likely_dates import likely_dates
from modelwright.engines.language.linking.linking import Linker
from modelwright.engines.language.linking.phrases import BY_PART, NameHit
from modelwright.engines.language.linking.roles import meant_keys, role_is_said
from modelwright.engines.language.readers import (
    Candidate,
    Cannot,
    Outcome,
    Period,
    ReadRequest,
    names_read,
)
from modelwright.engines.language.rules.columns.schema import TableFacts, of_persons
from modelwright.engines.language.rules.columns.typed_text import alike_in
from modelwright.engines.language.rules.columns.value_shapes import none_kind, yes_no
from modelwright.engines.language.rules.groups.ranges import width_of
from modelwright.engines.language.rules.text.commands import without_commands
from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.rules.times.dated_rows import tell_when
from modelwright.engines.language.vocabulary import Aggregate, aggregates, any_case, word_set

GRAMMAR = "grammar"
LEAST_COUNTED = 0.7
"""Words must name a column at least so well for its values to be counted."""
LEAST_SHOWN = 0.65
"""Words must name a column at least so well for it to be shown or ranked by."""
MAX_READINGS = 4
"""So many ways to take ambiguous names are tried."""
_COUNTING = word_set("superlatives.of_how_many")
_OF_EACH = frozenset({"avg", "median", "min", "max"})
"""Aggregates that two groups have apart: of both together they are none of theirs added up."""
_NAMING = word_set("names.of_rows")
_DATES = frozenset({"date", "dates", "day", "days", "time", "times"})
_LEAVING_OUT = word_set("negation.leaving_out")


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
_SPREAD = any_case(r"^(?:\w+\s+){0,2}(?:histogram|distribution)\s+of\s")


class NotReadError(Exception):
    """A word has no place; the message is a sentence for people."""


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
        question, is_charted = _without_chart(request.question)
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
        parse = _Parse(list(items), catalog, self._facts, self._persons, rows)
        query = parse.query()
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
        parse = _Parse(list(items), catalog, self._facts, self._persons, is_timeless=True)
        try:
            return parse.rows_meant()
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


@dataclass(slots=True)
class _Parse:
    """One reading under way: items are taken from the left until none is left."""

    items: list[Item]
    catalog: Catalog
    facts: Mapping[tuple[str, str], ColumnFacts]
    persons: frozenset[str] = frozenset()
    """Tables whose rows are persons: their dates tell of them, not of what they do."""
    rows: str = ""
    """The table whose rows are meant; empty where it is not known before all is read."""
    is_timeless: bool = False
    """Whether times are passed over, to find the rows that they are of."""
    numbers: list[Number] = field(default_factory=list)
    groups: list[Field] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    having: list[Filter] = field(default_factory=list)
    related: list[str] = field(default_factory=list)
    """Tables of which no row may lead to those that are meant."""
    entities: list[Field] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    order: Number | Field | None = None
    descending: bool = True
    limit: int | None = None
    counts: bool = False
    counted: Field | None = None
    counted_table: str = ""
    deed: Field | None = None
    """The date of what is counted: of bookings that on which they were booked."""
    averages_counts: bool = False
    """Whether rows are counted for each of something, on average."""
    is_distinct: bool = False
    share: bool = False
    left_out: list[Filter] = field(default_factory=list)
    """Tests of what is left out: `without the cancelled ones`."""
    apart: Field | None = None
    """The column of values that are set beside each other: `in Oslo and Rome`."""
    compares: bool = False
    """Whether they are set against each other: `ebooks vs paperbacks`."""
    superlative: Item | None = None
    which: bool = False
    confidence: float = 0.9
    at: int = 0

    def query(self) -> Query:
        """Reads all items; raises `NotReadError` where one has no place."""
        while self.at < len(self.items):
            self._step()
        return self._finish()

    def rows_meant(self) -> str:
        """Reads all items but the times, and returns the table whose rows are meant."""
        while self.at < len(self.items):
            self._step()
        return self._base()

    def peek(self, ahead: int = 0) -> Item | None:
        """Returns a coming item."""
        at = self.at + ahead
        return self.items[at] if 0 <= at < len(self.items) else None

    def take(self) -> Item:
        """Takes the next item."""
        self.at += 1
        return self.items[self.at - 1]

    def is_next(self, *kinds: Kind, ahead: int = 0) -> bool:
        """Returns whether a coming item is of one of these kinds."""
        one = self.peek(ahead)
        return one is not None and one.kind in kinds

    def _step(self) -> None:
        readers = {
            Kind.COUNT: self._count,
            Kind.AGGREGATE: self._aggregate,
            Kind.SHARE: self._share,
            Kind.GROUP: self._group,
            Kind.UNIT: self._unit,
            Kind.VALUE: self._value,
            Kind.PERIOD: self._period,
            Kind.COLUMN: self._column,
            Kind.TABLE: self._table,
            Kind.HIGH: self._superlative,
            Kind.LOW: self._superlative,
            Kind.COMMON: self._common,
            Kind.RARE: self._common,
            Kind.NEGATION: self._negation,
            Kind.MISSING: self._missing,
            Kind.COMPARISON: self._comparison,
            Kind.MORE: self._more,
            Kind.NUMBER: self._number,
            Kind.BETWEEN: self._between,
            Kind.ORDER: self._sorted,
            Kind.FALLING: self._direction,
            Kind.RISING: self._direction,
            Kind.DISTINCT: self._distinct,
            Kind.COMPARE: self._compared,
            Kind.ROWS: self._rows,
        }
        one = self.peek()
        if one is not None and one.kind is Kind.WHICH:
            self.which = True
        read = readers.get(one.kind) if one else None
        if read is not None:
            read()
        elif one is not None and one.kind in {
            Kind.AND, Kind.OR, Kind.COMMA, Kind.WITH, Kind.WHICH, Kind.GIVEN,
        }:  # fmt: skip
            self.take()
        else:
            raise NotReadError(
                f"It was not understood what is meant by “{one.text if one else ''}”."
            )

    # what is computed

    def _count(self) -> None:
        self.take()
        self.counts = True
        if self.is_next(Kind.DISTINCT):
            self.take()
            self.is_distinct = True
        coming = self.peek()
        if coming is not None and coming.kind is Kind.TABLE:
            self.counted_table = coming.table
        elif coming is not None and coming.kind is Kind.VALUE:
            self._count_those_that_are(coming)
        if self.is_next(Kind.COLUMN) and not self._tests_follow(1) and not self._flag_follows():
            item = self.take()
            hit, column = self._hit(item)
            if hit.quality < LEAST_COUNTED:
                raise NotReadError(f"It was not understood what is counted as “{item.text}”.")
            if column.role is Role.MEASURE:
                if column.additivity is not Additivity.SUM or self.is_distinct:
                    self.counted = _field(hit, column)
                    self.is_distinct = True
                    return
                self.counts = False
                self.numbers.append(Number(_named_aggregate("sum"), _field(hit, column)))
                self.confidence -= 0.15
                return
            if column.role is Role.DATE and not self.is_distinct and not _says_date(item.text):
                self._count_deeds(hit, column)
                return
            self.counted = _field(hit, column)
            self.is_distinct = True
            self.confidence -= 0.0 if hit.quality >= 0.9 else 0.1  # noqa: PLR2004

    def _count_deeds(self, hit: NameHit, column: CatalogColumn) -> None:
        """`Number of bookings`, of Booked At: the rows that have that date, which times are of."""
        self.deed = _field(hit, column)
        self.tables.append(hit.table)
        self.counted_table = hit.table
        if self.facts[hit.table, column.name].missing:
            self.filters.append(Filter(self.deed, "given"))
        self.confidence -= 0.0 if hit.quality >= 0.9 else 0.1  # noqa: PLR2004

    def _count_those_that_are(self, value: Item) -> None:
        """`Number of open orders`, and of `forwards in teams from Oslo`: not of teams.

        `Men` of `men booked boxing` are counted, not what they booked.
        """
        ahead = next(n for n in range(1, len(self.items)) if not self.is_next(Kind.VALUE, ahead=n))
        after = self.peek(ahead)
        is_called = after is not None and after.kind is Kind.TABLE and not after.is_apart
        is_called = is_called and not (after and after.text.casefold().endswith("ed"))
        told = after.table if after and is_called else value.values[0].table
        self.counted_table = told
        self.tables.append(told)

    def _flag_follows(self) -> bool:
        """Whether what is counted is told apart by a flag: `how many gift orders`."""
        coming = self.peek()
        if coming is None or not self.is_next(Kind.TABLE, Kind.ROWS, ahead=1):
            return False
        hit = coming.columns[0]
        column = self.catalog.column(hit.table, hit.column or "")
        return column is not None and column.role is Role.FLAG

    def _aggregate(self) -> None:
        aggregate = self.take().aggregate
        if aggregate is None:
            raise NotReadError
        if self._is_owner():
            self.tables.append(self.take().table)  # `average order amount`
        self._as_column()
        self._as_amount()
        if self.is_next(Kind.COUNT):
            self.averages_counts = aggregate.name == "avg" and self.is_next(
                Kind.TABLE, Kind.ROWS, ahead=1
            )
            if aggregate.name == "sum" or self.averages_counts:
                return
            self.take()
        if not self.is_next(Kind.COLUMN):
            if self.entities and self._is_number_field(self.entities[-1]):
                self.numbers.append(Number(aggregate, self.entities.pop()))
                return
            raise NotReadError(
                f"It is not said of what the {aggregate.said.format('').strip()} is."
            )
        while self.is_next(Kind.COLUMN):
            hit, column = self._hit(self.take())
            self._need_measure(hit, column)
            self.numbers.append(Number(aggregate, _field(hit, column)))
            joined = self.is_next(Kind.AND, Kind.COMMA) and self.is_next(Kind.COLUMN, ahead=1)
            if not (joined and self._is_measure(self.peek(1))):
                break
            self.take()

    def _as_column(self) -> None:
        """Takes the next word for a column where it also calls the table: `average wage`."""
        coming = self.peek()
        if coming is not None and coming.kind is Kind.TABLE and coming.columns:
            self.items[self.at] = replace(coming, kind=Kind.COLUMN)

    def _is_owner(self, ahead: int = 0) -> bool:
        """Whether the next word is the table of the column named behind it: `vehicle category`."""
        owner, owned = self.peek(ahead), self.peek(ahead + 1)
        if owner is None or owned is None or owner.kind is not Kind.TABLE:
            return False
        return owned.kind is Kind.COLUMN and {one.table for one in owned.columns} == {owner.table}

    def _as_amount(self) -> None:
        """Takes the next word for the one amount that it names: `average refund`, also a kind."""
        coming = self.peek()
        if coming is None or self._is_measure(coming):
            return
        hits = [one for one in coming.names if self._holds_amounts(one)]
        hits = sorted(hits, key=lambda one: -one.quality)
        if hits and (len(hits) == 1 or hits[0].quality > hits[1].quality):
            told = replace(coming, kind=Kind.COLUMN, columns=(hits[0],), values=())
            self.items[self.at] = replace(told, quality=hits[0].quality)

    def _holds_amounts(self, hit: NameHit) -> bool:
        column = self.catalog.column(hit.table, hit.column or "")
        return column is not None and column.role is Role.MEASURE

    def _need_measure(self, hit: NameHit, column: CatalogColumn) -> None:
        facts = self.facts.get((hit.table, column.name))
        if facts is None or facts.type not in {"integer", "float"} or column.role is Role.ID:
            raise NotReadError(f"{column.label} holds no amounts.")

    def _is_measure(self, item: Item | None) -> bool:
        if item is None or not item.columns:
            return False
        column = self.catalog.column(item.columns[0].table, item.columns[0].column or "")
        return column is not None and column.role is Role.MEASURE

    def _share(self) -> None:
        self.take()
        self.share = True

    # groups

    def _group(self) -> None:
        cue = self.take()
        if self.superlative is not None and self.order is None and self._ranks_by():
            return
        if self.is_next(Kind.COUNT):
            self.take()
        coming = self.peek()
        if coming and coming.kind is Kind.VALUE and cue.text == "by" and not coming.is_apart:
            return  # what it was done by is a test: `films directed by Scorsese`
        first = True
        while first or self.is_next(Kind.AND, Kind.COMMA):
            skipped = 0 if first else 1
            if not self.is_next(Kind.COLUMN, Kind.UNIT, Kind.TABLE, ahead=skipped):
                break
            if skipped and self._tests_follow(skipped + 1):
                break
            self.at += skipped + self._is_owner(skipped)
            self._add_group(self.take())
            first = False
        if first:
            raise NotReadError(f"It was not understood by what “{cue.text}” groups.")

    def _ranks_by(self) -> bool:
        """`Top 5 cities by total sales`: what follows `by` ranks."""
        ahead = 1 if self.is_next(Kind.AGGREGATE) else 0
        coming = self.peek(ahead)
        if self.is_next(Kind.COUNT):
            self.take()
            if not self.is_next(Kind.TABLE, Kind.ROWS):
                raise NotReadError("It is not said what is counted.")
            self._rank_by_count()
            return True
        if coming is not None and coming.kind is Kind.TABLE and self._belongs(coming.table):
            self._rank_by_count()
            return True
        if coming is None or coming.kind is not Kind.COLUMN or not self._is_measure(coming):
            return False
        aggregate = self.take().aggregate if ahead else None
        hit, column = self._hit(self.take())
        told = _field(hit, column)
        self.order = told
        if aggregate or self._belongs(hit.table):
            self.order = Number(aggregate, told) if aggregate else self._usual(told)
        return True

    def _belongs(self, table: str) -> bool:
        """Whether rows of a table lead to those that are ranked: `top 3 classes by bookings`."""
        return bool(self.tables) and table != self.tables[0] and self._leads(table, self.tables[0])

    def _add_group(self, item: Item) -> None:
        if item.kind is Kind.TABLE and self._is_of_rows(item.table):
            return
        if item.kind is Kind.TABLE and self.averages_counts and not self.groups:
            self.groups.append(self._key_of(item.table))
            return
        if item.kind is Kind.TABLE and item.columns:
            own = tuple(one for one in item.columns if one.table == item.table)
            item = replace(item, kind=Kind.COLUMN, columns=own or item.columns)
        if item.kind is Kind.UNIT:
            self._group_by_time(item.unit)
        elif item.kind is Kind.TABLE:
            self.groups.append(self._telling(item.table))
            self.confidence -= 0.1
        else:
            hit, column = self._hit(item)
            facts = self.facts.get((hit.table, column.name))
            is_wide = facts is not None and facts.distinct > max(50, facts.rows // 3)
            if column.role is Role.MEASURE and is_wide:
                raise NotReadError(f"{column.label} hardly repeats and makes no groups.")
            unit = ""
            if column.role is Role.DATE and facts is not None and facts.type == "date":
                unit = "day" if is_wide else ""
            self.groups.append(_field(hit, column, unit))

    def _is_of_rows(self, table: str) -> bool:
        """Whether an average is one of each row already: `average fuel per voyage`."""
        last = self.numbers[-1] if self.numbers else Number()
        is_average = last.aggregate is not None and last.aggregate.name == "avg"
        told = self.catalog.table(table)
        return is_average and _table_of(last) == table and told is not None and bool(told.key)

    def _unit(self) -> None:
        item = self.take()
        if self._counts_rows(item):
            return
        if item.text in ALWAYS_GROUPS or self._entity_expected():
            self._group_by_time(item.unit)
            return
        raise NotReadError(f"It was not understood what is meant by “{item.text}”.")

    def _counts_rows(self, item: Item) -> bool:
        """Whether every row is another day, or month."""
        if len(self.catalog.tables) > 1 or item.text in ALWAYS_GROUPS or item.text == item.unit:
            return False
        table = self.catalog.tables[0]
        facts = self.facts.get((table.name, table.default_date or ""))
        if facts is None or facts.distinct < facts.rows or facts.missing:
            return False
        return item.unit == "day" or facts.name.lower() == item.unit

    def _entity_expected(self) -> bool:
        return self.which or self.superlative is not None

    def _group_by_time(self, unit: str) -> None:
        if not self.is_timeless:
            self.groups.append(self._dated(unit))

    def _dated(self, unit: str) -> Field:
        """Finds the date that is cut into units of time."""
        for table in self._dated_tables():
            told = self.catalog.table(table)
            years = [one for one in told.columns if one.format == "year"] if told else []
            plain = [one for one in told.columns if one.name.lower() == unit] if told else []
            if plain and plain[0].role is not Role.DATE:
                return Field(table, plain[0].name)
            usual = self._usual_date(told) if told else None
            if usual is not None:
                facts = self.facts[table, usual.name]
                if facts.type == "date":
                    return Field(table, usual.name, unit, is_date=True)
                if unit in {"year", "decade"}:
                    return Field(table, usual.name, "" if unit == "year" else unit)
            if years and unit in {"year", "decade"}:
                return Field(table, years[0].name, "" if unit == "year" else unit)
        raise NotReadError(f"No column of dates was found to tell the {unit} by.")

    def _usual_date(self, table: CatalogTable) -> CatalogColumn | None:
        """The date that a time is of, else the likeliest: the others are offered beside it."""
        if self.deed is not None and self.deed.table == table.name:
            return table.column(self.deed.column)
        dates = likely_dates(table, lambda name: self.facts.get((table.name, name)))
        self.confidence -= 0.05 * (len(dates) > 1)
        return dates[0] if dates else None

    def _home_tables(self) -> list[str]:
        told = self.related[-1:] + [one.field.table for one in self.numbers if one.field]
        told += [_table_of(self.order)] if self.order is not None and _table_of(self.order) else []
        told += self.tables + [one.table for one in self.entities]
        told += [one.field.table for one in self.filters if one.field]
        names = told or [one.name for one in self.catalog.tables]
        if not told and len(names) > 1:
            raise NotReadError("It is not clear which table is meant.")
        return list(dict.fromkeys(names))

    def _dated_tables(self) -> list[str]:
        """Returns the tables of what is meant, else the one that tells when its rows happened."""
        own = self._home_tables()
        rows = own[0] if self.related or not self.rows else self.rows
        if self._has_dates(rows):
            return [rows]
        led_to = [
            one.name
            for one in self.catalog.tables
            if one.name not in (rows, *self.persons)
            and self._leads(rows, one.name)
            and self._has_dates(one.name)
        ]
        found = tell_when(self.catalog.relationships, led_to)
        if len(found) == 1:
            return found
        apart = [one for one in own if not self._leads(rows, one) and self._has_dates(one)]
        return apart or [rows]

    def _has_dates(self, table: str) -> bool:
        told = self.catalog.table(table)
        return told is not None and any(one.role is Role.DATE for one in told.columns)

    # tests of rows

    def _value(self, *, negated: bool = False) -> None:
        first = self.take()
        table, column = first.values[0].table, first.values[0].column
        values = [one.value for one in first.values]
        self.confidence -= (1 - first.quality) / 2
        is_apart = not negated
        joining = (Kind.AND, Kind.OR, Kind.COMMA, Kind.COMPARE)
        while self.is_next(*joining) and self.is_next(Kind.VALUE, ahead=1):
            coming = self.peek(1)
            same = (
                [v for v in coming.values if (v.table, v.column) == (table, column)]
                if coming
                else []
            )
            if not same:
                break
            is_apart &= not self.is_next(Kind.OR)
            self.compares |= self.is_next(Kind.COMPARE)
            self.at += 2
            values += [one.value for one in same]
        if self.is_next(Kind.COLUMN):
            hit = self.peek().columns[0]  # type: ignore[union-attr]
            if (hit.table, hit.column) == (table, column):
                self.take()
        many = len(set(map(str, values))) > 1
        operator = ("not in" if many else "!=") if negated else ("in" if many else "=")
        kept = tuple(dict.fromkeys(values))
        if many and is_apart:
            self.apart = Field(table, column)
        self.filters.append(Filter(Field(table, column), operator, kept))

    def _period(self) -> None:
        period = self.take().period
        if period is None:
            raise NotReadError
        if self.is_timeless:
            return
        made = self._timed(period)
        before = self.filters[-1] if self.filters else None
        if before is None or before.field != made.field:
            self.filters.append(made)
        elif made.operator == "=" and before.operator in {"=", "in"}:
            is_apart = self.items[self.at - 2].kind is not Kind.OR
            self.apart = made.field if is_apart else None
            self.filters[-1] = replace(before, operator="in", values=before.values + made.values)
        elif _exclude(before, made):
            raise NotReadError(f"It was not understood how “{period.text}” belongs to the rest.")
        else:
            self.filters.append(made)

    def _timed(self, period: Period) -> Filter:
        table, column = self._date_for(period)
        facts = self.facts[table, column.name]
        if period.part:
            if facts.type != "date":
                raise NotReadError(f"No column tells the {period.part}.")
            operator = "not in" if period.negated else "in"
            return Filter(Field(table, column.name), operator, period.values, part=period.part)
        if period.negated:
            raise NotReadError(f"It was not understood what “{period.text}” leaves out.")
        if facts.type != "date":
            return _years(Field(table, column.name), period)
        return Filter(
            Field(table, column.name, is_date=True), "range", low=period.start, high=period.end
        )

    def _date_for(self, period: Period) -> tuple[str, CatalogColumn]:
        """Finds the date that a period is of: named just before it, or the table's usual one."""
        before = self.items[self.at - 2] if self.at > 1 else None
        if before is not None and before.kind is Kind.COLUMN and before.columns:
            hit, column = self._hit(before)
            if column.role is Role.DATE:
                self.entities = [one for one in self.entities if one.column != column.name]
                return hit.table, column
        for table in self._dated_tables():
            told = self.catalog.table(table)
            usual = self._usual_date(told) if told else None
            if usual is not None:
                return table, usual
        raise NotReadError(f"No column of dates was found for “{period.text}”.")

    def _column(self) -> None:
        if self._tests_follow(1):
            self._tested()
            return
        item = self.take()
        hit, column = self._hit(item)
        if hit.quality < LEAST_SHOWN:
            raise NotReadError(f"It was not understood what is meant by “{item.text}”.")
        if self.superlative is not None and self.order is None and column.role is Role.MEASURE:
            self.order = self._ranked(hit, column)
            return
        if column.role is Role.FLAG:
            self._flag(hit, column, negated=False)
            return
        after_with = self.at > 1 and self.items[self.at - 2].kind is Kind.WITH
        if after_with and column.role is not Role.MEASURE:
            raise NotReadError(f"It is not said what {column.label} must be.")
        self.entities.append(_field(hit, column))

    def _ranked(self, hit: NameHit, column: CatalogColumn) -> Number | Field:
        before = [one for one in self.items[: self.at - 1] if one.kind is Kind.AGGREGATE]
        told = before[-1].aggregate if before else None
        return Number(told, _field(hit, column)) if told else _field(hit, column)

    def _tests_follow(self, ahead: int) -> bool:
        """Whether a comparison, a value or what is missing is said of the column here."""
        one = self.peek(ahead)
        if one is None:
            return False
        if one.kind in {Kind.COMPARISON, Kind.MISSING}:
            return True
        if one.kind is Kind.NUMBER:
            return not self.is_next(Kind.COLUMN, ahead=ahead + 1)
        if one.kind is Kind.BETWEEN:
            return self.is_next(Kind.NUMBER, ahead=ahead + 1)
        item = self.peek(ahead - 1)
        if one.kind is Kind.VALUE and item is not None and item.columns:
            hit = item.columns[0]
            return any((v.table, v.column) == (hit.table, hit.column) for v in one.values)
        return False

    def _tested(self) -> None:
        hit, column = self._hit(self.take())
        if self._is_mean_next(0):
            operator, _ = self.take().operator, self.take()
            number = self._added_up(hit, column)
            if not self.tables or self._leads(self.tables[0], hit.table):
                raise NotReadError("It is not said of what the average is.")
            self._than_mean(operator, number)
            return
        field_ = _field(hit, column)
        if self.is_next(Kind.VALUE):
            self._value()
            return
        if self.is_next(Kind.MISSING):
            self.take()
            self.filters.append(Filter(field_, "missing"))
            return
        self._compare(field_)

    def _compare(self, field_: Field | None, number: Number | None = None) -> None:
        operator, values = self._bounds()
        made = Filter(field_, operator, values, number)
        (self.having if number else self.filters).append(made)

    def _bounds(self) -> tuple[str, tuple[Value, ...]]:
        if self.is_next(Kind.BETWEEN):
            self.take()
            low = self._amount()
            if not self.is_next(Kind.AND):
                raise NotReadError("It is not said up to what.")
            self.take()
            return "between", (low, self._amount())
        operator = self.take().operator if self.is_next(Kind.COMPARISON) else "="
        value = self._amount()
        if self.is_next(Kind.AFTER_NUMBER):
            operator = self.take().operator
        return operator, (value,)

    def _amount(self) -> Value:
        if not self.is_next(Kind.NUMBER):
            raise NotReadError("It is not said with what it is compared.")
        return self.take().number

    def _comparison(self) -> None:
        """`Over 100 calories`, `more than 3 bedrooms`, `with more than 5 orders`."""
        operator, values = self._bounds()
        self._compared_thing(operator, values)

    def _more(self) -> None:
        """`More tickets than the average`, `rented more often than average`."""
        cue = self.take()
        number = Number(is_count=True)
        if self.is_next(Kind.TABLE, Kind.ROWS):
            taken = self.take()
            self.tables += [taken.table] if taken.table else []
        elif self.is_next(Kind.COLUMN):
            hit, column = self._hit(self.take())
            number = self._added_up(hit, column)
        if not self.is_next(Kind.THAN_AVERAGE):
            raise NotReadError(f"It was not understood what is meant by “{cue.text}”.")
        self.take()
        self._than_mean(cue.operator, number)

    def _added_up(self, hit: NameHit, column: CatalogColumn) -> Number:
        if column.additivity is not Additivity.SUM:
            raise NotReadError(f"{column.label} does not add up.")
        return Number(_named_aggregate("sum"), _field(hit, column))

    def _than_mean(self, operator: str, number: Number) -> None:
        """Holds a number of each of what is listed against its mean: `than the average shop`."""
        if not self.tables:
            raise NotReadError("It is not said of what the average is.")
        if self.is_next(Kind.TABLE) and self.peek().table == self.tables[0]:  # type: ignore[union-attr]
            self.take()
        self.having.append(Filter(None, operator, number=number, of_mean=True))

    def _is_mean_next(self, ahead: int) -> bool:
        """Whether it is held against an average: `more than the average book`."""
        coming = self.peek(ahead + 1)
        told = coming.aggregate if coming is not None else None
        return (
            self.is_next(Kind.COMPARISON, ahead=ahead) and told is not None and told.name == "avg"
        )

    def _between(self) -> None:
        if not self.is_next(Kind.NUMBER, ahead=1):
            if self.take().text == "from":
                return
            raise NotReadError("It was not understood what lies between.")
        operator, values = self._bounds()
        self._compared_thing(operator, values)

    def _compared_thing(self, operator: str, values: tuple[Value, ...]) -> None:
        if self.is_next(Kind.ROWS, Kind.TABLE):
            item = self.take()
            if item.kind is Kind.TABLE:
                self.tables.append(item.table)
            self.having.append(Filter(None, operator, values, Number(is_count=True)))
            return
        if self.is_next(Kind.COLUMN):
            hit, column = self._hit(self.take())
            if column.role in {Role.MEASURE, Role.DATE}:
                self.filters.append(Filter(_field(hit, column), operator, values))
                return
        elif self.numbers and (self.groups or self.entities) and self.numbers[-1].field:
            self.having.append(Filter(None, operator, values, self.numbers[-1]))
            return
        elif self.entities and self._is_number_field(self.entities[-1]):
            self.filters.append(Filter(self.entities.pop(), operator, values))
            return
        raise NotReadError("It is not said what is compared.")

    def _is_number_field(self, one: Field) -> bool:
        column = self.catalog.column(one.table, one.column)
        return column is not None and column.role is Role.MEASURE

    def _number(self) -> None:
        """`3 bedrooms`: a number before what it counts; `5 cheapest`, before a superlative."""
        item = self.take()
        if self.is_next(Kind.HIGH, Kind.LOW, Kind.COMMON, Kind.RARE):
            self.limit = int(item.number)
            return
        if self.is_next(Kind.AFTER_NUMBER):
            operator = self.take().operator
            self._compared_thing(operator, (item.number,))
            return
        if self.limit is None and self.is_next(Kind.TABLE) and self._ranks():
            self.limit = int(item.number)  # `most returned 5 books`, `5 shops with the most sales`
            return
        if self.is_next(Kind.COLUMN):
            hit, column = self._hit(self.take())
            if column.role in {Role.MEASURE, Role.DIMENSION}:
                self.filters.append(Filter(_field(hit, column), "=", (item.number,)))
                return
        raise NotReadError(f"It was not understood what {item.text} is.")

    def _ranks(self) -> bool:
        """Whether something is ranked: by what came before, or by the rows of others behind it."""
        ends = {Kind.HIGH, Kind.LOW}
        return self.superlative is not None or any(
            one.kind in ends and then.kind is Kind.TABLE
            for one, then in pairwise(self.items[self.at :])
        )

    def _negation(self) -> None:
        before, is_apart = len(self.filters), self.is_next(Kind.COMMA, ahead=-1)
        cue = self._denied()
        if cue.text in _LEAVING_OUT or is_apart:
            self.left_out += self.filters[before:]

    def _denied(self) -> Item:
        """Reads what is denied; returns the word that denies it."""
        cue = self.take()
        if self.is_next(Kind.WITH) and self.is_next(Kind.TABLE, ahead=1):
            self.take()  # `never had an order`
        if self.is_next(Kind.GIVEN) and self.is_next(Kind.COLUMN, ahead=1):
            self.take()
        if (
            self.is_next(Kind.COLUMN)
            and self.is_next(Kind.VALUE, ahead=1)
            and self._tests_follow(1)
        ):
            self.take()
        coming = self.peek()
        if coming is not None and coming.kind is Kind.VALUE:
            if cue.text == "never" and coming.is_apart:
                raise NotReadError(f"It was not understood what “{cue.text}” leaves out.")
            self._value(negated=True)
        elif self.is_next(Kind.TABLE):
            self._none_of(self.take().table)
        elif self._is_done_to_rows():
            self._none_of(self.take().columns[0].table)
        elif self.is_next(Kind.COLUMN):
            self._without(*self._hit(self.take()))
        else:
            raise NotReadError(f"It was not understood what “{cue.text}” leaves out.")
        return cue

    def _is_done_to_rows(self) -> bool:
        """Whether what never was is told by the date of another table: `never inspected`."""
        coming = self.peek()
        if coming is None or coming.kind is not Kind.COLUMN or not self.tables:
            return False
        hit, column = self._hit(coming)
        is_other = hit.table != self.tables[0]
        return is_other and column.role is Role.DATE and self._leads(hit.table, self.tables[0])

    def _none_of(self, table: str) -> None:
        """`No orders`; what each of them is of says no more: `never booked a class`."""
        self.related.append(table)
        while (coming := self.peek()) and coming.kind is Kind.TABLE:
            if not self._leads(table, coming.table):
                return
            self.take()

    def _without(self, hit: NameHit, column: CatalogColumn) -> None:
        """`Without insurance`: a flag that says no, what is missing, a number that is nought."""
        facts = self.facts[hit.table, column.name]
        if column.role is Role.FLAG:
            self._flag(hit, column, negated=True)
        elif (nothing := none_kind(facts)) is not None:
            self.filters.append(Filter(_field(hit, column), "=", (nothing,)))
        elif facts.missing:
            self.filters.append(Filter(_field(hit, column), "missing"))
        elif column.role is Role.MEASURE and facts.minimum == 0:
            self.filters.append(Filter(_field(hit, column), "=", (0,)))
        else:
            raise NotReadError(f"{column.label} is always given.")
        if self.is_next(Kind.GIVEN):
            self.take()

    def _missing(self) -> None:
        self.take()
        if not self.is_next(Kind.COLUMN):
            raise NotReadError("It is not said what is missing.")
        hit, column = self._hit(self.take())
        self.filters.append(Filter(_field(hit, column), "missing"))

    def _flag(self, hit: NameHit, column: CatalogColumn, *, negated: bool) -> None:
        yes, no = yes_no(self.facts[hit.table, column.name])
        value = no if negated else yes
        if value is None:
            raise NotReadError(f"It is not clear what {column.label} says.")
        self.filters.append(Filter(_field(hit, column), "=", (value,)))

    # order

    def _superlative(self) -> None:
        item = self.take()
        if self.superlative is not None:
            if item.text != "top" or not self.is_next(Kind.NUMBER) or self.limit is not None:
                raise NotReadError("Two things are ranked.")
            self.limit = int(self.take().number)
            return
        if any(self._is_number_field(one) for one in self.entities):
            raise NotReadError("It is not clear what is shown of what is ranked.")
        self.superlative = item
        self.descending = item.kind is Kind.HIGH
        if item.columns:
            self.order = self._spoken_of(item)
        if self.is_next(Kind.NUMBER):
            self.limit = int(self.take().number)
        is_count = self.is_next(Kind.COUNT)
        if is_count:
            self.take()
        if self.is_next(Kind.TABLE, Kind.ROWS) and (is_count or item.text in _COUNTING):
            self._rank_by_count()
        elif is_count:
            raise NotReadError("It is not said what is counted.")

    def _spoken_of(self, item: Item) -> Field:
        """`Cheapest` ranks by what it speaks of, where only one column does."""
        hit = item.columns[0]
        column = self.catalog.column(hit.table, hit.column or "")
        if column is None or len(item.columns) > 1 or column.role is not Role.MEASURE:
            raise NotReadError(f"It is not clear by what “{item.text}” ranks.")
        self.confidence -= 0.1
        return _field(hit, column)

    def _rank_by_count(self) -> None:
        taken = self.take()
        self.tables += [taken.table] if taken.table else []
        told = self.catalog.table(taken.table)
        done = told.columns if told and taken.text.casefold().endswith("ed") else ()
        amounts = [one for one in done if adds_up_what_is_done(one, taken.text.casefold())]
        self.order = Number(is_count=True)
        if len(amounts) == 1:  # `most returned books`, where each return is of some units
            self.order = self._usual(Field(taken.table, amounts[0].name))

    def _common(self) -> None:
        item = self.take()
        self.superlative = item
        self.descending = item.kind is Kind.COMMON
        self.order = Number(is_count=True)
        if self.is_next(Kind.NUMBER):
            self.limit = int(self.take().number)

    def _sorted(self) -> None:
        self.take()
        if self.is_next(Kind.FALLING, Kind.RISING):
            self._direction()
        if self.is_next(Kind.AGGREGATE) and self.is_next(Kind.COLUMN, ahead=1):
            aggregate = self.take().aggregate
            hit, column = self._hit(self.take())
            self.order = Number(aggregate, _field(hit, column))
            self.descending = True
        elif self.is_next(Kind.COLUMN):
            hit, column = self._hit(self.take())
            same = [one for one in self.numbers if one.field and one.field.column == column.name]
            self.order = same[0] if same else _field(hit, column)
            self.descending = bool(same)
        elif self.is_next(Kind.COUNT):
            self.take()
            self.order = Number(is_count=True)
            self.descending = True
        elif self.peek() is None and self.entities:
            self.order, self.descending = self.entities[0], False
        else:
            raise NotReadError("It is not said by what it is sorted.")
        if self.is_next(Kind.FALLING, Kind.RISING):
            self._direction()

    def _direction(self) -> None:
        self.descending = self.take().kind is Kind.FALLING
        if self.order is not None:
            return
        if self.numbers or self.counts:
            self.order = self.numbers[0] if self.numbers else Number(is_count=True)
        elif self.entities and self.peek() is None:
            self.order = self.entities[0]
        else:
            raise NotReadError("It is not said by what it is sorted.")

    # what is shown

    def _compared(self) -> None:
        self.take()
        self.compares = True

    def _distinct(self) -> None:
        self.take()
        self.is_distinct = True

    def _rows(self) -> None:
        self.confidence -= (1 - self.take().quality) / 2

    def _table(self) -> None:
        self.tables.append(self.take().table)

    def _hit(self, item: Item) -> tuple[NameHit, CatalogColumn]:
        hit = item.columns[0]
        column = self.catalog.column(hit.table, hit.column or "")
        if column is None:
            raise NotReadError
        self.confidence -= max(0.0, (0.9 - hit.quality) / 4)
        return hit, column

    def _naming(self, table: str) -> Field:
        """Finds the column that tells people which row is meant."""
        told = self.catalog.table(table)
        columns = told.columns if told else ()
        texts = [one for one in columns if self.facts[table, one.name].type == "string"]
        named = [one for one in texts if one.label in _NAMING or one.label.endswith(" name")]
        unique = [
            one for one in texts
            if self.facts[table, one.name].distinct >= 0.9 * self.facts[table, one.name].rows
        ]  # fmt: skip
        found = named or unique
        if not found:
            raise NotReadError(f"No column names the {table}.")
        return Field(table, found[0].name)

    def _telling(self, table: str) -> Field:
        """Finds what tells people which row is meant, or else its key."""
        try:
            return self._naming(table)
        except NotReadError:
            return self._key_of(table)

    def _telling_apart(self, table: str) -> list[Field]:
        """Returns what tells each row of a table: a name, and the key where some share one."""
        found, told = self._telling(table), self.catalog.table(table)
        key = told.key if told and not self._is_of_each(found) else None
        return [Field(table, key), found] if key else [found]

    def _key_of(self, table: str) -> Field:
        told = self.catalog.table(table)
        if told is None or told.key is None:
            raise NotReadError(f"No column names the {table}.")
        return Field(table, told.key)

    # putting together

    def _finish(self) -> Query:
        query = Query(self._base())
        query.filters, query.having = self.filters, self.having
        query.groups = list(dict.fromkeys(self.groups))
        self._add_related(query)
        if self.share:
            return self._finish_share(query)
        if self.counts and self.having and self.counted_table and not self.groups:
            return self._count_groups(query)
        if self.counts:
            self.numbers.append(self._counted(query))
        if self.superlative is not None:
            return self._finish_ranked(query)
        query.numbers = list(dict.fromkeys(self.numbers))
        if isinstance(self.order, Number) and self.entities and not query.numbers:
            query.numbers = [self.order]
        self._place_entities(query)
        self._set_apart(query)
        if self.having and not query.groups:
            raise NotReadError("It is not said which groups are compared.")
        self._sort(query)
        if not self._is_told(query):
            raise NotReadError("It is not said what is wanted.")
        return query

    def _count_groups(self, query: Query) -> Query:
        """`How many customers have more than 3 orders`: those of whom so many rows are."""
        if self.numbers or self.entities or self.superlative or self.is_distinct or self.order:
            raise NotReadError("It is not clear what is counted.")
        if query.table == self.counted_table:
            raise NotReadError("It is not said of what there are so many.")
        query.groups = [self._key_of(self.counted_table)]
        query.counts_groups = True
        return query

    def _sort(self, query: Query) -> None:
        """Sorts what is shown as the question says, and keeps the first of it."""
        if self.order is not None:
            query.order, query.descending = self.order, self.descending
        if self.limit and query.order is None:
            raise NotReadError("It is not said by what the first are taken.")
        query.limit = self.limit

    def _is_told(self, query: Query) -> bool:
        """Whether it is said what is wanted; all rows in an order are wanted by their table."""
        if query.numbers or query.shown or query.groups or query.filters or query.related:
            return True
        is_of_rows = self.tables or any(one.kind is Kind.ROWS for one in self.items)
        return bool(is_of_rows) and isinstance(query.order, Field)

    def _tables_said(self) -> tuple[list[str], list[str], list[str]]:
        """Returns the tables of what is shown, those that are named, and those of the tests."""
        fields = [one.field for one in self.numbers if one.field] + self.groups + self.entities
        fields += [self.counted] if self.counted else []
        ranked = self.order.field if isinstance(self.order, Number) else self.order
        fields += [ranked] if ranked else []
        measured = [one.field.table for one in self.numbers if one.field]
        tested = [one.field.table for one in self.filters if one.field]
        tested = [one for one in tested if one not in self.related]
        named = [one for one in self.tables if one not in self.related]
        shown = [one for at, one in enumerate(named) if not at or one not in tested]
        return [*measured, *shown, *(one.table for one in fields)], named, tested

    def _base(self) -> str:
        """Finds the table whose rows are meant: that from which all others can be reached."""
        shown, named, tested = self._tables_said()
        wanted = dict.fromkeys([*shown, *named, *tested])
        if not wanted:
            if len(self.catalog.tables) > 1:
                raise NotReadError("It is not clear which table is meant.")
            return self.catalog.tables[0].name
        if shown and not self.having and self._tells_of(shown[0], shown, tested):
            return shown[0]
        for table in wanted:
            if all(self._leads(table, one) for one in wanted):
                return table
        found = linking(self.catalog, wanted) if self.counts else None
        if found is None:
            raise UnreachableError("The tables this needs can't be joined without repeating rows.")
        return found

    def _tells_of(self, table: str, shown: Sequence[str], tested: Sequence[str]) -> bool:
        """Whether rows lead to all that is shown, and what is tested leads to them or is led to."""
        leads = all(self._leads(table, one) for one in shown)
        return leads and all(self._leads(table, one) or self._linked(table, one) for one in tested)

    def _leads(self, start: str, goal: str) -> bool:
        return start == goal or len(paths(self.catalog, start, goal)) == 1

    def _linked(self, table: str, other: str) -> str | None:
        """Finds the table that leads to both: the other one, or one between."""
        leads = other != table and self._leads(other, table)
        return other if leads else linking(self.catalog, {table, other})

    def _add_related(self, query: Query) -> None:
        """Adds what belongs to the rows in other tables: none of it, or some that meets a test."""
        apart = [one for one in query.filters if not self._is_within(query.table, one)]
        for table in self.related:
            if table == query.table:
                raise NotReadError(f"Rows of {table} have none of themselves.")
            if ways := paths(self.catalog, query.table, table):
                self._point_nowhere(query, ways)
                continue
            way = self._way_to(query.table, table)
            told = tuple(one for one in apart if self._is_within(way[0].table, one))
            apart = [one for one in apart if one not in told]
            query.related.append(Related(way, negated=True, filters=told))
        for one in apart:
            way = self._way_to(query.table, _table_of(one))
            turned = {"!=": "=", "not in": "in"}.get(one.operator)
            test = replace(one, operator=turned) if turned else one
            query.related.append(Related(way, negated=bool(turned), filters=(test,)))
        query.filters = [one for one in query.filters if self._is_within(query.table, one)]

    def _point_nowhere(self, query: Query, ways: Sequence[Sequence[Relationship]]) -> None:
        """`Players without a team`: those that name none."""
        ((key, *further), *others) = ways
        facts = self.facts[key.table, key.column]
        if further or others or not facts.missing or key.orphans:
            raise NotReadError(f"Every row of {query.table} has one of {key.to_table}.")
        query.filters.append(Filter(Field(key.table, key.column), "missing"))

    def _is_within(self, table: str, test: Filter) -> bool:
        return test.field is None or self._leads(table, test.field.table)

    def _way_to(self, table: str, other: str) -> tuple[Relationship, ...]:
        start = self._linked(table, other)
        ways = paths(self.catalog, start, table) if start else []
        if len(ways) != 1 or not ways[0]:
            raise NotReadError(f"It is not clear how {other} belong to {table}.")
        return tuple(ways[0])

    def _set_apart(self, query: Query) -> None:
        """`Average fee in Oslo and Rome`: a number of each, where one of both is neither's."""
        if self.compares:
            if not query.numbers or not (self.apart or query.groups):
                raise NotReadError("It is not said what is compared.")
            told = [self.apart] if self.apart and self.apart not in query.groups else []
            query.groups = [*query.groups, *told]
        if self.apart and query.numbers and all(map(_is_of_each, query.numbers)):
            query.groups = query.groups or [self.apart]

    def _counted(self, query: Query) -> Number:
        if self.averages_counts:
            return self._count_per(query)
        if self.counted is None and self.counted_table not in {"", query.table}:
            return Number(field=self._key_of(self.counted_table), is_count=True, is_distinct=True)
        if self.counted is None:
            return Number(is_count=True)
        return Number(field=self.counted, is_count=True, is_distinct=True)

    def _count_per(self, query: Query) -> Number:
        """`Average number of orders per customer`: of those that have any."""
        told = self.catalog.table(query.table)
        only_links = told is not None and told.key is None
        if not query.groups or (self.counted_table != query.table and not only_links):
            raise NotReadError("It is not said for each of what rows are counted.")
        per, *query.groups = query.groups
        if per.table != query.table:
            (key, *further), *_ = paths(self.catalog, query.table, per.table)
            if further or key.to_column != per.column:
                raise NotReadError(f"It is not clear how {query.table} belong to {per.table}.")
            per = Field(query.table, key.column)
        return Number(is_count=True, per=per)

    def _finish_share(self, query: Query) -> Query:
        if not self.filters or self.numbers or self.counts or self.superlative:
            raise NotReadError("It is not said of what the share is.")
        query.filters = [one for one in self.filters if self._narrows(one)]
        told = [one for one in self.filters if one not in query.filters]
        if not told:
            told, query.filters = self.filters, []
        query.numbers = [Number(share=tuple(told))]
        self._place_entities(query)
        if query.shown:
            raise NotReadError("It is not clear what the share is of.")
        if len(told) > 1:
            self.confidence -= 0.25
        return query

    def _narrows(self, test: Filter) -> bool:
        """Whether a test is of all that a share is of: a time, or what is left out of it."""
        return test in self.left_out or test.operator == "range" or bool(test.part)

    def _place_entities(self, query: Query) -> None:
        """Puts columns that stand alone where they belong: what is shown, summed or grouped by."""
        measures = [one for one in self.entities if self._is_number_field(one)]
        kinds = [one for one in self.entities if one not in measures]
        if query.numbers or query.groups or query.having:
            self._place_in_groups(query, measures, kinds)
        elif len(measures) == 1 and not (kinds or self.tables or self.which or self.order):
            self._add_up(query, measures[0])
        else:
            self._list(query, measures, kinds)

    def _place_in_groups(self, query: Query, measures: list[Field], kinds: list[Field]) -> None:
        for one in measures:
            if query.numbers:
                raise NotReadError(f"It was not understood what {one.column} is for.")
            query.numbers.append(self._usual(one))
        if not query.numbers and not query.having and query.groups:
            query.numbers.append(Number(is_count=True))
            self.confidence -= 0.1
        if kinds:
            if len(kinds) > 1 or query.groups:
                raise NotReadError(f"It was not understood what {kinds[0].column} is for.")
            query.groups = [*kinds, *query.groups]
            self.confidence -= 0.1
        if query.having and not query.groups and self.tables:
            query.groups = self._telling_apart(self.tables[0])

    def _add_up(self, query: Query, measure: Field) -> None:
        """`Precipitation in the last 30 days`: an amount alone is added up."""
        column = self.catalog.column(measure.table, measure.column)
        if column is None or column.additivity is not Additivity.SUM or not query.filters:
            raise NotReadError(f"It is not said what of {measure.column} is wanted.")
        query.numbers = [Number(_named_aggregate("sum"), measure)]
        self.confidence -= 0.2

    def _list(self, query: Query, measures: list[Field], kinds: list[Field]) -> None:
        """Shows columns of rows, or what the rows are called where none is asked for."""
        query.shown = list(self.entities)
        is_narrowed = bool(query.filters or measures)
        if self.which and kinds and not measures and all(map(self._repeats, kinds)):
            is_narrowed = False  # `which breeds had injuries` asks for each of them once
        if query.shown and is_narrowed:
            query.shown = list(dict.fromkeys([*self._names_of(query.table), *query.shown]))
        query.distinct = self.is_distinct or bool(kinds and not is_narrowed)
        if query.distinct and isinstance(self.order, Field) and self.order not in query.shown:
            self._rank_kinds(query, self.order)
        query.shown = query.shown or self._called(query)
        if not query.shown and query.filters:
            self.confidence -= 0.1

    def _called(self, query: Query) -> list[Field]:
        """Returns what the rows of a list are called by; nothing where all columns are shown."""
        if not query.filters and self.order is not None:
            found = [one for one in self._names_of(query.table) if self._is_of_each(one)]
            if found:
                return found
        if (query.related or query.filters) and len(self.catalog.tables) > 1:
            return self._names_of(query.table) or [self._key_of(query.table)]
        return []

    def _repeats(self, one: Field) -> bool:
        facts = self.facts[one.table, one.column]
        return 2 * facts.distinct <= facts.rows

    def _is_of_each(self, one: Field) -> bool:
        """Whether no two rows are called alike."""
        facts = self.facts[one.table, one.column]
        return facts.distinct == facts.rows

    def _rank_kinds(self, query: Query, order: Field) -> None:
        """`Cities in order of sales`: by those of all rows of each, unless each has one row."""
        query.distinct = False
        told = [self.facts[one.table, one.column] for one in query.shown]
        if self._is_number_field(order) and all(2 * one.distinct <= one.rows for one in told):
            self.order = self._usual(order)
            query.groups, query.shown, query.numbers = query.shown, [], [self.order]
            self.confidence -= 0.15

    def _usual(self, one: Field) -> Number:
        column = self.catalog.column(one.table, one.column)
        adds = column is not None and column.additivity is Additivity.SUM
        if not adds:
            self.confidence -= 0.2
        return Number(_named_aggregate("sum" if adds else "avg"), one)

    def _names_of(self, table: str) -> list[Field]:
        """Returns what tells people which rows are meant; nothing where no column does."""
        try:
            found = self._naming(table)
        except NotReadError:
            return []
        told = self.catalog.table(table)
        first = told.column(found.column) if told else None
        if told and first and first.label == "first name":
            last = next(
                (one for one in told.columns if one.label in {"last name", "surname"}), None
            )
            return [found, Field(table, last.name)] if last else [found]
        return [found]

    def _finish_ranked(self, query: Query) -> Query:
        query.descending, query.limit = self.descending, self.limit or 1
        order = self._ranked_by()
        entities = [one for one in self.entities if not self._is_number_field(one)]
        told = list(dict.fromkeys([*query.groups, *entities]))
        if not told:
            return self._rows_ranked(query, order)
        if len(told) > 1:
            raise NotReadError("It is not clear what is ranked.")
        return self._ranked_query(query, told[0], order)

    def _ranked_by(self) -> Number | Field:
        """Finds what decides who is first: what is said to, a number, or the only amount."""
        if self.order is not None:
            return self.order
        if self.numbers:
            return self.numbers[0]
        measures = [one for one in self.entities if self._is_number_field(one)]
        if len(measures) != 1:
            raise NotReadError("It is not said by what it is ranked.")
        return measures[0]

    def _rows_ranked(self, query: Query, order: Number | Field) -> Query:
        """Ranks rows where no column says what is ranked: an extreme alone is only a number."""
        is_alone = not (self.tables or self.limit or self.which)
        if is_alone and isinstance(order, Field):
            name = "max" if self.descending else "min"
            query.numbers = [Number(_named_aggregate(name), order)]
            query.limit = None
            return query
        others = [one for one in self.tables if one != _table_of(order)]
        apart = [one for one in self.tables if one != query.table and isinstance(order, Number)]
        table = next(iter([*apart, *others]), None)  # `most returned books` are not the returns
        named = self._names_of(table or query.table)
        if not named and isinstance(order, Field) and table is None:
            query.shown, query.order = [order], order
            return query
        entity = named[0] if named else self._telling(table or query.table)
        return self._ranked_query(query, entity, order)

    def _ranked_query(self, query: Query, entity: Field, order: Number | Field) -> Query:
        facts = self.facts[entity.table, entity.column]
        if facts.missing:
            query.filters = [*query.filters, Filter(entity, "given")]
        is_row = entity.table == query.table and facts.distinct >= 0.98 * facts.rows
        if isinstance(order, Field) and not is_row:
            column = self.catalog.column(order.table, order.column)
            adds = column is not None and column.additivity is Additivity.SUM
            repeated = 5 * facts.distinct < facts.rows or not self._leads(entity.table, order.table)
            if not (adds and repeated):
                query.shown, query.order = [entity], order
                self.confidence -= 0.15
                return query
            order = Number(_named_aggregate("sum"), order)
            self.confidence -= 0.15
        if isinstance(order, Field):
            query.shown, query.order = [entity], order
            return query
        query.groups, query.order, query.numbers = [entity], order, [order]
        query.hides_number = False
        return query


def _says_date(text: str) -> bool:
    return not _DATES.isdisjoint(text.casefold().split())


def _is_of_each(number: Number) -> bool:
    return number.aggregate is not None and number.aggregate.name in _OF_EACH


def _table_of(order: Number | Field | Filter) -> str:
    if isinstance(order, Field):
        return order.table
    return order.field.table if order.field else ""


def _field(hit: NameHit, column: CatalogColumn, unit: str = "") -> Field:
    return Field(
        hit.table, column.name, unit, is_date=column.role is Role.DATE and not column.format
    )


def _named_aggregate(name: str) -> Aggregate:
    return next(one for one in aggregates() if one.name == name)


def _years(one: Field, period: Period) -> Filter:
    """A period of whole years over a column of years."""
    low = period.start.year if period.start else None
    high = _last_year(period.end) if period.end else None
    if (period.start and (period.start.month, period.start.day) != (1, 1)) or (
        period.end and (period.end.month, period.end.day) != (1, 1)
    ):
        raise NotReadError(f"No column tells more of “{period.text}” than its year.")
    if low is not None and low == high:
        return Filter(one, "=", (low,))
    if low is not None and high is not None:
        return Filter(one, "between", (low, high))
    return Filter(one, ">=", (low,)) if low is not None else Filter(one, "<=", (high or 0,))


def _exclude(one: Filter, other: Filter) -> bool:
    """Whether no row is in both of two ranges of time."""
    ends = (one.low, other.high), (other.low, one.high)
    return any(low is not None and high is not None and low >= high for low, high in ends)


def _last_year(end: date) -> int:
    return (end - timedelta(days=1)).year


__all__ = ["GRAMMAR", "GrammarReader", "NotReadError"]
