"""In which order: sorted by, alphabetical, largest first.

Sorting is read after groups and measures: `largest first` sorts by what is shown, and a bare column
cannot sort groups. The order that is left unsaid is settled here too, from the largest on.
"""

import re

from modelwright.engines.language.rules.columns.index import ref
from modelwright.engines.language.rules.measures.extreme_rows import SUPER
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.plans.plan import Aggregate, Bucket, Measure, Order
from modelwright.engines.language.rules.ranks.ranking_measures import measure_after
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.words import name_parts
from modelwright.engines.language.vocabulary import cue_words, phrase_pattern, word_set

_ORDERED = pattern("superlatives ordered")
_DOWNWARDS = pattern("superlatives downwards")
_UPWARDS = phrase_pattern(sorted(cue_words("ascending")))
_FIRSTS = pattern("superlatives firsts")
_SHARE = phrase_pattern(sorted(cue_words("share")))
_ALPHA = pattern("superlatives alpha")
_BOTTOM = re.compile(r"[,;:(]\s*(?:the )?bottom (?:\d+|\w+)\W*$")
"""What is told last, of the groups that were asked for before."""
_UP = word_set("superlatives.shown_downwards")
_SLOW = frozenset({"slowest", "fastest"})
_TIME = re.compile(r"\b(?:days?|hours?|minutes?|seconds?|ms|time|duration|delay)\b")
_SORTED_QUALITY = 0.42
"""How surely words must mean the column that is sorted by, 0 to 1."""
_SEVERAL = 2
"""From so many rows on they are shown with what ranks them."""
_SURE = 0.93
"""How surely a plural must mean a column to be no number of rows, 0 to 1."""


def claim_firsts(draft: Draft) -> None:
    """Keeps `longest first` from being read as the longest of something."""
    firsts = _FIRSTS.search(draft.lower)
    if firsts:
        draft.claim_text(firsts, "order")


def read_order(draft: Draft) -> None:
    """Reads `sorted by age descending`, `in alphabetical order of name`, `largest first`."""
    down = bool(_DOWNWARDS.search(draft.lower))
    match = _ORDERED.search(draft.lower)
    if match and not (_noun(draft, match.start()) or draft.claimed[draft.at(match.start())]):
        at = draft.at(match.end())
        share = _share_said_before(draft, match)
        named = None if share else draft.pick(at, at + 5, least=_SORTED_QUALITY, taken=True)
        measure = None if share else measure_after(draft, at)
        draft.claim_text(share or match, "order")
        draft.claim_text(match, "order")
        if measure is not None and measure.aggregate is not None:
            draft.order = [Order(measure, down or not _UPWARDS.search(draft.lower))]
        elif named is not None:
            draft.claim(named.start, named.end, "order")
            draft.order = [Order(_sorted_by(draft, named), down)]
    for match in [*_DOWNWARDS.finditer(draft.lower), *_ALPHA.finditer(draft.lower)]:
        draft.claim_text(match, "order")


def _share_said_before(draft: Draft, ordered: re.Match[str]) -> re.Match[str] | None:
    """`Share of orders by town, sorted by share`: the word for what is told already."""
    again = _SHARE.match(draft.lower, ordered.end() + 1)
    return again if again and _SHARE.search(draft.lower, 0, ordered.start()) else None


def _noun(draft: Draft, start: int) -> bool:
    """`The biggest order by revenue` is one order, not a way to sort."""
    at = draft.at(start)
    return bool(SUPER.fullmatch(draft.text(at - 1, at)))


def _sorted_by(draft: Draft, named: Mention) -> Measure | Bucket:
    plural = draft.text(named.end - 1, named.end).endswith("s")
    if plural and named.column.identifier and named.quality < _SURE:
        return Measure("count")
    bucket = Bucket(ref(named.column))
    if bucket in draft.group:
        return bucket
    own = next((m for m in draft.select if m.ref == ref(named.column)), None)
    return own or Measure(None, ref(named.column))


def order_groups(draft: Draft) -> None:
    """Reads `largest first` and `bottom 3`, which sort by what is shown."""
    firsts = _FIRSTS.search(draft.lower)
    if _BOTTOM.search(draft.lower) and draft.limit and draft.group and draft.select:
        draft.order = [Order(draft.select[0], descending=False)]
    if firsts and draft.select:
        slow = firsts.group("way") in _SLOW and _lasts(draft.select[0])
        draft.order = [Order(draft.select[0], slow != (firsts.group("way") in _UP))]
    ordered = _ORDERED.search(draft.lower)
    if ordered and draft.select and _share_said_before(draft, ordered) and not firsts:
        draft.order = [Order(draft.select[0], not _UPWARDS.search(draft.lower))]
    draft.order = [from_the_top(draft, bound(draft, one, "avg")) for one in draft.order]
    _show_ranked(draft)
    _rank_times(draft)


def _rank_times(draft: Draft) -> None:
    """`Which month had the highest price`: by what is shown, by means where it is an extreme."""
    match = None if draft.within else SUPER.search(draft.lower)
    if not (match and len(draft.group) == 1 and draft.group[0].unit and draft.select):
        return
    at, shown = draft.at(match.start()), draft.select[0]
    is_extreme = shown.aggregate in {"max", "min"}
    if not is_extreme and draft.claimed[at] not in {"", "select"}:
        return
    draft.claim(at, at + 1, "superlative")
    if is_extreme:
        draft.select[0] = Measure("avg", shown.ref)
    draft.order = [Order(draft.select[0], bool(match.group("up")))]
    draft.limit = draft.limit or 1


def _lasts(one: Measure) -> bool:
    """Whether a number says how long something takes, so that the slowest has the most."""
    return one.ref is not None and bool(_TIME.search(" ".join(name_parts(one.ref.column))))


def _show_ranked(draft: Draft) -> None:
    """The first rows of many are shown with the number that ranks them."""
    if (draft.limit or 0) < _SEVERAL or draft.several or draft.group:
        return
    by = draft.order[0].by if draft.order else None
    if isinstance(by, Measure) and by.ref and draft.select and by not in draft.select:
        draft.select.append(by)


def from_the_top(draft: Draft, order: Order) -> Order:
    """Sorts groups by a figure from the largest on where no direction is said."""
    is_figure = isinstance(order.by, Measure) and order.by.aggregate is not None
    is_sorted = _ORDERED.search(draft.lower) and not draft.limit
    says_none = not _UPWARDS.search(draft.lower) and not _FIRSTS.search(draft.lower)
    if draft.group and is_figure and is_sorted and says_none:
        return Order(order.by, descending=True)
    return order


def bound(draft: Draft, order: Order, aggregate: Aggregate) -> Order:
    """Sorts by the group or the measure shown, else by an aggregate, not by the bare column.

    Args:
        draft: A plan being made.
        order: What it is sorted by so far.
        aggregate: What groups are sorted by where nothing of the column is shown.

    Returns:
        What groups can be sorted by.
    """
    by = order.by
    if not draft.group or isinstance(by, Bucket) or by.aggregate or by.share or by.of_total:
        return order
    bucket = next((one for one in draft.group if one.ref == by.ref), None)
    shown = next((one for one in draft.select if one.ref == by.ref and one.aggregate), None)
    return Order(bucket or shown or Measure(aggregate, by.ref), order.descending)
