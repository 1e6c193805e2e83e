"""Who came and who went: `left` and `joined` mean the date of a termination or a hire."""

import re

from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.mentions.mention import Mention, Mentions
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.vocabulary import word_set

LEFT = re.compile(
    r"\b(?:term\b|terminat|cancel|exit|leav|left\b|resign|depart|separat|quit|end\b|last day)"
)
"""Names of dates when somebody left."""
JOINED = re.compile(r"\b(?:hir|join|start|begin|employ|enrol|onboard|recruit)")
"""Names of dates when somebody joined."""
_VERBS = (
    (re.compile(r"left|leaves?|leaving|quit|resigned|departed|exited"), LEFT),
    (re.compile(r"joined|joins?|joining|hired|started|recruited|employed"), JOINED),
)
_BEFORE_STATE = word_set("small_words.before_state")
"""What stands before `left` where it says how things are: `is left`, `the left`."""
_AMOUNT = re.compile(r"\b(?:\d[\d.,]*|much) (?:(?!who\b|that\b)\w+ ?)*$")
_REACH = 5
"""In words: how far before `left` its amount may be told."""
_LEAST_QUALITY = 0.45
"""How surely a verb must mean a column to be its name, 0 to 1."""


def read_joining(draft: Draft) -> None:
    """Names the only date of that kind by the verb, where no yes or no and no kind says it."""
    for cue, dates in _VERBS if len(draft.index.tables) == 1 else ():
        found = [c for c in draft.index.columns if c.date and dates.search(c.plain_name)]
        for at, word in enumerate(draft.question.words) if len(found) == 1 else ():
            if cue.fullmatch(word.text) and not _told(draft, at):
                kept = (m for m in draft.question.mentions if (m.start, m.end) != (at, at + 1))
                draft.question.mentions = Mentions([*kept, Mention(found[0], at, at + 1, 1.0, 1.0)])


def _told(draft: Draft, at: int) -> bool:
    """Whether the word is a value, a yes or no, ends a longer name or is what `is left`."""
    held = draft.question.is_value(at)
    named = any(
        m.quality >= _LEAST_QUALITY
        and (m.column.yes is not None or m.column.date or m.end > m.start + 1)
        for m in draft.question.mentions.over(at)
    )
    return held or named or _remains(draft, at)


def _remains(draft: Draft, at: int) -> bool:
    """Whether something is `left`: `120 hours of leave left`, `what is left`."""
    if draft.text(at, at + 1) != "left":
        return False
    amount = _AMOUNT.search(draft.text(at - _REACH, at)) and not entity(draft, at - 1)
    return bool(amount) or draft.text(at - 1, at) in _BEFORE_STATE


def joins_or_leaves(word: str, name: str) -> bool:
    """Whether a verb of coming or going may mean a date of that name: `left`, of Term Date."""
    plain = " ".join(spelled_out(name))
    return any(cue.fullmatch(word) and dates.search(plain) for cue, dates in _VERBS)
