"""A question written out, and what is quoted of it in a sentence for people."""

import re
from collections.abc import Sequence

LONGEST_QUOTED = 60
"""Characters of one quotation."""
MOST_QUOTED = 8
"""Quotations in a row."""
_WITH = re.compile(r"(?<![\w/])w/(?:(?P<out>o(?:ut)?)(?!\w)|(?=\s|\w{3}))", re.IGNORECASE)
"""Not `w/c`, a week that begins."""
_QUOTED = re.compile(r"([“\"])([^”\"]*)([”\"])")
_IN_A_ROW = re.compile(r"[“\"][^”\"]*[”\"](?:, [“\"][^”\"]*[”\"])+")


def written_out(question: str) -> str:
    """Writes out `w/o` and `w/`, which are read as letters otherwise."""
    return _WITH.sub(_without_or_with, question)


def _without_or_with(match: re.Match[str]) -> str:
    is_followed = match.string[match.end() : match.end() + 1].isalnum()
    return ("without" if match["out"] else "with") + " " * is_followed


def quoting_little(sentence: str) -> str:
    """Shortens what a sentence quotes: long words, and long rows of words.

    Args:
        sentence: With quotations in double quotation marks, straight or curved.

    Returns:
        The sentence, with an ellipsis where a quotation was cut, and the number of those left out.
    """
    shorter = _QUOTED.sub(_cut, sentence)
    return _IN_A_ROW.sub(_first_of, shorter)


def _cut(match: re.Match[str]) -> str:
    begun, quoted, ended = match.groups()
    kept = quoted if len(quoted) <= LONGEST_QUOTED else quoted[: LONGEST_QUOTED - 1].rstrip() + "…"
    return f"{begun}{kept}{ended}"


def _first_of(match: re.Match[str]) -> str:
    quoted = match.group().split(", ")
    left = len(quoted) - MOST_QUOTED
    return match.group() if left <= 0 else f"{', '.join(quoted[:MOST_QUOTED])} and {left:,} more"


def listed(parts: Sequence[str]) -> str:
    """Writes several things in a row: `a, b and c`."""
    return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else "".join(parts)
