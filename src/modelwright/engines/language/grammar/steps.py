"""Which function reads an item, by its kind; a word without one is not understood."""

from collections.abc import Callable, Mapping

from modelwright.engines.language.catalog.meaning import CatalogColumn, Role
from modelwright.engines.language.grammar.columns import add_flag_test, as_field, hit_of
from modelwright.engines.language.grammar.conditions import (
    read_between,
    read_comparison,
    read_more,
    read_number,
    read_tested_column,
    read_value,
    tests_follow,
)
from modelwright.engines.language.grammar.denials import read_missing, read_negation
from modelwright.engines.language.grammar.figures import (
    count_deeds,
    read_aggregate,
    read_count,
    read_share,
)
from modelwright.engines.language.grammar.finishing import finished
from modelwright.engines.language.grammar.groups import read_groups, read_unit
from modelwright.engines.language.grammar.items import OF_TIME, Kind
from modelwright.engines.language.grammar.order import (
    read_common,
    read_direction,
    read_sorted,
    read_superlative,
)
from modelwright.engines.language.grammar.parse import NotReadError, Parse
from modelwright.engines.language.grammar.query import Field, Number, Query
from modelwright.engines.language.grammar.related import rows_meant
from modelwright.engines.language.grammar.times import read_period
from modelwright.engines.language.linking.phrases import NameHit

LEAST_SHOWN = 0.65
"""Words must name a column at least so well for it to be shown or ranked by."""


def _read_column(parse: Parse) -> None:
    if tests_follow(parse, 1):
        if parse.at and parse.items[parse.at - 1].kind is Kind.WHICH and parse.is_next(Kind.COLUMN):
            _not_part(parse)
        read_tested_column(parse)
        return
    item = parse.take()
    hit, column = hit_of(parse, item)
    if hit.quality < LEAST_SHOWN:
        raise NotReadError(f"It was not understood what is meant by “{item.text}”.")
    if parse.superlative is not None and parse.order is None and column.role is Role.MEASURE:
        if parse.superlative.text in OF_TIME:
            raise NotReadError(f"It is not clear what “{parse.superlative.text}” ranks.")
        parse.order = _ranked(parse, hit, column)
        return
    if column.role is Role.DATE and parse.counts and item.text.casefold().endswith("ed"):
        count_deeds(parse, hit, column)  # `how many episodes has each show published`
        return
    if column.role is Role.FLAG:
        add_flag_test(parse, hit, column, negated=False)
        return
    after_with = parse.at > 1 and parse.items[parse.at - 2].kind is Kind.WITH
    if after_with and column.role is not Role.MEASURE:
        raise NotReadError(f"It is not said what {column.label} must be.")
    parse.which |= after_with  # `with their boiling points` lists them
    parse.entities.append(as_field(hit, column))


def _not_part(parse: Parse) -> None:
    """Refuses `which region of Austria`, where the column holds Austria: a part is asked for."""
    if parse.is_next(Kind.VALUE, ahead=1):
        raise NotReadError(f"It was not understood which “{parse.items[parse.at].text}” is meant.")


def _ranked(parse: Parse, hit: NameHit, column: CatalogColumn) -> Number | Field:
    before = [one for one in parse.items[: parse.at - 1] if one.kind is Kind.AGGREGATE]
    told = before[-1].aggregate if before else None
    return Number(told, as_field(hit, column)) if told else as_field(hit, column)


def _read_compared(parse: Parse) -> None:
    parse.take()
    parse.compares = True


def _read_distinct(parse: Parse) -> None:
    parse.take()
    parse.is_distinct = True


def _read_rows(parse: Parse) -> None:
    parse.confidence -= (1 - parse.take().quality) / 2


def _read_table(parse: Parse) -> None:
    parse.tables.append(parse.take().table)


READERS: Mapping[Kind, Callable[[Parse], None]] = {
    Kind.COUNT: read_count,
    Kind.AGGREGATE: read_aggregate,
    Kind.SHARE: read_share,
    Kind.GROUP: read_groups,
    Kind.UNIT: read_unit,
    Kind.VALUE: read_value,
    Kind.PERIOD: read_period,
    Kind.COLUMN: _read_column,
    Kind.TABLE: _read_table,
    Kind.HIGH: read_superlative,
    Kind.LOW: read_superlative,
    Kind.COMMON: read_common,
    Kind.RARE: read_common,
    Kind.NEGATION: read_negation,
    Kind.MISSING: read_missing,
    Kind.COMPARISON: read_comparison,
    Kind.MORE: read_more,
    Kind.NUMBER: read_number,
    Kind.BETWEEN: read_between,
    Kind.ORDER: read_sorted,
    Kind.FALLING: read_direction,
    Kind.RISING: read_direction,
    Kind.DISTINCT: _read_distinct,
    Kind.COMPARE: _read_compared,
    Kind.ROWS: _read_rows,
}
_SAYS_LITTLE = frozenset({Kind.AND, Kind.OR, Kind.COMMA, Kind.WITH, Kind.WHICH, Kind.GIVEN})


def read_query(parse: Parse) -> Query:
    """Reads all items; raises `NotReadError` where one has no place."""
    _read_all(parse)
    return finished(parse)


def read_rows_meant(parse: Parse) -> str:
    """Reads all items but the times, and returns the table whose rows are meant."""
    _read_all(parse)
    return rows_meant(parse)


def _read_all(parse: Parse) -> None:
    while (one := parse.peek()) is not None:
        if one.kind is Kind.WHICH and parse.at and parse.items[parse.at - 1].kind is Kind.AND:
            raise NotReadError("Two things are asked.")
        parse.which |= one.kind is Kind.WHICH
        if one.kind in READERS:
            READERS[one.kind](parse)
        elif one.kind in _SAYS_LITTLE:
            parse.take()
        else:
            raise NotReadError(f"It was not understood what is meant by “{one.text}”.")
