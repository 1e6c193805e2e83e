"""Markdown tables out of rows."""

from collections.abc import Sequence
from typing import Any


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Lays rows out under their common heads."""
    heads = list(dict.fromkeys(head for row in rows for head in row))
    lines = [heads, ["---"] * len(heads)]
    lines += [[str(row.get(head, "")) for head in heads] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
