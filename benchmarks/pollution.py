"""What becomes of polluted files: read rightly, refused, with a notice, silently wrong.

`python -m benchmarks.pollution [SEEDS]` reads that many files of each kind and prints a table.
"""

import tempfile
from collections import Counter
from pathlib import Path

from tests.unit.engines.ingest.pollution import POLLUTIONS, judge, polluted

from benchmarks import arguments

SEEDS = 100
VERDICTS = ("right", "refused", "wrong line", "noticed", "silently wrong")
MOST_SILENT_SHARE = 0.01
"""Of files that are read wrongly without a word, and of those told with a line that is not it."""


def run(seeds: int) -> None:
    total: Counter[str] = Counter()
    print(f"| pollution | {' | '.join(VERDICTS)} |\n|---|{'---|' * len(VERDICTS)}")
    with tempfile.TemporaryDirectory() as folder:
        for kind in POLLUTIONS:
            found: Counter[str] = Counter()
            for seed in range(seeds):
                found[judge(polluted(kind, seed), Path(folder))] += 1
            total += found
            print(_line(kind.__name__.replace("_", " "), found))
    print(_line("all", total))
    share = total["silently wrong"] / total.total()
    print(f"\nsilently wrong: {share:.2%} of {total.total():,} files")
    assert share <= MOST_SILENT_SHARE
    assert total["wrong line"] <= MOST_SILENT_SHARE * total.total()


def _line(name: str, found: Counter[str]) -> str:
    return f"| {name} | {' | '.join(str(found[one]) for one in VERDICTS)} |"


def main() -> None:
    [seeds] = map(int, arguments.told(__doc__, words="SEEDS") or [str(SEEDS)])
    run(seeds)


if __name__ == "__main__":
    main()
