"""Files of many kinds with the tables that they stand for: read rightly, refused, noticed, wrong.

`python -m benchmarks.files [-v]` reads those of `tests/unit/engines/ingest/corpus` and prints a
table of kinds with counts, and what is not right of each. It ends with 1 where a case is not as it
has to be.
"""

import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.unit.engines.ingest.corpus import RIGHT, VERDICTS, cases, judge, meets, read

from benchmarks import arguments


def main() -> int:
    """Reads all files and prints the table."""
    arguments.told(__doc__, "-v")
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


if __name__ == "__main__":
    sys.exit(main())
