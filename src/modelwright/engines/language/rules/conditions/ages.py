"""Ages told by their decade: patients in their thirties."""

import re

from modelwright.engines.language.rules.columns.index import ref
from modelwright.engines.language.rules.mentions.draft import Draft, add_test
from modelwright.engines.language.rules.mentions.units import about_age
from modelwright.engines.language.rules.plans.plan import Condition

_DECADE = re.compile(r"\bin (?:their|his|her|our) (?P<n>[1-9]0)'?s\b")
_LAST_OF_DECADE = 9
"""Thirties end at 39."""


def read_ages(draft: Draft) -> None:
    """Adds a test where one column alone tells ages."""
    match = _DECADE.search(draft.lower) if not draft.several else None
    ages = [one for one in draft.index.columns if one.number and about_age(one)]
    if match is None or len(ages) != 1:
        return
    first = int(match["n"])
    made = Condition(ref(ages[0]), "between", first, first + _LAST_OF_DECADE)
    draft.claim_text(match, "condition")
    add_test(draft, ages[0], made, draft.at(match.start()), draft.at(match.end()))
