"""Decision 24: which file names there are, and that each of them comes through every address."""

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import ModelSide

NAMES = [
    "a",
    "sales 2024.csv",
    "größe.csv",
    "日本.csv",
    "e\u0301.csv",
    "100%.csv",
    "a?b#c&d=e.csv",
    "a;b,c+d@e!.csv",
    'it\'s "quoted".csv',
    "x..y.csv",
    "trailing.",
    " space around ",
    "{braces}[0].csv",
    "preview",
    "\u200fright-to-left.csv",
    "\u0645\u06cc\u200c\u062e\u0648.csv",
    "\U0001f469\u200d\U0001f52c.csv",
    "a" * 251 + ".csv",
]
REFUSED = [
    "",
    "a" * 256,
    ".",
    "..",
    ".hidden.csv",
    "a/b.csv",
    "/etc/passwd",
    "..\\a.csv",
    "a\\b.csv",
    "a\0b.csv",
    "a\nb.csv",
    "a\tb.csv",
    "a\x7fb.csv",
    "a\x85b.csv",
    "a\u202evsc.csv",
    "\u2067a.csv",
    "\u200b",
    "\u200b.csv",
    "sales\u200b.csv",
    "\ufeffsales.csv",
    "sa\u00adles.csv",
    "\u2060.csv",
    "\u200d\u200c",
    "\u3164",
    "\u2800 ",
]


def declared(name: str) -> dict[str, Any]:
    return {"filename": name, "content_type": "text/csv"}


@pytest.fixture
def upload(api: TestClient, model_side: ModelSide, tmp_path: Path) -> dict[str, Any]:
    """One complete upload of a file of every name."""
    files = []
    for number, name in enumerate(NAMES):
        files.append(tmp_path / name)
        files[-1].write_text(f"number\n{number}\n")
    return dict(api.get(f"/uploads/{model_side.upload(*files)}").json())


class TestAllowed:
    def test_each_is_declared_and_takes_its_bytes(
        self, api: TestClient, anonymous_client: TestClient
    ):
        answer = api.post("/data/upload", json={"files": [declared(name) for name in NAMES]})
        assert answer.status_code == 200, answer.text
        files = answer.json()["files"]
        assert [file["filename"] for file in files] == NAMES
        assert len({file["object_key"] for file in files}) == len(NAMES)
        for file in files:
            assert anonymous_client.put(file["presigned_url"], content=b"a\n1\n").status_code == 200
        listed = [{key: file[key] for key in ("filename", "object_key")} for file in files]
        body = {"upload_id": answer.json()["upload_id"], "status": "complete", "files": listed}
        assert api.post("/uploads/status", json=body).json()["status"] == "processing"

    def test_a_longest_name_has_255_characters_of_any_kind(self, api: TestClient):
        for name in ("a" * 255, "日" * 255, "😀" * 255):
            assert api.post("/data/upload", json={"files": [declared(name)]}).status_code == 200

    def test_each_is_previewed_at_its_address(self, api: TestClient, upload: dict[str, Any]):
        for number, file in enumerate(upload["files"]):
            shown = api.get(file["preview_url"])
            assert shown.status_code == 200, file["filename"]
            assert shown.json()["filename"] == NAMES[number]
            assert shown.json()["data"] == [[str(number)]]

    def test_each_is_a_table_of_a_session(self, api: TestClient, upload: dict[str, Any]):
        made = api.post("/data/sessions", json={"upload_id": upload["upload_id"]}).json()
        assert made["files"] == NAMES
        tables = [one["table"].lower() for one in made["tables"]]
        assert len(set(tables)) == len(NAMES)


class TestRefused:
    def test_is_422_naming_the_field(self, api: TestClient):
        for name in REFUSED:
            files = [declared("good.csv"), declared(name)]
            error = api.post("/data/upload", json={"files": files}).json()["error"]
            assert (error["status"], error["code"]) == (422, "validation_failed"), name
            assert error["details"][0]["field"] == "files.1.filename", name

    def test_a_name_that_occurs_twice_is_422(self, api: TestClient):
        files = [declared("a.csv"), declared("b.csv"), declared("a.csv")]
        error = api.post("/data/upload", json={"files": files}).json()["error"]
        assert (error["status"], error["details"][0]["field"]) == (422, "files")
        assert "a.csv" in error["message"]
        other_case = [declared("a.csv"), declared("A.csv")]
        assert api.post("/data/upload", json={"files": other_case}).status_code == 200
