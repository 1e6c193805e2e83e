"""The artifact by HTTP: it leaves whole or in parts, and predicts elsewhere as it does here."""

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import ModelSide

import modelwright_client

ROW: dict[str, Any] = {
    "island": "Torgersen", "bill_length_mm": 39.1, "bill_depth_mm": 18.7,
    "flipper_length_mm": 181, "body_mass_g": 3750, "sex": "male", "year": 2007,
}  # fmt: skip


class TestArtifact:
    def test_predicts_elsewhere_what_the_server_predicts(
        self, api: TestClient, penguins: str, tmp_path: Path
    ) -> None:
        path = tmp_path / "model.zip"
        path.write_bytes(api.get(f"{penguins}/artifact").content)
        rows = [ROW | {"bill_length_mm": 30 + place / 10} for place in range(300)]
        words = ["probabilities", "explanation", "interval"]
        theirs = api.post(f"{penguins}/predictions?include={','.join(words)}", json=rows).json()
        ours = modelwright_client.load(path).predict(rows, include=words)
        assert [one | {"request_id": ""} for one in ours] == [
            one | {"request_id": ""} for one in theirs
        ]

    def test_is_an_attachment_with_a_name(self, api: TestClient, penguins: str) -> None:
        answer = api.get(f"{penguins}/artifact")
        assert answer.headers["content-type"] == "application/zip"
        assert answer.headers["content-disposition"].endswith("''penguins-v1.0.zip")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in answer.headers["content-security-policy"]

    def test_holds_no_pickle_and_no_training_row(self, api: TestClient, penguins: str) -> None:
        content = api.get(f"{penguins}/artifact").content
        with zipfile.ZipFile(io.BytesIO(content)) as held:
            suffixes = {Path(name).suffix for name in held.namelist()}
        assert suffixes <= {".json", ".npz", ".onnx"}

    def test_comes_in_ranges(self, api: TestClient, penguins: str) -> None:
        whole = api.get(f"{penguins}/artifact")
        part = api.get(f"{penguins}/artifact", headers={"Range": "bytes=10-19"})
        assert (part.status_code, part.content) == (206, whole.content[10:20])
        assert part.headers["content-range"] == f"bytes 10-19/{len(whole.content)}"
        beyond = api.get(f"{penguins}/artifact", headers={"Range": "bytes=999999999-"})
        assert beyond.status_code == 416

    def test_is_not_sent_again_to_who_has_it(self, api: TestClient, penguins: str) -> None:
        tag = api.get(f"{penguins}/artifact").headers["etag"]
        again = api.get(f"{penguins}/artifact", headers={"If-None-Match": f'"other", {tag}'})
        assert (again.status_code, again.content) == (304, b"")

    def test_goes_on_where_it_broke_off(self, api: TestClient, penguins: str) -> None:
        tag = api.get(f"{penguins}/artifact").headers["etag"]
        rest = {"Range": "bytes=5-"}
        assert api.get(f"{penguins}/artifact", headers=rest | {"If-Range": tag}).status_code == 206
        other = api.get(f"{penguins}/artifact", headers=rest | {"If-Range": '"other"'})
        assert other.status_code == 200

    def test_of_a_version_that_is_not_ready_is_409(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        model_side.draft("churn")
        answer = api.get("/models/churn/v1.0/artifact")
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "conflict")
        assert "DRAFT" in answer.json()["error"]["message"]

    @pytest.mark.parametrize("path", ["none/v1.0", "churn/v7.0", "churn/.."])
    def test_of_what_is_not_there_is_404(
        self, api: TestClient, model_side: ModelSide, path: str
    ) -> None:
        model_side.ready("churn")
        assert api.get(f"/models/{path}/artifact").status_code == 404

    def test_that_is_gone_is_404(self, api: TestClient, model_side: ModelSide) -> None:
        model_side.ready("churn")
        assert api.get("/models/churn/v1.0/artifact").status_code == 404
