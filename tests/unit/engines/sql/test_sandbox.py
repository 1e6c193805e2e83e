"""The operating system refuses what SQL should never have reached; tried from within."""

import json
import os
import select
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path

import duckdb
import pytest

from modelwright.engines.sql.child import _connect
from modelwright.engines.sql.fork_server_client import ForkServerClient
from modelwright.system.sandbox import seccomp

linux = pytest.mark.skipif(sys.platform != "linux", reason="this sandbox is Linux's")
PROBE = """
import ctypes, json, os, resource, socket, subprocess, sys, threading
from pathlib import Path
from modelwright.engines.sql import sandbox
from modelwright.system.sandbox import seccomp
readable, other, folder = sys.argv[1:4]
seccomp.tables()
standing = sandbox.enter_sandbox([Path(readable)], 200 * 2**20, 64)
libc = ctypes.CDLL(None, use_errno=True)

def call(function, *values):
    if getattr(libc, function)(*values) < 0:
        raise OSError(ctypes.get_errno(), function)

def write(path, mode):
    with open(path, mode) as file:
        file.write("x")
        file.flush()

def thread():
    started = threading.Thread(target=len, args=("x",))
    started.start()
    started.join()

def connect():
    socket.socket(fileno=os.dup(0)).connect(("127.0.0.1", 9))

tries = {
    "read the table": lambda: open(readable, "rb").read(1),
    "start a thread": thread,
    "read another file": lambda: open(other, "rb").read(1),
    "read the parent's environment": lambda: open(f"/proc/{os.getppid()}/environ", "rb").read(1),
    "list a folder": lambda: os.listdir(folder),
    "write the table": lambda: write(readable, "r+"),
    "truncate the table": lambda: os.truncate(readable, 0),
    "make a file": lambda: write(folder + "/new", "w"),
    "make an empty file": lambda: os.open(folder + "/new", os.O_CREAT),
    "make a folder": lambda: os.mkdir(folder + "/sub"),
    "delete the table": lambda: os.unlink(readable),
    "rename the table": lambda: os.rename(readable, readable + "x"),
    "change its mode": lambda: os.chmod(readable, 0),
    "link to it": lambda: os.symlink(readable, folder + "/link"),
    "make a socket": lambda: socket.socket(),
    "make a socket pair": lambda: socket.socketpair(),
    "fork": lambda: os.fork() or os._exit(0),
    "run a program": lambda: os.execv("/bin/true", ["true"]),
    "signal its parent": lambda: os.kill(os.getppid(), 0),
    "trace": lambda: call("ptrace", 16, os.getppid(), 0, 0),
    "watch processes": lambda: os.pidfd_open(os.getppid()),
    "make a memory file": lambda: os.memfd_create("x"),
    "change root": lambda: os.chroot(folder),
    "leave its namespaces": lambda: call("unshare", 0x10000000),
    "become another user": lambda: os.setuid(os.getuid()),
    "limit another process": lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CORE, (0, 0)),
    "raise its limits": lambda: resource.setrlimit(resource.RLIMIT_AS, (2**40, 2**40)),
    "outlive its parent": lambda: call("prctl", 1, 0, 0, 0, 0),
    "take much memory": lambda: bytearray(2 * 2**30),
}
found = {}
for name, attempt in tries.items():
    try:
        attempt()
        found[name] = "done"
    except Exception as error:
        found[name] = type(error).__name__
print(json.dumps([standing, found]))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], dict[str, str]]:
    folder = tmp_path_factory.mktemp("sandbox")
    readable, other = folder / "readable", folder / "other"
    readable.write_text("text")
    other.write_text("secret")
    probe = subprocess.run(
        [sys.executable, "-c", PROBE, str(readable), str(other), str(folder)],
        capture_output=True,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    assert sorted(folder.iterdir()) == [other, readable]
    assert readable.read_text() == "text"
    standing, results = json.loads(probe.stdout)
    return standing, results


@linux
class TestRaise:
    def test_reading_its_table_and_starting_threads_go_on(
        self, found: tuple[list[str], dict[str, str]]
    ):
        _, results = found
        allowed = {name for name, result in results.items() if result == "done"}
        assert {"read the table", "start a thread"} <= allowed

    def test_everything_else_is_refused(self, found: tuple[list[str], dict[str, str]]):
        standing, results = found
        needs_landlock = {
            "read another file",
            "read the parent's environment",
            "list a folder",
        }
        done = {name for name, result in results.items() if result == "done"}
        done -= {"read the table", "start a thread"}
        assert done <= (set() if "landlock" in standing else needs_landlock)
        assert results["take much memory"] == "MemoryError"

    def test_the_filter_knows_its_architectures(self):
        all_permits = [seccomp.Permits(), seccomp.Permits(changes_files=True, connects=True)]
        for (machine, table), permits in product(seccomp.tables().items(), all_permits):
            assert machine in seccomp.SECCOMP
            instructions = seccomp.program(table, permits, 1)
            assert len(instructions) < 4096
            assert instructions[-1] == (seccomp.RETURN, 0, 0, seccomp.ALLOW)
            for index, (_, if_true, if_false, _) in enumerate(instructions[:-1]):
                assert index + 1 + max(if_true, if_false) < len(instructions)


@linux
class TestForkServer:
    def test_children_know_nothing_of_this_process(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ):
        monkeypatch.setenv("MODELWRIGHT_SECRET_KEY", "hush")
        with (tmp_path / "open.txt").open("w") as file:
            os.set_inheritable(file.fileno(), True)
            fork_server = ForkServerClient()
            pid, channel = fork_server.start()
            assert fork_server._process
            host = Path(f"/proc/{fork_server._process.pid}")
            assert b"hush" not in (host / "environ").read_bytes()
            assert not [
                handle for handle in (host / "fd").iterdir() if handle.readlink().name == "open.txt"
            ]
            with channel:
                fork_server.kill(pid)
                assert channel.recv(1) == b""
            fork_server.close()

    def test_no_child_outlives_the_server(self, tables: dict[str, Path], tmp_path: Path):
        server = """
import sys
from itertools import product
from pathlib import Path
from modelwright.engines.sql.pool import Pool
pool = Pool(size=1, memory_bytes=2**28, homes=Path(sys.argv[2]))
pool.run("a", {"t": Path(sys.argv[1])}, "SELECT 1", max_rows=1, max_bytes=99, seconds=20)
print(pool._fork_server._process.pid, pool._executors["a"].pid, flush=True)
pool.run("a", {}, "SELECT count(*) FROM range(100000000000)", max_rows=1, max_bytes=99, seconds=60)
"""
        process = subprocess.Popen(
            [sys.executable, "-c", server, str(tables["sales"]), str(tmp_path)],
            stdout=subprocess.PIPE,
        )
        assert process.stdout
        handles = [os.pidfd_open(int(pid)) for pid in process.stdout.readline().split()]
        process.send_signal(signal.SIGKILL)
        process.communicate()
        for handle in handles:
            poll = select.poll()
            poll.register(handle, select.POLLIN)
            assert poll.poll(5000)
            os.close(handle)


class TestDuckDB:
    """Behind the guard DuckDB itself is closed too."""

    @pytest.mark.parametrize(
        "sql",
        [
            "COPY sales TO '{other}'",
            "COPY sales TO '{own}'",
            "FROM read_text('{other}')",
            "FROM read_csv('/etc/passwd')",
            "FROM glob('/*')",
            "ATTACH '{other}'",
            "INSTALL httpfs",
            "LOAD httpfs",
            "CREATE SECRET (TYPE s3)",
            "CREATE PERSISTENT SECRET (TYPE http)",
            "EXPORT DATABASE '{other}'",
            "SET threads = 64",
            "SET memory_limit = '99GB'",
            "SET enable_external_access = true",
            "SET lock_configuration = false",
            "SET temp_directory = '/srv'",
            "RESET allowed_paths",
            "FROM some_python_variable",
        ],
    )
    def test_what_reaches_outside_is_refused(
        self, tables: dict[str, Path], tmp_path: Path, sql: str
    ):
        some_python_variable = duckdb.connect().sql("SELECT 1").arrow()
        assert some_python_variable is not None
        other = tmp_path / "other.parquet"
        other.write_text("x")
        terms = {"threads": 1, "memory_bytes": 2**28, "home": str(tmp_path), "time_zone": "UTC"}
        connection = _connect(tables, terms)
        assert connection.execute("SELECT count(*) FROM sales").fetchall() == [(8,)]
        with pytest.raises(duckdb.Error):
            connection.execute(sql.format(other=other, own=tables["sales"]))
        assert other.read_text() == "x"
