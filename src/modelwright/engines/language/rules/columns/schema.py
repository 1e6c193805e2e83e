"""The tables of a session as questions see them, and the keys that join them."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from modelwright.engines.facts import ColumnFacts, Value
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.words import squeezed, stem
from modelwright.engines.language.vocabulary import word_list, word_set

_LEAST_CONTAINED = 0.9
"""Which share of a key's rows must be found in the other table."""
_UNIQUE_SHARE = 0.98
"""Which share of the rows must have a value of their own in a column that is pointed to."""
_MOST_PARTS = 2
"""A name of more parts says more than that it points to a table."""
_LETTERS_ALIKE = 4
"""In letters."""
_LEAST_VALUES = 2
"""A column of fewer values tells no rows apart."""
_WEAK = 0.6
"""Two tables numbered alike: a key only where nothing better joins them."""
_BY_NUMBER = 0.65
"""Names that share no more than the word for a number, `pi_id` of a researcher: as well."""
GIVEN_NAMES = frozenset(
    map(frozenset, (("first", "name"), ("given", "name"), ("firstname",), ("forename",)))
)
"""What columns of given names are called, in parts."""
FAMILY_NAMES = frozenset(
    map(frozenset, (("last", "name"), ("family", "name"), ("lastname",), ("surname",)))
)


@dataclass(frozen=True, slots=True)
class TableFacts:
    """One table of a session: its name in SQL and what is known of its columns."""

    name: str
    columns: tuple[ColumnFacts, ...]


@dataclass(frozen=True, slots=True)
class Key:
    """A column that points to the rows of another table."""

    table: str
    column: str
    to_table: str
    to_column: str
    strength: float


@dataclass(frozen=True, slots=True)
class _Named:
    """A column and its name, read once: tables of many columns are compared pair by pair."""

    facts: ColumnFacts
    squeezed: str
    stems: frozenset[str]
    key_word: bool
    unique: bool
    doer: bool
    over: bool
    """Whether it tells who stands over others; some have nobody over them: `manager_id`."""


@dataclass(frozen=True, slots=True)
class _Owner:
    """A table that others may point to: the stems of its name, and what its rows are."""

    stems: frozenset[str]
    of_persons: bool
    """Whether they are persons or parties, who do something."""
    of_clients: bool
    """Whether they are persons that others do something for."""


def find_keys(tables: Sequence[TableFacts]) -> list[Key]:
    """Finds which columns join the tables: unique values that hold the other's, and names alike."""
    found: list[Key] = []
    read = [(table.name, _owner(table), [*map(_named, table.columns)]) for table in tables]
    for (child, own, columns), (parent, owner, others) in permutations(read, 2):
        best: dict[str, Key] = {}
        mine = [one for one in columns if one.facts.type not in _KEYLESS]
        owned = {at for at, one in enumerate(mine) if one.stems & owner.stems}
        alike: dict[str, set[int]] = {}
        for at, one in enumerate(mine):
            alike.setdefault(one.squeezed, set()).add(at)
        for to in (one for one in others if one.unique):
            near = range(len(mine)) if to.key_word else sorted(owned | alike.get(to.squeezed, _NO))
            for one in map(mine.__getitem__, near):
                name = one.facts.name
                strength = _alike(one, own, owner, to)
                if strength > best.get(name, _NONE).strength and _holds(one, to, strength):
                    best[name] = Key(child, name, parent, to.facts.name, strength)
        found += best.values()
    distinct = {(table.name, one.name): one.distinct for table in tables for one in table.columns}
    found.sort(key=lambda key: _coverage(key, distinct), reverse=True)
    return _settled(found, {name for name, owner, _ in read if owner.of_persons})


def _coverage(key: Key, distinct: Mapping[tuple[str, str], int]) -> float:
    """The share of the rows that a key leads to which some value of it names.

    Of two tables that a key may lead to by its name it is that of which more rows are named.
    """
    return distinct[key.table, key.column] / max(1, distinct[key.to_table, key.to_column])


_NO: frozenset[int] = frozenset()
_NONE = Key("", "", "", "", 0.55)
_KEYLESS = frozenset({"float", "date", "boolean"})
_KEY_WORDS = word_set("names.key_stems")
_OF_MANY_TABLES = word_set("names.of_many_tables")
_NUMBERED = frozenset({"id", "code", "numb"})
_SELF_ROLES = word_set("names.self_roles")
"""Who stands over others: `manager_id` leads to the same table."""


_DOER = re.compile(r"[a-z]{2}(?:er|or|ee|ant|ist|ian)$")
_DOERS = word_set("names.doers") | word_set("names.self_roles")
_OF_PERSONS = word_set("names.of_persons")
_CLIENTS = frozenset(map(stem, word_set("names.tables_of_clients")))
_TABLES_OF_PERSONS = (
    word_set("names.tables_of_persons", "names.doers")
    | {word.removesuffix("s") for word in word_list("rows.people")}
) - {"lead"}


def _owner(table: TableFacts) -> _Owner:
    stems = _stems(table.name)
    return _Owner(stems, of_persons(table), bool(stems & _CLIENTS))


def of_persons(table: TableFacts) -> bool:
    """Returns whether the rows of a table are persons or parties, by its name or its columns."""
    words = {word for one in table.columns for word in spelled_out(one.name)}
    words |= {squeezed(one.name) for one in table.columns}
    called = {one for word in spelled_out(table.name) for one in _singular(word)}
    called.add(table.name.casefold())
    return bool(words & _OF_PERSONS or called & _TABLES_OF_PERSONS)


def _singular(word: str) -> tuple[str, str]:
    return word.removesuffix("s"), word.removesuffix("es")


def tells_doer(name: str) -> bool:
    """Returns whether the name of a column is that of somebody's number: `seller_id`."""
    parts = [one for one in spelled_out(name) if stem(one) not in _KEY_WORDS]
    return bool(parts) and (parts[-1] in _DOERS or bool(_DOER.search(parts[-1])))


def _stems(name: str) -> frozenset[str]:
    return frozenset(map(stem, spelled_out(name)))


def _named(column: ColumnFacts) -> _Named:
    stems = _stems(column.name)
    unique = column.missing == 0 and column.distinct >= max(
        _LEAST_VALUES, _UNIQUE_SHARE * column.rows
    )
    is_key = bool(stems & _KEY_WORDS)
    over = not _SELF_ROLES.isdisjoint(spelled_out(column.name))
    doer = tells_doer(column.name)
    return _Named(column, squeezed(column.name), stems, is_key, unique, doer, over)


def _alike(column: _Named, own: _Owner, table: _Owner, to: _Named) -> float:
    """How strongly the names tell of a key to a column of `table` from one of `own`, 0 to 1."""
    mine, theirs, owner = column.stems, to.stems, table.stems
    if column.squeezed == to.squeezed:
        return 0.3 if to.squeezed in _OF_MANY_TABLES else 1.0
    if mine & owner:
        return 0.9 if to.key_word or len(theirs) == 1 else 0.7
    if not to.key_word:
        return 0.0
    if (mine & theirs) - _NUMBERED:
        return 0.8
    if column.unique:
        twins = column.facts.distinct == to.facts.distinct
        return _WEAK if twins and mine & _NUMBERED else 0.0
    return _begun_alike(column, own, table, to)


def _begun_alike(column: _Named, own: _Owner, table: _Owner, to: _Named) -> float:
    """How strongly names tell of a key that begin alike, or say no more than that it is a number.

    What somebody of another table does may be said with more words: `stage_manager_id`. Who does
    something for clients, `support_rep_id`, is none of them, but for who stands over them.
    """
    mine, others = column.stems, table.stems | to.stems
    for_clients = not (table.of_clients or column.over)
    is_of_other = for_clients if own.of_clients else not own.of_persons
    is_role = column.doer and table.of_persons and is_of_other and column.key_word
    if not (len(mine) <= _MOST_PARTS or is_role) or not _begin_alike(mine, others):
        return 0.0
    if _begin_alike(mine - _NUMBERED, others - _NUMBERED):
        return 0.7
    is_of_own = column.facts.missing and column.over and not is_role
    return 0.0 if is_of_own else _BY_NUMBER


def _begin_alike(stems: Collection[str], others: Collection[str]) -> bool:
    """Whether a stem begins as one of the others does, `dept` as department."""
    ahead = _LETTERS_ALIKE
    return any(a.startswith(b[:ahead]) or b.startswith(a[:ahead]) for a in stems for b in others)


def _holds(column: _Named, to: _Named, strength: float) -> bool:
    """Whether the values are the other's too; of tables numbered alike, all of them."""
    return contained(column.facts, to.facts) >= (1.0 if strength == _WEAK else _LEAST_CONTAINED)


def contained(column: ColumnFacts, to: ColumnFacts) -> float:
    """The share of a column's known rows whose value another column holds, 0 where types differ.

    Rows count, not values: one row with an unknown key among thousands parts no tables.
    """
    mine, theirs = _kind(column), _kind(to)
    if mine != theirs:
        return _contained_as_text(column, to)
    if not column.top:
        return 0.0
    if len(to.top) >= to.distinct:
        held = _bare({value for value, _ in to.top})
        return _share(column, [value for value, _ in column.top if _bare({value}) <= held])
    return _within(column, to)


def _share(column: ColumnFacts, inside: Collection[Value]) -> float:
    return sum(count for value, count in column.top if value in inside) / sum(
        count for _, count in column.top
    )


def _bare(values: set[Value]) -> set[Value]:
    return {value.strip() if isinstance(value, str) else value for value in values}


def _contained_as_text(column: ColumnFacts, to: ColumnFacts) -> float:
    if {_kind(column), _kind(to)} != {"number", "string"} or len(to.top) < to.distinct:
        return 0.0
    held = {str(value) for value, _ in to.top}
    inside = [value for value, _ in column.top if str(value) in held]
    return _share(column, inside) if column.top else 0.0


def _within(column: ColumnFacts, to: ColumnFacts) -> float:
    """The share of the commonest values that lie in the other's range: not all values are known.

    Rows that lead nowhere may lie out of it, but a key has no more values than what it leads to.
    """
    low, high = to.minimum, to.maximum
    if low is None or high is None or _LEAST_CONTAINED * column.distinct > to.distinct:
        return 0.0
    inside = [value for value, _ in column.top if low <= value <= high]  # type: ignore[operator]
    return _share(column, inside)


def _kind(column: ColumnFacts) -> str:
    return "number" if column.type in {"integer", "float"} else column.type


def _settled(found: Sequence[Key], of_persons: Collection[str]) -> list[Key]:
    """Keeps one key a column, the strongest, and drops the mirror image of a one-to-one key.

    Of tables that only the word for a number leads to, those of persons come first for who does
    something: `seller_id`.
    """
    best: dict[tuple[str, str], float] = {}
    for key in found:
        at = (key.table, key.column)
        best[at] = max(best.get(at, 0.0), key.strength)
    strongest = [key for key in found if key.strength == best[key.table, key.column]]
    kept: list[Key] = []
    among = {table for table in of_persons if not _stems(table) & _CLIENTS}
    for key in sorted(strongest, key=lambda one: (-one.strength, not _by_doer(one, of_persons))):
        mirror = (key.to_table, key.to_column, key.table, key.column)
        if any((one.table, one.column) == (key.table, key.column) for one in kept):
            continue
        if not (_needless(key, kept, among) or _turned(key, kept)) and not any(
            (k.table, k.column, k.to_table, k.to_column) == mirror for k in kept
        ):
            kept.append(key)
    return kept


def _by_doer(key: Key, of_persons: Collection[str]) -> bool:
    return key.to_table in of_persons and tells_doer(key.column)


def _needless(key: Key, kept: Sequence[Key], among: Collection[str]) -> bool:
    """Whether stronger keys, in `kept`, make a weak one a coincidence of numbers.

    For two columns numbered alike any way between the tables does. A column that is called a
    number, `lead_id` of a project, may lead to what is also reached through others: only another
    key to the same table does, unless it tells who of those `among` whom somebody is did something.
    """
    if key.strength == _BY_NUMBER:
        if tells_doer(key.column) and key.to_table in among:
            return False
        ends = {key.table, key.to_table}
        return any({k.table, k.to_table} == ends for k in kept if k.strength > _BY_NUMBER)
    return key.strength <= _WEAK and bool(join_path(kept, key.table, key.to_table))


def _turned(key: Key, kept: Sequence[Key]) -> bool:
    """Whether a stronger key leads the other way and this one's name tells of none: a grade level.

    `kept` holds the stronger ones.
    """
    back = any((one.table, one.to_table) == (key.to_table, key.table) for one in kept)
    return back and not set(map(stem, spelled_out(key.column))) & _KEY_WORDS


def join_path(keys: Sequence[Key], start: str, goal: str) -> list[Key] | None:
    """The shortest way between two tables along their keys, strongest first; None without one."""
    ways: Mapping[str, list[Key]] = _by_table(keys)
    seen, edge = {start}, [(start, list[Key]())]
    while edge:
        here, way = edge.pop(0)
        if here == goal:
            return way
        for key in ways.get(here, ()):
            there = key.to_table if key.table == here else key.table
            if there not in seen:
                seen.add(there)
                edge.append((there, [*way, key]))
    return None


def points(keys: Sequence[Key], start: str, goal: str) -> bool:
    """Whether each row of a table leads to one of another along the keys."""
    here = start
    for key in join_path(keys, start, goal) or ():
        if key.table != here:
            return False
        here = key.to_table
    return here == goal != start


def _by_table(keys: Sequence[Key]) -> dict[str, list[Key]]:
    ways: dict[str, list[Key]] = {}
    for key in sorted(keys, key=lambda one: -one.strength):
        ways.setdefault(key.table, []).append(key)
        ways.setdefault(key.to_table, []).append(key)
    return ways
