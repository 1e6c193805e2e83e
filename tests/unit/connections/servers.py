"""Private database servers for the tests: own folder, own port on loopback, own user, own end."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import psycopg
import pymysql
import pytest
from tests.ports import free_port

PASSWORD = "s3cret-of-the-database"
STARTING_SECONDS = 30.0
GIVEN_MYSQL = "MODELWRIGHT_TEST_MYSQL"
"""Names the address of a MySQL or MariaDB to ask instead of one of our own, and its administrator:
`mysql://root:password@127.0.0.1:3306`. Its database `shop` and its user `owner` are made anew, so
that one process alone can test it (`pytest -n0`)."""


@dataclass(frozen=True)
class Server:
    """A running server with one user, whose password is `PASSWORD`."""

    type: str
    port: int
    username: str
    database: str
    run: Callable[[str], None]
    certificate: Path | None = None

    def body(self, **members: Any) -> dict[str, Any]:
        """What to send to have it stored."""
        return {
            "name": f"the {self.type}",
            "type": self.type,
            "host": "127.0.0.1",
            "port": self.port,
            "database": self.database,
            "username": self.username,
            "password": PASSWORD,
            **members,
        }


def binary(name: str) -> str:
    """Finds a server's program, or skips."""
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = str(versions[-1]) if versions else shutil.which(name, path="/usr/sbin:/usr/bin:/bin")
    if not found:
        pytest.skip(f"{name} is not installed: apt-get install postgresql mariadb-server")
    return found


@contextmanager
def folder_of(user: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Makes a folder for a server's user, and tells how to run programs as that user."""
    folder = Path(tempfile.mkdtemp(prefix="modelwright-"))
    as_user: dict[str, Any] = {}
    if os.geteuid() == 0:
        shutil.chown(folder, user)
        as_user = {"user": user, "group": user, "extra_groups": []}
    try:
        yield folder, as_user
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running(command: list[str], is_up: Callable[[], None], **how: Any) -> Iterator[None]:
    """Runs a server until the end of the block."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **how)
    try:
        pause = threading.Event()
        for _ in range(int(STARTING_SECONDS / 0.05)):
            with suppress(psycopg.Error, pymysql.Error, OSError):
                is_up()
                break
            assert process.poll() is None, f"{command[0]} ended by itself"
            pause.wait(0.05)
        yield
    finally:
        process.send_signal(signal.SIGINT if "postgres" in command[0] else signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def postgresql() -> Iterator[Server]:
    """A PostgreSQL that asks for a password and speaks TLS with a certificate nobody signed."""
    initdb, postgres, port = binary("initdb"), binary("postgres"), free_port()
    with folder_of("postgres") as (folder, as_user):
        data, password = folder / "data", folder / "password"
        password.write_text(PASSWORD)
        password.chmod(0o644)
        made = [initdb, "-D", str(data), "-U", "owner", "-A", "scram-sha-256", "--no-sync"]
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "cwd": folder}
        subprocess.run(
            [*made, "-E", "UTF8", f"--pwfile={password}"], check=True, **quiet, **as_user
        )
        certify(folder, as_user)
        command = [postgres, "-D", str(data), "-p", str(port), "-h", "127.0.0.1", "-k", str(folder)]
        command += ["-c", "fsync=off", "-c", "ssl=on"]
        command += ["-c", f"ssl_cert_file={folder}/cert", "-c", f"ssl_key_file={folder}/key"]

        def run(statements: str) -> None:
            with psycopg.connect(
                host="127.0.0.1",
                port=port,
                user="owner",
                password=PASSWORD,
                dbname="postgres",
                autocommit=True,
            ) as db:
                db.execute(statements.encode())

        with running(command, lambda: run("select 1"), cwd=folder, **as_user):
            yield Server("postgresql", port, "owner", "postgres", run, folder / "cert")


def certify(folder: Path, as_user: dict[str, Any]) -> None:
    openssl = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"]
    files = ["-keyout", f"{folder}/key", "-out", f"{folder}/cert", "-days", "2"]
    subprocess.run([*openssl, *files], check=True, stderr=subprocess.DEVNULL, **as_user)


@contextmanager
def mariadb() -> Iterator[Server]:
    """A MariaDB with a user of its own, or the server that is given to be asked in its place."""
    if given := os.environ.get(GIVEN_MYSQL):
        yield _given(urlsplit(given))
        return
    install, daemon, port = binary("mariadb-install-db"), binary("mariadbd"), free_port()
    with folder_of("mysql") as (folder, as_user):
        data, socket_ = folder / "data", folder / "socket"
        made = [install, "--no-defaults", f"--datadir={data}", "--skip-test-db"]
        made += ["--auth-root-authentication-method=normal", "--innodb-log-file-size=8M"]
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "cwd": folder}
        subprocess.run(made, check=True, **quiet, **as_user)
        command = [daemon, "--no-defaults", f"--datadir={data}", f"--socket={socket_}"]
        command += [f"--port={port}", "--bind-address=127.0.0.1", f"--pid-file={folder}/pid"]
        command += ["--innodb-flush-log-at-trx-commit=0", "--innodb-log-file-size=8M"]

        run = partial(_run_in_mysql, unix_socket=str(socket_), user="root")
        with running(command, lambda: run("select 1"), cwd=folder, **as_user):
            yield _with_shop(port, run)


def _given(address: SplitResult) -> Server:
    """Makes the database and the user in a server that runs already."""
    port = address.port or 3306
    run = partial(
        _run_in_mysql,
        host=address.hostname or "127.0.0.1",
        port=port,
        user=address.username or "root",
        password=address.password or "",
    )
    run("drop database if exists shop")
    with suppress(pymysql.Error):  # there is none at first, and MySQL 5.6 knows no "if exists"
        run("drop user owner@localhost")
    return _with_shop(port, run)


def _with_shop(port: int, run: Callable[[str], None]) -> Server:
    run("create database shop")
    run(f"create user owner@localhost identified by '{PASSWORD}'")
    run("grant all on shop.* to owner@localhost")
    return Server("mysql", port, "owner", "shop", run)


def _run_in_mysql(statements: str, **target: Any) -> None:
    with pymysql.connect(**target, autocommit=True) as db, db.cursor() as cursor:
        for statement in filter(str.strip, statements.split(";")):
            cursor.execute(statement)


@contextmanager
def cutting(port: int, after: int) -> Iterator[int]:
    """Stands before a server and cuts every connection once it has sent so many bytes."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        serving = threading.Thread(target=_serve, args=(listening, port, after), daemon=True)
        serving.start()
        yield int(listening.getsockname()[1])
        listening.shutdown(socket.SHUT_RDWR)
        serving.join()


def _serve(listening: socket.socket, port: int, after: int) -> None:
    while True:
        try:
            in_process_children, _address = listening.accept()
        except OSError:
            return
        far = socket.create_connection(("127.0.0.1", port))
        threading.Thread(
            target=_pass_on, args=(in_process_children, far, None), daemon=True
        ).start()
        threading.Thread(
            target=_pass_on, args=(far, in_process_children, after), daemon=True
        ).start()


def _pass_on(source: socket.socket, target: socket.socket, most: int | None) -> None:
    passed = 0
    with suppress(OSError):
        while (most is None or passed < most) and (piece := source.recv(65536)):
            target.sendall(piece)
            passed += len(piece)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
