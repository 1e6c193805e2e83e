"""How a file is to be read, said when it is declared or once it was read wrongly."""

from collections.abc import Callable
from typing import Any

from fastapi.testclient import TestClient

Take = Callable[..., dict[str, Any]]
ROWS = b"zip;price\n01;1,5\n02;2,5\n03;x\n"


def again(api: TestClient, upload: dict[str, Any], **options: Any) -> Any:
    filename = upload["files"][0]["filename"]
    return api.post(f"/uploads/{upload['upload_id']}/files/{filename}/reparse", json=options)


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
        assert second["files"][0]["options"] == {"null_values": ["x"], "types": {"zip": "string"}}
        versions = api.get("/uploads/datasets/shop/versions").json()["versions"]
        assert [one["upload_id"] for one in versions] == [new["upload_id"], first["upload_id"]]
        assert api.get(f"/uploads/{first['upload_id']}").json() == first

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

    def test_refuses_what_is_no_option_by_its_name(self, api: TestClient, complete: Take):
        first = complete({"shop.csv": ROWS})
        for wrong in ({"delimiter": ";;"}, {"decimal": "x"}, {"header_rows": -1}):
            answer = again(api, first, **wrong)
            assert answer.status_code == 422, answer.text
            assert next(iter(wrong)) in answer.text


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
