"""The attack suites: how much is tried of each class, and how much comes through.

`python -m benchmarks.attacks` runs the tests that attack each defence and writes the table of
docs/development/attacks.md. A try is one test, or one case of a test with several; a try comes
through where its test fails. Tests that this machine cannot run are told apart.
"""

import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from benchmarks import arguments
from benchmarks.report import table
from modelwright.core.clock import SystemClock

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "development" / "attacks.md"
BEGIN = "<!-- counted -->\n"
END = "<!-- end -->\n"


@dataclass(frozen=True)
class Suite:
    """A class of attacks, what stands against it, and the tests that try it."""

    attack: str
    defence: str
    tests: tuple[str, ...]


SUITES = (
    Suite(
        "SQL that writes, reads files, looks around, hides, or takes time and memory",
        "the guard's lists, DuckDB's settings, limits",
        (
            "tests/unit/engines/sql/test_attacks.py",
            "tests/unit/engines/sql/test_statement_validation.py::TestRefuseDisguises",
        ),
    ),
    Suite(
        "A query's process that left its SQL behind",
        "seccomp, Landlock, limits, DuckDB's settings",
        ("tests/unit/engines/sql/test_sandbox.py",),
    ),
    Suite(
        "A hostile process in place of each kind of child (some 40 tries each)",
        "capabilities, seccomp, Landlock, no network",
        ("tests/unit/jobs/test_sandbox.py",),
    ),
    Suite(
        "Another account's rows, ids, keys and addresses",
        "statements bound to one account; one answer for what is not there",
        (
            "tests/contract/test_permissions.py",
            "tests/contract/test_accounts.py",
            "tests/unit/core/test_database.py",
        ),
    ),
    Suite(
        "Artifacts of models that run code, lie about shapes, or are huge",
        "data and ONNX graphs only, no pickle, bounds",
        ("tests/unit/builds/test_artifact_api.py", "tests/unit/engines/automl/test_artifact.py"),
    ),
    Suite(
        "Files that grow, nest, or claim what they do not hold",
        "bounds of memory, cells, members and depth",
        ("tests/unit/engines/ingest/test_bombs.py",),
    ),
    Suite(
        "File names that lead elsewhere or cannot be seen",
        "allowed characters, keys that are no paths",
        ("tests/contract/test_filenames.py",),
    ),
    Suite(
        "Signed addresses that were changed, are late, or arrive twice",
        "signature, expiry, one body at a time, a slowest pace",
        ("tests/unit/storage/test_routes.py",),
    ),
    Suite(
        "Connections to the machine's own services and clouds' metadata",
        "addresses resolved once, checked, and connected to as resolved",
        ("tests/unit/connections/test_addresses.py",),
    ),
    Suite(
        "Database servers that answer oddly or ask for the password",
        "drivers in a child, no password in clear without TLS",
        ("tests/unit/connections/test_odd_servers.py",),
    ),
    Suite(
        "HTTP that is malformed, too large, too slow, or for another host",
        "bounds before the sender is known, paces, refusals in one form",
        ("tests/unit/core/test_body_limits.py", "tests/contract/test_headers.py"),
    ),
    Suite(
        "Stored bytes that flip, files that vanish",
        "SHA-256 of every object, checks of the database",
        ("tests/unit/storage/test_bit_rot.py",),
    ),
    Suite(
        "Keys, codes and secrets that are stolen, widened, lengthened, used twice or half changed",
        "none makes what could more or lives longer; exact key files; rotation that goes on",
        (
            "tests/unit/api_keys/test_narrow_keys.py",
            "tests/unit/users/test_second_factor.py",
            "tests/unit/core/test_secret_files.py",
            "tests/unit/connections/test_rotation.py",
        ),
    ),
    Suite(
        "A sign-in provider that says what is not so, and accounts that are shut out",
        "issuer and subject, checked claims, one look at the account's row",
        (
            "tests/unit/users/test_single_sign_on.py",
            "tests/unit/users/test_deactivation.py",
        ),
    ),
    Suite(
        "The owner of the database changes the audit log, or keeps it from being written",
        "a chain of digests, a signed end elsewhere, bounded waits",
        ("tests/unit/audit/test_chain.py", "tests/e2e/test_audit_chain.py"),
    ),
    Suite(
        "Buckets, bodies and operators that make everybody else wait",
        "nothing slow inside a transaction; paces on every route",
        (
            "tests/contract/test_transactions.py",
            "tests/contract/test_slow_bodies.py",
            "tests/unit/storage/test_slow_bucket.py",
            "tests/unit/jobs/test_duties.py",
        ),
    ),
    Suite(
        "Kills and power cuts",
        "syncs before acknowledgement, names changed last, jobs that may run twice",
        ("tests/e2e/test_killed.py", "tests/e2e/test_power_cut.py"),
    ),
)


def main() -> int:
    """Runs all suites, or those of which a test's path holds a word given, and keeps the counts.

    Those that are not run keep their lines in the page, each with its day.
    """
    words = arguments.told(__doc__, words="WORD") or [""]
    chosen = [one for one in SUITES if any(word in path for word in words for path in one.tests)]
    through = 0
    for suite in chosen:
        counted = count(suite)
        through += counted["through"]
        keep(suite, counted)
        print(f"{suite.attack}: {dict(counted)}", flush=True)
    return 1 if through else 0


def count(suite: Suite) -> Counter[str]:
    """Runs a suite's tests and counts them; a suite whose tests do not run is an error."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "told.xml")
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-n", "0", f"--junitxml={told}", *suite.tests],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            check=False,
        )
        cases = list(ET.parse(told).iter("testcase"))
    if not cases:
        raise SystemExit(f"no tests of {suite.attack!r} ran: {', '.join(suite.tests)}")
    found: Counter[str] = Counter()
    for case in cases:
        kinds = {part.tag for part in case}
        found["skipped"] += "skipped" in kinds
        found["tried"] += "skipped" not in kinds
        found["through"] += bool(kinds & {"failure", "error"})
    return found


def keep(suite: Suite, counted: Counter[str]) -> None:
    """Writes a suite's counts into its line of the page's table."""
    row = {
        "attack": suite.attack,
        "defence": suite.defence,
        "tried": counted["tried"],
        "through": counted["through"],
        "not run here": counted["skipped"],
        "counted on": f"{SystemClock().now():%Y-%m-%d}",
        "tests": "<br>".join(f"`{one}`" for one in suite.tests),
    }
    head, rule, line = table([row]).splitlines()
    before, rest = PAGE.read_text("utf-8").split(BEGIN)
    kept, after = rest.split(END)
    lines = {one.split(" | ")[0].removeprefix("| "): one for one in kept.split("\n")}
    lines[suite.attack] = line
    shown = [lines[one.attack] for one in SUITES if one.attack in lines]
    PAGE.write_text(
        before + BEGIN + "\n".join(("", head, rule, *shown, "", "")) + END + after, "utf-8"
    )


if __name__ == "__main__":
    sys.exit(main())
