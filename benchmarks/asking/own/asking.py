"""How questions and second turns of our own are answered: `python -m benchmarks.asking.own.asking`.

--readers rules [NAME...]     the readers that are asked together
--only NAME...                only these sets
--shared FOLDER               where the benchmark tables are, if not beside the project
--misses                      prints what goes wrong, of the development half only
--all-misses                  prints it of both halves: after the last change only

What follows goes on from the answer, or from the choice that is offered first.
"""

import argparse
import tempfile
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.asking import sets
from benchmarks.asking.__main__ import VERDICTS, Judge
from benchmarks.asking.own import shop
from benchmarks.asking.own.__main__ import half, read
from benchmarks.asking.product import RULES, Product, Told, readers_of
from benchmarks.report import table

SHARED = sets.SPIDER.parents[1]
DAYS = {"taxis": date(2019, 4, 1), "shop": shop.TODAY}
"""The day on which a set is asked, at the end of its data."""
SECONDS = 29.0


def data(name: str, folder: Path, shared: Path) -> sets.Data:
    """Makes the tables of a set, or finds them."""
    if name == "shop":
        return sets.Data(name, shop.tables(folder), DAYS[name])
    source, path = shared / "tabular" / f"{name}.csv", folder / f"{name}.parquet"
    if not source.exists():
        return sets.data(name)
    duckdb.connect().execute(f"copy (from read_csv('{source}')) to '{path}'")
    return sets.Data(name, {name: path}, DAYS.get(name, sets.TODAY))


class Run:
    """All sets asked of some readers, counted by half and kind."""

    def __init__(self, given: argparse.Namespace) -> None:
        self._given = given
        self._readers = readers_of(given.readers)
        self.seen: dict[tuple[str, str], Counter[str]] = {}

    def ask(self, name: str, told: dict[str, list[Any]], folder: Path) -> None:
        held = data(name, folder, self._given.shared)
        product, judge = Product(held, self._readers, None, SECONDS), Judge(held)
        for question, *golds in told.get("questions", []):
            one = product.ask(question)
            self._count(name, "questions", question, judge.verdict(golds, one)[0], one)
        for question in told.get("unanswerable", []):
            one = product.ask(question)
            self._count(name, "unanswerable", question, judge.verdict((), one)[0], one)
        for asked, then, *golds in told.get("talks", []):
            first = product.ask(asked)
            one = product.ask(then, asked, next(iter(first.sql), ""))
            verdict = judge.verdict(golds, one)[0]
            said = f"{asked} … {then} = {product.compiled(asked, then)}"
            self._count(name, "second turns", said, verdict, one)

    def _count(self, name: str, kind: str, said: str, verdict: str, told: Told) -> None:
        which = half(said.split(" = ", maxsplit=1)[0])
        self.seen.setdefault((which, kind), Counter())[verdict] += 1
        shown = self._given.all_misses or (self._given.misses and which == "development")
        is_good = verdict == "right" or (kind == "unanswerable" and told.kind != "answer")
        if shown and not is_good:
            print(f"  {verdict:14} {name} | {said} -> {told.sql or told.why}")

    def report(self) -> None:
        rows = [
            {
                "half": of,
                "asked": f"{kind} ({seen.total()})",
                **{one: seen[one] for one in VERDICTS},
            }
            for (of, kind), seen in sorted(self.seen.items())
        ]
        print(table(rows))


def main() -> None:
    parser = argparse.ArgumentParser(description="How our own questions are answered.")
    parser.add_argument("--readers", nargs="+", default=[RULES], metavar="NAME")
    parser.add_argument("--only", nargs="+", default=[], metavar="SET")
    parser.add_argument("--shared", type=Path, default=SHARED, metavar="FOLDER")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--all-misses", action="store_true")
    given = parser.parse_args()
    run = Run(given)
    sets_asked = {name: {**told} for name, told in read("asked").items()}
    for name, questions in read("unanswerable").items():
        sets_asked.setdefault(name, {})["unanswerable"] = questions
    for name, told in sets_asked.items():
        if not given.only or name in given.only:
            with tempfile.TemporaryDirectory() as folder:
                run.ask(name, told, Path(folder))
    run.report()


if __name__ == "__main__":
    main()
