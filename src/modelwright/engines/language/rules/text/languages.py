"""Whether a text is English, told by its small words: `die` and `was` are not always English."""

import re
from functools import lru_cache

from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.words import fold, words
from modelwright.engines.language.vocabulary import word_values

_PREDICTING = re.compile(
    r"\b(?:vor(?:her|aus)sag\w*|prognos(?:e|en|ti\w+)|schatz\w*|predecir|predic(?:e|cion)"
    r"|pronostic\w*|estimar|prevedere|prevedi|prevision[ei]|predire|stimare|stima|prevoir"
    r"|prediction (?:de|du|des)|voorspel\w*)\b"
)
_SMALL_WORDS = 2
"""How many small words of another language it takes, which a word of predicting weighs too."""


@lru_cache(maxsize=1)
def _small() -> tuple[frozenset[str], frozenset[str]]:
    """Returns small words of other languages, and English ones that tell nothing."""
    raw = word_values("targets.other languages")
    return frozenset(raw["small"].split()), lexicon().stop - frozenset(raw["shared"].split())


def is_english(text: str) -> bool:
    """Returns whether a text is in English: not where more small words are of another language."""
    said, (small, english) = [word.text for word in words(text)], _small()
    others = sum(word in small for word in said) + _SMALL_WORDS * bool(
        _PREDICTING.search(fold(text))
    )
    own = sum(word in english for word in said)
    return others < _SMALL_WORDS or others <= _SMALL_WORDS * own
