"""What a catalog says before anybody corrects it: read from names, types and values."""

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from modelwright.engines.facts import KEYLIKE, ColumnFacts
from modelwright.engines.language.catalog.columns import column_of, unique_aliases, words_of
from modelwright.engines.language.catalog.keys import (
    NAMING_KEYS,
    Values,
    find_relationships,
    numbers_its_rows,
)
from modelwright.engines.language.catalog.meaning import (
    Catalog,
    CatalogColumn,
    CatalogTable,
    Relationship,
    Role,
)
from modelwright.engines.language.catalog.metrics import revenue, with_spending, work_value
from modelwright.engines.language.row_nouns import other_nouns, row_nouns
from modelwright.engines.language.rules.columns.column import LIST
from modelwright.engines.language.rules.columns.row_numbers import numbers_rows, numbers_things
from modelwright.engines.language.rules.columns.schema import TableFacts
from modelwright.engines.language.rules.text.words import name_parts, stem
from modelwright.engines.language.vocabulary import word_list, word_set
from modelwright.engines.language.written_dates import formats_of, read_as_dates

Types = Mapping[tuple[str, str], str]
LEADING_DATES = word_list("catalog.leading_dates")
TRAILING_DATES = word_set("catalog.trailing_dates")
PLAIN_DATES = word_set("checks.of_any_date")
REFERENCES = word_set("names.reference_stems")


def infer_catalog(
    tables: Sequence[TableFacts],
    types: Types | None = None,
    values: Values | None = None,
    units: Types | None = None,
) -> Catalog:
    """Infers what tables and columns mean.

    Args:
        tables: The profile of each table.
        types: DuckDB's type of each (table, column), where it is known.
        values: The values of columns of text that have more than their profile holds.
        units: What numbers of a (table, column) were written with: `%` or a currency.

    Returns:
        A catalog whose columns tell why they were inferred so.
    """
    tables = [_with_dates(table, values or {}) for table in tables]
    relationships = tuple(find_relationships(tables, values or {}))
    aliases = unique_aliases([table.name for table in tables])
    found = tuple(
        _table(table, alias, relationships, types or {}, units or {})
        for table, alias in zip(tables, aliases, strict=True)
    )
    others = other_nouns(tables, {one.name: one.row_nouns for one in found})
    found = tuple(
        replace(one, row_nouns=(*one.row_nouns, *others.get(one.name, ()))) for one in found
    )
    metrics = tuple(one for table in found if (one := revenue(table, tables)) is not None)
    metrics = metrics or tuple(one for table in found if (one := work_value(table)) is not None)
    metrics = metrics if len(metrics) == 1 else ()
    return with_spending(Catalog(found, relationships, metrics))


def _with_dates(table: TableFacts, values: Values) -> TableFacts:
    """Reads the columns of texts and whole numbers that write dates."""
    columns = []
    for facts in table.columns:
        more = values.get((table.name, facts.name), ())
        formats = formats_of(facts, more)
        columns.append(read_as_dates(facts, formats, more) if formats else facts)
    return replace(table, columns=tuple(columns))


def _table(
    table: TableFacts,
    alias: str,
    relationships: Sequence[Relationship],
    types: Types,
    units: Types,
) -> CatalogTable:
    """Tells what the rows of a table are, which column names them, and by what it was told."""
    pointing = {one.column for one in relationships if one.table == table.name}
    pointed = {one.to_column for one in relationships if one.to_table == table.name}
    key = _key(table, pointed)
    aliases = unique_aliases([one.name for one in table.columns])
    columns = tuple(
        column_of(
            facts,
            name,
            pointing,
            key,
            types.get((table.name, facts.name), ""),
            units.get((table.name, facts.name), ""),
        )
        for facts, name in zip(table.columns, aliases, strict=True)
    )
    nouns, why_nouns = row_nouns(table, key)
    complete = {one.name for one in table.columns if not one.missing}
    called = {stem(noun) for noun in nouns} | {stem(word) for word in words_of(table.name)}
    default_date, why_date = _default_date(columns, called, complete)
    return CatalogTable(
        table.name,
        alias,
        columns,
        nouns,
        key,
        default_date,
        max((one.rows for one in table.columns), default=0),
        reasons={
            "row_nouns": why_nouns,
            "key": _why_key(key, pointed),
            "default_date": why_date,
        },
    )


def _why_key(key: str | None, pointed: set[str]) -> str:
    if key is None:
        return "no column is called as identifiers are and has a value of its own in each row"
    if key in pointed:
        return "it has a value of its own in each row, and rows of another table point to it"
    return "it is called as identifiers are and has a value of its own in each row"


def _key(table: TableFacts, pointed: set[str]) -> str | None:
    unique = numbers_its_rows(table)
    found = [one.name for one in unique if one.name in pointed]
    found += [one.name for one in unique if KEYLIKE.search(one.name)]
    found += [one.name for one in unique if numbers_things(one.name)]
    found += [one.name for one in unique if numbers_rows(one) or _refers_to_rows(one)]
    return next(iter(found), None)


def _refers_to_rows(facts: ColumnFacts) -> bool:
    """Whether a column refers to what the rows are: `Job Ref`, `Permit Number`."""
    what, *of = reversed(name_parts(facts.name))
    is_long = facts.type == "integer" and facts.rows >= LIST and what == "number"
    return (facts.type == "string" or is_long) and bool(of) and stem(what) in REFERENCES


def _default_date(
    columns: Sequence[CatalogColumn], rows: AbstractSet[str], complete: Collection[str]
) -> tuple[str | None, str]:
    """Gives the column a period means, and why: the only date, else that of what rows are about.

    Where some dates are complete, those that are missing in some rows tell of what came later.
    `rows` are stems of what the rows and their table are called.
    """
    dates = [one for one in columns if one.role is Role.DATE]
    exact = [one for one in dates if one.format != "year"] or dates
    if not exact:
        return None, "no column holds dates"
    if len(exact) == 1:
        return exact[0].name, "it is the only column of dates"
    usual = [one for one in exact if not words_of(one.name) & TRAILING_DATES]
    usual = [one for one in usual if one.name in complete] or usual
    if len(usual) == 1:
        return usual[0].name, "the other dates tell of what came later"
    called = [one for one in usual if {stem(word) for word in words_of(one.name)} & rows]
    if len(called) == 1:
        return called[0].name, "it is called as the rows are"
    others = {word for one in columns for word in _thing_named(one)}  # a return has its order's
    words = [one for one in LEADING_DATES if one not in others or stem(one) in rows]
    return _leading(usual, words)


def _leading(dates: Sequence[CatalogColumn], words: Sequence[str]) -> tuple[str | None, str]:
    """Gives the date that is called by the first of some words, and why it is meant."""
    for word in words:
        found = next((one for one in dates if word in _telling(one.name)), None)
        if found:
            return found.name, f"dates called {word} tell when rows came about"
    return None, "there are several dates, and no name tells which one is meant"


def _telling(name: str) -> set[str]:
    """Returns what tells a date from others: `incident` of Incident Date, `date` of Date."""
    return words_of(name) - PLAIN_DATES or words_of(name)


def _thing_named(column: CatalogColumn) -> set[str]:
    """Returns what a column is the number or the name of: `order` of Order and Order No."""
    if column.role in {Role.DATE, Role.MEASURE, Role.FLAG}:
        return set()
    words = words_of(column.name)
    rest = {one for one in words if stem(one) not in NAMING_KEYS and one not in NAMING_KEYS}
    return rest if len(rest) == 1 else set()
