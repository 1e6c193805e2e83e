"""The demonstration's parts: its table, the lines it prints, and what it says without a key."""

import json
import shlex
from hashlib import sha256
from pathlib import Path

import httpx
import pytest
from tests.unit.client.scripted import Answer, Scripted, serving

from modelwright_client.commands import demo
from modelwright_client.demo import table
from modelwright_client.demo.curl import Recorder
from modelwright_client.errors import ModelwrightError

SCHEMA = {
    "island": "string",
    "bill_length_mm": "float",
    "body_mass_g": "integer",
    "year": "integer",
}


class TestTable:
    def test_is_the_one_its_source_names_but_for_empty_cells(self):
        original = table.PENGUINS.read_text().split("\n")
        restored = "\n".join(
            ",".join(cell or "NA" for cell in line.split(",")) if line else "" for line in original
        )
        digest = sha256(restored.encode()).hexdigest()
        assert digest in table.PENGUINS.with_name("SOURCE.md").read_text()

    def test_has_an_example_of_each_species(self):
        species = {row["species"] for row in table.examples()}
        assert species == {"Adelie", "Chinstrap", "Gentoo"}

    def test_examples_have_no_empty_cells(self):
        assert all(all(row.values()) for row in table.examples())

    def test_rows_are_typed_as_the_model_wants_them(self):
        row = table.as_input(table.examples()[1], SCHEMA)
        assert row == {
            "island": "Torgersen",
            "bill_length_mm": 39.1,
            "body_mass_g": 3750,
            "year": 2007,
        }


class TestCurl:
    @pytest.fixture
    def recorder(self) -> Recorder:
        return Recorder(httpx.WSGITransport(Scripted(Answer({}))), Path("a b.csv"))

    def test_a_body_with_quotes_survives_the_shell(self, recorder: Recorder):
        body = {"intent": "Predict the penguin's “species”"}
        with httpx.Client(transport=recorder) as client:
            headers = {"Authorization": "Bearer mw_secret"}
            client.post("http://x/models/p?a=1&b=2", json=body, headers=headers)
        (line,) = recorder.take()
        words = shlex.split(line.replace("\\\n", ""))
        assert words[:2] == ["curl", "http://x/models/p?a=1&b=2"]
        assert json.loads(words[-1]) == body
        assert "Authorization: Bearer $MODELWRIGHT_API_KEY" in words
        assert "mw_secret" not in line

    def test_a_sent_file_is_named_by_its_path(self, recorder: Recorder):
        with httpx.Client(transport=recorder) as client:
            client.put("http://x/s?k=1", content=iter([b"x"]), headers={"Content-Type": "text/csv"})
        (line,) = recorder.take()
        words = shlex.split(line.replace("\\\n", ""))
        assert words == ["curl", "-T", "a b.csv", "-H", "Content-Type: text/csv", "http://x/s?k=1"]

    def test_a_file_below_the_present_folder_is_named_from_there(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.chdir(tmp_path)
        recorder = Recorder(httpx.WSGITransport(Scripted(Answer({}))), tmp_path / "a" / "b.csv")
        with httpx.Client(transport=recorder) as client:
            client.put("http://x/s", content=iter([b"x"]), headers={"Content-Type": "text/csv"})
        assert recorder.take()[0].startswith("curl -T a/b.csv ")

    def test_what_is_asked_again_and_again_is_written_once(self, recorder: Recorder):
        with httpx.Client(transport=recorder) as client:
            for _ in range(3):
                client.get("http://x/status")
        assert recorder.take() == ["curl http://x/status"]
        assert recorder.take() == []


class TestKey:
    @pytest.fixture
    def url(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.delenv("MODELWRIGHT_API_KEY", raising=False)
        with serving(Scripted(Answer({"status": "ok"}))) as url:
            yield url

    def test_beside_the_server_says_how_to_make_one(
        self, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setenv("MODELWRIGHT_DATA_DIR", str(tmp_path))
        with pytest.raises(ModelwrightError, match=r"\$\(modelwright keys create .*\| tail -n 1\)"):
            demo.demo(url=url)

    def test_elsewhere_names_the_server_whose_keeper_to_ask(
        self, url: str, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(demo, "find_spec", lambda _: None)
        with pytest.raises(ModelwrightError, match=f"whoever runs {url}"):
            demo.demo(url=url)
