"""What the rows are grouped by: per borough, for each month, over time, by age and sex."""

import re
from typing import cast

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.groups.time_groups import read_time_groups
from modelwright.engines.language.rules.measures.extreme_rows import SUPER, tells_when
from modelwright.engines.language.rules.measures.first_of_each import EACH, note
from modelwright.engines.language.rules.measures.ratios import divisor, endless
from modelwright.engines.language.rules.measures.row_averages import read_theirs
from modelwright.engines.language.rules.mentions.draft import Draft, entity, says_which
from modelwright.engines.language.rules.mentions.mention import PARTLY_NAMED, WHOLLY_NAMED, Mention
from modelwright.engines.language.rules.mentions.rows import amount, only_rows
from modelwright.engines.language.rules.plans.plan import Bucket, Order, Unit
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.times.usual_dates import default_unit, usual_date
from modelwright.engines.language.vocabulary import alternatives, word_set

_CUE = pattern("grouping cue")
_JUDGED = pattern("vague judged")
_ORDERED = pattern("grouping ordered")
_PERIOD = r"(?:\d+ )?(?:day|week|month|quarter|year)s?\b"
_SPLIT = re.compile(rf"\b(?:{alternatives('groups.split')})\b")
_COMPUTED = re.compile(r"\b(?:average|mean|avg|median|total|sum|highest|lowest|max\w*|min\w*)\b")
_COMPARED = re.compile(r"\s*compare\b")
_TIMELY = re.compile(rf"\b(?:{alternatives('superlatives.of_time', 'superlatives.of_age')})\b")
"""Superlatives that are told by a date or a year."""
_AVERAGE = re.compile(rf"\b(?:{alternatives('averages.means', 'averages.median')})\b")
_TWO_KINDS = 2
"""Columns of no more kinds make no groups once one of them is tested."""
_GROUP_QUALITY = 0.42
"""How surely words behind a cue must mean a column, 0 to 1."""
_SURE = 0.6
"""How surely words must mean a column, 0 to 1."""
_NAME_SAID = 0.9
"""How much of a column's name must be said to be all but whole, 0 to 1."""
_APART = word_set("small_words.behind_groups")
_RELATIVE = word_set("small_words.relative")
PERIODS = word_set("times.units")
_DAYS = frozenset({"date", "day"})
"""What says that each day is meant, not a stretch of many: `per sale date`."""
_FEW_ROWS = r"(?:\d|two|three|four|five|ten|twenty)"
_MOST_NUMBERS = 100
"""Numbers of more values make no groups."""
_LONGEST_SCALE = 20
"""Numbers of so few values are a scale, which groups."""


def read_groups(draft: Draft) -> None:
    """Adds the groups and claims their words."""
    read_time_groups(draft)
    for cue in _CUE.finditer(draft.lower):
        behind = _behind_date(draft, draft.at(cue.end()))
        if behind:
            _more(draft, behind)
            continue
        mention = None if _sorts(draft, cue) else _grouped(draft, cue, _begun(draft, cue))
        if mention is None:
            continue
        at = draft.at(cue.end())
        numbered = draft.text(at, mention.end) + "s" in mention.column.calls
        if (only_rows(draft, mention) and not numbered) or _single(draft, mention):
            draft.claim(at, mention.end, "rows")
            continue
        between = set(draft.text(at, mention.start).split())
        if between & _RELATIVE:
            continue
        before = len(draft.group)
        draft.claim_text(cue, "group")
        draft.claim(at, mention.start * ("of" in between), "group")
        draft.pass_over(at, mention.start, "group")
        _add(draft, mention)
        _more(draft, mention.end)
        note(draft, cue.group(), before)
    _read_split(draft)
    read_theirs(draft)


def _grouped(draft: Draft, cue: re.Match[str], at: int) -> Mention | None:
    """The column that is named at a place after a cue, where it makes groups."""
    if _kind_or_number(draft, at):
        return None
    first, last = _end(draft, at, _APART | {"and"}), _end(draft, at, _APART)
    mention = draft.pick(at, first, _groupable, _GROUP_QUALITY) or draft.pick(
        at, last, _groupable, _GROUP_QUALITY
    )
    if mention is not None and mention.end == at + 1 and entity(draft, at):
        mention = _of_rows(draft, at, last) or mention
    if mention is not None and _no_group(draft, cue, at, mention):
        return None
    whole = draft.pick(at, at + 1, least=_NAME_SAID)
    if whole is not None and _ranks(draft, cue, whole.column):
        return None
    told = mention is None or says_which(draft, mention) or _is_measure(draft, cue, mention)
    return None if mention is None or told else _head(draft, mention)


def _head(draft: Draft, mention: Mention) -> Mention:
    """`By instrument family`: the family, where both words name columns wholly."""
    behind = draft.pick(mention.end, mention.end + 1, _groupable, WHOLLY_NAMED)
    if behind is None or behind.named < WHOLLY_NAMED or says_which(draft, behind):
        return mention
    draft.claim(mention.start, behind.start, "group")
    return behind


def _behind_date(draft: Draft, at: int) -> int:
    """Where `per decade of acquisition` ends, whose stretch of time is of a date; 0 elsewhere."""
    end = next((one for one in range(at, len(draft.claimed)) if draft.claimed[one] != "group"), at)
    return end if end > at and draft.text(at + 1, at + 2) == "of" else 0


def _of_rows(draft: Draft, at: int, last: int) -> Mention | None:
    """`By permit type` of permits: what is named behind a word that only calls the rows."""
    return max(
        (
            m
            for m in draft.question.mentions.starting(at, at + 1)
            if at + 1 < m.end <= last and m.quality >= PARTLY_NAMED and _groupable(m.column)
            if draft.free(m)
        ),
        key=lambda m: m.quality,
        default=None,
    )


def _kind_or_number(draft: Draft, at: int) -> bool:
    """Whether a word is a value whatever it is of, `men`, or says what is computed."""
    kind = any(draft.text(at, at + 1) in group for group in lexicon().aliases)
    compared = _COMPARED.match(draft.lower) and _COMPUTED.match(draft.text(at, at + 1))
    return kind or bool(compared) or draft.claimed[at : at + 1] == ["measure"]


def _end(draft: Draft, at: int, ends: frozenset[str]) -> int:
    """Where the name of a group begins at the latest: before `in` of `by store in season 3`."""
    after = (place for place in range(at + 1, at + 3) if draft.text(place, place + 1) in ends)
    return next(after, at + 3)


def _read_split(draft: Draft) -> None:
    """`Gender split by department`: the kinds are groups too."""
    for match in _SPLIT.finditer(draft.lower):
        at = draft.at(match.start())
        kinds = [
            m for m in draft.question.mentions.over(at - 1) if m.end == at and m.quality > _SURE
        ]
        named = next((m for m in kinds if not m.column.number and draft.free(m)), None)
        if named is not None and draft.group:
            draft.claim_text(match, "group")
            _add(draft, named)


def _single(draft: Draft, mention: Mention) -> bool:
    """`Average amount per order` where every row is an order of its own."""
    column = mention.column
    alone = column.facts.type == "string" and column.facts.distinct == column.facts.rows
    return alone and bool(_AVERAGE.search(draft.lower))


def _begun(draft: Draft, cue: re.Match[str]) -> int:
    """Where the name of a group begins: after `number of` in `average price by number of rooms`."""
    at = draft.at(cue.end())
    counted = draft.text(at, at + 2) == "number of" and _COMPUTED.search(draft.lower[: cue.start()])
    if not counted or draft.pick(at + 2, at + 3, _few, _SURE) is None:
        return at
    draft.claim(at, at + 2, "group")
    return at + 2


def _few(column: Column) -> bool:
    return column.number and column.facts.distinct <= _MOST_NUMBERS


def _no_group(draft: Draft, cue: re.Match[str], at: int, mention: Mention) -> bool:
    """Whether it is a value, the rows themselves, or an amount that another is divided by."""
    return (
        _is_divisor(draft, cue, mention)
        or _calls_rows_only(draft, at, mention)
        or (mention.named < _NAME_SAID and _valued(draft, at))
        or _by_kind(draft, at, mention)
    )


def _is_divisor(draft: Draft, cue: re.Match[str], mention: Mention) -> bool:
    """Whether another amount is divided by it: `price per minute`, `sales divided by visits`."""
    start = draft.at(cue.start())
    if cue.group() == "per":
        over = divisor(draft, start)
        is_whole = mention.named >= _NAME_SAID and mention.end > mention.start + 1  # `item group`
        is_it = over is not None and (over.column is mention.column or not is_whole)
        if is_it or endless(mention.column):
            return True
    return draft.text(start - 1, start) == "divided" and amount(mention.column)


def _calls_rows_only(draft: Draft, at: int, mention: Mention) -> bool:
    """Whether a word for the rows is only a part of a name, which is not that of the rows."""
    is_name = mention.column.repeated and mention.column.name.terms[-1].text == "name"
    is_loose = mention.named < _NAME_SAID and not is_name
    return at in draft.question.table_words and mention.end == at + 1 and is_loose


def _by_kind(draft: Draft, at: int, mention: Mention) -> bool:
    """`Hit by a large animal`, `made by large studios` name a value."""
    start = at + (draft.text(at, at + 1) in {"a", "an"})
    links = (link for link in draft.question.values if link.exact and link.start == start)
    return any(
        start > at or (link.end < mention.end and held.column is mention.column)
        for link in links
        for held in link.held
    )


def _valued(draft: Draft, at: int) -> bool:
    """`Shipped by standard class` names a value."""
    return any(one.exact and one.start == at < one.end - 1 for one in draft.question.values)


def _sorts(draft: Draft, cue: re.Match[str]) -> bool:
    before = draft.lower[max(0, cue.start() - 40) : cue.start()]
    for match in _ORDERED.finditer(draft.lower):
        at = draft.at(match.start())
        noun = SUPER.fullmatch(draft.text(at - 1, at)) or draft.claimed[at] == "measure"
        if match.start() <= cue.start() < match.end() and not noun:
            return True
    return cue.group().startswith("by") and bool(
        re.search(
            rf"\b(?:top|bottom|best|worst|(?:first|last)(?! {_PERIOD})(?= {_FEW_ROWS})) (?:\w+ )*$",
            before,
        )
    )


def _ranks(draft: Draft, cue: re.Match[str], column: Column) -> bool:
    """`Most expensive by unit cost`: what is named is no group but what the rows are ranked by.

    Nor is `the largest order in each city by quantity`: `in each` says what the groups are.
    """
    within = cue.group().startswith("by") and amount(column) and EACH.search(draft.lower)
    ranking = within or column.facts.type == "float" or (draft.limit and _many(column))
    ranking = ranking or _is_aside(draft, cue, column)
    found = SUPER.search(draft.lower, 0, cue.start()) if ranking else None
    judged = _JUDGED.match(draft.lower, found.start()) if found else None
    at = draft.at((judged or found).end()) if found else 0
    named = within or _few(column)
    other = draft.pick(at, draft.at(cue.start()), amount, _SURE) if named else None
    told = other is not None and other.column is not column and not only_rows(draft, other)
    return not _groupable(column) or bool(found and not told)


def _is_aside(draft: Draft, cue: re.Match[str], column: Column) -> bool:
    """`The newest (by points)`, `the oldest by year built`: nothing but what ranks is said."""
    lead = draft.lower[: cue.start()]
    is_told = tells_when(column) and _TIMELY.search(lead) is not None
    return is_told or (lead.endswith("(") and amount(column))


def _many(column: Column) -> bool:
    """Whether numbers are too many for a scale, and no years."""
    return amount(column) and column.facts.distinct > _LONGEST_SCALE and column.shape != "year"


def _is_measure(draft: Draft, cue: re.Match[str], mention: Mention) -> bool:
    """`hours per week` and `paid by check` are not groups."""
    names = draft.index.columns
    at = draft.at(cue.start())
    inside = any(
        m.start < at and m.column in names and m.named > _NAME_SAID
        for m in draft.question.mentions.over(at)
    )
    return inside or (
        mention.column in draft.filtered and not mention.column.facts.distinct > _TWO_KINDS
    )


def _groupable(column: Column) -> bool:
    if column.identifier and not column.number:
        return False
    return not (column.facts.type == "float" and column.facts.distinct > _MOST_NUMBERS)


def _add(draft: Draft, mention: Mention) -> None:
    draft.claim(mention.start, mention.end, "group")
    bucket = Bucket(ref(mention.column))
    if mention.column.date:
        by_day = not _DAYS.isdisjoint(draft.text(mention.start, mention.end).split())
        bucket = Bucket(ref(mention.column), "day" if by_day else default_unit(mention.column))
    if bucket not in draft.group:
        draft.group.append(bucket)


def _more(draft: Draft, end: int) -> None:
    """`by colour and quality` names two."""
    words = draft.question.words
    while end < len(words):
        after = draft.lower[words[end - 1].end :]
        joined = re.match(
            r"\s*(?:,\s*and|,|and|&|/)(?: by| per| for each)?(?: the)?\s*(?<![a-z])", after
        )
        if not joined:
            return
        at = draft.at(words[end - 1].end + joined.end())
        more = draft.pick(at, at + 1, _groupable, _GROUP_QUALITY)
        if _more_time(draft, at) or more is None:
            return
        _add(draft, more)
        end = more.end


def _more_time(draft: Draft, at: int) -> bool:
    """`By region and month`."""
    usual, unit = usual_date(draft), draft.text(at, at + 1)
    if usual is None or unit not in PERIODS or draft.claimed[at]:
        return False
    bucket = Bucket(ref(usual), cast("Unit", unit))
    draft.claim(at, at + 1, "group")
    draft.group.append(bucket)
    draft.order.append(Order(bucket, descending=False))
    return True
