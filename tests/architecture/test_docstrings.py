"""Public functions of the libraries tell what they take, give and refuse; numbers tell why."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
LIBRARIES = ("modelwright/engines/", "modelwright_runtime/", "modelwright_client/")
NOT_LIBRARIES = (
    "modelwright/engines/language/",
    "modelwright_client/types.py",  # generated
    # The command line: what a command says is its help, and no program calls it.
    "modelwright_client/commands/",
    "modelwright_client/demo/",
    "modelwright_client/_http.py",
    "modelwright_client/cli.py",
    "modelwright_client/formatting.py",
    "modelwright_client/terminal.py",
)
UNEXPLAINED = ("modelwright/engines/language/", "modelwright/migrations/", *NOT_LIBRARIES[1:2])
PROGRAMMING_ERRORS = {"AssertionError", "NotImplementedError", "StopIteration"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Public:
    """A function that other modules may call."""

    function: Function
    name: str
    is_property: bool


def modules(packages: tuple[str, ...], but: tuple[str, ...]) -> list[str]:
    places = (path.relative_to(SOURCE).as_posix() for path in sorted(SOURCE.rglob("*.py")))
    return [one for one in places if one.startswith(packages) and not one.startswith(but)]


def parsed(module: str) -> ast.Module:
    return ast.parse((SOURCE / module).read_text("utf-8"))


def public_functions(tree: ast.Module) -> Iterator[Public]:
    for node in tree.body:
        if isinstance(node, Function) and not node.name.startswith("_"):
            yield Public(node, node.name, is_property=False)
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for inner in node.body:
                if isinstance(inner, Function) and not inner.name.startswith("_"):
                    told = decorators(inner)
                    inherited = inner.name in said_by_bases(node)
                    if not inherited and not told & {"overload", "setter"}:
                        read = bool(told & {"property", "cached_property"})
                        yield Public(inner, f"{node.name}.{inner.name}", is_property=read)


@cache
def classes() -> dict[str, list[ast.ClassDef]]:
    """Gives the classes of the libraries by their name."""
    found: dict[str, list[ast.ClassDef]] = {}
    for module in modules(LIBRARIES, NOT_LIBRARIES):
        for node in parsed(module).body:
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(node)
    return found


def said_by_bases(node: ast.ClassDef) -> set[str]:
    """Names the methods that a base class documents, so that a class need not say it again."""
    found: set[str] = set()
    for base in node.bases:
        for one in classes().get(getattr(base, "id", ""), []):
            found |= {inner.name for inner in one.body if isinstance(inner, Function)}
            found |= said_by_bases(one)
    return found


def decorators(function: Function) -> set[str]:
    calls = (one.func if isinstance(one, ast.Call) else one for one in function.decorator_list)
    return {one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "") for one in calls}


def parameters(function: Function) -> list[str]:
    given = function.args
    every = [*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg]
    return [each.arg for each in every if each and each.arg not in {"self", "cls"}]


def own_nodes(function: Function) -> Iterator[ast.AST]:
    """Walks through a function's body, but not into functions inside it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Function | ast.Lambda | ast.ClassDef):
            waiting.extend(ast.iter_child_nodes(node))


def gives_something(function: Function) -> bool:
    return any(
        isinstance(node, ast.Yield | ast.YieldFrom)
        or (isinstance(node, ast.Return) and node.value is not None and not is_none(node.value))
        for node in own_nodes(function)
    )


def is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def raised(function: Function) -> set[str]:
    """Names the errors that a body raises itself, by their class."""
    found = set()
    for node in own_nodes(function):
        if isinstance(node, ast.Raise) and node.exc is not None:
            error = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            name = error.attr if isinstance(error, ast.Attribute) else getattr(error, "id", "")
            found |= {name} if name[:1].isupper() else set()
    return found - PROGRAMMING_ERRORS


def gaps(public: Public) -> Iterator[str]:
    text = ast.get_docstring(public.function) or ""
    said = {line.strip().lstrip("*").partition(":")[0] for line in text.splitlines()}
    missing = [name for name in parameters(public.function) if name not in said]
    if missing or (parameters(public.function) and "Args:" not in text):
        yield f"Args: {', '.join(missing)}"
    gives = not public.is_property and gives_something(public.function)
    if gives and not ("Returns:" in text or "Yields:" in text):
        yield "Returns:"
    if raised(public.function) and "Raises:" not in text:
        yield f"Raises: {', '.join(sorted(raised(public.function)))}"


def is_number(value: ast.expr) -> bool:
    if isinstance(value, ast.UnaryOp):
        return is_number(value.operand)
    if isinstance(value, ast.BinOp):
        return is_number(value.left) and is_number(value.right)
    return isinstance(value, ast.Constant) and type(value.value) in {int, float}


def unexplained_numbers(tree: ast.Module) -> Iterator[str]:
    """Names numbers without a docstring, and several that are packed into one line."""
    for node, following in zip(tree.body, [*tree.body[1:], None], strict=True):
        if not (isinstance(node, ast.Assign | ast.AnnAssign) and node.value):
            continue
        [target, *_] = node.targets if isinstance(node, ast.Assign) else [node.target]
        listed = (
            isinstance(node.value, ast.Tuple)
            and len(node.value.elts) > 0
            and all(map(is_number, node.value.elts))
        )
        said = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield f"{node.lineno} {ast.unparse(target)}: packed"
        elif (listed or is_number(node.value)) and not said:
            yield f"{node.lineno} {ast.unparse(target)}"


@pytest.mark.parametrize("module", modules(LIBRARIES, NOT_LIBRARIES))
def test_public_functions_tell_what_they_take_give_and_refuse(module: str) -> None:
    functions = public_functions(parsed(module))
    untold = [f"{one.function.lineno} {one.name} {gap}" for one in functions for gap in gaps(one)]
    assert untold == []


@pytest.mark.parametrize("module", modules(("modelwright",), UNEXPLAINED))
def test_every_number_is_explained_below_it(module: str) -> None:
    assert list(unexplained_numbers(parsed(module))) == []


class TestTheCheck:
    def test_finds_what_is_missing(self) -> None:
        text = 'def f(a, *b):\n    """Does.\n\n    Args:\n        a: It.\n    """\n'
        text += "    if a:\n        raise ValueError\n    return a\n"
        [found] = public_functions(ast.parse(text))
        assert list(gaps(found)) == ["Args: b", "Returns:", "Raises: ValueError"]

    def test_finds_packed_and_silent_numbers(self) -> None:
        tree = ast.parse('A, B = 1, "x"\n"""Told."""\nC = -2\nD = 3\n"""Told."""\nE = (1, 2)\n')
        assert list(unexplained_numbers(tree)) == ["1 (A, B): packed", "3 C", "6 E"]
