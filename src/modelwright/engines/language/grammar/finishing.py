"""Puts together what was read: figures, groups, shares, an order."""

from modelwright.engines.language.grammar.items import Kind
from modelwright.engines.language.grammar.parse import NotReadError, Parse
from modelwright.engines.language.grammar.query import Field, Filter, Number, Query, paths
from modelwright.engines.language.grammar.ranked import rank
from modelwright.engines.language.grammar.related import add_related, rows_meant
from modelwright.engines.language.grammar.shown import place_entities
from modelwright.engines.language.grammar.tables import key_of

_OF_EACH = frozenset({"avg", "median", "min", "max"})
"""Aggregates that two groups have apart: of both together they are none of theirs added up."""


def finished(parse: Parse) -> Query:
    """Puts together what was read; raises `NotReadError` where nothing is wanted."""
    query = Query(rows_meant(parse))
    query.filters, query.having = parse.filters, parse.having
    _need_no_opposites(parse)
    query.groups = list(dict.fromkeys(parse.groups))
    add_related(parse, query)
    if parse.share:
        return _finish_share(parse, query)
    if parse.counts and parse.having and parse.counted_table and not parse.groups:
        return _count_groups(parse, query)
    if parse.counts:
        parse.numbers.append(_counted_figure(parse, query))
    if parse.superlative is not None:
        return rank(parse, query)
    query.numbers = list(dict.fromkeys(parse.numbers))
    if isinstance(parse.order, Number) and parse.entities and not query.numbers:
        query.numbers = [parse.order]
    place_entities(parse, query)
    _set_apart(parse, query)
    if parse.having and not query.groups:
        raise NotReadError("It is not said which groups are compared.")
    _sort(parse, query)
    if not _is_told(parse, query):
        raise NotReadError("It is not said what is wanted.")
    return query


def _need_no_opposites(parse: Parse) -> None:
    """Refuses two values of one column that no row can have at once: `level 1 or level 2`."""
    values: dict[Field, set[str]] = {}
    for one in parse.filters:
        if one.field and one.operator == "=" and not one.part:
            values.setdefault(one.field, set()).add(str(one.values))
    if any(len(told) > 1 for told in values.values()):
        raise NotReadError("It was not understood which of the values are meant.")


def _count_groups(parse: Parse, query: Query) -> Query:
    """`How many customers have more than 3 orders`: those of whom so many rows are."""
    if parse.numbers or parse.entities or parse.superlative or parse.is_distinct or parse.order:
        raise NotReadError("It is not clear what is counted.")
    if query.table == parse.counted_table:
        raise NotReadError("It is not said of what there are so many.")
    query.groups = [key_of(parse, parse.counted_table)]
    query.counts_groups = True
    return query


def _sort(parse: Parse, query: Query) -> None:
    """Sorts what is shown as the question says, and keeps the first of it."""
    if parse.order is not None:
        query.order, query.descending = parse.order, parse.descending
    if parse.limit and query.order is None:
        raise NotReadError("It is not said by what the first are taken.")
    query.limit = parse.limit


def _is_told(parse: Parse, query: Query) -> bool:
    """Whether it is said what is wanted; all rows in an order are wanted by their table."""
    if query.numbers or query.shown or query.groups or query.filters or query.related:
        return True
    is_of_rows = parse.tables or any(one.kind is Kind.ROWS for one in parse.items)
    return bool(is_of_rows) and isinstance(query.order, Field)


def _set_apart(parse: Parse, query: Query) -> None:
    """`Average fee in Oslo and Rome`: a number of each, where one of both is neither's."""
    if parse.compares:
        if not query.numbers or not (parse.apart or query.groups):
            raise NotReadError("It is not said what is compared.")
        told = [parse.apart] if parse.apart and parse.apart not in query.groups else []
        query.groups = [*query.groups, *told]
    if parse.apart and query.numbers and all(map(_is_of_each, query.numbers)):
        query.groups = query.groups or [parse.apart]


def _counted_figure(parse: Parse, query: Query) -> Number:
    if parse.averages_counts:
        return _count_per(parse, query)
    if parse.counted is None and parse.counted_table not in {"", query.table}:
        return Number(field=key_of(parse, parse.counted_table), is_count=True, is_distinct=True)
    if parse.counted is None:
        return Number(is_count=True)
    return Number(field=parse.counted, is_count=True, is_distinct=True)


def _count_per(parse: Parse, query: Query) -> Number:
    """`Average number of orders per customer`: of those that have any."""
    told = parse.catalog.table(query.table)
    only_links = told is not None and told.key is None
    if not query.groups or (parse.counted_table != query.table and not only_links):
        raise NotReadError("It is not said for each of what rows are counted.")
    per, *query.groups = query.groups
    if per.table != query.table:
        (key, *further), *_ = paths(parse.catalog, query.table, per.table)
        if further or key.to_column != per.column:
            raise NotReadError(f"It is not clear how {query.table} belong to {per.table}.")
        per = Field(query.table, key.column)
    return Number(is_count=True, per=per)


def _finish_share(parse: Parse, query: Query) -> Query:
    if not parse.filters or parse.counts or parse.superlative:
        raise NotReadError("It is not said of what the share is.")
    amount = _shared_amount(parse)
    query.filters = [one for one in parse.filters if _narrows(parse, one)]
    told = [one for one in parse.filters if one not in query.filters]
    if not told:
        told, query.filters = parse.filters, []
    if parse.shared and len(told) > 1:
        raise NotReadError("It is not clear what the share is of.")
    query.numbers = [Number(field=amount, share=tuple(told))]
    place_entities(parse, query)
    if query.shown:
        raise NotReadError("It is not clear what the share is of.")
    if len(told) > 1:
        parse.confidence -= 0.25
    return query


def _shared_amount(parse: Parse) -> Field | None:
    """Takes the amount whose total is shared: `share of total sales`; None for rows."""
    if not parse.numbers:
        return None
    (number, *others) = parse.numbers
    if others or number.aggregate is None or number.aggregate.name != "sum":
        raise NotReadError("It is not said of what the share is.")
    return number.field


def _narrows(parse: Parse, test: Filter) -> bool:
    """Whether a test is of all that a share is of: a time, or what is left out of it."""
    return (
        test in parse.left_out
        or test in parse.shared
        or test.operator == "range"
        or bool(test.part)
    )


def _is_of_each(number: Number) -> bool:
    return number.aggregate is not None and number.aggregate.name in _OF_EACH
