"""How wishes and targets of our own wordings are read: `python -m benchmarks.asking.own`.

--misses      prints what goes wrong, of the development half only
"""

import argparse
import tempfile
import tomllib
import zlib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, get_args

import duckdb

from benchmarks.asking import sets
from benchmarks.asking.sets import Half
from benchmarks.report import table
from modelwright.engines.facts import ColumnFacts, ColumnType, column_facts
from modelwright.engines.language.rules.intents.intents import Target, find_target
from modelwright.engines.language.rules.intents.unsupported import unsupported_wish

HERE = Path(__file__).parent
SHARED = sets.SPIDER.parents[1] / "tabular"
HALVES: tuple[Half, ...] = ("development", "reported")
ROWS = 4000
BOUNDS: dict[str, tuple[Any, Any]] = {"integer": (0, 4000), "float": (0.5, 4000.5)}


def half(wording: str) -> Half:
    """Says to which half a wording belongs."""
    return HALVES[zlib.adler32(wording.encode()) % 2]


def read(name: str) -> dict[str, Any]:
    """Reads one of the files."""
    return tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def columns(of: str) -> tuple[ColumnFacts, ...]:
    """Gives the columns of a table of our own as they would be counted, or of a public one."""
    schemas = read("schemas")
    if of in schemas:
        return tuple(_column(name, told) for name, told in schemas[of].items())
    of = of.removeprefix("public ")
    shared = SHARED / f"{of}.csv"
    paths = [shared] if shared.exists() else sets.data(of).tables.values()
    return tuple(one for path in paths for one in _facts(path))


def _facts(path: Path) -> list[ColumnFacts]:
    if path.suffix == ".parquet":
        return column_facts([path])
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / f"{path.stem}.parquet"
        duckdb.connect().execute(f"copy (from read_csv('{path}')) to '{written}'")
        return column_facts([written])


def _column(name: str, told: str) -> ColumnFacts:
    kind, distinct, *values = told.split(", ")
    held = kind if kind in get_args(ColumnType) else "date"
    typed = [int(one) if kind == "integer" else one for one in values]
    if kind == "boolean":
        typed = [True, False]
    low, high = (min(typed), max(typed)) if typed else BOUNDS.get(kind, (None, None))
    top = tuple((one, ROWS // (at + 2)) for at, one in enumerate(typed))
    return ColumnFacts(name, held, ROWS, 0, int(distinct), low, high, top)  # type: ignore[arg-type]


def wishes() -> list[tuple[str, str, str]]:
    """Gives kind, table and wording of each wish."""
    told = read("wishes")
    return [(kind, *one.split(": ", 1)) for kind, those in told.items() for one in those]


def targets(name: str) -> list[tuple[str, str, str, str]]:
    """Gives table, wording, column and task of each intent that can be planned."""
    found = []
    for one in read(name)["intents"]:
        said, meant = one.rsplit(" -> ", 1)
        found.append((*said.split(": ", 1), *meant.split(", ")))
    return found


class Run:
    """One half, counted."""

    def __init__(self, of: Half, *, misses: bool) -> None:
        self.of: Half = of
        self._misses = misses and of == "development"
        self.seen: dict[str, Counter[str]] = {}

    def _miss(self, *told: object) -> None:
        if self._misses:
            print("  ", *told)

    def count_wishes(self) -> None:
        for kind, of, wording in wishes():
            if half(wording) != self.of:
                continue
            found = unsupported_wish(wording, [one.name for one in columns(of)])
            planned = find_target(wording, columns(of))
            refused = not isinstance(planned, Target)
            seen = self.seen.setdefault(kind, Counter())
            seen["asked"] += 1
            seen["refused"] += refused
            seen["named"] += found is not None
            seen["named as such"] += found is not None and found.kind == kind
            if not refused or found is None:
                self._miss(kind, "|", of, "|", wording, "->", getattr(planned, "column", "refused"))
            elif found.kind != kind:
                self._miss(kind, "|", of, "|", wording, "-> named", found.kind)

    def count_targets(self, name: str) -> None:
        for of, wording, column, task in targets(name):
            if half(wording) != self.of:
                continue
            planned = find_target(wording, columns(of))
            got = planned.column if isinstance(planned, Target) else None
            seen = self.seen.setdefault(name, Counter())
            seen["asked"] += 1
            seen["refused"] += got is None
            seen["right"] += got == column
            right = isinstance(planned, Target) and (got, planned.task) == (column, task)
            seen["with task"] += right
            if not isinstance(planned, Target):
                self._miss(of, "|", wording, "->", planned.sentence[:150], "| meant", column)
            elif (got, planned.task) != (column, task):
                self._miss(of, "|", wording, "->", got, planned.task, "| meant", column, task)

    def report(self) -> None:
        print(f"\n### {self.of} half\n")
        total: Counter[str] = Counter()
        for kind in read("wishes"):
            total.update(self.seen[kind])
        shown = {**{one: self.seen[one] for one in read("wishes")}, "all wishes": total}
        names = ("asked", "refused", "named", "named as such")
        print(
            table([{"kind": kind, **{n: seen[n] for n in names}} for kind, seen in shown.items()])
        )
        names = ("asked", "right", "with task", "refused")
        print(table([{"intents": n, **{k: self.seen[n][k] for k in names}} for n in INTENTS]))


INTENTS = ("plannable", "targets", "again")


def main() -> None:
    parser = argparse.ArgumentParser(description="How our own wordings of intents are read.")
    parser.add_argument("--misses", action="store_true")
    given = parser.parse_args()
    for of in HALVES:
        run = Run(of, misses=given.misses)
        run.count_wishes()
        for name in INTENTS:
            run.count_targets(name)
        run.report()


if __name__ == "__main__":
    main()
