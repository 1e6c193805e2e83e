"""Words that shut each other out in a name: who says today does not mean tomorrow."""

from functools import lru_cache

from modelwright.engines.language.rules.columns.linking import Name
from modelwright.engines.language.rules.text.targets import targets
from modelwright.engines.language.rules.text.words import words

_SAME_SIDE = 0.05
"""What a name with the side that is said gains; little, for it only settles ties."""
_OTHER_SIDE = -0.3
"""What a name with the other side loses: enough to fall behind any rival."""
Side = frozenset[str]


def agreement(intent: str, name: Name) -> float:
    """Weighs whether a name has the same side of a pair as the intent, or the other."""
    held = {term.text for term in name.terms}
    found = 0.0
    for meant, other in _sides(intent):
        has, lacks = bool(held & meant), not held & other
        found += (_SAME_SIDE if has else 0.0) if lacks else (0.0 if has else _OTHER_SIDE)
    return found


@lru_cache(maxsize=16)
def _sides(intent: str) -> tuple[tuple[Side, Side], ...]:
    """Returns the sides that an intent takes, each with the one that it does not."""
    said = {word.text for word in words(intent)}
    pairs = [pair for one, other in targets().opposites for pair in ((one, other), (other, one))]
    return tuple((one, other) for one, other in pairs if said & one and not said & other)
