"""Opens the graphs of trees in ONNX Runtime, which is loaded late."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from modelwright_runtime.objective import Floats

OUTPUTS = ["y"]
"""The outputs that are asked of a graph."""
Run = Callable[[list[str], Mapping[str, Floats], None], Sequence[Any]]
"""Runs a graph: takes `OUTPUTS`, its inputs by their names, and no options."""


def open_graph(graph: bytes) -> Run:
    """Opens a graph for one thread, without the checks of the Python layer.

    These take as long as the trees of a small model.

    Args:
        graph: A graph in ONNX.

    Returns:
        What runs it: names of outputs, inputs by name.
    """
    import onnxruntime  # noqa: PLC0415 - heavy, kept out of start-up

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    run: Run = getattr(session, "_sess", session).run
    return run
