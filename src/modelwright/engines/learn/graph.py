"""Writes forests as one ONNX graph with a single TreeEnsemble operator in double precision.

Child processes only: it imports onnx. Sums are kept in double, so that the graph gives the same
numbers as the libraries that grew the trees.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper

from modelwright.engines.learn.forest import Forest, trees_of_leaves

BRANCH_LEQ = 0
SUM = 1
NO_TRANSFORM = 0


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
    node = helper.make_node(
        "TreeEnsemble", ["x"], ["y"], domain="ai.onnx.ml",
        n_targets=outputs.width, aggregate_function=SUM, post_transform=NO_TRANSFORM,
        nodes_splits=_tensor("splits", forest.threshold, np.float64),
        nodes_modes=_tensor("modes", np.full(len(forest.feature), BRANCH_LEQ), np.uint8),
        nodes_featureids=forest.feature.tolist(),
        nodes_truenodeids=_named(forest.yes), nodes_trueleafs=_is_leaf(forest.yes),
        nodes_falsenodeids=_named(forest.no), nodes_falseleafs=_is_leaf(forest.no),
        nodes_missing_value_tracks_true=forest.missing.astype(int).tolist(),
        leaf_targetids=np.asarray(outputs.targets).tolist(),
        leaf_weights=_tensor("weights", outputs.weights, np.float64),
        tree_roots=forest.roots.tolist(),
    )  # fmt: skip
    ends = [
        helper.make_tensor_value_info(name, TensorProto.DOUBLE, [None, width])
        for name, width in (("x", slots), ("y", outputs.width))
    ]
    graph = helper.make_graph([node], "trees", ends[:1], ends[1:])
    opsets = [helper.make_opsetid("ai.onnx.ml", 5), helper.make_opsetid("", 20)]
    model: ModelProto = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    return bytes(model.SerializeToString())


def _tensor(name: str, values: Any, kind: type) -> TensorProto:
    return numpy_helper.from_array(np.ascontiguousarray(values, dtype=kind), name)


def _named(links: Any) -> list[int]:
    return np.where(links >= 0, links, ~links).tolist()  # type: ignore[no-any-return]


def _is_leaf(links: Any) -> list[int]:
    return (links < 0).astype(int).tolist()  # type: ignore[no-any-return]
