"""Writes the page of all dependencies' licences, which a test holds against a list of allowed ones.

Installed packages say the Python ones, the console's lock the others.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reference" / "licences.md"
LOCKS = {"server": "requirements.lock", "development": "requirements-dev.lock"}
CONSOLE_LOCK = ROOT / "console" / "package-lock.json"
PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==[^ \\]+( ;[^\\]+)?", re.MULTILINE)
ALLOWED = {
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "PSF-2.0",
    "Python-2.0",
    "Unlicense",
    "Zlib",
}
"""Licences that ask for no more than their notice."""
WEAK_COPYLEFT = {"MPL-2.0", "LGPL-3.0-only"}
"""Licences that ask for changes of the package itself, which nobody here makes."""
SPELT = {
    "3-clause bsd license": "BSD-3-Clause",
    "apache": "Apache-2.0",
    "apache 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd 2-clause license": "BSD-2-Clause",
    "bsd license": "BSD-3-Clause",
    "isc license": "ISC",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "psfl": "PSF-2.0",
    "python software foundation license": "PSF-2.0",
}
"""How packages that don't use SPDX's names spell licences."""
INTRODUCTION = """
Written by `make licences` from the installed packages and the console's lock. A test refuses a
package whose licence is not on the list that stands in `tools/licences.py`.
"""
OPERATOR = re.compile(r"\s+(?:AND|OR|WITH)\s+|[()]")


@dataclass(frozen=True, slots=True, order=True)
class Licence:
    """A package and its licence, as an SPDX expression."""

    package: str
    version: str
    expression: str

    def names(self) -> set[str]:
        """Returns the licences that the expression names."""
        return {name.strip() for name in OPERATOR.split(self.expression) if name.strip()}

    def is_allowed(self) -> bool:
        """Says whether all that it names are allowed, or one where one may be chosen."""
        allowed = ALLOWED | WEAK_COPYLEFT
        if " OR " in self.expression and " AND " not in self.expression:
            return bool(self.names() & allowed)
        return bool(self.names()) and self.names() <= allowed


def of_python(lock: str) -> Iterator[Licence]:
    """Tells the licences of a lock's packages that belong on this system."""
    for name, marker in PINNED.findall((ROOT / lock).read_text("utf-8")):
        requirement = Requirement(name + marker)
        if requirement.marker is not None and not requirement.marker.evaluate():
            continue
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue
        yield Licence(name, found.version, _expression(found.metadata))


def of_console() -> Iterator[Licence]:
    """Tells the licences of the console's packages, its tools included."""
    lock = json.loads(CONSOLE_LOCK.read_text("utf-8"))
    for place, told in lock["packages"].items():
        if place:
            name = place.rpartition("node_modules/")[2]
            yield Licence(name, told.get("version", ""), str(told.get("license", "")))


def _expression(metadata) -> str:  # type: ignore[no-untyped-def]  # noqa: ANN001 - a protocol without a name
    if expression := metadata.get("License-Expression"):
        return str(expression)
    told = str(metadata.get("License") or "").strip()
    classes = [
        one.rpartition(" :: ")[2]
        for one in metadata.get_all("Classifier") or []
        if one.startswith("License ::")
    ]
    for words in (told, *classes):
        if words in ALLOWED | WEAK_COPYLEFT:
            return words
        if spelt := SPELT.get(words.lower()):
            return spelt
    return told.partition("\n")[0]


def page() -> str:
    """Writes the page."""
    parts = [
        "# Licences of the dependencies\n",
        INTRODUCTION,
    ]
    seen: set[Licence] = set()
    groups = [(name.capitalize(), set(of_python(lock))) for name, lock in LOCKS.items()]
    for title, found in [*groups, ("Console and its tools", set(of_console()))]:
        parts += [f"\n## {title}\n", "\n| package | version | licence |\n|---|---|---|\n"]
        rows = sorted(found - seen)
        parts += [f"| `{one.package}` | {one.version} | {one.expression} |\n" for one in rows]
        seen |= found
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
