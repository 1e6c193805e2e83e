"""What is shown of the rows: their columns, or what they are called."""

from modelwright.engines.language.catalog.meaning import Additivity
from modelwright.engines.language.grammar.columns import (
    holds_amounts,
    named_aggregate,
    usual_figure,
)
from modelwright.engines.language.grammar.parse import NotReadError, Parse
from modelwright.engines.language.grammar.query import Field, Number, Query
from modelwright.engines.language.grammar.tables import (
    key_of,
    names_each,
    names_of,
    repeats,
    what_tells_apart,
)


def place_entities(parse: Parse, query: Query) -> None:
    """Puts columns that stand alone where they belong: what is shown, summed or grouped by."""
    measures = [one for one in parse.entities if holds_amounts(parse, one)]
    kinds = [one for one in parse.entities if one not in measures]
    if query.numbers or query.groups or query.having:
        _place_in_groups(parse, query, measures, kinds)
    elif len(measures) == 1 and not (kinds or parse.tables or parse.which or parse.order):
        _add_up(parse, query, measures[0])
    else:
        _list_rows(parse, query, measures, kinds)


def _place_in_groups(parse: Parse, query: Query, measures: list[Field], kinds: list[Field]) -> None:
    for one in measures:
        if query.numbers:
            raise NotReadError(f"It was not understood what {one.column} is for.")
        query.numbers.append(usual_figure(parse, one))
    if not query.numbers and not query.having and query.groups:
        query.numbers.append(Number(is_count=True))
        parse.confidence -= 0.1
    if kinds:
        if len(kinds) > 1 or query.groups:
            raise NotReadError(f"It was not understood what {kinds[0].column} is for.")
        query.groups = [*kinds, *query.groups]
        parse.confidence -= 0.1
    if query.having and not query.groups and parse.tables:
        query.groups = what_tells_apart(parse, parse.tables[0])


def _add_up(parse: Parse, query: Query, measure: Field) -> None:
    """`Precipitation in the last 30 days`: an amount alone is added up."""
    column = parse.catalog.column(measure.table, measure.column)
    if column is None or column.additivity is not Additivity.SUM or not query.filters:
        raise NotReadError(f"It is not said what of {measure.column} is wanted.")
    query.numbers = [Number(named_aggregate("sum"), measure)]
    parse.confidence -= 0.2


def _list_rows(parse: Parse, query: Query, measures: list[Field], kinds: list[Field]) -> None:
    """Shows columns of rows, or what the rows are called where none is asked for."""
    query.shown = list(parse.entities)
    is_narrowed = bool(query.filters or measures)
    if parse.which and kinds and not measures and all(repeats(parse, one) for one in kinds):
        is_narrowed = False  # `which breeds had injuries` asks for each of them once
    if query.shown and is_narrowed:
        query.shown = list(dict.fromkeys([*names_of(parse, query.table), *query.shown]))
    query.distinct = parse.is_distinct or bool(kinds and not is_narrowed)
    if query.distinct and isinstance(parse.order, Field) and parse.order not in query.shown:
        _rank_kinds(parse, query, parse.order)
    query.shown = query.shown or _called(parse, query)
    if not query.shown and query.filters:
        parse.confidence -= 0.1


def _called(parse: Parse, query: Query) -> list[Field]:
    """Returns what the rows of a list are called by; nothing where all columns are shown."""
    if not query.filters and parse.order is not None:
        found = [one for one in names_of(parse, query.table) if names_each(parse, one)]
        if found:
            return found
    if (query.related or query.filters) and len(parse.catalog.tables) > 1:
        return names_of(parse, query.table) or [key_of(parse, query.table)]
    return []


def _rank_kinds(parse: Parse, query: Query, order: Field) -> None:
    """`Cities in order of sales`: by those of all rows of each, unless each has one row."""
    query.distinct = False
    told = [parse.facts[one.table, one.column] for one in query.shown]
    if holds_amounts(parse, order) and all(2 * one.distinct <= one.rows for one in told):
        parse.order = usual_figure(parse, order)
        query.groups, query.shown, query.numbers = query.shown, [], [parse.order]
        parse.confidence -= 0.15
