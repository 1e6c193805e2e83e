"""Shares: percentages and rates."""

import re
from dataclasses import replace
from datetime import date
from itertools import pairwise

from modelwright.engines.language.rules.columns.deeds import deeds_done
from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.measures.products import revenue_at
from modelwright.engines.language.rules.measures.ratios import read_ratio
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.mentions.mention import Mentions
from modelwright.engines.language.rules.mentions.negation import is_opposite
from modelwright.engines.language.rules.mentions.row_nouns import claim_rows
from modelwright.engines.language.rules.mentions.rows import added, amount, only_rows
from modelwright.engines.language.rules.mentions.worth import worth_of
from modelwright.engines.language.rules.plans.plan import Condition, Measure
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.vocabulary import alternatives, word_set

_SHARE = pattern("measuring share")
_VERBS = pattern("measuring verbs")
_AMONG = pattern("shares among")
_APART = pattern("shares apart")
_SHARE_OF = re.compile(r"(?:share|percentage|proportion|fraction|rate) of\b")
_RATE = re.compile(r"\brates?\b")
_JUDGES = re.compile(
    rf"\b(?:did|do|does|will|would|can|could|to)(?: [\w']+){{0,3}}? (?P<rate>rates?)"
    rf" (?:{alternatives('small_words.articles', 'small_words.of_others')}|us|it|them|this|that)\b"
)
"""Where to rate is what somebody does."""
_BEFORE_SHARE = word_set("small_words.before_share")
_JOINING = frozenset({"and", "or", "but"})
_BEFORE_LIMIT = word_set("small_words.before_limit")
_BEFORE_YEAR = word_set("small_words.before_year")
_ENDS = word_set("superlatives.ends")
_TOWARDS = word_set("small_words.towards")
_WITHIN = frozenset({"with", "without"})
_SURE = 0.7
"""How surely words must mean a column, 0 to 1."""
_FAIR = 0.55
"""The same where the place of the words speaks for it."""
_NAME_SAID = 0.9
"""How much of a column's name must be said to be all but whole, 0 to 1."""
_YES_QUALITY = 0.5
"""How surely words must mean a column of yes or no that is rated, 0 to 1."""
_MISSING_SHARE = 0.05
"""Of the rows: a date that more of them lack says what was not done in all."""
_LEAST_QUALITY = 0.45
"""How surely a word must mean a column to name anything, 0 to 1."""
Options = tuple[Condition, ...]
Span = tuple[int, int]


def settle_rates(draft: Draft) -> None:
    """The rate of a `win rate` is of what a stage says; no column that is but like one is meant."""
    if not _RATE.search(draft.lower):
        return
    told = {m.end for m in draft.question.mentions if m.quality > _SURE and not m.column.number}
    told |= {high for _, high in draft.spans}
    rates = {at for at, word in enumerate(draft.question.words) if _RATE.fullmatch(word.text)}
    rated = {at for at in rates if at in told or (at and _unknown(draft, at - 1))}
    of_deeds = {at for at in rates if _deeds(draft, at - 1)}
    draft.question.mentions = Mentions(
        m
        for m in draft.question.mentions
        if m.start not in rated or m.end > m.start + 1 or m.named > _NAME_SAID
        if m.end - 1 not in of_deeds or _is_called_rate(m.column)
    )


def _is_called_rate(column: Column) -> bool:
    return any(_RATE.fullmatch(term.text) for term in column.name.terms)


def _unknown(draft: Draft, at: int) -> bool:
    """Whether a word names nothing, so that its rate is no price: not `nightly`, not `listing`."""
    named = draft.question.mentions.quality_at(at) >= _LEAST_QUALITY
    telling = draft.question.terms[at].weight == 1 and not draft.text(at, at + 1).endswith("ly")
    return telling and not (named or entity(draft, at))


def read_share(draft: Draft) -> bool:
    """Reads percentages, rates and ratios; says whether there was one."""
    if read_ratio(draft):
        return True
    judging = {one.start("rate") for one in _JUDGES.finditer(draft.lower)}
    told = (one for one in _SHARE.finditer(draft.lower) if one.start() not in judging)
    match = next((one for one in told if not _in_name(draft, one)), None)
    if not match:
        return False
    at, after = draft.at(match.start()), draft.at(match.end())
    if "share" in draft.claimed[at : at + 1]:
        return False
    named = draft.question.mentions.quality_at(at) > _SURE
    named = named and match.group() != "%"
    if match.group().startswith(("rate", "ratio")):
        return _read_rate(draft, match, at)
    if named and not draft.where:
        return False
    draft.claim_text(match, "share")
    of = _amount(draft, at, after)
    if of is None:
        claim_rows(draft, after, after + 4)
    return _of_conditions(draft, after, of) or _of_groups(draft, after, of, match.group())


def _in_name(draft: Draft, match: re.Match[str]) -> bool:
    """Whether a word ends the whole name of a column: `percent` of `price percent`, `Jitter(%)`."""
    if match.group() == "%":
        written = (one.facts.name.lower() for one in draft.index.columns)
        places = ((draft.lower.find(name), len(name)) for name in written if "%" in name)
        return any(0 <= low <= match.start() < low + size for low, size in places)
    at = draft.at(match.start())
    return any(
        m.start < at and m.named > _NAME_SAID and m.column.number
        for m in draft.question.mentions.over(at)
    )


def _read_rate(draft: Draft, match: re.Match[str], at: int) -> bool:
    measure = rate_at(draft, at)
    if measure is None:
        return False
    draft.claim_text(match, "share")
    draft.select.append(measure)
    return True


def rate_at(draft: Draft, at: int) -> Measure | None:
    """The share told by a word: `churn rate`, and `return rate` where a status may be returned."""
    before = draft.pick(max(0, at - 3), at, lambda c: c.yes is not None, _YES_QUALITY)
    tested = [number for number, span in enumerate(draft.spans) if _meets(draft, span[1], at)]
    given = None if before or tested else draft.pick(at - 1, at, _often_missing, _FAIR)
    if given is not None:
        draft.claim(given.start, given.end, "share")
        return Measure(share=((Condition(ref(given.column), "present"),),))
    if before is not None:
        column = before.column
        value = column.no if is_opposite(draft, before) else column.yes
        draft.claim(before.start, before.end, "share")
        return Measure(share=((Condition(ref(column), "=", value),),))
    first = draft.where[tested[0]][0] if tested else None
    if first is None:
        return _rate_of_kind(draft, at)
    if not (first.op in {"=", "present"} or first.other):
        return None
    draft.spans.pop(tested[0])
    return Measure(share=(draft.where.pop(tested[0]),))


def _meets(draft: Draft, end: int, at: int) -> bool:
    """Whether a test ends before a word, the name of what is tested between: `win result rate`."""
    return end == at or (end == at - 1 and draft.claimed[end] == "condition")


def _rate_of_kind(draft: Draft, at: int) -> Measure | None:
    """`Attrition rate` of a status that may be Attrited: of the one value of that deed."""
    found = _deeds(draft, at - 1)
    if len(found) != 1 or draft.claimed[at - 1]:
        return None
    draft.claim(at - 1, at, "share")
    return Measure(share=((found[0],),))


def _deeds(draft: Draft, at: int) -> list[Condition]:
    """What a noun says that was done: a flag Escalated of `escalation`, a status of `hire`."""
    return deeds_done(draft.index, draft.text(at, at + 1)) if at >= 0 else []


def _often_missing(column: Column) -> bool:
    """Whether a date says that something was done, which it was not in many rows."""
    return column.date and column.facts.missing > _MISSING_SHARE * column.facts.rows


def share_after(draft: Draft, at: int) -> Measure | None:
    """`The highest approval rate` of what may be approved, `the highest share of late orders`."""
    told = _SHARE_OF.match(draft.text(at + 1, at + 4))
    if told is not None:
        return _share_of(draft, at + 1, at + 1 + len(told.group().split()))
    starts = {low for options, (low, _) in zip(draft.where, draft.spans, strict=False)
              if draft.index.column(options[0].ref).yes is not None}  # fmt: skip
    if draft.text(at, at + 1) in _ENDS and at + 1 in starts:
        return _share_of(draft, at, at + 1)
    after = (place for place in range(at + 2, at + 4) if draft.text(place, place + 1) == "rate")
    place = next(after, 0)
    tested = any(low > at and high == place for low, high in draft.spans)
    measure = rate_at(draft, place) if tested and not draft.claimed[place] else None
    if measure:
        draft.claim(place, place + 1, "share")
    return measure


def _share_of(draft: Draft, at: int, end: int) -> Measure | None:
    """`The highest share of late orders`: of those of a group that meet the test after it."""
    tested = [n for n, (low, _) in enumerate(draft.spans) if low in {end, end + 1}]
    if not tested or draft.several:
        return None
    draft.claim(at, end, "share")
    draft.spans.pop(tested[0])
    return Measure(share=(draft.where.pop(tested[0]),))


def _amount(draft: Draft, at: int, after: int) -> Measure | None:
    """`Share of profit`, `revenue share`: what is added up rather than counted."""
    if draft.several:
        return None
    first = after
    while draft.text(first, first + 1) in _BEFORE_SHARE:
        first += 1
    for start, end in ((first, first + 1), (at - 1, at)):
        named = draft.pick(max(0, start), end, amount, _SURE)
        named = named or draft.pick(max(0, start), end, lambda c: added(ref(c)), _FAIR)
        if named is not None and not only_rows(draft, named):
            draft.claim(named.start, named.end, "measure")
            return Measure("sum", ref(named.column))
    is_total = draft.text(first - 1, first) == "total"
    column = worth_of(draft, first, summed=True) if is_total else None
    if column is not None:
        draft.claim(first, first + 1, "measure")
        return Measure("sum", ref(column))
    return revenue_at(draft, max(0, at - 1), at) or revenue_at(draft, first, first + 1)


def _of_groups(draft: Draft, after: int, of: Measure | None, said: str) -> bool:
    if draft.group:
        first = draft.claimed.index("group") if "group" in draft.claimed else after
        idle = (at for at in draft.open_words() if after <= at < first and not entity(draft, at))
        draft.unread += [draft.text(at, at + 1) for at in idle]
        draft.select.append(replace(of or Measure(), of_total=True))
    elif draft.index.large and len(draft.index.tables) == 1:
        draft.unread.append(said.removesuffix(" of"))
    else:
        draft.doubts += 1
    return bool(draft.group)


def _of_conditions(draft: Draft, after: int, of: Measure | None) -> bool:
    """Percentages of rows, or of a sum, that meet conditions; periods only limit the rows.

    `Made by independent studios` are no groups: in each, all or none would be.
    """
    tests = list(zip(draft.where, draft.spans, strict=False))
    timed = [pair for pair in tests if draft.group or len(tests) > 1 if _timed(draft, pair)]
    timed += [pair for pair in tests if pair not in timed and _behind(draft, pair[1])]
    told = [pair for pair in tests if pair not in timed]
    if not told:
        return False
    own = _counted(draft, after, told)
    alone = {one.ref for one, *others in own if one.op == "=" and not others}
    draft.group = [bucket for bucket in draft.group if bucket.unit or bucket.ref not in alone]
    draft.where = [options for options, _ in tests if options not in own]
    draft.spans = [span for options, span in tests if options not in own]
    draft.select.append(replace(of or Measure(), share=tuple(own)))
    return True


def _behind(draft: Draft, span: Span) -> bool:
    """`Share of calls per priority in Eastgate`: what stands behind the groups limits the rows."""
    groups = [at for at, by in enumerate(draft.claimed) if by == "group"]
    last = max(groups, default=len(draft.claimed))
    between = draft.text(last + 1, span[0]).split()
    return bool(between) and last < span[0] and _BEFORE_LIMIT.issuperset(between)


def _timed(draft: Draft, test: tuple[Options, Span]) -> bool:
    """Whether rows of a time are told: of a date, or `in 2015` of a column of years."""
    (one, *_), (start, end) = test
    column, said = draft.index.column(one.ref), draft.text(start - 1, end).split()
    yearly = column.shape == "year" and not _BEFORE_YEAR.isdisjoint(said)
    return yearly or isinstance(one.value or one.upper, date) or one.part is not None


def _counted(draft: Draft, after: int, tests: list[tuple[Options, Span]]) -> list[Options]:
    """Conditions before the last verb limit the rows, those after are counted: of women, earn more.

    Without a verb it is the other way round: women among the managers.
    """
    spans = [span for _, span in tests]
    first = min(low for low, _ in spans)
    among = _places(draft, _AMONG, after)
    if any(at > first for at in among):
        return _starting(tests, range(among[-1]))
    verbs = _places(draft, _VERBS, after)
    verbs += [low for low, high in spans if low > first and _ends(draft, low, high)]
    cut = _last_clause(draft, sorted({at for at in verbs if at > after}), spans)
    later = [options for options, (low, _) in tests if not after <= low < cut]
    if later or len(tests) == 1:
        return later or [tests[0][0]]
    end = len(draft.claimed)
    if _heads(draft, spans):
        return [options for options, (_, high) in tests if high != max(end for _, end in spans)]
    if _whole(draft, spans):
        return _starting(tests, range(first + 1, end))
    apart = (at for at in _places(draft, _APART, after) if at > first)
    return _starting(tests, range(next(apart, end)))


def _starting(tests: list[tuple[Options, Span]], places: range) -> list[Options]:
    return [options for options, (low, _) in tests if low in places]


def _places(draft: Draft, cue: re.Pattern[str], after: int) -> list[int]:
    """The words at which a cue stands, from a word on."""
    words = draft.question.words
    start = words[min(after, len(words) - 1)].start
    return [draft.at(one.start()) for one in cue.finditer(draft.lower, start)]


def _whole(draft: Draft, spans: list[Span]) -> bool:
    """Whether the first test says what the others are a share of: `calls to landlines`."""
    (low, high), *others = sorted(spans)
    things = high == low + 1 and draft.text(low, high).endswith(("s", "men"))
    return things and all(draft.text(high, high + 1) in _TOWARDS and at >= high for at, _ in others)


def _heads(draft: Draft, spans: list[Span]) -> bool:
    """Whether the last test is a noun that those before it tell more of: `neutered cats`."""
    told = sorted(spans)
    beside = all(high == low for (_, high), (low, _) in pairwise(told))
    low, high = told[-1]
    return beside and high == low + 1 and draft.text(low, high).endswith("s")


def _ends(draft: Draft, low: int, high: int) -> bool:
    """`Leads from Facebook converted`: what was done, said last."""
    return high == len(draft.claimed) and draft.text(low, low + 1).endswith("ed")


def _last_clause(draft: Draft, verbs: list[int], spans: list[Span]) -> int:
    """Where the clause begins that says what is counted: `with a card | churned`, not `and paid`.

    What is said `with` after another verb belongs to that verb: `churned with a card`.
    """
    starts = sorted(low for low, _ in spans)
    led = pairwise([*verbs, len(draft.claimed)])
    clauses = [at for at, end in led if any(at <= low < end for low in starts)]
    while len(clauses) > 1:
        at = clauses[-1]
        while at - 1 in verbs and at - 1 not in clauses:
            at -= 1
        joined = draft.text(at - 1, at) in _JOINING
        if not joined and draft.text(at, at + 1) not in _WITHIN:
            break
        clauses.pop()
    return clauses[-1] if clauses else len(draft.claimed)
