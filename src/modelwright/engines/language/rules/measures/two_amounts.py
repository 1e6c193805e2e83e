"""Two amounts told as one number: their ratio, the share one is of the other, their difference.

Both are named together. They are read before anything else is, as the words between them mean other
things elsewhere: `over` is a test, what follows `per` a group, `between` a range.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from modelwright.engines.language.rules.columns.index import ref
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.rows import added, amount
from modelwright.engines.language.rules.plans.plan import Aggregate, Measure, Order
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.vocabulary import alternatives, word_set

_RATIO = pattern("ratios of")
_RATIO_BEHIND = re.compile(r"\bratios?\b")
_AS_SHARE = re.compile(
    r"\b(?:as(?: an?)?|in) (?:share|percentage|percent|proportion|fraction|%) of (?:the )?"
)
_PART = pattern("ratios part")
_DIVIDED = pattern("ratios divided")
_OVER = re.compile(r"\bover\b")
_MARGIN = pattern("ratios margin")
_BETWEEN = pattern("differences between")
_MINUS = pattern("differences minus")
_TESTING = re.compile(r"\b(?:where|whose|with|ha[sd]|have|having|that|when)\b")
_COMPARED = re.compile(
    r"(?:(?:that )?(?:is|are|was|were) |of )?(?:above|below|over|under|more than|less than"
    r"|greater than|higher than|lower than|at least|at most|between|exceed\w*)\b"
)
_WHERE = re.compile(r"\b(?:where|whose|with)\b")
_AVERAGED = re.compile(rf"\b(?:{alternatives('averages.means')})\b")
_BEFORE = word_set("averages.means", "averages.before_difference")
TOP = pattern("superlatives top")
BOTTOM = frozenset({"bottom", "last", "worst", "lowest", "smallest"})
"""What the last of a list are called."""
_BY = re.compile(r"\bby\b")
_TYING = frozenset({"to", "per", "over"})
_REACH = 4
"""In words: how far behind the cue, or the first amount, an amount may begin."""
_BEHIND = 2
"""The same of what follows at once: `total` may stand between."""
_SURE = 0.6
"""How surely words must mean an amount, 0 to 1."""


@dataclass(frozen=True, slots=True)
class _Two:
    """Two amounts, what is computed of them, and the words that say it."""

    kind: Aggregate
    one: Mention
    two: Mention
    start: int
    end: int


def read_two_amounts(draft: Draft) -> None:
    """Finds two amounts that are told as one number, and claims their words."""
    if draft.several or draft.of_two:
        return
    ways = (_ratio_of, _ratio_behind, _as_share, _part, _quotient, _difference)
    found = next((one for way in ways for one in way(draft) if _is_meant(one)), None)
    if found is None:
        return
    compared = _COMPARED.match(draft.text(found.end, len(draft.claimed)))
    if compared:  # `a rent to revenue ratio above 0.5` tests rows
        draft.unread.append(compared.group())
        return
    start = found.start
    while draft.text(start - 1, start) in _BEFORE:
        start -= 1
    margin = _MARGIN.search(draft.lower)
    if margin and draft.at(margin.end()) == start:  # `profit margin (profits over sales)`
        draft.claim_text(margin, "measure")
    draft.claim(start, found.end + entity(draft, found.end), "measure")
    draft.of_two = Measure(found.kind, ref(found.one.column), ref(found.two.column))
    draft.of_two_at = start


def _is_meant(told: _Two) -> bool:
    """Whether two amounts are two, and neither is a year: `revenue over the years`."""
    columns = told.one.column, told.two.column
    return columns[0] is not columns[1] and not any(
        one.when and "year" in one.plain_name for one in columns
    )


def two_amounts_at(draft: Draft, at: int) -> Measure | None:
    """`The highest price to weight ratio`: what rows or groups are ranked by."""
    return draft.of_two if draft.of_two and at <= draft.of_two_at <= at + 1 else None


def of_each_row(one: Measure) -> Measure:
    """The same of every row, rather than of the sums of all."""
    kind: Aggregate | None = "difference" if one.aggregate == "mean_difference" else one.aggregate
    return replace(one, aggregate=kind, each=True)


def rank_two_amounts(draft: Draft) -> bool:
    """`Price to weight ratio, top 5`: the rows that have the most of it."""
    two = draft.of_two if draft.of_two and draft.of_two.other else None
    top = TOP.search(draft.lower) if draft.limit else None
    if top is None or two is None or draft.group or _BY.search(draft.lower):
        return False
    at, end = draft.at(top.start()), draft.at(top.end())
    if not (at > draft.of_two_at or end <= draft.of_two_at <= end + 1):
        return False
    draft.claim_text(top, "superlative")
    draft.order = [Order(of_each_row(two), top.group("side") not in BOTTOM)]
    return True


def show_two_amounts(draft: Draft) -> bool:
    """Shows the number of two amounts: of all rows or groups, or of each row that is ranked."""
    if draft.of_two is None:
        return False
    each = of_each_row(draft.of_two)
    ranked = [one.by for one in draft.order]
    if draft.order and not draft.group and draft.of_two.other:
        name = Measure(None, ref(draft.index.naming(draft.index.tables[0].name)))
        shown = [*(draft.select or [name]), each]
        draft.select = draft.select if draft.select and draft.limit == 1 else shown
    elif draft.of_two not in ranked:
        is_row = draft.of_two.other is not None and _is_of_one_row(draft)
        draft.select.append(each if is_row else draft.of_two)
    return True


def _is_of_one_row(draft: Draft) -> bool:
    """Whether a test leaves one row, of which nothing is averaged."""
    tested = (one for one, *others in draft.where if one.op == "=" and not (others or one.part))
    facts = [draft.index.column(one.ref).facts for one in tested]
    return not draft.group and any(one.distinct == one.rows for one in facts)


def _ratio_of(draft: Draft) -> Iterator[_Two]:
    """`The ratio of profit to sales`."""
    match = _RATIO.search(draft.lower)
    places = [draft.at(match.start(name)) for name in ("one", "two")] if match else []
    one, two = [draft.pick(at, at + _REACH, amount, _SURE) for at in places] or (None, None)
    if match and one and two:
        yield _Two("ratio", one, two, draft.at(match.start()), two.end)


def _ratio_behind(draft: Draft) -> Iterator[_Two]:
    """`The profit to sales ratio`."""
    for match in _RATIO_BEHIND.finditer(draft.lower):
        at = draft.at(match.start())
        two = amount_before(draft, at)
        tied = two and draft.text(two.start - 1, two.start) in _TYING
        one = amount_before(draft, two.start - bool(tied)) if two else None
        if one and two:
            yield _Two("ratio", one, two, one.start, at + 1)


def _as_share(draft: Draft) -> Iterator[_Two]:
    """`Cost as a share of revenue` where both are amounts."""
    match = _AS_SHARE.search(draft.lower)
    yield from _around(draft, match, "percentage") if match else ()


def _quotient(draft: Draft) -> Iterator[_Two]:
    """`Cost divided by revenue`, `cost / revenue`, `cost over revenue` where both are amounts.

    `Days with cost over revenue` are those that pass a test.
    """
    for match in _DIVIDED.finditer(draft.lower):
        yield from _around(draft, match, "ratio")
    for match in _OVER.finditer(draft.lower):
        if not _TESTING.search(draft.lower, 0, match.start()):
            yield from _around(draft, match, "ratio")


def _around(draft: Draft, match: re.Match[str], kind: Aggregate) -> Iterator[_Two]:
    """What stands before a cue and what stands behind it."""
    at, end = draft.at(match.start()), draft.at(match.end())
    one = amount_before(draft, at) or (
        amount_before(draft, at - 1) if entity(draft, at - 1) else None
    )
    two = draft.pick(end, end + _BEHIND, amount, _SURE) if one else None
    between = draft.text(end, two.start) if two else ""
    if one and two and between in {"", "the", "total"}:  # not `cheapest over 2 carat`
        start = one.start - (draft.text(one.start - 1, one.start) == "total")
        yield _Two(kind, one, two, start, two.end)


def _part(draft: Draft) -> Iterator[_Two]:
    """`What percentage of revenue is cost`, `share of sleep that is deep`: both are amounts."""
    match = _PART.search(draft.lower)
    if match is None or draft.question.is_value(draft.at(match.start("one"))):
        return
    of, at, end = (draft.at(match.start(name)) for name in ("two", "verb", "one"))
    mentions = draft.question.mentions
    wholes = [m for m in mentions.starting(of, of + _BEHIND) if m.end <= at]
    parts = [*mentions.starting(end, end + _BEHIND), *mentions.over(end)]
    one, two = _best(draft, parts), _best(draft, wholes)
    if one and two:
        yield _Two("percentage", one, two, draft.at(match.start()), one.end)


def _difference(draft: Draft) -> Iterator[_Two]:
    """`The difference between boiling and melting point`, `revenue minus cost`: no test of rows."""
    match = _BETWEEN.search(draft.lower) or _MINUS.search(draft.lower)
    if match is None or _WHERE.search(draft.lower, 0, match.start()):
        return
    at, end = draft.at(match.start()), draft.at(match.end())
    if match.re is _BETWEEN:
        one = draft.pick(end, end + _REACH, amount, _SURE)
        two = draft.pick(one.end, one.end + _REACH, amount, _SURE) if one else None
    else:
        two = draft.pick(end, end + _REACH, amount, _SURE)
        one = amount_before(draft, at)
    if one and two:
        sums = added(ref(one.column)) and added(ref(two.column))
        kind: Aggregate = "difference" if sums else "mean_difference"
        kind = "mean_difference" if _AVERAGED.search(draft.lower) else kind
        yield _Two(kind, one, two, min(at, one.start), two.end)


def amount_before(draft: Draft, end: int) -> Mention | None:
    """The amount that ends right before a word."""
    return _best(draft, [m for m in draft.question.mentions if m.end == end and draft.free(m)])


def _best(draft: Draft, told: Iterable[Mention]) -> Mention | None:
    sure = (one for one in told if one.quality > _SURE and amount(one.column))
    return max(sure, key=draft.worth, default=None)
