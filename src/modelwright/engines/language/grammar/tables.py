"""What tables and their rows are called, and which rows lead to which."""

from modelwright.engines.language.grammar.items import Kind
from modelwright.engines.language.grammar.parse import NotReadError, Parse
from modelwright.engines.language.grammar.query import Field, Filter, Number, linking, paths
from modelwright.engines.language.vocabulary import word_set

_NAMING = word_set("names.of_rows")


def is_owner(parse: Parse, ahead: int = 0) -> bool:
    """Whether the next word is the table of the column named behind it: `vehicle category`."""
    owner, owned = parse.peek(ahead), parse.peek(ahead + 1)
    if owner is None or owned is None or owner.kind is not Kind.TABLE:
        return False
    return owned.kind is Kind.COLUMN and {one.table for one in owned.columns} == {owner.table}


def belongs(parse: Parse, table: str) -> bool:
    """Whether rows of a table lead to those that are ranked: `top 3 classes by bookings`."""
    return bool(parse.tables) and table != parse.tables[0] and leads(parse, table, parse.tables[0])


def _what_names(parse: Parse, table: str) -> Field:
    """Finds the column that tells people which row is meant."""
    told = parse.catalog.table(table)
    columns = told.columns if told else ()
    texts = [one for one in columns if parse.facts[table, one.name].type == "string"]
    named = [one for one in texts if one.label in _NAMING or one.label.endswith(" name")]
    unique = [
        one for one in texts
        if parse.facts[table, one.name].distinct >= 0.9 * parse.facts[table, one.name].rows
    ]  # fmt: skip
    found = named or unique
    if not found:
        raise NotReadError(f"No column names the {table}.")
    return Field(table, found[0].name)


def what_tells(parse: Parse, table: str) -> Field:
    """Finds what tells people which row is meant, or else its key."""
    try:
        return _what_names(parse, table)
    except NotReadError:
        return key_of(parse, table)


def what_tells_apart(parse: Parse, table: str) -> list[Field]:
    """Returns what tells each row of a table: a name, and the key where some share one."""
    found, told = what_tells(parse, table), parse.catalog.table(table)
    key = told.key if told and not names_each(parse, found) else None
    return [Field(table, key), found] if key else [found]


def key_of(parse: Parse, table: str) -> Field:
    """Returns what tells each row of a table; raises `NotReadError` where nothing does."""
    told = parse.catalog.table(table)
    if told is None or told.key is None:
        raise NotReadError(f"No column names the {table}.")
    return Field(table, told.key)


def leads(parse: Parse, start: str, goal: str) -> bool:
    """Whether each row of a table leads to one row of another, in one way only."""
    return start == goal or len(paths(parse.catalog, start, goal)) == 1


def linked_by(parse: Parse, table: str, other: str) -> str | None:
    """Finds the table that leads to both: the other one, or one between."""
    is_led = other != table and leads(parse, other, table)
    return other if is_led else linking(parse.catalog, {table, other})


def repeats(parse: Parse, one: Field) -> bool:
    """Whether values stand in two rows or more, as kinds do."""
    facts = parse.facts[one.table, one.column]
    return 2 * facts.distinct <= facts.rows


def names_each(parse: Parse, one: Field) -> bool:
    """Whether no two rows are called alike."""
    facts = parse.facts[one.table, one.column]
    return facts.distinct == facts.rows


def names_of(parse: Parse, table: str) -> list[Field]:
    """Returns what tells people which rows are meant; nothing where no column does."""
    try:
        found = _what_names(parse, table)
    except NotReadError:
        return []
    told = parse.catalog.table(table)
    first = told.column(found.column) if told else None
    if told and first and first.label == "first name":
        last = next((one for one in told.columns if one.label in {"last name", "surname"}), None)
        return [found, Field(table, last.name)] if last else [found]
    return [found]


def table_of(order: Number | Field | Filter) -> str:
    """Returns the table of what is computed, shown or tested; empty where there is none."""
    if isinstance(order, Field):
        return order.table
    return order.field.table if order.field else ""
