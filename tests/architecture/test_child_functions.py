"""The functions that child processes are told to run, as `module:function`, are there."""

import re
from importlib import import_module
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
NAMED = re.compile(r'"((?:modelwright|benchmarks)[\w.]*:[a-z_]\w*)"')
"""A module of ours and a function of it, in one string."""


def named() -> list[str]:
    """What the server, the benchmarks and the tests name so."""
    files = (
        file
        for top in ("src", "benchmarks", "tests")
        for file in (PROJECT / top).rglob("*.py")
        if ".envs" not in file.parts  # what peers are installed into
    )
    return sorted({found for file in files for found in NAMED.findall(file.read_text("utf-8"))})


@pytest.mark.parametrize("name", named())
def test_is_a_function(name: str) -> None:
    module, _, function = name.partition(":")
    assert callable(getattr(import_module(module), function))
