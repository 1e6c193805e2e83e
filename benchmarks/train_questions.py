"""Trains the rankers of questions: `python -m benchmarks.train_questions [--routes|--several]`.

`--routes` leaves the rankers of words as they are, `--several` all but how sure a reading of
several tables is.
Only tuning tables, tuning databases and the tuning half of the business questions are read. What
fits the weights lies beside them: `modelwright.engines.language.rules.training`.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
from tests.questions import question_sets

from benchmarks import arguments
from modelwright.engines.language.rules import training
from modelwright.engines.language.rules.answering.questions import Reader
from modelwright.engines.language.rules.lookups import ranking
from modelwright.engines.language.rules.training import LookUp, Trials

MAX_LOOK_UPS = 1000
"""Look-ups that are read both ways."""
WORTH = {"look-up": 1.0, "business": 8.0, "spider": 1.0}
"""How much a question of each set counts."""
SEVERAL = frozenset({"spider", "several"})
"""Sets that ask several tables at hand."""


def look_ups() -> Iterator[LookUp]:
    """Lists the look-ups of the tuning tables."""
    for question, table, _ in question_sets.look_ups(held_out=False):
        sql = question["sql"]
        yield LookUp(
            question["question"],
            table,
            frozenset((at, "=><"[op], as_written(value)) for at, op, value in sql["conds"]),
            sql["sel"],
            question_sets.AGGREGATES[sql["agg"]],
        )


def as_written(value: Any) -> str:
    """Writes a value as another spelling of it would be."""
    found = question_sets.number(str(value))
    return question_sets.bare(value) if found is None else str(found)


def trials() -> Trials:
    """Asks the tuning parts of the three sets."""
    seen = Trials(WORTH, SEVERAL)

    def add(source: str, reader: Reader, text: str, right: Callable[[str], bool]) -> None:
        seen.add(source, reader, text, question_sets.TODAY, right)

    store = duckdb.connect()
    for count, (question, table, rows) in enumerate(question_sets.look_ups(held_out=False)):
        if count >= MAX_LOOK_UPS:
            break
        question_sets.fill(store, table, rows)
        gold = question_sets.wiki_answer(question["sql"], table, rows)
        add("look-up", Reader([table]), question["question"], _check(store, gold))
    known: dict[str, Any] = {}
    for one in question_sets.jsonl(question_sets.SHARED / "nl2sql" / "spider" / "questions.jsonl"):
        name = one["db_id"]
        if name not in question_sets.HELD_OUT_DATABASES:
            known[name] = known.get(name) or question_sets.database(name)
            reader, copied, gold_store = known[name]
            gold = gold_store.execute(one["sql"]).fetchall()
            add("spider", reader, one["question"], _check(copied, gold))
    with tempfile.TemporaryDirectory() as folder:
        made: dict[str, Any] = {}
        for one in question_sets.jsonl(question_sets.SETS / "several.jsonl"):
            name = one["database"]
            if not one["held_out"]:
                made[name] = made.get(name) or question_sets.several(Path(folder), name)
                reader, store = made[name]
                gold = store.execute(one["sql"]).fetchall()
                add("several", reader, one["question"], _check(store, gold))
        store, readers = question_sets.analysts(Path(folder))
        for one in question_sets.jsonl(question_sets.SETS / "business.jsonl"):
            if not one["held_out"]:
                gold = store.execute(one["sql"]).fetchall()
                check = _check(store, gold, wider=True)
                add("business", readers[one["table"]], one["question"], check)
    return seen


def _check(store: duckdb.DuckDBPyConnection, gold: list[Any], **how: bool) -> Callable[[str], bool]:
    return lambda sql: question_sets.same(gold, store.execute(sql).fetchall(), **how)


def main() -> None:
    arguments.told(__doc__, "--routes", "--several")
    kept = {"--routes", "--several"} & set(sys.argv)
    learnt = ranking.weights() | ({} if kept else training.fit_rankers(look_ups(), as_written))
    ranking.weights().update(learnt)
    routes = trials().fit_routes()
    learnt |= {"answer several": routes["answer several"]} if "--several" in kept else routes
    training.write(learnt)
    print({name: len(model) for name, model in learnt.items()})


if __name__ == "__main__":
    main()
