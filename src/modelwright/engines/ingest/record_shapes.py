"""Shapes in which programs write tables as JSON, made into records.

A table of pandas has five of them (`orient`), and rows may be lists.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import Any

from modelwright.engines.ingest.naming import distinct_names
from modelwright.engines.ingest.quoted_length import MOST_NAMED
from modelwright.engines.sentences import first_of
from modelwright_runtime.record_fields import Record

MIN_TABLE_SIZE = 2
"""So many rows or columns tell a table from a record."""
MOST_DEPTH = 4
"""Records that lie deeper in members are not looked for."""
LEAST_ROWS_BESIDE = 10
"""So many rows in a member tell that a table is there, and what stands beside says of it more."""
MOST_LISTS = 100
"""Of more lists of records, none is taken for the only one that the others describe."""
_NESTED = (dict, list)
_NAMING = ("name", "fieldName", "field", "column_name", "display_name", "label", "title", "id")
"""What objects that describe columns call their names, the surest first."""
_SPLIT = {"columns", "index", "data", "index_names", "column_names"}


Path = tuple[str, ...]
"""The names of members, each in the one before."""
Shaped = tuple[list[Record], str]
"""The rows of a table, and what is to be said of its shape."""


def table_in(value: Mapping[str, Any], *, of_lines: bool = False) -> Shaped | None:
    """Returns the rows of a table that is one object, and what is to be said; None for a record.

    Args:
        value: A JSON object.
        of_lines: Whether a file of a record a line has it as its only one: what lies in members of
            a record is part of it.

    Returns:
        Records and a sentence, or None.
    """
    ways = (
        _split,
        _columns_of_lists,
        _rows_and_names,
        _deep_records,
        _columns_of_objects,
        _rows_by_name,
        _series,
    )
    within = (_columns_within, _rows_by_name_within)
    tried = ways if of_lines else (*ways, *within)
    return next((found for way in tried if (found := way(value))), None)


def _split(value: Mapping[str, Any]) -> Shaped | None:
    if not {"columns", "data"} <= value.keys() <= _SPLIT or not _is_split(value):
        return None
    names = distinct_names([_name(name) for name in value["columns"]])
    rows = [dict(zip(names, row, strict=True)) for row in value["data"]]
    said = "The file is a table of pandas (orient='split')."
    index = value.get("index")
    if not isinstance(index, list) or len(index) != len(rows) or index == [*range(len(rows))]:
        return rows, said
    name = _index_of(names)
    rows = [{name: key, **row} for key, row in zip(index, rows, strict=True)]
    return rows, f"{said} The names of its rows are in {name}."


def _rows_and_names(value: Mapping[str, Any]) -> Shaped | None:
    """Returns rows that are lists, with the names that stand elsewhere in the object.

    So answer databases and portals of open data; names stand alone, or in objects that say more of
    the columns.
    """
    found = list(_lists_within(value, (), 0))
    rows = [(path, part) for path, part in found if _are_rows(part)]
    if len(rows) != 1:
        return None
    path, lists = rows[0]
    width = len(lists[0])
    named = ((where, names) for where, part in found if (names := _names_in(part, width)))
    where, names = next(named, ((), []))
    if not names:
        return None
    records = [
        len(part) for _, part in found if part and all(isinstance(one, dict) for one in part)
    ]
    if max((one for one in records if one != width), default=0) >= len(lists):
        return None  # as many records stand beside: these are the table
    columns = distinct_names(names)
    said = (
        f"The rows are the lists in {'.'.join(path)};"
        f" the names of their columns are in {'.'.join(where)}."
    )
    used = {path[0], where[0]}
    beside = [name for name in value if name not in used]
    said += f" Left out beside them: {', '.join(beside[:MOST_NAMED])}." * bool(beside)
    return [dict(zip(columns, row, strict=True)) for row in lists], said


def _lists_within(value: object, before: Path, depth: int) -> Iterator[tuple[Path, list[Any]]]:
    """Yields all lists in members, in members of members, and in lists of a single element."""
    if isinstance(value, list):
        yield before, value
        if len(value) == 1 and depth <= MOST_DEPTH:
            yield from _lists_within(value[0], before, depth + 1)
    elif isinstance(value, dict) and depth <= MOST_DEPTH:
        for name, part in value.items():
            yield from _lists_within(part, (*before, name), depth + 1)


def _are_rows(part: Sequence[object]) -> bool:
    """Returns whether elements are equally long lists of several values."""
    lists = [one for one in part if isinstance(one, list)]
    widths = {len(one) for one in lists}
    return bool(lists) and len(lists) == len(part) and len(widths) == 1 and max(widths) > 1


def _names_in(part: Sequence[object], width: int) -> list[str] | None:
    """Returns the names of so many columns: texts, or what objects have as their names."""
    if len(part) != width:
        return None
    if all(isinstance(one, str) for one in part):
        return [str(one) for one in part]
    objects = [one for one in part if isinstance(one, dict)]
    for key in _NAMING:
        names = [one.get(key) for one in objects]
        if len(objects) == width and all(isinstance(name, str) and name for name in names):
            return [str(name) for name in names]
    return None


def _rows_by_name_within(value: Mapping[str, Any]) -> Shaped | None:
    """Returns the rows in the only member with objects, which are named as in `_rows_by_name`.

    Beside it stand plain values, such as the day of a list of rates.
    """
    parts = [name for name, part in value.items() if isinstance(part, _NESTED)]
    if len(parts) != 1:
        return None
    part = value[parts[0]]
    shaped = _rows_by_name(part) if isinstance(part, dict) and len(part) > MIN_TABLE_SIZE else None
    if shaped is None or not _outweighs(shaped[0], value, parts[:1]):
        return None
    return shaped[0], shaped[1].replace("of the file", f"of {parts[0]}") + _beside(value, parts[0])


def _columns_within(value: Mapping[str, Any]) -> Shaped | None:
    """Returns the rows of the only member that is a table of columns, as services of weather give.

    Where several are, or lists of records stand beside it, none of them is the table.
    """
    found = list(islice(_tables_below(value, (), 0), 2))
    path, columns = found[0] if len(found) == 1 else ((), {})
    if not columns:
        return None
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if not _outweighs(rows, value, path):
        return None
    said = f"The rows are the lists in {'.'.join(path)}, each of which is a column."
    return rows, said + _beside(value, path[0])


def _tables_below(
    value: Mapping[str, Any], before: Path, depth: int
) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Yields the objects of equally long lists, and lists of records, as there is no table then."""
    for name, part in value.items():
        if _holds_records(part):
            yield (*before, name), {}
        elif isinstance(part, dict) and _are_columns(list(part.values())):
            yield (*before, name), part
        elif isinstance(part, dict) and depth < MOST_DEPTH:
            yield from _tables_below(part, (*before, name), depth + 1)


def _outweighs(rows: Sequence[Record], value: Mapping[str, Any], path: Iterable[str]) -> bool:
    """Returns whether rows are many, or nothing stands beside them that would be left out."""
    alone = True
    for name in path:
        alone, value = alone and len(value) == 1, value[name]
    return alone or len(rows) >= LEAST_ROWS_BESIDE


def _beside(value: Mapping[str, Any], used: str) -> str:
    """Says which members beside one are left out."""
    beside = [name for name in value if name != used]
    return f" Left out beside them: {first_of(beside, MOST_NAMED)}." if beside else ""


def _columns_of_lists(value: Mapping[str, Any]) -> Shaped | None:
    if not _are_columns(list(value.values())):
        return None
    rows = [dict(zip(value, row, strict=True)) for row in zip(*value.values(), strict=True)]
    return rows, "The file is a table of columns (orient='list' of pandas)."


def _columns_of_objects(value: Mapping[str, Any]) -> Shaped | None:
    parts = list(value.values())
    if not _are_objects(parts):
        return None
    keys = list(parts[0])
    if any(list(part) != keys for part in parts):
        return None
    said = "The file is a table of pandas (orient='columns')."
    if _are_counted(keys):
        return [{name: part[key] for name, part in value.items()} for key in keys], said
    if not _name_rows(value, keys):
        return None
    index = _index_of(value)
    rows = [{index: key, **{name: part[key] for name, part in value.items()}} for key in keys]
    return rows, f"{said} The names of its rows are in {index}."


def _are_counted(keys: Sequence[str]) -> bool:
    return keys == [str(number) for number in range(len(keys))]


def _name_rows(value: Mapping[str, Any], keys: Sequence[str]) -> bool:
    """Returns whether the keys in all members name rows, and the members are columns.

    Rows have numbers for names, and a column has values of one kind.
    """
    if all(map(str.isdigit, keys)):
        return not all(map(str.isdigit, value))
    within = [_kinds(part.values()) for part in value.values()]
    across = [_kinds(part[key] for part in value.values()) for key in keys]
    return max(map(len, within)) <= 1 < max(map(len, across))


def _kinds(values: Iterable[object]) -> set[type]:
    kinds = {type(value) for value in values if value is not None}
    return kinds - {int} if float in kinds else kinds


def _index_of(names: Collection[str]) -> str:
    return "index" if "index" not in names else "index_2"


def _rows_by_name(value: Mapping[str, Any]) -> Shaped | None:
    parts = list(value.values())
    if not _are_objects(parts) or len(parts) < MIN_TABLE_SIZE:
        return None
    if _are_counted(list(value)):
        return parts, "The file is a table of pandas (orient='index')."
    shared = frozenset.intersection(*map(frozenset, parts))
    every = frozenset.union(*map(frozenset, parts))
    alike = len(shared) == len(every) or (
        len(parts) > MIN_TABLE_SIZE and 2 * len(shared) >= len(every)
    )
    if not alike:
        return None
    name = _index_of(every)
    rows = [{name: key, **part} for key, part in value.items()]
    return rows, f"The rows are the members of the file; their names are in {name}."


def _series(value: Mapping[str, Any]) -> Shaped | None:
    plain = not any(isinstance(one, _NESTED) for one in value.values())
    if len(value) < MIN_TABLE_SIZE or not plain or not _are_counted(list(value)):
        return None
    return [{"value": one} for one in value.values()], "The file is a series of pandas."


def _are_objects(parts: Sequence[object]) -> bool:
    return bool(parts) and all(isinstance(part, dict) and part for part in parts)


def _are_columns(parts: Sequence[object]) -> bool:
    """Returns whether all members are lists of equally many plain values."""
    if len(parts) < MIN_TABLE_SIZE or not all(isinstance(part, list) for part in parts):
        return False
    lists = [part for part in parts if isinstance(part, list)]
    plain = not any(isinstance(one, _NESTED) for part in lists for one in part)
    return plain and len(lists[0]) >= MIN_TABLE_SIZE and len({len(part) for part in lists}) == 1


def _deep_records(value: Mapping[str, Any]) -> Shaped | None:
    """Returns the only list of several records that lies in members of members.

    One that describes the fields of another does not count.
    """
    if any(_holds_records(part) for part in value.values()):
        return None
    every = list(islice(_lists_below(value, (), 0), MOST_LISTS + 1))
    if not 1 <= len(every) <= MOST_LISTS:
        return None
    fields = [set[str]().union(*rows) for _, rows in every]
    found = [
        (path, rows)
        for place, (path, rows) in enumerate(every)
        if not _describe(rows, fields[:place] + fields[place + 1 :])
    ]
    if len(found) != 1:
        return None
    path, rows = found[0]
    beside = [name for name in value if name != path[0]]
    said = f"The rows are the records in {'.'.join(path)}."
    return rows, said + (f" Left out beside them: {', '.join(beside[:MOST_NAMED])}." * bool(beside))


def _describe(records: Sequence[Record], fields: Sequence[AbstractSet[str]]) -> bool:
    """Returns whether records have the names of all fields of some others."""
    told = [{str(one.get(key)) for one in records} for key in _NAMING]
    return any(others and names >= others for others in fields for names in told)


def _lists_below(
    value: Mapping[str, Any], before: Path, depth: int
) -> Iterator[tuple[Path, list[Record]]]:
    for name, part in value.items():
        if _holds_records(part):
            yield (*before, name), part
        elif isinstance(part, dict) and depth < MOST_DEPTH:
            yield from _lists_below(part, (*before, name), depth + 1)


def _holds_records(part: object) -> bool:
    return (
        isinstance(part, list)
        and len(part) >= MIN_TABLE_SIZE
        and all(isinstance(one, dict) for one in part)
    )


def _is_split(value: Mapping[str, Any]) -> bool:
    names, rows = value["columns"], value["data"]
    return (
        isinstance(names, list)
        and isinstance(rows, list)
        and all(isinstance(row, list) and len(row) == len(names) for row in rows)
    )


def records_of_lists(rows: Iterator[Any]) -> Iterator[Record]:
    """Makes records of rows that are lists; names are made up unless the first row is of names.

    Args:
        rows: Lists of values, one at least.

    Yields:
        A record.
    """
    first = next(rows)
    second = next(rows, None)
    named = _are_names(first, second)
    names = (
        [_name(name) for name in first] if named else [f"column_{n + 1}" for n in range(len(first))]
    )
    for row in [*([] if named else [first]), *([] if second is None else [second])]:
        yield _record(names, row)
    for row in rows:
        yield _record(names, row)


def _name(told: object) -> str:
    """Writes the name of a column; names of several levels are lists in a table of pandas."""
    return " ".join(map(str, told)) if isinstance(told, list) else str(told)


def _are_names(first: Sequence[Any], second: object) -> bool:
    words = all(isinstance(name, str) for name in first) and len(set(first)) == len(first)
    return words and isinstance(second, list) and not all(isinstance(one, str) for one in second)


def _record(names: Sequence[str], row: object) -> Any:
    """Returns a row with its names; what is no such row stays, to be refused."""
    fits = isinstance(row, list) and len(row) == len(names)
    return dict(zip(names, row, strict=True)) if isinstance(row, list) and fits else row
