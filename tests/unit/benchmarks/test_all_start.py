"""Every benchmark is there, imports, and explains itself; pages and `make bench` name real ones."""

import importlib
import re
import sys
from pathlib import Path

import pytest
from benchmarks.__main__ import RUNS

ROOT = Path(__file__).parents[3]
FOREIGN = ("run_", "serve_", "save_model")
"""Scripts that peers run, each in an environment of its own."""
PLACES = [
    path
    for path in sorted((ROOT / "benchmarks").rglob("*.py"))
    if not path.name.startswith(FOREIGN) and ".work" not in path.parts
]


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = [name_of(path) for path in PLACES]
STARTED = [name_of(path) for path in PLACES if '__name__ == "__main__"' in path.read_text("utf-8")]


@pytest.mark.parametrize("module", MODULES)
def test_a_benchmark_imports(module: str):
    assert importlib.import_module(module).__doc__


@pytest.mark.parametrize("module", STARTED)
def test_a_benchmark_that_is_started_explains_itself(
    module: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(sys, "argv", [module, "--help"])
    with pytest.raises(SystemExit) as ended:
        importlib.import_module(module).main()
    assert ended.value.code in {None, 0}
    assert "usage:" in capsys.readouterr().out


def test_make_bench_runs_benchmarks_that_are_there():
    started = {one.removesuffix(".__main__") for one in STARTED}
    assert {command[0] for command in RUNS.values()} <= started
    assert not [one for command in RUNS.values() for one in command[1:] if one in started]
    assert not [name for name in RUNS if " " in name]  # `ONLY` parts them at blanks


def named_by_pages() -> dict[str, set[str]]:
    """Lists the benchmarks that pages name, with the options that they give them."""
    named: dict[str, set[str]] = {}
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        text = page.read_text("utf-8")
        for name, words in re.findall(r"python -m (benchmarks[\w.]*)([^`\n]*)", text):
            options = re.findall(r"(?<!\S)--[a-z][\w-]*", words)
            named.setdefault(name.rstrip("."), set()).update(options)
    return named


NAMED = named_by_pages()


def test_pages_name_benchmarks_that_are_there():
    assert len(NAMED) > 20
    assert NAMED.keys() <= {one.removesuffix(".__main__") for one in STARTED}


@pytest.mark.parametrize("name", sorted(name for name, options in NAMED.items() if options))
def test_pages_name_options_that_are_there(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    module = name if name in STARTED else f"{name}.__main__"
    monkeypatch.setattr(sys, "argv", [module, "--help"])
    with pytest.raises(SystemExit):
        importlib.import_module(module).main()
    told = capsys.readouterr().out
    assert [option for option in sorted(NAMED[name]) if option not in told] == []
