"""What a question's words say of a column by its name: `who` of a winner, `where` of a city."""

from collections.abc import Sequence

from modelwright.engines.language.rules.columns.index import Column
from modelwright.engines.language.rules.mentions.mentions import Question

_MOST_PARTS = 4
"""So many words of a name are paired: more would be as many weights."""


def asked_words(question: Question, spans: Sequence[tuple[int, int]]) -> list[str]:
    """The words outside conditions, and how the question begins."""
    found = question.words
    free = [
        word.stem
        for at, word in enumerate(found)
        if word.text.isalpha() and not any(low <= at < high for low, high in spans)
    ]
    begins = [" ".join(word.text for word in found[:2])]
    wh = next((at for at, word in enumerate(found) if word.text in _WH), None)
    asks = [] if wh is None else [" ".join(word.stem for word in found[wh : wh + 2])]
    return list(dict.fromkeys([*free, *begins, *(f"asks {one}" for one in asks)]))


_WH = frozenset({"who", "whom", "whose", "where", "when", "which", "what", "how"})


def pair_clues(asked: Sequence[str], column: Column) -> dict[str, float]:
    """Pairs what is asked with the words of the column's name and its type."""
    parts = [term.stem for term in column.name.terms[:_MOST_PARTS]]
    clues = {f"{word}>{part}": 1.0 for word in asked for part in parts}
    clues |= {f"{word}>{column.facts.type}": 1.0 for word in asked[-2:]}
    clues |= {f"part {part}": 1.0 for part in parts}
    if parts:
        clues[f"head {parts[-1]}"] = 1.0
    return clues
