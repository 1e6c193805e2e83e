"""How often the product answers rightly: `python -m benchmarks.asking`.

    --half development|reported   which questions (both, if left out)
    --readers rules [NAME...]     the readers that are asked together
    --alone                       the one reader by itself, without checks and arbiter
    --confidence 0.95             the operator's bar; left out, what is usual with these readers
    --seconds 29                  how long a question may take
    --sample N                    only so many questions of each set, the first ones
    --only NAME...                only these sets
    --questions                   only questions on tables and databases
    --kept                        models are not asked: what they wrote before is told, and of
                                  samples those that were drawn before
    --opened                      models read the tables before the first question, as they do when
                                  a session opens; what that takes is told apart
    --unanswered                  first turns of conversations are not asked, only told
    --misses                      prints what goes wrong, of the development half only
    --precisions FILE             writes how many are right from each probability on, as JSON

Of the reported half only counts are printed.
"""

import argparse
import json
import signal
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import duckdb
import psutil

from benchmarks.asking import sets
from benchmarks.asking.compiling import judge_compiled
from benchmarks.asking.product import RULES, Alone, Product, Told, readers_of
from benchmarks.asking.ties import golds as as_right
from benchmarks.report import table
from modelwright.engines.language.arbiter.fit import precisions
from modelwright_client.result_comparison import same_result

QUERY_SECONDS = 20.0
MOST_CHOICES = 3
MEBIBYTE = 1 << 20
COVERAGES = (10, 20, 30, 40, 45, 50, 60, 70, 80, 90, 100)

WISHES = {
    "forecast": ("forecast",),
    "anomaly": ("anomal", "outlier"),
    "clustering": ("cluster",),
    "quantile": ("quantile", "percentile"),
    "ranking": ("rank",),
    "recommendation": ("recommend",),
    "basket": ("basket",),
    "survival": ("surviv", "time to an event", "time-to-event"),
    "uplift": ("uplift",),
    "multi-label": ("multi-label", "several labels"),
    "weights": ("weight",),
    "exposure": ("exposure", "offset"),
    "images": ("image",),
    "optimisation": ("optimi",),
}
"""The words by which a refusal names a wish that cannot be met."""

Verdict = Literal["right", "choices", "missed choices", "wrong", "refused"]
VERDICTS: tuple[Verdict, ...] = ("right", "choices", "missed choices", "wrong", "refused")


@dataclass
class Tally:
    """Verdicts of one kind of question."""

    name: str
    seen: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    later: list[float] = field(default_factory=list)
    """Of questions that are not the first of their set, by which its tables are known."""
    sure: list[tuple[float, bool]] = field(default_factory=list)
    """Of answers and first choices: how sure they were, and whether they were right."""

    def add(self, verdict: Verdict, told: Told, seconds: float, *, is_first_right: bool) -> None:
        self.seen[verdict] += 1
        self.seconds.append(seconds)
        if told.kind != "refused":
            self.sure.append((told.confidence, is_first_right))

    def row(self) -> dict[str, Any]:
        asked = sum(self.seen.values())
        answered = self.seen["right"] + self.seen["wrong"]
        good = self.seen["right"] + self.seen["choices"]
        return {
            "questions": f"{self.name} ({asked})",
            **{one: self.seen[one] for one in VERDICTS},
            "right of answered": _share(self.seen["right"], answered),
            "answered": _share(answered, asked),
            "right or among the choices": _share(good, asked),
            **_times(self.seconds),
            "s p95, later": _times(self.later).get("s p95", "-"),
        }


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


def _times(seconds: Sequence[float]) -> dict[str, str]:
    if not seconds:
        return {}
    at = min(len(seconds) - 1, int(0.95 * len(seconds)))
    return {
        "s p50": f"{statistics.median(seconds):.3f}",
        "s p95": f"{sorted(seconds)[at]:.3f}",
    }


@contextmanager
def _bounded(store: duckdb.DuckDBPyConnection) -> Iterator[None]:
    timer = threading.Timer(QUERY_SECONDS, store.interrupt)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class Judge:
    """Runs gold and told SQL of one set and compares what comes of them."""

    def __init__(self, data: sets.Data) -> None:
        self._store = data.store()

    def verdict(
        self, golds: Sequence[str], told: Told, *, ordered: bool = False
    ) -> tuple[Verdict, bool]:
        """Gives the verdict, and whether what was answered or offered first is right."""
        if told.kind == "refused":
            return "refused", False
        fits = [
            rows is not None
            and any(
                same_result(gold, rows, ordered=ordered)
                for sql in golds
                for gold in as_right(sql, self._store)
            )
            for rows in map(self._rows, told.sql[:MOST_CHOICES])
        ]
        if told.kind == "choices":
            return "choices" if any(fits) else "missed choices", fits[0]
        return "right" if fits[0] else "wrong", fits[0]

    def _rows(self, sql: str) -> list[Any] | None:
        try:
            with _bounded(self._store):
                return self._store.execute(sql).fetchall()
        except duckdb.Error:
            return None


class Run:
    """One half asked of one pack of readers."""

    def __init__(self, half: sets.Half, given: argparse.Namespace) -> None:
        self.half: sets.Half = half
        self._given = given
        self._misses = given.misses and half == "development"
        self._readers = readers_of(given.readers, kept_only=given.kept)
        self.one, self.several = Tally("one table"), Tally("several tables")
        self.unanswerable, self.conversations = Tally("unanswerable"), Tally("second turns")
        self.intents: Counter[str] = Counter()
        self.compiled: Counter[str] = Counter()
        self.first: Counter[str] = Counter()
        self.memory = 0
        self.opening: list[float] = []

    def ask_all(self) -> None:
        for asked in sets.asked(self.half):
            if self._given.only and asked.name not in self._given.only:
                continue
            self.ask(asked, sets.data(asked.name))

    def _product(self, data: sets.Data) -> Product:
        given = self._given
        if given.alone:
            reader = self._readers[0] if self._readers else RULES
            return Alone(data, reader, given.seconds)
        return Product(data, self._readers, given.confidence, given.seconds)

    def ask(self, asked: sets.Asked, data: sets.Data) -> None:
        """Asks all questions of one set of tables."""
        product, judge, most = self._product(data), Judge(data), self._given.sample
        tally = self.several if len(data.tables) > 1 else self.one
        if self._given.opened:
            begun = time.perf_counter()
            product.open()
            self.opening.append(time.perf_counter() - begun)
        before = len(tally.seconds)
        for one in asked.questions[:most]:
            self._judge(tally, judge, product, one.asked, one.sql, ordered=one.ordered)
        tally.later += tally.seconds[before + 1 :]
        self.memory = max(self.memory, _memory())
        if not self._given.questions:
            self._ask_others(asked, judge, product)

    def _ask_others(self, asked: sets.Asked, judge: Judge, product: Product) -> None:
        most = self._given.sample
        for question in asked.unanswerable[:most]:
            self._judge(self.unanswerable, judge, product, question, ())
        for talk in asked.conversations[:most]:
            answered = self._answered(judge, product, talk)
            self._judge(
                self.conversations,
                judge,
                product,
                talk.then,
                talk.then_sql,
                follows=(talk.asked, answered),
            )
            self._compile(talk, judge, product)
        for intent in asked.intents[:most]:
            self._plan(product, intent)

    def _answered(self, judge: Judge, product: Product, talk: sets.Conversation) -> str:
        """Asks a first turn; gives the SQL that answered it, or the right one of the choices.

        A person who is offered readings takes one before going on; of none that is right, none.
        """
        if self._given.unanswered or self._given.alone:
            return ""
        told = product.ask(talk.asked)
        self.first[told.kind] += 1
        if told.kind == "answer":
            return told.sql[0]
        shown = [Told("answer", (one,)) for one in told.sql[:MOST_CHOICES]]
        right = [one for one in shown if judge.verdict(talk.sql, one)[0] == "right"]
        self.first["taken"] += bool(right)
        return right[0].sql[0] if right else ""

    def _compile(self, talk: sets.Conversation, judge: Judge, product: Product) -> None:
        """Judges the whole question that is made of two turns, apart from how it is read."""
        self.compiled["turns"] += 1
        if talk.whole is None:
            self.compiled["made whole"] += product.compiled(talk.asked, talk.then) is not None
            return
        verdict, whole = judge_compiled(product, judge, talk.asked, talk.then, talk.whole)
        self.compiled["made whole"] += whole is not None
        self.compiled["written"] += 1
        self.compiled["right"] += verdict == "right"
        if self._misses and verdict != "right":
            print(f"  compiled {talk.asked} … {talk.then} -> {whole}, meant: {talk.whole}")

    def _judge(
        self,
        tally: Tally,
        judge: Judge,
        product: Product,
        question: str,
        golds: Sequence[str],
        *,
        ordered: bool = False,
        follows: tuple[str, str] = ("", ""),
    ) -> None:
        begun = time.perf_counter()
        told = product.ask(question, *follows)
        seconds = time.perf_counter() - begun
        verdict, is_first_right = judge.verdict(golds, told, ordered=ordered)
        tally.add(verdict, told, seconds, is_first_right=is_first_right)
        if self._misses and verdict != "right" and (golds or verdict != "refused"):
            before = f"{follows[0]} ({follows[1] or 'not answered'}) … " if follows[0] else ""
            print(f"  {verdict:8} {before}{question} -> {told.sql or told.why}")

    def _plan(self, product: Product, intent: sets.Intent) -> None:
        planned = product.plan(intent.asked)
        if intent.wish:
            self.intents["wishes"] += 1
            good = planned.target is None
            self.intents["refused"] += good
            named = any(word in planned.why.lower() for word in WISHES[intent.wish])
            self.intents["named"] += good and named
        else:
            self.intents["intents"] += 1
            good = planned.target == intent.target
            self.intents["target"] += good
            self.intents["task"] += good and planned.task == intent.task
            self.intents["refused intents"] += planned.target is None
        if self._misses and not good:
            meant = intent.wish or intent.target
            print(f"  intent   {intent.asked} -> {planned.target or planned.why}, meant: {meant}")

    def report(self) -> None:
        alone = ", alone" if self._given.alone else ""
        print(f"\n### {self.half} half, readers: {' + '.join(self._given.readers)}{alone}\n")
        tallies = (self.one, self.several, self.conversations)
        print(table([one.row() for one in tallies if one.seen]))
        if asked := sum(self.unanswerable.seen.values()):
            answered = self.unanswerable.seen["wrong"]
            chosen = self.unanswerable.seen["missed choices"]
            print(f"Unanswerable: {answered} of {asked} answered, {chosen} with choices.")
        if turns := self.compiled["turns"]:
            print(
                f"Second turns: {self.compiled['made whole']} of {turns} made whole; of the"
                f" {self.compiled['written']} whose whole question is written down,"
                f" {self.compiled['right']} rightly."
            )
        if first := self.first:
            print(
                f"Their first turns: {first['answer']} answered, {first['choices']} with choices,"
                f" of which the right one was taken {first['taken']} times."
            )
        seen = self.intents
        if seen["intents"]:
            print(
                f"Intents: target right in {seen['target']} of {seen['intents']}, with its task in"
                f" {seen['task']}, refused {seen['refused intents']}."
            )
        if seen["wishes"]:
            print(
                f"Wishes that cannot be met: {seen['refused']} of {seen['wishes']} refused,"
                f" {seen['named']} by name."
            )
        if took := _times(self.opening):
            print(f"Opening a set: {took['s p50']} s at the median, {took['s p95']} s at p95.")
        print(f"Memory: {self.memory // MEBIBYTE} MiB with children.\n")
        print(table([row for one in tallies[:2] if (row := _curve(one))]))


def _curve(tally: Tally) -> dict[str, str]:
    """How many are right of the surest so many percent, were only the likeliest reading told."""
    asked = sum(tally.seen.values())
    best = [right for _, right in sorted(tally.sure, key=lambda one: -one[0])]
    found = {"right of the surest": tally.name}
    for percent in COVERAGES:
        most = asked * percent // 100
        if 0 < most <= len(best):
            found[f"{percent} %"] = _share(sum(best[:most]), most)
    return found if asked else {}


def _memory() -> int:
    process = psutil.Process()
    family = [process, *process.children(recursive=True)]
    return sum(one.memory_info().rss for one in family if one.is_running())


def arguments(description: str) -> argparse.ArgumentParser:
    """Makes the parser of what all runs are told."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--readers", nargs="+", default=[RULES], metavar="NAME")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--seconds", type=float, default=29.0)
    parser.add_argument("--confidence", type=float)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--only", nargs="+", default=[], metavar="SET")
    parser.add_argument("--questions", action="store_true")
    parser.add_argument("--kept", action="store_true")
    parser.add_argument("--opened", action="store_true")
    parser.add_argument("--unanswered", action="store_true")
    parser.add_argument("--misses", action="store_true")
    return parser


def main() -> int:
    parser = arguments("How often questions are answered rightly.")
    parser.add_argument("--half", choices=sets.HALVES)
    parser.add_argument("--precisions", type=Path, metavar="FILE")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that models' processes end as well
    for half in [given.half] if given.half else sets.HALVES:
        run = Run(half, given)
        try:
            run.ask_all()
        finally:
            run.report()  # also of a run that is stopped: the counts say how far it came
        if given.precisions:
            told = {one.name: precisions(one.sure) for one in (run.one, run.several)}
            given.precisions.write_text(json.dumps(told, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
