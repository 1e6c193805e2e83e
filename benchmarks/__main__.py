"""`make bench`: every benchmark, one after the other; `make bench ONLY="ingest sql"` for some.

The learning and peer runs keep finished cases in `benchmarks/.work`, so that a broken-off run
goes on where it was.
"""

import subprocess
import sys
import time

from benchmarks import arguments

RUNS = {
    "attacks": ["benchmarks.attacks"],
    "sandbox": ["benchmarks.sandbox"],
    "ingest": ["benchmarks.ingest"],
    "pollution": ["benchmarks.pollution"],
    "files": ["benchmarks.files"],
    "cases": ["benchmarks.cases"],
    "subjects": ["benchmarks.subjects"],
    "connections": ["benchmarks.connections"],
    "profile": ["benchmarks.profile"],
    "intents": ["benchmarks.intents"],
    "questions": ["benchmarks.questions"],
    "exact-names": ["benchmarks.exact_names"],
    "sql": ["benchmarks.sql"],
    "asking": ["benchmarks.asking"],
    "question-latency": ["benchmarks.question_latency"],
    "journey": ["benchmarks.journey"],
    "scoring": ["benchmarks.scoring"],
    "batch": ["benchmarks.batch"],
    "serving": ["benchmarks.serving", "--only", "modelwright", "floor"],
    "monitoring": ["benchmarks.monitoring"],
    "portable": ["benchmarks.portable"],
    "deadlines": ["benchmarks.deadlines"],
    "all-rows": ["benchmarks.all_rows"],
    "ray-fits": ["benchmarks.ray_fits"],
    "learning": ["benchmarks.learning", "--seeds", "0", "1", "2"],
}


def main() -> int:
    chosen = arguments.told(__doc__, words="NAME") or list(RUNS)
    unknown = set(chosen) - set(RUNS)
    if unknown:
        print(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(RUNS)}")
        return 2
    failed = []
    for name in chosen:
        command = [sys.executable, "-m", *RUNS[name]]
        print(f"\n## {name}: python {' '.join(command[1:])}", flush=True)
        started = time.monotonic()
        if subprocess.run(command, check=False).returncode:
            failed.append(name)
        print(f"({time.monotonic() - started:.0f} s)", flush=True)
    if failed:
        print(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
