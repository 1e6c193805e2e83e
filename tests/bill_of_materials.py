"""What a bill of materials must tell, read from the locks and not from what made the bill."""

import base64
import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
NOWHERE = "sys_platform == 'never'"
"""Marks what a library asks for and is never installed."""
PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[^\]]*\])?==(?P<version>[^ \\]+)(?P<rest>.*)$")
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")

Package = tuple[str, str, frozenset[str]]
"""Name, version and the hashes of its files."""


def locked() -> set[Package]:
    """The packages of Python that the server is installed with."""
    found: list[tuple[str, str, set[str]]] = []
    is_wanted = False
    for line in (ROOT / "requirements.lock").read_text("utf-8").splitlines():
        if pinned := PINNED.match(line):
            is_wanted = NOWHERE not in pinned["rest"]
            if is_wanted:
                found.append((pinned["name"], pinned["version"], set()))
        elif is_wanted and (digest := HASH.search(line)):
            found[-1][2].add(digest[1])
    return {(name, version, frozenset(digests)) for name, version, digests in found}


def locked_for_the_console() -> set[Package]:
    """The packages that are built into the console."""
    lock = json.loads((ROOT / "console" / "package-lock.json").read_text("utf-8"))
    return {
        (
            place.rpartition("node_modules/")[2],
            told["version"],
            frozenset({base64.b64decode(told["integrity"].partition("-")[2]).hex()}),
        )
        for place, told in lock["packages"].items()
        if place and not told.get("dev") and not told.get("optional")
    }


def listed(bill: dict[str, Any]) -> set[Package]:
    """The packages of a bill."""
    return {
        (
            one["name"],
            one["version"],
            frozenset(
                digest["content"]
                for holder in (one, *one.get("externalReferences", ()))
                for digest in holder.get("hashes", ())
            ),
        )
        for one in bill["components"]
    }


def check(text: str) -> None:
    """Fails where a bill is no CycloneDX, or is not complete."""
    from cyclonedx.schema import SchemaVersion  # a second to load, and only here
    from cyclonedx.validation.json import JsonStrictValidator

    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    check_complete(json.loads(text))


def check_complete(bill: dict[str, Any]) -> None:
    """Fails where a bill lacks a package, its version, hashes or licence."""
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    expected = locked() | locked_for_the_console()
    assert len(expected) > 100
    assert all(digests for _, _, digests in expected)
    assert listed(bill) == expected
    unlicensed = [
        one["name"]
        for one in bill["components"]
        if not any(licence.get("expression", "").strip() for licence in one.get("licenses", ()))
    ]
    assert unlicensed == []
    whole = bill["metadata"]["component"]
    assert whole["name"] == "modelwright-platform"
    refs = {one["bom-ref"] for one in bill["components"]}
    (own,) = (one for one in bill["dependencies"] if one["ref"] == whole["bom-ref"])
    assert set(own["dependsOn"]) == refs
