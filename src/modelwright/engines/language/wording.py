"""What is quoted of a question in a sentence for people, however long the question is."""

import re

LONGEST_QUOTED = 60
"""Characters of one quotation."""
MOST_QUOTED = 8
"""Quotations in a row."""
_QUOTED = re.compile(r"([“\"])([^”\"]*)([”\"])")
_IN_A_ROW = re.compile(r"[“\"][^”\"]*[”\"](?:, [“\"][^”\"]*[”\"])+")


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
