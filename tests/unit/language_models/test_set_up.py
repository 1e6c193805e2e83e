"""What is set and installed becomes readers, and doctor says what is wrong with it."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from modelwright.bootstrap.adapters import local_models, make_language_models
from modelwright.cli import doctor
from modelwright.cli.doctor import Finding
from modelwright.core.clock import SystemClock
from modelwright.core.config.settings import Settings
from modelwright.language_models.domain import installed_dir
from modelwright.language_models.endpoint import Endpoint

TWO = "http://127.0.0.1:1/v1, https://llm.example.org/v1"


def settings(folder: Path, **more: Any) -> Settings:
    return Settings.model_validate({"data_dir": folder, **more})


def looked_at(made: Settings) -> Finding:
    return doctor._language_models(made)


class TestSettings:
    def test_none_is_set_by_itself(self, tmp_path: Path):
        models = make_language_models(settings(tmp_path), SystemClock())
        assert models.readers == []
        assert not models.has_local

    def test_several_endpoints_are_as_many_readers(self, tmp_path: Path):
        given = {"language_model_url": TWO, "language_model": "small,large"}
        models = make_language_models(settings(tmp_path, **given), SystemClock())
        assert [one.name for one in models.readers] == ["small", "large"]

    @pytest.mark.parametrize(
        ("keys", "sent"), [("", ["", ""]), ("a", ["a", "a"]), ("a,b", ["a", "b"])]
    )
    def test_keys_are_for_all_or_one_for_each(self, tmp_path: Path, keys: str, sent: list[str]):
        given = {"language_model_url": TWO, "language_model": "x,y", "language_model_key": keys}
        models = make_language_models(settings(tmp_path, **given), SystemClock())
        headers = [one.model._headers for one in models._models if isinstance(one.model, Endpoint)]
        assert [one.get("Authorization", "Bearer ")[7:] for one in headers] == sent

    @pytest.mark.parametrize(
        ("given", "named"),
        [
            ({"language_model_url": TWO, "language_model": "one"}, "MODELWRIGHT_LANGUAGE_MODEL "),
            (
                {"language_model_url": TWO, "language_model": "a,b", "language_model_key": "a,b,c"},
                "MODELWRIGHT_LANGUAGE_MODEL_KEY",
            ),
            ({"language_model_url": f"{TWO},nonsense"}, "address"),
        ],
    )
    def test_that_do_not_fit_are_refused_by_their_name(
        self, tmp_path: Path, given: dict[str, str], named: str
    ):
        with pytest.raises(ValidationError, match=named):
            settings(tmp_path, **given)

    def test_files_that_are_set_and_installed_are_used(self, tmp_path: Path):
        installed = installed_dir(tmp_path)
        installed.mkdir(parents=True)
        (installed / "b.gguf").write_bytes(b"x")
        found = local_models(settings(tmp_path, language_model_file="/models/a.gguf"))
        assert [one.name for one in found] == ["a", "b"]

    def test_nothing_is_run_where_the_library_is_not_installed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr("modelwright.bootstrap.adapters.find_spec", lambda _: None)
        assert local_models(settings(tmp_path, language_model_file="/models/a.gguf")) == []


class TestDoctor:
    def test_none_is_well(self, tmp_path: Path):
        found = looked_at(settings(tmp_path))
        assert (found.remedy, "rules alone" in found.message) == ("", True)

    def test_a_file_that_is_not_there(self, tmp_path: Path):
        found = looked_at(settings(tmp_path, language_model_file="/nothing.gguf"))
        assert "/nothing.gguf is not there" in found.message
        assert found.remedy

    def test_a_library_that_is_not_installed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        file = tmp_path / "a.gguf"
        file.write_bytes(b"x")
        monkeypatch.setattr(doctor, "find_spec", lambda _: None)
        found = looked_at(settings(tmp_path, language_model_file=str(file)))
        assert "language-models]" in found.remedy

    def test_more_memory_than_there_is(self, tmp_path: Path):
        file = tmp_path / "a.gguf"
        file.write_bytes(b"x")
        given = {"language_model_file": str(file), "language_model_memory_mb": 2**24}
        assert "MEMORY_MB" in looked_at(settings(tmp_path, **given)).remedy

    def test_a_model_that_the_server_will_load_is_well(self, tmp_path: Path):
        file = tmp_path / "a.gguf"
        file.write_bytes(b"x")
        found = looked_at(settings(tmp_path, language_model_file=str(file)))
        assert (found.remedy, "server loads" in found.message) == ("", True)

    def test_an_endpoint_that_is_away(self, tmp_path: Path):
        given = {"language_model_url": "http://127.0.0.1:1/v1", "language_model": "m"}
        found = looked_at(settings(tmp_path, **given))
        assert "m: The endpoint can't be asked" in found.message
        assert found.remedy
