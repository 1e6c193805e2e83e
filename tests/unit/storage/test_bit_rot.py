"""A flipped bit or a lost file is refused by name wherever it is used, and seen by health."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient
from tests.built_models import GENTOO, PENGUINS
from tests.factories import CHURN, ModelSide

from modelwright.bootstrap.container import Container
from modelwright.bootstrap.startup import (
    StartupError,
    check_everything,
    check_object_store,
    open_container,
)
from modelwright.cli.backup import BackupError, back_up
from modelwright.cli.doctor import scrub
from modelwright.core.config.settings import DATABASE, Settings
from modelwright.storage.checked import DIGESTS
from modelwright.storage.object_store import ObjectStore

pytestmark = pytest.mark.usefixtures("in_process_children")


def flip(path: Path) -> None:
    """Flips one bit in the middle of a file, as a worn disk does."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.unlink()  # it may have a second name, which stays whole
    path.write_bytes(content)


SPOILT = pytest.mark.parametrize(
    ("spoil", "word"), [(flip, "is damaged"), (Path.unlink, "is missing")]
)


@pytest.fixture
def spoilt(container: Container) -> Callable[[str, Callable[[Path], None]], list[str]]:
    """Spoils every file under a prefix; names what was spoilt."""

    def do(prefix: str, spoil: Callable[[Path], None]) -> list[str]:
        folder = container.settings.objects_dir
        found = sorted(path for path in (folder / prefix).rglob("*") if path.is_file())
        for path in found:
            spoil(path)
        assert found
        return [path.relative_to(folder).as_posix() for path in found]

    return do


@pytest.fixture(autouse=True)
def _marked(container: Container) -> None:
    """Marks the objects as the database's own, as the first start does."""
    check_object_store(container)


Spoil = Callable[[str, Callable[[Path], None]], list[str]]


@pytest.fixture
def stored(api: TestClient, model_side: ModelSide, worker: Callable[[], int], penguins: str) -> str:
    """An upload with an analysis and an export, beside a model; returns the upload's id."""
    assert penguins
    upload_id = model_side.upload(CHURN)
    for path in ("/data/analyze", "/data/export"):
        assert api.post(path, json={"upload_id": upload_id}).status_code == 200
    worker()
    return upload_id


def told(answer: object) -> str:
    text: str = answer.text  # type: ignore[attr-defined]
    return text


@SPOILT
class TestUse:
    def test_a_table_is_neither_queried_nor_shown_nor_exported(
        self,
        api: TestClient,
        worker: Callable[[], int],
        stored: str,
        spoilt: Spoil,
        spoil: Callable[[Path], None],
        word: str,
    ) -> None:
        file = api.get(f"/uploads/{stored}").json()["files"][0]["filename"]
        preview = f"/data/uploads/{stored}/files/{file}/preview"
        spoilt("tables", spoil)
        session = api.post("/data/sessions", json={"upload_id": stored}).json()
        body = {
            "session_id": session["session_id"],
            "query_type": "sql",
            "query": "select 1",
        }
        for answer in (api.post("/data/query", json=body), api.get(preview)):
            assert (answer.status_code, word in answer.text) == (503, True), answer.text
        export = api.post("/data/export", json={"upload_id": stored, "format": "csv"}).json()
        worker()
        job = api.get(f"/jobs/{export['job_id']}").json()
        assert word in str(job), job

    def test_a_model_neither_answers_nor_leaves(
        self,
        api: TestClient,
        stored: str,
        penguins: str,
        spoilt: Spoil,
        spoil: Callable[[Path], None],
        word: str,
    ) -> None:
        assert stored
        spoilt("artifacts", spoil)
        answer = api.post(f"{penguins}/infer", json=GENTOO)
        assert (answer.status_code, word in told(answer)) == (503, True), answer.text

    def test_a_table_is_neither_planned_nor_built_from_nor_scored_nor_analysed(
        self,
        api: TestClient,
        worker: Callable[[], int],
        stored: str,
        penguins: str,
        model_side: ModelSide,
        spoilt: Spoil,
        spoil: Callable[[Path], None],
        word: str,
    ) -> None:
        wish = {"intent": "Predict churn", "dataset_id": stored, "max_iterations": 1}
        measured = model_side.upload(PENGUINS)
        begun = {
            "build": lambda: api.post("/models/of_spoilt", json=wish),
            "score": lambda: api.post(f"{penguins}/score", json={"upload_id": measured}),
            "analyse": lambda: api.post("/data/analyze", json={"upload_id": stored}),
        }
        spoilt("tables", spoil)
        plan = api.post("/models/of_spoilt/plan", json=wish)
        assert (plan.status_code, word in plan.text) == (503, True), plan.text
        for name, begin in begun.items():
            answer = begin()
            assert answer.status_code == 200, (name, answer.text)
            worker()
            job = api.get(f"/jobs/{answer.json()['job_id']}").json()
            assert (job["status"], word in str(job)) == ("FAILED", True), (name, job)

    def test_an_original_is_not_read_again(
        self,
        api: TestClient,
        worker: Callable[[], int],
        stored: str,
        spoilt: Spoil,
        spoil: Callable[[Path], None],
        word: str,
    ) -> None:
        file = api.get(f"/uploads/{stored}").json()["files"][0]["filename"]
        spoilt("uploads", spoil)
        answer = api.post(f"/uploads/{stored}/files/{file}/reparse", json={"delimiter": ","})
        if answer.status_code == 200:
            worker()
            answer = api.get(f"/uploads/{answer.json()['upload_id']}")
            assert answer.json()["status"] == "failed"
        else:
            assert answer.status_code == 503
        assert word in answer.text, answer.text

    def test_an_analysis_its_pictures_and_an_artifact_are_not_given_away(
        self,
        api: TestClient,
        stored: str,
        penguins: str,
        spoilt: Spoil,
        spoil: Callable[[Path], None],
        word: str,
    ) -> None:
        [job] = api.get("/jobs?kind=analysis").json()["jobs"]
        pictures = api.get("/data/visualization").json()["visualizations"]
        addresses = [f"/data/analysis/{job['job_id']}", f"{penguins}/artifact"]
        addresses += [urlsplit(one["data_url"]).path for one in pictures[:1]]
        for prefix in ("analyses", "artifacts"):
            spoilt(prefix, spoil)
        for address in addresses:
            answer = api.get(address)
            assert (answer.status_code, word in answer.text) == (503, True), (address, answer.text)

    def test_an_export_is_not_given_away(
        self,
        api: TestClient,
        anonymous_client: TestClient,
        worker: Callable[[], int],
        stored: str,
        spoilt: Spoil,
        spoil: Callable[[Path], None],
        word: str,
    ) -> None:
        assert stored
        made = api.post("/data/export", json={"upload_id": stored}).json()
        worker()
        made = api.get(f"/data/export/{made['export_id']}").json()
        address = made["files"][0]["download_url"]
        assert anonymous_client.get(address).status_code == 200
        spoilt("exports", spoil)
        answer = anonymous_client.get(address)
        assert (answer.status_code, word in told(answer)) == (503, True), answer.text

    @pytest.mark.parametrize("prefix", ["uploads", "tables", "artifacts", "exports", "analyses"])
    def test_the_doctor_names_each_and_health_and_backups_tell(
        self,
        container: Container,
        settings: Settings,
        anonymous_client: TestClient,
        stored: str,
        spoilt: Spoil,
        prefix: str,
        spoil: Callable[[Path], None],
        word: str,
        tmp_path: Path,
    ) -> None:
        assert stored
        assert [one for one in scrub(settings) if one.remedy] == []
        assert anonymous_client.get("/data/health").json()["status"] == "ok"
        named = spoilt(prefix, spoil)
        found = [one for one in scrub(settings) if one.remedy]
        assert sorted(one.message for one in found) == sorted(f"{key} {word}" for key in named)
        health = anonymous_client.get("/data/health").json()
        assert (health["status"], health["checks"]["integrity"]["status"]) == ("degraded", "down")
        if spoil is flip and not settings.database_url:
            with pytest.raises(BackupError, match=named[0]):
                back_up(settings, tmp_path / "backup")


class TestTrash:
    def test_what_was_spoilt_there_is_found_once_it_is_back(
        self,
        container: Container,
        api: TestClient,
        stored: str,
        spoilt: Spoil,
    ) -> None:
        objects = container.service(ObjectStore)  # type: ignore[type-abstract]
        [key] = objects.keys(f"tables/{stored}")
        objects.discard(key, container.clock.now())
        [thrown] = [
            path
            for path in container.settings.objects_dir.rglob("*")
            if path.name == Path(key).name and {"tables", stored} <= set(path.parts)
        ]
        flip(thrown)
        [(found, day)] = list(objects.discarded())
        assert objects.recover(found, day)
        file = api.get(f"/uploads/{stored}").json()["files"][0]["filename"]
        answer = api.get(f"/data/uploads/{stored}/files/{file}/preview")
        assert (answer.status_code, f"{key} is damaged" in answer.text) == (503, True), answer.text


class TestDigests:
    def test_every_stored_object_has_one_from_the_start(
        self, container: Container, stored: str
    ) -> None:
        assert stored
        folder = container.settings.objects_dir
        for prefix in ("uploads", "tables", "artifacts", "exports", "analyses"):
            keys = {p.relative_to(folder) for p in (folder / prefix).rglob("*") if p.is_file()}
            digests = {p for p in (folder / DIGESTS / prefix).rglob("*") if p.is_file()}
            assert {Path(f"{key}.sha256") for key in keys} == {
                path.relative_to(folder / DIGESTS) for path in digests
            }

    def test_none_is_left_of_what_was_deleted(
        self, container: Container, api: TestClient, stored: str
    ) -> None:
        assert api.delete(f"/uploads/{stored}").status_code == 200
        assert api.delete(f"/trash/{stored}").status_code == 200
        left = (container.settings.objects_dir / DIGESTS / "uploads").rglob(f"*{stored}*")
        assert list(left) == []

    def test_what_is_mended_is_well_again(
        self,
        container: Container,
        settings: Settings,
        anonymous_client: TestClient,
        stored: str,
        spoilt: Spoil,
    ) -> None:
        assert stored
        spoilt("exports", flip)
        assert [one for one in scrub(settings) if one.remedy]
        spoilt("exports", flip)
        assert [one for one in scrub(settings) if one.remedy] == []
        assert anonymous_client.get("/data/health").json()["status"] == "ok"

    def test_what_earlier_programs_stored_gets_one_when_it_is_read(
        self, container: Container, settings: Settings, stored: str, spoilt: Spoil
    ) -> None:
        assert stored
        spoilt(DIGESTS, Path.unlink)
        (first, *rest) = scrub(settings)
        assert "of them for the first time" in first.message
        assert rest == []
        (named,) = spoilt("exports", flip)
        assert f"{named} is damaged" in [one.message for one in scrub(settings)]

    @pytest.mark.parametrize("prefix", ["uploads", "tables", "artifacts", "exports", "analyses"])
    def test_rows_whose_objects_never_had_one_are_told_apart(
        self, settings: Settings, stored: str, spoilt: Spoil, prefix: str
    ) -> None:
        """An older data folder that lost an object has neither the object nor its digest."""
        assert stored
        spoilt(f"{DIGESTS}/{prefix}", Path.unlink)
        named = spoilt(prefix, Path.unlink)
        (first, *rest) = scrub(settings)
        assert first.message.endswith("of them for the first time")
        folders = {key.rsplit("/", 1)[0] for key in named}
        keys = {one.message.partition(" is named by the database, is not there")[0] for one in rest}
        assert keys
        assert keys <= {*named, *folders}
        assert all(one.remedy for one in rest)


class TestDatabase:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        settings = Settings(data_dir=tmp_path / "embedded")
        container = open_container(settings)
        check_everything(container)
        container.database.close()
        path = settings.data_dir / DATABASE
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("create table filler (x)")
            connection.execute("insert into filler select randomblob(100000)")
            connection.commit()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return path

    def test_a_damaged_one_is_not_served(self, path: Path) -> None:
        with path.open("r+b") as file:
            file.seek(4096 * 4)
            file.write(b"\xff" * 4096 * 20)
        container = open_container(Settings(data_dir=path.parent))
        with closing(container.database), pytest.raises(StartupError, match="is damaged"):
            check_everything(container)

    def test_one_without_its_first_page_is_refused_in_a_sentence(self, path: Path) -> None:
        with path.open("r+b") as file:
            file.seek(100)
            file.write(b"\xff" * 3000)
        with pytest.raises(StartupError, match=r"damaged|can't be opened"):
            open_container(Settings(data_dir=path.parent))

    def test_damage_met_by_a_request_is_told_as_such(
        self,
        container: Container,
        api: TestClient,
        anonymous_client: TestClient,
        settings: Settings,
    ) -> None:
        if settings.database_url:
            pytest.skip("the pages of a SQLite file")
        assert api.get("/models").status_code == 200
        container.database.engine.dispose()
        path = settings.data_dir / DATABASE
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with path.open("r+b") as file:
            file.seek(4096)
            file.write(b"\xff" * (path.stat().st_size - 4096))
        answer = api.get("/uploads")
        assert (answer.status_code, "database is damaged" in answer.text) == (503, True)
        health = anonymous_client.get("/data/health")
        assert health.status_code == 500
        assert health.json()["checks"]["database"]["status"] == "down"
