"""The folders in memory that runs of tests write to."""

import os
import subprocess
import sys
from pathlib import Path

from tests.memory_disk import PREFIX, remove_left_behind


def test_those_of_runs_that_were_killed_are_removed(tmp_path: Path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    gone, own, other = (tmp_path / f"{PREFIX}{run}" for run in (ended.pid, os.getpid(), "notes"))
    for folder in (gone, own, other):
        folder.mkdir()
        (folder / "left.sock").touch()
    remove_left_behind(tmp_path)
    assert [folder.exists() for folder in (gone, own, other)] == [False, True, True]
