"""Files of many kinds with the tables that they stand for: read rightly, refused, noticed, wrong.

`python -m benchmarks.files [-v]` reads those of `tests/unit/engines/ingest/corpus` and prints a
table of kinds with counts, and what is not right of each. It ends with 1 where a case is not as it
has to be.

Given a file of real tables, such as `../shared/benchmarks/nl2sql/wikisql/tables.jsonl.gz`, it
counts instead how often their names are doubted, and how often their first rows are, once the names
are taken away.
"""

import gzip
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.unit.engines.ingest.corpus_cases import (
    RIGHT,
    VERDICTS,
    cases,
    judge,
    meets,
    read,
)

from benchmarks import arguments
from modelwright.engines.ingest.header import has_header
from modelwright.engines.ingest.name_evidence import said_of_weak_names

LEAST_ROWS = 3
"""Tables of fewer rows tell nothing."""
SAMPLE_ROWS = 200
"""Rows by which names are told, as for a file."""


def main() -> int:
    """Reads all files and prints the table."""
    tables = arguments.told(__doc__, "-v", words="TABLES")
    if tables:
        return _doubts(Path(tables[0]))
    verbose = "-v" in sys.argv
    counts: dict[str, Counter[str]] = {}
    wrong = 0
    for case in cases():
        with tempfile.TemporaryDirectory() as folder:
            outcome = read(case, Path(folder))
        verdict = judge(case, outcome)
        counts.setdefault(case.kind, Counter())[verdict] += 1
        met = meets(case, outcome)
        wrong += not met
        if not met or (verbose and verdict != RIGHT):
            told = outcome.refusal or "; ".join(outcome.notices)
            print(f"{'' if met else 'NOT '}as it has to be: {case.kind}, {case.name}: {verdict}")
            print(f"    {told}", *outcome.lines[:5], sep="\n    ")
    counts["all"] = sum(counts.values(), Counter())
    print(f"| kind | {' | '.join(VERDICTS)} |\n|---|{'---|' * len(VERDICTS)}")
    for kind, found in counts.items():
        print(f"| {kind.replace('_', ' ')} | {' | '.join(str(found[one]) for one in VERDICTS)} |")
    return 1 if wrong else 0


def _doubts(path: Path) -> int:
    """Prints how often names are doubted that are names, and rows that are read as names."""
    counts = Counter[str]()
    for rows in _tables(path):
        counts["tables"] += 1
        named = has_header(rows)
        counts["names that are read as a row"] += not named
        counts["names that are doubted"] += named and bool(said_of_weak_names(rows))
        below = rows[1:]
        unnamed = has_header(below)
        counts["names taken away: read as rows"] += not unnamed
        doubted = unnamed and bool(said_of_weak_names(below))
        counts["names taken away: a row is read as names, and doubted"] += doubted
        counts["names taken away: a row is read as names"] += unnamed and not doubted
    for what, number in counts.items():
        print(f"{what}: {number:,}")
    return 0


def _tables(path: Path) -> Iterator[list[list[str]]]:
    """Yields the first rows of tables of several rows, their names first."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            table = json.loads(line)
            if len(table["rows"]) > LEAST_ROWS:
                rows = [table["header"], *table["rows"][:SAMPLE_ROWS]]
                yield [["" if cell is None else str(cell) for cell in row] for row in rows]


if __name__ == "__main__":
    sys.exit(main())
