"""Names the first of many things in a sentence, so that every sentence counts the others alike."""

from collections.abc import Sequence


def first_of(things: Sequence[str], most: int) -> str:
    """Names the first of some things, and counts the others: `a, b, c and 2 more`.

    Args:
        things: What is named, as the sentence shows it.
        most: How many are named at most.

    Returns:
        Part of a sentence; empty where there is nothing.
    """
    more = len(things) - most
    return ", ".join(things[:most]) + (f" and {more:,} more" if more > 0 else "")
