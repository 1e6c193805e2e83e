"""A number of every row: the ratio of cost to price for each item, where each row is one."""

import re

from modelwright.engines.language.rules.columns.index import ref
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.plans.plan import Bucket

_EACH = re.compile(r"\b(?:per|(?:for |of )?(?:each|every)) (?P<row>[a-z]+)\b")
_OF_TWO = frozenset({"ratio", "difference", "margin", "mean_difference", "product"})


def read_each_row(draft: Draft) -> None:
    """Groups by what names the rows where one number over or less another is told of each."""
    match = _EACH.search(draft.lower)
    told = [one for one in draft.select if one.aggregate in _OF_TWO and not one.against]
    if match is None or not told or draft.group or draft.several:
        return
    if draft.claimed[draft.at(match.start("row"))] == "measure":  # `per machine hour`
        return
    at, name = draft.at(match.start("row")), draft.index.naming(draft.index.tables[0].name)
    facts = name.facts
    if entity(draft, at) and facts.type == "string" and facts.distinct == facts.rows:
        draft.claim_text(match, "group")
        draft.group.append(Bucket(ref(name)))
    elif entity(draft, at):
        draft.unread.append(match.group())
