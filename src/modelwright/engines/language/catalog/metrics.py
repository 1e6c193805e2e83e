"""Finds what revenue is, and which amounts tell what buyers spent."""

from collections.abc import Sequence
from dataclasses import replace

from modelwright.engines.language.catalog.columns import words_of
from modelwright.engines.language.catalog.meaning import (
    PERCENT,
    Additivity,
    Catalog,
    CatalogColumn,
    CatalogTable,
    Metric,
    Role,
)
from modelwright.engines.language.rules.columns.schema import TableFacts
from modelwright.engines.language.vocabulary import word_list, word_set
from modelwright.engines.quoting import quoted

COUNTED_UNITS = word_set("catalog.counted_units")
KEPT = word_set("catalog.kept")
UNIT_PRICES = word_set("catalog.unit_prices")
AMOUNTS = word_set("catalog.amounts")
BROUGHT_IN = word_set("catalog.brought_in")
SPENT = word_set("catalog.spent")
SPENDING = tuple(word_list("catalog.spending"))
BUYERS = word_set("catalog.buyers")
WORTHS = word_set("catalog.worths")
WORKED = word_set("catalog.worked")
WORK_RATES = word_set("catalog.work_rates")
REVENUE = "revenue"
WORK_VALUE = "work_value"


def with_spending(catalog: Catalog) -> Catalog:
    """Tells that what buyers spend is what is brought in, where nothing else is called so."""
    told = {
        word for table in catalog.tables for one in table.columns for word in words_of(one.name)
    }
    told |= {word for table in catalog.tables for word in words_of(table.name)}
    if told & SPENT or not told & BUYERS:
        return catalog
    if any(one.name == REVENUE for one in catalog.metrics):
        metrics = (replace(one, synonyms=one.synonyms + SPENDING) for one in catalog.metrics)
        return replace(catalog, metrics=tuple(metrics))
    brought_in = [one for table in catalog.tables for one in table.columns if _brings_in(one)]
    if len(brought_in) != 1:
        return catalog
    spent = replace(brought_in[0], synonyms=brought_in[0].synonyms + SPENDING)
    tables = (
        replace(
            table, columns=tuple(spent if one is brought_in[0] else one for one in table.columns)
        )
        for table in catalog.tables
    )
    return replace(catalog, tables=tuple(tables))


def _brings_in(column: CatalogColumn) -> bool:
    return column.additivity is Additivity.SUM and bool(words_of(column.name) & BROUGHT_IN)


def revenue(table: CatalogTable, tables: Sequence[TableFacts]) -> Metric | None:
    """Infers what rows bring in: units times a price, where no column tells it."""
    measures = {one.name: words_of(one.name) for one in table.columns if one.role is Role.MEASURE}
    facts = {one.name: one for each in tables if each.name == table.name for one in each.columns}
    units = [
        name
        for name, words in measures.items()
        if words & COUNTED_UNITS and not words & KEPT and facts[name].type == "integer"
    ]
    prices = [name for name, words in measures.items() if words & UNIT_PRICES]
    of_one = [name for name in prices if measures[name] & {"unit", "per"}] or prices
    told = any(words_of(one.name) & AMOUNTS for each in tables for one in each.columns)
    if told or len(units) != 1 or len(of_one) != 1 or units == of_one:
        return None
    expression = f"sum({_written(units[0])} * {_written(of_one[0])})"
    reason = f"{units[0]} counts units and {of_one[0]} is the price of one"
    return Metric(
        REVENUE, table.name, expression, word_list("catalog.revenue_synonyms"), reason=reason
    )


def work_value(table: CatalogTable) -> Metric | None:
    """Infers what work is worth: hours times the rate of one, where no column tells it."""
    measures = {one.name: words_of(one.name) for one in table.columns if one.role is Role.MEASURE}
    hours = [name for name, words in measures.items() if words & WORKED and not words & WORK_RATES]
    rates = [
        one.name
        for one in table.columns
        if measures.get(one.name, set()) & WORK_RATES and one.unit != PERCENT
    ]
    told = any(words & (AMOUNTS | SPENT | WORTHS) for words in measures.values())
    if told or len(hours) != 1 or len(rates) != 1:
        return None
    expression = f"sum({_written(hours[0])} * {_written(rates[0])})"
    reason = f"{hours[0]} counts hours and {rates[0]} is what one costs"
    return Metric(
        WORK_VALUE, table.name, expression, word_list("catalog.work_synonyms"), reason=reason
    )


def _written(name: str) -> str:
    return name if name.isidentifier() else quoted(name)
