"""What is ranked, and by what."""

from modelwright.engines.language.catalog.meaning import Additivity
from modelwright.engines.language.grammar.columns import holds_amounts, named_aggregate
from modelwright.engines.language.grammar.parse import NotReadError, Parse
from modelwright.engines.language.grammar.query import Field, Filter, Number, Query
from modelwright.engines.language.grammar.tables import leads, names_of, table_of, what_tells


def rank(parse: Parse, query: Query) -> Query:
    """Ranks what is listed, groups or rows, and keeps the first of it."""
    query.descending, query.limit = parse.descending, parse.limit or 1
    order = _ranked_by(parse)
    entities = [one for one in parse.entities if not holds_amounts(parse, one)]
    told = list(dict.fromkeys([*query.groups, *entities]))
    if not told:
        return _rank_rows(parse, query, order)
    if len(told) > 1:
        raise NotReadError("It is not clear what is ranked.")
    return _rank_groups(parse, query, told[0], order)


def _ranked_by(parse: Parse) -> Number | Field:
    """Finds what decides who is first: what is said to, a number, or the only amount."""
    if parse.order is not None:
        return parse.order
    if parse.numbers:
        return parse.numbers[0]
    measures = [one for one in parse.entities if holds_amounts(parse, one)]
    if len(measures) != 1:
        raise NotReadError("It is not said by what it is ranked.")
    return measures[0]


def _rank_rows(parse: Parse, query: Query, order: Number | Field) -> Query:
    """Ranks rows where no column says what is ranked: an extreme alone is only a number."""
    is_alone = not (parse.tables or parse.limit or parse.which)
    if is_alone and isinstance(order, Field):
        name = "max" if parse.descending else "min"
        query.numbers = [Number(named_aggregate(name), order)]
        query.limit = None
        return query
    others = [one for one in parse.tables if one != table_of(order)]
    apart = [one for one in parse.tables if one != query.table and isinstance(order, Number)]
    table = next(iter([*apart, *others]), None)  # `most returned books` are not the returns
    named = names_of(parse, table or query.table)
    if not named and isinstance(order, Field) and table is None:
        query.shown, query.order = [order], order
        return query
    entity = named[0] if named else what_tells(parse, table or query.table)
    return _rank_groups(parse, query, entity, order)


def _rank_groups(parse: Parse, query: Query, entity: Field, order: Number | Field) -> Query:
    facts = parse.facts[entity.table, entity.column]
    if facts.missing:
        query.filters = [*query.filters, Filter(entity, "given")]
    is_row = entity.table == query.table and facts.distinct >= 0.98 * facts.rows
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
