"""Words of others made safe to print: what would command a terminal is spelt out."""

import re

_COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    r"""Spells control characters, and those that turn the direction of writing, as JSON does.

    Line ends and tabs stay.

    >>> printable("\x1b[2Jgone")
    '\\u001b[2Jgone'

    Args:
        text: Any text.

    Returns:
        The text without characters that command a terminal.
    """
    return _COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
