"""How modules describe themselves, and by which files a feature is entered."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    path
    for path in ROOT.glob("src/**/*.py")
    if "versions" not in path.parts  # a migration is written once and never read as code
)
ENTRANCES = {"service", "errors", "domain"} | {"context", "object_store"}  # the last two are ports
SHELLS = {"bootstrap", "server", "processes", "cli", "core", "engines", "system"}


class TestModules:
    def test_every_module_says_what_it_is_for(self):
        silent = [str(p) for p in SOURCES if not ast.get_docstring(ast.parse(p.read_text()))]
        assert silent == []


class TestEntrances:
    def test_a_feature_is_entered_by_service_errors_and_domain_only(self):
        assert list(trespasses()) == []


def trespasses() -> Iterator[str]:
    for path in SOURCES:
        parts = path.relative_to(ROOT / "src").parts if ROOT / "src" in path.parents else ()
        if len(parts) < 3 or parts[1] in SHELLS:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.ImportFrom) or not node.module:
                continue
            target = node.module.split(".")
            if target[0] != "modelwright" or len(target) < 2 or target[1] in {parts[1], *SHELLS}:
                continue
            names = {alias.name for alias in node.names} if len(target) == 2 else {target[2]}
            if not names <= ENTRANCES:
                yield f"{path.relative_to(ROOT)}:{node.lineno} enters {node.module}"
