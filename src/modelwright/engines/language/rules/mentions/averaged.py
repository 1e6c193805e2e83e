"""What an average is of: the words behind it name an amount, though they mean something else too.

`Average refund` is of Refund Amount, where Refund is a kind as well; `average visits` of Visits
Last 30 Days, where visits may be rows. Of neither could any average be told.
"""

import re
from dataclasses import replace

from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import (
    EXACTLY_NAMED,
    NAMED,
    WHOLLY_NAMED,
    Mention,
    Mentions,
)
from modelwright.engines.language.rules.mentions.rows import amount
from modelwright.engines.language.vocabulary import alternatives

_AVERAGE = re.compile(rf"\b(?:{alternatives('averages.means')})\s+(?:of\s+)?(?:the\s+|all\s+)?")
_AHEAD = 0.05
"""By so much one amount must be named better than the next."""


def settle_averaged(draft: Draft) -> None:
    """Takes the word behind an average for the one amount that it names in part."""
    if draft.several:
        return
    for match in _AVERAGE.finditer(draft.lower):
        at = draft.at(match.end())
        named = _amount_named(draft, at)
        if named is None:
            continue
        sure = replace(named, named=EXACTLY_NAMED, explained=1.0)
        others = [m for m in draft.question.mentions if m is not named]
        draft.question.mentions = Mentions([*others, sure])
        draft.question.values = [
            link for link in draft.question.values if not link.start <= at < link.end
        ]


def _amount_named(draft: Draft, at: int) -> Mention | None:
    """The one amount that a word names in part, if no words name a column whole."""
    if at in draft.question.table_words:
        return None
    here = list(draft.question.mentions.starting(at, at + 1))
    if any(m.named >= WHOLLY_NAMED for m in here):
        return None
    said = draft.question.terms[at].stem if at < len(draft.claimed) else ""
    found = sorted(
        (m for m in here if amount(m.column) and m.quality >= NAMED and _says(m, said)),
        key=lambda m: -m.quality,
    )
    is_sure = len(found) == 1 or (found and found[0].quality > found[1].quality + _AHEAD)
    return found[0] if is_sure else None


def _says(mention: Mention, said: str) -> bool:
    return said in {term.stem for term in mention.column.name.terms}
