"""How many questions in words get the right answer: `python -m benchmarks.questions [--all]`.

Tables, databases and half of the business questions are held out: neither the weights
(`benchmarks.train_questions`) nor the rules were made with them. `--misses` prints what goes
wrong in the other part.
"""

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
from tests.questions import question_sets

from benchmarks import arguments
from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader

SAMPLE = 800
MISSES = "--misses" in sys.argv


@dataclass
class Tally:
    name: str
    seen: Counter[str] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)

    def ask(
        self, reader: Reader, question: str, right: Callable[[Answerable], bool], kind: str = ""
    ) -> None:
        begun = time.perf_counter()
        answer = reader.read(question, question_sets.TODAY)
        self.times.append(1000 * (time.perf_counter() - begun))
        self.seen["asked"] += 1
        self.seen[f"asked {kind}"] += 1
        if isinstance(answer, NotUnderstood):
            return
        self.seen["answered"] += 1
        try:
            good = right(answer)
        except duckdb.Error:
            good = False
        self.seen["right"] += good
        self.seen[f"right {kind}"] += good
        if MISSES and not good and "held" not in self.name:
            print("   ", question, "->", answer.sql)

    def share(self, part: str, whole: str) -> str:
        return f"{self.seen[part] / max(1, self.seen[whole]):.1%}"

    def line(self) -> str:
        times = sorted(self.times) or [0.0]
        return (
            f"{self.name} | {self.seen['asked']} | {self.share('right', 'asked')} |"
            f" {self.share('answered', 'asked')} | {self.share('right', 'answered')} |"
            f" {times[len(times) // 2]:.1f} | {times[int(0.95 * len(times))]:.1f}"
        )


def look_ups(*, held_out: bool, most: int) -> Tally:
    tally = Tally(f"WikiSQL-style, {'held-out' if held_out else 'tuning'} tables")
    store = duckdb.connect()
    for count, (question, table, rows) in enumerate(question_sets.look_ups(held_out=held_out)):
        if count >= most:
            break
        question_sets.fill(store, table, rows)
        gold = question_sets.wiki_answer(question["sql"], table, rows)
        tally.ask(Reader([table]), question["question"], _checked(store, gold))
    return tally


def _checked(
    store: duckdb.DuckDBPyConnection, gold: Iterable[Any], **how: bool
) -> Callable[[Answerable], bool]:
    kept = list(gold)
    return lambda answer: question_sets.same(kept, store.execute(answer.sql).fetchall(), **how)


def _one_of(
    store: duckdb.DuckDBPyConnection, golds: Iterable[Iterable[Any]], **how: bool
) -> Callable[[Answerable], bool]:
    checks = [_checked(store, gold, **how) for gold in golds]
    return lambda answer: any(check(answer) for check in checks)


def spider(*, held_out: bool) -> Tally:
    tally = Tally(f"Spider, {'held-out' if held_out else 'tuning'} databases")
    known: dict[str, Any] = {}
    for one in question_sets.jsonl(question_sets.SHARED / "nl2sql" / "spider" / "questions.jsonl"):
        name, sql = one["db_id"], one["sql"].lower()
        if (name in question_sets.HELD_OUT_DATABASES) != held_out:
            continue
        if name not in known:
            known[name] = question_sets.database(name)
        reader, store, gold = known[name]
        golds = question_sets.as_right(one["sql"], "sqlite", gold)
        ordered = "order by" in sql and "limit" not in sql
        kind = "one" if " join " not in sql and sql.count("select") == 1 else "many"
        tally.ask(reader, one["question"], _one_of(store, golds, ordered=ordered), kind)
    return tally


def several(folder: Path, *, held_out: bool) -> Tally:
    tally = Tally(f"several tables, {'held-out' if held_out else 'tuning'} databases")
    known: dict[str, Any] = {}
    for one in question_sets.jsonl(question_sets.SETS / "several.jsonl"):
        name, sql = one["database"], one["sql"].lower()
        if one["held_out"] != held_out:
            continue
        if name not in known:
            (folder / name).mkdir()
            known[name] = question_sets.several(folder / name, name)
        reader, store = known[name]
        ordered = "order by" in sql and "limit" not in sql
        golds = question_sets.as_right(one["sql"], "duckdb", store)
        tally.ask(reader, one["question"], _one_of(store, golds, ordered=ordered))
    return tally


def business(
    name: str, store: duckdb.DuckDBPyConnection, readers: dict[str, Reader], *, held_out: bool
) -> Tally:
    tally = Tally(f"{name} wording, {'held-out' if held_out else 'tuning'} half")
    for one in question_sets.jsonl(question_sets.SETS / f"{name}.jsonl"):
        if one["held_out"] == held_out:
            golds = question_sets.as_right(one["sql"], "duckdb", store)
            tally.ask(readers[one["table"]], one["question"], _one_of(store, golds, wider=True))
    return tally


def charts(readers: dict[str, Reader], *, held_out: bool) -> Tally:
    tally = Tally(f"chart type, {'held-out' if held_out else 'tuning'} half")
    for one in question_sets.jsonl(question_sets.SETS / "charts.jsonl"):
        if question_sets.halved(one["question"]) == held_out:
            tally.ask(readers[one["table"]], one["question"], _drawn(one["type"]))
    return tally


def _drawn(kind: str) -> Callable[[Answerable], bool]:
    return lambda answer: answer.chart is not None and answer.chart.type == kind


def main() -> None:
    arguments.told(__doc__, "--all", "--misses")
    most = 10**6 if "--all" in sys.argv else SAMPLE
    print("set | questions | right | answered | right of answered | ms p50 | ms p95")
    for held_out in (False, True):
        print(look_ups(held_out=held_out, most=most).line(), flush=True)
    for held_out in (False, True):
        tally = spider(held_out=held_out)
        print(tally.line())
        print(f"    of one table {tally.share('right one', 'asked one')}, of several"
              f" {tally.share('right many', 'asked many')}", flush=True)  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        store, readers = question_sets.analysts(Path(folder))
        for name in ("business", "offices", "offices_more"):
            for held_out in (False, True):
                print(business(name, store, readers, held_out=held_out).line())
        for held_out in (False, True):
            print(charts(readers, held_out=held_out).line())
        for held_out in (False, True):
            print(several(Path(folder), held_out=held_out).line())


if __name__ == "__main__":
    main()
