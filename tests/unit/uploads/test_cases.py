"""The files that are kept beside the project, uploaded as anybody uploads them."""

from dataclasses import dataclass
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.unit.engines.ingest.test_cases import DATA, REFUSED, RIGHT

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the cases are kept beside the project")
PAGE = 1000
"""Rows that a preview is asked for."""


@dataclass(frozen=True)
class Table:
    """What is told of a file's table."""

    rows: int
    notices: list[str]


@dataclass(frozen=True)
class Uploaded:
    """A file as the checks of the cases know it; values are as the preview writes them."""

    table: Table
    names: list[str]
    types: list[str]
    rows: list[tuple[str | None, ...]]

    def values(self, place: int = 0) -> list[str | None]:
        return [row[place] for row in self.rows]


@pytest.fixture
def uploaded(api: TestClient, complete: Any) -> Any:
    def run(name: str) -> dict[str, Any]:
        return dict(complete({name: (DATA / name).read_bytes()}))

    return run


def seen(api: TestClient, upload: dict[str, Any]) -> Uploaded:
    (file,) = upload["files"]
    where = f"/data/uploads/{upload['upload_id']}/files/{file['filename']}/preview"
    rows: list[tuple[str | None, ...]] = []
    while len(rows) < file["rows"]:
        data = api.get(where, params={"limit": PAGE, "offset": len(rows)}).json()["data"]
        lists = [list(row.values()) if isinstance(row, dict) else row for row in data]
        rows += [tuple(None if cell == "" else cell for cell in row) for row in lists]
    columns = file["column_info"]
    names, types = ([column[key] for column in columns] for key in ("name", "type"))
    return Uploaded(Table(file["rows"], file["notices"]), names, types, rows)


@pytest.mark.parametrize("name", RIGHT)
def test_an_upload_is_read_rightly(api: TestClient, uploaded: Any, name: str):
    upload = uploaded(name)
    assert upload["status"] == "complete"
    assert RIGHT[name](seen(api, upload))


@pytest.mark.parametrize("name", REFUSED)
def test_a_doubtful_upload_fails_with_its_line(uploaded: Any, name: str):
    upload = uploaded(name)
    assert (upload["status"], upload["files"][0]["error"]["line"]) == ("failed", REFUSED[name])


def test_no_file_of_the_cases_fails_otherwise(complete: Any):
    others = [one for one in sorted(DATA.iterdir()) if one.suffix != ".md"]
    names = [one.name for one in others if one.name not in RIGHT and one.name not in REFUSED]
    upload = complete({name: (DATA / name).read_bytes() for name in names})
    assert upload["status"] == "complete"
    assert all(file["rows"] > 1 and file["columns"] > 1 for file in upload["files"])
