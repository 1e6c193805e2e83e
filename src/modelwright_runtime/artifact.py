"""Reads an artifact: a zip of JSON, plain arrays and ONNX graphs. Loading it can't run code.

It may come from anybody, so that nothing in it is believed: sizes are bounded before unpacking,
members must be those of the manifest and have its hashes, every number, shape and place is
checked, and the graphs, which are for other runtimes, must be the very bytes that the trees give.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from modelwright_runtime import FORMAT, MANIFEST, OLDEST_FORMAT, signatures
from modelwright_runtime.archive import read_arrays, read_json, read_zip
from modelwright_runtime.components import restore_all
from modelwright_runtime.components.component import Stored
from modelwright_runtime.deserialisation import encoder_of
from modelwright_runtime.errors import ArtifactError
from modelwright_runtime.intervals import Interval
from modelwright_runtime.model import Model
from modelwright_runtime.objective import Floats, Objective, TargetTransform

MAX_BYTES = 1 << 30
"""Bytes of an artifact at most, also unpacked."""
NAMES = re.compile(r"(model\.json|(arrays|trees)\.npz|[a-z_]{1,40}[0-9]{0,3}\.onnx)")
"""The names of members: the graphs are named by the components that they are of."""
PLAIN = {"model.json", "arrays.npz", "trees.npz"}
TASKS = {"binary", "multiclass", "regression"}
WRONG = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, MemoryError)


@dataclass(frozen=True, slots=True)
class Artifact:
    """A model with what its answers are made from."""

    model: Model
    target: str
    classes: list[Any]
    """The values of the target, in class order; empty for a regression."""
    input_schema: dict[str, str]
    output_schema: dict[str, str]
    offset: Floats
    interval: Interval | None
    manifest: dict[str, Any]


def load_artifact(
    path: Path,
    most: int = MAX_BYTES,
    *,
    graphs: bool = True,
    verify_with: Sequence[str] | None = None,
) -> Artifact:
    """Reads an artifact.

    Args:
        path: A zip, not trusted.
        most: Bytes that it may have unpacked.
        graphs: Whether those for other runtimes are read and checked too.
        verify_with: Public keys of which one must have signed it; without them none must.

    Returns:
        What the artifact holds, checked.

    Raises:
        ArtifactError: It is not whole, not one of ours, or not signed by one of the keys.
    """
    try:
        members = read_zip(path, most, None if graphs else PLAIN | {MANIFEST})
        manifest = read_json(members.pop(MANIFEST))
        if verify_with is not None:
            signatures.check(manifest, verify_with)
        _check_members(manifest, members, graphs=graphs)
        document, packed = read_json(members["model.json"]), members["trees.npz"]
        trees, arrays = read_arrays(packed, most), read_arrays(members["arrays.npz"], most)
        model = _model(Stored(document, arrays, trees, packed))
        others = {name: one for name, one in members.items() if name not in PLAIN}
        if graphs and others != model.graphs():
            raise ValueError("its ONNX graphs are not those of its trees")
        return _artifact(manifest, document, model)
    except FileNotFoundError:
        raise ArtifactError(f"There is no model at {path}.") from None
    except KeyError as missing:
        raise ArtifactError(f"{path.name} is not whole: it lacks {missing}.") from None
    except WRONG as error:
        raise ArtifactError(f"{path.name} is not a model that can be used: {error}.") from None


def _check_members(manifest: dict[str, Any], members: Mapping[str, bytes], *, graphs: bool) -> None:
    if manifest["format"] not in range(OLDEST_FORMAT, FORMAT + 1):
        raise ValueError(
            f"its format is {manifest['format']!r} and this version reads {OLDEST_FORMAT} to"
            f" {FORMAT}; build the model again or bring modelwright_client up to date"
        )
    hashes = {name: one for name, one in manifest["members"].items() if graphs or name in PLAIN}
    strange = [name for name in members if not NAMES.fullmatch(name)]
    if strange:
        raise ValueError(f"the member {strange[0]!r} has no place in it")
    for name in sorted(members.keys() ^ hashes.keys()):
        where = "is not in its manifest" if name in members else "is missing"
        raise ValueError(f"the member {name!r} {where}")
    for name, content in members.items():
        if hashlib.sha256(content).hexdigest() != hashes[name]:
            raise ValueError(f"the member {name!r} has another hash than in its manifest")


def _artifact(manifest: dict[str, Any], document: dict[str, Any], model: Model) -> Artifact:
    target, offset = document["target"], np.array(document["offset"], dtype=np.float64)
    plain = all(isinstance(value, str | int | float) for value in document["classes"])
    if not isinstance(target, str) or not plain or offset.shape != (model.goal.classes,):
        raise ValueError("the target does not fit the model")
    interval = Interval.from_json(document["interval"]) if document["interval"] else None
    return Artifact(
        model,
        target,
        document["classes"],
        {column.name: column.type for column in model.encoder.columns},
        {target: str(document["type"])},
        offset,
        interval,
        manifest,
    )


def _model(stored: Stored) -> Model:
    document = stored.document
    given = {name: float(value) for name, value in document["scale"].items() if value is not None}
    scale = TargetTransform(log=bool(given.pop("log")), **given)
    goal = Objective(document["task"], len(document["classes"]), scale)
    base = np.array(document["base"], dtype=np.float64)
    if goal.task not in TASKS or base.shape != (goal.width,):
        raise ValueError("the task does not fit the model")
    encoder = encoder_of(document, stored.arrays)
    return Model.of(goal, encoder, base, restore_all(stored, goal, encoder))
