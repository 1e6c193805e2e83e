"""What is asked of the rows: counts, sums, averages, shares, or the values of columns."""

import re
from collections.abc import Sequence

from modelwright.engines.language.rules.answering.aggregates import (
    KINDS,
    read_aggregates,
    read_range,
)
from modelwright.engines.language.rules.columns.index import ref
from modelwright.engines.language.rules.lookups.asked_rows import (
    asks_different,
    is_test_verb,
    rows_asked,
)
from modelwright.engines.language.rules.lookups.lookup import choose_select
from modelwright.engines.language.rules.measures.correlations import CORRELATED, read_correlation
from modelwright.engines.language.rules.measures.counts import read_count
from modelwright.engines.language.rules.measures.differences import read_apart
from modelwright.engines.language.rules.measures.growth import read_growth
from modelwright.engines.language.rules.measures.products import read_product, revenue_at
from modelwright.engines.language.rules.measures.ratios import profit_at
from modelwright.engines.language.rules.measures.shares import read_share
from modelwright.engines.language.rules.measures.two_amounts import show_two_amounts
from modelwright.engines.language.rules.mentions.best_mentions import best_mentions
from modelwright.engines.language.rules.mentions.draft import (
    Draft,
    columns_of,
    entity,
)
from modelwright.engines.language.rules.mentions.mention import WHOLLY_NAMED, Mention
from modelwright.engines.language.rules.mentions.row_nouns import describes
from modelwright.engines.language.rules.mentions.rows import (
    added,
    amount,
    averaged,
    in_groups,
    only_rows,
)
from modelwright.engines.language.rules.plans.plan import Aggregate, Bucket, Measure
from modelwright.engines.language.rules.text.patterns import pattern

_EVERYTHING = pattern("measuring everything")
_THEIRS = re.compile(r"\band (?:its|their|his|her) (?:\w+ )?$")
_MOST_KINDS = 10
"""A text of so few values, each in more rows than that, tells kinds."""
_SUMMED = pattern("measuring summed")


def read_measures(draft: Draft) -> None:
    """Decides what to show, and claims the words that say it."""
    if any(read(draft) for read in _WHOLE_READERS):
        return
    read_range(draft)
    read_aggregates(draft)
    read_count(draft)
    if (draft.only_group and not draft.select) or _read_everything(draft):
        return
    if _shows_columns(draft):
        _read_columns(draft)


def _read_everything(draft: Draft) -> bool:
    """`Show all orders`: the rows themselves, with all of their columns."""
    bare = not draft.select and not draft.order and not draft.group and rows_asked(draft)
    if not bare and (draft.group or not _EVERYTHING.search(draft.lower)):
        return False
    draft.select, draft.everything = [], True
    unexplained = set(draft.open_words()) if bare else set()
    for at in range(len(draft.claimed)):
        if at not in unexplained or entity(draft, at):
            draft.claim(at, at + 1, "everything")
    return True


def _shows_columns(draft: Draft) -> bool:
    """Whether columns may be shown as they are: nothing is computed, nor ranked by a number."""
    timed = all(isinstance(one.by, Bucket) for one in draft.order)
    computed = any(m.aggregate for m in draft.select)
    return (not draft.select and timed) or (bool(draft.order) and not draft.group and not computed)


def _read_revenue(draft: Draft) -> bool:
    """Reads revenue or profit, and what is named beside it."""
    end = len(draft.claimed)
    revenue = revenue_at(draft, 0, end) or profit_at(draft, 0, end)
    if revenue is not None:
        draft.select.append(revenue)
        _add_beside(draft, revenue)
    return revenue is not None


_WHOLE_READERS = (
    show_two_amounts, read_growth, read_product, read_apart, read_share, read_correlation,
    _read_revenue,
)  # fmt: skip
"""Each reads all that is computed, and leaves nothing to the others where it finds something."""


def _add_beside(draft: Draft, one: Measure) -> None:
    """`Revenue and profit by region`: the amounts that are named with it."""
    mean = one.aggregate in {"mean_difference", "mean_product"}
    kind: Aggregate = "avg" if mean else "sum"
    for mention in best_mentions(draft, lambda c: amount(c) and added(ref(c))):
        draft.claim(mention.start, mention.end, "measure")
        draft.select.append(Measure(kind, ref(mention.column)))


def _read_columns(draft: Draft) -> None:
    """Shows the columns that are named, in the order of the words."""
    found = _columns_to_show(draft)
    draft.distinct = bool(found) and not draft.group and asks_different(draft, found)
    if draft.charted and len(found) == 1 and not found[0].column.number and not draft.group:
        draft.claim(found[0].start, found[0].end, "group")
        draft.group.append(Bucket(ref(found[0].column)))
        return
    if found and draft.limit and not draft.group and _asks_whose(draft, found[0]):
        draft.select.append(Measure(None, ref(draft.index.naming(found[0].column.table))))
    grouped = [bucket.ref for bucket in draft.group]
    for mention in found:
        draft.claim(mention.start, mention.end, "select")
        measure = Measure(None, ref(mention.column))
        if measure not in draft.select and measure.ref not in grouped:
            draft.select.append(measure)
    if draft.group and draft.select:
        _compute_shown(draft, found)


def _columns_to_show(draft: Draft) -> list[Mention]:
    """The mentions of columns that are to be shown, not of rows or of what they do."""
    found = [m for m in best_mentions(draft) if _is_shown(draft, m)]
    if draft.order or any(amount(m.column) and m.explained > WHOLLY_NAMED for m in found):
        found = [m for m in found if not (_sounds_like_rows(draft, m) and only_rows(draft, m))]
    return found


def _is_shown(draft: Draft, mention: Mention) -> bool:
    if describes(draft, mention.start) or (draft.group and only_rows(draft, mention)):
        return False
    if mention.named <= WHOLLY_NAMED and _is_row_of_table(draft, mention):
        return False
    if mention.named <= WHOLLY_NAMED and _is_done_by_rows(draft, mention):
        return False
    if f"{draft.text(mention.start, mention.end)}s" in mention.column.calls:
        return False
    return not draft.index.large or not (is_test_verb(draft, mention) or _is_tested(draft, mention))


def _compute_shown(draft: Draft, found: Sequence[Mention]) -> None:
    """Computes what is named beside groups; kinds without an amount are groups too."""
    kinds = [ref(m.column) for m in found if _tells_kinds(draft, m)]
    if not any(amount(m.column) for m in found):
        draft.group += [Bucket(one) for one in kinds]
    shown = [one for one in draft.select if one.ref not in kinds]
    draft.select = [_computed_in_groups(draft, one) for one in shown]


def _is_row_of_table(draft: Draft, mention: Mention) -> bool:
    """`The cheapest home` of a table of homes is a row, though a column tells what it is."""
    single = draft.index.large and not draft.several
    each = draft.text(mention.start - 1, mention.start) in {"per", "each", "every"}
    return single and (each or bool(draft.order)) and draft.rows_named(mention) is not None


def _is_done_by_rows(draft: Draft, mention: Mention) -> bool:
    """`Employees worked the most overtime`: the verb behind the rows asks for no column."""
    start, end = mention.start, mention.end
    is_verb = end == start + 1 and draft.text(start, end).endswith("ed")
    return is_verb and bool(draft.order) and entity(draft, start - 1)


def _is_tested(draft: Draft, mention: Mention) -> bool:
    """`Made in Japan` of an Origin that is tested asks for none: it is only like its name."""
    tested = any(
        one.op == "=" and not more and one.ref == ref(mention.column)
        for (one, *more) in draft.where
    )
    return tested and mention.named < WHOLLY_NAMED


def _tells_kinds(draft: Draft, mention: Mention) -> bool:
    """`Satisfaction by role` counts the rows of each kind, `cities by role` the different ones."""
    facts, said = mention.column.facts, draft.question.words[mention.end - 1].text
    few = (
        facts.type == "string"
        and facts.distinct <= _MOST_KINDS
        and _MOST_KINDS * facts.distinct < facts.rows
    )
    return few and not draft.several and not said.endswith("s")


def _asks_whose(draft: Draft, first: Mention) -> bool:
    """`The fastest plane and its speed` names the plane too."""
    before = draft.lower[: draft.question.words[first.start].start]
    return not draft.several and bool(_THEIRS.search(before))


def _sounds_like_rows(draft: Draft, mention: Mention) -> bool:
    """Whether words are as likely the plural of what the rows are as a name: `5 listings`."""
    plural = draft.question.words[mention.end - 1].text.endswith("s")
    return mention.column.keyed or (plural and mention.quality < WHOLLY_NAMED)


def _computed_in_groups(draft: Draft, one: Measure) -> Measure:
    column = next(c for c in draft.index.columns if ref(c) == one.ref)
    if column.identifier:
        return Measure("count")
    if not column.number:
        return Measure("count_distinct", one.ref)
    summed = one.ref and _SUMMED.search(draft.lower) and not averaged(one.ref)
    return Measure("sum", one.ref) if summed else in_groups(draft, one)


def doubt_unread(draft: Draft) -> None:
    """An average or a superlative that found nothing to apply to makes the reading doubtful."""
    for _, cue in KINDS:
        for match in cue.finditer(draft.lower):
            if not draft.claimed[draft.at(match.start())]:
                draft.doubts += 0.6
    paired = draft.charted or any(m.other for m in draft.select)
    if not paired and CORRELATED.search(draft.lower):
        draft.doubts += 0.6


def fall_back(draft: Draft) -> None:
    """With conditions but nothing asked, the trained ranker says which column is meant."""
    if draft.select or draft.order or draft.group or draft.everything:
        return
    if draft.where and draft.index.large and not draft.several:
        draft.everything = True
        return
    used = columns_of(draft.where)
    tables = {one.table for one in used} or {t.name for t in draft.index.tables}
    columns = [c for c in draft.index.columns if c.table in tables]
    column = choose_select(draft.question, columns, ())
    draft.select.append(Measure(None, ref(column)))
    draft.doubts += 0.2
