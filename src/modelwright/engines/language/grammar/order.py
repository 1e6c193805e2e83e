"""Reads what ranks and sorts, and how many of the first are wanted."""

from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.grammar.columns import (
    as_field,
    hit_of,
    holds_amounts,
    is_measure,
    usual_figure,
)
from modelwright.engines.language.grammar.items import Item, Kind, adds_up_what_is_done
from modelwright.engines.language.grammar.parse import NotReadError, Parse
from modelwright.engines.language.grammar.query import Field, Number
from modelwright.engines.language.grammar.tables import belongs
from modelwright.engines.language.vocabulary import word_set

_COUNTING = word_set("superlatives.of_how_many")


def ranks_by(parse: Parse) -> bool:
    """`Top 5 cities by total sales`: what follows `by` ranks."""
    ahead = 1 if parse.is_next(Kind.AGGREGATE) else 0
    coming = parse.peek(ahead)
    if parse.is_next(Kind.COUNT):
        parse.take()
        if not parse.is_next(Kind.TABLE, Kind.ROWS):
            raise NotReadError("It is not said what is counted.")
        _rank_by_count(parse)
        return True
    if coming is not None and coming.kind is Kind.TABLE and belongs(parse, coming.table):
        _rank_by_count(parse)
        return True
    if coming is None or coming.kind is not Kind.COLUMN or not is_measure(parse, coming):
        return False
    aggregate = parse.take().aggregate if ahead else None
    hit, column = hit_of(parse, parse.take())
    told = as_field(hit, column)
    parse.order = told
    if aggregate or belongs(parse, hit.table):
        parse.order = Number(aggregate, told) if aggregate else usual_figure(parse, told)
    return True


def read_superlative(parse: Parse) -> None:
    """`Highest`, `top 5`, `the most orders`."""
    item = parse.take()
    if parse.superlative is not None:
        if item.text != "top" or not parse.is_next(Kind.NUMBER) or parse.limit is not None:
            raise NotReadError("Two things are ranked.")
        parse.limit = int(parse.take().number)
        return
    if any(holds_amounts(parse, one) for one in parse.entities):
        raise NotReadError("It is not clear what is shown of what is ranked.")
    parse.superlative = item
    parse.descending = item.kind is Kind.HIGH
    if item.columns:
        parse.order = _spoken_of(parse, item)
    if parse.is_next(Kind.NUMBER):
        parse.limit = int(parse.take().number)
    is_count = parse.is_next(Kind.COUNT)
    if is_count:
        parse.take()
    if parse.is_next(Kind.TABLE, Kind.ROWS) and (is_count or item.text in _COUNTING):
        _rank_by_count(parse)
    elif is_count:
        raise NotReadError("It is not said what is counted.")


def _spoken_of(parse: Parse, item: Item) -> Field:
    """`Cheapest` ranks by what it speaks of, where only one column does."""
    hit = item.columns[0]
    column = parse.catalog.column(hit.table, hit.column or "")
    if column is None or len(item.columns) > 1 or column.role is not Role.MEASURE:
        raise NotReadError(f"It is not clear by what “{item.text}” ranks.")
    parse.confidence -= 0.1
    return as_field(hit, column)


def _rank_by_count(parse: Parse) -> None:
    taken = parse.take()
    parse.tables += [taken.table] if taken.table else []
    told = parse.catalog.table(taken.table)
    done = told.columns if told and taken.text.casefold().endswith("ed") else ()
    amounts = [one for one in done if adds_up_what_is_done(one, taken.text.casefold())]
    parse.order = Number(is_count=True)
    if len(amounts) == 1:  # `most returned books`, where each return is of some units
        parse.order = usual_figure(parse, Field(taken.table, amounts[0].name))


def read_common(parse: Parse) -> None:
    """`Most common`, `3 rarest`."""
    item = parse.take()
    parse.superlative = item
    parse.descending = item.kind is Kind.COMMON
    parse.order = Number(is_count=True)
    if parse.is_next(Kind.NUMBER):
        parse.limit = int(parse.take().number)


def read_sorted(parse: Parse) -> None:
    """`Sorted by price`, `ordered by number of rooms, falling`."""
    parse.take()
    if parse.is_next(Kind.FALLING, Kind.RISING):
        read_direction(parse)
    if parse.is_next(Kind.AGGREGATE) and parse.is_next(Kind.COLUMN, ahead=1):
        aggregate = parse.take().aggregate
        hit, column = hit_of(parse, parse.take())
        parse.order = Number(aggregate, as_field(hit, column))
        parse.descending = True
    elif parse.is_next(Kind.COLUMN):
        hit, column = hit_of(parse, parse.take())
        same = [one for one in parse.numbers if one.field and one.field.column == column.name]
        parse.order = same[0] if same else as_field(hit, column)
        parse.descending = bool(same)
    elif parse.is_next(Kind.COUNT):
        parse.take()
        parse.order = Number(is_count=True)
        parse.descending = True
    elif parse.peek() is None and parse.entities:
        parse.order, parse.descending = parse.entities[0], False
    else:
        raise NotReadError("It is not said by what it is sorted.")
    if parse.is_next(Kind.FALLING, Kind.RISING):
        read_direction(parse)


def read_direction(parse: Parse) -> None:
    """`Falling`, `rising`."""
    parse.descending = parse.take().kind is Kind.FALLING
    if parse.order is not None:
        return
    if parse.numbers or parse.counts:
        parse.order = parse.numbers[0] if parse.numbers else Number(is_count=True)
    elif parse.entities and parse.peek() is None:
        parse.order = parse.entities[0]
    else:
        raise NotReadError("It is not said by what it is sorted.")
