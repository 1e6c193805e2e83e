"""What a word names by its letters, before what it is only alike: `votes` of helpful_votes."""

from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import WHOLLY_NAMED, Mention, Mentions
from modelwright.engines.language.rules.mentions.rows import amount


def prefer_literal(draft: Draft) -> None:
    """Leaves out numbers that a word is only alike where one's name ends in that word."""
    if draft.several:
        return
    own = {m.start for m in draft.question.mentions if _is_amount(m) and _ends_name(draft, m)}
    if own:
        draft.question.mentions = Mentions(
            m
            for m in draft.question.mentions
            if not (m.start in own and _is_amount(m) and m.quality < WHOLLY_NAMED)
            or draft.text(m.start, m.end) in _words_of_name(m)
        )


def _is_amount(mention: Mention) -> bool:
    return mention.end == mention.start + 1 and amount(mention.column)


def _ends_name(draft: Draft, mention: Mention) -> bool:
    return draft.text(mention.start, mention.end) == mention.column.name.terms[-1].text


def _words_of_name(mention: Mention) -> set[str]:
    return {term.text for term in mention.column.name.terms}
