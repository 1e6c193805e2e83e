"""Whether plans tell subjects of repeated rows from kinds and quantities, by the data alone.

`python -m benchmarks.subjects [SEEDS]` plans that many tables of each kind and prints a table.
"""

import tempfile
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet
from tests.unit.engines.automl.repeated_tables import OTHERS, SUBJECTS, Kind, made

from benchmarks import arguments
from modelwright.engines.automl.planning.build_plan import make_plan

SEEDS = 40
LEAST_RIGHT = 0.95
"""Share of the tables of each side that are told rightly."""


def told(kind: Kind, seed: int, folder: Path) -> bool:
    """Returns whether the plan of a table warns of the column in question."""
    name, columns = made(kind, seed)
    path = folder / "rows.parquet"
    parquet.write_table(pa.table(columns), path)
    warnings = make_plan([path], "", seconds=10, target="y").warnings
    return any(one.startswith(f"Rows with the same {name} are alike") for one in warnings)


def run(seeds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for said, kinds in ((True, SUBJECTS), (False, OTHERS)):
            print(f"| {'subjects' if said else 'no subjects'} | right | wrong |\n|---|---|---|")
            total = 0
            for kind in kinds:
                right = sum(told(kind, seed, Path(folder)) == said for seed in range(seeds))
                total += right
                print(f"| {kind.__name__.replace('_', ' ')} | {right} | {seeds - right} |")
            print(f"| all | {total} | {seeds * len(kinds) - total} |\n")
            assert total >= LEAST_RIGHT * seeds * len(kinds)


def main() -> None:
    [seeds] = map(int, arguments.told(__doc__, words="SEEDS") or [str(SEEDS)])
    run(seeds)


if __name__ == "__main__":
    main()
