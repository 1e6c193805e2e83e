"""The best model so far of a build that did not end by itself, as the engine left it."""

import zipfile
from dataclasses import fields
from pathlib import Path
from typing import Any

import msgspec

from modelwright.models.domain import BuildResult
from modelwright_runtime import ARTIFACT, MANIFEST


def checkpoint(folder: Path) -> dict[str, Any] | None:
    """Reads what was learnt by the model that lies in a folder; None where none lies yet."""
    try:
        with zipfile.ZipFile(folder / ARTIFACT) as kept:
            manifest = msgspec.json.decode(kept.read(MANIFEST))
    except FileNotFoundError:
        return None
    return {one.name: manifest[one.name] for one in fields(BuildResult)}
