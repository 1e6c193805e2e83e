"""Verbs that tell to show something, and that columns may be called after: `return number of`."""

from collections.abc import Iterable, Iterator

from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.vocabulary import (
    aggregates,
    any_case,
    find_cues,
    phrase_pattern,
)

_VERB = any_case(r"\b(?:return|present|show|list|give|display)\b(?!')")
_LISTING = any_case(
    r"\W*(?:(?:please|can you|could you)\s+)?(?P<verb>list)\s+"
    r"(?:(?:me|us|all|every|the|any|only)\b|\w+s\b)"
)
"""`List all titles` begins with a verb, `list price by genre` does not."""
_BEFORE = any_case(
    r"(?:^|[.,;:!?]|\b(?:to|and|then|please|can|could|would|you|just|i|we|let's)"
    r"|\b(?:(?:for|in|of|by|at|on)\s+(?:each|every)|per)(?:\s+[\w-]+){1,3}?)\W*$"
)
"""What a sentence begins with, or `for each branch` that stands before it."""
_BETWEEN = any_case(r"\s+(?:(?:me|us|an?|the|their|its|only|all)\s+)*")
_NOT_BEHIND = any_case(r"\s*(?:$|[?.!,;]|(?:by|per|for|in|on|at|is|are|was|were|each|every)\b)")
"""What stands behind a figure that the verb itself is a part of: `return count by month`."""
_FIGURES = phrase_pattern(sorted({word for one in aggregates() for word in one.words}))


def commands(question: str) -> Iterator[tuple[int, int]]:
    """Yields where the verbs stand that tell to show a figure, or to list, in characters."""
    begun = _LISTING.match(question)
    if begun is not None:
        yield begun.span("verb")
    counts = {one.start: one.end for one in find_cues("count", question)}
    for verb in _VERB.finditer(question):
        between = _BETWEEN.match(question, verb.end())
        if begun is not None and verb.span() == begun.span("verb"):
            continue
        if between is None or not _BEFORE.search(question[: verb.start()]):
            continue
        figure = _FIGURES.match(question, between.end())
        end = counts.get(between.end()) or (figure.end() if figure else None)
        if end is not None and not _NOT_BEHIND.match(question, end):
            yield verb.span()


def without_commands(question: str, names: Iterable[str]) -> str:
    """Leaves the verbs of commands out of a question that columns or values are called after.

    Args:
        question: As it was asked.
        names: The names of columns, and the values that its words were linked to.

    Returns:
        It without `return` in `return number of loans` where a column is named `returned`.
    """
    told = sorted(commands(question), reverse=True)
    if not told:
        return question
    parts = {stem(part.casefold()) for name in names for part in spelled_out(name)}
    for start, end in told:
        if stem(question[start:end].casefold()) in parts:
            question = f"{question[:start]}{question[end:].lstrip()}"
    return question
