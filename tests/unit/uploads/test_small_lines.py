"""24 MB of the smallest lines there are, converted within the limits that a job has."""

from pathlib import Path
from typing import Any

import pytest

from modelwright.core.config.settings import Settings
from modelwright.jobs.errors import JobRefused
from modelwright.jobs.subprocesses import ChildLimits, run
from modelwright.system.sandbox.process import Reach
from modelwright.uploads.tasks import CHILD_FUNCTION, MEMORY_SHARE

FILE_BYTES = 24 * 1024**2


def convert(content: bytes, folder: Path, settings: Settings) -> dict[str, Any]:
    source = folder / "source"
    source.write_bytes(content)
    memory = settings.processing_memory_mb
    payload = {
        "source": str(source),
        "target": str(folder / "table.parquet"),
        "filename": "a.csv",
        "content_type": "text/csv",
        "scratch": str(folder),
        "memory_bytes": int(memory * MEMORY_SHARE) << 20,
        "options": {},
    }
    return run(
        CHILD_FUNCTION,
        payload,
        limits=ChildLimits(memory, settings.processing_seconds),
        on_report=lambda _: None,
        check=lambda: None,
        reach=Reach((str(source),)),
        folder=folder,
    )


def test_a_file_of_them_is_read(tmp_path: Path, settings: Settings):
    line = b"1,\n"
    told = convert(line * (FILE_BYTES // len(line)), tmp_path, settings)
    assert told["rows"] == FILE_BYTES // len(line)
    assert [column["type"] for column in told["columns"]] == ["integer", "string"]


def test_one_line_of_them_is_refused_with_its_number(tmp_path: Path, settings: Settings):
    with pytest.raises(JobRefused) as refused:
        convert(b"1," * (FILE_BYTES // 2), tmp_path, settings)
    assert refused.value.reason["line"] == 1
    assert "longer than 8 MiB" in refused.value.reason["message"]
