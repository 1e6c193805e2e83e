"""What rows are judged by where no number is named: their amount, what they are worth."""

import re

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.mentions.rows import added, amount, marks
from modelwright.engines.language.rules.plans.plan import Measure
from modelwright.engines.language.rules.text.patterns import pattern, patterns
from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.vocabulary import word_set

_AMOUNTS = patterns("vague amounts")
_SCORES = pattern("vague scores")
MONEY = re.compile(
    r"\b(?P<verb>earn\w*|gross\w*|ma[dk]es?|making|generat\w+|br(?:ings?|ought)(?: in)?"
    r"|sp(?:end\w*|ent)|pa(?:ys?|id))(?: the)?$"
)
"""Verbs of money, right before what is compared or ranked."""
_WORTHS = word_set("names.worths")
_DONE = frozenset(map(stem, _WORTHS))
_SPENT = word_set("names.spent")
_PARTS_OF_AMOUNTS = frozenset({"discount", "fee", "fees", "late", "shipping", "tax", "tip", "vat"})
"""Words of amounts that are but parts of what rows are worth."""


def main_measure(draft: Draft) -> Measure | None:
    """The number by which rows are judged where none is named: money, units, else a score."""
    numbers = [one for one in draft.index.columns if amount(one) and not one.distant]
    told = [(one, one.plain_name) for one in numbers]
    for _, wanted in _AMOUNTS:
        for column, name in told:
            if wanted.search(name) and added(ref(column)) and not marks(column):
                return Measure("sum", ref(column))
    score = next((one for one, name in told if _SCORES.search(name) or _marks(one, name)), None)
    return Measure("avg", ref(score)) if score else None


def amount_of_rows(draft: Draft) -> Column | None:
    """The only amount by which rows are judged, where they have no other of its kind."""
    main = None if draft.several else main_measure(draft)
    if main is None or main.ref is None or main.aggregate != "sum":
        return None
    told = [one for one in draft.index.columns if amount(one) and not one.distant]
    kinds = [
        wanted for _, wanted in _AMOUNTS if wanted.search(draft.index.column(main.ref).plain_name)
    ]
    rivals = [one for one in told if kinds[0].search(one.plain_name) and not _is_part(one)]
    return rivals[0] if len(rivals) == 1 else None


def is_worth(draft: Draft, at: int) -> bool:
    """Whether a word calls the rows what is an amount itself: `donations`, of such a table."""
    said = draft.text(at, at + 1).removesuffix("s")
    return said in _WORTHS and (entity(draft, at) or at in draft.question.table_words)


def worth_of(draft: Draft, at: int, *, summed: bool) -> Column | None:
    """The amount that rows are called: `average donation`, `total donations`, `total invoiced`.

    `Total orders` are counted: only what is spent is added up by its plural.
    """
    said = draft.text(at, at + 1)
    is_one = not said.endswith("s") or (summed and said.removesuffix("s") in _SPENT)
    if (is_one and is_worth(draft, at)) or (summed and _is_done(draft, at)):
        return amount_of_rows(draft)
    return None


def _is_done(draft: Draft, at: int) -> bool:
    """Whether a word says what was done to rows that are amounts: `invoiced`, of invoices."""
    is_deed = draft.text(at, at + 1).endswith("ed") and at in draft.question.table_words
    return is_deed and draft.question.terms[at].stem in _DONE


def _is_part(column: Column) -> bool:
    """Whether an amount is but a part of what rows are worth: a fee, a tax."""
    return not _PARTS_OF_AMOUNTS.isdisjoint(term.text for term in column.name.terms)


def _marks(column: Column, name: str) -> bool:
    return "points" in name and marks(column)
