"""What is ranked, and by what."""

from collections.abc import Sequence

from modelwright.engines.language.catalog.meaning import Additivity
from modelwright.engines.language.grammar.columns import holds_amounts, named_aggregate
from modelwright.engines.language.grammar.items import Kind
from modelwright.engines.language.grammar.parse import NotReadError, Parse
from modelwright.engines.language.grammar.query import Field, Filter, Number, Query
from modelwright.engines.language.grammar.tables import (
    key_of,
    leads,
    names_each,
    names_of,
    table_of,
    what_tells,
)
from modelwright.engines.language.linking.phrases import WHOLE


def rank(parse: Parse, query: Query) -> Query:
    """Ranks what is listed, groups or rows, and keeps the first of it."""
    query.descending, query.limit = parse.descending, parse.limit or 1
    order = _ranked_by(parse)
    entities = [one for one in parse.entities if not holds_amounts(parse, one)]
    if query.groups and not (entities or parse.tables or parse.limit or parse.which):
        return _extreme_of_each(parse, query, order)
    if query.groups and parse.each:
        return _first_of_each(parse, query, entities, order)
    told = list(dict.fromkeys([*query.groups, *entities]))
    if not told:
        return _rank_rows(parse, query, order)
    if len(told) > 1:
        raise NotReadError("It is not clear what is ranked.")
    return _rank_groups(parse, query, told[0], order)


def _extreme_of_each(parse: Parse, query: Query, order: Number | Field) -> Query:
    """`Highest price per category`: an extreme of each group."""
    if not isinstance(order, Field):
        raise NotReadError("It is not clear what is ranked.")
    query.numbers = [Number(named_aggregate("max" if parse.descending else "min"), order)]
    query.limit = None
    return query


def _first_of_each(
    parse: Parse, query: Query, entities: Sequence[Field], order: Number | Field
) -> Query:
    """`The largest city of each country`: what is first among those of one group."""
    if len(query.groups) > 1 or len(entities) > 1:
        raise NotReadError("It is not clear what is ranked.")
    named = names_of(parse, query.table)
    is_named = bool(named) and names_each(parse, named[0])
    told = entities or (named[:1] if is_named else [key_of(parse, query.table)])
    query.each, query.order = query.groups[0], order
    is_row = _is_row(parse, query, told[0])
    if isinstance(order, Field) and is_row:
        query.shown, query.groups = [query.each, told[0], order], []
        return query
    if isinstance(order, Field):
        raise NotReadError("It is not clear by what it is ranked.")
    query.groups, query.numbers = [query.each, told[0]], [order]
    return query


def _is_row(parse: Parse, query: Query, entity: Field) -> bool:
    """Whether hardly two rows share a value of a column."""
    facts = parse.facts[entity.table, entity.column]
    is_cut = bool(entity.unit) and entity.unit != "day"
    return entity.table == query.table and facts.distinct >= 0.98 * facts.rows and not is_cut


def _ranked_by(parse: Parse) -> Number | Field:
    """Finds what decides who is first: what is said to, a number, or the only amount."""
    if parse.order is not None:
        return parse.order
    if parse.numbers:
        return parse.numbers[0]
    measures = [one for one in parse.entities if holds_amounts(parse, one)]
    if len(measures) > 1:
        raise NotReadError("It is not said by what it is ranked.")
    return measures[0] if measures else _spoken_of(parse)


def _spoken_of(parse: Parse) -> Field:
    """`Longest episode` ranks by the only amount that it speaks of."""
    hits = parse.superlative.names if parse.superlative else ()
    amounts = [
        Field(one.table, one.column) for one in hits if one.column and holds_amounts(parse, one)
    ]
    if len(hits) != 1 or not amounts:
        raise NotReadError("It is not said by what it is ranked.")
    parse.confidence -= 0.1
    return amounts[0]


def _rank_rows(parse: Parse, query: Query, order: Number | Field) -> Query:
    """Ranks rows where no column says what is ranked: an extreme alone is only a number."""
    _need_no_other_thing(parse)
    asks_what = any(one.kind is Kind.WHICH and one.text == "what" for one in parse.items)
    is_alone = not (parse.tables or parse.limit or (parse.which and not asks_what))
    if is_alone and isinstance(order, Field):
        name = "max" if parse.descending else "min"
        query.numbers = [Number(named_aggregate(name), order)]
        query.limit = None
        return query
    others = [one for one in parse.tables if one != table_of(order)]
    apart = [one for one in parse.tables if one != query.table and isinstance(order, Number)]
    table = next(iter([*apart, *others]), None)  # `most returned books` are not the returns
    named = names_of(parse, table or query.table)
    are_persons = len(named) > 1 or (table or query.table) in parse.persons
    if any(one.text == "who" for one in parse.items) and not are_persons:
        raise NotReadError("No column names persons.")
    if not named and isinstance(order, Field) and table is None:
        query.shown, query.order = [order], order
        return query
    if named and isinstance(order, Field) and table_of(order) == query.table and table is None:
        query.shown, query.order = [*_told_apart(parse, query.table, named), order], order
        return query
    entity = named[0] if named else what_tells(parse, table or query.table)
    return _rank_groups(parse, query, entity, order)


def _need_no_other_thing(parse: Parse) -> None:
    """Refuses `the title of the longest book`, where no column is called title."""
    for one in parse.items:
        if one is parse.superlative:
            return
        if one.kind is Kind.ROWS and one.quality < WHOLE:
            raise NotReadError(f"It was not understood what is meant by “{one.text}”.")


def _told_apart(parse: Parse, table: str, named: list[Field]) -> list[Field]:
    """Returns what rows are called, and their key where some are called alike."""
    told = parse.catalog.table(table)
    is_told = names_each(parse, named[0]) or told is None or told.key is None
    return named if is_told else [key_of(parse, table), *named]


def _rank_groups(parse: Parse, query: Query, entity: Field, order: Number | Field) -> Query:
    facts = parse.facts[entity.table, entity.column]
    if facts.missing:
        query.filters = [*query.filters, Filter(entity, "given")]
    is_row = _is_row(parse, query, entity)
    if isinstance(order, Field) and not is_row:
        column = parse.catalog.column(order.table, order.column)
        adds = column is not None and column.additivity is Additivity.SUM
        repeated = 5 * facts.distinct < facts.rows or not leads(parse, entity.table, order.table)
        if not (adds and repeated):
            query.shown, query.order = [entity], order
            parse.confidence -= 0.15
            return query
        order = Number(named_aggregate("sum"), order)
        parse.confidence -= 0.15
    if isinstance(order, Field):
        query.shown, query.order = [entity], order
        return query
    query.groups, query.order, query.numbers = [entity], order, [order]
    query.hides_number = False
    return query
