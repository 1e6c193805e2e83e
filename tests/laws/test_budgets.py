"""The budgets of the house: how long files and functions may be, and how rooms are entered."""

import ast
import statistics
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    path
    for path in chain(ROOT.glob("src/**/*.py"), ROOT.glob("client/src/**/*.py"))
    if "versions" not in path.parts  # a migration is written once and never read as code
)
MAX_FILE, MEDIAN_FILE = 300, 120
MAX_FUNCTION, MEDIAN_FUNCTION = 40, 8
ENTRANCES = {"service", "errors", "rules"} | {"handling", "objects"}  # the last two are ports
DOORS = {"wiring", "app", "worker", "supervise", "commands", "health", "core", "engines"}


def functions() -> Iterator[tuple[str, int]]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                where = f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
                yield where, (node.end_lineno or node.lineno) - node.lineno + 1


def lines(path: Path) -> int:
    return len(path.read_text().splitlines())


class TestBudgets:
    def test_no_file_is_longer_than_the_most(self):
        assert {str(p): lines(p) for p in SOURCES if lines(p) > MAX_FILE} == {}

    def test_the_median_file_is_short(self):
        assert statistics.median(lines(path) for path in SOURCES) <= MEDIAN_FILE

    def test_no_function_is_longer_than_the_most(self):
        assert {name: size for name, size in functions() if size > MAX_FUNCTION} == {}

    def test_the_median_function_is_short(self):
        assert statistics.median(size for _, size in functions()) <= MEDIAN_FUNCTION

    def test_every_module_says_what_it_is_for(self):
        silent = [str(p) for p in SOURCES if not ast.get_docstring(ast.parse(p.read_text()))]
        assert silent == []

    @pytest.mark.parametrize("word", ["utils", "common", "helpers", "base", "manager"])
    def test_no_module_hides_behind_an_empty_word(self, word: str):
        assert [str(path) for path in SOURCES if word in {path.stem, path.parent.name}] == []


class TestEntrances:
    def test_a_room_is_entered_by_service_errors_and_rules_only(self):
        assert list(trespasses()) == []


def trespasses() -> Iterator[str]:
    for path in SOURCES:
        parts = path.relative_to(ROOT / "src").parts if ROOT / "src" in path.parents else ()
        if len(parts) < 3 or parts[1] in DOORS:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.ImportFrom) or not node.module:
                continue
            target = node.module.split(".")
            if target[0] != "modelwright" or len(target) < 2 or target[1] in {parts[1], *DOORS}:
                continue
            names = {alias.name for alias in node.names} if len(target) == 2 else {target[2]}
            if not names <= ENTRANCES:
                yield f"{path.relative_to(ROOT)}:{node.lineno} enters {node.module}"
