"""Refuses arguments that would be misread or passed over without a word.

The server passes over members it does not know; a misspelt option would be ignored there, and is an
error here.
"""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from os import PathLike, fspath
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints, is_typeddict

from modelwright_client.errors import MisreadError

_PLAIN = (str, int, float, NoneType)
"""Values that hold no names."""
AS_ROWS = "of a data frame give frame.to_dict('records')"


def refuse_unknown(call: str, given: Mapping[str, Any], known: type) -> None:
    """Refuses keywords that an operation does not know, as a function of Python does.

    Args:
        call: The name of the method, for the message.
        given: The keywords as they came.
        known: The typed dictionary of those that the operation takes.

    Raises:
        MisreadError: For the first unknown keyword or member; it names the nearest one.
    """
    kinds = get_type_hints(known)
    for name, value in given.items():
        if name not in kinds:
            said = f"{call}() got an unexpected keyword argument {name!r}"
            raise MisreadError(said + _meant(name, list(kinds)))
        refuse_misread(name, value, kinds[name])


def refuse_misread(where: str, value: Any, kind: Any) -> None:
    """Refuses members that nobody knows, and lists and mappings that are none, however deep.

    What else is wrong with a value the server says, which knows more of it.

    Args:
        where: What the message calls the value, such as `split`.
        value: An argument as it came.
        kind: The annotation of the argument.

    Raises:
        MisreadError: A member would be passed over, or a value be read as another one.
    """
    kinds = [one for one in _alternatives(kind) if one is not NoneType]
    if value is None or not kinds:
        return
    if all(map(_is_list, kinds)) and not _is_sequence(value):
        reason = (
            f"not one text; give [{value!r}]" if isinstance(value, str) else _no_value_of(value)
        )
        raise MisreadError(f"{where} must be a list, {reason}")
    if all(map(_is_mapping, kinds)) and not isinstance(value, Mapping):
        raise MisreadError(f"{where} must map names to values, {_not_a(value)}")
    if isinstance(value, Mapping):
        _refuse_misread_members(where, value, kinds)
    elif _is_sequence(value):
        held = next((get_args(one)[0] for one in kinds if _is_list(one)), Any)
        for place, one in enumerate(value):
            refuse_misread(f"{where}[{place}]", one, held)


def _refuse_misread_members(where: str, value: Mapping[Any, Any], kinds: Sequence[Any]) -> None:
    records = [get_type_hints(one) for one in kinds if is_typeddict(one)]
    held = next((get_args(one)[1] for one in kinds if get_origin(one) in (dict, Mapping)), None)
    known = {name: kind for record in records for name, kind in record.items()}
    _refuse_nameless(where, value)
    for name, one in value.items():
        if name in known:
            refuse_misread(f"{where}.{name}", one, known[name])
        elif held is not None:
            refuse_misread(f"{where}.{name}", one, held)
        elif records:
            raise MisreadError(f"{where} has no member {name!r}{_meant(str(name), list(known))}")


def _alternatives(kind: Any) -> Sequence[Any]:
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else [kind]


def _is_list(kind: Any) -> bool:
    return get_origin(kind) in (list, Sequence)


def _is_mapping(kind: Any) -> bool:
    return is_typeddict(kind) or get_origin(kind) in (dict, Mapping)


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence | set | frozenset) and not isinstance(value, str | bytes)


def _not_a(value: Any) -> str:
    return f"not be a {type(value).__name__}"


def _no_value_of(value: Any) -> str:
    return f"not a value of type {type(value).__name__}"


def _meant(name: str, names: list[str]) -> str:
    near = get_close_matches(name, names, 1)
    return f"; did you mean {near[0]!r}?" if near else f"; it takes {', '.join(names)}"


def checked_row(row: Any, where: str = "row") -> dict[str, Any]:
    """Returns a row as a dictionary.

    Args:
        row: Field names and their values.
        where: What the message calls the row.

    Returns:
        A copy of the row.

    Raises:
        MisreadError: For what is no mapping of field names to values, such as a data frame, and
            for names that are no texts, which JSON would make such.
    """
    if not isinstance(row, Mapping):
        kind = type(row).__name__
        raise MisreadError(f"{where} must map field names to values, not be a {kind}; {AS_ROWS}")
    _refuse_nameless(where, row)
    return dict(row)


def checked_paths(paths: Any) -> list[Path]:
    """Returns one path, or several, as paths.

    Args:
        paths: A path, as a text or any other that names one, or an iterable of them.

    Returns:
        The paths.

    Raises:
        MisreadError: For what is no path, such as a data frame and an open file.
    """
    one_alone = isinstance(paths, str | bytes | bytearray | PathLike | Mapping)
    holds_data = hasattr(paths, "columns") or hasattr(paths, "read")
    several = isinstance(paths, Iterable) and not one_alone and not holds_data
    given = list(paths) if several else [paths]
    for one in given:
        named = fspath(one) if isinstance(one, PathLike) else one
        if not isinstance(named, str):
            said = f"paths must be a path or a list of paths, {_no_value_of(named)}"
            raise MisreadError(f"{said}; write what it holds to a file first")
    return [Path(one) for one in given]


def _refuse_nameless(where: str, value: Any) -> None:
    """Refuses names that are no texts, however deep: JSON makes `"1"` of 1 and `"null"` of None."""
    if isinstance(value, Mapping):
        for name, one in value.items():
            if not isinstance(name, str):
                kind = type(name).__name__
                said = f"{where} has the name {name!r}, a {kind}; names of fields are texts"
                raise MisreadError(f"{said}: give {str(name)!r} if that is the field")
            if not isinstance(one, _PLAIN):
                _refuse_nameless(f"{where}.{name}", one)
    elif isinstance(value, list | tuple):
        for place, one in enumerate(value):
            _refuse_nameless(f"{where}[{place}]", one)


def checked_rows(rows: Any) -> list[dict[str, Any]]:
    """Returns rows as dictionaries, in their order.

    Args:
        rows: A list of rows, each field names and their values.

    Returns:
        Copies of the rows.

    Raises:
        MisreadError: For what is no list of mappings: one row, a frame, columns of values.
    """
    if isinstance(rows, Mapping | str | bytes) or not isinstance(rows, Sequence):
        kind = type(rows).__name__
        raise MisreadError(f"rows must be a list of mappings, not a {kind}; {AS_ROWS}")
    return [checked_row(row, f"rows[{place}]") for place, row in enumerate(rows)]
