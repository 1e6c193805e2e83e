"""Plain intents and questions that call columns by their names: `python -m benchmarks.exact_names`.

Over the tables of the labelled intents, in which numbers lie from 10 to 100: whoever writes a
name means that column, so every miss is a fault. So it is where an intent that is understood is
not any more with other columns named around it as inputs or context. `--misses` prints them.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import product

from tests.questions.intents import facts, labelled

from benchmarks import arguments
from benchmarks.report import table
from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.answering.questions import Answerable, TableFacts, read
from modelwright.engines.language.rules.intents.intents import Target, find_target
from modelwright.engines.language.rules.text.targets import identifies
from modelwright.engines.language.rules.text.words import name_parts

EVERY = 6
"""One table in so many is asked questions; all are given intents."""
NUMBERS = 4
"""Numeric columns of a table that are asked for."""
GROUPS = 3
"""Columns of categories that are grouped by."""
VALUES = (3, 50, 150)
"""Numbers that rows are compared with."""
INTENTS = (
    "Predict {}", "predict the {}.", "{}", 'Forecast "{}"', "Estimate {} from the others",
    "I want to predict {} for new rows", "target: {}", "What will the {} be?",
)  # fmt: skip
AROUND = (
    "{i}. We have the {a} and the {b}.", "We know the {a} and the {b}. {i}",
    "The table has {a} and {b} of each. {i}?", "{i}\n\nInputs: {a}, {b}",
    "I have a table that also holds {a}.\n{i}\nThank you!", "{i}, using {a} and {b}",
    "Hello, {i}", "Task: {i}", "{i} from {a} and {b}", "{i}, given the {a}",
    "{i}; do not use the {a}", "{i} (ignore {a})",
)  # fmt: skip
QUESTIONS = {
    "average {n}": ('AVG("{n}")',),
    "maximum {n}": ('MAX("{n}")',),
    "total {n} per {c}": ('SUM("{n}")', 'GROUP BY "{c}"'),
    "average {n} by {c}": ('AVG("{n}")', 'GROUP BY "{c}"'),
    "How many rows are there for each {c}?": ("COUNT(*)", 'GROUP BY "{c}"'),
    "{c} with the highest {n}": ('ORDER BY "{n}" DESC',),
    "how many distinct {c} are there?": ('COUNT(DISTINCT "{c}")',),
    "How many rows have {n} above {v}?": ("COUNT(", '"{n}" > {v}'),
    "average {m} where {n} is below {v}": ('AVG("{m}")', '"{n}" < {v}'),
    "how many with {n} = {v}": ('"{n}" = {v}',),
}


def main() -> None:
    arguments.told(__doc__, "--misses")
    tables = [
        (one["table"], [_ranged(facts(column, one["rows"])) for column in one["columns"]])
        for one in labelled()
    ]
    told = [_intents(form, tables) for form in INTENTS]
    told += [_around(form) for form in AROUND]
    told += [_questions(form, wanted, tables[::EVERY]) for form, wanted in QUESTIONS.items()]
    print(table(told))


def _ranged(column: ColumnFacts) -> ColumnFacts:
    return replace(column, minimum=10, maximum=100) if _many(column) else column


def _many(column: ColumnFacts) -> bool:
    return column.type in {"integer", "float"} and column.distinct > 2


Tables = Sequence[tuple[str, list[ColumnFacts]]]


def _intents(form: str, tables: Tables) -> dict[str, object]:
    misses = []
    asked = [(c.name, of) for _, of in tables for c in of if not identifies(c)]
    for name, columns in asked:
        found = find_target(form.format(name), columns)
        if not isinstance(found, Target) or found.column != name:
            misses.append(f"{form.format(name)} -> {found}")
    return _told(form, len(asked), misses)


def _around(form: str) -> dict[str, object]:
    misses, count = [], 0
    for one in labelled()[::EVERY]:
        columns = [facts(column, one["rows"]) for column in one["columns"]]
        for intent in one["intents"]:
            found = find_target(intent["text"], columns)
            others = [c for c in columns if c.name != intent["target"] and not identifies(c)]
            if not isinstance(found, Target) or found.column != intent["target"] or not others:
                continue
            a, b = (" ".join(name_parts(c.name)) for c in (others[len(others) // 2], others[0]))
            text = form.format(i=intent["text"].rstrip(" .?!"), a=a, b=b)
            again = find_target(text, columns)
            count += 1
            if not isinstance(again, Target) or again.column != found.column:
                misses.append(f"{text} -> {again}")
    return _told(form, count, misses)


def _questions(form: str, wanted: Sequence[str], tables: Tables) -> dict[str, object]:
    misses, count = [], 0
    for name, columns in tables:
        numbers = [c.name for c in columns if _many(c) and not identifies(c)]
        groups = [c.name for c in columns if c.type == "string" and not identifies(c)]
        own = numbers[:NUMBERS]
        for n, c, v in product(
            own if "{n}" in form else [""],
            groups[:GROUPS] if "{c}" in form else [""],
            VALUES if "{v}" in form else [0],
        ):
            m = own[own.index(n) - 1] if n else ""
            if m == n and "{m}" in form:
                continue
            said = {"n": n, "c": c, "v": v, "m": m}
            found = read(form.format(**said), [TableFacts(name, tuple(columns))], date(2026, 11, 2))
            sql = found.sql if isinstance(found, Answerable) else found.sentence
            count += 1
            if not all(part.format(**said) in sql for part in wanted):
                misses.append(f"{form.format(**said)} -> {sql}")
    return _told(form, count, misses)


def _told(form: str, asked: int, misses: list[str]) -> dict[str, object]:
    if "--misses" in sys.argv:
        print("\n".join(misses))
    return {"form": form.replace("\n", " / "), "asked": asked, "not right": len(misses)}


if __name__ == "__main__":
    main()
