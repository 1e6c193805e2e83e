"""The labelled intents, and how many of them are found."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from modelwright.engines.facts import ColumnFacts, Value
from modelwright.engines.language.rules.intents.intents import Target, Unclear, find_target

SETS = Path(__file__).parent / "sets"
SET_ASIDE = ("intents", "intents_more", "intents_fields", "intents_known")
NAMES = (
    *SET_ASIDE,
    "intents_practice",
    "intents_late",
    "intents_indirect",
    "intents_wide",
    "intents_last",
    "intents_blind",
    "intents_public",
    "intents_famous",
    "intents_trades",
)
SAMPLE: dict[str, Value] = {
    "string": "abc",
    "integer": 1,
    "float": 1.5,
    "boolean": True,
    "date": "2024-01-01",
}


def facts(column: dict[str, Any], rows: int) -> ColumnFacts:
    """Builds a column's facts from a labelled schema."""
    values: list[Value] = [_typed(value, column["type"]) for value in column.get("values", ())]
    if column["type"] == "boolean":
        values = [False, True]
    top = tuple((value, rows // max(1, column["distinct"])) for value in values)
    low = min(values, key=str) if values else SAMPLE[column["type"]]
    high = max(values, key=str) if values else SAMPLE[column["type"]]
    return ColumnFacts(column["name"], column["type"], rows, 0, column["distinct"], low, high, top)


def _typed(value: str, kind: str) -> Value:
    if kind == "integer":
        return int(value)
    return float(value) if kind == "float" else value


def labelled(names: Sequence[str] = NAMES) -> list[dict[str, Any]]:
    """Reads the labelled tables of some sets."""
    lines = [line for name in names for line in (SETS / f"{name}.jsonl").open(encoding="utf-8")]
    return [json.loads(line) for line in lines]


def measure(tables: list[dict[str, Any]]) -> tuple[Counter[str], list[str]]:
    """Counts what is found in some of the tables, and tells each miss."""
    seen: Counter[str] = Counter()
    misses: list[str] = []
    for table in tables:
        columns = [facts(column, table["rows"]) for column in table["columns"]]
        for intent in table["intents"]:
            answer = find_target(intent["text"], columns)
            told = (answer.column, answer.task) if isinstance(answer, Target) else (None, None)
            fits = intent["target"] is not None
            seen["fitting" if fits else "fitting no column"] += 1
            if fits:
                seen["target"] += told[0] == intent["target"]
                seen["task"] += told[1] == intent["task"] and told[0] == intent["target"]
                seen["task of found"] += told[0] == intent["target"]
                seen["wrong"] += told[0] not in {None, intent["target"]}
                if isinstance(answer, Unclear):
                    seen["unclear"] += 1
                    seen["among candidates"] += intent["target"] in answer.candidates
                    seen["first candidate"] += intent["target"] == answer.candidates[0]
            else:
                seen["refused"] += told[0] is None
            if told != (intent["target"], intent["task"]):
                misses.append(f"{table['table']} | {intent} | {answer}")
    return seen, misses
