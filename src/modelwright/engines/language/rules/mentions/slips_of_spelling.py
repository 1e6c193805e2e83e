"""Slips of the pen in the words that compute: avrage, totl, highst."""

import re
from collections.abc import Mapping, Sequence

from modelwright.engines.language.rules.columns.index import Index
from modelwright.engines.language.rules.columns.values import quoted_spans
from modelwright.engines.language.rules.mentions.mentions import Question
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.vocabulary import word_values

_MEANT: Mapping[str, Sequence[str]] = word_values("word_forms.computing_by_letter")
_LIKELY = re.compile(r"\b[amthlnp][a-z]{3,10}\b", re.IGNORECASE | re.ASCII)


def mend_slips(question: Question, index: Index) -> str:
    """Spells the words that compute as they are meant, where the tables hold none so written."""
    text = question.text
    for match in reversed([*_LIKELY.finditer(text)]):
        said = match.group().lower()
        if _called(text, match):
            continue
        for meant in _MEANT[said[0]]:
            if _slip(said, meant) and _means_nothing(said, index):
                text = text[: match.start()] + meant + text[match.end() :]
    return text


def _means_nothing(said: str, index: Index) -> bool:
    known, root = lexicon(), stem(said)
    held = root in index.by_stem or root in index.values or root in index.told
    return not (held or said in known.stop or root in known.asking or root in known.entities)


def _called(text: str, match: re.Match[str]) -> bool:
    """Whether it is in quotes, or a name: within a question a capital begins one, `in Medina`."""
    named = match.group().istitle() and text[: match.start()].strip()
    return bool(named) or any(low <= match.start() < high for low, high in quoted_spans(text))


def _slip(said: str, meant: str) -> bool:
    """Whether one letter is missing, too many, another or swapped, the first excepted."""
    if said == meant or abs(len(said) - len(meant)) > 1 or said.startswith(meant):
        return False
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - heavy, kept out of start-up

    return bool(OSA.distance(said, meant, score_cutoff=1) == 1)
