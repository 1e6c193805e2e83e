"""Completes the bill of materials that `cyclonedx-py` makes of the lock.

Adds each package's licence, what is shipped of the console, and what the bill is of; leaves out
what is locked for no system.
"""

import base64
import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from licences import CONSOLE_LOCK, LOCKS, ROOT, of_python

ELSEWHERE = {"async-timeout": "Apache-2.0", "colorama": "BSD-3-Clause"}
"""Licences of packages that other systems or versions of Python need, so that none is here."""
NOWHERE = "sys_platform == 'never'"
"""The marker of what a library asks for and is never installed; see pyproject.toml."""


def complete(bill: dict[str, Any]) -> dict[str, Any]:
    """Returns a bill with all that it must tell; refuses a package whose licence is not known."""
    known = ELSEWHERE | {one.package: one.expression for one in of_python(LOCKS["server"])}
    components = [one for one in bill["components"] if NOWHERE not in one["description"]]
    for one in components:
        one["licenses"] = [{"expression": known[one["name"]]}]
    components += _of_console()
    kept = {one["bom-ref"] for one in components}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    about = {
        "type": "application",
        "bom-ref": "modelwright-platform",
        "name": project["name"],
        "version": project["version"],
        "licenses": [{"expression": project["license"]}],
    }
    dependencies = [one for one in bill["dependencies"] if one["ref"] in kept]
    listed = {one["ref"] for one in dependencies}
    dependencies += [{"ref": ref} for ref in sorted(kept - listed)]
    dependencies.append({"ref": "modelwright-platform", "dependsOn": sorted(kept)})
    return bill | {
        "components": components,
        "dependencies": dependencies,
        "metadata": bill["metadata"] | {"component": about},
    }


def _of_console() -> Iterator[dict[str, Any]]:
    """Lists the packages that are built into the console, which the wheel carries."""
    lock = json.loads(CONSOLE_LOCK.read_text("utf-8"))
    for place, told in lock["packages"].items():
        if not place or told.get("dev") or told.get("optional"):
            continue
        name = place.rpartition("node_modules/")[2]
        algorithm, _, digest = told["integrity"].partition("-")
        purl = f"pkg:npm/{quote(name)}@{told['version']}"
        yield {
            "type": "library",
            "bom-ref": f"console/{place}",
            "name": name,
            "version": told["version"],
            "purl": purl,
            "hashes": [
                {
                    "alg": algorithm.upper().replace("SHA", "SHA-"),
                    "content": base64.b64decode(digest).hex(),
                }
            ],
            "licenses": [{"expression": told["license"]}],
        }


if __name__ == "__main__":
    path = Path(sys.argv[1])
    whole = complete(json.loads(path.read_text("utf-8")))
    path.write_text(json.dumps(whole, indent=2) + "\n", "utf-8")
