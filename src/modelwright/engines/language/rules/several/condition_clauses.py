"""Where a question over several tables stops to say what it shows and begins to say of which."""

import re

from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import PARTLY_NAMED
from modelwright.engines.language.rules.text.patterns import pattern

_TAIL = pattern("heads tail")
_RESUMES = pattern("heads resumes")
_FRONTED = re.compile(r"(?:for|among|of|in|from)\b[^,?]*,(?= (?:which|what|who|how)\b)")


def after_tail(draft: Draft, place: int) -> bool:
    """Whether a place in the text is among the conditions."""
    tail = first_tail(draft)
    return tail is not None and tail[0] <= place < tail[1]


def first_tail(draft: Draft) -> tuple[int, int] | None:
    """Where the conditions begin after what is shown, and where showing is taken up again."""
    words = draft.question.words
    if not words:
        return None
    for match in _TAIL.finditer(draft.lower, words[0].end):
        begun = draft.at(match.start())
        said = any(m.quality > PARTLY_NAMED and m.end <= begun for m in draft.question.mentions)
        rows = any(at < begun for found in draft.question.tables.values() for at in found)
        if said or rows:
            again = _RESUMES.search(draft.lower, match.end()) or _FRONTED.match(draft.lower)
            if again and again.re is _FRONTED:
                return match.start(), again.end()
            return match.start(), again.start() if again else len(draft.lower)
    return None
