"""What the columns hold that words were taken for."""

from modelwright.engines.language.catalog.meaning import Additivity, CatalogColumn, Role
from modelwright.engines.language.grammar.items import Item
from modelwright.engines.language.grammar.parse import NotReadError, Parse
from modelwright.engines.language.grammar.query import Field, Filter, Number
from modelwright.engines.language.linking.phrases import NameHit
from modelwright.engines.language.rules.columns.value_shapes import yes_no
from modelwright.engines.language.vocabulary import Aggregate, aggregates


def holds_amounts(parse: Parse, one: NameHit | Field) -> bool:
    """Whether a column holds amounts."""
    column = parse.catalog.column(one.table, one.column or "")
    return column is not None and column.role is Role.MEASURE


def need_measure(parse: Parse, hit: NameHit, column: CatalogColumn) -> None:
    """Takes a column for amounts; raises `NotReadError` where it holds none."""
    facts = parse.facts.get((hit.table, column.name))
    if facts is None or facts.type not in {"integer", "float"} or column.role is Role.ID:
        raise NotReadError(f"{column.label} holds no amounts.")


def is_measure(parse: Parse, item: Item | None) -> bool:
    """Whether words name a column of amounts."""
    return item is not None and bool(item.columns) and holds_amounts(parse, item.columns[0])


def added_up(hit: NameHit, column: CatalogColumn) -> Number:
    """Adds up a column; raises `NotReadError` where it does not add up."""
    if column.additivity is not Additivity.SUM:
        raise NotReadError(f"{column.label} does not add up.")
    return Number(named_aggregate("sum"), as_field(hit, column))


def add_flag_test(parse: Parse, hit: NameHit, column: CatalogColumn, *, negated: bool) -> None:
    """Keeps the rows that a flag says yes of, or no: `insured`, `not insured`."""
    yes, no = yes_no(parse.facts[hit.table, column.name])
    value = no if negated else yes
    if value is None:
        raise NotReadError(f"It is not clear what {column.label} says.")
    parse.filters.append(Filter(as_field(hit, column), "=", (value,)))


def hit_of(parse: Parse, item: Item) -> tuple[NameHit, CatalogColumn]:
    """Returns the column that words were taken for; the less they name it, the less sure."""
    hit = item.columns[0]
    column = parse.catalog.column(hit.table, hit.column or "")
    if column is None:
        raise NotReadError
    parse.confidence -= max(0.0, (0.9 - hit.quality) / 4)
    return hit, column


def usual_figure(parse: Parse, one: Field) -> Number:
    """Computes what is usual of a column that nothing was said of: a sum, or an average."""
    column = parse.catalog.column(one.table, one.column)
    adds = column is not None and column.additivity is Additivity.SUM
    if not adds:
        parse.confidence -= 0.2
    return Number(named_aggregate("sum" if adds else "avg"), one)


def as_field(hit: NameHit, column: CatalogColumn, unit: str = "") -> Field:
    """Returns the column that was named, in units of time where one is told."""
    return Field(
        hit.table, column.name, unit, is_date=column.role is Role.DATE and not column.format
    )


def named_aggregate(name: str) -> Aggregate:
    """Finds an aggregate by its name."""
    return next(one for one in aggregates() if one.name == name)
