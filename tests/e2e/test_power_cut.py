"""A power cut takes or tears what was not synced: nothing acknowledged is lost or half."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.e2e.killing import Campaign
from tests.e2e.power_cut import PowerCut
from tests.e2e.server import Server

from modelwright.cli.doctor import examine, scrub


def cut_power(server: Server, folder: Path, cuts: int, seed: int) -> None:
    """Cuts the power of a busy server again and again, and holds it to its ledger."""
    power = PowerCut(server.data, folder, seed)
    server.environment |= power.environment
    campaign = Campaign(server, folder, seed, power.cut)
    for _ in range(cuts):
        campaign.kill(longest=4.0)
    assert power.lost > cuts
    assert campaign.ledger.uploads
    assert campaign.ledger.keys
    assert campaign.ledger.questions
    campaign.reckon()
    found = [*examine(server.settings), *scrub(server.settings)]
    assert [one for one in found if one.remedy and one.part in {"database", "stored objects"}] == []


class TestPowerCut:
    @pytest.mark.timeout(600)
    def test_two_cuts_lose_nothing_acknowledged(
        self, new_server: Callable[..., Server], tmp_path: Path
    ):
        cut_power(new_server(), tmp_path, cuts=2, seed=11)


class TestModel:
    """The cut itself: it takes what was not synced, and never what was."""

    WRITE = """
import os, sys
def write(name, content, is_synced):
    with open(name, "wb", buffering=0) as file:
        file.write(content)
        if is_synced:
            os.fsync(file.fileno())
def sync_folder():
    handle = os.open(".", os.O_RDONLY)
    os.fsync(handle)
os.chdir(sys.argv[1])
write("sure", b"s" * 5000, True)
write("half", b"h" * 5000, True)
sync_folder()
with open("half", "r+b", buffering=0) as file:
    file.write(b"x" * 5000)
write("unsynced", b"u" * 5000, False)
os.replace("unsynced", "renamed")
"""

    def test_takes_what_was_not_synced_and_nothing_else(self, tmp_path: Path):
        halves, renamed = set(), set()
        for seed in range(12):
            folder = tmp_path / str(seed)
            folder.mkdir()
            power = PowerCut(folder / "data", folder, seed)
            subprocess.run(
                [sys.executable, "-c", self.WRITE, power.root],
                env=os.environ | power.environment,
                check=True,
            )
            power.cut()
            assert (power.root / "sure").read_bytes() == b"s" * 5000
            halves.add(_kinds(power.root / "half"))
            renamed.add(_kinds(power.root / "renamed"))
        assert halves == {"h", "x", "hx"}
        assert "" in renamed


def _kinds(path: Path) -> str:
    content = path.read_bytes() if path.exists() else b""
    return "".join(sorted({chr(one) for one in content}))
