"""Reads the groups that something is told of: columns, tables, units of time."""

from dataclasses import replace

from modelwright.engines.language.catalog.meaning import Additivity, Role
from modelwright.engines.language.grammar.columns import (
    as_field,
    hit_of,
    holds_amounts,
    is_measure,
    named_aggregate,
    usual_figure,
)
from modelwright.engines.language.grammar.conditions import tests_follow
from modelwright.engines.language.grammar.items import ALWAYS_GROUPS, Item, Kind
from modelwright.engines.language.grammar.order import ranks_by
from modelwright.engines.language.grammar.parse import NotReadError, Parse
from modelwright.engines.language.grammar.query import Field, Number
from modelwright.engines.language.grammar.tables import is_owner, key_of, table_of, what_tells
from modelwright.engines.language.grammar.times import dated
from modelwright.engines.language.linking.phrases import BY_CONCEPT, BY_HEAD

MOST_AMOUNTS = 50
"""Amounts of which there are more make no groups."""


def read_groups(parse: Parse) -> None:
    """`By city and year`; behind a superlative what follows may rank: `top 5 by sales`."""
    cue = parse.take()
    if parse.superlative is not None and parse.order is None and ranks_by(parse):
        return
    if cue.text == "per" and _divides(parse):
        return
    parse.each |= cue.text not in {"by", "per"}
    if parse.is_next(Kind.COUNT):
        parse.take()
    coming = parse.peek()
    if coming and coming.kind is Kind.VALUE and cue.text == "by" and not coming.is_apart:
        return  # what it was done by is a test: `films directed by Scorsese`
    first = True
    while first or parse.is_next(Kind.AND, Kind.COMMA):
        skipped = 0 if first else 1
        if not parse.is_next(Kind.COLUMN, Kind.UNIT, Kind.TABLE, ahead=skipped):
            break
        if skipped and tests_follow(parse, skipped + 1):
            break
        parse.at += skipped + is_owner(parse, skipped)
        _add_group(parse, parse.take())
        first = False
    if first:
        raise NotReadError(f"It was not understood by what “{cue.text}” groups.")


def _divides(parse: Parse) -> bool:
    """Reads `cost per hour`: the total of one amount, divided by that of another."""
    coming = parse.peek()
    if coming is None or not is_measure(parse, coming) or tests_follow(parse, 1):
        return False
    if parse.numbers or not parse.entities or not holds_amounts(parse, parse.entities[-1]):
        return False
    hit, column = hit_of(parse, coming)
    if hit.quality < BY_HEAD:
        raise NotReadError(f"It was not understood what is meant by “{coming.text}”.")
    amount = parse.entities[-1]
    if amount.table != hit.table:
        return False
    parse.take()
    parse.entities.pop()
    told = usual_figure(parse, amount)
    if not (column.additivity is Additivity.SUM and told.aggregate == named_aggregate("sum")):
        raise NotReadError(f"{column.label} does not add up.")
    parse.numbers.append(replace(told, over=as_field(hit, column)))
    return True


def _add_group(parse: Parse, item: Item) -> None:
    if item.kind is Kind.TABLE and is_of_rows(parse, item.table):
        return
    if item.kind is Kind.TABLE and parse.averages_counts and not parse.groups:
        parse.groups.append(key_of(parse, item.table))
        return
    if item.kind is Kind.TABLE and item.columns:
        own = tuple(one for one in item.columns if one.table == item.table)
        item = replace(item, kind=Kind.COLUMN, columns=own or item.columns)
    if item.kind is Kind.UNIT:
        _group_by_time(parse, item.unit)
    elif item.kind is Kind.TABLE:
        parse.groups.append(what_tells(parse, item.table))
        parse.confidence -= 0.1
    else:
        hit, column = hit_of(parse, item)
        if hit.quality <= BY_CONCEPT:
            raise NotReadError(f"It was not understood what is meant by “{item.text}”.")
        facts = parse.facts.get((hit.table, column.name))
        is_wide = facts is not None and facts.distinct > max(50, facts.rows // 3)
        if column.role is Role.MEASURE and facts and facts.distinct > MOST_AMOUNTS:
            raise NotReadError(f"{column.label} hardly repeats and makes no groups.")
        unit = ""
        if column.role is Role.DATE and facts is not None and facts.type == "date":
            unit = "day" if is_wide else ""
        _add_column(parse, as_field(hit, column, unit))


def _add_column(parse: Parse, told: Field) -> None:
    """Adds a group; a date behind a unit of time says of what it is: `per month, by due date`."""
    last = parse.groups[-1] if parse.groups else None
    if last is not None and last.unit and last.is_date and told.is_date:
        parse.groups[-1] = replace(told, unit=last.unit)
    else:
        parse.groups.append(told)


def is_of_rows(parse: Parse, table: str) -> bool:
    """Whether an average is one of each row already: `average fuel per voyage`."""
    last = parse.numbers[-1] if parse.numbers else Number()
    is_average = last.aggregate is not None and last.aggregate.name == "avg"
    told = parse.catalog.table(table)
    return is_average and table_of(last) == table and told is not None and bool(told.key)


def read_unit(parse: Parse) -> None:
    """`Monthly`, `which year`: a unit of time as a group."""
    item = parse.take()
    if _counts_rows(parse, item):
        return
    if item.text in ALWAYS_GROUPS or _entity_expected(parse):
        _group_by_time(parse, item.unit)
        return
    raise NotReadError(f"It was not understood what is meant by “{item.text}”.")


def _counts_rows(parse: Parse, item: Item) -> bool:
    """Whether every row is another day, or month."""
    if len(parse.catalog.tables) > 1 or item.text in ALWAYS_GROUPS or item.text == item.unit:
        return False
    table = parse.catalog.tables[0]
    facts = parse.facts.get((table.name, table.default_date or ""))
    if facts is None or facts.distinct < facts.rows or facts.missing:
        return False
    return item.unit == "day" or facts.name.lower() == item.unit


def _entity_expected(parse: Parse) -> bool:
    return parse.which or parse.superlative is not None


def _group_by_time(parse: Parse, unit: str) -> None:
    if not parse.is_timeless:
        parse.groups.append(dated(parse, unit))
