"""What a word names by its letters, before what it is only alike: `votes` of helpful_votes."""

from modelwright.engines.language.rules.mentions.drafting import Draft
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.placed import Mentions
from modelwright.engines.language.rules.mentions.rows import amount

_WHOLE = 0.9


def prefer_literal(draft: Draft) -> None:
    """Leaves out numbers that a word is only alike where one's name ends in that word."""
    if len(draft.index.tables) > 1:
        return
    own = {m.start for m in draft.question.mentions if _one_number(m) and _ends(draft, m)}
    if own:
        draft.question.mentions = Mentions(
            m
            for m in draft.question.mentions
            if not (m.start in own and _one_number(m) and m.quality < _WHOLE)
            or draft.text(m.start, m.end) in _said(m)
        )


def _one_number(mention: Mention) -> bool:
    return mention.end == mention.start + 1 and amount(mention.column)


def _ends(draft: Draft, mention: Mention) -> bool:
    return draft.text(mention.start, mention.end) == mention.column.name.terms[-1].text


def _said(mention: Mention) -> set[str]:
    return {term.text for term in mention.column.name.terms}
