"""A PostgreSQL of a test's own that can be killed, started again, and put back to a moment."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from tests.ports import free_port
from tests.unit.connections.servers import binary

START_SECONDS = 60.0


class PrivatePostgres:
    """One server in a folder; it syncs, and archives its log."""

    def __init__(self, folder: Path, as_user: dict[str, Any]) -> None:
        self.folder, self.data, self.archive = folder, folder / "data", folder / "archive"
        self.port = free_port()
        self.url = f"postgresql+psycopg://owner@127.0.0.1:{self.port}/postgres"
        self._how: dict[str, Any] = {"cwd": folder, "stdout": subprocess.DEVNULL, **as_user}
        self._process: subprocess.Popen[bytes] | None = None
        self._run(
            binary("initdb"), "-D", str(self.data), "-U", "owner", "-A", "trust", "-E", "UTF8"
        )
        subprocess.run(["mkdir", str(self.archive)], check=True, **self._how)

    def _run(self, *command: str) -> None:
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL, **self._how)

    def start(self, *options: str) -> None:
        """Starts it and waits until it takes changes."""
        command = [binary("postgres"), "-D", str(self.data), "-p", str(self.port)]
        command += ["-h", "127.0.0.1", "-k", str(self.folder), "-c", "wal_level=replica"]
        command += ["-c", "archive_mode=on", "-c", f"archive_command=cp %p {self.archive}/%f"]
        for option in options:
            command += ["-c", option]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL, **self._how)
        until = time.monotonic() + START_SECONDS
        while not self._takes_changes():
            assert self._process.poll() is None, "PostgreSQL ended by itself"
            assert time.monotonic() < until, "PostgreSQL does not start"
            time.sleep(0.05)

    def _takes_changes(self) -> bool:
        try:
            return not self.ask("select pg_is_in_recovery()")
        except psycopg.Error:
            return False

    def ask(self, statement: str) -> Any:
        """Asks for one value."""
        with psycopg.connect(
            host="127.0.0.1", port=self.port, user="owner", dbname="postgres", autocommit=True
        ) as connection:
            found = connection.execute(statement.encode()).fetchone()
        return found[0] if found else None

    def kill(self) -> None:
        """Kills it and all its processes at once, as the kernel does without memory."""
        assert self._process is not None
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self._process.pid)],
            capture_output=True, text=True, check=False,
        ).stdout  # fmt: skip
        for pid in (self._process.pid, *map(int, listed.split())):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self._process.wait()
        self._process = None

    def stop(self) -> None:
        """Stops it as an operator does."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(START_SECONDS)
            self._process = None

    def back_up(self) -> Path:
        """Makes a base backup while it runs."""
        base = self.folder / "base"
        self._run(
            binary("pg_basebackup"), "-h", "127.0.0.1", "-p", str(self.port), "-U", "owner",
            "-D", str(base), "-X", "none", "-c", "fast", "--no-manifest",
        )  # fmt: skip
        return base

    def put_back(self, base: Path, moment: str) -> None:
        """Starts from a base backup and the archived log, as it was at a moment."""
        self.stop()
        self._run("mv", str(self.data), str(self.folder / "before"))
        self._run("cp", "-a", str(base), str(self.data))
        self._run("touch", str(self.data / "recovery.signal"))
        self.start(
            f"restore_command=cp {self.archive}/%f %p",
            f"recovery_target_time={moment}",
            "recovery_target_action=promote",
        )


@contextmanager
def private_postgres() -> Iterator[PrivatePostgres]:
    """Makes and starts one; it is gone when the block ends."""
    folder = Path(tempfile.mkdtemp(prefix="modelwright-"))
    as_user: dict[str, Any] = {}
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
        as_user = {"user": "postgres", "group": "postgres", "extra_groups": []}
    try:
        made = PrivatePostgres(folder, as_user)
        made.start()
        try:
            yield made
        finally:
            made.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
