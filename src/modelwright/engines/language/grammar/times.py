"""Reads times, and finds the dates that they are of."""

from dataclasses import replace
from datetime import date, timedelta

from modelwright.engines.language.catalog.meaning import CatalogColumn, CatalogTable, Role
from modelwright.engines.language.grammar.columns import hit_of
from modelwright.engines.language.grammar.items import Kind
from modelwright.engines.language.grammar.parse import NotReadError, Parse
from modelwright.engines.language.grammar.query import Field, Filter
from modelwright.engines.language.grammar.tables import leads, table_of
from modelwright.engines.language.likely_dates import likely_dates
from modelwright.engines.language.readers import Period
from modelwright.engines.language.rules.times.dated_rows import tell_when


def dated(parse: Parse, unit: str) -> Field:
    """Finds the date that is cut into units of time."""
    for table in _dated_tables(parse):
        told = parse.catalog.table(table)
        years = [one for one in told.columns if one.format == "year"] if told else []
        plain = [one for one in told.columns if one.name.lower() == unit] if told else []
        if plain and plain[0].role is not Role.DATE:
            return Field(table, plain[0].name)
        usual = _usual_date(parse, told) if told else None
        if usual is not None:
            facts = parse.facts[table, usual.name]
            if facts.type == "date":
                return Field(table, usual.name, unit, is_date=True)
            if unit in {"year", "decade"}:
                return Field(table, usual.name, "" if unit == "year" else unit)
        if years and unit in {"year", "decade"}:
            return Field(table, years[0].name, "" if unit == "year" else unit)
    raise NotReadError(f"No column of dates was found to tell the {unit} by.")


def _usual_date(parse: Parse, table: CatalogTable) -> CatalogColumn | None:
    """The date that a time is of, else the likeliest: the others are offered beside it."""
    if parse.deed is not None and parse.deed.table == table.name:
        return table.column(parse.deed.column)
    dates = likely_dates(table, lambda name: parse.facts.get((table.name, name)))
    parse.confidence -= 0.05 * (len(dates) > 1)
    return dates[0] if dates else None


def _home_tables(parse: Parse) -> list[str]:
    told = parse.related[-1:] + [one.field.table for one in parse.numbers if one.field]
    told += [table_of(parse.order)] if parse.order is not None and table_of(parse.order) else []
    told += parse.tables + [one.table for one in parse.entities]
    told += [one.field.table for one in parse.filters if one.field]
    names = told or [one.name for one in parse.catalog.tables]
    if not told and len(names) > 1:
        raise NotReadError("It is not clear which table is meant.")
    return list(dict.fromkeys(names))


def _dated_tables(parse: Parse) -> list[str]:
    """Returns the tables of what is meant, else the one that tells when its rows happened."""
    own = _home_tables(parse)
    rows = own[0] if parse.related or not parse.rows else parse.rows
    if _has_dates(parse, rows):
        return [rows]
    led_to = [
        one.name
        for one in parse.catalog.tables
        if one.name not in (rows, *parse.persons)
        and leads(parse, rows, one.name)
        and _has_dates(parse, one.name)
    ]
    found = tell_when(parse.catalog.relationships, led_to)
    if len(found) == 1:
        return found
    apart = [one for one in own if not leads(parse, rows, one) and _has_dates(parse, one)]
    return apart or [rows]


def _has_dates(parse: Parse, table: str) -> bool:
    told = parse.catalog.table(table)
    return told is not None and any(one.role is Role.DATE for one in told.columns)


def read_period(parse: Parse) -> None:
    """`In 2023`, `since May`: a test of a date."""
    period = parse.take().period
    if period is None:
        raise NotReadError
    if parse.is_timeless:
        return
    made = _timed(parse, period)
    before = parse.filters[-1] if parse.filters else None
    if before is None or before.field != made.field:
        parse.filters.append(made)
    elif made.operator == "=" and before.operator in {"=", "in"}:
        is_apart = parse.items[parse.at - 2].kind is not Kind.OR
        parse.apart = made.field if is_apart else None
        parse.filters[-1] = replace(before, operator="in", values=before.values + made.values)
    elif _follows(parse, before, made):
        parse.filters[-1] = replace(before, high=made.high)
    elif _exclude(before, made):
        raise NotReadError(f"It was not understood how “{period.text}” belongs to the rest.")
    else:
        parse.filters.append(made)


def _timed(parse: Parse, period: Period) -> Filter:
    table, column = _date_for(parse, period)
    facts = parse.facts[table, column.name]
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


def _date_for(parse: Parse, period: Period) -> tuple[str, CatalogColumn]:
    """Finds the date that a period is of: named just before it, or the table's usual one."""
    before = parse.items[parse.at - 2] if parse.at > 1 else None
    if before is not None and before.kind is Kind.COLUMN and before.columns:
        hit, column = hit_of(parse, before)
        if column.role is Role.DATE:
            parse.entities = [one for one in parse.entities if one.column != column.name]
            return hit.table, column
    for table in _dated_tables(parse):
        told = parse.catalog.table(table)
        usual = _usual_date(parse, told) if told else None
        if usual is not None:
            return table, usual
    raise NotReadError(f"No column of dates was found for “{period.text}”.")


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


def _follows(parse: Parse, one: Filter, other: Filter) -> bool:
    """Whether a range begins where the one before it ends: `in May and June`."""
    is_joined = parse.items[parse.at - 2].kind in {Kind.AND, Kind.OR, Kind.COMMA}
    ranges = one.operator == other.operator == "range"
    return is_joined and ranges and one.high is not None and one.high == other.low


def _last_year(end: date) -> int:
    return (end - timedelta(days=1)).year
