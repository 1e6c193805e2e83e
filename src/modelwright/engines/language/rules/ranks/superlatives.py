"""The most and the least: which X has the most Y, the five largest, the most common.

One superlative decides the shape of the whole answer: a row, groups with a number, a date, or a
piece of time. Its forms are tried one after the other, the special ones before the general, and the
first that fits takes the words.
"""

import re
from dataclasses import replace

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.measures.extreme_rows import (
    SUPER,
    read_extreme_rows,
    read_last,
    read_latest,
)
from modelwright.engines.language.rules.measures.products import only_units
from modelwright.engines.language.rules.measures.shares import share_after
from modelwright.engines.language.rules.measures.subjects import subject
from modelwright.engines.language.rules.measures.two_amounts import (
    TOP,
    of_each_row,
    rank_two_amounts,
)
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.rows import (
    SOLD,
    amount,
    in_groups,
    loses,
    of_person,
    of_verb,
    tells_how_many,
)
from modelwright.engines.language.rules.plans.plan import Bucket, Measure, Order
from modelwright.engines.language.rules.ranks.implied_measures import (
    by_worth,
    read_busiest,
    read_ranked_kind,
    read_unknown,
    read_vague,
    told_over,
    unwanted,
)
from modelwright.engines.language.rules.ranks.most_common import read_common
from modelwright.engines.language.rules.ranks.places import number_before_rows
from modelwright.engines.language.rules.ranks.ranking_measures import (
    AGGREGATES,
    claim_entities,
    done,
    measure_after,
    most_rows,
)
from modelwright.engines.language.rules.ranks.top_lists import (
    PAST,
    read_top_amounts,
    read_top_by,
    unique,
)
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.numbers import SPELLED
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.times.first_and_last import recent
from modelwright.engines.language.rules.times.usual_dates import usual_date
from modelwright.engines.language.vocabulary import word_set

_BEST_OR_WORST = re.compile(r"\b(?:best|worst)\b")
_UPWARDS = word_set("superlatives.upwards", "superlatives.higher") | {"more"}
_RIVALLING = frozenset({"more", "less"})
"""What ranks two that are named: `more revenue, North or South`."""
_EST_N = pattern("superlatives est n")
_N_EST = pattern("superlatives n est")
_N_WITH = pattern("superlatives n with")
_NUMBER_QUALITY = 0.45
"""How surely words must mean a number to be ranked by it, 0 to 1."""
_ADJECTIVE_QUALITY = 0.3
"""The same of the superlative itself: its form speaks for it."""
_NAME_SAID = 0.93
"""How much of a name, or how surely, must be said to be all but whole, 0 to 1."""
_HOW_MANY = word_set("superlatives.of_how_many")
_MANY = frozenset({"most", "fewest"})
_MOST_KINDS = 50
"""Numbers of more values are no groups."""
_COUNTING = word_set("superlatives.counting")
"""Superlatives that may be of a number of rows."""


def read_limits(draft: Draft) -> None:
    """Finds the numbers that say how many rows to show, so that they are no conditions."""
    dated = any(column.date for column in draft.index.columns)
    for cue in (TOP, _N_EST, _N_WITH, _EST_N):
        for match in cue.finditer(draft.lower):
            past = dated and PAST.match(draft.lower, match.start())
            of_kind = cue is _EST_N and _of_kind(draft, match.end("n"))
            if match.group("n") and not (past or of_kind):
                draft.numbers_taken.append(match.span("n"))
                draft.limit = _count(match.group("n"))
                draft.claim_text(match, "limit", "n")
    draft.numbers_taken += number_before_rows(draft)


def _of_kind(draft: Draft, after: int) -> bool:
    """Whether a number tells what rows are: the cheapest `3 bedroom` house is one."""
    at = draft.at(after)
    named = draft.pick(at, at + 1, amount, _NAME_SAID)
    more = named is not None and draft.text(named.end, named.end + 1)
    return bool(more) and more not in lexicon().stop and not draft.text(at, at + 1).endswith("s")


def _count(text: str) -> int:
    return int(text) if text.isdigit() else SPELLED[text]


def read_superlatives(draft: Draft) -> bool:
    """Reads the first superlative that decides the shape; says whether there was one."""
    found = (
        rank_two_amounts(draft)
        or read_unknown(draft)
        or read_common(draft)
        or read_top_by(draft)
        or _read_when(draft)
        or read_busiest(draft)
        or read_ranked_kind(draft)
        or read_vague(draft)
        or read_last(draft)
        or read_latest(draft)
        or _read_which_time(draft)
        or _read_which_most(draft)
        or read_extreme_rows(draft)
        or read_top_amounts(draft)
    )
    _turn_unwanted(draft)
    return found


def _turn_unwanted(draft: Draft) -> None:
    """The worst delay is the longest, the best the shortest, whatever words led to it."""
    said = _BEST_OR_WORST.search(draft.lower)
    first = draft.order[0] if draft.order else None
    if said and first and isinstance(first.by, Measure) and unwanted(first.by):
        draft.order[0] = replace(first, descending=said.group() == "worst")


_WHICH = pattern("superlatives which")
_ASKS = re.compile(r"\s*(?:which|what|who)\b")
_ONE_ROW = re.compile(
    r"\w the (?:single )?(?P<row>\w+) (?:with|(?:that|which) (?:had|has|got)) the $"
)
_LISTED = re.compile(
    r"\bof (?:the |an? )?(?:\w+ )?\w+ (?:with|that ha\w+|which ha\w+|who ha\w+|having|whose)\b"
)


def _read_which_most(draft: Draft) -> bool:
    """Which borough has the highest average fare; which airline has the most flights."""
    match = _WHICH.search(draft.lower)
    if not match or _lists_columns(draft, match):
        return False
    head, at = draft.at(match.start("head")), draft.at(match.start("super"))
    if match.group("super") in _RIVALLING and not _free_rivals(draft, at):
        return False
    if draft.claimed[at]:
        return False
    kind = subject(draft, head, at)
    is_than = match.group("rest").startswith(" than ")
    if kind is None or is_than or (kind.number and kind.facts.distinct > _MOST_KINDS):
        return False
    up = (match.group("super") in _UPWARDS) != loses(draft, at)
    many = match.group("super") in {*_MANY, *_RIVALLING}
    measure = _ranked(draft, head, at)
    if measure == draft.of_two and kind.facts.distinct == kind.facts.rows:
        measure = of_each_row(measure)
    if _ranks_single_rows(draft, match, measure, kind, many=many):
        draft.select.append(Measure(None, ref(kind)))
    else:
        measure = _of_groups(draft, measure, at, many=many)
        _group_by(draft, kind, measure)
    draft.order = [Order(measure, up)]
    draft.limit = draft.limit or 1
    return True


def _ranks_single_rows(
    draft: Draft, match: re.Match[str], measure: Measure, kind: Column, *, many: bool
) -> bool:
    """Whether the number of one row is ranked, not what the rows of each kind have together."""
    if not measure.each and (measure.aggregate is not None or measure.share):
        return False
    is_each_once = unique(kind) or draft.several or of_person(draft, measure, kind, many=many)
    return is_each_once or _of_one_row(draft, match)


def _group_by(draft: Draft, kind: Column, measure: Measure) -> None:
    """Groups by a kind; its number is shown as well, unless the question asks for one kind."""
    draft.group.append(Bucket(ref(kind)))
    if draft.limit or not _ASKS.match(draft.lower):
        draft.select.append(measure)
    draft.only_group = not draft.select


def _free_rivals(draft: Draft, at: int) -> bool:
    """`Which region has more revenue, North or South`: the test is of the two values alone."""
    starts = sorted({one.start for one in draft.question.values if one.start > at})
    if len(starts) > 1:
        draft.claimed[at : starts[0]] = [""] * (starts[0] - at)
    return len(starts) > 1


def _of_one_row(draft: Draft, match: re.Match[str]) -> bool:
    """`Who hosted the show with the most viewers` is of one show, not of all that each hosted."""
    told = _ONE_ROW.search(draft.lower[: match.start("super")])
    at = draft.at(told.start("row")) if told else 0
    if told is None or draft.claimed[at] or not entity(draft, at) or told["row"].endswith("s"):
        return False
    draft.claim(at, at + 1, "superlative")
    return True


def _of_groups(draft: Draft, measure: Measure, at: int, *, many: bool) -> Measure:
    """What a number of rows is in their groups: added up or averaged; counted rows are named."""
    if measure.aggregate == "count":
        claim_entities(draft, at + 1, at + 6)
    if measure.aggregate is not None or measure.share:
        return measure
    told = in_groups(draft, measure, added_up=many and tells_how_many(draft, measure, at + 1))
    rows = many and told.aggregate == "avg" and entity(draft, at + 1)
    return Measure("count") if rows else told


def _read_when(draft: Draft) -> bool:
    """`When was the longest wait`: the date of that row, with the number."""
    usual, found = usual_date(draft), SUPER.search(draft.lower)
    asked = re.match(r"\s*when\b", draft.lower)
    if usual is None or not (asked and found) or draft.group or draft.several:
        return False
    at = draft.at(found.start())
    named = draft.pick(at + 1, at + 4, amount, _NUMBER_QUALITY) or draft.pick(
        at, at + 1, amount, _NUMBER_QUALITY
    )
    if named is None:
        return False
    draft.claim(0, at + 1, "superlative")
    draft.claim(named.start, named.end, "superlative")
    ranked = Measure(None, ref(named.column))
    draft.select = [Measure(None, ref(usual)), ranked]
    draft.order, draft.limit = [Order(ranked, bool(found.group("up")))], 1
    return True


def _read_which_time(draft: Draft) -> bool:
    """`Which day had the highest total fare`: the aggregate that is named, not any other."""
    match = _WHICH.search(draft.lower)
    timed = len(draft.group) == 1 and draft.group[0].unit and len(draft.index.tables) == 1
    if not (match and timed):
        return False
    at, word = draft.at(match.start("super")), match.group("super")
    kinds = [kind for kind, cue in AGGREGATES if cue.match(draft.text(at + 1, at + 3))]
    measure = None if kinds else most_rows(draft, at)
    measure = measure or measure_after(draft, at + 1)
    if measure is None and word in _MANY and entity(draft, at + 1):
        measure = Measure("count")  # `the most sales` are no highest price
    if measure is None or (measure.ref is None and kinds):
        return False
    measure = _of_groups(draft, measure, at, many=word in _MANY)
    draft.claim(at, at + 1, "superlative")
    draft.select.append(measure)
    draft.order = [Order(measure, word in _UPWARDS)]
    draft.limit = draft.limit or 1
    return True


def _ranked(draft: Draft, head: int, at: int) -> Measure:
    """What a superlative is of: the number after it or in its verb, else how many rows."""
    measure = recent(draft, head, at) or share_after(draft, at) or measure_after(draft, at + 1)
    measure = measure or of_verb(draft, at)
    adjective = _extreme_column(draft, head, at)
    if measure is None and adjective and "number" not in draft.text(at + 1, at + 7):
        measure = Measure(None, ref(adjective.column))
    draft.claim(at, at + 1, "superlative")
    judged = told_over(draft, measure) or by_worth(draft, at) or _units_sold(draft, at)
    if judged is None:
        _note_unmeasured(draft, at)
    return judged or Measure("count")


def _note_unmeasured(draft: Draft, at: int) -> None:
    """What a superlative of rows leaves unread: what follows, and itself if it counts nothing."""
    after = [one for one in draft.open_words() if one in {at + 1, at + 2}]
    after = [one for one in after if not (entity(draft, one) or done(draft, one))]
    draft.unread += [draft.text(one, one + 1) for one in after]
    if draft.text(at, at + 1) not in _COUNTING:
        draft.unread.append(draft.text(at, at + 1))


def _units_sold(draft: Draft, at: int) -> Measure | None:
    """`Which make sold the most cars` adds up the units, where one column counts them."""
    sold = draft.text(at, at + 1) in _HOW_MANY and SOLD.search(draft.text(at - 3, at))
    units = only_units(draft) if sold and len(draft.index.tables) == 1 else None
    if units is None:
        return None
    claim_entities(draft, at + 1, at + 3)
    return Measure("sum", ref(units))


def _lists_columns(draft: Draft, match: re.Match[str]) -> bool:
    """`The name and leader of the country with the largest area` shows columns of one row."""
    at = draft.at(match.start("super"))
    return bool(_LISTED.search(draft.lower[match.start("head") : match.start("super")])) and bool(
        draft.pick(at, at + 4, lambda c: c.number or c.date, _NUMBER_QUALITY)
    )


def _extreme_column(draft: Draft, head: int, at: int) -> Mention | None:
    """The column that the superlative itself names: oldest is age, cheapest is price.

    One that it names with the subject comes first: `which trial was the longest` of Trial Days.
    """
    over = [m for m in draft.question.mentions.over(at) if head <= m.start < at == m.end - 1]
    both = [m for m in over if m.column.number and m.named > _NAME_SAID]
    own = draft.pick(at, at + 1, lambda c: c.number or c.date, _ADJECTIVE_QUALITY)
    return next(iter(both), own if own and own.end == at + 1 else None)
