"""The product as the benchmark asks it: the one file to change when its entry changes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from benchmarks.asking.sets import Data
from modelwright.engines.facts import ColumnFacts, column_facts
from modelwright.engines.language.rules.answering.questions import NotUnderstood, Reader
from modelwright.engines.language.rules.columns.schema import TableFacts
from modelwright.engines.language.rules.intents.intents import Target, find_target

RULES = "rules"


@dataclass(frozen=True)
class Told:
    """What the product said to a question."""

    kind: Literal["answer", "choices", "refused"]
    sql: tuple[str, ...] = ()
    """Of the answer, or of each choice."""
    confidence: float = 0.0
    why: str = ""


@dataclass(frozen=True)
class Planned:
    """What the product makes of an intent: a target with its task, or why not."""

    target: str | None
    task: str | None
    why: str = ""


class Product:
    """The product with one set of tables and some readers."""

    def __init__(self, data: Data, readers: Sequence[str], confidence: float) -> None:
        if tuple(readers) != (RULES,):
            raise SystemExit(f"no reader of that name: {', '.join(readers)}; there is {RULES}")
        del confidence  # the rules answer whatever they can read
        self._today = data.today
        self._facts = {name: column_facts([path]) for name, path in data.tables.items()}
        tables = [TableFacts(name, tuple(facts)) for name, facts in self._facts.items()]
        self._reader = Reader(tables, dict(self._values(data)))

    def _values(self, data: Data) -> Iterator[tuple[tuple[str, str], list[str]]]:
        """Every value of the text columns whose most frequent ones are not all."""
        with data.store() as store:
            for table, facts in self._facts.items():
                for column in facts:
                    if column.type == "string" and len(column.top) < column.distinct:
                        named = f'"{column.name}"'.replace("'", "''")
                        found = store.execute(
                            f'select distinct {named} from "{table}" where {named} is not null'
                        ).fetchall()
                        yield (table, column.name), sorted(row[0] for row in found)

    def ask(self, question: str, follows: str | None = None) -> Told:
        """Asks a question; `follows` is the one before it."""
        del follows
        answer = self._reader.read(question, self._today)
        if isinstance(answer, NotUnderstood):
            return Told("refused", why=answer.sentence)
        return Told("answer", (answer.sql,), answer.confidence, answer.interpretation)

    def plan(self, intent: str) -> Planned:
        """Says which column and task an intent means."""
        columns: list[ColumnFacts] = [one for facts in self._facts.values() for one in facts]
        found = find_target(intent, columns)
        if isinstance(found, Target):
            return Planned(found.column, found.task)
        return Planned(None, None, found.sentence)

    def close(self) -> None:
        """Ends what was started."""
