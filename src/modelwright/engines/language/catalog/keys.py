"""Finds the keys by which rows of tables lead to others: by names, by values, within a table."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from modelwright.engines.facts import KEYLIKE, ColumnFacts, Value
from modelwright.engines.language.catalog.columns import NOT_LETTERS
from modelwright.engines.language.catalog.meaning import Relationship
from modelwright.engines.language.rules.columns.schema import (
    Key,
    TableFacts,
    find_keys,
    of_persons,
    tells_doer,
)
from modelwright.engines.language.rules.text.lexicon import lexicon, spelled_out
from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.vocabulary import word_set

Values = Mapping[tuple[str, str], Sequence[Value]]
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
SELF_ROLES = word_set("names.self_roles")
NAMING_KEYS = word_set("names.key_stems", "names.reference_stems") | {"name", "to", "no", "nr"}
"""Stems of what the name of a key says besides whom it names."""
KEY_WORDS = word_set("names.key_stems")


def numbers_its_rows(table: TableFacts) -> list[ColumnFacts]:
    """Returns the columns that tell each row from the others."""
    return [
        one
        for one in table.columns
        if one.missing == 0 and one.distinct >= UNIQUE_SHARE * one.rows
        if one.type in {"integer", "string"} and one.rows > 1
    ]


def find_relationships(tables: Sequence[TableFacts], values: Values) -> Iterable[Relationship]:
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
    keys = [one for one in numbers_its_rows(table) if KEYLIKE.search(one.name)]
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
