"""`Why do people cancel`: rows by the column that holds reasons."""

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.plans.plan import Bucket, Measure
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.vocabulary import word_set

_WHY = pattern("why")
_REASONS = word_set("names.reasons")


def read_reasons(draft: Draft) -> None:
    """Counts rows by the one column that tells reasons; without one, `why` stays unread."""
    told = _WHY.match(draft.lower)
    columns = [one for one in draft.index.columns if tells_reasons(one)]
    if told is None or len(columns) != 1:
        return
    draft.claim(draft.at(told.start("why")), draft.at(told.end()), "group")
    draft.group.append(Bucket(ref(columns[0])))
    draft.select.append(Measure("count"))


def tells_reasons(column: Column) -> bool:
    """Whether a column holds words and is called by what a reason is called."""
    stems = {term.stem for term in column.name.terms}
    return column.facts.type == "string" and not stems.isdisjoint(_REASONS)
