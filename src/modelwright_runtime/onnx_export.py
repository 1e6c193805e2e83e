"""Writes forests as ONNX graphs of TreeEnsemble operators in double precision.

The protocol buffers are written here, so that a graph is never taken from elsewhere: a predictor
makes it anew from the forest, and the graph that lies in an artifact must be the same bytes.
Sums are kept in double, so that it gives the numbers of the libraries that grew the trees.

An artifact holds one operator for a forest, for other runtimes. What is run here has a few of fewer
trees each, whose nodes are turned: ONNX Runtime opens an operator in a time that grows with its
trees times its nodes, takes longer where an operator fills several columns, and keeps one child of
a node next to it, which is to be the one that most rows go to.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from modelwright_runtime.forest import Forest, Ints, split, trees_of_leaves
from modelwright_runtime.objective import Floats

BRANCH_LEQ = 0
"""Mode of a node of TreeEnsemble: goes on where the value is at most the threshold."""
SUM = 1
"""Aggregation of TreeEnsemble: leaves are added up."""
NO_TRANSFORM = 0
"""Post-transformation of TreeEnsemble: none."""
INT = 2
"""Type of an attribute in `AttributeProto.AttributeType`: one integer."""
TENSOR = 4
"""Type of an attribute in `AttributeProto.AttributeType`: a tensor."""
INTS = 7
"""Type of an attribute in `AttributeProto.AttributeType`: integers."""
UINT8 = 2
"""Type of a tensor in `TensorProto.DataType`: bytes."""
DOUBLE = 11
"""Type of a tensor in `TensorProto.DataType`: doubles."""
VARINT = 0
"""Wire type of protocol buffers: a number of as many bytes as it needs."""
BYTES = 2
"""Wire type of protocol buffers: bytes, their length before them."""
MAX_OPERATORS = 4
"""Operators of a graph that is run, as a single row pays for each."""
MIN_NODES = 10_000
"""Nodes that each of them has at least."""
MIN_TREES_PER_TARGET = 64
"""So many trees of each target are worth an operator for each."""
Pieces = list[bytes]
"""What is written one after the other, joined at the end alone: graphs have many megabytes."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """Which output column each leaf adds to, and what it adds."""

    targets: Any
    weights: Any
    width: int
    apart: bool = False
    """Whether every tree fills a column of its own."""


def sums(forest: Forest, width: int) -> Outputs:
    """Lets every tree add its leaf to the output of its own target.

    Args:
        forest: The trees.
        width: How many targets there are.

    Returns:
        Outputs that are added up by target.
    """
    return Outputs(forest.targets[trees_of_leaves(forest)], forest.values[:, 0], width)


def places(forest: Forest) -> Outputs:
    """Lets every tree give the number of the leaf it reached in a column of its own.

    Args:
        forest: The trees.

    Returns:
        Outputs, one for each tree.
    """
    weights = np.arange(len(forest.values))
    return Outputs(trees_of_leaves(forest), weights, len(forest.roots), apart=True)


def onnx_graph(forest: Forest, outputs: Outputs, features: int) -> bytes:
    """Serialises a forest as an ONNX model from `x` (n, features) to `y` (n, width), doubles.

    Args:
        forest: The trees.
        outputs: What its leaves give.
        features: How many features a row has.

    Returns:
        A model in ONNX.
    """
    return _model(_ensemble(forest, outputs, b"y"), features, outputs.width)


def run_graph(forest: Forest, outputs: Outputs, features: int) -> bytes:
    """Serialises what `onnx_graph` does so that it runs quickly, from what `compared` gives.

    Args:
        forest: The trees, whose `cover` says which way most rows go.
        outputs: What its leaves give.
        features: How many features a row has before `compared` makes four numbers of each.

    Returns:
        A model in ONNX from `x` (n, 4 features) to `y` (n, width), doubles.
    """
    targets = _is_by_target(forest, outputs)
    most = max(MIN_NODES, -(-len(forest.feature) // MAX_OPERATORS))
    parts = split(_turned(forest, features), None if targets else most)
    nodes: Pieces = []
    names = []
    for place, (part, leaves) in enumerate(parts):
        names.append(b"y%d" % place if len(parts) > 1 else b"y")
        nodes += _ensemble(part, _outputs_of(outputs, part, leaves, targets), names[-1])
    if len(parts) > 1 and (outputs.apart or targets):
        nodes += _node(names, b"y", b"Concat", b"", [_number("axis", 1)])
    elif len(parts) > 1:
        nodes += _node(names, b"y", b"Sum", b"", [])
    return _model(nodes, 4 * features, outputs.width)


def compared(features: Floats) -> Floats:
    """Returns what nodes of graphs that are run compare, of features (n, width).

    Shape (n, 4 width).

    The features, their negatives, and both once more with the lowest value in place of gaps.

    Args:
        features: Encoded rows, shape (n, features).

    Returns:
        Float64.
    """
    both = np.concatenate([features, -features], axis=1)
    return np.concatenate([both, np.fmax(both, -np.inf)], axis=1)


def _turned(forest: Forest, features: int) -> Forest:
    """Turns nodes so that the child that more rows came to is `no`, as gaps always go there.

    ONNX Runtime puts that child next to its parent, and asks nothing about gaps where none of the
    trees do. A turned node asks for feature > threshold, by the negative of the feature.
    """
    turn = _came(forest, forest.yes) > _came(forest, forest.no)
    return replace(
        forest,
        feature=forest.feature + features * turn + 2 * features * (forest.missing ^ turn),
        threshold=np.where(turn, np.nextafter(-forest.threshold, -np.inf), forest.threshold),
        yes=np.where(turn, forest.no, forest.yes),
        no=np.where(turn, forest.yes, forest.no),
        missing=np.zeros_like(forest.missing),
    )


def _came(forest: Forest, children: Ints) -> Floats:
    """Returns how many training rows came to the ends of raw predictions."""
    nodes = forest.cover.take(np.maximum(children, 0))
    return np.where(children >= 0, nodes, forest.leaf_cover.take(np.maximum(~children, 0)))


def _is_by_target(forest: Forest, outputs: Outputs) -> bool:
    """Returns whether each target has trees enough for an operator of its own.

    Where an operator fills several columns, each leaf that is reached is looked up elsewhere.
    """
    if outputs.apart or outputs.width == 1:
        return False
    return bool(
        (np.bincount(forest.targets, minlength=outputs.width) >= MIN_TREES_PER_TARGET).all()
    )


def _outputs_of(outputs: Outputs, part: Forest, leaves: Ints, one: bool) -> Outputs:
    targets, weights = outputs.targets[leaves], outputs.weights[leaves]
    if outputs.apart:
        return Outputs(targets - targets.min(), weights, len(part.roots))
    if one:
        return Outputs(np.zeros_like(targets), weights, 1)
    return Outputs(targets, weights, outputs.width)


def _ensemble(forest: Forest, outputs: Outputs, name: bytes) -> Pieces:
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
    return _node([b"x"], name, b"TreeEnsemble", b"ai.onnx.ml", attributes)


def _node(
    inputs: Sequence[bytes], output: bytes, kind: bytes, domain: bytes, more: Sequence[Pieces]
) -> Pieces:
    ends = [piece for one in inputs for piece in _part(1, [one])] + _part(2, [output])
    attributes = [piece for one in more for piece in _part(5, one)]
    return _part(1, [*ends, *_part(4, [kind]), *attributes, *_part(7, [domain])])


def _model(nodes: Pieces, features: int, width: int) -> bytes:
    ends = _part(11, _end(b"x", features)) + _part(12, _end(b"y", width))
    graph = _part(7, [*nodes, *_part(2, [b"trees"]), *ends])
    opsets = [[*_part(1, [b"ai.onnx.ml"]), _value(2, 5)], [*_part(1, [b""]), _value(2, 20)]]
    return b"".join([_value(1, 10), *graph, *_part(8, opsets[0]), *_part(8, opsets[1])])


def _number(name: str, value: int) -> Pieces:
    return [*_part(1, [name.encode()]), _value(3, value), _value(20, INT)]


def _numbers(name: str, values: Any) -> Pieces:
    return [*_part(1, [name.encode()]), _repeated(8, values), _value(20, INTS)]


def _tensor(name: str, inner: str, values: Any, kind: type) -> Pieces:
    raw = np.ascontiguousarray(values, dtype=np.dtype(kind).newbyteorder("<")).tobytes()
    element = DOUBLE if kind is np.float64 else UINT8
    tensor = [_value(1, len(values)), _value(2, element), *_part(8, [inner.encode()])]
    return [*_part(1, [name.encode()]), *_part(5, tensor + _part(9, [raw])), _value(20, TENSOR)]


def _end(name: bytes, width: int) -> Pieces:
    shape = _part(1, []) + _part(1, [_value(1, width)])
    tensor = _part(1, [_value(1, DOUBLE), *_part(2, shape)])
    return _part(1, [name]) + _part(2, tensor)


def _part(field: int, content: Pieces) -> Pieces:
    return [_varint(field << 3 | BYTES), _varint(sum(map(len, content))), *content]


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
    width = max(1, -(-int(values.max(initial=0)).bit_length() // 7))
    written = np.empty((len(values), width + 1), dtype=np.uint8)
    written[:, 0] = field << 3 | VARINT
    if width == 1:
        written[:, 1] = values
        return written.tobytes()
    there = np.ones(written.shape, dtype=bool)
    for place in range(width):
        rest = values >> 7 * place
        written[:, place + 1] = rest & 0x7F | (rest > 0x7F) << 7  # noqa: PLR2004 - seven bits
        there[:, place + 1] = rest > 0
    there[:, 1] = True
    return written[there].tobytes()


def _named(children: Ints) -> Ints:
    return np.where(children >= 0, children, ~children)
