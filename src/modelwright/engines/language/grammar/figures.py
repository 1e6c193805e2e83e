"""Reads what is computed: numbers of rows, aggregates of columns, shares."""

from dataclasses import replace

from modelwright.engines.language.catalog.meaning import Additivity, CatalogColumn, Role
from modelwright.engines.language.grammar.columns import (
    added_up,
    as_field,
    hit_of,
    holds_amounts,
    is_measure,
    need_measure,
)
from modelwright.engines.language.grammar.conditions import read_value, tests_follow
from modelwright.engines.language.grammar.items import Item, Kind
from modelwright.engines.language.grammar.parse import NotReadError, Parse
from modelwright.engines.language.grammar.query import Filter, Number
from modelwright.engines.language.grammar.tables import is_owner
from modelwright.engines.language.linking.phrases import NameHit

LEAST_COUNTED = 0.7
"""Words must name a column at least so well for its values to be counted."""
SURELY_NAMED = 0.9
"""Words that name a column so well leave no doubt that it is counted."""
_DATES = frozenset({"date", "dates", "day", "days", "time", "times"})


def read_count(parse: Parse) -> None:
    """`How many orders`, `number of cities`."""
    parse.take()
    parse.counts = True
    if parse.is_next(Kind.DISTINCT):
        parse.take()
        parse.is_distinct = True
    coming = parse.peek()
    if coming is not None and coming.kind is Kind.TABLE:
        parse.counted_table = coming.table
    elif coming is not None and coming.kind is Kind.VALUE:
        _count_those_that_are(parse, coming)
    if parse.is_next(Kind.COLUMN) and not tests_follow(parse, 1) and not _flag_follows(parse):
        _count_column(parse, parse.take())


def _count_column(parse: Parse, item: Item) -> None:
    """Counts the values of a column; amounts that add up and deeds are told otherwise."""
    hit, column = hit_of(parse, item)
    if hit.quality < LEAST_COUNTED:
        raise NotReadError(f"It was not understood what is counted as “{item.text}”.")
    if column.role is Role.DATE and not parse.is_distinct and not _says_date(item.text):
        count_deeds(parse, hit, column)
        return
    if (
        column.role is Role.MEASURE
        and column.additivity is Additivity.SUM
        and not parse.is_distinct
    ):
        parse.counts = False
        parse.numbers.append(added_up(hit, column))
        parse.confidence -= 0.15
        return
    parse.counted = as_field(hit, column)
    parse.is_distinct = True
    if column.role is not Role.MEASURE:
        parse.confidence -= _doubt_of(hit)


def _doubt_of(hit: NameHit) -> float:
    return 0.0 if hit.quality >= SURELY_NAMED else 0.1


def count_deeds(parse: Parse, hit: NameHit, column: CatalogColumn) -> None:
    """`Number of bookings`, of Booked At: the rows that have that date, which times are of."""
    parse.deed = as_field(hit, column)
    parse.tables.append(hit.table)
    parse.counted_table = hit.table
    if parse.facts[hit.table, column.name].missing:
        parse.filters.append(Filter(parse.deed, "given"))
    parse.confidence -= _doubt_of(hit)


def _count_those_that_are(parse: Parse, value: Item) -> None:
    """`Number of open orders`, and of `forwards in teams from Oslo`: not of teams.

    `Men` of `men booked boxing` are counted, not what they booked.
    """
    ahead = next(n for n in range(1, len(parse.items)) if not parse.is_next(Kind.VALUE, ahead=n))
    after = parse.peek(ahead)
    is_called = after is not None and after.kind is Kind.TABLE and not after.is_apart
    is_called = is_called and not (after and after.text.casefold().endswith("ed"))
    told = after.table if after and is_called else value.values[0].table
    parse.counted_table = told
    parse.tables.append(told)


def _flag_follows(parse: Parse) -> bool:
    """Whether what is counted is told apart by a flag: `how many gift orders`."""
    coming = parse.peek()
    if coming is None or not parse.is_next(Kind.TABLE, Kind.ROWS, ahead=1):
        return False
    hit = coming.columns[0]
    column = parse.catalog.column(hit.table, hit.column or "")
    return column is not None and column.role is Role.FLAG


def read_aggregate(parse: Parse) -> None:
    """`Average price`, `total and highest fare`."""
    aggregate = parse.take().aggregate
    if aggregate is None:
        raise NotReadError
    if is_owner(parse):
        parse.tables.append(parse.take().table)  # `average order amount`
    _as_column(parse)
    _as_amount(parse)
    if parse.is_next(Kind.COUNT):
        parse.averages_counts = aggregate.name == "avg" and parse.is_next(
            Kind.TABLE, Kind.ROWS, ahead=1
        )
        if aggregate.name == "sum" or parse.averages_counts:
            return
        parse.take()
    if not parse.is_next(Kind.COLUMN):
        if parse.entities and holds_amounts(parse, parse.entities[-1]):
            parse.numbers.append(Number(aggregate, parse.entities.pop()))
            return
        raise NotReadError(f"It is not said of what the {aggregate.said.format('').strip()} is.")
    while parse.is_next(Kind.COLUMN):
        hit, column = hit_of(parse, parse.take())
        need_measure(parse, hit, column)
        parse.numbers.append(Number(aggregate, as_field(hit, column)))
        joined = parse.is_next(Kind.AND, Kind.COMMA) and parse.is_next(Kind.COLUMN, ahead=1)
        if not (joined and is_measure(parse, parse.peek(1))):
            break
        parse.take()


def _as_column(parse: Parse) -> None:
    """Takes the next word for a column where it also calls the table: `average wage`."""
    coming = parse.peek()
    if coming is not None and coming.kind is Kind.TABLE and coming.columns:
        parse.items[parse.at] = replace(coming, kind=Kind.COLUMN)


def _as_amount(parse: Parse) -> None:
    """Takes the next word for the one amount that it names: `average refund`, also a kind."""
    coming = parse.peek()
    if coming is None or is_measure(parse, coming):
        return
    hits = [one for one in coming.names if holds_amounts(parse, one)]
    hits = sorted(hits, key=lambda one: -one.quality)
    if hits and (len(hits) == 1 or hits[0].quality > hits[1].quality):
        told = replace(coming, kind=Kind.COLUMN, columns=(hits[0],), values=())
        parse.items[parse.at] = replace(told, quality=hits[0].quality)


def read_share(parse: Parse) -> None:
    """`What percentage`: of what is known when all has been read, or of rows with a value.

    `Percentage of online orders that were returned` is of the online ones.
    """
    parse.take()
    parse.share = True
    if parse.is_next(Kind.VALUE):
        begun = len(parse.filters)
        read_value(parse)
        parse.shared = parse.filters[begun:]


def _says_date(text: str) -> bool:
    return not _DATES.isdisjoint(text.casefold().split())
