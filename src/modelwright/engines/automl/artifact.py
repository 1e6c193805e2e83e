"""Writes the artifact: a zip that predicts without the server, read by `modelwright_client`.

Beside it, for the server alone, lies what the training rows were like. Both are replaced as
whole files, so that the folder always shows a checkpoint that could be served.
"""

import hashlib
import io
import sys
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from modelwright_runtime import (
    ARTIFACT,
    MANIFEST,
    OLDEST_FORMAT,
    WITH_COUNTS,
    WITH_NAMED_MONTHS,
    WITH_NAMES,
    WITH_ORDERS,
    WITH_ORIGINS,
    WITH_PLACES,
    WITH_TIMES,
    columns,
)
from modelwright_runtime.archive import read_json, read_zip
from modelwright_runtime.components import store_all
from modelwright_runtime.date_parsing import MONTH, NAMED
from modelwright_runtime.model import Model
from modelwright_runtime.number_parsing import CLOCKS
from modelwright_runtime.objective import Objective, TargetTransform
from modelwright_runtime.signatures import MEMBER as SIGNATURE
from modelwright_runtime.signatures import signed_message

TRAINING = "training.json"
"""The file of what training rows were like, beside the artifact."""
ZIP_TIME = (1980, 1, 1, 0, 0, 0)
"""The moment that every member bears, so that the same model is the same bytes."""
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Artifact:
    """A model and its description."""

    model: Model
    answers: Json
    """What makes answers of raw predictions: target, type, classes, offset, interval."""
    manifest: Json
    """Schemas, plan, metrics, seed and what else describes the model."""
    training: Json
    """How columns and raw predictions were distributed over the training rows."""


def save(folder: Path, artifact: Artifact) -> None:
    """Writes an artifact into a folder, in place of the one before.

    Args:
        folder: The folder; it is made where it is not there.
        artifact: What the artifact holds.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stored = store_all(artifact.model.components)
    document = {**_told(artifact.model, stored.arrays), **stored.document, **artifact.answers}
    members = {
        "model.json": msgspec.json.encode(document),
        "arrays.npz": packed(stored.arrays),
        "trees.npz": packed(stored.trees),
        **artifact.model.graphs(),
    }
    hashes = {name: hashlib.sha256(one).hexdigest() for name, one in sorted(members.items())}
    manifest = {"format": _format(artifact.model), **artifact.manifest, "members": hashes}
    members = {MANIFEST: msgspec.json.format(msgspec.json.encode(manifest)), **members}
    _replace(folder / TRAINING, msgspec.json.encode(artifact.training))
    _replace(folder / ARTIFACT, zipped(members))


def sign(folder: Path, signed: Callable[[bytes], Mapping[str, str]]) -> None:
    """Puts a signature into the manifest of the artifact in a folder.

    `signed` answers the message with the members of its signature.

    Args:
        folder: The folder of the artifact.
        signed: Signs a message and gives the members of the signature.
    """
    path = folder / ARTIFACT
    members = read_zip(path, sys.maxsize)
    manifest = read_json(members[MANIFEST])
    manifest[SIGNATURE] = dict(signed(signed_message(manifest)))
    members[MANIFEST] = msgspec.json.format(msgspec.json.encode(manifest))
    _replace(path, zipped(members))


def _format(model: Model) -> int:
    """Returns the lowest format that has all that the model needs."""
    read = model.encoder.columns
    orders = {column.order for column in read if isinstance(column, columns.DateColumn)} - {None}
    forms = {column.written.form for column in read if isinstance(column, columns.AmountColumn)}
    told_from = [one.origin for one in read if isinstance(one, columns.NumberColumn)]
    needed = {
        WITH_COUNTS: MONTH in orders or any(isinstance(one, columns.TextColumn) for one in read),
        WITH_ORIGINS: any(told_from),
        WITH_TIMES: not forms.isdisjoint(CLOCKS),
        WITH_NAMED_MONTHS: NAMED in orders,
        WITH_PLACES: bool(model.encoder.places or forms),
        WITH_ORDERS: bool(orders),
        WITH_NAMES: any(isinstance(one, columns.NominalIntegerColumn) for one in read),
    }
    components = [one.format for one in model.components]
    return max(
        [OLDEST_FORMAT, *components, *(form for form, is_needed in needed.items() if is_needed)]
    )


def zipped(members: Mapping[str, bytes]) -> bytes:
    """Packs members; the same ones give the same bytes.

    Args:
        members: Contents by their names.

    Returns:
        A zip.
    """
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as out:
        for name, content in members.items():
            kind = zipfile.ZIP_STORED if name.endswith(".npz") else zipfile.ZIP_DEFLATED
            info = zipfile.ZipInfo(name, ZIP_TIME)
            info.compress_type, info.external_attr = kind, 0o644 << 16
            out.writestr(info, content)
    return held.getvalue()


def packed(arrays: Mapping[str, Any]) -> bytes:
    """Packs arrays, compressed.

    Args:
        arrays: Arrays by their names.

    Returns:
        An `.npz`.
    """
    held = io.BytesIO()
    np.savez_compressed(held, allow_pickle=False, **arrays)
    return held.getvalue()


def _replace(path: Path, content: bytes) -> None:
    draft = path.parent.with_name(
        f".{path.name}"
    )  # beside the folder, which holds whole files only
    draft.write_bytes(content)
    draft.replace(path)


def _told(model: Model, arrays: dict[str, Any]) -> Json:
    return {
        "task": model.goal.task,
        "scale": scale_of(model.goal),
        "columns": [_column(one, place, arrays) for place, one in enumerate(model.encoder.columns)],
        "durations": model.encoder.durations,
        **({"places": model.encoder.places} if model.encoder.places else {}),
        "base": model.base.tolist(),
    }


def scale_of(goal: Objective) -> Json:
    """Returns the scale of a target, with nothing in place of what is infinite.

    Args:
        goal: What is learnt: task, classes and scale.

    Returns:
        Members of a JSON object.
    """
    numbers = {name: getattr(goal.scale, name) for name in TargetTransform.__slots__}
    return {name: value if np.isfinite(value) else None for name, value in numbers.items()}


def _column(column: columns.Column, place: int, arrays: dict[str, Any]) -> Json:
    """Writes one column; a member of a later format only where it says something."""
    entry: Json = {
        "kind": column.kind, "name": column.name, "type": column.type, "gaps": column.gaps
    }  # fmt: skip
    if isinstance(column, columns.CategoryColumn | columns.NominalIntegerColumn):
        arrays[f"table.{place}"] = column.table
        return entry | {"levels": column.levels, "place": place}
    if isinstance(column, columns.NumberColumn):
        return entry | ({"origin": column.origin} if column.origin else {})
    if isinstance(column, columns.DateColumn):
        return entry | {"start": column.start, "order": column.order}
    if isinstance(column, columns.AmountColumn):
        words = {"words": column.written.words} if column.written.words else {}
        return entry | {"form": column.written.form, "unit": column.written.unit} | words
    if isinstance(column, columns.TextColumn):
        arrays[f"idf.{place}"] = column.words.idf
        arrays[f"words.{place}"] = column.words.directions
        counted = {"counted": True} if column.counted else {}
        return entry | {"terms": list(column.words.index), "place": place} | counted
    return entry
