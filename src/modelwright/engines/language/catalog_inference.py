"""What a catalog says before anybody corrects it: read from names, types and values."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from modelwright.engines.facts import KEYLIKE, ColumnFacts, Value
from modelwright.engines.language.catalog import (
    PERCENT,
    Additivity,
    Catalog,
    CatalogColumn,
    CatalogTable,
    Metric,
    Relationship,
    Role,
)
from modelwright.engines.language.row_nouns import other_nouns, row_nouns
from modelwright.engines.language.rules.columns.column import LIST
from modelwright.engines.language.rules.columns.row_numbers import numbers_rows, numbers_things
from modelwright.engines.language.rules.columns.schema import (
    Key,
    TableFacts,
    find_keys,
    of_persons,
    tells_doer,
)
from modelwright.engines.language.rules.columns.value_shapes import kind_of, shape_of, yes_no
from modelwright.engines.language.rules.text.lexicon import lexicon, spelled_out
from modelwright.engines.language.rules.text.words import name_parts, squeezed, stem
from modelwright.engines.language.temporal.calendar import FIRST_YEAR, LAST_YEAR
from modelwright.engines.language.vocabulary import word_list, word_set, word_values
from modelwright.engines.language.written_dates import (
    COMPACT,
    SEPARATOR,
    formats_of,
    read_as_dates,
)
from modelwright.engines.quoting import quoted

Types = Mapping[tuple[str, str], str]
Values = Mapping[tuple[str, str], Sequence[Value]]

MAX_FLAG_VALUES = 2
"""Values of a column that says yes or no."""
UNKNOWN = word_set("values.of_any_column") - word_set("values.yes", "values.no")
"""Values of a column of yes and no that say neither."""
UNIQUE_SHARE = 0.98
"""Which share of the rows must have a value of their own in a key."""
SELF_KEY_SHARE = 0.9
"""Which share of a column's rows must name rows of the same table for a key to itself."""

FEWEST_ROWS = 20
"""Fewer rows are not told to be led to by their values alone."""
FEWEST_VALUES = 3
"""Codes of one length that lead somewhere have at least so many different values."""
NAMED_SHARE = 0.5
"""Which share of the values must lead to rows where the two columns are called alike."""

AVERAGED = word_set("catalog.averaged")
NOT_AGGREGATED = word_set("catalog.not_aggregated")
SUMMED = word_set("catalog.summed")
CODED = word_set("catalog.coded")
OF_YEARS = word_set("catalog.of_years")
PRIVATE = word_set("catalog.private")
LEADING_DATES = word_list("catalog.leading_dates")
TRAILING_DATES = word_set("catalog.trailing_dates")
PLAIN_DATES = word_set("checks.of_any_date")
SELF_ROLES = word_set("names.self_roles")
NAMING_KEYS = word_set("names.key_stems", "names.reference_stems") | {"name", "to", "no", "nr"}
"""Stems of what the name of a key says besides whom it names."""
KEY_WORDS = word_set("names.key_stems")
REFERENCES = word_set("names.reference_stems")
UNITS: dict[str, str] = word_values("catalog.units")
COUNTED_UNITS = word_set("catalog.counted_units")
NUMBERED = word_set("names.numbered")
"""Last parts of names of numbers that tell something apart: `street_no`."""
KEPT = word_set("catalog.kept")
UNIT_PRICES = word_set("catalog.unit_prices")
AMOUNTS = word_set("catalog.amounts")
BROUGHT_IN = word_set("catalog.brought_in")
SPENT = word_set("catalog.spent")
SPENDING = tuple(word_list("catalog.spending"))
BUYERS = word_set("catalog.buyers")
REVENUE = "revenue"
NOT_LETTERS = re.compile(r"\W+|_+")


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
    relationships = tuple(_relationships(tables, values or {}))
    aliases = _unique_aliases([table.name for table in tables])
    found = tuple(
        _table(table, alias, relationships, types or {}, units or {})
        for table, alias in zip(tables, aliases, strict=True)
    )
    others = other_nouns(tables, {one.name: one.row_nouns for one in found})
    found = tuple(
        replace(one, row_nouns=(*one.row_nouns, *others.get(one.name, ()))) for one in found
    )
    metrics = tuple(one for table in found if (one := _revenue(table, tables)) is not None)
    metrics = metrics if len(metrics) == 1 else ()
    return _with_spending(Catalog(found, relationships, metrics))


def _with_dates(table: TableFacts, values: Values) -> TableFacts:
    """Reads the columns of texts and whole numbers that write dates."""
    columns = []
    for facts in table.columns:
        more = values.get((table.name, facts.name), ())
        formats = formats_of(facts, more)
        columns.append(read_as_dates(facts, formats, more) if formats else facts)
    return replace(table, columns=tuple(columns))


def _with_spending(catalog: Catalog) -> Catalog:
    """Tells that what buyers spend is what is brought in, where nothing else is called so."""
    told = {word for table in catalog.tables for one in table.columns for word in _words(one.name)}
    told |= {word for table in catalog.tables for word in _words(table.name)}
    if told & SPENT or not told & BUYERS:
        return catalog
    if catalog.metrics:
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
    return column.additivity is Additivity.SUM and bool(_words(column.name) & BROUGHT_IN)


def _revenue(table: CatalogTable, tables: Sequence[TableFacts]) -> Metric | None:
    """Infers what rows bring in: units times a price, where no column tells it."""
    measures = {one.name: _words(one.name) for one in table.columns if one.role is Role.MEASURE}
    facts = {one.name: one for each in tables if each.name == table.name for one in each.columns}
    units = [
        name
        for name, words in measures.items()
        if words & COUNTED_UNITS and not words & KEPT and facts[name].type == "integer"
    ]
    prices = [name for name, words in measures.items() if words & UNIT_PRICES]
    of_one = [name for name in prices if measures[name] & {"unit", "per"}] or prices
    told = any(_words(one.name) & AMOUNTS for each in tables for one in each.columns)
    if told or len(units) != 1 or len(of_one) != 1 or units == of_one:
        return None
    expression = f"sum({_written(units[0])} * {_written(of_one[0])})"
    reason = f"{units[0]} counts units and {of_one[0]} is the price of one"
    return Metric(
        REVENUE, table.name, expression, word_list("catalog.revenue_synonyms"), reason=reason
    )


def _written(name: str) -> str:
    return name if name.isidentifier() else quoted(name)


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
    aliases = _unique_aliases([one.name for one in table.columns])
    columns = tuple(
        _column(
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
    called = {stem(noun) for noun in nouns} | {stem(word) for word in _words(table.name)}
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


def _column(
    facts: ColumnFacts, alias: str, pointing: set[str], key: str | None, sql_type: str, written: str
) -> CatalogColumn:
    """Tells what a column means, and for each thing by what it was told."""
    role, reason = _role(facts, pointing, key)
    words = _words(facts.name) | ({PERCENT} if PERCENT in facts.name else set())
    additivity, why = _additivity(facts, words, written) if role is Role.MEASURE else (None, "")
    told = _unit_in(facts.name)
    why_unit = f"its name says {told}" if told else ""
    if written:
        why_unit = f"its file writes {written} with every number"
    yearly = role is Role.DATE and facts.type != "date"
    private = min(words & PRIVATE, default="") if facts.type == "string" else ""
    reasons = {
        "label": "it is called so",
        "role": reason,
        "additivity": why,
        "unit": why_unit,
        "format": "it holds years" if yearly else _why_format(facts),
        "private": f"texts called {private} are of persons" if private else "",
    }
    return CatalogColumn(
        facts.name,
        alias,
        " ".join(spelled_out(facts.name)),
        role,
        sql_type,
        additivity,
        written or UNITS.get(told, ""),
        "year" if yearly else SEPARATOR.join(facts.written),
        private=bool(private),
        reasons={name: one for name, one in reasons.items() if one},
    )


def _why_format(facts: ColumnFacts) -> str:
    """Says why a column is stored as text though it holds dates."""
    if not facts.written:
        return ""
    return (
        "it holds " + ("whole numbers" if COMPACT in facts.written else "texts") + " that are dates"
    )


def _role(facts: ColumnFacts, pointing: set[str], key: str | None) -> tuple[Role, str]:
    """Decides what a column is for, and says why."""
    reasons = {
        (Role.ID, "its values name the rows"): facts.name == key,
        (Role.ID, "its values name rows of another table"): facts.name in pointing,
        (Role.DATE, "it holds dates"): facts.type == "date",
        (Role.FLAG, "it says yes or no"): facts.type == "boolean",
        (Role.FLAG, "its two values say yes or no"): _is_flag(facts),
        (Role.ID, "it is called as identifiers are and hardly repeats"): (
            bool(KEYLIKE.search(facts.name)) and 2 * facts.distinct > facts.rows
        ),
        (Role.ID, "its numbers count the rows"): numbers_rows(facts),
        (Role.DIMENSION, "it holds text"): facts.type == "string",
    }
    found = next((reason for reason, holds in reasons.items() if holds), None)
    return found or _role_of_numbers(facts)


def _role_of_numbers(facts: ColumnFacts) -> tuple[Role, str]:
    words = _words(facts.name)
    if facts.type == "integer" and words & OF_YEARS and _are_years(facts):
        return Role.DATE, "it holds years"
    if KEYLIKE.search(facts.name):
        return Role.ID, "it is called as identifiers are"
    _, *last = name_parts(facts.name)[-2:]
    numbers = bool(NUMBERED & {*last})
    numbers = numbers or numbers_things(facts.name)
    if facts.type == "integer" and (words & CODED or numbers):
        return Role.DIMENSION, "its numbers are codes by its name"
    return Role.MEASURE, "it holds numbers"


def _unit_in(name: str) -> str:
    """Returns the unit that a name tells, not that of a period: `Visits Last 30 Days`."""
    signs = [sign for sign in UNITS if not sign.isalnum() and sign in name]
    parts = [*map(str.casefold, spelled_out(name))]
    told = [one for at, one in enumerate(parts) if one in UNITS and not parts[at - 1].isdigit()]
    return next(iter([*signs, *told]), "")


def _is_flag(facts: ColumnFacts) -> bool:
    """Whether a column says yes or no, and of some rows at most that it is not known."""
    unknown = {
        value
        for value, _ in facts.top
        if squeezed(str(value)) in UNKNOWN or str(value).casefold().startswith("not ")
    }
    kinds = {kind_of(value) for value, _ in facts.top if value not in unknown}
    spelled = facts.distinct - len(facts.top) + len(kinds)
    return spelled <= MAX_FLAG_VALUES and None not in yes_no(facts)


def _are_years(facts: ColumnFacts) -> bool:
    low, high = facts.minimum, facts.maximum
    if isinstance(low, int) and isinstance(high, int):
        return FIRST_YEAR <= low <= high <= LAST_YEAR
    return shape_of(facts) == "year"


def _additivity(facts: ColumnFacts, words: set[str], written: str) -> tuple[Additivity, str]:
    if words & NOT_AGGREGATED:
        return Additivity.NEITHER, "its name is that of a place or a code"
    if PERCENT in {written, *words}:
        return Additivity.AVERAGE, "percentages do not add up"
    averaged, summed = words & AVERAGED, words & SUMMED
    if averaged and not summed:
        return Additivity.AVERAGE, f"amounts called {min(averaged)} do not add up"
    if {"unit", "per"} & words and not {"units"} & words:
        return Additivity.AVERAGE, "it is told for one unit"
    low = facts.minimum
    if isinstance(low, int | float) and low < 0 and not summed:
        return Additivity.SUM, "it holds amounts, some below nothing"
    return Additivity.SUM, "it holds amounts"


def _key(table: TableFacts, pointed: set[str]) -> str | None:
    unique = _numbering(table)
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


def _numbering(table: TableFacts) -> list[ColumnFacts]:
    """Returns the columns that tell each row from the others."""
    return [
        one
        for one in table.columns
        if one.missing == 0 and one.distinct >= UNIQUE_SHARE * one.rows
        if one.type in {"integer", "string"} and one.rows > 1
    ]


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
    usual = [one for one in exact if not _words(one.name) & TRAILING_DATES]
    usual = [one for one in usual if one.name in complete] or usual
    if len(usual) == 1:
        return usual[0].name, "the other dates tell of what came later"
    called = [one for one in usual if {stem(word) for word in _words(one.name)} & rows]
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
    return _words(name) - PLAIN_DATES or _words(name)


def _thing_named(column: CatalogColumn) -> set[str]:
    """Returns what a column is the number or the name of: `order` of Order and Order No."""
    if column.role in {Role.DATE, Role.MEASURE, Role.FLAG}:
        return set()
    words = _words(column.name)
    rest = {one for one in words if stem(one) not in NAMING_KEYS and one not in NAMING_KEYS}
    return rest if len(rest) == 1 else set()


def _relationships(tables: Sequence[TableFacts], values: Values) -> Iterable[Relationship]:
    """Yields the keys that names lead to, then those that values alone show."""
    facts = {(table.name, one.name): one for table in tables for one in table.columns}
    named = _without_mirrors(find_keys(tables), facts) if len(tables) > 1 else []
    named = [*named, *(key for table in tables for key in _self_keys(table, named))]
    told = {(key.table, key.to_table, _role_name(key)) for key in named}
    valued = [
        key
        for key in keys_by_values(tables, values, named)
        if (key.table, key.to_table, _role_name(key)) not in told
    ]
    keys = [*named, *valued]
    pairs = Counter((key.table, key.to_table) for key in keys)
    for key in keys:
        role = _role_name(key)
        alone = pairs[key.table, key.to_table] == 1 and key.table != key.to_table
        orphans = _orphans(facts[key.table, key.column], facts[key.to_table, key.to_column])
        why = (
            f"its values are those of {key.to_column} of {key.to_table}"
            if key in valued
            else f"its name leads to {key.to_table}, and its values are among those of"
            f" {key.to_column}"
        )
        yield Relationship(
            key.table,
            key.column,
            key.to_table,
            key.to_column,
            "" if alone else role,
            orphans,
            why,
        )


def _without_mirrors(
    keys: Sequence[Key], facts: Mapping[tuple[str, str], ColumnFacts]
) -> list[Key]:
    """Leaves out keys that lead from the rows that another key leads to: ids that count alike."""
    back = {(key.to_table, key.to_column, key.table) for key in keys if not _is_unique(facts, key)}
    return [
        key
        for key in keys
        if not ((key.table, key.column, key.to_table) in back and _is_unique(facts, key))
    ]


def _is_unique(facts: Mapping[tuple[str, str], ColumnFacts], key: Key) -> bool:
    one = facts[key.table, key.column]
    return one.distinct >= UNIQUE_SHARE * max(1, one.rows)


def keys_by_values(
    tables: Sequence[TableFacts], values: Values, named: Sequence[Key]
) -> Iterable[Key]:
    """Finds keys that names do not tell: texts that are all among those that name other rows.

    Args:
        tables: The profile of each table.
        values: The values of columns of text that have more than their profile holds.
        named: The keys that are known by their names.

    Yields:
        A key for each column whose values lead to the rows of one table only.
    """
    taken = {(key.table, key.column) for key in named}
    led_to = {(key.to_table, key.to_column) for key in named}
    naming = [
        (table.name, column, held)
        for table in tables
        for column in table.columns
        if column.missing == 0 and column.distinct >= UNIQUE_SHARE * column.rows
        if column.rows >= FEWEST_ROWS or _is_short_key(table.name, column, led_to)
        if (held := _all_values(table.name, column, values))
    ]
    for table in tables:
        for column in table.columns:
            told = _all_values(table.name, column, values)
            if (table.name, column.name) in taken or column.distinct >= column.rows:
                continue
            found = [
                Key(table.name, column.name, to_table, to.name, 1.0)
                for to_table, to, held in naming
                if to_table != table.name and _leads_to(column, told, to, held)
            ]
            if len(found) == 1:
                yield found[0]


def _is_short_key(table: str, column: ColumnFacts, led_to: Collection[tuple[str, str]]) -> bool:
    """Whether a column numbers few rows by its name, or a key that names tell leads to it."""
    is_key = not KEY_WORDS.isdisjoint(map(stem, spelled_out(column.name)))
    return column.rows >= FEWEST_VALUES and (is_key or (table, column.name) in led_to)


def _all_values(table: str, column: ColumnFacts, values: Values) -> frozenset[str]:
    """Returns all values of a column of text; none where they are not all known."""
    if column.type != "string":
        return frozenset()
    known = {str(value) for value, _ in column.top}
    known |= {str(value) for value in values.get((table, column.name), ())}
    return frozenset(known) if len(known) >= column.distinct else frozenset()


def _leads_to(
    column: ColumnFacts, told: frozenset[str], to: ColumnFacts, held: frozenset[str]
) -> bool:
    if len(told) < FEWEST_VALUES:
        return False
    share = len(told & held) / len(told)
    if NOT_LETTERS.sub("", column.name).casefold() == NOT_LETTERS.sub("", to.name).casefold():
        return share >= NAMED_SHARE and len(told) >= FEWEST_ROWS
    are_codes = len({len(one) for one in told | held}) == 1
    if to.rows < FEWEST_ROWS:
        return are_codes and told <= held
    return share >= SELF_KEY_SHARE and (are_codes or len(told) >= FEWEST_ROWS)


def _self_keys(table: TableFacts, named: Sequence[Key]) -> Iterable[Key]:
    """Finds keys into the same table: `manager_id` beside `emp_id`.

    Among rows that are no persons who does something is told by the table of persons that `named`
    keys lead to.
    """
    told = {key.column for key in named if key.table == table.name and tells_doer(key.column)}
    told = set() if of_persons(table) else told
    keys = [one for one in _numbering(table) if KEYLIKE.search(one.name)]
    for key in keys[:1]:
        own = [*spelled_out(table.name), *spelled_out(key.name)]
        for one in table.columns:
            is_role = _ends_as_role(one.name, own) and one.name not in told
            if one is key or one.type != key.type or not is_role:
                continue
            if one.distinct < one.rows and _share_within(one, key) >= SELF_KEY_SHARE:
                yield Key(table.name, one.name, table.name, key.name, 1.0)


def _ends_as_role(name: str, own: Collection[str]) -> bool:
    """Whether a name ends with whom rows name, but for what names rows: `previous_order_id`.

    A `manager_rating` is no manager, and `My manager supports me` is what somebody says of one.
    """
    idle = NAMING_KEYS | lexicon().entities | {stem(word) for word in own}
    roles = {stem(one) for one in SELF_ROLES}
    told = [stem(word) for word in spelled_out(name)]
    while told and told[-1] in idle - roles:
        told.pop()
    return bool(told) and told[-1] in roles


def _role_name(key: Key) -> str:
    """Returns what the key's name adds to that of the table it points to: `shipping`."""
    owner = {word.rstrip("s") for word in spelled_out(key.to_table)}
    owner |= {word.rstrip("s") for word in spelled_out(key.to_column)}
    parts = [one for one in spelled_out(key.column) if one.rstrip("s") not in owner]
    return " ".join(one for one in parts if one not in {"id", "key", "code", "no", "nr", "number"})


def _share_within(one: ColumnFacts, to: ColumnFacts) -> float:
    """Returns the share of a column's known rows whose value the other column holds."""
    if len(to.top) < to.distinct or not one.top:
        return 0.0
    held = {value for value, _ in to.top}
    inside = sum(count for value, count in one.top if value in held)
    return inside / sum(count for _, count in one.top)


def _orphans(one: ColumnFacts, to: ColumnFacts) -> int | None:
    """Counts rows whose key names no row, where all values are known."""
    if len(to.top) < to.distinct or len(one.top) < one.distinct:
        return None
    held: set[Value] = {value for value, _ in to.top}
    return sum(count for value, count in one.top if value not in held)


def _words(name: str) -> set[str]:
    return set(spelled_out(name)) | set(name_parts(name))


def _unique_aliases(names: Sequence[str]) -> list[str]:
    """Writes names in snake_case, each another."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        alias = "_".join(NOT_LETTERS.split("_".join(name_parts(name)))).strip("_") or "column"
        alias = f"c_{alias}" if alias[0].isdigit() else alias
        seen[alias] += 1
        while seen[alias] > 1:
            alias = f"{alias}_{seen[alias]}"
            seen[alias] += 1
        found.append(alias)
    return found
