"""The files that are kept beside the project, uploaded as anybody uploads them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.unit.engines.ingest.test_cases import DATA, REFUSED, RIGHT

pytestmark = [
    pytest.mark.skipif(not DATA.exists(), reason="the cases are kept beside the project"),
    pytest.mark.usefixtures("in_process_children"),
]
PAGE = 100
"""Rows that a preview gives at the most."""
Row = tuple[str | None, ...]


@dataclass(frozen=True)
class Table:
    """What is told of a file's table."""

    rows: int
    notices: list[str]


class Rows(Sequence[Row]):
    """The rows as the preview writes them, asked for page by page."""

    def __init__(self, read: Callable[[int], list[Any]], number: int) -> None:
        self._read, self._number = lru_cache(None)(read), number

    def __len__(self) -> int:
        return self._number

    def __getitem__(self, place: Any) -> Any:
        if not 0 <= place < self._number:
            raise IndexError(place)
        row = self._read(place // PAGE * PAGE)[place % PAGE]
        cells = row.values() if isinstance(row, dict) else row
        return tuple(None if cell == "" else cell for cell in cells)


@dataclass(frozen=True)
class Cells(Sequence[str | None]):
    """The cells of one column."""

    rows: Rows
    place: int

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, row: Any) -> Any:
        return self.rows[row][self.place]


@dataclass(frozen=True)
class Uploaded:
    """A file as the checks of the cases know it."""

    table: Table
    names: list[str]
    types: list[str]
    rows: Rows

    def values(self, place: int = 0) -> Cells:
        return Cells(self.rows, place)


@pytest.fixture
def uploaded(api: TestClient, complete: Any) -> Any:
    def run(name: str) -> dict[str, Any]:
        return dict(complete({name: (DATA / name).read_bytes()}))

    return run


def seen(api: TestClient, upload: dict[str, Any]) -> Uploaded:
    (file,) = upload["files"]
    where = f"/data/uploads/{upload['upload_id']}/files/{file['filename']}/preview"

    def read(offset: int) -> list[Any]:
        asked = api.get(where, params={"limit": PAGE, "offset": offset})
        return list(asked.json()["data"])

    columns = file["column_info"]
    names, types = ([column[key] for column in columns] for key in ("name", "type"))
    return Uploaded(Table(file["rows"], file["notices"]), names, types, Rows(read, file["rows"]))


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
