"""Fits, the rows they learn from and their outcomes as bytes, for processes that trust nobody.

Reading them makes values of the classes below, of arrays of plain numbers and of nothing else: who
is sent such a message cannot be made to run code by it, as it could by a pickle.
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import msgspec
import numpy as np
from scipy import sparse

from modelwright.engines.automl.estimators.families import FAMILIES
from modelwright.engines.automl.estimators.fitted_model import CompiledModel, Latency
from modelwright.engines.automl.estimators.fold_data import FoldData
from modelwright.engines.automl.search.fits import Fit
from modelwright.engines.automl.search.portfolio import Candidate
from modelwright_runtime.additive import Additive
from modelwright_runtime.columns import (
    AmountColumn,
    CategoryColumn,
    DateColumn,
    NominalIntegerColumn,
    NumberColumn,
    TextColumn,
)
from modelwright_runtime.components.component import KINDS
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.forest import Forest
from modelwright_runtime.geo_features import LatLon
from modelwright_runtime.network import Inputs, Network
from modelwright_runtime.number_parsing import NumberFormat
from modelwright_runtime.objective import Objective, TargetTransform
from modelwright_runtime.text_features import Vocabulary

CLASSES: dict[str, Callable[..., Any]] = {
    one.__name__: one
    for one in (
        Additive,
        AmountColumn,
        Candidate,
        CategoryColumn,
        CompiledModel,
        DateColumn,
        Encoder,
        Fit,
        FoldData,
        Forest,
        Inputs,
        LatLon,
        Latency,
        Network,
        NominalIntegerColumn,
        NumberColumn,
        NumberFormat,
        Objective,
        TargetTransform,
        TextColumn,
        Vocabulary,
    )
}
NUMBERS = "biuf"
"""The kinds of arrays: booleans, integers and floats."""
CLASS = "class"
ARRAY = "array"
SPARSE = "sparse"
TUPLE = "tuple"
TABLE = "table"
ESTIMATOR = "fit"
"""The marks of what MessagePack has no kind for."""


class MessageError(ValueError):
    """Bytes that are no message, or one that holds what no message may."""


def encode(value: Any) -> bytes:
    """Writes a value of the known classes as bytes.

    Args:
        value: Numbers, texts, tuples, lists, tables with texts as keys, arrays, sparse matrices by
            rows, estimators of the families, and dataclasses of these.

    Returns:
        MessagePack.

    Raises:
        MessageError: The value holds something else.
    """
    return msgspec.msgpack.encode(_told(value))


def decode(message: bytes) -> Any:
    """Reads what `encode` wrote.

    Args:
        message: The message, not trusted.

    Returns:
        What was encoded.

    Raises:
        MessageError: It is none of that.
    """
    try:
        return _made(msgspec.msgpack.decode(message))
    except MessageError:
        raise
    except (msgspec.DecodeError, KeyError, TypeError, ValueError, IndexError) as broken:
        raise MessageError(f"{type(broken).__name__}: {broken}") from None


def _told(value: Any) -> Any:
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | float):
        return float(value) if isinstance(value, float) else int(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, list):
        return [_told(one) for one in value]
    return _marked(value)


def _marked(value: Any) -> dict[str, Any]:
    """Writes what MessagePack has no kind for, under a mark that says what it is."""
    if isinstance(value, tuple):
        return {TUPLE: [_told(one) for one in value]}
    if isinstance(value, dict):
        return {TABLE: [[_told(key), _told(one)] for key, one in value.items()]}
    if isinstance(value, np.ndarray) and value.dtype.kind in NUMBERS:
        plain = np.ascontiguousarray(value)
        return {ARRAY: [plain.dtype.str, list(value.shape), plain.tobytes()]}
    if sparse.issparse(value):
        rows = value.tocsr()
        return {SPARSE: [list(rows.shape), *map(_told, (rows.data, rows.indices, rows.indptr))]}
    for family in FAMILIES.values():
        if family.fit is value:
            return {ESTIMATOR: family.name}
    name = getattr(value, "__name__", type(value).__name__)
    if is_dataclass(value) and _class_of(name) is type(value):
        members = {one.name: _told(getattr(value, one.name)) for one in fields(value) if one.init}
        return {CLASS: [name, members]}
    raise MessageError(f"a {name} is not sent")


def _made(encoded: Any) -> Any:
    if isinstance(encoded, list):
        return [_made(one) for one in encoded]
    if not isinstance(encoded, dict):
        return encoded
    ((mark, value),) = encoded.items()
    return _READERS[mark](value)


def _array(encoded: list[Any]) -> Any:
    kind, shape, content = encoded
    if np.dtype(kind).kind not in NUMBERS:
        raise MessageError("an array of no numbers")
    return np.frombuffer(content, kind).reshape(shape).copy()


def _matrix(encoded: list[Any]) -> Any:
    shape, data, indices, indptr = encoded
    matrix = sparse.csr_matrix((_made(data), _made(indices), _made(indptr)), shape=tuple(shape))
    matrix.check_format()
    return matrix


def _value(encoded: list[Any]) -> Any:
    name, members = encoded
    known = _class_of(name)
    if known is None:
        raise MessageError(f"a {name} is not read")
    return known(**{str(one): _made(value) for one, value in members.items()})


def _class_of(name: str) -> Callable[..., Any] | None:
    """Returns the class of a name, None for one that messages do not have."""
    components = {one.__name__: one for one in KINDS.values()}
    return CLASSES.get(name) or components.get(name)


_READERS: dict[str, Callable[[Any], Any]] = {
    CLASS: _value,
    ARRAY: _array,
    SPARSE: _matrix,
    TUPLE: lambda encoded: tuple(_made(one) for one in encoded),
    TABLE: lambda encoded: {_made(key): _made(value) for key, value in encoded},
    ESTIMATOR: lambda encoded: FAMILIES[encoded].fit,
}
