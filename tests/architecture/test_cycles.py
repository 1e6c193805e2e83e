"""No file imports itself by way of others, wherever in a file the imports stand."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src"
MODULES = {
    ".".join(path.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__"): path
    for path in SRC.rglob("*.py")
}
HEAVY = (
    "modelwright.engines",  # numpy, pyarrow, duckdb and what learns
    "modelwright_runtime",  # numpy and ONNX Runtime
    "modelwright.connections.drivers",  # the drivers of databases
    "modelwright.core.limits.redis_store",  # redis
    "modelwright.storage.s3",  # obstore
    "modelwright_client.commands.groups",  # every module of the client
    "modelwright.users.oidc_provider",  # joserfc
)
"""What may be imported inside functions, as it loads libraries that most processes do not need."""


def imported(tree: ast.AST, name: str) -> Iterator[str]:
    """Finds the modules of our own that are imported anywhere in a file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in MODULES)
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for one in node.names:
                whole = f"{node.module}.{one.name}"
                found = whole if whole in MODULES else node.module
                if found in MODULES and found != name:
                    yield found


def cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Finds what is left when all that imports nothing of the rest is taken away, again and again.

    Taken away from the other end too, so that only files in circles, or between two, remain.
    """
    left = {name: set(targets) for name, targets in graph.items()}
    for turned in (False, True):
        edges = left
        if turned:
            edges = {name: {one for one in left if name in left[one]} for name in left}
        while ends := {name for name in edges if not edges[name]}:
            edges = {name: targets - ends for name, targets in edges.items() if name not in ends}
        left = {name: left[name] & edges.keys() for name in edges}
    return [[name, *sorted(left[name])] for name in sorted(left)]


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in MODULES.items()}


def test_finds_a_circle_and_nothing_beside_it():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set[str](), "e": {"a", "d"}}
    assert cycles(graph) == [["b", "c"], ["c", "b"]]


def test_no_file_imports_itself_by_way_of_others(trees: dict[str, ast.Module]):
    graph = {name: set(imported(tree, name)) for name, tree in trees.items()}
    assert cycles(graph) == []


def test_only_what_is_heavy_is_imported_inside_functions(trees: dict[str, ast.Module]):
    late = {
        f"{name} -> {target}"
        for name, tree in trees.items()
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for target in imported(function, name)
        if not target.startswith(HEAVY)
    }
    assert late == set()


def test_what_is_listed_as_heavy_is_there():
    assert [one for one in HEAVY if one not in MODULES] == []
