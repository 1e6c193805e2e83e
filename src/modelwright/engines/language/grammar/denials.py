"""Reads what is left out, and what is missing."""

from modelwright.engines.language.catalog.meaning import CatalogColumn, Role
from modelwright.engines.language.grammar.columns import add_flag_test, as_field, hit_of
from modelwright.engines.language.grammar.conditions import read_value, tests_follow
from modelwright.engines.language.grammar.items import Item, Kind
from modelwright.engines.language.grammar.parse import NotReadError, Parse
from modelwright.engines.language.grammar.query import Filter
from modelwright.engines.language.grammar.tables import leads
from modelwright.engines.language.linking.phrases import NameHit
from modelwright.engines.language.rules.columns.value_shapes import none_kind
from modelwright.engines.language.vocabulary import word_set

_LEAVING_OUT = word_set("negation.leaving_out")


def read_negation(parse: Parse) -> None:
    """`Without insurance`, `not in Oslo`, `no orders`."""
    before, is_apart = len(parse.filters), parse.is_next(Kind.COMMA, ahead=-1)
    cue = _denied(parse)
    if cue.text in _LEAVING_OUT or is_apart:
        parse.left_out += parse.filters[before:]


def _denied(parse: Parse) -> Item:
    """Reads what is denied; returns the word that denies it."""
    cue = parse.take()
    if parse.is_next(Kind.WITH) and parse.is_next(Kind.TABLE, ahead=1):
        parse.take()  # `never had an order`
    if parse.is_next(Kind.GIVEN) and parse.is_next(Kind.COLUMN, ahead=1):
        parse.take()
    if parse.is_next(Kind.COLUMN) and parse.is_next(Kind.VALUE, ahead=1) and tests_follow(parse, 1):
        parse.take()
    coming = parse.peek()
    if coming is not None and coming.kind is Kind.VALUE:
        if cue.text == "never" and coming.is_apart:
            raise NotReadError(f"It was not understood what “{cue.text}” leaves out.")
        read_value(parse, negated=True)
    elif parse.is_next(Kind.TABLE):
        _none_of(parse, parse.take().table)
    elif _is_done_to_rows(parse):
        _none_of(parse, parse.take().columns[0].table)
    elif parse.is_next(Kind.COLUMN):
        _without(parse, *hit_of(parse, parse.take()))
    else:
        raise NotReadError(f"It was not understood what “{cue.text}” leaves out.")
    return cue


def _is_done_to_rows(parse: Parse) -> bool:
    """Whether what never was is told by the date of another table: `never inspected`."""
    coming = parse.peek()
    if coming is None or coming.kind is not Kind.COLUMN or not parse.tables:
        return False
    hit, column = hit_of(parse, coming)
    is_other = hit.table != parse.tables[0]
    return is_other and column.role is Role.DATE and leads(parse, hit.table, parse.tables[0])


def _none_of(parse: Parse, table: str) -> None:
    """`No orders`; what each of them is of says no more: `never booked a class`."""
    parse.related.append(table)
    while (coming := parse.peek()) and coming.kind is Kind.TABLE:
        if not leads(parse, table, coming.table):
            return
        parse.take()


def _without(parse: Parse, hit: NameHit, column: CatalogColumn) -> None:
    """`Without insurance`: a flag that says no, what is missing, a number that is nought."""
    facts = parse.facts[hit.table, column.name]
    if column.role is Role.FLAG:
        add_flag_test(parse, hit, column, negated=True)
    elif (nothing := none_kind(facts)) is not None:
        parse.filters.append(Filter(as_field(hit, column), "=", (nothing,)))
    elif facts.missing:
        parse.filters.append(Filter(as_field(hit, column), "missing"))
    elif column.role is Role.MEASURE and facts.minimum == 0:
        parse.filters.append(Filter(as_field(hit, column), "=", (0,)))
    else:
        raise NotReadError(f"{column.label} is always given.")
    if parse.is_next(Kind.GIVEN):
        parse.take()


def read_missing(parse: Parse) -> None:
    """`Missing prices`."""
    parse.take()
    if not parse.is_next(Kind.COLUMN):
        raise NotReadError("It is not said what is missing.")
    hit, column = hit_of(parse, parse.take())
    parse.filters.append(Filter(as_field(hit, column), "missing"))
