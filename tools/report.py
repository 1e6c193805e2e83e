"""Prints what helps to see where the code should be mended: a table to look at, never a gate.

`make report` runs it; `python tools/report.py PACKAGE` looks at one package only.
"""

import ast
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SHOWN = 15
"""Rows of each table."""
LONG_MODULE_LINES = 80
"""A module of so many lines is expected to say why somewhere, beyond its first docstring line."""
BRANCHES = (
    ast.If, ast.For, ast.While, ast.AsyncFor, ast.ExceptHandler, ast.IfExp, ast.comprehension,
    ast.match_case, ast.Assert,
)  # fmt: skip
"""What adds one to the cyclomatic complexity; a chain of and/or adds its operands less one."""

OF_NUMBERS = (
    ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Name, ast.expr_context,
)  # fmt: skip
"""What a number is written with: `2 * GB` is one as well."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def complexity(function: Function) -> int:
    """Counts the ways through a function, as McCabe does, with boolean operators."""
    nodes = list(ast.walk(function))
    chains = sum(len(node.values) - 1 for node in nodes if isinstance(node, ast.BoolOp))
    return 1 + chains + sum(isinstance(node, BRANCHES) for node in nodes)


def functions(tree: ast.Module) -> Iterator[Function]:
    """Lists the functions and methods of a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def packed_constants(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Lists assignments of several constants in one line."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            yield node.lineno, ast.unparse(node.targets[0])


def unexplained_numbers(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Lists numeric constants of a module without a docstring or comment-like sentence below."""
    for node, following in zip(tree.body, [*tree.body[1:], None], strict=True):
        if not (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)):
            continue
        name = node.targets[0].id
        is_number = all(isinstance(part, OF_NUMBERS) for part in ast.walk(node.value)) and any(
            isinstance(getattr(part, "value", None), int | float) for part in ast.walk(node.value)
        )
        is_said = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
        if name.isupper() and is_number and not is_said:
            yield node.lineno, name


def says_why(text: str, tree: ast.Module) -> bool:
    """Tells whether a module has a comment, or a docstring of more than one paragraph."""
    docstring = ast.get_docstring(tree) or ""
    return "\n\n" in docstring or any(
        line.lstrip().startswith("#") or "  # " in line for line in text.splitlines()
    )


def table(title: str, rows: list[str]) -> None:
    """Prints a table of a few rows, and how many there are in all."""
    print(f"\n{title} ({len(rows)})")
    for row in rows[:SHOWN]:
        print(f"  {row}")


def growth() -> list[str]:
    """Lists the packages that grew most since the last tag, in lines."""
    tag = subprocess.run(
        ["git", "describe", "--tags", "--abbrev=0"],  # noqa: S607 - the developer's own git
        cwd=ROOT, capture_output=True, text=True, check=False,
    ).stdout.strip()  # fmt: skip
    if not tag:
        return []
    numbers = subprocess.run(
        ["git", "diff", "--numstat", tag, "--", "src"],  # noqa: S607 - as above
        cwd=ROOT, capture_output=True, text=True, check=False,
    ).stdout  # fmt: skip
    grown: defaultdict[str, int] = defaultdict(int)
    for line in numbers.splitlines():
        added, removed, path = line.split("\t")
        if added != "-":
            grown["/".join(path.split("/")[:3])] += int(added) - int(removed)
    order = sorted(grown.items(), key=lambda item: -item[1])
    return [f"{count:+6}  {package} since {tag}" for package, count in order]


def main(under: str) -> None:
    """Prints all tables for the Python files below a folder."""
    sizes, branched, packed, numbers, silent = [], [], [], [], []
    classes: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted((ROOT / under).rglob("*.py")):
        if "migrations/versions" in str(path):
            continue
        text = path.read_text("utf-8")
        tree, place = ast.parse(text), str(path.relative_to(ROOT))
        for one in functions(tree):
            where = f"{place}:{one.lineno} {one.name}"
            sizes.append(((one.end_lineno or one.lineno) - one.lineno + 1, where))
            branched.append((complexity(one), where))
        packed += [f"{place}:{line} {names}" for line, names in packed_constants(tree)]
        numbers += [f"{place}:{line} {name}" for line, name in unexplained_numbers(tree)]
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes[node.name].append(place)
        if text.count("\n") >= LONG_MODULE_LINES and not says_why(text, tree):
            silent.append(place)
    table("Longest functions, in lines", [f"{n:4}  {where}" for n, where in ranked(sizes)])
    table("Most branched functions", [f"{n:4}  {where}" for n, where in ranked(branched)])
    table("Constants packed as tuples", packed)
    table("Numeric constants without an explanation", numbers)
    twice = [f"{name}: {', '.join(at)}" for name, at in sorted(classes.items()) if len(at) > 1]
    table("Public class names that stand twice", twice)
    table("Modules without a why", silent)
    table("Growth since the last release", growth())


def ranked(rows: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Orders by number, greatest first."""
    return sorted(rows, key=lambda row: (-row[0], row[1]))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "src")
