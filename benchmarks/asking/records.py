"""What the arbiter's weights are fitted on: `python -m benchmarks.asking.records FILE [MODEL...]`.

With `--kept` questions that a model was not asked before are left out of what is told of it.

Writes a line for every reading of the development half: its clues, its set of tables and whether
it is right. `python -m modelwright.engines.language.arbiter.fit FILE` fits the weights.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
from tests.questions import question_sets

from benchmarks import arguments
from benchmarks.asking import sets
from benchmarks.asking.models import NotKeptError, reader
from modelwright.engines.facts import column_facts
from modelwright.engines.language.arbiter.arbiter import Arbiter, wants_samples
from modelwright.engines.language.arbiter.results import Result
from modelwright.engines.language.catalog.inference import infer_catalog
from modelwright.engines.language.grammar.reader import GrammarReader
from modelwright.engines.language.linking.linking import Linker
from modelwright.engines.language.readers import Outcome, Reader, ReadRequest
from modelwright.engines.language.rule_reader import RuleReader
from modelwright.engines.language.rules.columns.schema import TableFacts

KEPT_ONLY = "--kept"
SAMPLES = "samples"
"""What samples are told as, beside the models."""
MOST_ROWS = 1000
MOST_VALUES = 10_000
Values = dict[tuple[str, str], list[Any]]


class Set:
    """One set of tables with the built-in readers of questions to it."""

    def __init__(self, name: str, models: Sequence[Reader] = ()) -> None:
        data = sets.data(name)
        self.today = data.today
        self.store = data.store()
        self.tables = [
            TableFacts(table, tuple(column_facts([path]))) for table, path in data.tables.items()
        ]
        values = dict(self._wide_values())
        self.catalog = infer_catalog(self.tables, None, values)
        self.linker = Linker(self.tables, self.catalog, values)
        self.readers: list[Reader] = [
            RuleReader(self.tables, values),
            GrammarReader(self.tables, self.catalog, values, self.linker),
        ]
        self.models = models

    def _wide_values(self) -> Iterator[tuple[tuple[str, str], list[Any]]]:
        """Gives the values of columns of text that have more than their facts hold."""
        for table in self.tables:
            for column in table.columns:
                if column.type == "string" and len(column.top) < column.distinct:
                    name = f'"{column.name}"'
                    found = self.store.execute(
                        f'select distinct {name} from "{table.name}" where {name} is not null'
                        f" order by 1 limit {MOST_VALUES}"
                    )
                    yield (table.name, column.name), [row[0] for row in found.fetchall()]

    def run(self, sql: str) -> Result:
        """Runs a candidate."""
        try:
            found = self.store.execute(sql)
            rows = found.fetchmany(MOST_ROWS + 1)
        except duckdb.Error as error:
            return Result(error=str(error))
        names = tuple(one[0] for one in found.description or ())
        return Result(names, [list(row) for row in rows[:MOST_ROWS]], len(rows) > MOST_ROWS)

    def _mistake(self, sql: str, sees_values: bool) -> str | None:
        del sees_values
        return self.run(sql).error or None

    def records(self, question: str, golds: Sequence[str], *, ordered: bool) -> Iterator[Any]:
        """Reads a question and tells of each reading whether it is right.

        First the built-in readers alone, then with one model after the other, then with samples
        of the first where the question is not answered without.
        """
        links = self.linker.link(question, self.today)
        request = ReadRequest(
            question, self.tables, self.catalog, self.today, links, try_sql=self._mistake
        )
        right = [
            rows for gold in golds for rows in question_sets.as_right(gold, "duckdb", self.store)
        ]
        outcomes = [one for reader in self.readers for one in reader.read(request)]
        yield from self._judged(request, outcomes, right, (), ordered=ordered)
        models: tuple[str, ...] = ()
        for model in self.models:
            try:
                outcomes += model.read(request)
            except NotKeptError:
                break
            models = (*models, model.name)
            yield from self._judged(request, outcomes, right, models, ordered=ordered)
        decision = Arbiter().decide(request, outcomes, self.run)
        if models and wants_samples(models[0], outcomes, decision):
            drawn = self.models[0].read(replace(request, sampled=True))
            models = (*models, SAMPLES)
            if drawn:
                outcomes += drawn
                yield from self._judged(request, outcomes, right, models, ordered=ordered)

    def _judged(
        self,
        request: ReadRequest,
        outcomes: Sequence[Outcome],
        right: Sequence[Any],
        models: Sequence[str],
        *,
        ordered: bool,
    ) -> Iterator[Any]:
        for one in Arbiter().judge(request, outcomes, self.run):
            rows = [tuple(row) for row in one.result.rows]
            is_right = any(
                question_sets.same(gold, rows, ordered=ordered, wider=True) for gold in right
            )
            told = {"models": models, "clues": one.clues, "is_faulty": one.is_faulty}
            yield told | {"right": is_right}


def main() -> None:
    """Writes the records."""
    target, *names = arguments.told(__doc__, KEPT_ONLY, words="TARGET MODEL")
    models = [reader(name, kept_only=KEPT_ONLY in sys.argv) for name in names]
    with Path(target).open("w") as file:
        for of in sets.asked("development"):
            known = Set(of.name, models)
            told = [(one.asked, one.sql, one.ordered) for one in of.questions]
            told += [(question, (), False) for question in of.unanswerable]
            for number, (question, golds, ordered) in enumerate(told):
                found = known.records(question, golds, ordered=ordered)
                about = {"table": of.name, "question": number, "has_answer": bool(golds)}
                file.writelines(json.dumps(about | one) + "\n" for one in found)


if __name__ == "__main__":
    main()
