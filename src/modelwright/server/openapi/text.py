"""The words of `words.toml`, found by the name of a tag, parameter, member or body."""

import tomllib
from pathlib import Path
from typing import Any

_KNOWN: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("words.toml").read_text("utf-8")
)
TAGS: dict[str, str] = _KNOWN["tags"]
"""What each tag is about."""
BODIES: dict[str, Any] = _KNOWN["bodies"]
"""Whole requests by the name of their schema."""


def description_of(*names: str) -> str | None:
    """Returns what is said of the first known name."""
    return next((_KNOWN["members"][name][0] for name in names if name in _KNOWN["members"]), None)


def examples_for(*names: str) -> list[Any]:
    """Returns the examples of the first known name; none of an unknown one."""
    return next((_KNOWN["members"][name][1:] for name in names if name in _KNOWN["members"]), [])
