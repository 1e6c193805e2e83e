"""Which words of a question say what its rows are."""

import re

from modelwright.engines.language.rules.mentions.draft import Draft, entity

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
