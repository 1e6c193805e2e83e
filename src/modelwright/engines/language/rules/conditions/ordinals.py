"""A level said by its place: first class, third floor, 2nd grade."""

import re

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.denying import negated
from modelwright.engines.language.rules.mentions.drafting import Draft, add_test
from modelwright.engines.language.rules.plans.plan import Condition, Op
from modelwright.engines.language.rules.ranks.nth import PLACES

_DIGITS = re.compile(r"(\d)(?:st|nd|rd|th)")
_LEVELS, _NAMED = 12, 0.45


def read_levels(draft: Draft) -> None:
    """`First class passengers` are those whose class is 1, of a column of few whole numbers."""
    if len(draft.index.tables) > 1:
        return
    for at, word in enumerate(draft.question.words[:-1]):
        digits = _DIGITS.fullmatch(word.text)
        place = int(digits[1]) if digits else 0
        place = PLACES.index(word.text) + 1 if word.text in PLACES else place
        named = draft.pick(at + 1, at + 2, _levels, _NAMED) if place else None
        if named is None or draft.claimed[at]:
            continue
        op: Op = "!=" if negated(draft, at) else "="
        add_test(draft, named.column, Condition(ref(named.column), op, place), at, at + 2)


def _levels(column: Column) -> bool:
    facts = column.facts
    few = facts.type == "integer" and 2 < facts.distinct <= _LEVELS  # noqa: PLR2004 - two are yes and no
    return few and facts.minimum in {0, 1}
