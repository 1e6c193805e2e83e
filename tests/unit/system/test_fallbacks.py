"""Every part that only Linux has is taken away, and its fallback does the same work."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from modelwright.storage.disk import DiskObjectStore
from modelwright.storage.disk_writing import SYNC_BYTES
from modelwright.storage.url_signer import UrlSigner
from modelwright.system import parent_death
from modelwright.system.exits import peek_exit
from modelwright.system.packets import PacketSocket, packet_pair
from modelwright.system.processors import usable_processors
from modelwright.system.silent_peers import watch_silence

Pair = tuple[PacketSocket, PacketSocket]


@pytest.fixture(params=["packets of the system", "frames in a stream"])
def pair(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pair]:
    if request.param == "frames in a stream":
        monkeypatch.delattr(socket, "SOCK_SEQPACKET")
    mine, theirs = packet_pair()
    with mine, theirs:
        yield mine, theirs


class TestPackets:
    def test_messages_stay_apart(self, pair: Pair):
        mine, theirs = pair
        for message in (b"one", b"two", b"x" * 60_000):
            mine.send(message)
        assert [theirs.recv() for _ in range(3)] == [b"one", b"two", b"x" * 60_000]

    def test_nothing_to_read_does_not_block_who_may_not_wait(self, pair: Pair):
        mine, theirs = pair
        theirs.setblocking(False)
        with pytest.raises(BlockingIOError):
            theirs.recv()
        mine.send(b"late")
        assert theirs.recv() == b"late"
        with pytest.raises(BlockingIOError):
            theirs.recv()

    def test_a_closed_end_reads_as_empty(self, pair: Pair):
        mine, theirs = pair
        mine.close()
        assert theirs.recv() == b""

    def test_a_child_takes_over_its_end(self, pair: Pair):
        mine, theirs = pair
        script = (
            "import sys; from modelwright.system.packets import PacketSocket as P;"
            "end = P.of_descriptor(int(sys.argv[1])); end.send(end.recv() + b' back')"
        )
        command = [sys.executable, "-c", script, str(theirs.fileno())]
        with subprocess.Popen(command, pass_fds=[theirs.fileno()]):
            mine.send(b"there and")
            assert mine.recv() == b"there and back"

    def test_a_message_cut_short_is_an_error(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.delattr(socket, "SOCK_SEQPACKET")
        mine, theirs = packet_pair()
        with theirs:
            os.write(mine.fileno(), b"\0\0\0\x09short")
            mine.close()
            with pytest.raises(ConnectionResetError):
                theirs.recv()


class TestFiles:
    def test_large_bodies_are_written_where_the_system_syncs_whole_files_alone(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.delattr(os, "fdatasync")
        objects = DiskObjectStore(tmp_path, UrlSigner(b"secret"))
        piece = b"x" * (SYNC_BYTES + 1)
        with objects.writer("uploads/u/1") as writer:
            writer.write(piece)
            writer.commit()
        assert objects.size("uploads/u/1") == len(piece)


class TestSilence:
    OPTIONS = ("TCP_USER_TIMEOUT", "TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT")

    @pytest.mark.parametrize("lacking", [(), OPTIONS[:2], OPTIONS])
    def test_a_connection_is_watched_by_what_there_is(
        self, lacking: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
    ):
        for name in lacking:
            monkeypatch.delattr(socket, name)
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as line:
            watch_silence(line)
            assert line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            if not lacking:
                assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 4000


class TestProcessors:
    def test_are_those_this_process_may_use(self):
        assert usable_processors() == len(os.sched_getaffinity(0))

    def test_are_counted_where_the_system_does_not_tell(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.delattr(os, "sched_getaffinity")
        assert usable_processors() == os.cpu_count()


@pytest.mark.parametrize("has_waitid", [True, False])
class TestExits:
    @pytest.mark.parametrize(
        ("script", "status"),
        [("raise SystemExit(7)", 7), ("import os; os.kill(os.getpid(), 9)", 128 + 9)],
    )
    def test_tells_how_a_child_ended(
        self, script: str, status: int, has_waitid: bool, monkeypatch: pytest.MonkeyPatch
    ):
        if not has_waitid:
            monkeypatch.delattr(os, "waitid")
        with subprocess.Popen([sys.executable, "-c", script]) as child:
            while (ended := peek_exit(child)) is None:
                time.sleep(0.01)
            assert ended == status

    def test_a_running_child_has_none(self, has_waitid: bool, monkeypatch: pytest.MonkeyPatch):
        if not has_waitid:
            monkeypatch.delattr(os, "waitid")
        with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
            assert peek_exit(child) is None
            child.kill()


class TestParentDeath:
    @pytest.mark.parametrize("by_the_kernel", [True, False])
    def test_a_child_does_not_outlive_its_parent(self, by_the_kernel: bool):
        child = (
            "import os, sys, time; from modelwright.system import parent_death;"
            f"parent_death.has_death_signal = lambda: {by_the_kernel};"
            "parent_death.die_with_parent(os.getppid()); print(os.getpid(), flush=True);"
            "time.sleep(60)"
        )
        parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
        with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            pid = int(process.stdout.readline())
            process.kill()
            _, alive = psutil.wait_procs([psutil.Process(pid)], timeout=20)
            assert alive == []

    def test_linux_has_the_kernel_do_it(self):
        assert parent_death.has_death_signal() == (sys.platform == "linux")
