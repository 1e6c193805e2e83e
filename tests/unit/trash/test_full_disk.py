"""Deleting works on a disk without one free byte, and frees it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.conftest import POSTGRES, empty_installation
from tests.factories import CHURN, ModelSide
from tests.unit.storage import disks

from modelwright.bootstrap.container import Container
from modelwright.core.config.settings import Settings
from modelwright.core.process import disk_space
from modelwright.core.process.disk_reserve import RESERVE_BYTES, DiskReserve
from modelwright.storage.object_store import ObjectStore

DISK_BYTES = 48 * 1024**2


@pytest.fixture
def settings(migrated: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    """An installation on a small file system of its own, none of which is kept free."""
    if POSTGRES:
        pytest.skip("the database is not on this disk")
    monkeypatch.setattr(disks, "DISK_BYTES", DISK_BYTES)
    monkeypatch.setattr(disk_space, "RESERVED_BYTES", 0)
    with disks.small_file_system(tmp_path / "small") as folder:
        yield empty_installation(folder / "data", migrated)


@pytest.fixture
def fill(settings: Settings) -> Callable[[], None]:
    """Fills the disk to its last byte."""

    def carry_out() -> None:
        number = 0
        for size in (1024**2, 4096, 1):
            while True:
                try:
                    (settings.data_dir / f"filler{number}").write_bytes(b"x" * size)
                except OSError:
                    break
                number += 1
                if size == 1:
                    break

    return carry_out


def test_what_was_deleted_goes_to_the_trash_and_from_there(
    api: TestClient, container: Container, model_side: ModelSide, fill: Callable[[], None]
) -> None:
    upload_id = model_side.upload(CHURN)
    container.service(DiskReserve).lay_aside()
    reserve = container.settings.data_dir / ".reserve"
    assert reserve.stat().st_size == RESERVE_BYTES
    fill()
    declared = {"files": [{"filename": "a.csv", "content_type": "text/csv"}]}
    answers = (api.post("/data/upload", json=declared) for _ in range(2000))
    assert any(answer.json().get("error", {}).get("status") == 503 for answer in answers)
    assert api.delete(f"/uploads/{upload_id}").status_code == 200
    assert not reserve.exists()
    assert api.delete(f"/trash/{upload_id}").status_code == 200
    objects = container.service(ObjectStore)  # type: ignore[type-abstract]
    assert list(objects.keys("uploads")) == []
    for filler in container.settings.data_dir.glob("filler*"):
        filler.unlink()
    container.service(DiskReserve).lay_aside()
    assert reserve.exists()
