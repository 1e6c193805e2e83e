"""What is asked of the rows: counts, sums, averages, shares, or the values of columns."""

import re
from typing import cast

from modelwright.engines.language.counting import read_count
from modelwright.engines.language.differences import read_difference
from modelwright.engines.language.drafting import (
    Draft,
    best_mentions,
    columns_of,
    entity,
    named_tables,
)
from modelwright.engines.language.growth import read_growth
from modelwright.engines.language.index import ref
from modelwright.engines.language.lexicon import lexicon
from modelwright.engines.language.lookup import choose_select
from modelwright.engines.language.mentions import Mention
from modelwright.engines.language.patterns import pattern, patterns
from modelwright.engines.language.plan import Aggregate, Bucket, Measure
from modelwright.engines.language.ratios import profit_at, revenue_at
from modelwright.engines.language.rows import (
    added,
    amount,
    amount_at,
    averaged,
    different,
    doing,
    in_groups,
    only_rows,
    rows_asked,
)
from modelwright.engines.language.shares import CORRELATED, read_correlation, read_share
from modelwright.engines.language.words import stem

_KINDS = patterns("measuring kinds")
_RANGE = pattern("measuring range")
_EVERYTHING = pattern("measuring everything")
_JOINED = re.compile(r"(?:,|,? and)(?: the)? (?P<next>\w+)")
_THEIRS = re.compile(r"\band (?:its|their|his|her) (?:\w+ )?$")
_BOTH = re.compile(r"\b(?:and|,) (?:the )?total\b|\btotal and\b")
_MEANS = frozenset({"average", "mean", "median", "avg"})
_DATED = frozenset({"latest", "earliest", "first", "last", "most recent"})
_SPELT, _SAID = 0.75, 0.9
"""How good a mention is at least where the only fault is a slip in spelling."""
_SUMMED = pattern("measuring summed")


def read_measures(draft: Draft) -> None:
    """Decides what to show, and claims the words that say it."""
    if read_growth(draft) or read_difference(draft) or read_share(draft) or read_correlation(draft):
        return
    end = len(draft.claimed)
    revenue = revenue_at(draft, 0, end) or profit_at(draft, 0, end)
    if revenue is not None:
        draft.select.append(revenue)
        _add_beside(draft, revenue)
        return
    _read_range(draft)
    _read_aggregates(draft)
    read_count(draft)
    if draft.only_group and not draft.select:
        return
    bare = not draft.select and not draft.order and not draft.group and rows_asked(draft)
    if bare or (_EVERYTHING.search(draft.lower) and not draft.group):
        draft.select, draft.everything = [], True
        odd = set(draft.open_words()) if bare else set()
        for at in range(len(draft.claimed)):
            if at not in odd or entity(draft, at):
                draft.claim(at, at + 1, "everything")
        return
    timed = all(isinstance(one.by, Bucket) for one in draft.order)
    if (not draft.select and timed) or (
        draft.order and not draft.group and not any(m.aggregate for m in draft.select)
    ):
        _read_columns(draft)
    if not draft.select and not draft.group and len(draft.index.tables) > 1:
        _show_table(draft)


def _add_beside(draft: Draft, one: Measure) -> None:
    """`Revenue and profit by region`: the amounts that are named with it."""
    kind: Aggregate = "avg" if one.aggregate == "mean_difference" else "sum"
    for mention in best_mentions(draft, lambda c: amount(c) and added(ref(c))):
        draft.claim(mention.start, mention.end, "measure")
        draft.select.append(Measure(kind, ref(mention.column)))


def _read_aggregates(draft: Draft) -> None:
    before, places = list(draft.select), []
    for kind, cue in _KINDS:
        for match in cue.finditer(draft.lower):
            had = len(draft.select)
            _read_aggregate(draft, cast("Aggregate", kind), match)
            places += [match.start()] * (len(draft.select) - had)
    found = zip(places, draft.select[len(before) :], strict=True)
    draft.select = before + [one for _, one in sorted(found, key=lambda pair: pair[0])]
    draft.select = [one for one in draft.select if not _only_named(draft, one)]
    measured = {measure.ref for measure in draft.select}
    for mention in draft.question.mentions if measured else ():
        if mention.quality > 0.6 and ref(mention.column) in measured:  # noqa: PLR2004
            draft.claim(mention.start, mention.end, "measure")


def _read_aggregate(draft: Draft, kind: Aggregate, match: re.Match[str]) -> None:
    at, end = draft.at(match.start()), draft.at(match.end())
    if draft.claimed[at] or _part_of_name(draft, at, kind):
        return
    counted = draft.lower[match.end() :].startswith(" number of")
    if counted and not draft.pick(end, end + 4, lambda c: c.number, 0.7):
        return
    dated = draft.pick(end, end + 2, lambda c: c.date) if match.group() in _DATED else None
    named = dated or _argument(draft, at, end) or _shared_argument(draft, match)
    if named is None or (match.group() in _DATED and not named.column.date):
        return
    own = {term.stem for term in named.column.name.terms}
    if named.column in draft.filtered and draft.question.terms[at].stem in own:
        draft.claim(at, end, "condition")
        return
    draft.claim(at, end + 2 if counted else end, "measure")
    measure = Measure(kind, ref(named.column))
    if measure not in draft.select:
        draft.select.append(measure)


def _only_named(draft: Draft, one: Measure) -> bool:
    """Whether `total` is but a part of a column's name: `average total points` of Total Points."""
    if one.aggregate != "sum" or one.ref is None or _BOTH.search(draft.lower):
        return False
    own = {term.text for term in draft.index.column(one.ref).name.terms}
    others = (m.aggregate for m in draft.select if m.ref == one.ref and m is not one)
    return "total" in own and any(others)


def _read_range(draft: Draft) -> None:
    """`Salary range`, `min to max fee`: the lowest and the highest."""
    found = list(_RANGE.finditer(draft.lower))
    if not found or len(draft.index.tables) > 1:
        return
    match = found[0]
    at, end = draft.at(match.start()), draft.at(match.end())
    if any(m.named > _SPELT for m in draft.question.mentions.over(at)):
        return
    named = draft.pick(at - 2, at, amount, _SPELT) or draft.pick(end, end + 4, amount, _SPELT)
    if named is not None:
        for each in found:
            draft.claim_text(each, "measure")
        draft.claim(named.start, named.end, "measure")
        draft.select += [Measure("min", ref(named.column)), Measure("max", ref(named.column))]


def _part_of_name(draft: Draft, at: int, kind: Aggregate) -> bool:
    """`median income` of a column called median_income is that column."""
    full = lexicon().abbreviations.get(draft.text(at, at + 1), ())
    words = {draft.question.terms[at].stem, *map(stem, full)}
    if kind in {"max", "min"} and draft.group and draft.text(at - 1, at) not in _MEANS:
        return False
    computed = kind == "avg" or (
        kind == "sum" and not draft.charted and all(at < m.end for m in draft.question.mentions)
    )
    return not (computed and draft.index.large) and any(
        m.named > 0.9  # noqa: PLR2004 - the whole name
        and any(term.stem in words for term in m.column.name.terms)
        and not _reaches(draft, m)
        and (kind not in {"max", "min"} or m.quality > 0.95 or draft.text(at - 1, at) in _MEANS)  # noqa: PLR2004
        for m in draft.question.mentions.over(at)
    )


def _reaches(draft: Draft, mention: Mention) -> bool:
    """`Total paid interest` is a sum of paid_interest, though a column is called paid_total."""
    return any(
        mention.end < m.end and m.named > _SAID
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
    if own and found and own.end > end and draft.worth(own) > draft.worth(found):
        return own
    return found or own or draft.pick(max(0, at - 5), at, lambda c: c.number)


def _shared_argument(draft: Draft, match: re.Match[str]) -> Mention | None:
    """`Minimum and maximum weight`: the column that the aggregate joined to it took."""
    joined = _JOINED.match(draft.lower, match.end())
    if joined is None or draft.claimed[draft.at(joined.start("next"))] != "measure":
        return None
    start = draft.at(joined.end())
    return draft.pick(start, start + 4, amount, taken=True)


def _read_columns(draft: Draft) -> None:
    found = [m for m in best_mentions(draft) if not (draft.group and only_rows(draft, m))]
    found = [m for m in found if draft.index.large is False or not doing(draft, m)]
    if draft.order or any(amount(m.column) and m.explained > _SAID for m in found):
        found = [m for m in found if not (_like_rows(draft, m) and only_rows(draft, m))]
    draft.distinct = bool(found) and not draft.group and different(draft, found)
    if draft.charted and len(found) == 1 and not found[0].column.number and not draft.group:
        draft.claim(found[0].start, found[0].end, "group")
        draft.group.append(Bucket(ref(found[0].column)))
        return
    if found and draft.limit and not draft.group and _whose(draft, found[0]):
        draft.select.append(Measure(None, ref(draft.index.naming(found[0].column.table))))
    for mention in found:
        draft.claim(mention.start, mention.end, "select")
        measure = Measure(None, ref(mention.column))
        if measure not in draft.select and ref(mention.column) not in [b.ref for b in draft.group]:
            draft.select.append(measure)
    if draft.group and draft.select:
        draft.select = [_grouped(draft, one) for one in draft.select]


def _whose(draft: Draft, first: Mention) -> bool:
    """`The fastest plane and its speed` names the plane too."""
    before = draft.lower[: draft.question.words[first.start].start]
    return len(draft.index.tables) == 1 and bool(_THEIRS.search(before))


def _like_rows(draft: Draft, mention: Mention) -> bool:
    """Whether words are as likely the plural of what the rows are as a name: `5 listings`."""
    plural = draft.question.words[mention.end - 1].text.endswith("s")
    return mention.column.keyed or (plural and mention.quality < _SAID)


def _show_table(draft: Draft) -> None:
    """A table asked for by its own name is shown by the column that names its rows."""
    tables = named_tables(draft)
    if tables:
        draft.select.append(Measure(None, ref(draft.index.naming(tables[0]))))


def _grouped(draft: Draft, one: Measure) -> Measure:
    column = next(c for c in draft.index.columns if ref(c) == one.ref)
    if column.identifier:
        return Measure("count")
    if not column.number:
        return Measure("count_distinct", one.ref)
    summed = one.ref and _SUMMED.search(draft.lower) and not averaged(one.ref)
    return Measure("sum", one.ref) if summed else in_groups(one)


def doubt_unread(draft: Draft) -> None:
    """An average or a superlative that found nothing to apply to makes the reading doubtful."""
    for _, cue in _KINDS:
        for match in cue.finditer(draft.lower):
            if not draft.claimed[draft.at(match.start())]:
                draft.doubts += 0.6
    if (
        CORRELATED.search(draft.lower)
        and not any(m.other for m in draft.select)
        and not draft.charted
    ):
        draft.doubts += 0.6


def fall_back(draft: Draft) -> None:
    """With conditions but nothing asked, the trained ranker says which column is meant."""
    if draft.select or draft.order or draft.group or draft.everything:
        return
    if draft.where and draft.index.large and len(draft.index.tables) == 1:
        draft.everything = True
        return
    used = columns_of(draft.where)
    tables = {one.table for one in used} or {t.name for t in draft.index.tables}
    columns = [c for c in draft.index.columns if c.table in tables]
    column = choose_select(draft.question, columns, ())
    draft.select.append(Measure(None, ref(column)))
    draft.doubts += 0.2
