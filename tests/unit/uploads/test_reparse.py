"""How a file is to be read, said when it is declared or once it was read wrongly."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from openpyxl import Workbook

pytestmark = pytest.mark.usefixtures("in_process_children")
Take = Callable[..., dict[str, Any]]
ROWS = b"zip;price\n01;1,5\n02;2,5\n03;x\n"


def _sheet() -> bytes:
    """Makes two tables on a sheet, one below the other and one beside them, all close together."""
    book, out = Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Data"
    rows = [["name", "home", "code", "means"], ["Ann", "Rome", "A", "x"], ["Bob", "Bern", "B", "y"]]
    rows += [["Cy", "Oslo"], ["Di", "Wien"], [], ["city", "land"], ["Rome", "IT"], ["Bern", "CH"]]
    for row in rows:
        sheet.append(row)
    book.save(out)
    return out.getvalue()


GUESSED = {
    "texts.csv": b"Berlin,yes\nParis,no\nRome,no\nBerlin,no\n",
    "sheet.xlsx": _sheet(),
    "gaps.csv": b"name,home\nAnn,Rome\nBob,Bern\n,\nCy,Oslo\n",
}
GUESSES = [
    ("texts.csv", "say 0 as header_rows", {"header_rows": 0}, ["column_1", "column_2"], 4),
    ("sheet.xlsx", "1 blank row", {"sheet": "Data!A7:B9"}, ["city", "land"], 2),
    ("sheet.xlsx", "a table of their own", {"sheet": "Data!C1:D3"}, ["code", "means"], 2),
    ("gaps.csv", "1 blank row", {"skip_rows": 2, "header_rows": 0}, ["column_1", "column_2"], 2),
]
"""Files, the notice of a guess, the options that mend it, and the names and rows then."""


def again(api: TestClient, upload: dict[str, Any], **options: Any) -> Any:
    filename = upload["files"][0]["filename"]
    return api.post(f"/uploads/{upload['upload_id']}/files/{filename}/reparse", json=options)


@pytest.fixture
def shop(complete: Take) -> dict[str, Any]:
    return complete({"shop.csv": ROWS})


class TestReparse:
    def test_makes_the_next_version_of_the_dataset(
        self, api: TestClient, complete: Take, work: Callable[[], None]
    ):
        first = complete({"shop.csv": ROWS}, name="shop")
        new = again(api, first, null_values=["x"], types={"zip": "string"}).json()
        assert (new["status"], new["upload_id"] != first["upload_id"]) == ("processing", True)
        work()
        second = api.get(f"/uploads/{new['upload_id']}").json()
        types = {one["name"]: one["type"] for one in second["files"][0]["column_info"]}
        assert (second["status"], types) == ("complete", {"zip": "string", "price": "float"})
        listed = api.get("/uploads").json()["uploads"]
        assert [one["dataset_version"] for one in listed] == ["v2.0", "v1.0"]
        assert second["files"][0]["options"] == {"null_values": ["x"], "types": {"zip": "string"}}
        versions = api.get("/uploads/datasets/shop/versions").json()["versions"]
        assert [one["upload_id"] for one in versions] == [new["upload_id"], first["upload_id"]]
        assert api.get(f"/uploads/{first['upload_id']}").json() == first

    def test_makes_the_next_version_of_a_dataset_without_a_name(
        self, api: TestClient, complete: Take, work: Callable[[], None]
    ):
        first, other = complete({"shop.csv": ROWS}), complete({"shop.csv": ROWS})["upload_id"]
        new = again(api, first, encoding="utf-16").json()["upload_id"]
        work()
        failed = api.get(f"/uploads/{new}").json()
        assert failed["status"] == "failed"
        second = again(api, failed, null_values=["x"]).json()["upload_id"]
        work()
        versions = api.get("/uploads/datasets/shop.csv/versions").json()["versions"]
        assert [one["upload_id"] for one in versions] == [second, first["upload_id"]]
        assert other not in [one["upload_id"] for one in versions]

    def test_mends_an_upload_that_failed(
        self, api: TestClient, complete: Take, work: Callable[[], None]
    ):
        failed = complete({"t.csv": b"made by us, in May\na,b\n1,2\n3,4,5\n"})
        assert failed["status"] == "failed"
        new = again(api, failed, delimiter=";", skip_rows=1).json()["upload_id"]
        work()
        assert api.get(f"/uploads/{new}").json()["status"] == "complete"

    def test_does_not_need_the_first_upload_any_more(
        self, api: TestClient, complete: Take, work: Callable[[], None]
    ):
        first = complete({"shop.csv": ROWS})
        new = again(api, first).json()["upload_id"]
        work()
        api.delete(f"/uploads/{first['upload_id']}")
        answer = api.get(f"/data/uploads/{new}/files/shop.csv/preview")
        assert answer.json()["total_rows"] == 3

    def test_says_so_where_the_original_is_gone(
        self, api: TestClient, complete: Take, work: Callable[[], None]
    ):
        first = complete({"shop.csv": ROWS})
        new = again(api, first).json()["upload_id"]
        api.delete(f"/uploads/{first['upload_id']}")
        api.delete(f"/trash/{first['upload_id']}")
        work()
        told = api.get(f"/uploads/{new}").json()
        assert (told["status"], "deleted" in told["error"]) == ("failed", True)

    def test_of_an_unknown_file_is_404(self, api: TestClient, complete: Take):
        first = complete({"shop.csv": ROWS})
        path = f"/uploads/{first['upload_id']}/files/other.csv/reparse"
        assert api.post(path, json={}).status_code == 404

    def test_of_files_that_have_not_come_is_409(self, api: TestClient):
        declared = {"files": [{"filename": "a.csv", "content_type": "text/csv"}]}
        upload = api.post("/data/upload", json=declared).json()
        assert again(api, upload).status_code == 409

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("sheet", ""),
            ("sheet", 1),
            ("delimiter", ";;"),
            ("delimiter", '"'),
            ("encoding", "klingon"),
            ("encoding", "unicode_escape"),
            ("header_rows", -1),
            ("header_rows", "two"),
            ("skip_rows", 101),
            ("types", {"zip": "int"}),
            ("types", ["zip"]),
            ("types", {"nosuch": "string"}),
            ("decimal", "x"),
            ("null_values", "NA"),
            ("sheet", "Data"),
        ],
    )
    def test_refuses_a_wrong_value_by_the_name_of_its_field(
        self, api: TestClient, shop: dict[str, Any], field: str, value: object
    ):
        answer = again(api, shop, **{field: value})
        assert answer.status_code == 422, answer.text
        (detail, *_) = answer.json()["error"]["details"]
        assert detail["field"].split(".")[0] == field

    @pytest.mark.parametrize(
        ("name", "content", "field", "value"),
        [
            ("a.json", b'[{"a": 1}, {"a": 2}]', "delimiter", ";"),
            ("a.json", b'[{"a": 1}, {"a": 2}]', "header_rows", 0),
            ("a.csv", b"a,b\n1,2\n", "sheet", "2"),
        ],
    )
    def test_refuses_an_option_that_its_format_does_not_know(
        self, api: TestClient, complete: Take, name: str, content: bytes, field: str, value: object
    ):
        answer = again(api, complete({name: content}), **{field: value})
        assert answer.status_code == 422, answer.text
        assert answer.json()["error"]["message"].startswith(f"{field}: ")

    @pytest.mark.parametrize(("name", "notice", "options", "names", "rows"), GUESSES)
    def test_mends_a_guess_that_was_told(
        self,
        api: TestClient,
        complete: Take,
        work: Callable[[], None],
        name: str,
        notice: str,
        options: dict[str, Any],
        names: list[str],
        rows: int,
    ):
        first = complete({name: GUESSED[name]})
        (file,) = first["files"]
        assert any(notice in one for one in file["notices"])
        assert file["read_as"]["header_rows"] == 1
        new = again(api, first, **options).json()["upload_id"]
        work()
        (file,) = api.get(f"/uploads/{new}").json()["files"]
        assert [one["name"] for one in file["column_info"]] == names
        shown = api.get(f"/data/uploads/{new}/files/{name}/preview").json()
        assert shown["total_rows"] == rows

    @pytest.mark.parametrize(
        ("content", "options", "rows"),
        [
            (b"a|b;c\n1|2;3\n4|5;6\n", {"delimiter": ";"}, [["1|2", 3], ["4|5", 6]]),
            ("a,b\nK\u00f6ln,1\n".encode("mac_roman"), {"encoding": "mac_roman"}, [["Köln", 1]]),
            (b'a,b\n"1,234",x\n"2,500",y\n', {"decimal": ","}, [[1.234, "x"], [2.5, "y"]]),
            (b"a,b\n7,x\n", {"types": {"a": "string"}}, [["7", "x"]]),
            (b"a,b\n7,x\n8,y\n", {"null_values": ["x"]}, [[7, None], [8, "y"]]),
            (b"by us\na,b\n7,x\n", {"skip_rows": 1, "header_rows": 1}, [[7, "x"]]),
        ],
        ids=lambda one: next(iter(one)) if isinstance(one, dict) else "",
    )
    def test_takes_each_option(
        self,
        api: TestClient,
        complete: Take,
        work: Callable[[], None],
        content: bytes,
        options: dict[str, Any],
        rows: list[list[Any]],
    ):
        new = again(api, complete({"t.csv": content}), **options).json()["upload_id"]
        work()
        session = api.post("/data/sessions", json={"upload_id": new}).json()["session_id"]
        asked = {"session_id": session, "query_type": "sql", "query": "SELECT * FROM t"}
        assert api.post("/data/query", json=asked).json()["rows"] == rows

    def test_takes_names_that_come_with_another_header(
        self, api: TestClient, complete: Take, work: Callable[[], None]
    ):
        first = complete({"shop.csv": ROWS})
        options = {"header_rows": 0, "types": {"column_1": "string"}}
        new = again(api, first, **options).json()["upload_id"]
        work()
        assert api.get(f"/uploads/{new}").json()["status"] == "complete"


class TestDeclare:
    def test_may_say_how_a_file_is_to_be_read(
        self, api: TestClient, anonymous_client: TestClient, work: Callable[[], None]
    ):
        file = {"filename": "a.csv", "content_type": "text/csv", "options": {"header_rows": 0}}
        upload = api.post("/data/upload", json={"files": [file]}).json()
        (placed,) = upload["files"]
        anonymous_client.put(placed["presigned_url"], content=b"a,b\n1,2\n")
        listed = [{name: placed[name] for name in ("filename", "object_key")}]
        body = {"upload_id": upload["upload_id"], "status": "complete", "files": listed}
        api.post("/uploads/status", json=body)
        work()
        (read,) = api.get(f"/uploads/{upload['upload_id']}").json()["files"]
        assert [one["name"] for one in read["column_info"]] == ["column_1", "column_2"]


class TestReadAs:
    @pytest.mark.parametrize(
        ("content", "told"),
        [
            (
                ROWS,
                {"delimiter": ";", "encoding": "utf-8", "header_rows": 1, "skip_rows": 0},
            ),
            (
                ("Sales\t\t\nzip\tcity\tn\n" + "1\tKöln\t3\n2\tBonn\t4\n" * 9).encode("cp1252"),
                {"delimiter": "tab", "encoding": "cp1252", "header_rows": 1, "skip_rows": 1},
            ),
            (
                b";2020;;2021;\nzip;price;n;price;n\n" + b"1;1.5;3;1.5;3\n2;2.5;4;1.5;3\n" * 20,
                {"header_rows": 2, "skip_rows": 0},
            ),
            (b"1,2\n3,4\n5,6\n", {"delimiter": ",", "header_rows": 0, "skip_rows": 0}),
            (b"price;n\n1,5;a\n2,25;b\n3,75;c\n", {"delimiter": ";", "decimal": ","}),
            (b"word\none\ntwo\n", {"delimiter": None}),
        ],
        ids=[
            "semicolons",
            "tabs below a title",
            "two lines of names",
            "no names",
            "decimal commas",
            "one column",
        ],
    )
    def test_tells_what_was_guessed(self, complete: Take, content: bytes, told: dict[str, Any]):
        read_as = complete({"t.csv": content})["files"][0]["read_as"]
        assert {name: read_as[name] for name in told} == told

    def test_read_again_as_told_is_the_same_table(
        self, api: TestClient, complete: Take, work: Callable[[], None]
    ):
        first = complete({"t.csv": b"made in May;;\nzip;price;n\n" + b"1;1,5;3\n2;2,5;4\n" * 20})
        guessed = first["files"][0]["read_as"]
        told = {name: value for name, value in guessed.items() if value not in (None, [])}
        new = again(api, first, **told).json()["upload_id"]
        work()
        second = api.get(f"/uploads/{new}").json()["files"][0]
        assert second["column_info"] == first["files"][0]["column_info"]
        assert (second["rows"], second["read_as"]) == (40, guessed)
        assert (guessed["skip_rows"], guessed["decimal"]) == (1, ",")

    def test_tells_the_sheet_of_a_workbook(self, complete: Take, tmp_path: Path):
        book = Workbook()
        book.active.title = "Sales"
        for row in (["zip", "price"], [1, 1.5], [2, 2.5]):
            book.active.append(row)
        book.save(tmp_path / "t.xlsx")
        read_as = complete({"t.xlsx": (tmp_path / "t.xlsx").read_bytes()})["files"][0]["read_as"]
        assert (read_as["sheet"], read_as["header_rows"], read_as["skip_rows"]) == ("Sales", 1, 0)
