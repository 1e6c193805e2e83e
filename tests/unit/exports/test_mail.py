"""Mail about exports: to a real SMTP server in a process of its own, or to one that is down."""

import mailbox
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from email.message import Message
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import make_upload
from tests.ports import free_port

from modelwright.api_keys.service import Keys
from modelwright.bootstrap.container import Container, build_container
from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.http.context import Level
from modelwright.core.limits.store import MemoryRateLimitStore
from modelwright.core.mail import MailFailed, Security, SmtpMail
from modelwright.processes.worker import Worker
from modelwright.server.app import create_app
from modelwright.users.service import Users


def text_of(mail: Message) -> str:
    content = mail.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode()


def answers(port: int, process: subprocess.Popen[bytes]) -> bool:
    until = monotonic() + 30
    while monotonic() < until and process.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as channel:
                return channel.recv(3) == b"220"
        except OSError:
            continue
    return False


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """The port of an SMTP server and the folder where its mail arrives."""
    folder, port = tmp_path_factory.mktemp("mail") / "box", free_port()
    words = ["-n", "-l", f"127.0.0.1:{port}", "-c", "aiosmtpd.handlers.Mailbox", str(folder)]
    process = subprocess.Popen([sys.executable, "-W", "ignore", "-m", "aiosmtpd", *words])
    try:
        assert answers(port, process)
        yield port, folder
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture
def mailing(settings: Settings, clock: FrozenClock) -> Iterator[Callable[..., Container]]:
    """Builds a container that sends mail through a port of this machine."""
    built: list[Container] = []

    def make(port: int, **more: str) -> Container:
        mail = {"smtp_host": "127.0.0.1", "smtp_port": port, "smtp_security": "none", **more}
        container = build_container(
            settings.model_copy(update=mail), clock=clock, counters=MemoryRateLimitStore(clock)
        )
        built.append(container)
        return container

    yield make
    for container in built:
        container.database.close()


@pytest.fixture
def announced(clock: FrozenClock) -> Callable[..., tuple[dict[str, Any], TestClient]]:
    """Has an export made that wants to be announced; answers how it stands, and a client."""

    def make(container: Container) -> tuple[dict[str, Any], TestClient]:
        with container.database.transaction(ALL_ACCOUNTS) as db:
            account = container.service(Users).for_key(db, "ana@example.org")
            secret = (
                container.service(Keys)
                .issue(db, account.user_id, account.email, "test", Level.READ_WRITE, None)
                .secret
            )
        upload_id = make_upload(container, account.user_id, ["a\n1\n"])
        api = TestClient(create_app(container), headers={"x-api-key": secret})
        body = {"upload_id": upload_id, "email_notification": True}
        export_id = api.post("/data/export", json=body).json()["export_id"]
        worker = Worker(container.database, container.handlers, clock, container.settings)
        for _ in range(5):
            worker.drain()
            clock.advance(minutes=5)
        return api.get(f"/data/export/{export_id}").json(), api

    return make


class TestSmtpMail:
    def test_a_mail_arrives_whole(self, server: tuple[int, Path]):
        port, folder = server
        mail = SmtpMail("127.0.0.1", port, Security.NONE, "from@example.org")
        mail.send("to@example.org", "Fertig:\nBcc: x@example.org", "Grüße\n")
        found = [one for one in mailbox.Maildir(folder) if one["To"] == "to@example.org"]
        assert len(found) == 1
        assert found[0]["From"] == "from@example.org"
        assert found[0]["Bcc"] is None
        assert text_of(found[0]) == "Grüße\n"

    def test_a_server_that_is_down_is_told(self):
        mail = SmtpMail("127.0.0.1", free_port(), Security.NONE, "from@example.org")
        with pytest.raises(MailFailed):
            mail.send("to@example.org", "x", "y")

    def test_a_server_without_tls_is_not_trusted_with_it(self, server: tuple[int, Path]):
        mail = SmtpMail("127.0.0.1", server[0], Security.STARTTLS, "from@example.org")
        with pytest.raises(MailFailed):
            mail.send("to@example.org", "x", "y")


class TestNotification:
    def test_tells_the_account_once_and_leads_to_a_page_that_asks_who_is_there(
        self, server: tuple[int, Path], mailing: Callable[..., Container], announced: Any
    ):
        export, api = announced(mailing(server[0], public_url="https://ml.example.org/"))
        assert export["status"] == "completed"
        found = [one for one in mailbox.Maildir(server[1]) if one["To"] == "ana@example.org"]
        assert len(found) == 1
        text = text_of(found[0])
        addresses = [line for line in text.splitlines() if line.startswith("http")]
        assert addresses == [f"https://ml.example.org/console/exports/{export['export_id']}"]
        del api.headers["x-api-key"]
        assert api.get(f"/data/export/{export['export_id']}").status_code == 401

    def test_names_no_address_where_no_public_one_is_set(
        self, server: tuple[int, Path], mailing: Callable[..., Container], announced: Any
    ):
        seen = len(mailbox.Maildir(server[1]))
        export, _ = announced(mailing(server[0]))
        texts = [
            text_of(one) for one in mailbox.Maildir(server[1]) if one["To"] == "ana@example.org"
        ]
        assert len(mailbox.Maildir(server[1])) == seen + 1
        [text] = [text for text in texts if export["export_id"] in text]
        assert "http" not in text

    def test_a_mail_server_that_is_down_does_not_fail_the_export(
        self, mailing: Callable[..., Container], announced: Any
    ):
        export, api = announced(mailing(free_port()))
        assert export["status"] == "completed"
        job = api.get(f"/jobs/{export['job_id']}").json()
        assert job["status"] == "COMPLETED"
        logs = api.get(f"/jobs/{export['job_id']}/logs").json()["logs"]
        assert "mail" in logs[-1]["message"]
