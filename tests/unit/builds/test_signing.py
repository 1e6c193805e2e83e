"""Artifacts are signed by the server that built them, and verified by whoever asks for it."""

import base64
import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from fastapi.testclient import TestClient
from tests.built_models import GENTOO, PENGUINS, Built
from tests.factories import ModelSide
from tests.unit.client.scripted import Answer, Scripted, serving
from typer.testing import CliRunner

import modelwright_client
from modelwright.bootstrap.container import Container
from modelwright.cli.keys import keys_app
from modelwright.core.config.secret_files import KeyRing
from modelwright.core.config.signing_keys import SigningKeys
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.engines.automl.artifact import sign, zipped
from modelwright.signing.service import Signing
from modelwright_client.cli import main
from modelwright_runtime.errors import ArtifactError

STRANGER = base64.b64encode(Ed25519PrivateKey.generate().public_key().public_bytes_raw()).decode()


def public_keys(api: TestClient) -> list[dict[str, Any]]:
    return list(api.get("/auth/signing-keys").json()["keys"])


@pytest.fixture
def signed(container: Container, species: Built, tmp_path: Path) -> Path:
    """A real artifact as the server signs it."""
    folder = tmp_path / "artifact"
    shutil.copytree(species.folder, folder)

    def by_server(message: bytes) -> dict[str, str]:
        with container.database.transaction(ALL_ACCOUNTS) as db:
            made = container.service(Signing).sign(db, message)
        return {"key_id": made.key_id, "value": made.value}

    sign(folder, by_server)
    return folder / "model.zip"


def changed(path: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """Changes an artifact's manifest."""
    with zipfile.ZipFile(path) as held:
        members = {name: held.read(name) for name in held.namelist()}
    manifest = json.loads(members["manifest.json"])
    change(manifest)
    members["manifest.json"] = json.dumps(manifest).encode()
    path.write_bytes(zipped(members))
    return path


class TestVerify:
    def test_takes_what_the_server_signed(self, api: TestClient, signed: Path, species: Built):
        [key] = public_keys(api)
        for wanted in (key["public_key"], [STRANGER, key["public_key"]]):
            model = modelwright_client.load(signed, verify_with=wanted)
            assert model.predict([GENTOO])[0]["prediction"] == {"species": "Gentoo"}

    def test_refuses_what_somebody_else_signed(self, signed: Path):
        with pytest.raises(ArtifactError, match="not of the server whose key was given"):
            modelwright_client.load(signed, verify_with=STRANGER)

    @pytest.mark.parametrize(
        "change",
        [
            lambda manifest: manifest.update(algorithm="x"),
            lambda manifest: manifest["members"].update({"model.json": "0" * 64}),
            lambda manifest: manifest["signature"].update(
                value=base64.b64encode(b"x" * 64).decode()
            ),
            lambda manifest: manifest["signature"].update(value="no base64"),
        ],
    )
    def test_refuses_what_was_changed_since(
        self, api: TestClient, signed: Path, change: Callable[[dict[str, Any]], None]
    ):
        [key] = public_keys(api)
        with pytest.raises(ArtifactError, match="not of the server whose key was given"):
            modelwright_client.load(changed(signed, change), verify_with=key["public_key"])

    @pytest.mark.parametrize("signature", [None, {}, "x", {"value": ""}])
    def test_refuses_what_is_not_signed_and_loads_it_where_nobody_asks(
        self, api: TestClient, signed: Path, signature: Any
    ):
        [key] = public_keys(api)
        path = changed(signed, lambda manifest: manifest.update(signature=signature))
        with pytest.raises(ArtifactError, match="not signed"):
            modelwright_client.load(path, verify_with=key["public_key"])
        assert modelwright_client.load(path).predict([GENTOO])

    @pytest.mark.parametrize("key", ["", "x", base64.b64encode(b"x").decode()])
    def test_says_what_is_no_key(self, signed: Path, key: str):
        with pytest.raises(ArtifactError, match="no Ed25519 public key"):
            modelwright_client.load(signed, verify_with=key)

    def test_with_no_keys_takes_nothing(self, signed: Path):
        with pytest.raises(ArtifactError, match="not of the server"):
            modelwright_client.load(signed, verify_with=[])

    def test_an_artifact_of_an_earlier_version_loads_as_ever(self, species: Built):
        assert modelwright_client.load(species.folder / "model.zip").predict([GENTOO])


class TestBuild:
    def test_signs_what_it_makes(
        self, api: TestClient, model_side: ModelSide, worker: Callable[[], int], tmp_path: Path
    ):
        upload_id = model_side.upload(PENGUINS)
        wish = {"intent": "Predict the species", "dataset_id": upload_id, "max_iterations": 1}
        assert api.post("/models/penguins", json=wish).status_code == 200
        worker()
        path = tmp_path / "model.zip"
        path.write_bytes(api.get("/models/penguins/v1.0/artifact").content)
        [key] = public_keys(api)
        model = modelwright_client.load(path, verify_with=key["public_key"])
        assert model.manifest["signature"]["key_id"] == key["fingerprint"]


class TestRotation:
    def test_keeps_the_old_public_key(
        self, api: TestClient, container: Container, signed: Path, species: Built
    ):
        [before] = public_keys(api)
        ring = container.service(KeyRing)
        ring.renew()
        ring.drop_earlier()
        now = public_keys(api)
        assert [key["is_current"] for key in now] == [True, False]
        assert now[0]["public_key"] != before["public_key"]
        assert now[1]["public_key"] == before["public_key"]
        model = modelwright_client.load(signed, verify_with=[key["public_key"] for key in now])
        assert model.predict([GENTOO])

    def test_an_earlier_secret_s_signature_is_ours_while_it_is_kept(self, tmp_path: Path):
        ring = KeyRing(tmp_path / "secret.key")
        keys = SigningKeys(ring.secrets)
        value = keys.sign(b"message").value
        ring.renew()
        assert keys.is_ours(b"message", value)
        assert not keys.is_ours(b"another", value)
        ring.drop_earlier()
        assert not keys.is_ours(b"message", value)


class TestCommands:
    @pytest.mark.usefixtures("command_line")
    def test_show_the_keys_and_verify_with_them(
        self,
        api: TestClient,
        signed: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ):
        told = CliRunner().invoke(keys_app, ["signing"])
        assert told.exit_code == 0, told.output
        key = told.stdout.split()[0]
        assert key == public_keys(api)[0]["public_key"]
        words = ["modelwright", "predict", str(signed), "--input", json.dumps(GENTOO)]
        monkeypatch.setattr("sys.argv", [*words, "--verify-with", key])
        assert main() == 0
        monkeypatch.setattr("sys.argv", [*words, "--verify-with", STRANGER])
        assert main() == 1
        assert "not of the server whose key was given" in capsys.readouterr().err


@contextmanager
def client_of(content: bytes) -> Iterator[modelwright_client.Client]:
    """A client of a server that gives some bytes, whatever is asked for."""
    with serving(Scripted(Answer(content))) as url, modelwright_client.Client(url, "key") as client:
        yield client


class TestDownload:
    """The client keeps nothing that the server whose key is known did not sign."""

    @pytest.mark.parametrize("target", ["", "mine.zip"])
    def test_keeps_what_the_server_signed(
        self, api: TestClient, signed: Path, tmp_path: Path, target: str
    ):
        [key] = public_keys(api)
        place = tmp_path / "kept"
        place.mkdir()
        with client_of(signed.read_bytes()) as client:
            made = client.models.artifact(
                "penguins", "v1.0", place / target, verify_with=[STRANGER, key["public_key"]]
            )
        assert made == place / (target or "penguins-v1.0.zip")
        assert made.read_bytes() == signed.read_bytes()
        assert list(place.iterdir()) == [made]

    @pytest.mark.parametrize("what", ["somebody else's", "changed", "unsigned", "cut off"])
    def test_keeps_nothing_else_and_leaves_what_was_there(
        self, api: TestClient, signed: Path, tmp_path: Path, what: str
    ):
        [key] = public_keys(api)
        wanted = STRANGER if what == "somebody else's" else key["public_key"]
        if what == "changed":
            changed(signed, lambda manifest: manifest.update(algorithm="x"))
        if what == "unsigned":
            changed(signed, lambda manifest: manifest.pop("signature"))
        content = signed.read_bytes()[:-100] if what == "cut off" else signed.read_bytes()
        place = tmp_path / "kept"
        place.mkdir()
        earlier = place / "penguins-v1.0.zip"
        earlier.write_bytes(b"the one before")
        with (
            client_of(content) as client,
            pytest.raises(ArtifactError, match=r"penguins-v1\.0\.zip is"),
        ):
            client.models.artifact("penguins", "v1.0", place, verify_with=wanted)
        assert [one.read_bytes() for one in place.iterdir()] == [b"the one before"]

    def test_by_the_command_asks_for_the_same(
        self,
        api: TestClient,
        signed: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ):
        [key] = public_keys(api)
        words = ["modelwright", "models", "download", "penguins", "v1.0", "--to", str(tmp_path)]
        with serving(Scripted(Answer(signed.read_bytes()))) as url:
            words += ["--url", url, "--api-key", "key"]
            monkeypatch.setattr("sys.argv", [*words, "--verify-with", STRANGER])
            assert main() == 1
            assert "not of the server whose key was given" in capsys.readouterr().err
            assert not (tmp_path / "penguins-v1.0.zip").exists()
            monkeypatch.setattr("sys.argv", [*words, "--verify-with", key["public_key"]])
            assert main() == 0
        assert (tmp_path / "penguins-v1.0.zip").read_bytes() == signed.read_bytes()
