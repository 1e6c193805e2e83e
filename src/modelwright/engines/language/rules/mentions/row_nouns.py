"""Which words of a question say what its rows are, and which of them are meant."""

import re

from modelwright.engines.language.rules.mentions.draft import Draft, entity

_LIKE = 0.8
"""A better mention sounds like its column."""
_VERB = re.compile(r"\w(?:ed|ing)\b")


def claim_rows(draft: Draft, start: int, end: int) -> None:
    """The noun right after `how many` is what the rows are, whatever it is called."""
    for at in range(start, min(end, len(draft.claimed))):
        if draft.claimed[at]:
            continue
        if draft.question.terms[at].weight == 1:
            if not entity(draft, at):
                if "condition" in draft.claimed[start:at] and _VERB.search(draft.text(at, at + 1)):
                    return
                draft.doubts += 1
                if not _entity_after(draft, at + 1, end):
                    return
            noun = at + (not entity(draft, at))
            draft.claim(noun, noun + 1, "rows")
            return


def _entity_after(draft: Draft, at: int, end: int) -> bool:
    """`Purple cases`: the rows are the second word."""
    return draft.claimed[at:end][:1] == [""] and entity(draft, at)


def describes(draft: Draft, at: int) -> bool:
    """Whether a word is like `obese` of `obese patients` with a BMI: nothing says from which on.

    Names of the number itself are none, nor are plurals: `sales` of sales people.
    """
    said, term = draft.text(at, at + 1), draft.question.terms[at]
    told = [m for m in draft.question.mentions.over(at) if m.quality > _LIKE]
    return (
        entity(draft, at + 1)
        and not said.endswith("s")
        and bool(told)
        and all(
            m.column.number
            and m.end == m.start + 1
            and term.stem not in {one.stem for one in m.column.name.terms}
            for m in told
        )
    )
