"""What is computed of a column: its sum, average, extremes and range.

The word that asks for an aggregate and the column it is of stand apart in many ways, and the same
word may be a part of the column's name: `total points`, `median income`. Both are settled here, so
that no number is aggregated twice, nor another one than was asked for.
"""

import re
from typing import cast

from modelwright.engines.language.rules.columns.index import ref
from modelwright.engines.language.rules.measures.products import worth_at
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.mentions.mention import (
    EXACTLY_NAMED,
    NEARLY_NAMED,
    PARTLY_NAMED,
    WHOLLY_NAMED,
    Mention,
    Mentions,
)
from modelwright.engines.language.rules.mentions.rows import amount, amount_at
from modelwright.engines.language.rules.mentions.worth import main_measure, worth_of
from modelwright.engines.language.rules.plans.plan import Aggregate, Measure
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.patterns import pattern, patterns
from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.vocabulary import word_set

KINDS = patterns("measuring kinds")
_RANGE = pattern("measuring range")
_JOINS = word_set("small_words.set_beside")
_BOTH = re.compile(r"\b(?:and|,) (?:the )?total\b|\btotal and\b")
_LEADING_ON = word_set("small_words.prepositions", "small_words.grouping")
_MEANS = word_set("averages.means", "averages.median")
_DATED = word_set("superlatives.of_dates")
_AGED = word_set("superlatives.of_age")


def read_aggregates(draft: Draft) -> None:
    """Adds what is computed of which columns, in the order of the words."""
    before, places = list(draft.select), []
    for kind, cue in KINDS:
        for match in cue.finditer(draft.lower):
            had = len(draft.select)
            _read_aggregate(draft, cast("Aggregate", kind), match)
            places += [match.start()] * (len(draft.select) - had)
    found = zip(places, draft.select[len(before) :], strict=True)
    draft.select = before + [one for _, one in sorted(found, key=lambda pair: pair[0])]
    draft.select = [one for one in draft.select if not _only_named(draft, one)]
    measured = {measure.ref for measure in draft.select}
    for mention in draft.question.mentions if measured else ():
        if mention.quality > PARTLY_NAMED and ref(mention.column) in measured:
            draft.claim(mention.start, mention.end, "measure")


def _read_aggregate(draft: Draft, kind: Aggregate, match: re.Match[str]) -> None:
    at, end = draft.at(match.start()), draft.at(match.end())
    if draft.claimed[at] or _part_of_name(draft, at, kind):
        return
    counted = draft.lower[match.end() :].startswith(" number of")
    if counted and not draft.pick(end, end + 4, lambda c: c.number, 0.7):
        return
    named = _date_told(draft, match, end) or _argument(draft, at, end)
    product = worth_at(draft, end) if named is None and kind == "avg" else None
    if product:
        draft.claim(at, end + 2, "measure")
        draft.select.append(product)
        return
    named = named or _worth(draft, kind, end)
    if named is None or (match.group() in _DATED and not named.column.when):
        return
    if named.column in draft.filtered and _is_in_name(draft, named, at):
        draft.claim(at, end, "condition")
        return
    draft.claim(at, end + 2 if counted else end, "measure")
    _add_all(draft, _turned(kind, match, named), named)


def _is_in_name(draft: Draft, named: Mention, at: int) -> bool:
    stem = draft.question.terms[at].stem
    return any(stem == term.stem for term in named.column.name.terms)


def _date_told(draft: Draft, match: re.Match[str], end: int) -> Mention | None:
    """`Latest order date`: the date that follows what only dates are called."""
    is_dated = match.group() in _DATED
    return draft.pick(end, end + 2, lambda c: c.date) if is_dated else None


def _turned(kind: Aggregate, match: re.Match[str], named: Mention) -> Aggregate:
    """`Oldest` is the lowest date of birth, though the highest age."""
    if match.group() in _AGED and named.column.when:
        return "min" if kind == "max" else "max"
    return kind


def _add_all(draft: Draft, kind: Aggregate, named: Mention) -> None:
    """Adds what is computed of a column, and of those that are listed after it."""
    _add(draft, kind, named)
    while more := _beside(draft, named):
        draft.claim(named.end, more.end, "measure")
        _add(draft, kind, more)
        named = more


def _add(draft: Draft, kind: Aggregate, named: Mention) -> None:
    measure = Measure(kind, ref(named.column))
    if measure not in draft.select:
        draft.select.append(measure)


def _beside(draft: Draft, named: Mention) -> Mention | None:
    """`Average price and rating`: another amount that the same is asked of."""
    words, end = draft.question.words, named.end
    if end >= len(words):
        return None
    joined = draft.text(end, end + 1) in _JOINS
    listed = "," in draft.lower[words[end - 1].end : words[end].start]
    at = end + joined
    more = draft.pick(at, at + 1, amount, NEARLY_NAMED) if joined or listed else None
    return more if more and more.start == at else None


def _only_named(draft: Draft, one: Measure) -> bool:
    """Whether `total` is but a part of a column's name: `average total points` of Total Points."""
    if one.aggregate != "sum" or one.ref is None or _BOTH.search(draft.lower):
        return False
    own = {term.text for term in draft.index.column(one.ref).name.terms}
    others = (m.aggregate for m in draft.select if m.ref == one.ref and m is not one)
    return "total" in own and any(others)


def read_range(draft: Draft) -> None:
    """`Salary range`, `min to max fee`: the lowest and the highest."""
    found = list(_RANGE.finditer(draft.lower))
    if not found or draft.several:
        return
    match = found[0]
    at, end = draft.at(match.start()), draft.at(match.end())
    if draft.question.mentions.named_at(at) > NEARLY_NAMED:
        return
    named = draft.pick(at - 2, at, amount, NEARLY_NAMED) or draft.pick(
        end, end + 4, amount, NEARLY_NAMED
    )
    if named is not None:
        for each in found:
            draft.claim_text(each, "measure")
        draft.claim(named.start, named.end, "measure")
        draft.select += [Measure("min", ref(named.column)), Measure("max", ref(named.column))]


def _part_of_name(draft: Draft, at: int, kind: Aggregate) -> bool:
    """`median income` of a column called median_income is that column."""
    after_mean = draft.text(at - 1, at) in _MEANS
    extreme = kind in {"max", "min"}
    if (extreme and draft.group and not after_mean) or _is_computed(draft, at, kind):
        return False
    full = lexicon().abbreviations.get(draft.text(at, at + 1), ())
    words = {draft.question.terms[at].stem, *map(stem, full)}
    return any(
        m.named > WHOLLY_NAMED
        and any(term.stem in words for term in m.column.name.terms)
        and not _reaches(draft, m)
        and (not extreme or m.quality > EXACTLY_NAMED or after_mean)
        for m in draft.question.mentions.over(at)
    )


def _is_computed(draft: Draft, at: int, kind: Aggregate) -> bool:
    """Whether a large table has its rows averaged or added up, whatever a column is called."""
    if not draft.index.large:
        return False
    is_last = all(at < m.end for m in draft.question.mentions)
    return kind == "avg" or (kind == "sum" and not draft.charted and is_last)


def _reaches(draft: Draft, mention: Mention) -> bool:
    """`Total paid interest` is a sum of paid_interest, though a column is called paid_total."""
    return any(
        mention.end < m.end and m.named > WHOLLY_NAMED
        for m in draft.question.mentions.starting(mention.start + 1, mention.end)
    )


def _argument(draft: Draft, at: int, end: int) -> Mention | None:
    """The number that an aggregate is of: what follows it, else the word itself, else before.

    `Most expensive` is of a price, whatever follows.
    """
    if end > at + 1 and (told := draft.pick(at + 1, end, amount)):
        return told
    found = amount_at(draft, end, end + 6)
    if found is not None:
        between = draft.text(end, found.start)
        if re.search(r"\b(?:by|per|where|with|who|whose|for each)\b", between):
            found = None
    own = draft.pick(at, at + 1, lambda c: c.number or c.date, 0.4)
    if own and draft.text(at, at + 1) in _AGED:
        return own
    if own and found and own.end > end and draft.worth(own) > draft.worth(found):
        return own
    return found or own or draft.pick(max(0, at - 5), at, lambda c: c.number)


def _worth(draft: Draft, kind: Aggregate, at: int) -> Mention | None:
    """`Average order value`, `total donations`: the amount by which the rows are judged."""
    begun = at
    at += draft.text(at, at + 1) in {"of", "single"}
    worth = entity(draft, at) and draft.text(at + 1, at + 2) == "value"
    main = main_measure(draft) if worth and not draft.several else None
    column = draft.index.column(main.ref) if main and main.ref and main.aggregate == "sum" else None
    alone = draft.claimed[at + 1 : at + 2] in ([], ["group"]) or _ends_noun(draft, at + 1)
    if column is None and alone:
        column = worth_of(draft, at, summed=kind == "sum")
    if column is None:
        return None
    told = Mention(column, begun, at + 1 + worth, 1.0, 1.0)
    draft.question.mentions = Mentions([*draft.question.mentions, told])
    return told


def _ends_noun(draft: Draft, at: int) -> bool:
    """Whether a word leads on: `of`, `by`, `in`; a name may still go on with any other."""
    return draft.text(at, at + 1) in _LEADING_ON
