"""An operator's commands in this process: one of its own takes a second to start."""

import io
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from modelwright_client import cli


def command(
    folder: Path, words: tuple[str, ...], environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Runs what `modelwright` runs, in a folder, with variables beside those that there are."""
    told = [io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2)]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "argv", ["modelwright", *words])
        patch.setattr(sys, "stdin", io.StringIO())
        for name, value in environment.items():
            patch.setenv(name, value)
        with redirect_stdout(told[0]), redirect_stderr(told[1]):
            status = cli.main()
    for one in told:
        one.seek(0)
    return subprocess.CompletedProcess(words, status, *(one.read() for one in told))
