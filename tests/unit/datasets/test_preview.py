"""A look into a processed file."""

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

Take = Callable[..., dict[str, Any]]


def address(upload: dict[str, Any], filename: str) -> str:
    return f"/data/uploads/{upload['upload_id']}/files/{quote(filename, safe='')}/preview"


class TestPreview:
    def test_a_table_is_columns_and_rows_of_strings(self, api: TestClient, complete: Take):
        rows = b"".join(
            b"%d,%s,0.5,true,2024-02-29\n" % (n, b"" if n == 1 else b"x") for n in range(30)
        )
        upload = complete({"a b%.csv": b"n,text,f,ok,day\n" + rows})
        body = api.get(address(upload, "a b%.csv")).json()
        assert body["filename"] == "a b%.csv"
        assert (body["total_rows"], body["returned_rows"]) == (30, 10)
        assert body["columns"] == ["n", "text", "f", "ok", "day"]
        assert body["data"][:2] == [
            ["0", "x", "0.5", "true", "2024-02-29"],
            ["1", "", "0.5", "true", "2024-02-29"],
        ]
        body = api.get(address(upload, "a b%.csv"), params={"limit": 100, "offset": 29}).json()
        assert (body["returned_rows"], body["data"][0][0]) == (1, "29")
        body = api.get(address(upload, "a b%.csv"), params={"offset": 30}).json()
        assert (body["total_rows"], body["returned_rows"], body["data"]) == (30, 0, [])

    def test_json_is_records(self, api: TestClient, complete: Take):
        upload = complete({"r.json": b'[{"a": 1, "b": null}, {"a": 2, "b": "x"}]'})
        assert api.get(address(upload, "r.json")).json() == {
            "filename": "r.json",
            "total_rows": 2,
            "returned_rows": 2,
            "data": [{"a": 1, "b": None}, {"a": 2, "b": "x"}],
        }

    def test_a_table_without_rows_shows_its_columns(self, api: TestClient, complete: Take):
        upload = complete({"a.csv": b"x,y\n"})
        body = api.get(address(upload, "a.csv")).json()
        assert (body["columns"], body["data"], body["total_rows"]) == (["x", "y"], [], 0)

    @pytest.mark.parametrize(
        ("name", "value"),
        [("limit", 0), ("limit", 101), ("limit", "x"), ("offset", -1), ("offset", 2**70)],
    )
    def test_a_wrong_parameter_is_named(
        self, api: TestClient, declare: Take, name: str, value: int | str
    ):
        answer = api.get(address(declare(), "sales.csv"), params={name: value})
        assert answer.status_code == 422
        assert answer.json()["error"]["message"].startswith(f"{name}:")

    def test_an_unknown_upload_or_file_is_not_found(self, api: TestClient, declare: Take):
        answer = api.get(address({"upload_id": "upload_x"}, "sales.csv"))
        assert answer.status_code == 404
        assert "upload_id" in answer.json()["error"]["message"]
        answer = api.get(address(declare(), "other.csv"))
        assert answer.status_code == 404
        assert "filename" in answer.json()["error"]["message"]

    def test_what_is_not_complete_is_a_conflict(
        self, api: TestClient, declare: Take, confirm: Callable[..., Any]
    ):
        upload = declare()
        answer = api.get(address(upload, "sales.csv"))
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "resource_conflict")
        assert "pending" in answer.json()["error"]["message"]
        confirm(upload, status="failed")
        assert "failed" in api.get(address(upload, "sales.csv")).json()["error"]["message"]
