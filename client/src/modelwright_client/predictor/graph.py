"""Writes forests as one ONNX graph with a single TreeEnsemble operator in double precision.

The protocol buffers are written here, so that a graph is never taken from elsewhere: a predictor
makes it anew from the forest, and the graph that lies in an artifact must be the same bytes.
Sums are kept in double, so that it gives the numbers of the libraries that grew the trees.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from modelwright_client.predictor.forest import Forest, Ints, trees_of_leaves

BRANCH_LEQ = 0
SUM = 1
NO_TRANSFORM = 0
INT, TENSOR, INTS = 2, 4, 7
"""Numbers of `AttributeProto.AttributeType`."""
UINT8, DOUBLE = 2, 11
"""Numbers of `TensorProto.DataType`."""
VARINT, BYTES = 0, 2
"""Wire types of protocol buffers."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """Which output column each leaf adds to, and what it adds."""

    targets: Any
    weights: Any
    width: int


def sums(forest: Forest, width: int) -> Outputs:
    """Lets every tree add its leaf to the output of its own target."""
    return Outputs(forest.targets[trees_of_leaves(forest)], forest.values[:, 0], width)


def places(forest: Forest) -> Outputs:
    """Lets every tree give the number of the leaf it reached in a column of its own."""
    return Outputs(trees_of_leaves(forest), np.arange(len(forest.values)), len(forest.roots))


def onnx_graph(forest: Forest, outputs: Outputs, slots: int) -> bytes:
    """Serialises a forest as an ONNX model from `x` (n, slots) to `y` (n, width), doubles."""
    attributes = [
        _number("aggregate_function", SUM),
        _numbers("leaf_targetids", outputs.targets),
        _tensor("leaf_weights", "weights", outputs.weights, np.float64),
        _number("n_targets", outputs.width),
        _numbers("nodes_falseleafs", forest.no < 0),
        _numbers("nodes_falsenodeids", _named(forest.no)),
        _numbers("nodes_featureids", forest.feature),
        _numbers("nodes_missing_value_tracks_true", forest.missing),
        _tensor("nodes_modes", "modes", np.full(len(forest.feature), BRANCH_LEQ), np.uint8),
        _tensor("nodes_splits", "splits", forest.threshold, np.float64),
        _numbers("nodes_trueleafs", forest.yes < 0),
        _numbers("nodes_truenodeids", _named(forest.yes)),
        _number("post_transform", NO_TRANSFORM),
        _numbers("tree_roots", forest.roots),
    ]
    node = _part(1, b"x") + _part(2, b"y") + _part(4, b"TreeEnsemble")
    node += b"".join(_part(5, one) for one in attributes) + _part(7, b"ai.onnx.ml")
    ends = _part(11, _end(b"x", slots)) + _part(12, _end(b"y", outputs.width))
    graph = _part(1, node) + _part(2, b"trees") + ends
    opsets = _part(1, b"ai.onnx.ml") + _value(2, 5), _part(1, b"") + _value(2, 20)
    return _value(1, 10) + _part(7, graph) + b"".join(_part(8, one) for one in opsets)


def _number(name: str, value: int) -> bytes:
    return _part(1, name.encode()) + _value(3, value) + _value(20, INT)


def _numbers(name: str, values: Any) -> bytes:
    return _part(1, name.encode()) + _repeated(8, values) + _value(20, INTS)


def _tensor(name: str, inner: str, values: Any, kind: type) -> bytes:
    raw = np.ascontiguousarray(values, dtype=np.dtype(kind).newbyteorder("<")).tobytes()
    element = DOUBLE if kind is np.float64 else UINT8
    tensor = _value(1, len(values)) + _value(2, element) + _part(8, inner.encode())
    return _part(1, name.encode()) + _part(5, tensor + _part(9, raw)) + _value(20, TENSOR)


def _end(name: bytes, width: int) -> bytes:
    shape = _part(1, b"") + _part(1, _value(1, width))
    return _part(1, name) + _part(2, _part(1, _value(1, DOUBLE) + _part(2, shape)))


def _part(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | BYTES) + _varint(len(content)) + content


def _value(field: int, value: int) -> bytes:
    return _varint(field << 3 | VARINT) + _varint(value)


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:  # noqa: PLR2004 - seven bits a byte
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def _repeated(field: int, values: Any) -> bytes:
    """Writes every value behind its field number; what `_value` does, for very many."""
    wide = np.asarray(values, dtype=np.int64)
    width = max(1, -(-int(wide.max(initial=0)).bit_length() // 7))
    parts = wide[:, None] >> (7 * np.arange(width))
    more = parts[:, 1:] > 0
    there = np.ones((len(wide), width + 1), dtype=bool)
    there[:, 2:] = more
    written = np.empty(there.shape, dtype=np.uint8)
    written[:, 0] = field << 3 | VARINT
    written[:, 1:] = parts & 0x7F
    written[:, 1:-1] |= more.astype(np.uint8) << 7
    return written[there].tobytes()


def _named(links: Ints) -> Ints:
    return np.where(links >= 0, links, ~links)
