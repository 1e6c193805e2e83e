"""What each part of the rule reader gains and costs: `python -m benchmarks.asking.ablation FILE`.

Every function of the rules is a part. The development half is asked once with all of them, and it
is noted which question uses which part, in a way that could matter. Then each part in turn is made
to find nothing (no reading, no test, an empty list), and the questions that use it are asked
again, with grammar, checks and arbiter as ever. What that loses and gains is written to FILE, a
line a part, the largest first. A part whose loss is nothing and that takes lines is to be deleted.

    --only WORD...    only parts whose name has one of these words
    --modules         takes out whole modules in place of single functions
"""

import argparse
import ast
import importlib
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, cast

from benchmarks.asking import sets
from benchmarks.asking.__main__ import Judge, Verdict
from benchmarks.asking.product import Product, Told
from modelwright.catalog.inference import Inference
from modelwright.core.limits.contract import LIMITS
from modelwright.engines.language import rules
from modelwright.engines.language.conversation.follow_up import compile_follow_up
from modelwright.engines.language.readers import Outcome, Reader, ReadRequest
from modelwright.engines.sql.executor import Rows
from modelwright.engines.sql.failures import QueryFailed
from modelwright.queries.query_runner import QueryRunner
from modelwright.queries.query_runner import Question as AskedQuestion
from modelwright.queries.question_context import SessionContext
from modelwright.sessions.service import Sessions

FOLDER = Path(rules.__file__).parent
NOT_RULES = frozenset({"intents", "text"})
"""Packages whose parts are not tried: intents read no questions, and all readers share the text."""
GAIN = {"right": 1.0, "choices": 0.5, "missed choices": -0.1, "wrong": -2.0, "refused": 0.0}
"""What a verdict is worth: a wrong answer costs more than two right ones gain."""
SECONDS = 60.0


@dataclass(frozen=True)
class Part:
    """One function of the rules."""

    name: str
    """`package.module:function`."""
    lines: int
    function: FunctionType
    nothing: CodeType
    """What runs in its place, once it is taken out."""


@dataclass
class Loss:
    """What taking a part out has changed."""

    asked: int = 0
    changed: int = 0
    gain: float = 0.0
    moves: Counter[str] = field(default_factory=Counter)
    """`right -> refused` and the like, and how often."""


def parts(only: Sequence[str] = ()) -> Iterator[Part]:
    """Gives every function that can find nothing, by its annotation."""
    for path in sorted(FOLDER.rglob("*.py")):
        if NOT_RULES & set(path.parts) or path.name == "__init__.py":
            continue
        inner = ".".join(path.relative_to(FOLDER).with_suffix("").parts)
        module = importlib.import_module(f"{rules.__name__}.{inner}")
        for name, definition in _functions(ast.parse(path.read_text())):
            full = f"{inner}:{name}"
            found: Any = module
            for step in name.split("."):
                found = getattr(found, step, None) if found is module else found.__dict__.get(step)
            found = getattr(found, "fget", found)
            nothing = _nothing(definition)
            if not isinstance(found, FunctionType) or nothing is None:
                continue
            if not only or any(word in full for word in only):
                lines = (definition.end_lineno or 0) - definition.lineno + 1
                yield Part(full, lines, found, nothing)


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    for one in tree.body:
        if isinstance(one, ast.FunctionDef):
            yield one.name, one
        elif isinstance(one, ast.ClassDef):
            for inner in one.body:
                if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("__"):
                    yield f"{one.name}.{inner.name}", inner


EMPTY = {
    "None": "None", "bool": "False", "float": "0.0", "int": "0", "str": "''", "list": "[]",
    "tuple": "()", "set": "set()", "frozenset": "frozenset()", "dict": "{}",
    "Iterator": "iter(())", "Iterable": "()", "Sequence": "()",
}  # fmt: skip


def _nothing(definition: ast.FunctionDef) -> CodeType | None:
    """Builds the code that returns what means that nothing was found; None where nothing does."""
    told = ast.unparse(definition.returns) if definition.returns else ""
    given = definition.args.args
    first = next((one for one in given if one.arg != "self"), None)
    same = first is not None and first.annotation and ast.unparse(first.annotation) == told
    if same and first is not None:
        body = f"a[{given.index(first)}]"
    elif told.endswith("| None"):
        body = "None"
    elif told.split("[")[0] in EMPTY:
        body = EMPTY[told.split("[")[0]]
        if told.startswith("tuple[") and "..." not in told:
            return None
    else:
        return None
    space: dict[str, Any] = {}
    exec(f"def nothing(*a, **k): return {body}", space)
    return cast("FunctionType", space["nothing"]).__code__


@contextmanager
def without(taken: Sequence[Part]) -> Iterator[None]:
    """Takes parts out for a while."""
    kept = [(one.function, one.function.__code__) for one in taken]
    for one in taken:
        one.function.__code__ = one.nothing
    try:
        yield
    finally:
        for function, code in kept:
            function.__code__ = code


def used(ask: Callable[[], Any], by_code: dict[CodeType, str]) -> set[str]:
    """Tells the parts that returned something, or did something, while a question was asked."""
    found: set[str] = set()

    def note(frame: FrameType, event: str, given: Any) -> None:
        name = by_code.get(frame.f_code) if event == "return" else None
        if name is not None and (given or given is None):
            found.add(name)

    sys.setprofile(note)
    try:
        ask()
    finally:
        sys.setprofile(None)
    return found


class Kept:
    """A reader that reads each question once."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._read: dict[str, Sequence[Outcome]] = {}
        self.name = reader.name

    def read(self, request: ReadRequest) -> Sequence[Outcome]:
        """Reads a question, or remembers how it was read."""
        if request.question not in self._read:
            self._read[request.question] = self._reader.read(request)
        return self._read[request.question]


class _Runner(QueryRunner):
    """The product's way of answering; what SQL gives is kept, and nothing is suggested."""

    def __init__(self, store: Sessions) -> None:
        super().__init__(store, Inference().infer, LIMITS)
        self._rows: dict[tuple[str, int], Rows | QueryFailed] = {}
        self._fixed: SessionContext | None = None

    def fix(self, known: SessionContext) -> None:
        """Settles what is known of the tables."""
        self._fixed = known

    def _known(self, question: AskedQuestion) -> SessionContext:
        return self._fixed or super()._known(question)

    def _working(self, question: AskedQuestion, suggestions: Sequence[str]) -> list[str]:
        del question, suggestions
        return []

    def _run(self, question: AskedQuestion, sql: str, most: int) -> Rows:
        if (sql, most) not in self._rows:
            try:
                self._rows[sql, most] = super()._run(question, sql, most)
            except QueryFailed as failure:
                self._rows[sql, most] = failure
        found = self._rows[sql, most]
        if isinstance(found, QueryFailed):
            raise found
        return found


class _Product(Product):
    def __init__(self, data: sets.Data) -> None:
        super().__init__(data, (), None, SECONDS)
        runner = _Runner(cast("Sessions", self._sessions))
        self.known = runner._known(self._question(""))  # noqa: SLF001 - its own class
        self.rules, *others = self.known.built_in
        runner.fix(replace(self.known, built_in=[self.rules, *map(Kept, others)]))
        self._query_runner = runner

    def read(self, question: str) -> Sequence[Outcome]:
        """Has the rules alone read a question."""
        known = self.known
        return self.rules.read(
            ReadRequest(question, known.profile.tables, known.catalog, self._data.today)
        )


class Tables:
    """A set of tables that is asked again and again; only the rules read anew."""

    def __init__(self, of: sets.Asked) -> None:
        data = sets.data(of.name)
        self._product = _Product(data)
        self._judge = Judge(data)
        self._told: dict[tuple[str, Told], Verdict] = {}
        self.questions = [(one.asked, one.sql, one.ordered) for one in of.questions]
        self.questions += [(one, (), False) for one in of.unanswerable]
        for talk in of.conversations:
            whole = compile_follow_up(talk.asked, talk.then, self._product.known.linker, data.today)
            self.questions += [(whole, talk.then_sql, False)] if whole else []

    def read(self, at: int) -> str:
        """Tells what the rules alone make of a question."""
        return repr(self._product.read(self.questions[at][0]))

    def verdict(self, at: int) -> Verdict:
        """Asks a question and judges what is told."""
        question, golds, ordered = self.questions[at]
        told = self._product.ask(question)
        if (question, told) not in self._told:
            self._told[question, told] = self._judge.verdict(golds, told, ordered=ordered)[0]
        return self._told[question, told]


class Ablation:
    """The development half, asked with and without parts."""

    def __init__(self, tried: Sequence[Part]) -> None:
        self._tables = [Tables(of) for of in sets.asked("development")]
        every = [(one, at) for one in self._tables for at in range(len(one.questions))]
        codes = {part.function.__code__: part.name for part in tried}
        self.before: dict[tuple[Tables, int], tuple[str, Verdict]] = {}
        self.users: dict[str, list[tuple[Tables, int]]] = defaultdict(list)
        for tables, at in every:
            for name in used(lambda: tables.read(at), codes):  # noqa: B023 - called at once
                self.users[name].append((tables, at))
            self.before[tables, at] = tables.read(at), tables.verdict(at)

    def loss(self, taken: Sequence[Part]) -> Loss:
        """Asks again what uses parts that are taken out together."""
        found = Loss()
        users = dict.fromkeys(one for part in taken for one in self.users[part.name])
        with without(taken):
            for tables, at in users:
                found.asked += 1
                read, verdict = self.before[tables, at]
                if tables.read(at) == read:
                    continue
                found.changed += 1
                after = tables.verdict(at)
                if after != verdict:
                    found.moves[f"{verdict} -> {after}"] += 1
                    found.gain += GAIN[after] - GAIN[verdict]
        return found


def main() -> None:
    """Writes what each part is worth."""
    parser = argparse.ArgumentParser(description="What each part of the rules is worth.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD")
    parser.add_argument("--modules", action="store_true")
    given = parser.parse_args()
    tried = list(parts(given.only))
    ablation = Ablation(tried)
    groups: dict[str, list[Part]] = defaultdict(list)
    for part in tried:
        groups[part.name.split(":")[0] if given.modules else part.name].append(part)
    by_size = sorted(groups.items(), key=lambda one: -sum(part.lines for part in one[1]))
    with given.file.open("w") as file:
        for name, taken in by_size:
            try:
                lost = ablation.loss(taken)
            except Exception as fault:  # noqa: BLE001 - what cannot do without it is told so
                told: dict[str, Any] = {"needed": repr(fault)}
            else:
                told = {**vars(lost), "gain": round(lost.gain, 2)}
            lines = sum(part.lines for part in taken)
            file.write(json.dumps({"part": name, "lines": lines, **told}) + "\n")
            file.flush()


if __name__ == "__main__":
    main()
