"""The artifact folder: JSON, ONNX graphs and plain arrays. Loading it can't run code.

`artifact.json` is replaced last and names the files of its own generation, so that a folder shows
either the checkpoint before or the one after, never a mixture.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from modelwright.engines.learn.additive import Additive
from modelwright.engines.learn.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    Encoder,
    NumberColumn,
    TextColumn,
)
from modelwright.engines.learn.goals import Goal, Scale
from modelwright.engines.learn.model import Mean, Model
from modelwright.engines.learn.texts import Vocabulary

FORMAT = 1
NAME = "artifact.json"


class BadArtifact(ValueError):  # noqa: N818 - a sentence, not an error number
    """The folder does not hold an artifact that this version reads."""


@dataclass(frozen=True, slots=True)
class Artifact:
    """A model with what is told about it, both JSON-ready."""

    model: Model
    about: dict[str, Any]
    trees: bytes
    """The forests as packed arrays, which only explanations read."""


def save(folder: Path, artifact: Artifact) -> None:
    """Writes an artifact into a folder, in place of the one before."""
    folder.mkdir(parents=True, exist_ok=True)
    before = _generation(folder)
    mark = f"{before + 1}"
    arrays: dict[str, Any] = {}
    told = _told(artifact, mark, arrays)
    with (folder / f"arrays-{mark}.npz").open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
    (folder / f"trees-{mark}.npz").write_bytes(artifact.trees)
    for name, graph in _graphs(artifact.model, mark).items():
        (folder / name).write_bytes(graph)
    draft = folder / f".{NAME}"
    draft.write_bytes(msgspec.json.encode(told))
    draft.replace(folder / NAME)
    for old in folder.glob(f"*-{before}.*"):
        old.unlink()


def load(folder: Path) -> Artifact:
    """Reads an artifact; refuses another format or a folder that is not whole."""
    try:
        told = msgspec.json.decode((folder / NAME).read_bytes())
        _refuse_strange(told)
        with np.load(folder / f"arrays-{told['mark']}.npz", allow_pickle=False) as packed:
            arrays = {name: packed[name] for name in packed.files}
        trees = (folder / f"trees-{told['mark']}.npz").read_bytes()
        return Artifact(_model(folder, told, arrays), told["about"], trees)
    except BadArtifact:
        raise
    except (OSError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise BadArtifact(f"the artifact is not whole: {error}") from error


def _refuse_strange(told: dict[str, Any]) -> None:
    if told["format"] != FORMAT:
        raise BadArtifact(f"format {told['format']!r} is not {FORMAT}; build the model again")
    if not told["mark"].isdecimal():
        raise BadArtifact("the artifact names files that are not its own")


def _generation(folder: Path) -> int:
    try:
        return int(msgspec.json.decode((folder / NAME).read_bytes())["mark"])
    except (OSError, KeyError, ValueError, msgspec.DecodeError):
        return 0


def _told(artifact: Artifact, mark: str, arrays: dict[str, Any]) -> dict[str, Any]:
    model, scale = artifact.model, artifact.model.goal.scale
    for place, mean in enumerate(model.means):
        arrays[f"mean.{place}"] = mean.table
    for name in Additive.__slots__ if model.additive else ():
        arrays[f"additive.{name}"] = np.asarray(getattr(model.additive, name))
    return {
        "format": FORMAT,
        "mark": mark,
        "task": model.goal.task,
        "classes": model.goal.classes,
        "scale": {name: _finite(getattr(scale, name)) for name in Scale.__slots__},
        "columns": [_column(one, arrays) for one in model.encoder.columns],
        "durations": model.encoder.durations,
        "base": model.base.tolist(),
        "sums": model.sums is not None,
        "means": [mean.weight for mean in model.means],
        "about": artifact.about,
    }


def _finite(value: Any) -> Any:
    return value if np.isfinite(value) else None


def _graphs(model: Model, mark: str) -> dict[str, bytes]:
    graphs = {f"mean{place}-{mark}.onnx": mean.graph for place, mean in enumerate(model.means)}
    return graphs if model.sums is None else {**graphs, f"sums-{mark}.onnx": model.sums}


def _column(column: Column, arrays: dict[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "kind": column.kind, "name": column.name, "type": column.type, "gaps": column.gaps
    }  # fmt: skip
    if isinstance(column, CategoryColumn):
        return told | {"levels": column.levels, "table": column.table.tolist()}
    if isinstance(column, DateColumn):
        return told | {"start": column.start}
    if isinstance(column, TextColumn):
        place = len(arrays)
        arrays[f"idf.{place}"] = column.words.idf
        arrays[f"directions.{place}"] = column.words.directions
        return told | {"terms": list(column.words.index), "place": place}
    return told


def _read_column(told: dict[str, Any], arrays: dict[str, Any]) -> Column:
    name, kind = told["name"], told["type"]
    gaps = bool(told["gaps"])
    if told["kind"] == "category":
        table = np.array(told["table"], dtype=np.float32)
        return CategoryColumn(name, kind, gaps, tuple(told["levels"]), table)
    if told["kind"] == "date":
        return DateColumn(name, kind, gaps, told["start"])
    if told["kind"] == "text":
        index = {term: place for place, term in enumerate(told["terms"])}
        place = told["place"]
        words = Vocabulary(index, arrays[f"idf.{place}"], arrays[f"directions.{place}"])
        return TextColumn(name, kind, gaps, words)
    return NumberColumn(name, kind, gaps)


def _model(folder: Path, told: dict[str, Any], arrays: dict[str, Any]) -> Model:
    given = {name: value for name, value in told["scale"].items() if value is not None}
    columns = tuple(_read_column(one, arrays) for one in told["columns"])
    pairs = tuple((first, second) for first, second in told["durations"])
    additive = None
    if "additive.weights" in arrays:
        parts = {name: arrays[f"additive.{name}"] for name in Additive.__slots__}
        additive = Additive(**{**parts, "terms_at": int(parts["terms_at"])})
    mark = told["mark"]
    return Model(
        Goal(told["task"], told["classes"], Scale(**given)),
        Encoder(columns, pairs),
        np.array(told["base"], dtype=np.float64),
        (folder / f"sums-{mark}.onnx").read_bytes() if told["sums"] else None,
        tuple(
            Mean(
                (folder / f"mean{place}-{mark}.onnx").read_bytes(), weight, arrays[f"mean.{place}"]
            )
            for place, weight in enumerate(told["means"])
        ),
        additive,
    )
