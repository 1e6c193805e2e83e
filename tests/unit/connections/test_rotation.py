"""The secret that seals passwords is rotated while connections are made and used."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from modelwright.bootstrap.container import Container, build_container
from modelwright.connections.domain import Target
from modelwright.connections.errors import PasswordUnreadable
from modelwright.connections.service import Connections
from modelwright.core.config import secret_files
from modelwright.core.config.secret_files import KeyRing
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.file_sync import sync


class Killed(BaseException):
    """Stands for a process that ends here."""


TARGET = Target(type="postgresql", host="db", port=5432, database="d", username="ana", options={})
PASSWORD = "s3cret"


def create(container: Container, password: str = PASSWORD) -> str:
    with container.database.transaction("user_1") as db:
        made = container.service(Connections).create(db, "c", TARGET, password)
    return made.connection_id


def opened(container: Container, connection_id: str) -> str:
    with container.database.transaction("user_1") as db:
        found = container.service(Connections).opened(db, connection_id, 1.0)
    assert found is not None
    return str(found["password"])


def rotate(container: Container) -> tuple[int, list[str]]:
    ring = container.service(KeyRing)
    with container.database.transaction(ALL_ACCOUNTS) as db:
        told = container.service(Connections).reseal(db, ring.renew)
    ring.drop_earlier()
    return told


@pytest.fixture
def second(container: Container, settings: Settings) -> Iterator[Container]:
    """Another process on the same data folder."""
    built = build_container(settings)
    with closing(built.database):
        yield built


class TestKeyFile:
    def test_every_process_opens_and_seals_on(
        self, container: Container, second: Container
    ) -> None:
        path = container.settings.data_dir / "secret.key"
        first, before = create(container), path.read_bytes()
        assert rotate(container) == (1, [])
        assert path.read_bytes() != before
        assert path.stat().st_mode & 0o777 == 0o600
        assert opened(second, first) == PASSWORD
        assert opened(container, create(second, "another")) == "another"
        assert not path.with_name("secret.key.old").exists()

    def test_what_the_earlier_secret_sealed_it_does_not_open_any_more(
        self, container: Container
    ) -> None:
        path, connection_id = container.settings.data_dir / "secret.key", create(container)
        before = path.read_bytes()
        rotate(container)
        path.write_bytes(before)
        assert rotate(container) == (0, [connection_id])

    def test_one_that_was_interrupted_is_made_up_for(self, container: Container) -> None:
        ring, connection_id = container.service(KeyRing), create(container)
        ring.renew()  # and then the process is killed
        assert opened(container, connection_id) == PASSWORD
        later = create(container, "later")
        newest = ring.secrets()[0]
        assert rotate(container) == (2, [])
        assert ring.secrets() == [newest]
        assert (opened(container, connection_id), opened(container, later)) == (PASSWORD, "later")

    @pytest.mark.parametrize("step", range(7))
    def test_one_that_was_killed_at_any_step_is_made_up_for(
        self,
        container: Container,
        second: Container,
        step: int,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        path, ring = container.settings.data_dir / "secret.key", container.service(KeyRing)
        first, original = create(container), path.read_bytes()
        steps = count(0)

        def killed_at(do: Callable[..., Any]) -> Callable[..., Any]:
            def done(*given: Any, **named: Any) -> Any:
                if next(steps) == step:
                    raise Killed
                return do(*given, **named)

            return done

        with monkeypatch.context() as patch, suppress(Killed):
            patch.setattr(secret_files, "write", killed_at(secret_files.write))
            patch.setattr(os, "link", killed_at(os.link))
            patch.setattr(secret_files, "sync", killed_at(sync))
            patch.setattr(Path, "replace", killed_at(Path.replace))
            with container.database.transaction(ALL_ACCOUNTS) as db:
                container.service(Connections).reseal(db, ring.renew)
                killed_at(lambda: None)()  # before the commit
            killed_at(lambda: None)()  # before the earlier secret goes
            pytest.fail("It was not killed.")
        assert opened(second, first) == PASSWORD
        assert opened(second, create(second, "meanwhile")) == "meanwhile"
        rotate(container)
        assert path.read_bytes() != original
        assert original not in ring.secrets()
        assert opened(second, first) == PASSWORD
        path.write_bytes(original)
        with pytest.raises(PasswordUnreadable):
            opened(second, first)

    def test_none_made_meanwhile_is_lost(self, container: Container, second: Container) -> None:
        made: list[tuple[str, str]] = []
        done = threading.Event()

        def make() -> None:
            while not done.is_set():
                password = f"password {len(made)}"
                made.append((create(second, password), password))

        thread = threading.Thread(target=make)
        thread.start()
        try:
            for turn in range(5):
                while len(made) <= turn:
                    done.wait(0.01)
                assert rotate(container)[1] == []
        finally:
            done.set()
            thread.join()
        assert all(opened(container, one) == password for one, password in made)


class TestSetting:
    def test_an_earlier_value_opens_until_all_is_sealed_anew(
        self, settings: Settings, container: Container, tmp_path: Path
    ) -> None:
        assert not container.settings.secret_key.get_secret_value()

        def told(secret: str, fallbacks: str = "") -> Container:
            given = {"secret_key": SecretStr(secret), "secret_key_fallbacks": SecretStr(fallbacks)}
            return build_container(settings.model_copy(update=given))

        containers = [told("the first"), told("the second", "zero,the first"), told("the second")]
        connection_id = create(containers[0])
        assert opened(containers[1], connection_id) == PASSWORD
        assert rotate(containers[1]) == (1, [])
        assert opened(containers[2], connection_id) == PASSWORD
        assert rotate(containers[0]) == (0, [connection_id])
        for one in containers:
            one.database.close()
