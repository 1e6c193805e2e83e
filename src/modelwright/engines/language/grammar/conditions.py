"""Reads tests of rows and of groups: values, amounts, averages."""

from itertools import pairwise

from modelwright.engines.facts import Value
from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.grammar.columns import added_up, as_field, hit_of, holds_amounts
from modelwright.engines.language.grammar.items import Kind
from modelwright.engines.language.grammar.parse import NotReadError, Parse
from modelwright.engines.language.grammar.query import Field, Filter, Number
from modelwright.engines.language.grammar.tables import leads
from modelwright.engines.language.linking.phrases import BY_HEAD, WHOLE


def read_value(parse: Parse, *, negated: bool = False) -> None:
    """`Open orders`, `in Oslo and Rome`: values of one column."""
    first = parse.take()
    table, column = first.values[0].table, first.values[0].column
    values = [one.value for one in first.values]
    _pass_column(parse, table, column)
    parse.confidence -= (1 - first.quality) / 2
    is_apart = not negated
    joining = (Kind.AND, Kind.OR, Kind.COMMA, Kind.COMPARE)
    while parse.is_next(*joining) and parse.is_next(Kind.VALUE, ahead=1):
        coming = parse.peek(1)
        same = (
            [v for v in coming.values if (v.table, v.column) == (table, column)] if coming else []
        )
        if not same:
            break
        is_apart &= not parse.is_next(Kind.OR)
        parse.compares |= parse.is_next(Kind.COMPARE)
        parse.at += 2
        values += [one.value for one in same]
        _pass_column(parse, table, column)
    many = len(set(map(str, values))) > 1
    operator = ("not in" if many else "!=") if negated else ("in" if many else "=")
    kept = tuple(dict.fromkeys(values))
    if many and is_apart:
        parse.apart = Field(table, column)
    parse.filters.append(Filter(Field(table, column), operator, kept))


def _pass_column(parse: Parse, table: str, column: str) -> None:
    """Passes over the name of the column behind its value: `in poor condition`."""
    coming = parse.peek()
    if coming is not None and coming.kind is Kind.COLUMN:
        hit = coming.columns[0]
        if (hit.table, hit.column) == (table, column):
            parse.take()


def tests_follow(parse: Parse, ahead: int) -> bool:
    """Whether a comparison, a value or what is missing is said of the column here."""
    one = parse.peek(ahead)
    if one is None:
        return False
    if one.kind in {Kind.COMPARISON, Kind.MISSING}:
        return True
    if one.kind is Kind.NUMBER:
        return not parse.is_next(Kind.COLUMN, ahead=ahead + 1)
    if one.kind is Kind.BETWEEN:
        return parse.is_next(Kind.NUMBER, ahead=ahead + 1)
    item = parse.peek(ahead - 1)
    if one.kind is Kind.VALUE and item is not None and item.columns:
        hit = item.columns[0]
        return any((v.table, v.column) == (hit.table, hit.column) for v in one.values)
    return False


def read_tested_column(parse: Parse) -> None:
    """A column with the test that follows it: `price over 100`, `insurance is missing`."""
    hit, column = hit_of(parse, parse.take())
    if _is_mean_next(parse):
        operator, _ = parse.take().operator, parse.take()
        number = added_up(hit, column)
        if not parse.tables or leads(parse, parse.tables[0], hit.table):
            raise NotReadError("It is not said of what the average is.")
        _than_mean(parse, operator, number)
        return
    field_ = as_field(hit, column)
    if parse.is_next(Kind.VALUE):
        read_value(parse)
        return
    if parse.is_next(Kind.MISSING):
        parse.take()
        parse.filters.append(Filter(field_, "missing"))
        return
    operator, values = _bounds(parse)
    parse.filters.append(Filter(field_, operator, values))


def _bounds(parse: Parse) -> tuple[str, tuple[Value, ...]]:
    if parse.is_next(Kind.BETWEEN):
        parse.take()
        low = _amount(parse)
        if not parse.is_next(Kind.AND):
            raise NotReadError("It is not said up to what.")
        parse.take()
        return "between", (low, _amount(parse))
    operator = parse.take().operator if parse.is_next(Kind.COMPARISON) else "="
    value = _amount(parse)
    if parse.is_next(Kind.AFTER_NUMBER):
        operator = parse.take().operator
    return operator, (value,)


def _amount(parse: Parse) -> Value:
    if not parse.is_next(Kind.NUMBER):
        raise NotReadError("It is not said with what it is compared.")
    return parse.take().number


def read_comparison(parse: Parse) -> None:
    """`Over 100 calories`, `more than 3 bedrooms`, `with more than 5 orders`."""
    operator, values = _bounds(parse)
    _compared_thing(parse, operator, values)


def read_more(parse: Parse) -> None:
    """`More tickets than the average`, `rented more often than average`."""
    cue = parse.take()
    number = Number(is_count=True)
    if parse.is_next(Kind.TABLE, Kind.ROWS):
        taken = parse.take()
        parse.tables += [taken.table] if taken.table else []
    elif parse.is_next(Kind.COLUMN):
        hit, column = hit_of(parse, parse.take())
        number = added_up(hit, column)
    if not parse.is_next(Kind.THAN_AVERAGE):
        raise NotReadError(f"It was not understood what is meant by “{cue.text}”.")
    parse.take()
    _than_mean(parse, cue.operator, number)


def _than_mean(parse: Parse, operator: str, number: Number) -> None:
    """Holds a number of each of what is listed against its mean: `than the average shop`."""
    if not parse.tables:
        raise NotReadError("It is not said of what the average is.")
    if parse.is_next(Kind.TABLE) and parse.peek().table == parse.tables[0]:  # type: ignore[union-attr]
        parse.take()
    parse.having.append(Filter(None, operator, number=number, of_mean=True))


def _is_mean_next(parse: Parse) -> bool:
    """Whether it is held against an average: `more than the average book`."""
    coming = parse.peek(1)
    told = coming.aggregate if coming is not None else None
    return parse.is_next(Kind.COMPARISON) and told is not None and told.name == "avg"


def read_between(parse: Parse) -> None:
    """`Between 3 and 5 rooms`."""
    if not parse.is_next(Kind.NUMBER, ahead=1):
        if parse.take().text == "from":
            return
        raise NotReadError("It was not understood what lies between.")
    operator, values = _bounds(parse)
    _compared_thing(parse, operator, values)


def _compared_thing(parse: Parse, operator: str, values: tuple[Value, ...]) -> None:
    if parse.is_next(Kind.ROWS, Kind.TABLE):
        item = parse.take()
        if item.kind is Kind.TABLE:
            parse.tables.append(item.table)
        parse.having.append(Filter(None, operator, values, Number(is_count=True)))
        return
    if parse.is_next(Kind.COLUMN) and not _is_unit(parse):
        item = parse.take()
        hit, column = hit_of(parse, item)
        said = item.text.casefold()
        if said.endswith("ed") and said not in column.label:  # `15 rated rides`, of Rating
            raise NotReadError(f"It was not understood what “{item.text}” tests.")
        if column.role in {Role.MEASURE, Role.DATE}:
            parse.filters.append(Filter(as_field(hit, column), operator, values))
            return
    elif parse.numbers and (parse.groups or parse.entities) and parse.numbers[-1].field:
        parse.having.append(Filter(None, operator, values, parse.numbers[-1]))
        return
    elif parse.entities and holds_amounts(parse, parse.entities[-1]):
        parse.filters.append(Filter(parse.entities.pop(), operator, values))
        return
    raise NotReadError("It is not said what is compared.")


def _is_unit(parse: Parse) -> bool:
    """Takes a word that only says in what an amount is told: `duration of more than 5 minutes`."""
    amounts = [one.field for one in parse.numbers] or parse.entities
    last, coming = amounts[-1] if amounts else None, parse.peek()
    if last is None or coming is None:
        return False
    told = (*coming.columns, *coming.names)
    named = {(one.table, one.column): one.quality for one in told}
    if named.get((last.table, last.column), WHOLE) > BY_HEAD:
        return False
    parse.take()
    return True


def read_number(parse: Parse) -> None:
    """`3 bedrooms`: a number before what it counts; `5 cheapest`, before a superlative."""
    item = parse.take()
    if parse.is_next(Kind.HIGH, Kind.LOW, Kind.COMMON, Kind.RARE):
        parse.limit = int(item.number)
        return
    if parse.is_next(Kind.AFTER_NUMBER):
        operator = parse.take().operator
        _compared_thing(parse, operator, (item.number,))
        return
    if parse.limit is None and parse.is_next(Kind.TABLE) and _ranks(parse):
        parse.limit = int(item.number)  # `most returned 5 books`, `5 shops with the most sales`
        return
    if parse.limit is None and _is_of_kinds(parse) and _ranks(parse):
        parse.limit = int(item.number)  # `the three operators with the most batches`
        return
    if parse.is_next(Kind.COLUMN):
        hit, column = hit_of(parse, parse.take())
        holds_numbers = parse.facts[hit.table, column.name].type in {"integer", "float"}
        if holds_numbers and column.role in {Role.MEASURE, Role.DIMENSION}:
            parse.filters.append(Filter(as_field(hit, column), "=", (item.number,)))
            return
    raise NotReadError(f"It was not understood what {item.text} is.")


def _is_of_kinds(parse: Parse) -> bool:
    """Whether what follows names kinds in words, which no number is a test of."""
    coming = parse.peek()
    if coming is None or coming.kind is not Kind.COLUMN:
        return False
    return parse.facts[coming.columns[0].table, coming.columns[0].column or ""].type == "string"


def _ranks(parse: Parse) -> bool:
    """Whether something is ranked: by what came before, or by rows or amounts behind it."""
    ends, ranking = {Kind.HIGH, Kind.LOW}, {Kind.TABLE, Kind.ROWS, Kind.COLUMN}
    return parse.superlative is not None or any(
        one.kind in ends and then.kind in ranking for one, then in pairwise(parse.items[parse.at :])
    )
